"""The example plug-in works when its entry points are installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "examples" / "plugin"


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the entry points of the plug-in are found, as after pip install."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    info = tmp_path / "site" / "veil_example_plugin-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: veil-example-plugin\nVersion: 0.1.0\n", encoding="utf-8")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    paths = [str(tmp_path / "site"), str(PLUGIN / "src"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def veil(*args: str, env: dict[str, str], text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "veil", *args, "-q"]
    return subprocess.run(command, env=env, input=text, capture_output=True, text=True, check=False)


def test_detector_and_action_of_a_plug_in(installed: dict[str, str], tmp_path: Path) -> None:
    """`--detector` adds what the plug-in finds, and a policy uses its action."""
    policy = tmp_path / "stars.toml"
    policy.write_text('about = "Stars"\ndefault = "stars"\n', encoding="utf-8")
    args = ("--lang", "en", "--rules-only", "--detector", "trial-numbers", "--policy", str(policy))
    done = veil(
        "mask", "-", "-o", "-", *args, env=installed, text="Participant BLUE-0042 is well.\n"
    )
    assert done.stderr == ""
    assert done.stdout == "Participant *** is well.\n"


def test_an_unknown_detector_is_an_error(tmp_path: Path) -> None:
    """Without the plug-in the name is unknown, and nothing is masked."""
    done = veil(
        "mask", "-", "-o", "-", "--detector", "trial-numbers", env=dict(os.environ), text="x\n"
    )
    assert done.returncode == 2
    assert "unknown detector 'trial-numbers'" in done.stderr
    assert done.stdout == ""
