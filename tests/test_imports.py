"""The direction of imports: rooms of the house call those before them, never the other way."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import veil

ROOT = Path(veil.__file__).parent

# What each part of the package may import, beside itself.
ALLOWED = {
    "core": set[str](),
    "io": {"core"},
    "languages": {"core", "lexicons"},
    "lexicons": {"core", "languages"},
    "models": {"core"},
    "features": {"core", "languages", "lexicons"},
    "detect": {"core", "languages", "lexicons", "features", "models"},
    "render": {"core"},
    "evaluate": {"core", "languages", "lexicons", "render"},
    "bench": {
        *("core", "detect", "evaluate", "languages", "learn", "masking", "models", "replace"),
        "synth",
    },
    "learn": {"core", "languages", "features", "detect", "models", "evaluate", "render"},
    "synth": {"core", "languages", "lexicons"},
    "replace": {"core", "languages", "lexicons"},
    "masking": {
        *("core", "languages", "lexicons", "io", "models", "detect", "replace", "render"),
    },
    "files": {
        *("core", "io", "languages", "models", "detect", "masking", "learn", "synth", "render"),
        *("evaluate", "bench"),
    },
    "api": {"core", "detect", "replace", "masking"},
    "frames": {"core", "io", "detect", "replace", "masking"},
    "review": {
        *("core", "io", "languages", "models", "detect", "replace", "masking", "render", "files"),
    },
    "serve": {"core", "io", "languages", "models", "detect", "replace", "masking", "render"},
    "spark": {"core", "io", "features", "detect", "replace", "masking", "frames"},
    "integrations": {"api", "core", "languages", "replace", "serve"},
    "cli": {
        *("core", "io", "languages", "models", "detect", "render", "evaluate", "learn", "bench"),
        *("synth", "replace", "masking", "files", "review", "serve", "spark"),
    },
}

# What the parts of a language's folder may import beside core, languages and lexicons: the engine
# that loads them. All other modules of the folder are loaded with the language itself.
PART_ENGINES = {
    "rules": {"detect"},
    "known": {"detect"},
    "names": {"detect"},
    "kajiyama": {"detect"},
    "people": {"replace"},
    "people_names": {"replace"},
    "entities": {"replace"},
    "dates": {"replace"},
    "ages": {"replace"},
    "synth": {"synth"},
}
ROOT_OF_LANGUAGES = ROOT / "languages"
CODES = {file.parent.name for file in ROOT_OF_LANGUAGES.glob("*/__init__.py")}


def language_part_of(file: Path) -> tuple[str, str] | None:
    """Return the language code and the part of a file in a language's folder."""
    if ROOT_OF_LANGUAGES not in file.parents or file.parent == ROOT_OF_LANGUAGES:
        return None
    code, part, *_ = file.relative_to(ROOT_OF_LANGUAGES).with_suffix("").parts
    return code, part


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
    found = language_part_of(file)
    engines = PART_ENGINES.get(found[1], set()) if found else set()
    assert imported_parts(file) - {part} <= ALLOWED[part] | engines


@pytest.mark.parametrize("file", MODULES, ids=str)
def test_languages_are_loaded_by_name(file: Path) -> None:
    """Only modules of a language's folder import from that folder."""
    found = language_part_of(file)
    own = {found[0]} if found else set()
    text = file.read_text("utf-8")
    imported = set(re.findall(r"(?:from|import) veil\.languages\.(\w+)", text)) & CODES
    assert imported <= own


def test_import_is_light() -> None:
    """`import veil` loads no heavy library and reads no model."""
    heavy = {"numpy", "fugashi", "torch", "sklearn", "pyspark", "pycrfsuite", "fastapi"}
    code = f"import sys, veil; print(*sorted({heavy!r} & set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert loaded.strip() == ""


ENGINES = [
    file for file in MODULES if file.relative_to(ROOT).parts[0] not in ("languages", "models")
]


@pytest.mark.parametrize("file", ENGINES, ids=str)
def test_engines_have_no_language_code(file: Path) -> None:
    """The codes of languages occur in the folders of languages and in data only."""
    strings = {
        node.value
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not strings & CODES


def test_engines_have_no_files_of_a_language() -> None:
    """No module or data file of an engine is named after a language."""
    names = {"english", "spanish", "swedish", "japanese", *CODES}
    files = [
        file.relative_to(ROOT)
        for file in ROOT.rglob("*")
        if file.suffix in (".py", ".toml", ".txt", ".tsv")
        and not {"languages", "models", "recipes"} & set(file.relative_to(ROOT).parts)
    ]
    assert not [file for file in files if names & set(re.split(r"[_.-]", file.stem))]
