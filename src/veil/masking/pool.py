"""The pool for everything that runs in several processes: the same results in the same order.

Where it is safe, workers are forked from this process after it has loaded everything and processed
a small sample: they share the memory of models and word lists, and start at once. Elsewhere each
worker is a new process that loads everything itself.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections import deque
from functools import cached_property
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from veil.core.errors import InputError, VeilError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future, ThreadPoolExecutor
    from multiprocessing.connection import Connection
    from types import TracebackType
    from typing import Self

Batch = TypeVar("Batch")
Task = TypeVar("Task")
Result = TypeVar("Result")

# Batches in flight for each worker: one in progress and one waiting.
_AHEAD = 2


class Pool(Generic[Task, Result]):
    """Applies a function to tasks, in this process or in several.

    `load` makes the function, once in each process; with several workers it must be picklable.
    Each worker process has a thread here that sends it one task after the other.
    """

    def __init__(self, load: Callable[[], Callable[[Task], Result]], workers: int = 1) -> None:
        self._load = load
        self._count = workers
        self._work: Callable[[Task], Result] | None = None
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        """Start processes that load what they need."""
        if 1 < self._count and not _can_fork():
            self._start(self._load, forked=False)
        return self

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor  # most runs have one process

        return ThreadPoolExecutor(self._count)

    def _start(self, load: Callable[[], Callable[[Task], Result]], *, forked: bool) -> None:
        for _ in range(self._count):
            worker = _Worker(load, self._workers if forked else None)
            self._workers.append(worker)
            self._idle.put(worker)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.end()
        if self._workers:
            self._threads.shutdown(cancel_futures=True)

    def wait(self, sample: Callable[[], Task] | None = None) -> None:
        """Wait until everything is loaded, and raise any error of loading.

        `sample` makes a small task: what is loaded at the first use is then shared by all workers.
        """
        if self._workers:
            for future in [self._threads.submit(self._run, None) for _ in self._workers]:
                future.result()
            return
        self._work = self._load()
        if 1 < self._count:
            work, self._work = self._work, None
            if sample:
                work(sample())
            gc.freeze()  # else garbage collection would copy shared memory
            self._start(lambda: work, forked=True)

    def map(
        self, batches: Iterable[Batch], task_of: Callable[[Batch], Task]
    ) -> Iterator[tuple[Batch, Result]]:
        """Yield each batch with the result of its task, in order.

        Only a few batches are in flight at a time, however many there are.
        """
        if self._work:
            for batch in batches:
                yield batch, self._work(task_of(batch))
            return
        in_flight: deque[tuple[Batch, Future[Result]]] = deque()
        for batch in batches:
            in_flight.append((batch, self._threads.submit(self._run, task_of(batch))))
            if self._count * _AHEAD <= len(in_flight):
                first, future = in_flight.popleft()
                yield first, future.result()
        for first, future in in_flight:
            yield first, future.result()

    def _run(self, task: Task | None) -> Any:
        """Send a task to an idle worker; there are as many threads as workers."""
        worker = self._idle.get()
        try:
            return worker.run(task)
        finally:
            self._idle.put(worker)


class _Worker:
    """A process that runs tasks; the task None only loads what is needed.

    `earlier` are the workers that were forked before it; without it the process is not forked.
    """

    def __init__(
        self, load: Callable[[], Callable[[Any], Any]], earlier: Sequence[_Worker] | None
    ) -> None:
        from multiprocessing import get_context  # most runs have one process

        context = get_context("spawn") if earlier is None else get_context("fork")
        self._pipe, other = context.Pipe()
        # A forked process inherits the ends of this one, and a pipe ends when all are closed.
        ours = [] if earlier is None else [self._pipe, *(worker._pipe for worker in earlier)]
        self._process = context.Process(
            target=_serve, args=(other, load, ours), daemon=True, name="veil-worker"
        )
        self._process.start()
        other.close()

    def run(self, task: Any) -> Any:
        try:
            self._pipe.send(task)
            is_done, answer = self._pipe.recv()
        except (EOFError, OSError):
            raise InputError(
                "a worker process was killed, perhaps for lack of memory; use fewer workers "
                "(continue `veil mask` with --resume)"
            ) from None
        if is_done:
            return answer
        raise InputError(answer) if isinstance(answer, str) else answer

    def end(self) -> None:
        """End the process at once: it holds nothing that could be lost."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _can_fork() -> bool:
    """Whether a fork of this process is safe: on Linux, without threads that may hold a lock."""
    return sys.platform == "linux" and threading.active_count() == 1


def _serve(
    pipe: Connection, load: Callable[[], Callable[[Any], Any]], not_ours: Sequence[Connection]
) -> None:
    """Run tasks from the pipe until this process or its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    for end in not_ours:
        end.close()
    gc.disable()
    work = None
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            work = work or load()
            answer: tuple[bool, Any] = (True, None if task is None else work(task))
        except VeilError as error:  # as text: not every error can be pickled
            answer = (False, str(error))
        except Exception as error:
            # Its message may quote a record: only its kind is reported.
            answer = (False, RuntimeError(f"a worker failed ({type(error).__name__})"))
        try:
            pipe.send(answer)
        except OSError:
            return
        if task is not None and not gc.isenabled():
            gc.freeze()  # garbage collection need not check word lists and weights
            gc.enable()
