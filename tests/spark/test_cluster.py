"""A cluster that loses a worker gives the same result."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.spark.conftest import KEY, NAME, NUMBER, SECONDS, Cluster, wait_for
from tests.spark.test_files import contents

from veil.masking.files import mask_files
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from pathlib import Path

FILES = 12


def test_a_worker_that_is_killed_changes_nothing(
    cluster: Cluster, tmp_path: Path, key_file: Path
) -> None:
    """While files are masked a worker is killed: no row is missing or doubled, and none differs."""
    notes = tmp_path / "notes"
    notes.mkdir()
    texts = [record.document.text for record in dummy_records("en", 30, seed=3)]
    for number in range(FILES):
        # The longest file is begun first: it keeps a worker busy while the other ones are masked.
        rows = [
            {"id": f"{number}-{row}", "patient": f"p{row}", "text": f"{NAME}, {NUMBER}. {text}"}
            for row, text in enumerate(texts * 10 if number == 0 else texts)
        ]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (notes / f"{number:02}.jsonl").write_text(lines)
    out, events = tmp_path / "out", tmp_path / "events"
    events.mkdir()
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.executor.memory": "512m",
        "spark.ui.enabled": "false",
    }
    command = [sys.executable, "-m", "veil", "spark", notes, "-o", out, "--master", cluster.url]
    command += ["--policy", "surrogate", "--key-file", key_file, "--lang", "en", "--model", "rules"]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    with (tmp_path / "driver.log").open("wb") as log:
        driver = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)
    try:
        done = out / ".veil-mask" / "done"
        wait_for(lambda: driver.poll() is not None or any(done.glob("*.json")), "a file")
        cluster.kill(cluster.workers[0])
        code = driver.wait(SECONDS)
    finally:
        if driver.poll() is None:
            driver.kill()
            driver.wait()
    printed = (tmp_path / "driver.log").read_text()
    assert code == 0, printed
    mask_files(
        notes, tmp_path / "expected", policy="surrogate", key=key_file, lang="en", model="rules"
    )
    assert contents(out) == contents(tmp_path / "expected")
    recorded = "".join(file.read_text() for file in events.rglob("*") if file.is_file())
    assert "SparkListenerExecutorRemoved" in recorded
    everything = recorded + printed + cluster.read_logs()
    for secret in (KEY.decode(), KEY.hex(), NAME, NAME.split()[1], NUMBER):
        assert secret not in everything
