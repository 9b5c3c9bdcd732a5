from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLANTED = "Zebulon Quartermain"
"""A name that the tests send in every way; it must never appear in a log."""
_START_SECONDS = 300
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@dataclass
class Server:
    """A running `veil serve`: its address, its process and its log."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def client(self, **options: Any) -> httpx.Client:
        options.setdefault("timeout", 300)
        return httpx.Client(base_url=self.url, headers=self.headers, trust_env=False, **options)

    def stop(self) -> int:
        """End the server in good order and return its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=60)


@contextmanager
def running(folder: Path, *options: str, ready: bool = True) -> Iterator[Server]:
    """Run `veil serve` on a free port; by default wait until it is ready."""
    log = folder / "serve.log"
    command = [sys.executable, "-m", "veil", "serve", "--port", "0", *options]
    with log.open("wb") as written:
        process = subprocess.Popen(
            command, stderr=written, stdout=written, env=os.environ | _ONE_THREAD, cwd=folder
        )
    try:
        server = Server(_address(process, log), process, log)
        if ready:
            _wait_until_ready(server)
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if found := re.search(r"listening on (\S+)", log.read_text("utf-8")):
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(f"the service did not start:\n{log.read_text('utf-8')}")


def _wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        if "info ready" in (log := server.log.read_text("utf-8")) or '"ready"' in log:
            return
        time.sleep(0.05)
    raise AssertionError(f"the service is not ready:\n{server.log.read_text('utf-8')}")


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("key") / "my.key"
    file.write_text("0123456789abcdef0123456789abcdef\n", "ascii")
    return file


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, key_file: Path) -> Iterator[Server]:
    """A service with all languages and small limits, for all tests that change nothing in it."""
    folder = tmp_path_factory.mktemp("serve")
    options = ("--workers", "2", "--key-file", str(key_file), "--max-size", "1")
    limits = (
        "--read-timeout",
        "8",
        "--max-requests",
        "60",
        "--log-format",
        "json",
        "--time-limit",
        "300",
    )
    with running(folder, *options, *limits) as started:
        yield started
        assert started.stop() in (0, -15)
        log = started.log.read_text("utf-8")
        assert PLANTED.split()[0] not in log, "planted text is in the log"
        assert PLANTED.split()[1] not in log, "planted text is in the log"
        for line in log.splitlines():
            if not line.startswith("veil: "):
                json.loads(line)


@pytest.fixture(scope="session")
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as opened:
        yield opened
