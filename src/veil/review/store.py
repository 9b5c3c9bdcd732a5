"""The store of a review: one SQLite file of spans and decisions, without any text of a record.

Every decision is an event. Events are only appended, each with a hash of itself and of the event
before it, so that a later change shows. The state of a record is computed from its events. Each
event is on the disk before `decide` returns: a crash loses nothing that was answered.

In a review by one person or by a team that divides the records there is one state of each record.
In a double review every reviewer has a state of their own (a *lane*), and the final one follows
from what they agree on and from the choices where they differ.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.errors import InputError, VeilError
from veil.review.material import Mark, TextPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

SCHEMA_VERSION = 1
APPLICATION_ID = 0x5645494C  # "VEIL"
SHARED, FINAL = "", "="
"""The lane of a review by one reader, and of the choices in a double review."""

UNDECIDED, ACCEPTED, DELETED = "undecided", "accepted", "deleted"
ADDED, CHANGED = "added", "changed"
CHANGE, UNDO, REDO, DONE, REOPEN, CHOOSE = "change", "undo", "redo", "done", "reopen", "choose"

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE records (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, masked_digest TEXT,
    language TEXT, length INTEGER NOT NULL, learning INTEGER NOT NULL, missed INTEGER NOT NULL,
    sample INTEGER
) STRICT;
CREATE TABLE parts (
    record INTEGER NOT NULL REFERENCES records, document TEXT NOT NULL, digest TEXT NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL
) STRICT;
CREATE INDEX parts_of_record ON parts (record);
CREATE TABLE spans (
    record INTEGER NOT NULL REFERENCES records, id TEXT NOT NULL, start INTEGER NOT NULL,
    "end" INTEGER NOT NULL, label TEXT NOT NULL, score REAL, sources TEXT NOT NULL,
    disagreement INTEGER NOT NULL, masked_start INTEGER, masked_end INTEGER,
    PRIMARY KEY (record, id)
) STRICT;
CREATE TABLE reviewers (name TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT;
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, record INTEGER NOT NULL REFERENCES records,
    lane TEXT NOT NULL, reviewer TEXT NOT NULL, action TEXT NOT NULL, payload TEXT NOT NULL,
    "group" TEXT NOT NULL, tab TEXT, number INTEGER, time TEXT NOT NULL, digest TEXT NOT NULL,
    UNIQUE (tab, number)
) STRICT;
CREATE INDEX events_of_record ON events (record, lane, id);
CREATE TABLE statements (
    number INTEGER PRIMARY KEY, payload TEXT NOT NULL, digest TEXT NOT NULL
) STRICT;
"""
_COMPLETE = "complete"
_SPAN_COLUMNS = 'id, start, "end", label, score, sources, disagreement, masked_start, masked_end'


class DecisionError(VeilError):
    """A decision that is not possible, such as a span that overlaps another one."""


class StaleError(VeilError):
    """A decision about an outdated state, because another tab changed the record."""


@dataclass(frozen=True, slots=True)
class ReviewedSpan:
    """A span of a record after all decisions; `first` is the initial span, if there was one."""

    id: str
    start: int
    end: int
    label: str
    state: str
    first: Mark | None = None

    @property
    def is_active(self) -> bool:
        return self.state != DELETED

    @property
    def is_leak(self) -> bool:
        """Whether the span covers text that was not masked, in an audit."""
        if self.first is None:
            return True
        grew = self.start < self.first.start or self.first.end < self.end
        return self.state == CHANGED and grew

    def overlaps(self, start: int, end: int) -> bool:
        return self.start < end and start < self.end


class Change(NamedTuple):
    """A span after a decision; without a state it was removed."""

    id: str
    start: int
    end: int
    label: str
    state: str | None


class Event(NamedTuple):
    """A row of the events."""

    id: int
    record: int
    lane: str
    reviewer: str
    action: str
    payload: str
    group: str
    tab: str | None
    number: int | None
    time: str
    digest: str


@dataclass(frozen=True)
class State:
    """The state of a record in a lane: its spans in order, and the decisions to undo."""

    version: int
    done: bool
    spans: tuple[ReviewedSpan, ...]
    undoable: tuple[Event, ...] = ()
    redoable: tuple[Event, ...] = ()

    def span(self, name: str) -> ReviewedSpan:
        for span in self.spans:
            if span.id == name:
                return span
        raise DecisionError("there is no such span in this record")

    @property
    def active(self) -> tuple[ReviewedSpan, ...]:
        return tuple(span for span in self.spans if span.is_active)


def fold(marks: Sequence[Mark], events: Iterable[Event]) -> State:
    """Compute the state of a record from its initial spans and all its events."""
    applied: list[Event] = []
    undone: list[Event] = []
    version, done = 0, False
    for event in events:
        version += 1
        if event.action == CHANGE:
            applied.append(event)
            undone.clear()
        elif event.action == UNDO:
            undone.append(applied.pop())
        elif event.action == REDO:
            applied.append(undone.pop())
        elif event.action in (DONE, REOPEN):
            done = event.action == DONE
    spans = {
        mark.id: ReviewedSpan(mark.id, mark.start, mark.end, mark.label, UNDECIDED, mark)
        for mark in marks
    }
    firsts = {mark.id: mark for mark in marks}
    for event in applied:
        for change in map(Change._make, json.loads(event.payload)):
            if change.state is None:
                spans.pop(change.id, None)
            else:
                spans[change.id] = ReviewedSpan(
                    change.id,
                    change.start,
                    change.end,
                    change.label,
                    change.state,
                    firsts.get(change.id),
                )
    ordered = sorted(spans.values(), key=lambda span: (span.start, span.end, span.id))
    return State(version, done, tuple(ordered), tuple(applied), tuple(undone))


class RecordRow(NamedTuple):
    """A record in the store; `sample` is its place in the random order, from 0 on."""

    id: int
    name: str
    digest: str
    masked_digest: str | None
    language: str | None
    length: int
    learning: int
    missed: int
    sample: int | None


@dataclass(frozen=True, slots=True)
class Statement:
    """A signed statement; `digest` is the hash of its canonical JSON."""

    number: int
    payload: Mapping[str, Any]
    digest: str


def now() -> str:
    """The time in UTC to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def canonical(data: Any) -> str:
    """JSON that is always the same for the same data."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Store:
    """An open store; threads may share it, and several processes may have it open."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def create(cls, path: Path, meta: Mapping[str, Any]) -> Store:
        """Create a store that only its owner can read."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise InputError(
                f"{path}: exists already; open it, or choose another --store"
            ) from None
        except OSError as error:
            raise InputError(f"{path}: the store cannot be made: {error.strerror}") from None
        store = cls(path, _connect(path))
        with store._transaction() as cursor:
            for statement in _TABLES.split(";"):
                cursor.execute(statement)
            cursor.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            cursor.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            begun = {"id": secrets.token_hex(16), "salt": secrets.token_hex(32), "made": now()}
            begun["token"] = secrets.token_urlsafe(24)
            store._set(cursor, {**begun, **meta})
        return store

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open a store; another file or version is an error."""
        if not path.is_file():
            raise InputError(f"{path}: no such review store")
        try:
            connection = _connect(path)
            (kind,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error:
            raise InputError(f"{path}: is not a review store, or damaged") from None
        if kind != APPLICATION_ID:
            connection.close()
            raise InputError(f"{path}: is not a review store")
        if version != SCHEMA_VERSION:
            connection.close()
            raise InputError(
                f"{path}: a store of version {version}; this Veil reads version {SCHEMA_VERSION}"
            )
        return cls(path, connection)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Cursor]:
        """A transaction that locks out other writers and is on the disk at the end."""
        with self._lock:
            cursor = self._connection.cursor()
            try:
                cursor.execute("BEGIN IMMEDIATE")
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    cursor.execute("ROLLBACK")
                raise
            finally:
                cursor.close()

    def _all(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    @staticmethod
    def _set(cursor: sqlite3.Cursor, meta: Mapping[str, Any]) -> None:
        cursor.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            [(key, canonical(value)) for key, value in meta.items()],
        )

    @property
    def meta(self) -> dict[str, Any]:
        """The data about the review as a whole."""
        return {key: json.loads(value) for key, value in self._all("SELECT key, value FROM meta")}

    @property
    def salt(self) -> bytes:
        return bytes.fromhex(self.meta["salt"])

    @property
    def is_complete(self) -> bool:
        """Whether all records were written; false if the first start was interrupted."""
        return bool(self.meta.get(_COMPLETE))

    def fill(
        self,
        records: Iterable[tuple[RecordRow, Sequence[tuple[TextPart, str]], Sequence[Mark]]],
        meta: Mapping[str, Any],
    ) -> None:
        """Write the records of the review with their initial spans, all or none."""
        with self._transaction() as cursor:
            for row, parts, marks in records:
                cursor.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
                cursor.executemany(
                    "INSERT INTO parts VALUES (?, ?, ?, ?, ?)",
                    [(row.id, part.document, own, part.start, part.end) for part, own in parts],
                )
                cursor.executemany(
                    "INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [(row.id, *_mark_row(mark)) for mark in marks],
                )
            self._set(cursor, {**meta, _COMPLETE: True})

    def records(self) -> list[RecordRow]:
        rows = self._all(
            "SELECT id, name, digest, masked_digest, language, length, learning, missed, sample "
            "FROM records ORDER BY id"
        )
        return list(map(RecordRow._make, rows))

    def parts(self, record: int) -> list[tuple[TextPart, str]]:
        """The documents of a record, each with the digest of its text."""
        rows = self._all(
            'SELECT document, start, "end", digest FROM parts WHERE record = ? ORDER BY rowid',
            record,
        )
        return [(TextPart(*row[:3]), row[3]) for row in rows]

    def marks(self, record: int) -> list[Mark]:
        """The initial spans of a record."""
        rows = self._all(
            f"SELECT {_SPAN_COLUMNS} FROM spans WHERE record = ? ORDER BY start",  # noqa: S608
            record,
        )
        return [_mark(row) for row in rows]

    def all_marks(self) -> dict[int, list[Mark]]:
        """The initial spans of all records."""
        found: dict[int, list[Mark]] = {}
        rows = self._all(
            f"SELECT record, {_SPAN_COLUMNS} FROM spans ORDER BY record, start"  # noqa: S608
        )
        for record, *row in rows:
            found.setdefault(record, []).append(_mark(row))
        return found

    # Reviewers

    def register(self, name: str) -> None:
        """Add a reviewer, if the name is new."""
        with self._transaction() as cursor:
            cursor.execute("INSERT OR IGNORE INTO reviewers VALUES (?, ?)", (name, now()))

    def reviewers(self) -> list[str]:
        return [name for (name,) in self._all("SELECT name FROM reviewers ORDER BY since, name")]

    @property
    def is_double(self) -> bool:
        return bool(self.meta.get("double"))

    def lane(self, reviewer: str) -> str:
        """The lane in which a reviewer works."""
        return reviewer if self.is_double else SHARED

    # Events

    def events(self, record: int | None = None, lane: str | None = None) -> list[Event]:
        """The events of a record in a lane, or all of them, in order."""
        columns = 'id, record, lane, reviewer, action, payload, "group", tab, number, time, digest'
        query = f"SELECT {columns} FROM events"  # noqa: S608 - names of columns
        if record is None:
            rows = self._all(f"{query} ORDER BY id")
        else:
            rows = self._all(
                f"{query} WHERE record = ? AND lane = ? ORDER BY id", record, lane or SHARED
            )
        return list(map(Event._make, rows))

    def versions(self, lane: str) -> dict[int, int]:
        """The number of events of each record that has any."""
        rows = self._all("SELECT record, count(*) FROM events WHERE lane = ? GROUP BY record", lane)
        return dict(rows)

    def state(self, record: int, lane: str) -> State:
        return fold(self.marks(record), self.events(record, lane))

    def is_repeated(self, tab: str, number: int) -> bool:
        """Whether a decision was saved already, because the response to it was lost."""
        return bool(self._all("SELECT 1 FROM events WHERE tab = ? AND number = ?", tab, number))

    def decide(
        self,
        record: int,
        reviewer: str,
        action: str,
        changes: Mapping[int, Sequence[Change]] | None = None,
        *,
        version: int | None = None,
        tab: str | None = None,
        number: int | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Save a decision; it is on the disk when this returns.

        `changes` are the changes of each affected record, including this one. `version` is that of
        the state which the reviewer saw; if it is outdated, a `StaleError` is raised and nothing is
        saved. A decision whose `tab` and `number` were saved already changes nothing.
        """
        lane = FINAL if action == CHOOSE else self.lane(reviewer)
        with self._transaction() as cursor:
            if tab is not None and self.is_repeated(tab, number or 0):
                return
            state = self.state(record, lane)
            if version is not None and version != state.version:
                raise StaleError("the record was changed in the meantime")
            group = secrets.token_hex(8)
            rows: list[tuple[int, str, str]] = []
            if action == CHANGE:
                for other, those in (changes or {}).items():
                    _check_changes(state if other == record else self.state(other, lane), those)
                    rows.append((other, canonical(list(those)), group))
            elif action in (UNDO, REDO):
                stack = state.undoable if action == UNDO else state.redoable
                if not stack:
                    raise DecisionError(f"there is nothing to {action}")
                group = stack[-1].group
                rows.append((record, "null", group))
                rows += [
                    (other, "null", group)
                    for other in self._of_group(group)
                    if other != record and self._is_next(other, lane, group, action)
                ]
            else:
                rows.append((record, canonical(data), group))
            for index, (other, payload, own) in enumerate(
                sorted(rows, key=lambda row: row[0] != record)
            ):
                self._append(
                    cursor,
                    (other, lane, reviewer, action, payload, own),
                    (tab, number) if index == 0 and tab is not None else (None, None),
                )

    def _of_group(self, group: str) -> list[int]:
        rows = self._all('SELECT DISTINCT record FROM events WHERE "group" = ?', group)
        return [record for (record,) in rows]

    def _is_next(self, record: int, lane: str, group: str, action: str) -> bool:
        """Whether a decision for several records can be undone or redone in this record."""
        state = self.state(record, lane)
        stack = state.undoable if action == UNDO else state.redoable
        return bool(stack) and stack[-1].group == group

    @staticmethod
    def _append(
        cursor: sqlite3.Cursor,
        values: tuple[int, str, str, str, str, str],
        request: tuple[str | None, int | None],
    ) -> None:
        last = cursor.execute("SELECT digest FROM events ORDER BY id DESC LIMIT 1").fetchone()
        time = now()
        digest = _chained(last[0] if last else "", [*values, *request, time])
        cursor.execute(
            'INSERT INTO events (record, lane, reviewer, action, payload, "group", tab, number, '
            "time, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, *request, time, digest),
        )

    def head(self) -> tuple[int, str]:
        """The number of events, and the digest of the last one, which depends on all of them."""
        rows = self._all(
            "SELECT (SELECT count(*) FROM events), digest FROM events ORDER BY id DESC LIMIT 1"
        )
        return (int(rows[0][0]), str(rows[0][1])) if rows else (0, "")

    def damaged_event(self) -> int | None:
        """The number of the first event that was changed after it was saved, if there is one."""
        before = ""
        for number, event in enumerate(self.events(), start=1):
            if event.digest != _chained(before, list(event[1:-1])):
                return number
            before = event.digest
        return None

    # Statements

    def add_statement(self, payload: Mapping[str, Any]) -> Statement:
        """Save a signed statement."""
        with self._transaction() as cursor:
            (count,) = cursor.execute("SELECT count(*) FROM statements").fetchone()
            made = Statement(count + 1, payload, sha256(canonical(payload)))
            cursor.execute(
                "INSERT INTO statements VALUES (?, ?, ?)",
                (made.number, canonical(payload), made.digest),
            )
        return made

    def statements(self) -> list[Statement]:
        rows = self._all("SELECT number, payload, digest FROM statements ORDER BY number")
        return [Statement(number, json.loads(payload), digest) for number, payload, digest in rows]


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    # A commit returns when the data is on the disk, not before.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _chained(before: str, values: Sequence[Any]) -> str:
    return sha256(canonical([before, *values]))


def _mark_row(mark: Mark) -> tuple[Any, ...]:
    return (
        mark.id,
        mark.start,
        mark.end,
        mark.label,
        mark.score,
        json.dumps(mark.sources),
        int(mark.disagreement),
        mark.masked_start,
        mark.masked_end,
    )


def _mark(row: Sequence[Any]) -> Mark:
    name, start, end, label, score, sources, disagreement, masked_start, masked_end = row
    return Mark(
        name,
        start,
        end,
        label,
        score,
        tuple(json.loads(sources)),
        bool(disagreement),
        masked_start,
        masked_end,
    )


def _check_changes(state: State, changes: Sequence[Change]) -> None:
    """Raise an error for changes after which two spans would overlap."""
    changed = {change.id for change in changes}
    active = [(span.start, span.end) for span in state.active if span.id not in changed]
    for change in changes:
        if change.state in (None, DELETED):
            continue
        if not 0 <= change.start < change.end:
            raise DecisionError("a span must contain at least one character")
        if any(start < change.end and change.start < end for start, end in active):
            raise DecisionError("this overlaps another span; change or delete that one first")
        active.append((change.start, change.end))


def settled(span: ReviewedSpan, start: int, end: int, label: str) -> Change:
    """A span after it was accepted or changed: changed if it differs from the initial span."""
    first = span.first
    if first is None:
        return Change(span.id, start, end, label, ADDED)
    is_same = (start, end, label) == (first.start, first.end, first.label)
    return Change(span.id, start, end, label, ACCEPTED if is_same else CHANGED)


def removed(span: ReviewedSpan) -> Change:
    """A span after it was deleted; an added span is removed."""
    state = DELETED if span.first else None
    return Change(span.id, span.start, span.end, span.label, state)


def new_id(state: State, taken: Iterable[str] = ()) -> str:
    """An id for an added span that was never used in this record, even in undone decisions."""
    used = {span.id for span in state.spans} | set(taken)
    for event in (*state.undoable, *state.redoable):
        used |= {change[0] for change in json.loads(event.payload)}
    number = 1
    while f"a{number}" in used:
        number += 1
    return f"a{number}"
