"""Functions that adjust the bounds of a match, or reject it; rules name them with their key `fit`.

A pattern says where a name or a town may be; these functions find out how far it extends. This
module contains those for every language and their building blocks. A language has its own in a
table `ADJUSTMENTS` in `rules/__init__.py` of its folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import UnknownNameError
from veil.detect.rules import bits
from veil.languages import language_part, read_language_toml
from veil.lexicons import Mark, is_ordinary, lexicon, list_names, word_marks

if TYPE_CHECKING:
    from types import ModuleType

Bounds = tuple[int, int]
"""Start and end offsets in a text."""

Adjust = Callable[[str, int, int], Bounds | None]
"""Takes a text and the bounds of a match; returns those of the span, or None to reject it."""


def public_functions(code: str, *modules: ModuleType) -> dict[str, Adjust]:
    """Return the public functions of a language's modules: `en-known-name` is `known_name`."""
    return {
        f"{code}-{name.replace('_', '-')}": value
        for module in modules
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (isinstance(value, partial) or getattr(value, "__module__", "") == module.__name__)
    }


def adjustment(name: str, language: str) -> Adjust:
    """Return a function by name: a common one, one of the language, or `entry:KIND`."""
    if kind := lexicon_kind(name, language):
        return partial(_entry, language, kind)
    own: dict[str, Adjust] = getattr(language_part(language, "rules"), "ADJUSTMENTS", {})
    if name in own:
        return own[name]
    if name not in COMMON:
        raise UnknownNameError("fit", name, [*COMMON, *own, "entry:KIND"])
    return partial(COMMON[name], language)


def lexicon_kind(name: str, language: str) -> str | None:
    """Return KIND if a rule names a function `entry:KIND`; the lexicon must exist."""
    head, _, kind = name.partition(":")
    if head != "entry" or not kind:
        return None
    if kind not in list_names(language):
        raise UnknownNameError("kind of lexicon", kind, list_names(language))
    return kind


def word_lists(language: str) -> tuple[dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    """Return the sets and the ordered lists in `rules/data/words.toml` of a language's folder."""
    data = read_language_toml(language, "rules/data/words.toml")
    sets = {name: frozenset(words.split()) for name, words in data.get("sets", {}).items()}
    lists = {name: tuple(words.split()) for name, words in data.get("lists", {}).items()}
    return sets, lists


WORD = re.compile(r"[^\W\d_]+(?:['’\u2010\u2011-][^\W\d_]+)*")
KEY_FOLLOWS = re.compile(r"[ \t]*(?:\([^()\n]{0,20}\)[ \t]*)?[:：=]")
CACHE_SIZE = 1 << 14
GIVEN_MARKS = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE).value
PLACE_MARKS = (Mark.CITY | Mark.REGION | Mark.COUNTRY).value
# Words of these kinds are not part of a name, even where a name is expected.
NEVER_NAME = (
    Mark.HOSPITAL_HEAD | Mark.TITLE | Mark.DOCTOR_TITLE | Mark.RELATIVE | Mark.MONTH | Mark.WEEKDAY
).value
# Neither are these, unless a list of names contains them.
_NO_NAME = NEVER_NAME | (Mark.STREET_HEAD | Mark.PROFESSION | Mark.COMMON | Mark.MEDICAL).value
_NAME = GIVEN_MARKS | (Mark.SURNAME | Mark.SURNAME_FORM).value
_PARTICLES = frozenset(
    "abu af al ap av ben bin d da das de del della den der di do dos du e el i ibn la las le los"
    " mac mc o san santa st ten ter van von y zu".split()
)


def alternatives(words: Iterable[str]) -> str:
    """Return words, or small patterns, as the alternatives of a pattern."""
    return "|".join(words)


class TextWord(NamedTuple):
    """A word of a text with the kinds that it may have."""

    start: int
    end: int
    form: str
    kind: int


def without_initials(words: Iterable[TextWord]) -> list[TextWord]:
    """Return the words without initials and particles."""
    return [word for word in words if not word.kind & (bits.INITIAL | bits.PARTICLE)]


def any_of(kind: int, words: Iterable[TextWord]) -> bool:
    """Whether one of the words has one of these bits."""
    return any(word.kind & kind for word in words)


def bounds_of(words: list[TextWord]) -> Bounds:
    """Return the bounds of a run of words."""
    return words[0].start, words[-1].end


def longest_run(
    text: str,
    start: int,
    end: int,
    accept: Callable[[str], bool],
    *,
    word: re.Pattern[str] = WORD,
) -> Bounds | None:
    """Return the longest run of words from the start that is accepted."""
    for each in reversed(list(word.finditer(text, start, end))):
        if accept(text[start : each.end()]):
            return start, each.end()
    return None


def _name(language: str, text: str, start: int, end: int, *, due: bool = False) -> Bounds | None:
    """Return the name that begins here, in a context that allows one.

    It ends before a word that is not a name, such as a medical one, and before the key of a field.
    `due`: the context requires a name, so that the first word may be anything but a title.
    """
    look_up = word_marks(language)
    kept_end = None
    for word in WORD.finditer(text, start, end):
        form = word[0]
        if KEY_FOLLOWS.match(text, word.end()):
            break
        if form.lower() in _PARTICLES and form[0].islower():
            continue
        first_common = due and kept_end is None and not look_up(form) & NEVER_NAME
        if 1 < len(form) and not _may_be_name(language, form) and not first_common:
            break
        kept_end = word.end()
    return None if kept_end is None else (start, kept_end)


def _may_be_name(language: str, word: str) -> bool:
    """Whether a word may be part of a name: a list of names contains it, or no other list does."""
    marks = word_marks(language)(word)
    return bool(marks & _NAME) or not (marks & _NO_NAME or is_ordinary(language)(word))


def _full_name(language: str, text: str, start: int, end: int) -> Bounds | None:
    """Return a given name followed by a surname, which is a name in any context."""
    bounds = _name(language, text, start, end)
    if bounds is None:
        return None
    marks = [
        word_marks(language)(form)
        for form in WORD.findall(text, *bounds)
        if form.lower() not in _PARTICLES and 1 < len(form)
    ]
    if len(marks) < 2 or not marks[0] & GIVEN_MARKS:
        return None
    frequent = PLACE_MARKS | (Mark.COMMON | Mark.MEDICAL).value
    surnames = [mark for mark in marks[1:] if mark & _NAME]
    clear = [mark for mark in marks if mark & _NAME and not mark & frequent]
    return bounds if surnames and clear else None


def _entry(language: str, kind: str, text: str, start: int, end: int) -> Bounds | None:
    """Return the longest run of words from the start that is an entry of a lexicon."""
    return longest_run(text, start, end, lexicon(language, kind).match)


COMMON: dict[str, Callable[[str, str, int, int], Bounds | None]] = {
    "name": _name,
    "named": partial(_name, due=True),
    "full-name": _full_name,
}
"""The functions for every language, which get its code; `veil.detect.rules.clinical` adds some."""
