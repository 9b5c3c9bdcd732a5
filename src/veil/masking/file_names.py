"""Names of files and folders: whether they look identifying, and keyed names in their place."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from veil.core.document import Document
from veil.languages import LANGUAGES, base_language
from veil.lexicons.marks import Mark, is_ordinary, word_marks
from veil.replace.base import Edit, Masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.replace.secret import Key

FILE = "FILE"
"""The label of a file name in a mapping."""
RENAMED = "rename"
_LOOKED_AT = 2000
_LENGTH = 16
# `Lindgren` and `Anna` in `Lindgren_Anna` and `AnnaLindgren`.
_WORD = re.compile(r"[^\W\d_a-z]?[^\W\d_A-Z]+|[^\W\d_]+")
# A personal number, a birth date, or a long number: not `note-000123`.
_NUMBER = re.compile(
    r"(?<!\d)(?:\d{6,8}[-+]\d{4}|(?:19|20)?\d\d[-_.](?:0[1-9]|1[0-2])[-_.](?:0[1-9]|[12]\d|3[01])"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{0,4}|[1-9]\d{7,})(?!\d)"
)
_GIVEN = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE


def identifying_names(names: Iterable[str], languages: Iterable[str]) -> list[str]:
    """Return the paths, among the first ones, that contain a name or a personal number.

    Only names of the records' languages are searched for: their lists are already loaded.
    """
    codes = tuple(dict.fromkeys(base_language(code) for code in languages if code in LANGUAGES))
    return [
        name
        for name in islice(names, _LOOKED_AT)
        if any(_is_identifying(part, codes) for part in _parts(name))
    ]


def _parts(name: str) -> tuple[str, ...]:
    path = PurePath(name)
    return (*path.parts[:-1], path.stem)


@cache
def _is_identifying(part: str, codes: tuple[str, ...]) -> bool:
    if _NUMBER.search(part):
        return True
    words = [word for word in _WORD.findall(part) if len(word) > 1]
    return any(_is_name(*pair, codes) for pair in pairwise(words))


def _is_name(first: str, second: str, codes: tuple[str, ...]) -> bool:
    """Whether two words are a given name and a surname, in either order, in some language."""
    for code in codes:
        one, two = _as_name(first, code), _as_name(second, code)
        if (one & _GIVEN and two & Mark.SURNAME) or (one & Mark.SURNAME and two & _GIVEN):
            ordinary = is_ordinary(code)
            if not (ordinary(first.casefold()) or ordinary(second.casefold())):
                return True
    return False


@cache
def _as_name(word: str, code: str) -> int:
    return word_marks(code)(word.capitalize())


def keyed_name(key: Key, name: str, suffix: str) -> str:
    """A path whose folders and stem are keyed: they cannot be computed without the key.

    Files with the same stem, such as a text and its annotations, still share one.
    """
    path = PurePath(name.removesuffix(suffix))
    parts: Iterator[str] = (
        key.digest("file name", *path.parts[: number + 1]).hex()[:_LENGTH]
        for number in range(len(path.parts))
    )
    return "/".join(parts) + suffix.lower()


def renamed_file(name: str, path: str) -> Masked:
    """The entry of a mapping that leads from a keyed path to the name of the file."""
    edit = Edit(0, len(name), name, path, FILE, RENAMED)
    return Masked(Document(path, path), (edit,), ())
