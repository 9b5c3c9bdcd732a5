"""Many documents, several processes: the same results in the same order, whatever their number."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING

from veil.core.document import Document, Record, Span, Spans
from veil.core.errors import InputError, RecordError
from veil.detect.pipeline import DetectionPipeline, batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from veil.detect.pipeline import Outcome

    # What comes back from a worker for a document: its language and spans, or why it is withheld.
    # The text stays where it is.
    Found = tuple[str | None, tuple[Span, ...]] | str

# Batches under way for each worker: one to work on and one that waits.
_AHEAD = 2

_pipelines: list[DetectionPipeline] = []


def detect_documents(
    docs: Iterable[Document], load: Callable[[], DetectionPipeline], *, workers: int = 1
) -> Iterator[Outcome]:
    """Yield a record or an error for each document, in order.

    `load` makes the pipeline, once in each process; with several workers it must be a function of a
    module or a `functools.partial` of one.
    """
    pipeline = load()  # here too, with several workers: what is wrong with a model is told once
    if workers < 2:
        yield from pipeline.detect_many(docs)
        return
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_start, initargs=(load,)
    ) as pool:
        under_way: deque[tuple[list[Document], Future[list[Found]]]] = deque()
        try:
            for batch in batches(docs):
                under_way.append((batch, pool.submit(_detect, batch)))
                if workers * _AHEAD <= len(under_way):
                    yield from _collect(*under_way.popleft())
            while under_way:
                yield from _collect(*under_way.popleft())
        except BrokenProcessPool:
            raise InputError(
                "a worker process was ended, perhaps for lack of memory; try fewer workers"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _start(load: Callable[[], DetectionPipeline]) -> None:
    _pipelines.append(load())


def _detect(docs: list[Document]) -> list[Found]:
    return [
        outcome.reason
        if isinstance(outcome, RecordError)
        else (outcome.document.language, tuple(outcome.spans))
        for outcome in _pipelines[0].detect_batch(docs)
    ]


def _collect(docs: list[Document], found: Future[list[Found]]) -> Iterator[Outcome]:
    for doc, result in zip(docs, found.result(), strict=True):
        if isinstance(result, str):
            yield RecordError(result, record=doc.id)
        else:
            language, spans = result
            named = Document(doc.id, doc.text, language, doc.meta)
            yield Record(named, Spans(named, spans))
