"""Masking files and folders as a user calls it: exit codes, messages, files, kill and resume."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "en/note": "Mr. Okafor, 45 y/o, was seen by Dr. Hale on 03/05/2019. MRN: 4471823. BP 120/80.\n",
    "es/nota": "Paciente: Ana Ruiz Soto, de 53 años. Ingresó el 12/03/2015 con fiebre.\n",
    "sv/anteckning": "Pat Karin Hjelmqvist, 73 år, inkom 2023-03-14. Tel 070-1740605.\n",
    "ja/カルテ": "患者：山田太郎、63歳男性。平成23年3月5日に当院を受診した。\n",
}
ORIGINALS = ("Okafor", "Hale", "4471823", "Ana", "Ruiz", "Hjelmqvist", "070-1740605", "山田")


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "veil", *map(str, args)]


def veil(*args: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*args),
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def mask(source: object, target: object, *options: object) -> subprocess.CompletedProcess[str]:
    return veil("mask", source, "-o", target, "--workers", 1, *options)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    for name, text in NOTES.items():
        file = folder / f"{name}.txt"
        file.parent.mkdir(parents=True)
        file.write_text(text, "utf-8")
    return folder


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    """Four notes in English."""
    folder = tmp_path / "ward"
    folder.mkdir()
    for number in range(4):
        (folder / f"note-{number}.txt").write_text(f"{number}: Dr. Hale saw Mr. Okafor today.\n")
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "my.key"
    assert veil("key", file).returncode == 0
    return file


def contents(folder: Path) -> dict[str, bytes]:
    """All that was written but the report."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*.txt"))
    }


def test_workers_write_the_same_bytes(notes: Path, key: Path, tmp_path: Path) -> None:
    """A folder of four languages, masked with stand-ins by one process and by two."""
    # A second process is started only if there is work for it.
    (notes / "long.txt").write_text("Dr. Hale saw that the patient slept well.\n" * 2500)
    outputs = []
    for workers in (1, 2):
        out = tmp_path / f"masked-{workers}"
        options = ("--policy", "surrogate", "--key-file", key, "--workers", workers)
        done = veil("mask", notes, "-o", out, *options)
        assert done.returncode == 0, done.stderr
        assert "5 record(s) masked" in done.stderr
        outputs.append(contents(out))
    assert outputs[0] == outputs[1]
    assert set(outputs[0]) == {f"{name}.txt" for name in (*NOTES, "long")}
    text = b"".join(outputs[0].values()).decode("utf-8")
    assert not [original for original in ORIGINALS if original in text]
    assert "BP 120/80" in text


def test_a_key_that_others_can_read_is_told(ward: Path, key: Path, tmp_path: Path) -> None:
    """The run goes on, and the user is told how to keep the key."""
    note = ward / "note-0.txt"
    assert "other users can read" not in mask(note, "-", "--key-file", key).stderr
    key.chmod(0o640)
    done = mask(note, tmp_path / "masked.txt", "--key-file", key)
    assert done.returncode == 0
    assert f"{key}: other users can read this key" in done.stderr


def test_a_key_is_made_once_and_for_its_owner(key: Path) -> None:
    """Others cannot read it, and no second call overwrites it."""
    data = key.read_bytes()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    done = veil("key", key)
    assert done.returncode == 2
    assert "never overwritten" in done.stderr
    assert key.read_bytes() == data


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    """JSON lines for several batches."""
    file = tmp_path / "notes.jsonl"
    story = "The patient slept well, ate little and walked in the corridor with help. " * 60
    with file.open("w") as lines:
        for number in range(270):
            text = f"Seen by Dr. Hale on 03/05/2019, MRN: 44718{number:03}.\n{story}"
            lines.write(json.dumps({"id": f"n{number}", "text": text}) + "\n")
    return file


def test_killed_and_resumed(long_file: Path, key: Path, tmp_path: Path) -> None:
    """kill -9 leaves no half output; --resume writes what an uninterrupted run writes."""
    options = ("--policy", "surrogate", "--key-file", key, "--lang", "en", "--no-rescan")
    clean, out = tmp_path / "clean.jsonl", tmp_path / "masked.jsonl"
    assert mask(long_file, clean, *options).returncode == 0
    journal = tmp_path / ".masked.jsonl.veil-mask" / "journal.jsonl"
    call = command("mask", long_file, "-o", out, "--workers", 2, *options)
    with subprocess.Popen(call, stderr=subprocess.DEVNULL, start_new_session=True) as run:
        while run.poll() is None:
            if journal.exists() and 2 <= journal.read_bytes().count(b"\n"):
                run.kill()
            time.sleep(0.005)
        assert run.returncode == -signal.SIGKILL
        group = run.pid
    assert not out.exists()
    assert "Hale" not in journal.read_text("utf-8")
    assert hashlib.sha256(long_file.read_bytes()).hexdigest() not in journal.read_text("utf-8")
    for _ in range(200):  # the workers notice that they are alone
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("a worker outlived the run")

    done = mask(long_file, out, *options)
    assert done.returncode == 2
    assert "continue with --resume" in done.stderr
    done = mask(long_file, out, *options, "--policy", "tag", "--resume")
    assert done.returncode == 2
    assert "differs from the interrupted run: the policy" in done.stderr
    done = mask(long_file, out, *options, "--resume")
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == clean.read_bytes()
    assert not journal.parent.exists()
    reports = [json.loads(file.read_text("utf-8")) for file in tmp_path.glob("*.veil-report.json")]
    assert len(reports) == 2
    assert reports[0]["spans"] == reports[1]["spans"]


@pytest.mark.parametrize(("removed", "advice"), [("parts", "--resume"), (".", "--overwrite")])
def test_work_files_removed_during_a_run(
    removed: str, advice: str, long_file: Path, key: Path, tmp_path: Path
) -> None:
    """Removing half-written files ends the run with an error; its advice leads to the output."""
    options = ("--key-file", key, "--lang", "en", "--no-rescan")
    clean, out = tmp_path / "clean.jsonl", tmp_path / "masked.jsonl"
    assert mask(long_file, clean, *options).returncode == 0
    work = tmp_path / ".masked.jsonl.veil-mask"
    call = command("mask", long_file, "-o", out, "--workers", 1, *options)
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as run:
        journal = work / "journal.jsonl"
        while not (journal.exists() and 2 <= journal.read_bytes().count(b"\n")):
            time.sleep(0.005)
        run.send_signal(signal.SIGSTOP)
        shutil.rmtree(work / removed)
        run.send_signal(signal.SIGCONT)
        _, told = run.communicate()
    assert run.returncode == 2
    assert "was removed during the run" in told
    assert advice in told
    assert not out.exists()
    assert not list(tmp_path.glob("masked.jsonl.veil-report*"))
    assert mask(long_file, out, *options, advice).returncode == 0
    assert out.read_bytes() == clean.read_bytes()


def test_interrupted_by_hand(long_file: Path, tmp_path: Path) -> None:
    """Ctrl-C ends with 130 and says how to go on."""
    out = tmp_path / "masked.jsonl"
    journal = tmp_path / ".masked.jsonl.veil-mask" / "journal.jsonl"
    call = command("mask", long_file, "-o", out, "--workers", 2, "--lang", "en")
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
            time.sleep(0.005)
        os.killpg(run.pid, signal.SIGINT)  # a terminal tells the whole group
        _, told = run.communicate()
    assert run.returncode == 130
    assert told == "veil: interrupted; all files written are complete; continue with --resume\n"
    assert mask(long_file, out, "--lang", "en", "--resume").returncode == 0


def test_withheld_records_and_files(ward: Path, tmp_path: Path) -> None:
    """They are named on standard error and in the report, without text, and the code is 1."""
    (ward / "fr.jsonl").write_text(
        '{"id": "fr", "text": "Vu le 3 mai par le Dr Blanc.", "language": "fr"}\n', "utf-8"
    )
    (ward / "scan.png").write_bytes(b"\x89PNG\0")
    done = mask(ward, tmp_path / "masked")
    assert done.returncode == 1
    assert "fr.jsonl, record fr: withheld: Veil has no rules for its language" in done.stderr
    assert "scan.png: not a format that Veil can read" in done.stderr
    assert "4 record(s) masked" in done.stderr
    assert "2 withheld" in done.stderr
    report = (tmp_path / "masked" / "veil-report.json").read_text("utf-8")
    assert [each["record"] for each in json.loads(report)["withheld"]] == ["fr", None]
    assert "Blanc" not in done.stderr + report


def test_a_table_keeps_its_other_columns(tmp_path: Path) -> None:
    """Only the named column changes, and a patient has the same stand-in in every row."""
    source, target = tmp_path / "notes.csv", tmp_path / "masked.csv"
    rows = [["id", "pid", "note", "code"], ["1", "p1", "Dr. Hale called Mr. Okafor.", "J10"]]
    rows += [["2", "p1", "Mr. Okafor slept well.", "J11"], ["3", "p2", "Mr. Okafor fell.", "W01"]]
    with source.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    columns = ("--text-column", "note", "--id-column", "id", "--patient-column", "pid")
    done = mask(source, target, "--lang", "en", "--policy", "surrogate", *columns)
    assert done.returncode == 0, done.stderr
    with target.open(newline="") as file:
        masked = list(csv.reader(file))
    assert [(row[0], row[1], row[3]) for row in masked] == [(r[0], r[1], r[3]) for r in rows]
    first, second, third = (row[2] for row in masked[1:])
    name = second.removeprefix("Mr. ").removesuffix(" slept well.")
    assert f"Mr. {name}." in first
    assert name not in third
    assert "Okafor" not in first + second + third


def test_standard_input_and_output(tmp_path: Path) -> None:
    """Text and JSON lines go through; what is said stays apart from what is written."""
    call = ("mask", "-", "-o", "-", "--lang", "en", "--workers", 1)
    done = veil(*call, stdin="Dr. Hale saw him on 03/05/2019.\r\nBP 120/80.")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Dr. [DOCTOR-1] saw him on [DATE-1].\nBP 120/80."
    line = json.dumps({"id": "a", "text": "Seen by Dr. Hale today.", "meta": {"ward": 3}})
    done = veil(*call, "-q", stdin=line + "\n")
    assert done.stdout == line.replace("Hale", "[DOCTOR-1]") + "\n"
    assert done.stderr == ""
    target = tmp_path / "masked.txt"
    assert veil(*call, "-o", target, stdin="Dr. Hale").returncode == 0
    assert target.read_text() == "Dr. [DOCTOR-1]"
    done = veil("mask", "-", tmp_path, "-o", "-")
    assert done.returncode == 2
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "{notes}/out"), "lies inside the input"),
        (("-o", "{notes}/.."), "lies inside the output"),
        (("-o", "{tmp}/full"), "exists already"),
        (("-o", "{tmp}/out", "--policy", "nonsense"), "unknown policy"),
        (("-o", "{tmp}/out", "--policy", "{tmp}/none.toml"), "cannot be read"),
        (("-o", "{tmp}/out", "--key-file", "{tmp}/none.key"), "the key cannot be read"),
        (("-o", "{tmp}/out", "--key-file", "{notes}/my.key"), "keep it apart from both"),
        (("-o", "{tmp}/out", "--mapping", "{tmp}/out/my.map"), "keep it apart from both"),
        (("-o", "{tmp}/out", "--recall", "0.9", "--rules-only"), "would have no effect"),
        (("-o", "{tmp}/out", "--passphrase-file", "x"), "would have no effect"),
        (("-o", "{tmp}/out", "--own-rules", "{tmp}/none"), "No such file or directory"),
        (("-o", "{tmp}/out", "--known", "{tmp}/none.csv"), "cannot be read"),
        (("-o", "-"), "standard output can hold only one file"),
    ],
)
def test_wrong_calls_write_nothing(
    options: tuple[str, ...], message: str, notes: Path, tmp_path: Path
) -> None:
    """One line of message, exit code 2, and no output."""
    full = tmp_path / "full"
    full.mkdir()
    (full / "precious.txt").write_text("keep me")
    done = veil(
        "mask", notes, *(each.format(notes=notes, tmp=tmp_path) for each in options), "--workers", 1
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "notes"]
    assert [path.name for path in full.iterdir()] == ["precious.txt"]


@pytest.mark.parametrize(
    "options",
    [
        ("--mapping", "{tmp}/masked.txt"),
        ("--mapping", "{tmp}/masked.txt.veil-report.json"),
        ("--mapping", "{tmp}/masked.txt.veil-report.html"),
        ("--mapping", "{tmp}/.masked.txt.veil-mask/my.map"),
        ("--key-file", "{tmp}/ward/note-0.txt"),
        ("--key-file", "{tmp}/masked.txt"),
        ("--mapping", "{tmp}/my.map", "--passphrase-file", "{tmp}/masked.txt"),
        ("--known", "{tmp}/masked.txt"),
        ("--policy", "{tmp}/masked.toml", "-o", "{tmp}/masked.toml"),
    ],
)
def test_one_file_does_not_take_the_place_of_what_is_given(
    options: tuple[str, ...], ward: Path, tmp_path: Path
) -> None:
    """A key, a mapping, a passphrase, a table or a policy is neither input nor output."""
    (tmp_path / "masked.txt").write_text("record,name\nprecious,Ann Other\n")
    (tmp_path / "masked.toml").write_text('name = "mine"\n')
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = mask(
        *(ward / "note-0.txt", tmp_path / "masked.txt", "--overwrite"),
        *(each.format(tmp=tmp_path) for each in options),
    )
    assert done.returncode == 2
    assert "lies in the" in done.stderr
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_audit_of_an_output(ward: Path, tmp_path: Path) -> None:
    """The seal holds until a file is changed; a sample is drawn and says what it proves."""
    out = tmp_path / "masked"
    assert mask(ward, out, "--lang", "en").returncode == 0
    done = veil("audit", out, "--check")
    assert (done.returncode, "the seal holds: 4 file(s)" in done.stderr) == (0, True)
    done = veil("audit", out, "--sample", "2", "--seed", "5")
    assert done.returncode == 0
    assert done.stdout.count("\n== ") == 2
    assert done.stdout == veil("audit", out, "--sample", "2", "--seed", "5").stdout
    done = veil("audit", out, "--values")
    assert (done.returncode, done.stdout) == (0, "")
    assert " clinical values changed" in done.stderr
    page = tmp_path / "sample.html"
    done = veil("audit", out, "--sample", "-o", page)
    assert "at most 0.00% of all records are such" in done.stderr
    assert page.read_text("utf-8").count('<h2 class="record-title">') == 4
    (out / "note-0.txt").write_text("changed")
    done = veil("audit", out, "--check")
    assert (done.returncode, done.stderr) == (1, "veil: note-0.txt: was changed\n")


def test_a_table_that_knows_nobody_is_told(ward: Path, tmp_path: Path) -> None:
    """A warning says if no record has an id of the table of known patients."""
    table = tmp_path / "known.csv"
    table.write_text("record,name\nnobody,Ann Other\n")
    done = mask(ward, tmp_path / "masked", "--known", table, "--lang", "en")
    assert done.returncode == 0
    assert f"no record has an id of {table}" in done.stderr
    table.write_text("record,name\nnote-1,Ann Other\nnote-2,Bo Ek\nnote-7,No One\n8,No One\n")
    (ward / "rows.jsonl").write_text('{"id": "8", "text": "Vu par No.", "language": "fr"}\n')
    done = mask(ward, tmp_path / "again", "--known", table)
    assert done.returncode == 1  # of the record in French, which is one of the table's all the same
    assert "no record has an id" not in done.stderr
    assert f"1 id(s) of {table} belong to no record" in done.stderr


def test_bench_tells_what_masking_takes(tmp_path: Path) -> None:
    """The steps of masking are measured, each with its speed."""
    (tmp_path / "note.txt").write_text("Dr. Okafor saw Mr. Hale on 3/5/2019.", "utf-8")
    done = veil("bench", tmp_path, "--policy", "tag", "--lang", "en")
    assert done.returncode == 0
    assert "1 documents, 36 characters" in done.stdout
    assert "everything, with the second scan" in done.stdout
    assert "microseconds per span" in done.stdout


def test_bench_tells_how_robust_finding_is(tmp_path: Path) -> None:
    """The recall of direct identifiers is measured for each change of their characters."""
    note = "Patient: <PATIENT>Mary Hale</PATIENT>\nSeen by Dr. <DOCTOR>Okafor</DOCTOR>.\n"
    (tmp_path / "note.txt").write_text(note, "utf-8")
    done = veil("bench", "robustness", tmp_path, "--lang", "en")
    assert done.returncode == 0
    assert "1 documents, 2 direct identifiers" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["clean", "100.0"] in rows
    assert ["zero-width", "space", "100.0", "100.0"] in rows


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("robustness", "--policy", "tag"), "leave the option out"),
        (("robustness", "{folder}"), "no annotated direct identifiers"),
        (("{folder}", "--rules-only"), "needs --lang"),
        (("{folder}", "--compare", "presidio"), "needs --lang"),
        (("{folder}/none",), "no such file"),
        (("{folder}", "{folder}", "--policy", "tag"), "only one folder can be measured"),
    ],
)
def test_bench_refuses_what_it_cannot_measure(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    """What is missing or too much is an error that says so."""
    (tmp_path / "note.txt").write_text("Mr. Hale was seen.", "utf-8")
    done = veil("bench", *(option.format(folder=tmp_path) for option in options))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Hale" not in done.stderr


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    """Three notes introduce a doctor with her title, the fourth mentions her by the way."""
    folder = tmp_path / "staff"
    folder.mkdir()
    for number, verb in enumerate(("Seen", "Reviewed", "Discharged")):
        text = f"{verb} by Dr. Qvarnlund on 0{number + 1}/05/2019. Discussed with Dr. Qvarnlund.\n"
        (folder / f"note-{number}.txt").write_text(text)
    (folder / "note-3.txt").write_text(
        "the wound is clean, dressing changed twice, qvarnlund happy with the leg, no fever\n"
    )
    return folder


def test_names_that_recur(staff: Path, tmp_path: Path) -> None:
    """With --two-pass the bare name is masked and listed; neither output nor report contain it."""
    assert mask(staff, tmp_path / "one").returncode == 0
    assert "qvarnlund" in (tmp_path / "one" / "note-3.txt").read_text()
    result = mask(staff, tmp_path / "two", "--two-pass")
    assert result.returncode == 0, result.stderr
    written = [file.read_text() for file in (tmp_path / "two").iterdir()]
    assert all("qvarnlund" not in text.lower() for text in written)
    report = json.loads((tmp_path / "two" / "veil-report.json").read_text())
    assert [span["file"] for span in report["memory"]["spans"]] == ["note-3.txt"]


def test_names_that_recur_are_detected(staff: Path, tmp_path: Path) -> None:
    """`veil detect --two-pass` finds the same, with the memory as source."""
    out = tmp_path / "found.jsonl"
    assert veil("detect", staff, "-o", out, "--two-pass", "--workers", 2).returncode == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [span["source"] for span in records[3]["spans"]] == ["memory"]
    refused = veil("detect", staff, "-o", out, "--two-pass", "--model", "veil-en", "--overwrite")
    assert (refused.returncode, "--with-rules" in refused.stderr) == (2, True)
