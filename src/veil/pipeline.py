"""The corridor as one object: from documents to settled spans, failing closed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from veil.core.batches import in_batches
from veil.core.document import Record
from veil.core.errors import InputError, RecordError, VeilError
from veil.detect.kinds import load_detector
from veil.models import describe
from veil.resolve import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from veil.core.document import Document, Span, Spans
    from veil.detect.base import Detector

    Outcome = Record | RecordError
    Candidates = list[Span]

T = TypeVar("T")


class Pipeline:
    """Runs detectors over documents and settles what they find.

    It can be used again and again, and from several threads if its detectors can. `language` is
    given to documents that name none. A document on which any step fails is withheld: its error
    names the document, the step and the kind of error, and holds none of the document's text.
    """

    def __init__(self, detectors: Iterable[Detector], *, language: str | None = None) -> None:
        self.detectors = tuple(detectors)
        self.language = language

    def detect(self, doc: Document) -> Spans:
        """Return the spans of one document, or raise the error for which it is withheld."""
        (outcome,) = self.detect_batch([doc])
        if isinstance(outcome, RecordError):
            raise outcome
        return outcome.spans

    def detect_many(self, docs: Iterable[Document]) -> Iterator[Outcome]:
        """Yield a record or an error for each document, in order, reading no more than a batch."""
        for batch in batches(docs):
            yield from self.detect_batch(batch)

    def detect_batch(self, docs: Sequence[Document]) -> list[Outcome]:
        """Detect in documents together: a record or an error for each."""
        found: list[Candidates | RecordError] = [[] for _ in docs]
        for detector in self.detectors:
            places = [place for place, each in enumerate(found) if isinstance(each, list)]
            results = _run(detector, [docs[place] for place in places])
            for place, result in zip(places, results, strict=True):
                before = found[place]
                if isinstance(before, list) and isinstance(result, list):
                    found[place] = before + result
                else:
                    found[place] = result
        return [self._finish(doc, each) for doc, each in zip(docs, found, strict=True)]

    def _finish(self, doc: Document, found: Candidates | RecordError) -> Outcome:
        spans = (
            _attempt("resolve", partial(resolve, doc, found)) if isinstance(found, list) else found
        )
        if isinstance(spans, RecordError):
            return RecordError(f"withheld: {spans.reason}", record=doc.id)
        return Record(replace(doc, language=doc.language or self.language), spans)


def load_pipeline(
    model: Path,
    *,
    language: str | None = None,
    recall: float | None = None,
    bias: float | None = None,
    corpus: Sequence[Document] = (),
) -> Pipeline:
    """Make a pipeline of a trained model.

    `recall` is the share of identifying characters to be found at least, as measured on the model's
    development records; `bias` is added to the score of a token being nothing: the lower, the more
    is found. Without either the model's own balance holds. `corpus` is for two-stage models: the
    documents whose majorities count, instead of those of a batch.
    """
    info = describe(model)
    if language is not None and language != info.language:
        raise InputError(f"{model}: a model for '{info.language}', not for '{language}'")
    if recall is not None and bias is not None:
        raise InputError("recall and bias turn the same dial: give one of them")
    options: dict[str, Any] = {} if bias is None else {"outside": bias}
    if corpus:
        if info.kind != "two-stage":
            raise InputError(
                f"{model}: a model of kind {info.kind}; a corpus is for two-stage models"
            )
        options["corpus"] = corpus
    detector = load_detector(model, **options)
    if recall is not None:
        highest = max((measured for _, measured in info.dial), default=1.0)
        if highest < recall:
            raise InputError(
                f"{model}: a recall of {recall} was not reached on its development records, "
                f"{highest} was; ask for no more, or set a bias"
            )
        detector = detector.with_recall(recall)
    return Pipeline([detector], language=info.language)


def _run(detector: Detector, docs: Sequence[Document]) -> list[Candidates | RecordError]:
    """Run a detector on a batch; if it fails, on the batch without those that fail alone."""
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

    return _attempt(f"detector {detector.name}", detect)


def _attempt(step: str, do: Callable[[], T]) -> T | RecordError:
    """Do a step; what goes wrong with a record becomes an error without any of its text."""
    try:
        return do()
    except RecordError as error:
        return error
    except VeilError:  # the set-up is wrong, not the record, and the message is made to be read
        raise
    except Exception as error:
        # The message of an unforeseen error may quote the record: only its kind is told. The new
        # error is made outside this block so that it does not carry the old one as its context.
        kind = type(error).__name__
    return RecordError(f"{step} failed ({kind})")


def batches(docs: Iterable[Document]) -> Iterator[list[Document]]:
    """Cut a stream of documents into batches.

    The cuts depend on the documents alone, so that the results do not depend on who works on them.
    """
    return in_batches(docs, lambda doc: len(doc.text))
