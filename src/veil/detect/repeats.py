"""What was found once in a record is found everywhere in it: names and numbers come again.

A name found after "Mr." stands bare three lines below, where nothing else tells that it is one. Its
words count one by one, capitalised as they were or all in capitals; in lower case they count where
they are long enough and no frequent word. If a name is a frequent word too ("Young") and stands
in lower case elsewhere in the record, its capital says nothing at the start of a sentence. Numbers
and addresses of the network count as a whole.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.core.document import Span
from veil.core.labels import family
from veil.lexicons import Mark, word_marks
from veil.lexicons.store import base_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

SOURCE = "repeats"
_RUN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’\u2010\u2011-][^\W\d_]+)*")
_KANJI_OR_KATAKANA = re.compile(r"[\u3400-\u9fff々ァ-ヺー]")
_HONORIFIC = re.compile(r"様|さま|さん|氏|殿|君|くん|ちゃん|先生|医師|看護師|教授|主治医|Dr")
_SHORTEST_WORD = 3
_SHORTEST_IN_SMALL = 4
_SHORTEST_NUMBER = 5
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n\r•*–-])[\s\"“(]*\Z")
_CONTEXT = 6
_REMEMBERED = 1 << 14
_NO_NAME_ALONE = (
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
    """Return where names and numbers among the spans come again, outside of all spans."""
    wanted: dict[str, Span] = {}
    for span in sorted(spans, key=lambda span: -span.score):
        for form in _forms(text[span.start : span.end], family(span.label), language):
            wanted.setdefault(form, span)
    if not wanted:
        return []
    taken = bytearray(len(text))
    for span in spans:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    forms: Iterable[str] = wanted
    if base_language(language) != "ja":
        # A look at the words saves a search of the text for each of thousands of forms.
        words = _words_outside(text, spans)
        forms = [form for form in wanted if (first := _RUN.search(form)) and first[0] in words]
    found = []
    # The longest form first: "Ruiz Soto" is one span, not two.
    for form in sorted(forms, key=len, reverse=True):
        origin = wanted[form]
        for start, end in _places(text, form, language, taken):
            taken[start:end] = b"\1" * (end - start)
            found.append(Span(start, end, origin.label, origin.score, SOURCE, origin.part))
    return found


def _words_outside(text: str, spans: Sequence[Span]) -> set[str]:
    """The words that no span covers, also without the ending of a genitive."""
    position = 0
    words: set[str] = set()
    for span in sorted(spans, key=lambda span: span.start):
        words.update(_RUN.findall(text, position, span.start))
        position = span.end
    words.update(_RUN.findall(text, position))
    return words | {word[:-1] for word in words if word[-1] in "sS"}


def _forms(text: str, family: str, language: str) -> Iterator[str]:
    """What to look for again of a span's text."""
    if family in ("ID", "CONTACT"):
        if _SHORTEST_NUMBER <= len(text):
            yield text
    elif family == "NAME":
        if base_language(language) == "ja":
            yield from _japanese_forms(text)
        elif not any(map(str.isdigit, text)):
            yield from _name_forms(text, language)


def _japanese_forms(text: str) -> Iterator[str]:
    yield from (part for part in re.split(r"[\s\u3000・]+", text) if 2 <= len(part))


def _name_forms(text: str, language: str) -> Iterator[str]:
    words = _WORD.findall(text)
    if 1 < len(words):
        yield text
    for word in words:
        if len(word) < _SHORTEST_WORD or not word[0].isupper():
            continue
        marks = _marks(language)(word)
        if marks & _NO_NAME_ALONE:
            continue
        capitalised = word.capitalize() if word.isupper() else word
        yield capitalised
        yield word.upper()
        if _SHORTEST_IN_SMALL <= len(word) and not marks & Mark.COMMON.value:
            yield word.lower()


def _places(text: str, form: str, language: str, taken: bytearray) -> Iterator[tuple[int, int]]:
    """Where a form stands as a whole word that is not taken; a Swedish genitive belongs to it."""
    base = base_language(language)
    start = text.find(form)
    while 0 <= start:
        end = start + len(form)
        if base == "sv" and text[end : end + 1] in ("s", "S"):
            end += 1
        # Most are: each span holds its own forms.
        if not any(taken[start:end]) and _is_repeat(text, start, end, form, base):
            yield start, end
        start = text.find(form, end)


def _is_repeat(text: str, start: int, end: int, form: str, language: str) -> bool:
    if language == "ja":
        return _stands_alone_in_japanese(text, start, end)
    return _stands_alone(text, start, end) and not _may_open_sentence(text, start, form, language)


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not text[max(0, start - 1) : start].isalnum() and not text[end : end + 1].isalnum()


def _stands_alone_in_japanese(text: str, start: int, end: int) -> bool:
    if text[start].isascii():
        return _stands_alone(text, start, end)
    if 0 < start and _KANJI_OR_KATAKANA.match(text, start - 1):
        return False
    return not _KANJI_OR_KATAKANA.match(text, end) or _HONORIFIC.match(text, end) is not None


def _may_open_sentence(text: str, start: int, form: str, language: str) -> bool:
    """Whether a frequent word may have its capital from the sentence that it opens."""
    if not _marks(language)(form) & Mark.COMMON.value or f" {form.lower()} " not in text:
        return False
    return _SENTENCE_START.search(text[max(0, start - _CONTEXT) : start]) is not None


@cache
def _marks(language: str) -> Callable[[str], int]:
    return lru_cache(_REMEMBERED)(word_marks(language))
