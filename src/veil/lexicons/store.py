"""The lists that come with Veil, and those that a user adds.

A list is a text file in UTF-8, one entry a line, `#` before a comment. Lists written by hand are
`lexicon/<kind>.txt` in the language's folder; lists that `tools/build_lexicons.py` derives from
other sources are packed as `<kind>.tsv.xz`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.core.errors import InputError, UnknownNameError
from veil.core.toml import read_text
from veil.languages.base import base_language, language_folder
from veil.lexicons.entries import SHORTEST_SUFFIX, SUFFIX_MARK, PackedList
from veil.lexicons.lexicon import Lexicon

if TYPE_CHECKING:
    from pathlib import Path

_KINDS = (
    "given_female",
    "given_male",
    "surname",
    "city",
    "region",
    "country",
    "nationality",
    "street_head",
    "hospital_head",
    "title",
    "doctor_title",
    "profession",
    "relative",
    "month",
    "weekday",
    "common",
    "medical",
    "ordinary",
    "clinical",
)
_UNUSABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def kinds() -> tuple[str, ...]:
    """Return the kinds of lexicons; each of Veil's languages has all of them."""
    return _KINDS


def lexicon(language: str, kind: str) -> Lexicon:
    """Return the lexicon of that language and kind; variants ("en-x") share their language's.

    A kind that the language's folder lacks is an empty lexicon.
    """
    return _load(base_language(language), kind)


@cache
def _load(language: str, kind: str) -> Lexicon:
    if kind not in _KINDS:
        raise UnknownNameError("kind of lexicon", kind, _KINDS)
    folder = language_folder(language) / "lexicon"
    packed = folder / f"{kind}.tsv.xz"
    if packed.is_file():
        return Lexicon(PackedList(packed.read_bytes()), language=language)
    plain = folder / f"{kind}.txt"
    entries = parse_list(plain.read_text("utf-8")) if plain.is_file() else []
    return Lexicon(entries, language=language)


def parse_list(text: str) -> list[str]:
    """Return the entries of a list: one a line, comments and empty lines left out."""
    lines = (line.partition("#")[0].split() for line in text.splitlines())
    return [" ".join(words) for words in lines if words]


def user_lexicon(folder: Path, *, language: str | None = None) -> Lexicon:
    """Read a user's lexicon: `items.txt` and, where there is one, `exceptions.txt`.

    The language says which genitives are known beside those with an apostrophe.
    """
    items = folder / "items.txt"
    if not items.is_file():
        raise InputError(f"{items}: no such file; a lexicon is a folder with items.txt")
    exceptions = folder / "exceptions.txt"
    base = None if language is None else base_language(language)
    return Lexicon(
        _read_list(items),
        language=base,
        exceptions=Lexicon(_read_list(exceptions), language=base) if exceptions.is_file() else None,
    )


def _read_list(path: Path) -> list[str]:
    text = read_text(path)
    for number, line in enumerate(text.splitlines(), start=1):
        problem = _problem(line)
        if problem is not None:
            raise InputError(f"{path}, line {number}: {problem}")
    entries = parse_list(text)
    if not entries:
        raise InputError(f"{path}, line 1: the file holds no item; write one item a line")
    return entries


def _problem(line: str) -> str | None:
    """What is wrong with a line of a user's list."""
    entry = line.partition("#")[0].strip()
    if _UNUSABLE.search(line):
        return "a control character; write plain text"
    if entry and not any(character.isalnum() for character in entry):
        return "no letter or digit; remove the line"
    if entry.startswith(SUFFIX_MARK) and len(entry) <= SHORTEST_SUFFIX:
        return f"the end of a compound has at least {SHORTEST_SUFFIX} letters"
    return None
