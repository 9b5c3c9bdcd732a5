"""What a span may keep of what a pattern found: fits shrink it, or say that nothing is left.

A pattern says where a name or a place may stand; the words themselves say how far it reaches.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from veil.core.errors import UnknownNameError
from veil.lexicons import Mark, is_ordinary, kinds, lexicon, word_marks

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.detect.rules.rule import Fit

    AnyFit = Callable[[str, str, int, int], tuple[int, int] | None]

_WORD = re.compile(r"[^\W\d_]+(?:['’\u2010\u2011-][^\W\d_]+)*")
_KEY_FOLLOWS = re.compile(r"[ \t]*(?:\([^()\n]{0,20}\)[ \t]*)?[:：=]")
_PARTICLES = frozenset(
    {
        *("af", "av", "von", "van", "der", "den", "ter", "ten", "zu", "bin", "ibn", "al", "el"),
        *("de", "del", "della", "di", "da", "dos", "das", "du", "la", "las", "los", "le", "y", "e"),
        *("do", "i", "san", "santa", "st", "mc", "mac", "o", "d", "abu", "ben", "ap"),
    }
)
_GIVEN = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE).value
_SURNAME = (Mark.SURNAME | Mark.SURNAME_FORM).value
_NAME = _GIVEN | _SURNAME
# A word of these kinds, and of no list of names, is not part of a name.
_NO_NAME = (
    Mark.HOSPITAL_HEAD
    | Mark.STREET_HEAD
    | Mark.TITLE
    | Mark.DOCTOR_TITLE
    | Mark.PROFESSION
    | Mark.RELATIVE
    | Mark.MONTH
    | Mark.WEEKDAY
    | Mark.COMMON
    | Mark.MEDICAL
).value
# Nor is one of these, even where a name is due.
_NEVER_NAME = (
    Mark.HOSPITAL_HEAD | Mark.TITLE | Mark.DOCTOR_TITLE | Mark.RELATIVE | Mark.MONTH | Mark.WEEKDAY
).value


def fit(name: str, language: str) -> Fit:
    """Return the fit of that name: a key of `FITS`, or `entry:KIND` for entries of a lexicon."""
    head, _, kind = name.partition(":")
    if head == "entry" and kind:
        if kind not in kinds():
            raise UnknownNameError("kind of lexicon", kind, kinds())
        return partial(_entry, language, kind)
    fits = {**FITS, **_own_fits(language)}
    if name not in fits:
        raise UnknownNameError("fit", name, [*fits, "entry:KIND"])
    return partial(fits[name], language)


@cache
def _own_fits(language: str) -> dict[str, AnyFit]:
    """The fits of a language, imported when its rules are read."""
    module = import_module(f"veil.detect.rules.fits_{language}")
    own: dict[str, AnyFit] = module.FITS
    return own


def _words(text: str, start: int, end: int) -> list[tuple[int, int, str]]:
    return [(*match.span(), match[0]) for match in _WORD.finditer(text, start, end)]


def _is_name(language: str, word: str) -> bool:
    """Whether a word may be part of a name: no list speaks against it, or one of names for it."""
    marks = _marks(language)(word)
    return bool(marks & _NAME) or not (marks & _NO_NAME or is_ordinary(language)(word))


def _name(language: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """The name that begins here, where the context says that there may be one.

    It ends before a word that is no name, such as a medical one, and before the key of a field.
    """
    return _name_from(language, text, start, end, trusted=False)


def _named(language: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """The name that begins here, where the context leaves no doubt: "Dr. Room" is a doctor."""
    return _name_from(language, text, start, end, trusted=True)


def _name_from(
    language: str, text: str, start: int, end: int, *, trusted: bool
) -> tuple[int, int] | None:
    look_up = _marks(language)
    kept_end = None
    for _, word_end, word in _words(text, start, end):
        if _KEY_FOLLOWS.match(text, word_end):
            break
        if word.lower() in _PARTICLES and word[0].islower():
            continue
        first_common = trusted and kept_end is None and not look_up(word) & _NEVER_NAME
        if 1 < len(word) and not _is_name(language, word) and not first_common:
            break
        kept_end = word_end
    return None if kept_end is None else (start, kept_end)


def _full_name(language: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """A given name and a surname in a row, which need no context to be a name."""
    fitted = _name(language, text, start, end)
    if fitted is None:
        return None
    look_up = _marks(language)
    words = [
        (place, stop, word)
        for place, stop, word in _words(text, *fitted)
        if word.lower() not in _PARTICLES and 1 < len(word)
    ]
    marks = [look_up(word) for _, _, word in words]
    if len(words) < 2 or not marks[0] & _GIVEN:
        return None
    frequent = (Mark.COMMON | Mark.MEDICAL | Mark.CITY | Mark.REGION | Mark.COUNTRY).value
    surnames = [mark for mark in marks[1:] if mark & _NAME]
    clear = [mark for mark in marks if mark & _NAME and not mark & frequent]
    return fitted if surnames and clear else None


def _entry(language: str, kind: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """The longest run of words from the start that is an entry of a lexicon."""
    entries = lexicon(language, kind)
    for _, word_end, _ in reversed(_words(text, start, end)):
        if entries.match(text[start:word_end]):
            return start, word_end
    return None


@cache
def _marks(language: str) -> Callable[[str], int]:
    """The marks of words, remembered: rules ask for the same ones again and again."""
    return lru_cache(_REMEMBERED)(word_marks(language))


_REMEMBERED = 1 << 16

FITS: dict[str, AnyFit] = {
    "name": _name,
    "named": _named,
    "full-name": _full_name,
}
