"""Repeated mentions: names and numbers found once in a record are found everywhere in it.

A name found after "Mr." may have no such context three lines below. Its words are searched for one
by one, capitalised as they were or all in capitals; in lower case only if they are long enough and
not ordinary words. If a name is also an ordinary word ("Young"), a capital at the start of a
sentence is ignored in two cases: if a surname is followed by a small letter, or if the word occurs
in lower case elsewhere in the record. Numbers and network addresses are searched for as a whole.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial
from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING

from veil.core.document import Span, with_changes
from veil.core.labels import family
from veil.core.patterns import compile_pattern
from veil.core.search import Strings
from veil.languages import LANGUAGES, base_language, has_spaces
from veil.lexicons import Mark, is_ordinary, word_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from veil.detect.names.forms import NameStyle

    Search = Callable[[str], Iterable[tuple[int, str]]]

SOURCE = "repeats"
WORD = compile_pattern(r"[^\W\d_]+(?:['’\u2010\u2011-][^\W\d_]+)*")
BETWEEN_PARTS = compile_pattern(r"[\s\u3000・]+")
_SHORTEST_WORD = 3
_SHORTEST_IN_SMALL = 4
_SHORTEST_NUMBER = 5
_SENTENCE_START = compile_pattern(r"(?:^|[.!?:\n\r•*–-])[\s\"“(]*\Z")
_CONTEXT = 6
_REMEMBERED = 1 << 14
# Few forms in a short text are searched for one by one, at about half a nanosecond per character;
# more of them all together, which takes longer to set up.
_MOST_SEARCHED = 1 << 19
_REPEATED = frozenset({"NAME", "ID", "CONTACT"})
_score = attrgetter("score")
_NAMES = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.CITY).value
NO_NAME_ALONE = (
    Mark.MEDICAL
    | Mark.HOSPITAL_HEAD
    | Mark.STREET_HEAD
    | Mark.TITLE
    | Mark.DOCTOR_TITLE
    | Mark.RELATIVE
    | Mark.MONTH
    | Mark.WEEKDAY
).value


def repeats(text: str, spans: Sequence[Span], language: str) -> list[Span]:
    """Return the other occurrences of names and numbers among the spans, outside of all spans."""
    wanted: dict[str, Span] = {}
    for span in sorted(spans, key=_score, reverse=True):
        kind = family(span.label)
        if kind in _REPEATED:
            for form in _forms(text[span.start : span.end], kind, language):
                wanted.setdefault(form, span)
    if not wanted:
        return []
    return [
        Span(start, end, wanted[form].label, wanted[form].score, SOURCE, wanted[form].part)
        for start, end, form in mentions_outside(text, spans, language, partial(_search, wanted))
    ]


def mentions_outside(
    text: str, spans: Sequence[Span], language: str, search: Search
) -> Iterator[tuple[int, int, str]]:
    """Yield occurrences of names and numbers as whole words outside of all spans.

    `search` yields the offsets of forms in a text in which the spans are overwritten.
    """
    offsets: dict[str, list[int]] = {}
    for offset, form in search(without_spans(text, spans)):
        offsets.setdefault(form, []).append(offset)
    if not offsets:
        return
    taken = bytearray(len(text))
    for span in spans:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    in_lower_case = cache(lambda form: f" {form.lower()} " in text)
    # The longest form first: "Ruiz Soto" is one span, not two.
    for form in sorted(offsets, key=lambda form: (-len(form), form)):
        for start, end in _repeats_of(text, form, offsets[form], language, taken, in_lower_case):
            taken[start:end] = b"\1" * (end - start)
            yield start, end, form


def without_spans(text: str, spans: Sequence[Span]) -> str:
    """The text with its spans overwritten by a character that it does not contain."""
    other = next(character for character in map(chr, count()) if character not in text)
    pieces = [(span.start, span.end, other * (span.end - span.start)) for span in spans]
    return with_changes(text, sorted(pieces))


def _search(forms: Collection[str], text: str) -> Iterator[tuple[int, str]]:
    if _MOST_SEARCHED < len(forms) * len(text):
        yield from Strings(forms).find(text)
        return
    for form in forms:
        offset = text.find(form)
        while 0 <= offset:
            yield offset, form
            offset = text.find(form, offset + 1)


def _forms(text: str, family: str, language: str) -> Iterable[str]:
    """The forms of a span's text to be searched for."""
    if family == "NAME":
        return _name_forms(text, language)
    return (text,) if _SHORTEST_NUMBER <= len(text) else ()


@lru_cache(_REMEMBERED)
def _name_forms(text: str, language: str) -> Sequence[str]:
    if not has_spaces(language):
        return [part for part in BETWEEN_PARTS.split(text) if 2 <= len(part)]
    if any(map(str.isdigit, text)):
        return ()
    words = WORD.findall(text)
    forms = [text] if 1 < len(words) else []
    for word in words:
        if is_name_alone(word, language):
            forms += case_forms(word, language)
    return forms


def is_name_alone(word: str, language: str) -> bool:
    """Whether a word of a name identifies by itself: not an initial, a title or a clinical word."""
    return (
        _SHORTEST_WORD <= len(word)
        and word[0].isupper()
        and not word_marks(language)(word) & NO_NAME_ALONE
    )


def case_forms(word: str, language: str) -> list[str]:
    """The spellings of a word of a name: lower case only if that is not an ordinary word."""
    forms = [word.capitalize() if word.isupper() else word, word.upper()]
    is_word = word_marks(language)(word) & Mark.COMMON.value or is_ordinary(language)(word)
    if _SHORTEST_IN_SMALL <= len(word) and not is_word:
        forms.append(word.lower())
    return forms


def _repeats_of(
    text: str,
    form: str,
    starts: Iterable[int],
    language: str,
    taken: bytearray,
    in_lower_case: Callable[[str], bool],
) -> Iterator[tuple[int, int]]:
    """Where a form is a whole word that is not taken; a genitive ending belongs to it."""
    base = base_language(language)
    genitive = LANGUAGES.get(base).genitive
    end = 0
    for start in starts:
        if start < end:
            continue
        end = start + len(form)
        if genitive and text[end : end + len(genitive)].lower() == genitive:
            end += len(genitive)
        if not any(taken[start:end]) and _is_repeat(text, start, end, form, base, in_lower_case):
            yield start, end


def _is_repeat(
    text: str,
    start: int,
    end: int,
    form: str,
    language: str,
    in_lower_case: Callable[[str], bool],
) -> bool:
    if not has_spaces(language):
        return _stands_alone_without_spaces(text, start, end, language)
    if not _stands_alone(text, start, end):
        return False
    if not _SENTENCE_START.search(text[max(0, start - _CONTEXT) : start]):
        return True
    # An ordinary word may have its capital because it begins a sentence.
    goes_on = text[end : end + 1] == " " and text[end + 1 : end + 2].islower()
    if goes_on and _is_word(language)(form):
        return False
    return not (word_marks(language)(form) & Mark.COMMON.value and in_lower_case(form))


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not text[max(0, start - 1) : start].isalnum() and not text[end : end + 1].isalnum()


def _stands_alone_without_spaces(text: str, start: int, end: int, language: str) -> bool:
    """Whether no character of names touches a form, except those of a title."""
    if text[start].isascii():
        return _stands_alone(text, start, end)
    if 0 < start and _style(language).is_name_character(text[start - 1]):
        return False
    return ends_name(text, end, language)


def ends_name(text: str, end: int, language: str) -> bool:
    """Whether a name may end here, in a script without spaces: before a particle or a title."""
    style = _style(language)
    behind = text[end : end + 1]
    return not style.is_name_character(behind) or text.startswith(style.titles_behind, end)


def _style(language: str) -> NameStyle:
    from veil.detect.names.forms import name_style  # other languages need none of it

    return name_style(language)


@cache
def _is_word(language: str) -> Callable[[str], bool]:
    """Return a function that says whether a form is a word, but not a given name or a town."""
    look_up, ordinary = word_marks(language), is_ordinary(language)

    def is_word(form: str) -> bool:
        marks = look_up(form)
        return not marks & _NAMES and (bool(marks & Mark.COMMON.value) or ordinary(form))

    return lru_cache(_REMEMBERED)(is_word)
