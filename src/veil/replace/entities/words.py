"""The lists from which stand-ins are chosen: `stand_ins.toml` of each language."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from veil.languages import language_codes, read_language_toml
from veil.lexicons.folding import fold, tidy, without_diacritics

_REMEMBERED = 1 << 14


@cache
def table(file: str) -> dict[str, Any]:
    """The content of a data file: of a language, or of this package."""
    if file in language_codes():
        return read_language_toml(file, "stand_ins.toml")
    data = resources.files("veil.replace.entities") / f"{file}.toml"
    return tomllib.loads(data.read_text("utf-8"))


@cache
def words(file: str, name: str) -> tuple[str, ...]:
    """The entries of a list in their order; none where the file has no such list."""
    entries = table(file).get(name, "").replace("\n", ",").split(",")
    return tuple(dict.fromkeys(entry.strip() for entry in entries if entry.strip()))


@cache
def rows(file: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The entries of a list line by line."""
    lines = table(file).get(name, "").strip("\n").split("\n")
    return tuple(tuple(entry.strip() for entry in line.split(",")) for line in lines)


@cache
def word_set(file: str, *names: str) -> frozenset[str]:
    """The entries of several lists as look-ups see them, with and without their accents."""
    keys = {key_of(entry) for name in names for entry in words(file, name)}
    return frozenset(keys | {without_diacritics(key) for key in keys})


@cache
def longest_first(file: str, *names: str) -> tuple[str, ...]:
    """The entries of several lists, the longest first."""
    entries = {entry for name in names for entry in words(file, name)}
    return tuple(sorted(entries, key=lambda entry: (-len(entry), entry)))


@lru_cache(_REMEMBERED)
def key_of(text: str) -> str:
    """What all writings of a thing share: case, accents and stops of abbreviations taken off."""
    return fold(tidy(text))
