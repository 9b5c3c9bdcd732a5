"""The direction of imports: rooms of the house call those before them, never the other way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import veil

ROOT = Path(veil.__file__).parent

# What each part of the package may import, beside itself.
ALLOWED = {
    "core": set[str](),
    "formats": {"core"},
    "languages": {"core"},
    "lexicons": {"core", "languages"},
    "models": {"core"},
    "features": {"core", "languages", "lexicons"},
    "resolve": {"core"},
    "detect": {"core", "languages", "lexicons", "features", "models", "resolve"},
    "render": {"core"},
    "evaluate": {"core", "render"},
    "recipes": {"core", "languages", "features", "detect"},
    "pipeline": {"core", "languages", "detect", "resolve"},
    "assembly": {"core", "languages", "models", "detect", "pipeline", "recipes"},
    "train": {"core", "detect", "models", "pipeline", "recipes", "render", "evaluate"},
    "batch": {"core", "pipeline"},
    "bench": {"core", "detect"},
    "orders": {"core", "detect", "evaluate", "render"},
    "synth": {"core", "languages", "lexicons"},
    "bench_rules": {"core", "detect"},
    "bench_masking": {"core", "assembly", "masking", "pipeline", "replace"},
    "bench_hostile": {"core", "assembly", "masking", "replace", "synth"},
    "bench_robustness": {"core", "assembly", "languages", "pipeline"},
    "replace": {"core", "languages", "lexicons"},
    "second_look": {"core", "languages", "lexicons", "pipeline", "replace"},
    "masking": {"core", "languages", "pipeline", "replace", "resolve", "second_look"},
    "carriers": {"core", "formats"},
    "mapping": {"core", "replace"},
    "masking_run": {
        *("core", "formats", "models", "detect", "pipeline", "batch", "replace", "masking"),
        *("carriers", "mapping", "render", "assembly"),
    },
    "revealing": {"core", "formats", "carriers", "mapping", "masking_run"},
    "api": {"core", "models", "pipeline", "assembly", "replace", "masking"},
    "cli": {
        *("core", "formats", "languages", "models", "features", "detect", "render", "evaluate"),
        *("recipes", "pipeline", "assembly", "train", "batch", "bench", "bench_rules"),
        *("orders", "synth", "replace", "masking", "carriers", "mapping", "masking_run"),
        *("revealing", "api", "lexicons", "bench_masking", "bench_hostile", "bench_robustness"),
    },
}


def part_of(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_parts(file: Path) -> set[str]:
    parts = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [f"veil.{alias.name}" for alias in node.names]
                if node.module == "veil"
                else [node.module]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        parts |= {name.split(".")[1] for name in names if name.startswith("veil.")}
    return parts


MODULES = sorted(
    file for file in ROOT.rglob("*.py") if file.stem[:2] != "__" or file.parent != ROOT
)


@pytest.mark.parametrize("file", MODULES, ids=str)
def test_imports_follow_the_corridor(file: Path) -> None:
    """No module imports from a part of the house that comes after it."""
    part = part_of(file)
    assert imported_parts(file) - {part} <= ALLOWED[part]


def test_import_is_light() -> None:
    """`import veil` loads no heavy library and reads no model."""
    heavy = {"numpy", "fugashi", "torch", "sklearn", "pyspark", "pycrfsuite"}
    code = f"import sys, veil; print(*sorted({heavy!r} & set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert loaded.strip() == ""
