"""Worker processes: requests are processed outside the process that serves clients.

On Linux a nursery process loads the pipeline once and forks workers when they are needed: workers
share its memory, and a killed worker is replaced at once. Elsewhere each worker is a new process
that loads its own pipeline. A worker runs one task at a time; a task over the time limit is killed
with its process, so that no text can stop the service.

`python -m veil.serve.workers FD` is a nursery or a worker, connected by an inherited socket.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, VeilError
from veil.serve.engine import Answer, Engine, WithheldError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from veil.serve.engine import EngineOptions

    Task = tuple[str, Mapping[str, Any]]

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_NURSERY, _WORKER = "nursery", "worker"
_FORK, _KILL = b"fork", b"kill"
_LONGEST_COMMAND = 64
_DONE, _WITHHELD, _FAILED = range(3)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


class TimeLimitError(Exception):
    """A task took longer than the limit and was killed."""


class WorkerLostError(Exception):
    """A worker ended during a task, perhaps for lack of memory."""


class BusyError(Exception):
    """No worker became free in time."""


class TaskFailedError(Exception):
    """A task failed; the message is only the type of the error, as others may quote a record."""


class Workers:
    """Worker processes, and the requests that wait for them."""

    def __init__(
        self,
        options: EngineOptions,
        count: int,
        *,
        time_limit: float,
        forked: bool = sys.platform == "linux",
    ) -> None:
        self._options = options
        self._count = count
        self._time_limit = time_limit
        self._forked = forked
        self._nursery: _Nursery | None = None
        self._idle: asyncio.Queue[_Process] = asyncio.Queue()
        self._all: set[_Process] = set()
        self._threads = ThreadPoolExecutor(count + 1, thread_name_prefix="veil-worker")
        self._replacements: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.is_ready = False
        self.waiting = 0
        self.replaced = 0

    async def start(self) -> None:
        """Start all workers; raise an error if they cannot load what they need."""
        loop = asyncio.get_running_loop()
        if self._forked:
            self._nursery = await loop.run_in_executor(self._threads, _Nursery, self._options)
        for _ in range(self._count):
            self._idle.put_nowait(await loop.run_in_executor(self._threads, self._new))
        self.is_ready = True

    def close(self) -> None:
        """Kill all processes at once; they have no state that could be lost."""
        self._is_closed = True
        self.is_ready = False
        for process in [*self._all]:
            process.kill()
        while not self._idle.empty():
            self._idle.get_nowait().close()
        if self._nursery:
            self._nursery.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, task: str, **options: Any) -> Answer:
        """Run a task in the first free worker."""
        self.waiting += 1
        try:
            async with asyncio.timeout(self._time_limit):
                process = await self._idle.get()
        except TimeoutError:
            raise BusyError from None
        finally:
            self.waiting -= 1
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._threads, process.run, (task, options))
        timer = loop.call_later(self._time_limit, process.kill)
        # The worker is free only when its task has ended, even if the request was cancelled.
        future.add_done_callback(partial(self._release, process, timer))
        return await asyncio.shield(future)

    def _new(self) -> _Process:
        process = self._nursery.fork() if self._nursery else _spawned(_WORKER, self._options)
        self._all.add(process)
        return process

    def _release(
        self, process: _Process, timer: asyncio.TimerHandle, future: asyncio.Future[Answer]
    ) -> None:
        timer.cancel()
        if not future.cancelled():
            future.exception()  # a cancelled request is not an error
        if process.is_usable:
            self._idle.put_nowait(process)
        elif not self._is_closed:
            self._all.discard(process)
            self.replaced += 1
            task = asyncio.get_running_loop().create_task(self._replace())
            self._replacements.add(task)
            task.add_done_callback(self._replacements.discard)

    async def _replace(self) -> None:
        """Replace a worker that ended; retry until a new one starts."""
        pause = _FIRST_PAUSE
        while not self._is_closed:
            try:
                loop = asyncio.get_running_loop()
                process = await loop.run_in_executor(self._threads, self._new)
            except (OSError, VeilError, WorkerLostError):
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                self._idle.put_nowait(process)
                return


class _Process:
    """The handle of a worker process: its socket, and how to kill it."""

    def __init__(self, end: Connection, kill: Callable[[], None]) -> None:
        self._end = end
        self._kill = kill
        self._killed = False
        self.is_usable = True

    def run(self, task: Task) -> Answer:
        """Send a task and wait for its result, in a thread."""
        try:
            self._end.send(task)
            kind, result = self._end.recv()
        except (EOFError, OSError):
            self.is_usable = False
            self.close()
            raise (TimeLimitError if self._killed else WorkerLostError) from None
        if kind == _DONE:
            return Answer(*result)
        raise (WithheldError if kind == _WITHHELD else TaskFailedError)(result)

    def kill(self) -> None:
        self._killed = True
        self._kill()

    def close(self) -> None:
        self._end.close()


class _Nursery:
    """The process from which workers are forked."""

    def __init__(self, options: EngineOptions) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = ours
        self._lock = threading.Lock()
        try:
            with theirs:
                self._end, self._process = _started(_NURSERY, options, theirs.fileno())
        except BaseException:
            ours.close()
            raise

    def fork(self) -> _Process:
        """Fork a worker."""
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            try:
                socket.send_fds(self._control, [_FORK], [theirs.fileno()])
                pid = self._control.recv(_LONGEST_COMMAND)
            except OSError:
                pid = b""
        if not pid:
            ours.close()
            raise WorkerLostError
        return _Process(Connection(ours.detach()), partial(self._kill, pid))

    def _kill(self, pid: bytes) -> None:
        with suppress(OSError):
            self._control.send(_KILL + b" " + pid)

    def close(self) -> None:
        """End the nursery, which ends its workers."""
        self._control.close()
        self._end.close()
        try:
            self._process.wait(timeout=_LONGEST_PAUSE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _spawned(kind: str, options: EngineOptions) -> _Process:
    end, process = _started(kind, options)

    def kill() -> None:
        process.kill()
        process.wait()

    return _Process(end, kill)


def _started(
    kind: str, options: EngineOptions, *more: int
) -> tuple[Connection, subprocess.Popen[bytes]]:
    """Start a process and wait until it has loaded everything."""
    ours, theirs = socket.socketpair()
    with theirs:
        passed = (theirs.fileno(), *more)
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", __name__, *map(str, passed)],
            pass_fds=passed,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if os.environ.get("VEIL_DEBUG") else subprocess.DEVNULL,  # may quote texts
            env=os.environ | _ONE_THREAD,
        )
    end = Connection(ours.detach())
    try:
        end.send((kind, options))
        problem = end.recv()
    except (EOFError, OSError):
        problem = None
    if problem == "":
        return end, process
    end.close()
    process.wait()
    raise InputError(problem) if problem else WorkerLostError()


def main(arguments: list[str]) -> None:
    """Run as a nursery or a worker until the parent process closes the socket."""
    for name in (signal.SIGINT, signal.SIGTERM):  # the other process decides when to stop
        signal.signal(name, signal.SIG_IGN)
    fds = list(map(int, arguments))
    end = Connection(fds[0])
    kind, options = end.recv()
    engine = None
    try:
        engine = Engine(options)
        engine.warm_up()
        problem = ""
    except VeilError as error:
        problem = str(error)
    except Exception as error:
        problem = f"the workers cannot start ({type(error).__name__})"
    end.send(problem)
    if problem or engine is None:
        return
    gc.collect()
    gc.freeze()  # scanning models and word lists would take time and copy memory
    if kind == _NURSERY:
        _nurse(socket.socket(fileno=fds[1]), end, engine)
    else:
        _work(end, engine)


def _nurse(control: socket.socket, end: Connection, engine: Engine) -> None:
    """Fork and kill workers on request."""
    children: set[int] = set()
    while True:
        try:
            command, fds, _, _ = socket.recv_fds(control, _LONGEST_COMMAND, 1)
        except OSError:
            command, fds = b"", []
        if not command:
            break
        children -= _ended(children)
        name, _, argument = command.partition(b" ")
        if name == _FORK:
            pid = os.fork()
            if pid == 0:
                control.close()
                end.close()
                try:
                    _work(Connection(fds[0]), engine)
                finally:
                    os._exit(0)
            os.close(fds[0])
            children.add(pid)
            control.send(str(pid).encode())
        elif name == _KILL and int(argument) in children:
            os.kill(int(argument), signal.SIGKILL)
    for pid in children - _ended(children):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _ended(children: set[int]) -> set[int]:
    """The processes that have ended; their process ids were not reused before this call."""
    return {pid for pid in children if os.waitpid(pid, os.WNOHANG)[0]}


def _work(end: Connection, engine: Engine) -> None:
    """Run the tasks from the socket until the other process closes it."""
    while True:
        try:
            task, options = end.recv()
        except (EOFError, OSError):
            return
        answer: tuple[int, object]
        try:
            answer = _DONE, tuple(engine.run(task, options))
        except WithheldError as error:
            answer = _WITHHELD, str(error)
        except Exception as error:
            # The message may quote a record: report only the type.
            answer = _FAILED, type(error).__name__
        try:
            end.send(answer)
        except OSError:
            return


if __name__ == "__main__":
    main(sys.argv[1:])
