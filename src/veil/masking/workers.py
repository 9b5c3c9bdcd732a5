"""Masking in one process or several: the same results in the same order."""

from __future__ import annotations

import gc
import signal
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from veil.core.errors import InputError, RecordError, VeilError
from veil.masking.tally import DOUBTFUL_BELOW, Doubtful, Found
from veil.replace.policy import KEEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from types import TracebackType
    from typing import Self

    from veil.core.document import Document
    from veil.masking.files import MaskerPlan
    from veil.masking.masker import Masker
    from veil.replace.base import Masked

    Together = tuple[Document, ...]
    """The documents of an item, which are written together or not at all."""

T = TypeVar("T")

# Batches under way for each worker: one to work on and one that waits.
_AHEAD = 2


class Done(NamedTuple):
    """The new texts of an item and what was found in it; `doubtful` lack the file's place.

    `masked` are there if they were asked for: they hold what stood in the texts.
    """

    texts: tuple[str, ...]
    languages: tuple[str, ...]
    found: list[Found]
    doubtful: list[Doubtful]
    masked: tuple[Masked, ...]


class Refused(NamedTuple):
    """Why an item is withheld."""

    record: str
    reason: str


Result = Done | Refused


class Workers:
    """Masks batches of documents; `with_masked` asks for what leads back to the texts, too.

    Several workers are processes, each with a thread here that hands it batch after batch.
    """

    def __init__(self, plan: MaskerPlan, count: int = 1, *, with_masked: bool = False) -> None:
        self._plan = plan
        self._count = count
        self._with_masked = with_masked
        self._masker: Masker | None = None
        self._processes: SimpleQueue[_Worker] = SimpleQueue()
        self._all: list[_Worker] = []
        self._threads = ThreadPoolExecutor(count)

    def __enter__(self) -> Self:
        """Start the processes, which load what they need."""
        if 1 < self._count:
            for _ in range(self._count):
                worker = _Worker(self._plan, with_masked=self._with_masked)
                self._all.append(worker)
                self._processes.put(worker)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._all:
            worker.end()
        self._threads.shutdown(cancel_futures=True)

    def wait(self) -> None:
        """Wait until all is loaded; what is wrong with it is told here."""
        if self._all:
            for future in [self._threads.submit(self._mask, []) for _ in self._all]:
                future.result()
        else:
            self._masker = self._plan.make()

    def mask(
        self, batches: Iterable[T], items_of: Callable[[T], list[Together]]
    ) -> Iterator[tuple[T, list[Result]]]:
        """Yield each batch with a result for each of its items, in order.

        No more than a few batches are under way, whatever there is to do.
        """
        if self._masker:
            for batch in batches:
                items = items_of(batch)
                yield batch, mask_items(self._masker, items, with_masked=self._with_masked)
            return
        under_way: deque[tuple[T, Future[list[Result]]]] = deque()
        for batch in batches:
            under_way.append((batch, self._threads.submit(self._mask, items_of(batch))))
            if self._count * _AHEAD <= len(under_way):
                first, future = under_way.popleft()
                yield first, future.result()
        for first, future in under_way:
            yield first, future.result()

    def _mask(self, items: list[Together]) -> list[Result]:
        """Give items to a worker that has nothing to do; there are as many threads as workers."""
        worker = self._processes.get()
        try:
            return worker.mask(items)
        finally:
            self._processes.put(worker)


class _Worker:
    """A process that masks what it is sent."""

    def __init__(self, plan: MaskerPlan, *, with_masked: bool) -> None:
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(
            target=_work, args=(other, plan, with_masked), daemon=True, name="veil-mask"
        )
        self._process.start()
        other.close()

    def mask(self, items: list[Together]) -> list[Result]:
        try:
            self._pipe.send(items)
            result = self._pipe.recv()
        except (EOFError, OSError):
            raise InputError(
                "a worker process was ended, perhaps for lack of memory; go on with --resume and "
                "fewer workers"
            ) from None
        if isinstance(result, str):
            raise InputError(result)
        if isinstance(result, BaseException):
            raise result
        results: list[Result] = result
        return results

    def end(self) -> None:
        """End the process at once: it holds nothing that could be lost."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection, plan: MaskerPlan, with_masked: bool) -> None:
    """What a worker does until it is ended, or its parent is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to stop
    gc.disable()
    masker = None
    while True:
        try:
            items = pipe.recv()
        except EOFError:
            return
        try:
            masker = masker or plan.make()
            answer: list[Result] | str | Exception = mask_items(
                masker, items, with_masked=with_masked
            )
        except VeilError as error:  # as text: not every error survives the way to the parent
            answer = str(error)
        except Exception as error:
            # Its message may quote a record: only its kind is told.
            answer = RuntimeError(f"masking failed ({type(error).__name__})")
        try:
            pipe.send(answer)
        except OSError:
            return
        if items and not gc.isenabled():
            gc.freeze()  # word lists and weights stay: looking through them takes time
            gc.enable()


def mask_items(
    masker: Masker, items: Sequence[Together], *, with_masked: bool = False
) -> list[Result]:
    """Mask the documents of items together; an item of which one fails is withheld."""
    outcomes = iter(masker.mask_batch([doc for item in items for doc in item]))
    results: list[Result] = []
    for item in items:
        masked: list[Masked] = []
        refused = None
        for outcome in [next(outcomes) for _ in item]:
            if isinstance(outcome, RecordError):
                refused = refused or outcome
            else:
                masked.append(outcome)
        results.append(
            Refused(refused.record or "", refused.reason) if refused else _done(masked, with_masked)
        )
    return results


def _done(masked: Sequence[Masked], with_masked: bool) -> Done:
    return Done(
        tuple(each.document.text for each in masked),
        tuple({each.document.language or "": None for each in masked}),
        [found for each in masked for found in _found(each)],
        [doubtful for each in masked for doubtful in _doubtful(each)],
        tuple(masked) if with_masked else (),
    )


def _found(masked: Masked) -> Iterator[Found]:
    language = masked.document.language or ""
    for edit in masked.edits:
        yield Found(edit.label, edit.action, _family(edit.source), language)
    for span in masked.kept:
        yield Found(span.label, KEEP, _family(span.source), language)


def _family(source: str) -> str:
    """The detector of a source: "rules" for "rules:en/date"."""
    return source.partition(":")[0] or "unnamed"


def _doubtful(masked: Masked) -> Iterator[Doubtful]:
    if all(DOUBTFUL_BELOW <= edit.score for edit in masked.edits):
        return
    record = masked.document.id
    for edit, (start, end) in zip(masked.edits, masked.places, strict=True):
        if edit.score < DOUBTFUL_BELOW:
            yield Doubtful(round(edit.score, 4), "", record, start, end, edit.label)
