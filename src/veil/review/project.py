"""An open review: the store, the texts, and the data of the page.

Texts are always read from the records themselves; a record whose text has changed since the review
began is an error.
"""

from __future__ import annotations

import io as bytes_io
import re
import tempfile
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import veil
from veil import io
from veil.core.document import Document, Record, Span, Spans
from veil.core.errors import InputError
from veil.core.labels import VEIL, Converter, family_in, scheme
from veil.detect.why import explain_missed
from veil.languages import known_language, language
from veil.masking.corrections import Correction, Corrections
from veil.masking.report import CONFIDENCE
from veil.review import store as stored
from veil.review.material import (
    Detectors,
    ReviewText,
)
from veil.review.outcome import Agreement, Final, finite_bound, joined, process_bound
from veil.review.source import AUDIT
from veil.review.store import (
    ADDED,
    CHANGE,
    CHOOSE,
    DONE,
    FINAL,
    REDO,
    REOPEN,
    SHARED,
    UNDECIDED,
    UNDO,
    Change,
    DecisionError,
    RecordRow,
    Store,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from veil.core.labels import Scheme
    from veil.review.source import ReviewSource
    from veil.review.store import ReviewedSpan, State, Statement

ORDERS = {
    "sample": "Random sample",
    "uncertain": "Least certain first",
    "disagreement": "Detectors disagree",
    "learning": "Most useful for training",
    "file": "As in the files",
}
_LONGEST_NAME = 100
_KEYS = "abcdefghijklmnopqrstuvwxyz0123456789"
_CHOOSE_FIRST = (
    *("DATE", "NAME", "PATIENT", "HOSPITAL", "CITY", "AGE", "LOCATION", "ID", "STREET", "DOCTOR"),
    *("PHONE", "ORGANIZATION", "ZIP", "COUNTRY", "EMAIL", "MEDICALRECORD", "DEPARTMENT", "URL"),
    *("FAX", "TIME", "RELATIVE", "SEX", "PROFESSION", "ROOM", "USERNAME", "SSN", "STATE"),
    *("IDNUM", "OTHER", "CONTACT"),
)
"""Labels of Veil that are common in notes, with their own letter where possible."""


def label_keys(labels: Scheme, names: Iterable[str]) -> dict[str, str]:
    """The keys of labels; a label of the scheme has the same key in every project.

    A label gets the first of its letters that is free. Common labels come first, and labels that
    are not in the scheme last. Labels beyond 36 get no key.
    """
    ranks = {name: rank for rank, name in enumerate(_CHOOSE_FIRST)}
    in_scheme = sorted(
        labels.labels, key=lambda name: ranks.get(labels.veil_labels[name][0], len(ranks))
    )
    keys: dict[str, str] = {}
    free = list(_KEYS)
    for name in dict.fromkeys([*in_scheme, *names]):
        if free:
            keys[name] = next((each for each in name.lower() if each in free), free[0])
            free.remove(keys[name])
    return keys


@dataclass
class Counted:
    """A summary of a record in a lane, and its version."""

    version: int
    data: dict[str, Any]


class Project:
    """An open review. Its functions may be called from several threads."""

    def __init__(
        self,
        store: Store,
        texts: Sequence[ReviewText],
        source: ReviewSource,
        detectors: Detectors | None = None,
    ) -> None:
        self.store = store
        self.texts = texts
        self.source = source
        self.rows = store.records()
        self.meta = store.meta
        self._marks = store.all_marks()
        self._counted: dict[tuple[str, int], Counted] = {}
        self._detectors = detectors
        self._lock = Lock()

    @property
    def mode(self) -> str:
        return str(self.meta["mode"])

    @property
    def labels(self) -> Scheme:
        return scheme(self.meta["scheme"])

    @property
    def sample_size(self) -> int:
        return min(int(self.meta["sample_size"]), len(self.rows))

    # What the page shows

    def describe(self) -> dict[str, Any]:
        """The data that the page needs at its start."""
        population = self.meta["population"]
        titles = dict(ORDERS)
        titles["sample"] += f" ({self.sample_size:,} of {population:,})"
        return {
            "id": self.meta["id"],
            "title": self.meta["title"],
            "mode": self.mode,
            "reviewers": self.store.reviewers(),
            "orders": [{"name": name, "title": title} for name, title in titles.items()],
            "labels": self._label_list(),
            "records": len(self.rows),
            "population": population,
            "double_review": self.store.is_double,
            "formats": io.writable_names(),
            "version": veil.__version__,
        }

    def _label_list(self) -> list[dict[str, Any]]:
        own = {mark.label for marks in self._marks.values() for mark in marks}
        names = list(dict.fromkeys([*self.labels.labels, *sorted(own)]))
        keys = label_keys(self.labels, names)
        families = sorted({self._family(name) for name in names})
        return [
            {
                "name": name,
                "key": keys.get(name),
                "colour": families.index(self._family(name)) % 8,
                "title": name.replace("_", " ").replace("-", " ").capitalize(),
                "family": self._family(name),
            }
            for name in names
        ]

    def _family(self, label: str) -> str:
        return family_in(label, self.labels) or "OTHER"

    def record_list(self, order: str, reviewer: str) -> list[dict[str, Any]]:
        """The records in an order, with the progress of each."""
        lane = self.store.lane(reviewer)
        versions = self.store.versions(lane)
        return [
            self._summary(record, lane, versions.get(record, 0)) for record in self.order(order)
        ]

    def order(self, name: str) -> list[int]:
        """The ids of records in an order."""
        rows = self.rows
        if name == "file":
            return [row.id for row in rows]
        if name == "sample":
            ranked = sorted((row.sample or 0, row.id) for row in rows)
            return [record for _, record in ranked[: self.sample_size]]
        if name == "uncertain":
            return [row.id for row in sorted(rows, key=lambda row: (self._lowest(row.id), row.id))]
        if name == "learning":
            return [row.id for row in sorted(rows, key=lambda row: row.learning)]
        if name == "disagreement":
            return [row.id for row in sorted(rows, key=lambda row: (-self._disputes(row), row.id))]
        raise InputError(f"unknown order '{name}'; known: {', '.join(ORDERS)}")

    def _lowest(self, record: int) -> float:
        scores = [mark.score for mark in self._marks.get(record, ()) if mark.score is not None]
        return min(scores, default=1.0)

    def _disputes(self, row: RecordRow) -> int:
        return row.missed + sum(mark.disagreement for mark in self._marks.get(row.id, ()))

    def _summary(self, record: int, lane: str, version: int) -> dict[str, Any]:
        known = self._counted.get((lane, record))
        if known and known.version == version:
            return known.data
        state = self._state(record, lane)
        row = self.rows[record]
        data = {
            "id": record,
            "name": row.name,
            "language": row.language,
            "done": state.done,
            "spans": len(state.active),
            "undecided": sum(span.state == UNDECIDED for span in state.spans),
            "leaks": Final(state.spans, state.done).leaks if self.mode == AUDIT else 0,
            "lowest": self._lowest(record),
        }
        self._counted[lane, record] = Counted(state.version, data)
        return data

    def _state(self, record: int, lane: str) -> State:
        return stored.fold(self._marks.get(record, ()), self.store.events(record, lane))

    def row(self, record: int) -> RecordRow:
        if 0 <= record < len(self.rows):
            return self.rows[record]
        raise LookupError(record)

    def record(self, record: int, reviewer: str) -> dict[str, Any]:
        """A record for the page."""
        row, text = self.row(record), self.texts[record]
        state = self._state(record, self.store.lane(reviewer))
        data = {
            "id": record,
            "name": row.name,
            "language": row.language,
            "version": state.version,
            "done": state.done,
            "original": text.original,
            "masked": text.masked,
            "spans": [_span_data(span) for span in state.spans],
            "can_undo": bool(state.undoable),
            "can_redo": bool(state.redoable),
        }
        if self.mode == AUDIT:
            data["changes"] = [
                [mark.start, mark.end, mark.masked_start, mark.masked_end]
                for mark in self._marks.get(record, ())
            ]
        return data

    # Decisions

    def decide(self, record: int, reviewer: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Save a decision and return the updated record."""
        self.row(record)
        tab, number = request.get("tab"), request.get("number")
        if not (tab is not None and self.store.is_repeated(tab, number or 0)):
            action = request["action"]
            kind = action if action in (UNDO, REDO, DONE, REOPEN) else CHANGE
            lane = self.store.lane(reviewer)
            changes = None
            if kind == CHANGE:
                state = self._state(record, lane)
                if request["version"] != state.version:
                    raise stored.StaleError("the record was changed in the meantime")
                changes = self._changes(record, state, lane, request)
            self.store.decide(
                record,
                reviewer,
                kind,
                changes,
                version=request["version"],
                tab=tab,
                number=number,
            )
        return self.record(record, reviewer)

    def _changes(
        self, record: int, state: State, lane: str, request: Mapping[str, Any]
    ) -> dict[int, list[Change]]:
        text = self.texts[record].original
        action = request["action"]
        label = request.get("label")
        if label is not None and label not in self._known_labels():
            raise DecisionError("there is no such label in this review")
        if action == "add":
            start, end = request["start"], request["end"]
            self._check_extent(record, start, end)
            if label is None:
                raise DecisionError("a new span needs a label")
            change = Change(stored.new_id(state), start, end, label, ADDED)
            changes = {record: [change]}
            same = [each for each in state.active if each.overlaps(start, end)]
            if _is_wide(request) and [(each.start, each.end, each.label) for each in same] == [
                (start, end, label)
            ]:
                # The span exists already: the decision is about the other mentions.
                change, changes = change._replace(id=same[0].id), {record: []}
            wanted = text[start:end]
        else:
            span = state.span(request["span"])
            start, end = span.start, span.end
            if action == "resize":
                start, end = request["start"], request["end"]
                self._check_extent(record, start, end)
            change = _changed(action, span, start, end, label)
            changes = {record: [change]}
            wanted = text[span.start : span.end]
        if not _is_wide(request):
            return changes
        others = range(len(self.rows)) if request.get("all_records") else [record]
        for other in others:
            its = state if other == record else None
            more = self._equal(other, its, lane, record, state, request, wanted, change)
            if more:
                changes.setdefault(other, []).extend(more)
        if not any(changes.values()):
            raise DecisionError("no other mention has the same words")
        return changes

    def _known_labels(self) -> set[str]:
        own = {mark.label for marks in self._marks.values() for mark in marks}
        return {*self.labels.labels, *own}

    def _check_extent(self, record: int, start: int, end: int) -> None:
        if not 0 <= start < end or self.texts[record].part_of(start, end) is None:
            raise DecisionError("a span must lie inside one text of the record")

    def _equal(
        self,
        other: int,
        its: State | None,
        lane: str,
        record: int,
        state: State,
        request: Mapping[str, Any],
        wanted: str,
        made: Change,
    ) -> list[Change]:
        """The same decision for equal mentions in a record."""
        text = self.texts[other].original
        if wanted not in text:
            return []
        its = its or self._state(other, lane)
        action = request["action"]
        if action == "add":
            return self._added_again(other, its, text, wanted, made, own=other == record)
        found = []
        if action == "resize":
            first = state.span(request["span"])
            before, after = made.start - first.start, made.end - first.end
            whole = self.texts[record].original[made.start : made.end]
        for span in its.spans:
            is_it = other == record and span.id == made.id
            if is_it or text[span.start : span.end] != wanted:
                continue
            start, end = span.start, span.end
            if action == "resize":
                start, end = start + before, end + after
                is_same = span.is_active and text[max(0, start) : max(0, end)] == whole
                others = (each for each in its.active if each.id != span.id)
                if not is_same or any(each.overlaps(start, end) for each in others):
                    continue
            elif action == "relabel" and not span.is_active:
                continue
            elif action == "accept" and not span.is_active:
                continue  # a decision that a reviewer took back is not repeated
            found.append(_changed(action, span, start, end, request.get("label")))
        return found

    def _added_again(
        self, other: int, its: State, text: str, wanted: str, made: Change, *, own: bool
    ) -> list[Change]:
        taken = [made.id] if own else []
        found: list[Change] = []
        for start, end in _mentions(text, wanted):
            is_it = own and start < made.end and made.start < end
            if is_it or any(span.overlaps(start, end) for span in its.active):
                continue
            if self.texts[other].part_of(start, end) is None:
                continue
            name = stored.new_id(its, taken)
            taken.append(name)
            found.append(Change(name, start, end, made.label, ADDED))
        return found

    # Why

    def why(self, record: int, start: int, end: int, reviewer: str) -> dict[str, Any]:
        """The reasons why a place was or was not marked."""
        row, text = self.row(record), self.texts[record]
        part = text.part_of(start, end)
        if part is None or not start < end:
            raise DecisionError("select words inside one text of the record")
        state = self._state(record, self.store.lane(reviewer))
        span = next((each for each in state.spans if each.overlaps(start, end)), None)
        doc = Document(part.document, text.original[part.start : part.end], row.language)
        with self._lock:
            if self._detectors is None:
                self._detectors = Detectors(self.source.detection_options())
            detectors = self._detectors
        found = explain_missed(
            doc, start - part.start, end - part.start, pipeline=detectors.pipeline
        ).to_data()
        about = [] if span is None else [_how_it_came(span, is_audit=self.mode == AUDIT)]
        return {
            "kind": "span" if span else "text",
            "span": span.id if span else None,
            "label": span.label if span else None,
            "score": span.first.score if span and span.first else None,
            "sentences": [*about, *found["sentences"]],
            "features": found["features"],
        }

    # The outcome

    def final(self, record: int) -> Final:
        """The final state of a record."""
        if not self.store.is_double:
            state = self._state(record, SHARED)
            return Final(state.spans, state.done)
        return joined(self.lanes(record), self.store.events(record, FINAL))

    def lanes(self, record: int) -> dict[str, State]:
        """The states of a record for all reviewers who worked on it."""
        states = {name: self._state(record, name) for name in self.store.reviewers()}
        return {name: state for name, state in states.items() if state.version}

    def outcome(self) -> dict[str, Any]:
        """The outcome of the review so far."""
        finals = [self.final(row.id) for row in self.rows]
        done = [row.id for row in self.rows if finals[row.id].done]
        conflicts = sum(final.open_conflicts for final in finals)
        data: dict[str, Any] = {
            "read": len(done),
            "of": len(self.rows),
            "sample": "all",
            "leaking_records": 0,
            "leaks": 0,
            "wrongly_masked": 0,
            "added": sum(finals[record].leaks for record in done),
            "deleted": sum(finals[record].wrongly_masked for record in done),
            "bound": None,
            "process_bound": None,
            "confidence": CONFIDENCE,
            "population": self.meta["population"],
            "read_in_all": len(done),
            "agreement": self._agreement(),
            "conflicts": conflicts,
            "statements": [
                {"number": each.number, "name": each.payload["name"], "when": each.payload["when"]}
                for each in self.store.statements()
            ],
        }
        why_not = ""
        if self.mode == AUDIT:
            why_not = self._add_sample(data, finals)
        elif not done:
            why_not = "no record is marked as done"
        if conflicts and not why_not:
            why_not = f"reviewers disagree at {conflicts} place(s) without a choice"
        return {**data, "can_sign": not why_not, "why_not": why_not}

    def _add_sample(self, data: dict[str, Any], finals: Sequence[Final]) -> str:
        """Add the bound from the random sample; return the reason if it cannot be signed yet.

        The bound uses the records from the start of the random order up to the first unread one,
        so that the selection does not depend on their contents.
        """
        sample = self.order("sample")
        read = 0
        while read < len(sample) and finals[sample[read]].done:
            read += 1
        leaking = sum(bool(finals[record].leaks) for record in sample[:read])
        in_sample = [record for record in sample if finals[record].done]
        data |= {
            "sample": "random",
            "read": len(in_sample),
            "of": len(sample),
            "sample_size": len(sample),
            "read_of_sample": read,
            "leaks": data["added"],
            "wrongly_masked": data["deleted"],
            "leaking_records": sum(bool(finals[record].leaks) for record in in_sample),
        }
        if read:
            data["bound"] = finite_bound(self.meta["population"], read, leaking)
            data["process_bound"] = process_bound(read, leaking)
        missing = len(sample) - len(in_sample)
        if not sample:
            return "there are no records to read"
        return f"{missing} record(s) of the sample are not marked as done" if missing else ""

    def _agreement(self) -> dict[str, Any] | None:
        if not self.store.is_double:
            return None
        agreement = Agreement()
        for row in self.rows:
            agreement.add(self.lanes(row.id), lambda row=row: self._tokens(row))  # type: ignore[misc]
        return agreement.data()

    def _tokens(self, row: RecordRow) -> list[tuple[int, int]]:
        spoken = language(known_language(row.language))
        return [(token[0], token[1]) for token in spoken.tokens(self.texts[row.id].original)]

    def conflicts(self) -> list[dict[str, Any]]:
        """The places where reviewers disagree."""
        return [
            {
                "record": row.id,
                "name": row.name,
                "start": each.start,
                "end": each.end,
                "versions": {
                    name: [
                        {"start": span.start, "end": span.end, "label": span.label}
                        for span in spans
                    ]
                    for name, spans in each.versions.items()
                },
                "choice": each.choice,
            }
            for row in self.rows
            for each in self.final(row.id).conflicts
        ]

    def adjudicate(
        self, record: int, reviewer: str, start: int, end: int, choice: str
    ) -> dict[str, Any]:
        """Save a choice between the versions of a place."""
        self.row(record)
        place = next(
            (
                each
                for each in self.final(record).conflicts
                if (each.start, each.end) == (start, end)
            ),
            None,
        )
        if place is None or choice not in place.versions:
            raise DecisionError(
                "reviewers do not disagree at this place, or no reviewer made this choice"
            )
        data = {"start": start, "end": end, "choice": choice}
        self.store.decide(record, reviewer, CHOOSE, data=data)
        (entry,) = (
            each
            for each in self.conflicts()
            if (each["record"], each["start"], each["end"]) == (record, start, end)
        )
        return entry

    # Statements and results

    def sign(self, name: str, role: str, remark: str) -> Statement:
        """Save the outcome, signed with the name of the responsible person."""
        outcome = self.outcome()
        if not outcome["can_sign"]:
            raise DecisionError(f"nothing can be signed yet: {outcome['why_not']}")
        if self.mode == AUDIT and (problems := self.source.seal_problems(self.meta["seal"])):
            raise DecisionError(
                f"nothing can be signed: the output differs from its seal at {len(problems)} "
                "place(s); see `veil audit --check`"
            )
        count, head = self.store.head()
        keys = (
            *("read", "of", "sample", "leaking_records", "leaks", "wrongly_masked", "bound"),
            *("process_bound", "confidence", "population", "read_in_all", "agreement"),
            *("added", "deleted"),
        )
        sample = self.order("sample") if self.mode == AUDIT else []
        return self.store.add_statement(
            {
                "name": name,
                "role": role,
                "remark": remark,
                "when": stored.now(),
                "title": self.meta["title"],
                "mode": self.mode,
                "review": self.meta["id"],
                "veil": veil.__version__,
                "reviewers": self.store.reviewers(),
                "double_review": self.store.is_double,
                "seal": self.meta.get("seal"),
                "run": self.meta.get("run"),
                "sample_records": stored.sha256(stored.canonical(sample)),
                "records": stored.sha256(stored.canonical([row.digest for row in self.rows])),
                "decisions": count,
                "decisions_digest": head,
                "outcome": {key: outcome[key] for key in keys},
            }
        )

    def results(self, *, only_done: bool = False) -> Iterator[Record]:
        """Yield the documents of all records with their corrected spans."""
        names = Counter(part.document for text in self.texts for part in text.parts)
        for row in self.rows:
            final = self.final(row.id)
            if only_done and not final.done:
                continue
            text = self.texts[row.id]
            whole = text.original
            for part in text.parts:
                spans = [
                    Span(span.start - part.start, span.end - part.start, span.label)
                    for span in final.active
                    if part.start <= span.start and span.end <= part.end
                ]
                name = part.document
                if names[name] > 1:  # ids are unique within a file only
                    name = f"{row.id}/{name}"
                doc = Document(name, whole[part.start : part.end], row.language)
                yield Record(doc, Spans(doc, spans))

    def corrections(self) -> Corrections:
        """The corrections for masking the same documents again."""
        if self.labels.name != VEIL:
            raise InputError(
                f"{self.store.path}: its labels are those of the scheme {self.labels.name}; only a "
                "review with Veil's labels can be applied"
            )
        by_digest: dict[str, list[Correction]] = {}
        documents: dict[str, list[str]] = {}
        for row in self.rows:
            final = self.final(row.id)
            marks = self._marks.get(row.id, ())
            for part, own in self.store.parts(row.id):
                spans = [
                    (span.start - part.start, span.end - part.start, span.label)
                    for span in final.active
                    if part.start <= span.start and span.end <= part.end
                ]
                settled = [
                    (mark.start - part.start, mark.end - part.start)
                    for mark in marks
                    if part.start <= mark.start and mark.end <= part.end
                ]
                documents.setdefault(part.document, []).append(own)
                by_digest.setdefault(own, []).append(
                    Correction(part.document, tuple(sorted(spans)), tuple(settled))
                )
        count, head = self.store.head()
        name = f"{self.meta['id']}, {count} decisions, {head}"
        return Corrections(name, self.store.salt, by_digest, documents)

    def export(
        self, to: str, target: str | Path, *, only_done: bool = False, to_scheme: str | None = None
    ) -> int:
        """Write the corrected records to a file or folder; return their number."""
        records: Iterable[Record] = self.results(only_done=only_done)
        if to_scheme is not None:
            converter = Converter(self.labels, scheme(to_scheme))
            records = map(converter.convert_record, records)
        return io.write(records, target, format=to)

    def export_file(self, to: str) -> tuple[str, bytes]:
        """The corrected records as one file: its name and its bytes."""
        chosen = io.FORMATS.get(to)
        with tempfile.TemporaryDirectory(prefix="veil-review-") as folder:
            suffix = chosen.suffixes[0] if chosen.suffixes else ""
            target = (
                Path(folder, "records") if chosen.in_folder else Path(folder, f"records{suffix}")
            )
            self.export(to, target)
            if target.is_file():
                return f"review{suffix}", target.read_bytes()
            buffer = bytes_io.BytesIO()
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                for file in sorted(target.rglob("*")):
                    if file.is_file():
                        archive.write(file, file.relative_to(target).as_posix())
            return f"review-{to}.zip", buffer.getvalue()


def _span_data(span: ReviewedSpan) -> dict[str, Any]:
    first = span.first
    return {
        "id": span.id,
        "start": span.start,
        "end": span.end,
        "label": span.label,
        "score": first.score if first else None,
        "sources": list(first.sources) if first else [],
        "disagreement": first.disagreement if first else False,
        "state": span.state,
        "masked_start": first.masked_start if first else None,
        "masked_end": first.masked_end if first else None,
    }


def _is_wide(request: Mapping[str, Any]) -> bool:
    """Whether a decision applies to all equal mentions."""
    return bool(request.get("everywhere") or request.get("all_records"))


def _how_it_came(span: ReviewedSpan, *, is_audit: bool) -> str:
    if span.first is None:
        return "A reviewer marked this."
    return f"This was {'masked' if is_audit else 'marked at the start'} as {span.first.label}."


def _changed(action: str, span: ReviewedSpan, start: int, end: int, label: str | None) -> Change:
    if action == "delete":
        return stored.removed(span)
    if action == "accept":
        return stored.settled(span, span.start, span.end, span.label)
    if action == "relabel":
        if label is None:
            raise DecisionError("choose a label")
        return stored.settled(span, span.start, span.end, label)
    if action == "resize":
        return stored.settled(span, start, end, span.label)
    raise DecisionError("there is no such action")


def _mentions(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """The places of a mention that are not part of a longer word."""
    starts = r"(?<!\w)" if _is_latin(wanted[0]) else ""
    ends = r"(?!\w)" if _is_latin(wanted[-1]) else ""
    for match in re.finditer(f"{starts}{re.escape(wanted)}{ends}", text):
        yield match.span()


def _is_latin(letter: str) -> bool:
    """Whether words of such letters are separated by spaces."""
    return letter.isalnum() and ord(letter) < 0x2E80


def check_name(name: str) -> str:
    """The name of a reviewer without surrounding white space."""
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST_NAME or name == FINAL or not name.isprintable():
        raise DecisionError(f"a name has 1 to {_LONGEST_NAME} printable characters")
    return name
