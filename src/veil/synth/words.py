"""Lists of words from which the worlds put together names of places, firms, streets and people.

They are in `synth/words.toml` of the language's folder: each list is one string, its entries
separated by commas or lines.
"""

from __future__ import annotations

from functools import cache

from veil.core.errors import UnknownNameError
from veil.languages import read_language_toml


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
    return read_language_toml(language, "synth/words.toml")
