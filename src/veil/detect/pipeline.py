"""The detection pipeline: from documents to settled spans; a document that fails is withheld."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeVar

from veil.core.batches import in_batches
from veil.core.document import CONTEXT, Record
from veil.core.errors import RecordError, attempt, withheld
from veil.core.resolve import resolve
from veil.core.values import split_doubts, split_values
from veil.core.view import normalised_view, views_of
from veil.languages import LANGUAGES, has_spaces, identify, other_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.core.document import Document, Span, Spans
    from veil.core.view import View
    from veil.detect.base import Detector
    from veil.detect.known import KnownTable
    from veil.detect.lists import AllowList, DenyList
    from veil.detect.memory import CorpusMemory

    Outcome = Record | RecordError
    Candidates = list[Span]

T = TypeVar("T")


class DetectionPipeline:
    """Runs detectors over documents and settles the overlaps of their spans.

    It can be reused, and used from several threads if its detectors can. `language` is given to
    documents without one; without it their language is identified from their text, if `identify` is
    set. A document that is clearly in an unsupported language is withheld, or treated as
    `assume_language`. A document on which any step fails is withheld: its error names the document,
    the step and the kind of error, and contains none of the document's text. Terms of `deny` are
    found in addition; spans that are a term of `allow` are dropped. A `memory` finds what all
    others have missed. `known` is the table of known patients that the detectors use, if there is
    one.
    """

    def __init__(
        self,
        detectors: Iterable[Detector],
        *,
        language: str | None = None,
        identify: bool = False,
        assume_language: str | None = None,
        allow: AllowList | None = None,
        deny: DenyList | None = None,
        known: KnownTable | None = None,
    ) -> None:
        self.known = known
        self.detectors = (*detectors, deny) if deny else tuple(detectors)
        self.allow = allow
        self.memory: CorpusMemory | None = None
        self.language = language
        self.identify = identify
        self.assume_language = assume_language

    @property
    def reach(self) -> int | None:
        """How many characters around a place affect what is found there; None if all may.

        A detector with a limited reach has it as its attribute `reach`, and returns the words whose
        result depends on these characters as spans with the label `DOUBT`.
        """
        all_of_them = (*self.detectors, self.memory) if self.memory else self.detectors
        reaches = [getattr(detector, "reach", None) for detector in all_of_them]
        return max((reach or 0 for reach in reaches), default=0) if None not in reaches else None

    def detect(self, doc: Document) -> Spans:
        """Return the spans of one document, or raise an error if it is withheld."""
        (outcome,) = self.detect_batch([doc])
        if isinstance(outcome, RecordError):
            raise outcome
        return outcome.spans

    def detect_many(self, docs: Iterable[Document]) -> Iterator[Outcome]:
        """Yield a record or an error for each document, in order, reading one batch at a time."""
        for batch in batches(docs):
            yield from self.detect_batch(batch)

    def detect_batch(self, docs: Sequence[Document]) -> list[Outcome]:
        """Detect in several documents: a record or an error for each.

        Detectors read views of texts with invisible or variant characters; their spans are mapped
        to offsets of the original text.
        """
        languages = [self.language_of(doc) for doc in docs]
        if all(doc.language == code for doc, code in zip(docs, languages, strict=True)):
            return self._detect_batch(docs)
        outcomes: list[Outcome | None] = [
            withheld(language.reason, doc.id) if isinstance(language, RecordError) else None
            for doc, language in zip(docs, languages, strict=True)
        ]
        known = [
            doc if doc.language == language else replace(doc, language=language)
            for doc, language in zip(docs, languages, strict=True)
            if not isinstance(language, RecordError)
        ]
        found = iter(self._detect_batch(known))
        return [next(found) if outcome is None else outcome for outcome in outcomes]

    def _detect_batch(self, docs: Sequence[Document]) -> list[Outcome]:
        """Detect in documents whose language is known or not required."""
        views = [document_views(doc) for doc in docs]
        found = self._candidates([_seen(doc, own) for doc, own in zip(docs, views, strict=True)])
        found = [_mapped(each, own) for each, own in zip(found, views, strict=True)]
        joined = [(index, [view]) for index, own in enumerate(views) for view in own[1:]]
        beyond_lines = [_seen(docs[index], view) for index, view in joined]
        more = self._candidates(beyond_lines) if joined else []
        for (index, view), each in zip(joined, more, strict=True):
            beyond = _beyond(docs[index], found[index], _mapped(each, view))
            found[index] = _both(found[index], beyond)
        return [
            self._finish(doc, each, is_plain=not own)
            for doc, each, own in zip(docs, found, views, strict=True)
        ]

    def _candidates(self, docs: Sequence[Document]) -> list[Candidates | RecordError]:
        """The candidates of all detectors in several documents."""
        found: list[Candidates | RecordError] = [[] for _ in docs]
        for detector in self.detectors:
            indices = [index for index, each in enumerate(found) if isinstance(each, list)]
            results = _run(detector, [docs[index] for index in indices])
            for index, result in zip(indices, results, strict=True):
                found[index] = _both(found[index], result)
        if self.memory:
            for index, doc in enumerate(docs):
                found[index] = _with_memory(self.memory, doc, found[index])
        return found

    def language_of(self, doc: Document) -> str | RecordError | None:
        """The language of a document, or the reason why it is withheld.

        A document that is a part of a record has the language of the record.
        """
        if doc.language:
            is_other = self.assume_language is not None and doc.language not in LANGUAGES
            return self.assume_language if is_other else doc.language
        if self.language or not self.identify:
            return self.language
        context = doc.meta.get(CONTEXT)
        other, language = _identified_once(context) if context else _identified(doc.text)
        if other is None:
            return language
        if self.assume_language:
            return self.assume_language
        return RecordError(
            f"its language seems to be {other}, which Veil does not support; to mask it as a "
            "supported language, give --assume-language CODE, or --lang for all records"
        )

    def _finish(self, doc: Document, found: Candidates | RecordError, *, is_plain: bool) -> Outcome:
        values: Candidates = []
        doubts: Candidates = []
        if isinstance(found, list):
            found, doubts = split_doubts(found)
            found, values = split_values(found)
            if self.allow:
                found = self.allow.without_allowed(doc, found)
        spans = (
            attempt("resolve", partial(resolve, doc, found)) if isinstance(found, list) else found
        )
        if isinstance(spans, RecordError):
            return withheld(spans.reason, doc.id)
        return Record(doc, spans, (), tuple(values), tuple(doubts), is_plain)


def document_views(doc: Document) -> list[View]:
    """The views of a document's text; full-width forms are normal in scripts without spaces."""
    return views_of(doc.text, keep_wide=not has_spaces(doc.language))


def _seen(doc: Document, views: Sequence[View]) -> Document:
    return replace(doc, text=views[0].text) if views else doc


def _mapped(found: Candidates | RecordError, views: Sequence[View]) -> Candidates | RecordError:
    """Map spans in the first of these views to offsets in the original."""
    if not views or isinstance(found, RecordError):
        return found
    return [span.at(*views[0].to_original(span.start, span.end)) for span in found]


def _beyond(
    doc: Document, found: Candidates | RecordError, more: Candidates | RecordError
) -> Candidates | RecordError:
    """The further spans that cover additional letters, or join several spans."""
    if isinstance(found, RecordError) or isinstance(more, RecordError):
        return more
    found, more = (split_values(split_doubts(each)[0])[0] for each in (found, more))
    owner: list[Span | None] = [None] * len(doc.text)
    for span in found:
        owner[span.start : span.end] = [span] * (span.end - span.start)

    def owners(span: Span) -> set[Span | None]:
        indices = range(span.start, span.end)
        return {owner[index] for index in indices if doc.text[index].isalnum()}

    return [span for span in more if None in owners(span) or 1 < len(owners(span))]


def _both(
    first: Candidates | RecordError, second: Candidates | RecordError
) -> Candidates | RecordError:
    if isinstance(first, list) and isinstance(second, list):
        return first + second
    return first if isinstance(first, RecordError) else second


def _with_memory(
    memory: CorpusMemory, doc: Document, found: Candidates | RecordError
) -> Candidates | RecordError:
    if isinstance(found, RecordError):
        return found
    beside = split_doubts(found)[0]
    more = attempt(f"detector {memory.name}", partial(memory.detect_beside, doc, beside))
    return _both(found, more)


def _run(detector: Detector, docs: Sequence[Document]) -> list[Candidates | RecordError]:
    """Run a detector on a batch; if it fails, without the documents on which it fails alone."""
    results = _detect(detector, docs)
    if not isinstance(results, RecordError):
        return list(results)
    alone = [_detect(detector, [doc]) for doc in docs]
    good = [doc for doc, result in zip(docs, alone, strict=True) if isinstance(result, list)]
    if len(good) == len(docs):  # each works alone, but not all together: none can be trusted
        return [results] * len(docs)
    again = iter(_run(detector, good))
    return [result if isinstance(result, RecordError) else next(again) for result in alone]


def _detect(detector: Detector, docs: Sequence[Document]) -> list[Candidates] | RecordError:
    def detect() -> list[Candidates]:
        found = detector.detect_many(docs) if docs else []
        if len(found) != len(docs):
            raise ValueError("not one result a document")
        return found

    return attempt(f"detector {detector.name}", detect)


def batches(docs: Iterable[Document]) -> Iterator[list[Document]]:
    """Split a stream of documents into batches.

    The cuts depend on the documents alone, so that the results do not depend on the workers.
    """
    return in_batches(docs, lambda doc: len(doc.text))


def _identified(text: str) -> tuple[str | None, str | None]:
    """Return the name of an unsupported language, or the code of a supported one."""
    view = normalised_view(text, keep_wide=True)
    seen = view.text if view else text
    other = other_language(seen)
    return other, None if other else identify(seen)


# All parts of a record have the same context.
_identified_once = lru_cache(maxsize=16)(_identified)
