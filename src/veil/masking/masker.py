"""Masking: what was found is replaced, and the result is looked at again before it may leave.

A record passes in rounds. What the detectors find is replaced by the policy; then the new text is
searched for every original that a replacement stood for, and scanned by the detectors once more
(`veil.masking.rescan`). What either finds in text that was left as it was is replaced too, and the
next round begins. What
was found in one text of a patient is searched for in the others that are masked together with it. A
record that is not clean after the last round, or on which anything fails, is withheld.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from veil.core.document import PART, PATIENT, ROW, WHOLE, Document, Record, Span, Spans
from veil.core.errors import RecordError, attempt, withheld
from veil.core.resolve import resolve
from veil.detect.pipeline import batches, document_views
from veil.languages import LANGUAGES
from veil.masking.rescan import at_home, scan, survivors
from veil.replace.base import DAYS, Case, Edit, Masked, apply_edits
from veil.replace.dates import DateShifter
from veil.replace.policy import KEEP, Policy
from veil.replace.secret import Key, Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from veil.detect.pipeline import DetectionPipeline, Outcome

    MaskedOrNot = Masked | RecordError

T = TypeVar("T")

_ROUNDS = 4


class Masker:
    """Masks documents with a pipeline, a policy and a key; threads may share it.

    Without a key a new one is made: stand-ins then agree within this masker alone. The patient of a
    document is `meta["patient"]`. A document without one is a patient of its own, which depends on
    its id and its text: documents of different folders or calls may have the same id.
    """

    def __init__(
        self,
        pipeline: DetectionPipeline,
        policy: Policy,
        *,
        key: Key | None = None,
        rescan: bool = True,
    ) -> None:
        self.pipeline = pipeline
        self.policy = policy
        self.key = key or Key.generate()
        self.rescan = rescan
        shifter = policy.replacer("DATE")
        self._shifter = shifter if isinstance(shifter, DateShifter) else None

    def mask(self, doc: Document) -> Masked:
        """Mask one document, or raise the error for which it is withheld."""
        (outcome,) = self.mask_batch([doc])
        if isinstance(outcome, RecordError):
            raise outcome
        return outcome

    def mask_many(self, docs: Iterable[Document]) -> Iterator[MaskedOrNot]:
        """Yield a masked document or an error for each, in order."""
        for batch in batches(docs):
            yield from self.mask_batch(batch)

    def mask_batch(self, docs: Sequence[Document]) -> list[MaskedOrNot]:
        """Mask documents together: a masked document or an error for each.

        A document whose meta says that its whole text is an identifier (`WHOLE`) is not searched.
        """
        places = [place for place, doc in enumerate(docs) if WHOLE not in doc.meta]
        found = iter(self.pipeline.detect_batch([docs[place] for place in places]))
        searched = set(places)
        return self.mask_records(
            [
                next(found) if place in searched else _as_a_whole(doc, self.pipeline.language)
                for place, doc in enumerate(docs)
            ]
        )

    def mask_records(self, outcomes: Sequence[Outcome]) -> list[MaskedOrNot]:
        """Mask records whose spans were found already; errors are handed through."""
        done: list[MaskedOrNot | None] = [None] * len(outcomes)
        open_records: dict[int, Record] = {}
        for place, outcome in enumerate(outcomes):
            if isinstance(outcome, RecordError):
                done[place] = outcome
            else:
                open_records[place] = outcome
        for _ in range(_ROUNDS):
            made = {
                place: _attempt(record.id, "replacing", partial(self._replaced, record))
                for place, record in open_records.items()
            }
            found = self._found_again(
                {place: masked for place, masked in made.items() if isinstance(masked, Masked)}
            )
            for place, masked in made.items():
                more = found.get(place)
                if isinstance(more, RecordError) or not more:
                    done[place] = more if isinstance(more, RecordError) else _changes(masked)
                    del open_records[place]
                else:
                    open_records[place] = self._with_spans(open_records[place], more)
            if not open_records:
                break
        for place, record in open_records.items():
            done[place] = withheld("something identifying is left after all rounds", record.id)
        return [outcome for outcome in done if outcome is not None]

    def _replaced(self, record: Record) -> Masked:
        doc = record.document
        seen = _as_seen(record)
        case = Case(seen.document, seen.spans, Secret(self.key, self._patient(doc)))
        if self._shifter:
            case.memory[DAYS] = self._shifter.days(case)
        edits = []
        kept = []
        for span, seen_span in zip(record.spans, seen.spans, strict=True):
            action = self.policy.action(span.label).name
            if action == KEEP:
                kept.append(span)
                continue
            old = doc.text[span.start : span.end]
            new = self.policy.replacer(span.label).replace(case, seen_span)
            edits.append(
                Edit(span.start, span.end, old, new, span.label, action, span.score, span.source)
            )
        text = apply_edits(doc.text, edits)
        return Masked(replace(doc, text=text), tuple(edits), tuple(kept))

    def _patient(self, doc: Document) -> str:
        patient = str(doc.meta.get(PATIENT) or "")
        if patient and ROW not in doc.meta:
            return patient
        return self.key.own_patient(patient or doc.id, *doc.meta.get(ROW, (doc.text,)))

    def _found_again(self, made: dict[int, Masked]) -> dict[int, list[Span] | RecordError]:
        """What still stands in new texts outside the replacements, at its place in the original."""
        scanned: dict[int, Outcome | None] = {}
        if self.rescan:
            looked_at = {
                place: masked
                for place, masked in made.items()
                if masked.edits and WHOLE not in masked.document.meta
            }
            outcomes = scan(self.pipeline, list(looked_at.values()), is_kept=self._is_kept)
            scanned = dict(zip(looked_at, outcomes, strict=True))
        of_patient: defaultdict[str, list[Edit]] = defaultdict(list)
        for masked in made.values():
            of_patient[str(masked.document.meta.get(PATIENT, ""))] += masked.edits
        of_patient[""] = []  # of these nobody knows whether they are of one patient
        return {
            place: _attempt(
                masked.document.id,
                "searching again",
                partial(
                    self._left_over,
                    masked,
                    of_patient[str(masked.document.meta.get(PATIENT, ""))] or masked.edits,
                    scanned.get(place),
                ),
            )
            for place, masked in made.items()
        }

    def _left_over(
        self, masked: Masked, edits: Iterable[Edit], scanned: Outcome | None
    ) -> list[Span]:
        if isinstance(scanned, RecordError):
            raise scanned
        found = at_home(masked, scanned.spans) if scanned else []
        return survivors(masked, edits) + [span for span in found if not self._is_kept(span)]

    def _with_spans(self, record: Record, more: list[Span]) -> Record:
        """A record with further spans beside those that are replaced already.

        What the policy keeps comes last: where an original stands in it again, it is hidden.
        """
        doc = record.document
        before = set(record.spans)

        def precedence(span: Span) -> int:
            if span not in before:
                return 1
            return 0 if self._is_kept(span) else 2

        settled = resolve(doc, [*record.spans, *more], precedence=precedence)
        return Record(doc, Spans(doc, settled))

    def _is_kept(self, span: Span) -> bool:
        return self.policy.action(span.label).name == KEEP


def _changes(masked: MaskedOrNot) -> MaskedOrNot:
    """What was replaced by itself (a placeholder, an age that may stay) is no edit; it was kept."""
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
    )


def _as_seen(record: Record) -> Record:
    """The record as detectors read it, so that "Jo\u200bhn" gets the same stand-in as "John".

    A word broken at a line end or letter-spaced is whole in it. A record in which a span has
    nothing that can be seen stays as it is.
    """
    doc = record.document
    views = document_views(doc)
    if not views:
        return record
    view = views[1] if views[1:] else views[0]
    places = [view.to_view(span.start, span.end) for span in record.spans]
    if any(start == end for start, end in places):
        return record
    seen = replace(doc, text=view.text)
    spans = [span.at(*place) for span, place in zip(record.spans, places, strict=True)]
    return Record(seen, Spans(seen, spans))


def _as_a_whole(doc: Document, language: str | None) -> Record:
    """The record of a document that is an identifier from its first to its last character."""
    # Nothing is searched in it: a language that Veil does not know is no reason to withhold it.
    known = doc.language if doc.language and doc.language in LANGUAGES else None
    doc = replace(doc, language=known or language)
    whole = Span(0, len(doc.text), doc.meta[WHOLE], source=WHOLE, part=doc.meta.get(PART))
    return Record(doc, Spans(doc, [whole] if doc.text else []))


def _attempt(record: str, step: str, do: Callable[[], T]) -> T | RecordError:
    result = attempt(step, do)
    return withheld(result.reason, record) if isinstance(result, RecordError) else result
