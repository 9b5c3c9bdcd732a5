"""The rule-based method of kajiyama-2018 (§1.1 and table 1) for Japanese records.

Its rules mark AGE, HOSPITAL, SEX and TIME as the MedNLP-1 task defines them, but no persons. Where
the paper's text contradicts that task, this module follows the task:

- The caption of table 1 says "age", but the table lists expressions of time; it is read as such.
- 歳, 才 and 代 after a number are under "time" in the text; they make an AGE here.
- 前 ("before") is among the words before a time; it is also accepted after one (3日前).

Where the paper gives no rule, a span is what the task's annotators mark: adjacent parts of one date
are one TIME, with the name of the era before the year; all adjacent nouns before 病院 are one
HOSPITAL. The paper's analyser is kuromoji with a dictionary of its authors, Veil's is MeCab with
ipadic.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.languages.base import read_language_toml
from veil.languages.ja import JAPANESE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from veil.core.document import Document
    from veil.languages.ja import JapaneseLanguage, Morpheme

_WORDS = {name: words.split() for name, words in read_language_toml("ja", "kajiyama.toml").items()}
# The analyser makes one word of several adjacent marks: ～、
_DASHES = "～〜"

_HOSPITAL_WORDS = re.compile("近医|当院|同院")
_HOSPITAL_HEADS = ("病院", "クリニック", "医院")
_MASKS = frozenset("●○▲■")
_SEXES = frozenset({"男性", "女性", "men", "women", "man", "woman"})
_KANJI_NUMERALS = "〇一二三四五六七八九十百千数"
# In ipadic a month in kanji is one word, not a number and a unit. So are 一時 and 十分, but these
# are not times.
_KANJI_MONTH = re.compile("[一二三四五六七八九十]{1,2}月")


def _any_of(*lists: str) -> str:
    """Return the words of lists as alternatives of a pattern, the longest first."""
    words = [word for name in lists for word in _WORDS[name]]
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


_NUMBER = rf"(?P<number>[0-9０-９]+|[{_KANJI_NUMERALS}]+)"
_SLASHED = (
    r"(?:[0-9０-９]{4}|[0-9０-９]{1,2})[/／][0-9０-９]{2}(?:[/／][0-9０-９]{2})?(?![0-9０-９])"
)
_AGE = re.compile(_NUMBER + _any_of("age_units"))
_AGE_OPTION = re.compile(_any_of("after_age"))
_TIME = re.compile(
    f"{_any_of('before_time')}?(?:{_any_of('time_words')}|{_SLASHED}|{_any_of('eras')}元年"
    f"|{_any_of('eras')}?{_NUMBER}{_any_of('time_units')})"
)
_TIME_OPTION = re.compile(_any_of("after_time", "last_after_time"))


class KajiyamaRules:
    """Finds ages, hospitals, sexes and times by the rules of kajiyama-2018."""

    name = "kajiyama-2018"

    def __init__(self, *, language: JapaneseLanguage = JAPANESE) -> None:
        self._language = language

    def detect(self, doc: Document) -> list[Span]:
        reading = _Reading.of(doc.text, self._language.morphemes(doc.text))
        found = list(_ages_and_times(reading))
        found += _hospitals(reading, stops={end for _, _, end in found})
        found += _sexes(reading)
        return [
            Span(start, end, label, source=f"{self.name}:{label.lower()}")
            for label, start, end in found
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


class _Marked(NamedTuple):
    """A span that a rule marks."""

    label: str
    start: int
    end: int


class _Reading(NamedTuple):
    """A text with its morphemes, their bounds, and the starts of its numbers."""

    text: str
    morphemes: Sequence[Morpheme]
    edges: frozenset[int]
    numbers: frozenset[int]

    @classmethod
    def of(cls, text: str, morphemes: Sequence[Morpheme]) -> _Reading:
        edges = frozenset(edge for each in morphemes for edge in (each.start, each.end))
        numbers = frozenset(
            each.start
            for each in morphemes
            if each.pos_detail == "数" or _KANJI_MONTH.match(text, each.start)
        )
        return cls(text, morphemes, edges, numbers)

    def surface(self, morpheme: Morpheme) -> str:
        return self.text[morpheme.start : morpheme.end]

    def match(self, pattern: re.Pattern[str], position: int) -> int | None:
        """Return the end of a match at this position, if its number is one."""
        match = pattern.match(self.text, position)
        if match is None:
            return None
        if match.groupdict().get("number") and match.start("number") not in self.numbers:
            return None
        return match.end()

    def ends_word(self, end: int) -> bool:
        """Whether a word ends here, or a dash, which may be one word with the text after it."""
        return end in self.edges or self.text[end - 1] in _DASHES


def _ages_and_times(reading: _Reading) -> Iterator[_Marked]:
    position = 0
    for morpheme in reading.morphemes:
        start = morpheme.start
        if start < position:
            continue
        for label, find_end in (("AGE", _end_of_age), ("TIME", _end_of_time)):
            end = find_end(reading, start)
            if end is not None:
                yield _Marked(label, start, end)
                position = end
                break


class _End(NamedTuple):
    """The end of an expression, the end of its last whole word, and whether it is complete."""

    position: int
    end: int | None
    closed: bool


def _with_options(
    reading: _Reading, position: int, option: re.Pattern[str], *, last: Collection[str] = ()
) -> _End:
    """Read the options after an expression, up to one that completes it.

    Only the last one must end with a word: the analyser reads 月頃 and 年頃 as one word each.
    """
    end = position if reading.ends_word(position) else None
    while longer := reading.match(option, position):
        closed = reading.text[position:longer] in last
        position = longer
        if reading.ends_word(position):
            end = position
        if closed:
            return _End(position, end, closed=True)
    return _End(position, end, closed=False)


def _end_of_age(reading: _Reading, start: int) -> int | None:
    position = reading.match(_AGE, start)
    return None if position is None else _with_options(reading, position, _AGE_OPTION).end


def _end_of_time(reading: _Reading, start: int) -> int | None:
    """The end of adjacent times, each with its options: 3月5日朝, 午後2時頃から."""
    end = None
    position = reading.match(_TIME, start)
    while position is not None:
        read = _with_options(reading, position, _TIME_OPTION, last=_WORDS["last_after_time"])
        end = read.end or end
        if read.closed or read.end != read.position:
            break
        position = reading.match(_TIME, read.position)
    return end


def _hospitals(reading: _Reading, *, stops: set[int]) -> Iterator[_Marked]:
    """Words for hospitals, and adjacent nouns before 病院 and the like, back to a stop."""
    for word in _HOSPITAL_WORDS.finditer(reading.text):
        yield _Marked("HOSPITAL", *word.span())
    for index, head in enumerate(reading.morphemes):
        surface = reading.surface(head)
        if not surface.endswith(_HOSPITAL_HEADS):
            continue
        start = head.start
        for before in reversed(reading.morphemes[:index]):
            if before.end != start or before.end in stops or not _may_name(reading, before):
                break
            start = before.start
        if start < head.start or surface not in _HOSPITAL_HEADS:
            yield _Marked("HOSPITAL", start, head.end)


def _may_name(reading: _Reading, morpheme: Morpheme) -> bool:
    """Whether a word may be part of the name of a hospital."""
    if morpheme.pos == "名詞":
        return morpheme.pos_detail != "非自立"
    return reading.surface(morpheme) in _MASKS


def _sexes(reading: _Reading) -> Iterator[_Marked]:
    for morpheme in reading.morphemes:
        if reading.surface(morpheme).lower() in _SEXES:
            yield _Marked("SEX", morpheme.start, morpheme.end)
