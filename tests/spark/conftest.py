"""Spark for tests: a session in this process, and a cluster of one master and two workers."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest
from tests.requirements import needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

SECONDS = 600
"""How long a test waits for Spark: a busy machine is no failure."""

KEY = b"planted-key-of-the-tests-4711"
NAME, NUMBER = "Zebulon Quistgaard", "QX-884-2207"
"""What is planted in notes, and may stand in no log."""

_LOG4J = """
status = error
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {file}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %p %c: %m%n%ex
"""


def require_spark() -> None:
    """Skip the test, or fail in CI, where Spark cannot run."""
    if find_spec("pyspark") is None or find_spec("pandas") is None:
        needs("pyspark and pandas: pip install 'veil-deid[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        needs("Java 17 or newer: apt-get install openjdk-17-jre-headless")


@dataclass
class Logs:
    """The folder in which Spark leaves logs and event logs."""

    folder: Path

    def settings(self) -> dict[str, str]:
        """Settings of Spark with which it logs everything there."""
        events = self.folder / "events"
        events.mkdir()
        config = self.folder / "log4j2.properties"
        config.write_text(_LOG4J.format(file=self.folder / "spark.log"))
        return {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": events.as_uri(),
            "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={config.as_uri()}",
        }

    def read(self) -> str:
        """All that was logged."""
        files = [file for file in self.folder.rglob("*") if file.is_file()]
        return "\n".join(file.read_text("utf-8", errors="replace") for file in files)


@pytest.fixture(scope="package")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """The logs of the session."""
    return Logs(tmp_path_factory.mktemp("spark-logs"))


@pytest.fixture(scope="package")
def spark(logs: Logs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on two threads of this machine."""
    require_spark()
    from veil.spark.session import open_session

    session = open_session(
        "local[2]",
        {
            **logs.settings(),
            "spark.driver.memory": "512m",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.log.level": "INFO",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
            "spark.ui.enabled": "false",
        },
    )
    yield session
    session.stop()


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the key of the tests."""
    file = tmp_path_factory.mktemp("keys") / "my.key"
    file.write_bytes(KEY)
    file.chmod(0o600)
    return file


_NOTES = (
    "Mr. {name} was admitted on 12 March 2019 and saw Dr. Hale. His record number is {number}.",
    "Patient: {name}, born on 3/4/1951. Phone 555-867-5309. Dr. Hale examined him in Boston.",
    "The patient {name} went home. He will call Dr. Hale on Monday, 2 May 2022.",
)
_NAMES = (NAME, "Ann Whitfield", "Robert Okafor", "Maria Delgado")


@pytest.fixture(scope="session")
def notes() -> pyarrow.Table:
    """Notes of four patients: some are null or empty, one is in a language without support."""
    texts: list[str | None] = [
        _NOTES[number % len(_NOTES)].format(name=_NAMES[number % len(_NAMES)], number=NUMBER)
        for number in range(20)
    ]
    texts[4], texts[9] = None, ""
    texts[14] = "Der Patient wurde gestern wegen starker Schmerzen aufgenommen und behandelt."
    count = len(texts)
    return pyarrow.table(
        {
            "note_id": pyarrow.array(range(100, 100 + count), pyarrow.int64()),
            "person_id": [None if n == 7 else f"p{n % len(_NAMES)}" for n in range(count)],
            "note_text": texts,
            "name": [_NAMES[n % len(_NAMES)] for n in range(count)],
            "ward": [f"W{n % 3}" for n in range(count)],
            "score": pyarrow.array([n / 4 for n in range(count)], pyarrow.float64()),
        }
    )


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """Wait until a condition holds, and return its value."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.1)
    pytest.fail(f"{what}: not within {SECONDS} seconds")


@dataclass
class Cluster:
    """A master and its workers on this machine."""

    folder: Path
    url: str = ""
    master: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        """Start a master and two workers, on ports that are free."""
        self.master = self._java("master.Master", "--host", "127.0.0.1", "--port", "0")
        self.url = wait_for(self._find_url, "the master")
        for number in range(2):
            work = str(self.folder / f"work-{number}")
            options = ("--host", "127.0.0.1", "--port", "0", "--cores", "1", "--memory", "600m")
            worker = self._java("worker.Worker", *options, "--work-dir", work, self.url)
            self.workers.append(worker)
        wait_for(lambda: self._log("master.Master-0").count("Registering worker") == 2, "workers")

    def _java(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        import pyspark

        home = Path(pyspark.__file__).parent
        java = str(Path(os.environ["JAVA_HOME"], "bin/java")) if "JAVA_HOME" in os.environ else ""
        number = len(self.workers)
        log = (self.folder / f"{kind}-{number}.log").open("wb")
        with log:
            return subprocess.Popen(
                [
                    *(java or "java", "-Xmx256m", "-cp", f"{home / 'jars'}/*"),
                    *(f"org.apache.spark.deploy.{kind}", "--webui-port", "0", *arguments),
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={
                    **os.environ,
                    "SPARK_HOME": str(home),
                    "SPARK_SCALA_VERSION": "2.13",  # else workers look for a build of Spark
                    "PYSPARK_PYTHON": sys.executable,
                },
            )

    def _log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text("utf-8", errors="replace")

    def _find_url(self) -> str:
        log = self._log("master.Master-0")
        found = re.search(r"Starting Spark master at (spark://[\d.]+:\d+)", log)
        return found[1] if found else ""

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """End a process with those that it started, at once."""
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def stop(self) -> None:
        for process in (*self.workers, self.master):
            if process and process.poll() is None:
                self.kill(process)

    def read_logs(self) -> str:
        """What the master, the workers and their executors logged."""
        files = [*self.folder.glob("*.log"), *self.folder.glob("work-*/*/*/std*")]
        return "\n".join(file.read_text("utf-8", errors="replace") for file in files)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster of one master and two workers."""
    require_spark()
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    try:
        made.start()
        yield made
    finally:
        made.stop()
