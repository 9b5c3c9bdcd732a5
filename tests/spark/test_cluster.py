"""A cluster that loses a worker, or has no Veil, gives the same result."""

from __future__ import annotations

import json
import os
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pyspark
from tests.spark.conftest import KEY, NAME, NUMBER, SECONDS, Cluster, wait_for
from tests.spark.test_files import contents

import veil
from veil.masking.files import mask_files
from veil.synth.notes import dummy_records

FILES = 12
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.ui.enabled": "false",
}


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
    logged = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
    }
    command = [sys.executable, "-m", "veil", "spark", notes, "-o", out, "--master", cluster.url]
    command += ["--policy", "surrogate", "--key-file", key_file, "--lang", "en", "--model", "rules"]
    for name, value in {**SETTINGS, **logged}.items():
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


DRIVER = """
import sys
from pathlib import Path

from veil.cli import main
from veil.spark import files

run_tasks, mine = files.run_tasks, Path(sys.argv[1])


def run_without_files(*given):
    hidden = mine.rename(mine.with_name("hidden"))
    try:
        return run_tasks(*given)
    finally:
        hidden.rename(mine)


files.run_tasks = run_without_files
sys.exit(main(sys.argv[2:]))
"""


def python_without_veil(folder: Path) -> Path:
    """A Python that has all packages of this one except for Veil."""
    packages = folder / "packages"
    packages.mkdir()
    for place in {*map(Path, site.getsitepackages()), Path(pyspark.__file__).parents[1]}:
        for path in place.glob("*"):
            is_veil = path.name == "veil" or path.suffix == ".pth"
            if not is_veil and not (packages / path.name).exists():
                (packages / path.name).symlink_to(path)
    python = folder / "python"
    # -S: what is installed in place, as Veil may be, is not found.
    python.write_text(f'#!/bin/sh\nPYTHONPATH={packages} exec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    return python


def test_veil_and_its_files_are_shipped(cluster: Cluster, tmp_path: Path, key_file: Path) -> None:
    """Workers that have neither Veil nor the model and lists of the user get them with the job."""
    mine, notes = tmp_path / "mine", tmp_path / "notes"
    notes.mkdir()
    shutil.copytree(Path(veil.__file__).parent / "models" / "veil-sv", mine / "model")
    (mine / "deny.txt").write_text("remsiffra\n", "utf-8")
    rows = [
        {"id": str(number), "text": f"{record.document.text} Remsiffra 4."}
        for number, record in enumerate(dummy_records("sv", 20, seed=3))
    ]
    (notes / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    python = python_without_veil(tmp_path)

    def run(name: str, *more: str) -> tuple[int, str]:
        options = ["--policy", "surrogate", "--key-file", key_file, "--lang", "sv"]
        options += ["--model", mine / "model", "--deny", mine / "deny.txt", *more]
        for setting, value in SETTINGS.items():
            options += ["--conf", f"{setting}={value}"]
        command = [sys.executable, "-c", DRIVER, mine]
        command += ["spark", notes, "-o", tmp_path / name, "--master", cluster.url, *options]
        made = subprocess.run(
            list(map(str, command)),
            env={**os.environ, "PYSPARK_PYTHON": str(python)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
        return made.returncode, made.stdout.decode("utf-8", errors="replace")

    code, printed = run("without")
    assert code != 0
    assert "lacks the package 'veil'" in printed
    code, printed = run("out", "--ship")
    assert code == 0, printed
    mask_files(
        notes,
        tmp_path / "expected",
        policy="surrogate",
        key=key_file,
        lang="sv",
        model=mine / "model",
        deny=mine / "deny.txt",
    )
    assert contents(tmp_path / "out") == contents(tmp_path / "expected")
    assert b"emsiffra" not in (tmp_path / "out" / "a.jsonl").read_bytes()
