"""One pool for everything that runs in several processes: the same results in the same order."""

from __future__ import annotations

import gc
import signal
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from veil.core.errors import InputError, VeilError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from types import TracebackType
    from typing import Self

Batch = TypeVar("Batch")
Task = TypeVar("Task")
Result = TypeVar("Result")

# Batches under way for each worker: one that it works on and one that waits.
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
        self._threads = ThreadPoolExecutor(workers)

    def __enter__(self) -> Self:
        """Start the processes, which load what they need."""
        if 1 < self._count:
            for _ in range(self._count):
                worker = _Worker(self._load)
                self._workers.append(worker)
                self._idle.put(worker)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(cancel_futures=True)

    def wait(self) -> None:
        """Wait until everything is loaded, and raise what is wrong with it."""
        if self._workers:
            for future in [self._threads.submit(self._run, None) for _ in self._workers]:
                future.result()
        else:
            self._work = self._load()

    def map(
        self, batches: Iterable[Batch], task_of: Callable[[Batch], Task]
    ) -> Iterator[tuple[Batch, Result]]:
        """Yield each batch with the result of its task, in order.

        Only a few batches are under way at a time, however many there are.
        """
        if self._work:
            for batch in batches:
                yield batch, self._work(task_of(batch))
            return
        under_way: deque[tuple[Batch, Future[Result]]] = deque()
        for batch in batches:
            under_way.append((batch, self._threads.submit(self._run, task_of(batch))))
            if self._count * _AHEAD <= len(under_way):
                first, future = under_way.popleft()
                yield first, future.result()
        for first, future in under_way:
            yield first, future.result()

    def _run(self, task: Task | None) -> Any:
        """Send a task to an idle worker; there are as many threads as workers."""
        worker = self._idle.get()
        try:
            return worker.run(task)
        finally:
            self._idle.put(worker)


class _Worker:
    """A process that does what it is sent; None only makes it load what it needs."""

    def __init__(self, load: Callable[[], Callable[[Any], Any]]) -> None:
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(other, load), daemon=True, name="veil-worker"
        )
        self._process.start()
        other.close()

    def run(self, task: Any) -> Any:
        try:
            self._pipe.send(task)
            is_done, answer = self._pipe.recv()
        except (EOFError, OSError):
            raise InputError(
                "a worker process was ended, perhaps for lack of memory; use fewer workers "
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


def _serve(pipe: Connection, load: Callable[[], Callable[[Any], Any]]) -> None:
    """Do what comes through the pipe until this process or its parent is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
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
            gc.freeze()  # word lists and weights stay: looking through them takes time
            gc.enable()
