"""Speed of the service: requests to a running `veil serve`, beside the library in one process."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, NamedTuple

from veil.bench.tables import Report, Table
from veil.core.document import Document
from veil.core.errors import VeilError, require
from veil.detect.assembly import DetectionOptions
from veil.masking.masker import Masker
from veil.replace.policy import load_policy
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NOTES = 50
_CHARACTERS = 3000
_START_SECONDS = 120
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_WARM_UP = 20
_SHORTEST = 1e-6


def service_benchmark(
    language: str, *, policy: str, workers: int, seconds: float, seed: int = 0
) -> Report:
    """Measure `POST /mask` of notes with 3,000 characters, one client first, then several.

    The library masks the same notes in one process in the same run, one call for each.
    """
    for module in ("fastapi", "uvicorn"):
        require(module, extra="serve")
    texts = _texts(language, seed)
    library = _library(texts, language, policy, seconds)
    with _served(language, policy, workers) as (process, port):
        _ask(port, texts, seconds=0.0, least=_WARM_UP * workers)
        clients = 2 * workers
        measured = [_service(process, port, texts, seconds, count) for count in (1, clients)]
    rows = {
        name: (*run.row(), run.cpu_per_call / library.cpu_per_call, run.rate / library.rate)
        for name, run in zip(
            ("library, one process", "service, 1 client", f"service, {clients} clients"),
            (library, *measured),
            strict=True,
        )
    }
    columns = ("p50 ms", "p95 ms", "per second", "CPU ms a call", "CPU/library", "rate/library")
    heading = (
        f"POST /mask, {_NOTES} notes of {_CHARACTERS:,} characters ({language}), policy {policy}, "
        f"{workers} worker(s), {os.cpu_count()} core(s)"
    )
    return Report(heading, [Table("one note per call", columns, rows)])


class _Run(NamedTuple):
    """The seconds of each call, their total time, and their CPU seconds."""

    taken: Sequence[float]
    elapsed: float
    cpu: float

    @property
    def rate(self) -> float:
        return len(self.taken) / self.elapsed

    @property
    def cpu_per_call(self) -> float:
        return self.cpu / len(self.taken)

    def row(self) -> tuple[float, ...]:
        cuts = quantiles(self.taken, n=100, method="inclusive")
        return 1e3 * cuts[49], 1e3 * cuts[94], self.rate, 1e3 * self.cpu_per_call


def _service(process: int, port: int, texts: Sequence[str], seconds: float, clients: int) -> _Run:
    """Run concurrent clients; the CPU time is that of the service, without the clients."""
    begun, cpu = time.perf_counter(), _cpu_of_tree(process)
    with ThreadPoolExecutor(clients) as threads:
        asked = [
            threads.submit(_ask, port, texts, seconds, first=each * _NOTES // clients)
            for each in range(clients)
        ]
        taken = [latency for each in asked for latency in each.result()]
    return _Run(taken, time.perf_counter() - begun, _cpu_of_tree(process) - cpu)


def _cpu_of_tree(process: int) -> float:
    """The CPU seconds of a process and its descendants."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text("utf-8", errors="replace").rpartition(")")[2]
            values = fields.split()
            parents[int(folder.name)] = int(values[1])
            ticks[int(folder.name)] = int(values[11]) + int(values[12])
    below = {process}
    while more := {each for each, parent in parents.items() if parent in below} - below:
        below |= more
    return max(_SHORTEST, sum(ticks.get(each, 0) for each in below) / os.sysconf("SC_CLK_TCK"))


def _texts(language: str, seed: int) -> list[str]:
    """Notes of the same length, each joined from dummy records."""
    texts, joined = [], ""
    for record in dummy_records(language, _NOTES * 8, seed=seed):
        joined += record.document.text + "\n\n"
        if _CHARACTERS <= len(joined):
            texts.append(joined[:_CHARACTERS])
            joined = ""
        if len(texts) == _NOTES:
            return texts
    return texts


def _library(texts: Sequence[str], language: str, policy: str, seconds: float) -> _Run:
    pipeline = DetectionOptions(lang=language).load(veil_labels=True)
    masker = Masker(pipeline, load_policy(policy))
    docs = [Document("text", text, language) for text in texts]
    for doc in docs[:_WARM_UP]:
        masker.mask(doc)
    taken: list[float] = []
    cpu = time.process_time()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(taken) < 2:
        begun = time.perf_counter()
        masker.mask(docs[len(taken) % len(docs)])
        taken.append(time.perf_counter() - begun)
    return _Run(taken, sum(taken), max(_SHORTEST, time.process_time() - cpu))


@contextmanager
def _served(language: str, policy: str, workers: int) -> Iterator[tuple[int, int]]:
    """Run the service on a free port: its process and the port."""
    command = [sys.executable, "-m", "veil", "serve", "--port", "0", "--lang", language]
    command += ["--policy", policy, "--workers", str(workers), "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with log.open("wb") as written:
            process = subprocess.Popen(  # noqa: S603 - our own program
                command, stdout=subprocess.DEVNULL, stderr=written, env=os.environ | _ONE_THREAD
            )
        try:
            yield process.pid, _port(process, log)
        finally:
            process.terminate()
            process.wait()


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        text = log.read_text("utf-8")
        if " info ready" in text and (found := re.search(r":(\d+) \(", text)):
            return int(found[1])
        time.sleep(0.05)
    raise VeilError("the service did not start")


def _ask(
    port: int, texts: Sequence[str], seconds: float, *, first: int = 0, least: int = 2
) -> list[float]:
    """Send notes one by one over one connection; return the seconds of each."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_START_SECONDS)
    headers = {"content-type": "application/json"}
    bodies = [json.dumps({"text": text}).encode() for text in texts]
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(taken) < least:
        begun = time.perf_counter()
        connection.request("POST", "/mask", bodies[(first + len(taken)) % len(bodies)], headers)
        response = connection.getresponse()
        response.read()
        taken.append(time.perf_counter() - begun)
        if response.status != http.client.OK:
            raise VeilError(f"the service answered with {response.status}")
    connection.close()
    return taken
