"""The build: the compiled core is optional, and nothing that Veil needs is left out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.detect.assembly import default_pipeline

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "es", "ja", "sv")
SCRIPT = """
import json, sys
from veil.core import native
from veil import Document
from veil.detect.assembly import default_pipeline

found = {}
for language, text in json.load(sys.stdin).items():
    spans = default_pipeline(language).detect(Document("note", text))
    found[language] = [[s.start, s.end, s.label, s.score, s.source] for s in spans]
print(json.dumps([native.__file__, found]))
"""


def test_all_sources_of_the_core_are_built() -> None:
    """The build names all C files; a change in a header builds them again."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (core,) = data["tool"]["setuptools"]["ext-modules"]
    assert core["optional"]
    for key, pattern in (("sources", "*.c"), ("depends", "*.h")):
        files = {f"native/{file.name}" for file in (ROOT / "native").glob(pattern)}
        assert set(core[key]) == files


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder into which Veil was installed without a compiler."""
    folder = tmp_path_factory.mktemp("install")
    project = folder / "project"
    ignored = shutil.ignore_patterns("_native.*", "__pycache__", "*.egg-info")
    for name in ("src", "native"):
        shutil.copytree(ROOT / name, project / name, ignore=ignored)
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "NOTICE.md"):
        shutil.copy(ROOT / name, project)
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    env = os.environ | {"CC": str(folder / "no-compiler")}
    built = subprocess.run(
        [*pip, "wheel", "--no-deps", "--wheel-dir", folder, project],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if "No matching distribution found for setuptools" in built.stderr:
        pytest.skip("pip cannot get setuptools here")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", folder / "lib", wheel], check=True)
    yield folder / "lib"
    shutil.rmtree(folder)


def _run(installed: Path, *command: str, given: str = "") -> str:
    return subprocess.run(
        [sys.executable, *command],
        input=given,
        env=os.environ | {"PYTHONPATH": str(installed), "VEIL_PURE": "0"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_install_without_a_compiler(installed: Path) -> None:
    """The install succeeds, says that it is pure Python, and gives the same results."""
    assert "pure Python" in _run(installed, "-m", "veil", "--version")
    texts = {
        language: min((ROOT / "tests/data" / f"dummy-{language}").glob("*.txt")).read_text("utf-8")
        for language in LANGUAGES
    }
    file, found = json.loads(_run(installed, "-c", SCRIPT, given=json.dumps(texts)))
    assert Path(file).is_relative_to(installed)
    for language, text in texts.items():
        spans = default_pipeline(language).detect(Document("note", text))
        assert found[language] == [[s.start, s.end, s.label, s.score, s.source] for s in spans]


def test_wheel_has_all_files(installed: Path) -> None:
    """Every file of the package that git has is installed."""
    listed = subprocess.run(
        ["git", "ls-files", "src/veil"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    files = listed.stdout.split()
    assert files
    assert [file for file in files if not (installed / file.removeprefix("src/")).exists()] == []
