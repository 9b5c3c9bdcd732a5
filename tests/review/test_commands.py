"""Reviews as a user runs them: the commands, a server that is killed, and what comes after."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from veil.masking.audit import MaskedOutput
from veil.review.files import corrections_of, reviewed_records
from veil.review.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.review.conftest import Folder

    from veil.review.project import Project

TOKEN = "secret"  # noqa: S105
ENVIRONMENT = {**os.environ, "VEIL_REVIEW_TOKEN": TOKEN, "OMP_NUM_THREADS": "1"}


def veil(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "veil", *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
    )


class Decisions:
    """Decides about records of an open review as one reviewer."""

    def __init__(self, project: Project) -> None:
        project.store.register("anna")
        self.project = project
        self.number = 0

    def record(self, name: str) -> dict[str, Any]:
        (number,) = [row.id for row in self.project.rows if row.name == name]
        return self.project.record(number, "anna")

    def send(self, name: str, **action: Any) -> None:
        record = self.record(name)
        self.number += 1
        body = {"tab": "test", "number": self.number, "version": record["version"]}
        self.project.decide(record["id"], "anna", {**body, **action})

    def mark(self, name: str, words: str, label: str) -> None:
        start = self.record(name)["original"].index(words)
        self.send(name, action="add", start=start, end=start + len(words), label=label)

    def delete(self, name: str, words: str) -> None:
        record = self.record(name)
        (span,) = [
            span["id"]
            for span in record["spans"]
            if record["original"][span["start"] : span["end"]] == words
        ]
        self.send(name, action="delete", span=span)


@pytest.fixture
def reviewed(audit: Folder) -> Folder:
    """An audit in which a leak was added, a masked word was left, and everything was read."""
    project = audit.open()
    with closing(project.store):
        decisions = Decisions(project)
        decisions.mark("en-2.txt", "Glasgow", "CITY")
        decisions.delete("en-1.txt", "Boston")
        for row in project.rows:
            decisions.send(row.name, action="done")
        project.sign("Anna Ek", "data protection officer", "")
    return audit


def test_mask_again(reviewed: Folder, tmp_path: Path) -> None:
    """With the corrections a leak is masked, a wrongly masked word stays, and all else is as it was
    with the same key."""
    again = tmp_path / "again"
    common = ("--policy", "surrogate", "--key-file", reviewed.key)
    done = veil(
        *("mask", reviewed.original, "-o", again, "--apply-review", reviewed.store, *common, "-q")
    )
    assert (done.returncode, done.stderr) == (0, "")
    before = {name: (reviewed.masked / name).read_text() for name in ("en-1.txt", "en-2.txt")}
    after = {name: (again / name).read_text() for name in before}
    assert "Boston" not in before["en-1.txt"]
    assert after["en-1.txt"].endswith("in Boston.\n")
    assert after["en-1.txt"].partition(" in ")[0] == before["en-1.txt"].partition(" in ")[0]
    assert "Glasgow" in before["en-2.txt"]
    assert "Glasgow" not in after["en-2.txt"]
    for name in ("a/sv-1.txt", "a/sv-2.txt", "ja-1.txt"):
        assert (again / name).read_bytes() == (reviewed.masked / name).read_bytes()
    report = json.loads((again / "veil-report.json").read_text())
    assert "3 decisions" not in report["applied_review"]
    assert "7 decisions" in report["applied_review"]
    assert (
        MaskedOutput.open(again).report["seal"] != MaskedOutput.open(reviewed.masked).report["seal"]
    )


def test_mask_changed_document(reviewed: Folder, tmp_path: Path) -> None:
    """A document that was changed since the review is named, and nothing is written."""
    (reviewed.original / "en-2.txt").write_text("The Glasgow score of Zelda was 14.\n")
    done = veil("mask", reviewed.original, "-o", tmp_path / "x", "--apply-review", reviewed.store)
    assert done.returncode == 2
    assert "en-2: the text differs from the reviewed one" in done.stderr
    assert "Zelda" not in done.stderr
    assert not (tmp_path / "x" / "en-1.txt").exists()


def test_mask_other_documents(reviewed: Folder, tmp_path: Path) -> None:
    """Corrections for none of the documents are refused: it is the wrong input."""
    (tmp_path / "other.txt").write_text("Nothing here.\n")
    done = veil(
        *("mask", tmp_path / "other.txt", "-o", tmp_path / "x.txt"),
        *("--apply-review", reviewed.store),
    )
    assert done.returncode == 2
    assert "no document of the review is in the input" in done.stderr


def test_corrections_hold_no_text(reviewed: Folder) -> None:
    """What masking gets from a review are offsets and hashes."""
    found = repr(corrections_of(reviewed.store))
    assert not any(word in found for word in ("Okafor", "Glasgow", "Öhman", "山田"))


def test_export_and_statement(reviewed: Folder, tmp_path: Path) -> None:
    """Corrected spans and the statement are written, and the statement is checked later."""
    out, page = tmp_path / "brat", tmp_path / "statement.html"
    done = veil("review", reviewed.store, "--export", out, "--to", "brat")
    assert (done.returncode, "5 record(s) written" in done.stderr) == (0, True)
    assert "CITY 38 45\tGlasgow" in (out / "en-2.ann").read_text()
    assert "Boston" not in (out / "en-1.ann").read_text()
    assert veil("review", reviewed.store, "--statement", "-o", page).returncode == 0
    assert veil("review", reviewed.store, "--verify", page).returncode == 0
    masked = reviewed.masked / "en-1.txt"
    text = masked.read_text()
    masked.write_text(text + "more")
    done = veil("review", reviewed.store, "--verify")
    assert (done.returncode, "en-1.txt: was changed" in done.stderr) == (1, True)
    masked.write_text(text)
    text = page.read_text()
    page.write_text(text.replace("All 5 records were read. 1 ", "All 5 records were read. 0 "))
    done = veil("review", reviewed.store, "--verify", page)
    assert (done.returncode, "was changed" in done.stderr) == (1, True)
    with closing(sqlite3.connect(reviewed.store)) as connection, connection:
        connection.execute("UPDATE events SET payload = '[]' WHERE id = 1")
    done = veil("review", reviewed.store, "--verify")
    assert (done.returncode, "decision 1 was changed" in done.stderr) == (1, True)


def test_records_to_train_on(reviewed: Folder) -> None:
    """Training gets the records that were read, with the corrected spans."""
    by_id = {record.id: record for record in reviewed_records(reviewed.store)}
    assert len(by_id) == 5
    doc, spans = by_id["en-2"].document, by_id["en-2"].spans
    assert "Glasgow" in [doc.text[span.start : span.end] for span in spans]


def test_train_from_review(reviewed: Folder, quick_recipe: Path, tmp_path: Path) -> None:
    """A model is trained on a review alone, and its card says so."""
    model = tmp_path / "model"
    done = veil("train", quick_recipe, "--from-review", reviewed.store, "-o", model)
    assert "5 record(s) to train on" in done.stderr, done.stderr
    assert done.returncode == 0
    assert "reviewed records" in (model / "model.toml").read_text()
    assert veil("train", quick_recipe, "-o", tmp_path / "none").returncode == 2


@contextmanager
def server(*args: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running `veil review`, and its address; it is killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "veil", "review", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?token=(.*)\n", line)
        assert found, process.communicate(timeout=300)[1]
        assert found[2] == TOKEN
        yield process, found[1]
    finally:
        process.kill()
        process.communicate(timeout=300)


def client_of(address: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=300)


def test_nothing_is_lost_when_the_server_is_killed(audit: Folder) -> None:
    """Every decision that was answered is there after kill -9, and the page goes on."""
    who = {"reviewer": "anna"}
    answered = 0
    with server(audit.masked, "--original", audit.original, "--port", 0) as (process, address):
        port = address.rpartition(":")[2]
        with client_of(address) as client:
            client.post("/api/reviewers", json={"name": "anna"})
            records = client.get("/api/records", params=who).json()
            url = f"/api/records/{next(each['id'] for each in records if each['spans'])}"
            record = client.get(url, params=who).json()
            for number in range(12):
                action = {"action": "done"} if number % 2 else {"action": "accept", "span": "s1"}
                body = {"tab": "t", "number": number, "version": record["version"], **action}
                answer = client.post(f"{url}/decisions", params=who, json=body)
                assert answer.status_code == 200
                record = answer.json()
                answered += 1
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=300)
    with closing(Store.open(audit.store)) as store:
        assert len(store.events()) == answered
        assert store.damaged_event() is None
    with server(audit.store, "--port", port) as (_, address), client_of(address) as client:
        assert client.get(url, params=who).json() == record
        last = {"tab": "t", "number": 11, "version": 11, "action": "done"}
        again = client.post(f"{url}/decisions", params=who, json=last)
        assert (again.status_code, again.json()) == (200, record)


def test_logs_have_no_text(audit: Folder) -> None:
    """Neither output nor errors of the server contain text of a record or the token's requests."""
    with server(audit.masked, "--original", audit.original, "--port", 0) as (process, address):
        with client_of(address) as client:
            client.post("/api/reviewers", json={"name": "anna"})
            client.get("/api/records/0", params={"reviewer": "anna"})
            client.post("/api/records/0/decisions?reviewer=anna", json={"Okafor": "Öhman"})
            client.get("/nowhere/Okafor")
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=300)
        assert out == ""
        assert not any(word in errors for word in ("Okafor", "Öhman", "nowhere", "Traceback"))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("absent",), "no such file or folder"),
        (("{masked}", "--original", "absent"), "no such file or folder"),
        (("{masked}",), "give --original"),
        (("{original}", "--original", "{masked}"), "no report of `veil mask`"),
        (("{masked}", "--original", "{masked}/a"), "have no original"),
        (("{original}", "--verify"), "give the store"),
        (("{store}", "--statement"), "no statement was signed yet"),
        (("{store}", "--double"), "this would have no effect"),
        (("{original}", "--to", "brat"), "this would have no effect"),
    ],
)
def test_wrong_calls(audit: Folder, args: tuple[str, ...], message: str) -> None:
    """A call that cannot work ends with 2 and says what to do."""
    paths = {"masked": audit.masked, "original": audit.original, "store": audit.store}
    done = veil("review", *(each.format_map(paths) for each in args))
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
