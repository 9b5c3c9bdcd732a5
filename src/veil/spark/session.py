"""Spark for Veil: sessions, tasks on workers, and objects that workers load once.

Errors on a worker are logged there and on the driver, so they must not quote a record: tasks raise
errors that contain messages of Veil, or only the type of an error.
"""

from __future__ import annotations

import atexit
import gc
import os
import pickle
import re
import shutil
import sys
import tempfile
import uuid
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

import veil
from veil.core.errors import InputError, VeilError, failure, require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import SparkSession

T = TypeVar("T")
R = TypeVar("R")
W = TypeVar("W")

EXTRA = "spark"
_MARK = "[veil]"
_MESSAGE = re.compile(re.escape(_MARK) + "(.*?)" + re.escape(_MARK), re.DOTALL)
_MISSING = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_SECONDS_BETWEEN_LOOKS = 0.5
_MOST_LOADED = 2
# The workers merge this many results into one before the driver gets it.
_FEW_RESULTS = 16


def open_session(master: str, settings: Mapping[str, str] | None = None) -> SparkSession:
    """Start a session, or return the running one.

    Workers run the Python of this process unless the environment sets another. Spark encrypts what
    it writes to disk, since broadcasts and spilled data contain keys and texts.
    """
    require("pyspark", extra=EXTRA)
    from pyspark.errors.exceptions.base import PySparkRuntimeError
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("veil").master(master)
    defaults = {
        "spark.io.encryption.enabled": "true",
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": "false",
    }
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for name, value in {**defaults, **(settings or {})}.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except PySparkRuntimeError:
        raise InputError("Spark does not start: it needs Java 17 or newer (JAVA_HOME)") from None
    except Exception as error:  # what Java raises has a class of its own
        raise InputError(f"Spark does not start at {master}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    """The Java error when a session cannot start; no record has been read yet."""
    raised = getattr(error, "java_exception", None)
    message = str(raised.getMessage() if raised else error)
    return message.partition("\n")[0] or _kind(error)


def _kind(error: Exception) -> str:
    """The type of an error of Java or Python."""
    raised = getattr(error, "java_exception", None)
    return str(raised.getClass().getSimpleName()) if raised else type(error).__name__


class TaskError(Exception):
    """An error of a task whose message contains no text of a record."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{_MARK}{message}{_MARK}")


def in_worker(work: Callable[[W, T], R], shared: W, task: T) -> R:
    """Run a task on a worker; an unexpected error is reported by its type."""
    try:
        return work(shared, task)
    except VeilError as error:
        message = str(error)
    except OSError as error:
        message = f"{error.filename or 'file'}: {error.strerror}"
    except Exception as error:
        message = failure("a task", error)
    raise TaskError(message)


def run_tasks(
    session: SparkSession,
    work: Callable[[W, T], R],
    shared: W,
    tasks: Sequence[T],
    step: Callable[[float, int, int], None] | None = None,
) -> list[R]:
    """Run tasks on the workers of Spark; return their results in order.

    With `step` the last two values of each result are counts, of which the sums are reported
    while tasks run, with the share of tasks that are done.
    """
    if not tasks:
        return []
    from pyspark import InheritableThread

    context = session.sparkContext
    counts = [context.accumulator(0), context.accumulator(0)] if step else []

    def do(task: T) -> R:
        result = in_worker(work, shared, task)
        for count, value in zip(counts, result[-2:] if counts else (), strict=True):  # type: ignore[index]
            count.add(value)
        return result

    group = f"veil-{uuid.uuid4().hex}"
    results: list[R] = []
    errors: list[Exception] = []

    def collect() -> None:
        context.setJobGroup(group, "veil", interruptOnCancel=True)
        try:
            results.extend(context.parallelize(tasks, len(tasks)).map(do).collect())
        except Exception as error:
            errors.append(error)

    thread = InheritableThread(target=collect, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_SECONDS_BETWEEN_LOOKS)
            if step:
                step(_share_done(context, group, len(tasks)), *(each.value for each in counts))
    except BaseException:  # an interrupt ends the job, too
        context.cancelJobGroup(group)
        raise
    if errors:
        raise as_input_error(errors[0]) from None
    return results


def _share_done(context: Any, group: str, count: int) -> float:
    tracker = context.statusTracker()
    done = 0
    for job in tracker.getJobIdsForGroup(group):
        found = tracker.getJobInfo(job)
        stages = found.stageIds if found else ()
        infos = [info for stage in stages if (info := tracker.getStageInfo(stage))]
        done += sum(info.numCompletedTasks for info in infos)
    return min(1.0, done / count)


def merge_tasks(
    session: SparkSession,
    work: Callable[[W, T], R],
    shared: W,
    tasks: Sequence[T],
    merge: Callable[[R, R], R],
) -> R | None:
    """Run tasks on the workers, add up their results there, and return the sum."""
    if not tasks:
        return None

    def do(task: T) -> R:
        return in_worker(work, shared, task)

    try:
        results = session.sparkContext.parallelize(tasks, len(tasks)).map(do)
        merged: R = results.treeReduce(merge, depth=1 if len(tasks) <= _FEW_RESULTS else 2)
    except Exception as error:
        raised = as_input_error(error)
    else:
        return merged
    raise raised


def as_input_error(error: Exception) -> Exception:
    """The error of a task as an error for the user."""
    if isinstance(error, VeilError):
        return error
    message = _MESSAGE.search(str(error))
    if message:
        return InputError(message[1])
    if missing := _MISSING.search(str(error)):
        return InputError(
            f"the Python of the workers lacks the package '{missing[1]}'; install Veil with the "
            "extra spark there, and set PYSPARK_PYTHON to that Python. --ship copies Veil itself"
        )
    return InputError(
        f"the Spark job failed ({_kind(error)}); all files written are complete; correct the "
        "problem and continue with --resume"
    )


_loaded: dict[str, Any] = {}
_unused: set[str] = set()


def loaded(token: str, make: Callable[[], T]) -> T:
    """The object that this Python worker has loaded under a token; created at first use."""
    if token not in _loaded:
        while _MOST_LOADED <= len(_loaded):
            del _loaded[next(iter(_loaded))]
        _loaded[token] = make()
        _unused.add(token)
        gc.freeze()  # scanning word lists and weights for garbage takes time
    made: T = _loaded[token]
    return made


def after_use(token: str) -> None:
    """Exclude the objects loaded for a token from garbage collection, once."""
    if token in _unused:
        _unused.remove(token)
        gc.freeze()


def forget(token: str) -> None:
    """Free the memory of the object loaded under a token."""
    if _loaded.pop(token, None) is not None:
        gc.unfreeze()
        gc.collect()


def token_of(made_with: Any) -> str:
    """A token for the object that is loaded with these options."""
    return sha256(pickle.dumps(made_with)).hexdigest()


NAMED_FILES = ("model", "own_rules", "known", "allow", "deny")
"""The detection options that can be paths."""


def ship(session: SparkSession, options: Mapping[str, Any]) -> None:
    """Copy Veil, and the files and folders that options name, to the workers, with the job.

    A table of known patients is not copied: it would stay on the disks of the workers.
    """
    # Python workers import from the folder of a job's files before their own packages.
    package = Path(veil.__file__).parent
    if not any(each.endswith(f"#{package.name}") for each in session.sparkContext.listArchives):
        _send(session, package, package, package.name)
    for name in NAMED_FILES:
        path = Path(options.get(name) or "")
        if name != "known" and options.get(name) and path.exists():
            path = path.resolve()
            _send(session, path, path.parent, _shipped_name(path))


def _send(session: SparkSession, path: Path, root: Path, name: str) -> None:
    """Unpack a file or folder on the workers, in a folder with a name."""
    folder = Path(tempfile.mkdtemp(prefix="veil-"))  # Spark reads it until the job ends
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    archive = folder / f"{folder.name}.zip"  # no two archives of a session have the same name
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=1, strict_timestamps=False) as packed:
        for file in sorted([path, *path.rglob("*")]):
            if file.is_file() and file.suffix != ".pyc":
                packed.write(file, file.relative_to(root))
    session.sparkContext.addArchive(f"{archive}#{name}")


def _shipped_name(path: Path) -> str:
    """The folder of a copy on a worker, different for equal names in different folders."""
    return f"veil-{sha256(os.fsencode(path)).hexdigest()[:16]}"


def moved(options: Any) -> dict[str, Any]:
    """The copies on this worker, by option, of paths that do not exist here."""
    from pyspark import SparkFiles

    roots = [Path.cwd()]
    with suppress(AssertionError):  # outside Spark there are no copies
        roots.insert(0, Path(SparkFiles.getRootDirectory()))
    found: dict[str, Any] = {}
    for name in NAMED_FILES:
        given = getattr(options, name)
        if not given or Path(given).exists():
            continue
        path = Path(given)
        for root in roots:
            for copy in (root / _shipped_name(path) / path.name, root / path.name):
                if copy.exists():
                    found.setdefault(name, copy)
    return found
