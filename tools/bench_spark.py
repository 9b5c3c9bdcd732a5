"""Measure masking on Spark against `veil mask` on the same notes.

Dummy notes in English are written as Parquet to a temporary folder, each several times with
different ids. Both programs mask a small table first. Then they mask all notes, alternately. For
each run the script prints characters per second and per second of CPU time of all
processes, and the memory of the Python workers after each tenth of the run (resident set, without
files and shared memory).
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow
from pyarrow import parquet

import veil
import veil.spark
from veil.spark.files import mask_files_on_spark
from veil.spark.session import open_session
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from collections.abc import Callable

_TICKS = os.sysconf("SC_CLK_TCK")
_SECONDS_BETWEEN_LOOKS = 1.0
_WAYS = _BASE, _FILES, _FRAMES = "veil mask", "veil spark", "veil.spark.mask"
_COLUMNS: dict[str, Any] = {
    "text_columns": ["note_text"],
    "id_column": "note_id",
    "patient_column": "person_id",
}


class Process(NamedTuple):
    """A process below this one: its CPU seconds, its own memory in MB, and its command."""

    cpu: float
    memory: float
    command: str


def processes() -> dict[int, Process]:
    """This process and its descendants."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    found = {}
    for pid in below:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            status = Path(f"/proc/{pid}/status").read_text()
            command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        sizes = {
            line.partition(":")[0]: int(line.split()[1]) / 1024
            for line in status.splitlines()
            if line.startswith("Rss")
        }
        cpu = sum(map(int, fields[11:13])) / _TICKS
        found[pid] = Process(cpu, sizes.get("RssAnon", 0.0), command)
    return found


class Watch:
    """Adds up CPU time, and follows the memory of Python workers, while something runs."""

    def __init__(self) -> None:
        self.memory: dict[int, tuple[str, list[float]]] = {}
        self._first = {pid: each.cpu for pid, each in processes().items()}
        self._last: dict[int, float] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()
        self._start = time.perf_counter()

    def stop(self) -> tuple[float, float]:
        """Return the seconds that passed and the seconds of CPU time."""
        seconds = time.perf_counter() - self._start
        self._ended.set()
        self._thread.join()
        self._look()
        return seconds, sum(map(self.cpu_of, self._last))

    def cpu_of(self, pid: int) -> float:
        """The seconds of CPU time of a process."""
        return self._last[pid] - self._first.get(pid, 0.0)

    def shares(self) -> str:
        """The seconds of CPU time of workers, of Java and of this process."""
        kinds: defaultdict[str, float] = defaultdict(float)
        for pid in self._last:
            other = "this process" if pid == os.getpid() else "Java and others"
            kinds["workers" if pid in self.memory else other] += self.cpu_of(pid)
        return ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in sorted(kinds.items()))

    def _follow(self) -> None:
        while not self._ended.wait(_SECONDS_BETWEEN_LOOKS):
            self._look()

    def _look(self) -> None:
        for pid, each in processes().items():
            self._last[pid] = each.cpu
            if pid != os.getpid() and "python" in Path(each.command.partition(" ")[0]).name:
                kind = "worker of Spark" if "pyspark.daemon" in each.command else "worker"
                self.memory.setdefault(pid, (kind, []))[1].append(each.memory)


def write_notes(folder: Path, count: int, distinct: int, files: int) -> int:
    """Write notes as Parquet; return the number of characters."""
    texts = [record.document.text for record in dummy_records("en", min(count, distinct), seed=1)]
    folder.mkdir()
    per_file = -(-count // files)
    characters = 0
    for number, start in enumerate(range(0, count, per_file)):
        rows = range(start, min(count, start + per_file))
        chosen = [texts[row % len(texts)] for row in rows]
        characters += sum(map(len, chosen))
        table = pyarrow.table(
            {"note_id": list(rows), "person_id": [row // 5 for row in rows], "note_text": chosen}
        )
        parquet.write_table(table, folder / f"part-{number:05}.parquet")
    return characters


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--distinct", type=int, default=2000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--lang", default=None)
    parser.add_argument("--ways", nargs="+", choices=_WAYS, default=_WAYS)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_notes(folder / "warm", 200, 200, args.workers)
        characters = write_notes(folder / "notes", args.notes, args.distinct, args.files)
        print(f"{args.notes:,} notes, {characters:,} characters, {args.files} files")
        session = open_session(f"local[{args.workers}]", {"spark.ui.enabled": "false"})
        key = veil.Key(b"a key for measurements")

        def on_spark(source: Path, target: Path) -> None:
            mask_files_on_spark(
                source,
                target,
                session=session,
                policy="surrogate",
                key=key,
                lang=args.lang,
                **_COLUMNS,
            )

        def as_dataframe(source: Path, target: Path) -> None:
            frame = session.read.parquet(str(source))
            masked = veil.spark.mask(
                frame,
                text="note_text",
                id="note_id",
                patient="person_id",
                key=key,
                language=args.lang,
            )
            masked.write.parquet(str(target))

        def in_processes(source: Path, target: Path) -> None:
            veil.mask_files(
                source,
                target,
                policy="surrogate",
                key=key,
                workers=args.workers,
                lang=args.lang,
                **_COLUMNS,
            )

        ways: dict[str, Callable[[Path, Path], None]] = {
            _BASE: in_processes,
            _FILES: on_spark,
            _FRAMES: as_dataframe,
        }
        ways = {way: run for way, run in ways.items() if way in args.ways}
        for way, run in ways.items():
            run(folder / "warm", folder / f"warm-{way}")
        speeds = defaultdict(list)
        for number in range(args.runs):
            for way, run in ways.items():
                watch = Watch()
                run(folder / "notes", folder / f"{way}-{number}")
                seconds, cpu = watch.stop()
                speeds[way].append((characters / seconds, characters / cpu))
                print(
                    f"{way:16} {seconds:8.1f} s {characters / seconds:12,.0f} characters/s "
                    f"{characters / cpu:12,.0f} characters/s of CPU"
                )
                print(f"    CPU seconds: {watch.shares()}")
                for pid, (kind, sizes) in watch.memory.items():
                    if (
                        watch.cpu_of(pid) > seconds / 10
                    ):  # other processes wait, or only start workers
                        marks = [sizes[(len(sizes) - 1) * tenth // 10] for tenth in range(1, 11)]
                        shown = " ".join(f"{size:.0f}" for size in marks)
                        print(f"    {kind}, MB after each tenth: {shown}; most: {max(sizes):.0f}")
        base = speeds[_BASE]
        for way in (way for way in ways if _BASE in ways and way != _BASE):
            wall, cpu = (
                statistics.median(
                    own[index] / other[index] for own, other in zip(speeds[way], base, strict=True)
                )
                for index in (0, 1)
            )
            print(f"{way}: {wall:.2f} of the throughput of veil mask, {cpu:.2f} by CPU time")
        session.stop()


if __name__ == "__main__":
    main()
