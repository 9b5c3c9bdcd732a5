"""The store: every decision counts, none is lost, and the state follows from the events."""

from __future__ import annotations

import itertools
import os
import random
import sqlite3
import stat
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil.core.document import Document
from veil.core.errors import InputError
from veil.masking.corrections import digest
from veil.review.material import Mark, ReviewText
from veil.review.project import Project
from veil.review.source import ReviewSource
from veil.review.store import DecisionError, RecordRow, StaleError, Store, fold

TEXTS = (
    "Anna och Bo Ek. Anna ringer Bo Ek i Lund.",
    "Anna är i Lund, 山田 är i Kyoto 😀 och Anna ler.",
)
MARKS = (
    (
        Mark("s1", 0, 4, "NAME", 0.9),
        Mark("s2", 9, 11, "NAME", 0.6),
        Mark("s3", 16, 20, "NAME", 0.5),
    ),
    (Mark("s1", 0, 4, "NAME", 0.8), Mark("s2", 16, 18, "NAME", 0.7)),
)
LABELS = ("NAME", "PATIENT", "CITY")


def make_project(folder: Path, *, double: bool = False) -> Project:
    """A review of two short texts, without detectors."""
    meta: dict[str, Any] = {
        "mode": "audit",
        "title": "test",
        "double": double,
        "path": ["masked", "masked"],
        "originals": [["notes", "notes"]],
        "reading": {},
    }
    store = Store.create(folder / "store.sqlite", meta)
    texts = [
        ReviewText.of(f"r{n}", [Document(f"r{n}", text)], [text]) for n, text in enumerate(TEXTS)
    ]
    rows = []
    for number, (text, marks) in enumerate(zip(texts, MARKS, strict=True)):
        own = digest(store.salt, text.original)
        row = RecordRow(number, text.name, own, own, "sv", len(text.original), number, 0, number)
        rows.append((row, [(text.parts[0], own)], marks))
    sample = {"population": 2, "sample_size": 2, "chosen": None, "scheme": "veil", "seal": "s"}
    store.fill(rows, {**sample, "run": None})
    store.register("anna")
    store.register("bo")
    return Project(store, texts, ReviewSource(folder / "masked", (folder / "notes",)))


@dataclass
class Tab:
    """A tab of the page: it remembers the version that it has seen, and numbers what it sends."""

    name: str
    reviewer: str = "anna"
    seen: dict[int, int] = field(default_factory=dict)
    number: int = 0

    def send(self, project: Project, record: int, **request: Any) -> dict[str, Any]:
        self.number += 1
        body = {"tab": self.name, "number": self.number, "version": self.seen.get(record, 0)}
        found = project.decide(record, self.reviewer, {**body, **request})
        self.seen[record] = found["version"]
        return found

    def load(self, project: Project, record: int) -> dict[str, Any]:
        found = project.record(record, self.reviewer)
        self.seen[record] = found["version"]
        return found


def shown(project: Project, record: int, reviewer: str = "anna") -> list[tuple[Any, ...]]:
    """What a reader sees of the spans."""
    spans = project.record(record, reviewer)["spans"]
    return [(s["id"], s["start"], s["end"], s["label"], s["state"]) for s in spans]


def random_action(chance: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """Any action, possible or not."""
    length = len(record["original"])
    start = chance.randrange(length)
    extent = {"start": start, "end": min(length, start + chance.randint(1, 6))}
    name = chance.choice([span["id"] for span in record["spans"]] or ["s1"])
    label = chance.choice(LABELS)
    scope = chance.choice([{}, {}, {"everywhere": True}, {"all_records": True}])
    return chance.choice(
        [
            {"action": "accept", "span": name, **scope},
            {"action": "delete", "span": name, **scope},
            {"action": "relabel", "span": name, "label": label, **scope},
            {"action": "resize", "span": name, **extent, **scope},
            {"action": "add", "label": label, **extent, **scope},
            {"action": "undo"},
            {"action": "undo"},
            {"action": "redo"},
            {"action": "done"},
            {"action": "reopen"},
        ]
    )


def check(project: Project) -> None:
    """What is always true: spans do not overlap, and the file says the same as the program."""
    for record, text in enumerate(TEXTS):
        spans = [each for each in shown(project, record) if each[4] != "deleted"]
        assert all(a[2] <= b[1] for a, b in itertools.pairwise(spans))
        assert all(0 <= start < end <= len(text) for _, start, end, *_ in spans)
    with closing(Store.open(project.store.path)) as again:
        for record in range(len(TEXTS)):
            assert again.state(record, "") == project.store.state(record, "")


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_random_actions_in_two_tabs(seed: int) -> None:
    """Whatever two tabs do: stale decisions change nothing, repeated ones count once, and undoing
    everything leads back to the start."""
    chance = random.Random(seed)  # noqa: S311
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(Path(folder))
        with closing(project.store):
            tabs = [Tab("one"), Tab("two")]
            for _ in range(12):
                tab, record = chance.choice(tabs), chance.randrange(2)
                if chance.random() < 0.7:
                    tab.load(project, record)
                before = [shown(project, each) for each in range(2)]
                current = project.record(record, "anna")
                is_stale = tab.seen.get(record, 0) != current["version"]
                action = random_action(chance, current)
                try:
                    tab.send(project, record, **action)
                    assert not is_stale
                except StaleError:
                    assert is_stale
                    assert [shown(project, each) for each in range(2)] == before
                except DecisionError:
                    assert [shown(project, each) for each in range(2)] == before
                else:
                    count = project.store.head()
                    body = {"tab": tab.name, "number": tab.number, "version": 0, **action}
                    project.decide(record, "anna", body)  # the answer was lost: it is sent again
                    assert project.store.head() == count
                    check(project)
            states = [project.store.state(each, "") for each in range(2)]
            spans = [shown(project, each) for each in range(2)]
            for record, marks in enumerate(MARKS):
                _undo_all(project, record)
                assert shown(project, record) == [
                    (mark.id, mark.start, mark.end, mark.label, "undecided") for mark in marks
                ]
            if not any(state.redoable for state in states):
                for record, state in enumerate(states):
                    _redo(project, record, len(state.undoable))
                assert [shown(project, each) for each in range(2)] == spans
            assert project.store.damaged_event() is None


def _undo_all(project: Project, record: int) -> None:
    tab = Tab(f"undo{record}")
    while tab.load(project, record)["can_undo"]:
        tab.send(project, record, action="undo")


def _redo(project: Project, record: int, count: int) -> None:
    """Do again so much that as many decisions count as before."""
    tab = Tab(f"redo{record}")
    while len(project.store.state(record, "").undoable) < count:
        tab.load(project, record)
        tab.send(project, record, action="redo")


@pytest.fixture
def project(tmp_path: Path) -> Any:
    made = make_project(tmp_path)
    with closing(made.store):
        yield made


def test_equal_mentions(project: Project) -> None:
    """A decision for all equal mentions is about those of this record, or of all records."""
    tab = Tab("one")
    tab.send(project, 0, action="delete", span="s1", everywhere=True)
    assert [each[4] for each in shown(project, 0)] == ["deleted", "undecided", "deleted"]
    assert [each[4] for each in shown(project, 1)] == ["undecided", "undecided"]
    tab.send(project, 0, action="add", start=36, end=40, label="CITY", all_records=True)
    assert ("a1", 10, 14, "CITY", "added") in shown(project, 1)
    assert project.record(1, "anna")["version"] == 1


def test_all_others_of_an_added_span(project: Project) -> None:
    """The equal mentions of a span that was added before are added, and undone together."""
    tab = Tab("one")
    tab.send(project, 0, action="add", start=36, end=40, label="CITY")
    found = tab.send(project, 0, action="add", start=36, end=40, label="CITY", all_records=True)
    assert [span["id"] for span in found["spans"]].count("a1") == 1
    assert ("a1", 10, 14, "CITY", "added") in shown(project, 1)
    with pytest.raises(DecisionError, match="no other mention"):
        tab.send(project, 0, action="add", start=36, end=40, label="CITY", all_records=True)
    tab.send(project, 0, action="undo")
    assert len(shown(project, 1)) == 2
    assert ("a1", 36, 40, "CITY", "added") in shown(project, 0)


def test_undo_of_all_records(project: Project) -> None:
    """Undoing a decision for all records undoes it in all of them, unless one went on."""
    tab = Tab("one")
    before = [shown(project, each) for each in range(2)]
    tab.send(project, 0, action="relabel", span="s1", label="PATIENT", all_records=True)
    assert shown(project, 1)[0][3:] == ("PATIENT", "changed")
    tab.send(project, 0, action="undo")
    assert [shown(project, each) for each in range(2)] == before
    tab.send(project, 0, action="redo")
    assert shown(project, 1)[0][3:] == ("PATIENT", "changed")
    tab.load(project, 1)
    tab.send(project, 1, action="accept", span="s2")
    tab.send(project, 0, action="undo")
    assert shown(project, 1)[0][3:] == ("PATIENT", "changed")


def test_resize_of_equal_mentions(project: Project) -> None:
    """Equal mentions grow by the same words, where these words follow."""
    Tab("one").send(project, 0, action="delete", span="s3")
    tab = Tab("two")
    tab.load(project, 0)
    found = tab.send(project, 0, action="resize", span="s2", start=9, end=14, everywhere=True)
    assert {s["id"]: (s["start"], s["end"], s["state"]) for s in found["spans"]}["s2"] == (
        9,
        14,
        "changed",
    )


def test_states(project: Project) -> None:
    """A span that is as it was at first is accepted, any other is changed; an added one can go."""
    tab = Tab("one")
    tab.send(project, 0, action="relabel", span="s1", label="PATIENT")
    assert shown(project, 0)[0] == ("s1", 0, 4, "PATIENT", "changed")
    tab.send(project, 0, action="relabel", span="s1", label="NAME")
    assert shown(project, 0)[0][4] == "accepted"
    tab.send(project, 0, action="add", start=12, end=14, label="NAME")
    assert ("a1", 12, 14, "NAME", "added") in shown(project, 0)
    tab.send(project, 0, action="delete", span="a1")
    assert all(each[0] != "a1" for each in shown(project, 0))
    tab.send(project, 0, action="add", start=12, end=14, label="CITY")
    assert ("a2", 12, 14, "CITY", "added") in shown(project, 0)  # ids are never used again


@pytest.mark.parametrize(
    "request_",
    [
        {"action": "add", "start": 2, "end": 6, "label": "NAME"},
        {"action": "resize", "span": "s2", "start": 9, "end": 18},
        {"action": "add", "start": 12, "end": 99, "label": "NAME"},
        {"action": "add", "start": 14, "end": 14, "label": "NAME"},
        {"action": "relabel", "span": "s1", "label": "Anna Ek"},
        {"action": "accept", "span": "s9"},
        {"action": "undo"},
        {"action": "redo"},
    ],
)
def test_impossible_decisions(project: Project, request_: dict[str, Any]) -> None:
    """An impossible decision changes nothing, and its message quotes no text."""
    before = shown(project, 0), project.store.head()
    with pytest.raises(DecisionError) as error:
        Tab("one").send(project, 0, **request_)
    assert (shown(project, 0), project.store.head()) == before
    assert "Anna" not in str(error.value)


def test_add_over_deleted(project: Project) -> None:
    """A deleted span makes room; it cannot come back while another lies there."""
    tab = Tab("one")
    tab.send(project, 0, action="delete", span="s2")
    tab.send(project, 0, action="add", start=9, end=14, label="NAME")
    with pytest.raises(DecisionError):
        tab.send(project, 0, action="accept", span="s2")


def test_reviewers_apart(tmp_path: Path) -> None:
    """In a double review each reviewer has a state of their own."""
    project = make_project(tmp_path, double=True)
    with closing(project.store):
        Tab("one", "anna").send(project, 0, action="delete", span="s1")
        Tab("two", "bo").send(project, 0, action="relabel", span="s1", label="PATIENT")
        assert shown(project, 0, "anna")[0][4] == "deleted"
        assert shown(project, 0, "bo")[0][3:] == ("PATIENT", "changed")


def test_file_is_private_and_without_text(project: Project) -> None:
    """Only the owner can read the store, and it holds no text of a record."""
    Tab("one").send(project, 0, action="add", start=12, end=14, label="NAME")
    project.store.close()
    path = project.store.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    data = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert not any(word.encode() in data for word in ("Anna", "Bo Ek", "山田", "Kyoto"))
    assert os.listdir(path.parent)  # noqa: PTH208


def test_saved_for_good() -> None:
    """A commit is on the disk before it is answered: WAL with full synchronisation."""
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(Path(folder))
        with closing(project.store):
            connection = project.store._connection
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_changed_decision_shows(project: Project) -> None:
    """A decision that somebody changed in the file is found by its number."""
    tab = Tab("one")
    for name in ("s1", "s2", "s3"):
        tab.send(project, 0, action="accept", span=name)
    assert project.store.damaged_event() is None
    with closing(sqlite3.connect(project.store.path)) as connection, connection:
        connection.execute("UPDATE events SET reviewer = 'bo' WHERE id = 2")
    assert project.store.damaged_event() == 2


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A file that is no store, or one of another version, is refused by its name."""
    text = tmp_path / "note.txt"
    text.write_text("Anna Ek, with some more words to fill the page of a database")
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
    for file in (text, other, tmp_path / "absent"):
        with pytest.raises(InputError, match=file.name):
            Store.open(file)
    made = make_project(tmp_path)
    made.store.close()
    with closing(sqlite3.connect(made.store.path)) as connection, connection:
        connection.execute("PRAGMA user_version = 9")
    with pytest.raises(InputError, match="version 9"):
        Store.open(made.store.path)


def test_fold_of_nothing() -> None:
    """Without events a record is as it was at the beginning."""
    state = fold(MARKS[0], [])
    assert (state.version, state.done, len(state.spans)) == (0, False, 3)
