"""Masking: spans are replaced, and the masked text is checked before it is returned.

Each record is masked in rounds. The policy replaces the spans that the detectors find. Then the new
text is searched for the originals of all replacements, and the detectors scan it again
(`veil.masking.rescan`). If either finds anything in unchanged text, it is replaced in the next
round. The originals of one text of a patient are also searched for in the patient's other texts of
the batch, or of the row of a table. A record that is not clean after the last round, or on which a
step fails, is withheld.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from veil.core.document import (
    CONTEXT,
    ENCODING,
    HASH,
    KNOWN,
    PART,
    PATIENT,
    ROW,
    WHOLE,
    Document,
    Record,
    Span,
    Spans,
)
from veil.core.encodings import fitted
from veil.core.errors import RecordError, attempt, withheld
from veil.core.resolve import resolve
from veil.core.values import outside_values
from veil.detect.known import known_in_meta
from veil.detect.pipeline import batches, document_views
from veil.languages import LANGUAGES
from veil.masking.rescan import remaining_originals, scan, to_original
from veil.replace.base import DAYS, KNOWN_NAMES, Case, Edit, Masked, apply_edits
from veil.replace.dates import DateShifter
from veil.replace.policy import KEEP, Policy
from veil.replace.secret import Key, Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from veil.detect.pipeline import DetectionPipeline, Outcome
    from veil.masking.corrections import Corrections

    MaskedOrNot = Masked | RecordError

T = TypeVar("T")

_ROUNDS = 4
_HASH_BYTES = 8


class Masker:
    """Masks documents with a pipeline, a policy and a key; threads may share it.

    Without a key a new one is made: surrogates are then consistent in this masker only. The patient
    of a document is `meta["patient"]`. A document without one is a patient of its own, identified
    by its id and its text, since documents of different folders or calls may have the same id.
    `corrections` of a review take precedence over detectors.
    """

    def __init__(
        self,
        pipeline: DetectionPipeline,
        policy: Policy,
        *,
        key: Key | None = None,
        rescan: bool = True,
        corrections: Corrections | None = None,
    ) -> None:
        self.pipeline = pipeline
        self.policy = policy
        self.key = key or Key.generate()
        self.rescan = rescan
        self.corrections = corrections
        shifter = policy.replacer("DATE")
        self._shifter = shifter if isinstance(shifter, DateShifter) else None

    def mask(self, doc: Document) -> Masked:
        """Mask one document, or raise the error that withholds it."""
        (outcome,) = self.mask_batch([doc])
        if isinstance(outcome, RecordError):
            raise outcome
        return outcome

    def mask_many(self, docs: Iterable[Document]) -> Iterator[MaskedOrNot]:
        """Yield a masked document or an error for each, in order."""
        for batch in batches(docs):
            yield from self.mask_batch(batch)

    def mask_batch(
        self, docs: Sequence[Document], groups: Sequence[int] | None = None
    ) -> list[MaskedOrNot]:
        """Mask documents together: a masked document or an error for each.

        A document whose meta says that its whole text is an identifier (`WHOLE`) is not searched.
        Documents of different `groups` do not affect each other.
        """
        group_of = groups or [0] * len(docs)
        indices = [index for index, doc in enumerate(docs) if WHOLE not in doc.meta]
        found = self.pipeline.detect_batch([docs[index] for index in indices])
        # A name in a cell gets the surrogate of the note beside it, which depends on its language.
        languages = {
            (group_of[index], *_group(outcome.document)): outcome.document.language
            for index, outcome in zip(indices, found, strict=True)
            if isinstance(outcome, Record)
        }
        own = self.pipeline.language
        outcomes, searched = iter(found), set(indices)
        return self.mask_records(
            [
                next(outcomes)
                if index in searched
                else _as_a_whole(doc, own or languages.get((group_of[index], *_group(doc))))
                for index, doc in enumerate(docs)
            ],
            group_of,
        )

    def mask_records(
        self, outcomes: Sequence[Outcome], groups: Sequence[int] | None = None
    ) -> list[MaskedOrNot]:
        """Mask records whose spans were found already; errors are passed through."""
        group_of = groups or [0] * len(outcomes)
        done: list[MaskedOrNot | None] = [None] * len(outcomes)
        open_records: dict[int, Record] = {}
        for index, outcome in enumerate(outcomes):
            if isinstance(outcome, RecordError):
                done[index] = outcome
            else:
                corrected = self.corrections.apply(outcome) if self.corrections else outcome
                open_records[index] = corrected
        for _ in range(_ROUNDS):
            made = {
                index: _attempt(record.id, "replacing", partial(self._replaced, record))
                for index, record in open_records.items()
            }
            found = self._found_again(
                {index: masked for index, masked in made.items() if isinstance(masked, Masked)},
                open_records,
                group_of,
            )
            for index, masked in made.items():
                more = found.get(index)
                if self.corrections and isinstance(more, list):
                    more = self.corrections.still_found(open_records[index].document, more)
                if isinstance(more, RecordError) or not more:
                    done[index] = more if isinstance(more, RecordError) else _changes(masked)
                    del open_records[index]
                else:
                    open_records[index] = self._with_spans(open_records[index], more)
            if not open_records:
                break
        for index, record in open_records.items():
            done[index] = withheld("something identifying is left after all rounds", record.id)
        return [outcome for outcome in done if outcome is not None]

    def _replaced(self, record: Record) -> Masked:
        doc = record.document
        seen = _as_seen(record)
        case = Case(seen.document, seen.spans, Secret(self.key, self._patient(doc)))
        if self._shifter:
            case.memory[DAYS] = self._shifter.days(case)
        if known := self._known_names(doc):
            case.memory[KNOWN_NAMES] = known
        text, choose = doc.text, self.policy.choose
        encoding = doc.meta.get(ENCODING)
        edits = []
        kept = []
        for span, seen_span in zip(record.spans, seen.spans, strict=True):
            start, end, label = span.start, span.end, span.label
            action, replacer = choose(label)
            if action.name == KEEP and HASH not in doc.meta:
                kept.append(span)
                continue
            if HASH in doc.meta:
                new, name = self.key.digest("hash", text)[:_HASH_BYTES].hex(), HASH
            else:
                new, name = replacer.replace(case, seen_span), action.name
            if encoding:
                new = _in_encoding(new, text[start:end], encoding, label)
            edits.append(
                Edit(start, end, text[start:end], new, label, name, span.score, span.source)
            )
        masked = replace(doc, text=apply_edits(text, edits))
        return Masked(masked, tuple(edits), tuple(kept), record.values)

    def _language(self, doc: Document) -> str | None:
        """The language of a document whose whole text is an identifier: that of its record."""
        if CONTEXT not in doc.meta:
            return self.pipeline.language
        found = self.pipeline.language_of(doc)
        return None if isinstance(found, RecordError) else found

    def _known_names(self, doc: Document) -> dict[str, tuple[str, ...]]:
        """The known names of people for a document, by label."""
        table = self.pipeline.known
        if KNOWN not in doc.meta and (table is None or WHOLE in doc.meta):
            return {}
        given = table(doc) if table else None
        known = known_in_meta(doc) if given is None else given | known_in_meta(doc)
        own = (*known.names, *known.first_names, *known.last_names, *known.relatives)
        doctors = tuple(known.doctors)
        if not own and not doctors:
            return {}
        return {"PATIENT": own, "DOCTOR": doctors, "NAME": (*own, *doctors)}

    def _patient(self, doc: Document) -> str:
        patient = str(doc.meta.get(PATIENT) or "")
        if patient and ROW not in doc.meta:
            return patient
        return self.key.own_patient(patient or doc.id, *doc.meta.get(ROW, (doc.text,)))

    def _found_again(
        self, made: dict[int, Masked], records: Mapping[int, Record], group_of: Sequence[int]
    ) -> dict[int, list[Span] | RecordError]:
        """Find spans left in new texts outside the replacements, with offsets in the original."""
        scanned: dict[int, Outcome | None] = {}
        if self.rescan:
            to_scan = {
                index: masked
                for index, masked in made.items()
                if masked.edits and WHOLE not in masked.document.meta
            }
            doubts = [records[index].doubts for index in to_scan]
            outcomes = scan(self.pipeline, list(to_scan.values()), doubts, is_kept=self._is_kept)
            scanned = dict(zip(to_scan, outcomes, strict=True))
        of_patient: defaultdict[tuple[int, str], list[Edit]] = defaultdict(list)
        patients = {
            index: str(masked.document.meta.get(PATIENT, "")) for index, masked in made.items()
        }
        for index, masked in made.items():
            if patients[index]:  # others may belong to different patients
                of_patient[group_of[index], patients[index]] += masked.edits
        return {
            index: _attempt(
                masked.document.id,
                "searching again",
                partial(
                    self._left_over,
                    masked,
                    of_patient.get((group_of[index], patients[index])) or masked.edits,
                    scanned.get(index),
                ),
            )
            for index, masked in made.items()
        }

    def _left_over(
        self, masked: Masked, edits: Iterable[Edit], scanned: Outcome | None
    ) -> list[Span]:
        if isinstance(scanned, RecordError):
            raise scanned
        found = to_original(masked, scanned.spans) if scanned else []
        # "8/10" may be a day in one line and a score in another.
        remaining = outside_values(remaining_originals(masked, edits), masked.values)
        return remaining + [span for span in found if not self._is_kept(span)]

    def _with_spans(self, record: Record, more: list[Span]) -> Record:
        """Add spans to a record.

        Spans that the policy keeps have the lowest precedence: an original in one is replaced.
        """
        doc = record.document
        before = set(record.spans)

        def precedence(span: Span) -> int:
            if span not in before:
                return 1
            return 0 if self._is_kept(span) else 2

        settled = resolve(doc, [*record.spans, *more], precedence=precedence)
        return replace(record, spans=Spans(doc, settled))

    def _is_kept(self, span: Span) -> bool:
        return self.policy.action(span.label).name == KEEP


def _group(doc: Document) -> tuple[object, ...]:
    """The key that the documents of a row, or of a patient, share."""
    patient = doc.meta.get(PATIENT)
    return (patient, doc.meta.get(ROW)) if patient else (doc.id,)


def _in_encoding(new: str, old: str, encoding: str, label: str) -> str:
    """A replacement in characters of the file's encoding; a tag if that is not possible."""
    written = fitted(new, encoding)
    if written is None or (written != new and written == old):
        return f"[{label}]"
    return written


def _changes(masked: MaskedOrNot) -> MaskedOrNot:
    """Turn edits that change nothing (a placeholder, an age that may stay) into kept spans."""
    if isinstance(masked, RecordError) or all(edit.new != edit.old for edit in masked.edits):
        return masked
    same = (
        Span(edit.start, edit.end, edit.label, edit.score, edit.source)
        for edit in masked.edits
        if edit.new == edit.old
    )
    return Masked(
        masked.document,
        tuple(edit for edit in masked.edits if edit.new != edit.old),
        tuple(sorted((*masked.kept, *same), key=lambda span: span.start)),
        masked.values,
    )


def _as_seen(record: Record) -> Record:
    """The record as detectors read it, so that "Jo\u200bhn" gets the same surrogate as "John".

    Words that are broken at a line end or letter-spaced are joined. A record with a span of
    invisible characters only is returned unchanged.
    """
    doc = record.document
    views = [] if record.is_plain else document_views(doc)
    if not views:
        return record
    view = views[1] if views[1:] else views[0]
    indices = [view.to_view(span.start, span.end) for span in record.spans]
    if any(start == end for start, end in indices):
        return record
    seen = replace(doc, text=view.text)
    spans = [span.at(*index) for span, index in zip(record.spans, indices, strict=True)]
    return Record(seen, Spans(seen, spans))


def _as_a_whole(doc: Document, language: str | None) -> Record:
    """The record of a document whose whole text is an identifier."""
    # It is not searched, so a language that Veil does not support is no reason to withhold it.
    known = doc.language if doc.language and doc.language in LANGUAGES else None
    doc = replace(doc, language=known or language)
    whole = Span(0, len(doc.text), doc.meta[WHOLE], source=WHOLE, part=doc.meta.get(PART))
    return Record(doc, Spans(doc, [whole] if doc.text else []))


def _attempt(record: str, step: str, do: Callable[[], T]) -> T | RecordError:
    result = attempt(step, do)
    return withheld(result.reason, record) if isinstance(result, RecordError) else result
