"""Lists of words from which the worlds put together names of places, firms, streets and people.

They stand in `data/<language>/words.toml`: each list is one string, its entries parted by commas or
lines.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from veil.core.errors import UnknownNameError


@cache
def words(language: str, name: str) -> tuple[str, ...]:
    """The entries of a list, in the order in which they stand."""
    lists = _lists(language)
    if name not in lists:
        raise UnknownNameError("list of words", name, lists)
    entries = lists[name].replace("\n", ",").split(",")
    return tuple(entry.strip() for entry in entries if entry.strip())


@cache
def _lists(language: str) -> dict[str, str]:
    file = resources.files("veil.synth") / "data" / language / "words.toml"
    return tomllib.loads(file.read_text("utf-8"))
