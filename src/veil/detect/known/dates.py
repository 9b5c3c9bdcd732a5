"""Known dates of birth: reading them from a table, and finding them in text in Latin script."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import TYPE_CHECKING

from veil.core.document import Span
from veil.core.patterns import compile_pattern
from veil.detect.known.vocabulary import known_part, vocabulary
from veil.languages import language_codes
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.detect.known.vocabulary import Vocabulary


_TIME = compile_pattern(r"[T\s]\d{1,2}:\d{2}(?::\d{2})?.*$", re.DOTALL)
_THREE_NUMBERS = compile_pattern(r"(\d{1,4})\s*[-/.\s]\s*(\d{1,2})\s*[-/.\s]\s*(\d{1,4})\.?")
_NAMED = compile_pattern(
    r"(?P<before>\d{1,4})?(?:st|nd|rd|th|:?e|º|\.)?[\s/.,-]*(?:de|of|den)?[\s/.,-]*"
    r"(?P<month>[^\W\d_]{3,})\.?[\s/.,-]*(?:del?|of)?\s*"
    r"(?P<after>\d{1,4})(?:st|nd|rd|th)?(?:[\s/.,-]+(?P<last>\d{1,4}))?"
)
_COMPACT = compile_pattern(r"\d{6}|\d{8}")
_LONGEST_DATE = 60
_CENTURIES = (1900, 2000, 1800)


def parse_date(value: str) -> tuple[date, ...]:
    """Return the dates that a string may mean: two where day and month may be swapped."""
    if _LONGEST_DATE < len(value):
        return ()
    written = fold(unicodedata.normalize("NFKC", _TIME.sub("", value.strip()))).strip()
    found: dict[date, None] = {}
    for year, month, day in _readings(written):
        try:
            found[date(year, month, day)] = None
        except ValueError:
            continue
    return tuple(found)


def _readings(written: str) -> Iterator[tuple[int, int, int]]:
    for code in language_codes():
        own = known_part(code).parse_date(written)
        if own is not None:
            yield own
            return
    if _COMPACT.fullmatch(written):
        yield from _compact_readings(written)
        return
    numbers = _THREE_NUMBERS.fullmatch(written)
    if numbers:
        yield from _numeric_readings(*numbers.groups())
        return
    named = _NAMED.fullmatch(written)
    month = _months().get(named["month"]) if named else None
    if named is not None and month is not None:
        before, after, last = named["before"], named["after"], named["last"]
        texts = [text for text in (before, after, last) if text]
        if len(texts) == 2:
            for day, year in (texts, texts[::-1]):
                for full_year in _years(year):
                    yield full_year, month, int(day)


def _compact_readings(written: str) -> Iterator[tuple[int, int, int]]:
    if len(written) == 6:
        yield from _numeric_readings(written[:2], written[2:4], written[4:])
        return
    if 1800 <= int(written[:4]) <= 2100:
        yield int(written[:4]), int(written[4:6]), int(written[6:])
    else:
        yield from _numeric_readings(written[:2], written[2:4], written[4:])


def _numeric_readings(first: str, second: str, third: str) -> Iterator[tuple[int, int, int]]:
    if 3 <= len(first):
        yield int(first), int(second), int(third)
        return
    if len(third) <= 2:
        for year in _years(first):
            yield year, int(second), int(third)
    for year in _years(third):
        yield year, int(second), int(first)
        yield year, int(first), int(second)


def _years(written: str) -> Iterator[int]:
    if len(written) == 4:
        yield int(written)
    elif len(written) == 2:
        yield from (century + int(written) for century in _CENTURIES)


def _months() -> dict[str, int]:
    codes = language_codes()
    return {form: month for code in codes for form, month in vocabulary(code).month_numbers.items()}


_BEFORE, _AFTER = 16, 22
_BIRTH_BEFORE, _BIRTH_AFTER = 40, 40
_PARTIAL_SCORE = 0.8

_SEPARATOR = r"(?:\s?[-/.\u2010-\u2013]\s?)"
# After the first number of 1948-03-12 or 48-03-12, and before the last of 12/03/1948 or 12/3 1948.
_YEAR_FIRST = compile_pattern(
    rf"(?P<gap>{_SEPARATOR}|\s)(?P<month>\d{{1,2}})(?P=gap)(?P<day>\d{{1,2}})(?!\d)"
)
_YEAR_LAST = compile_pattern(
    rf"(?<!\d)(?P<one>\d{{1,2}})(?P<gap>{_SEPARATOR}|\s)(?P<two>\d{{1,2}})(?:(?P=gap)|\s?-|\s)['’]?$"
)
# Around the name of the month: "12th of", "12 de", "den 12:e"; "12th, 1948", "de 1948".
_JOINT = r"[\s/.,\-]*"
_DAY_BEFORE = compile_pattern(
    rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|:?e|:?a|º|ª|\.)?{_JOINT}(?:of|de)?{_JOINT}$",
    re.IGNORECASE,
)
_YEAR_BEFORE = compile_pattern(rf"(?<!\d)(?P<year>\d{{4}}){_JOINT}$")
_YEAR_AFTER = compile_pattern(
    rf"\.?{_JOINT}(?:del?|of)?\s*['’]?(?P<year>\d{{4}}|\d{{2}})(?!\d)", re.IGNORECASE
)
_DAY_AFTER = compile_pattern(
    rf"\.?{_JOINT}(?P<written>(?P<day>\d{{1,2}})(?:st|nd|rd|th)?)(?!\d)"
    rf"(?:{_JOINT}['’]?(?P<year>\d{{4}}|\d{{2}})(?!\d))?",
    re.IGNORECASE,
)
_NUMERIC_PART = compile_pattern(
    # No full stop: "birth weight 3.12 kg" is not a date.
    r"(?<![\d/.,\-])(?:(?P<one>\d{1,2})[/\-](?P<two>\d{1,2})|(?P<year>\d{4}))(?![/.,\-]?\d)"
)


class BirthdayIndex:
    """Finds dates at their years, at the names of their months, and after words for birth.

    A day and month, or a year, counts only near such a word: "born in 1948".
    """

    def __init__(self, dates: Iterable[date], words: Vocabulary) -> None:
        self._vocabulary = words
        self._dates = tuple(dates)
        self._anchors: dict[str, list[date]] = {}
        self._compact: frozenset[str] = frozenset(
            form for day in self._dates for form in _compact(day)
        )
        self._months: dict[str, list[date]] = {}
        for day in self._dates:
            for year in (f"{day.year:04}", f"{day.year % 100:02}"):
                self._anchors.setdefault(year, []).append(day)
            for form, number in words.month_numbers.items():
                if number == day.month:
                    self._months.setdefault(form, []).append(day)

    def begins(self, key: str) -> bool:
        """Whether a folded token may be part of a known date, or a word for birth."""
        if not self._dates:
            return False
        return (
            key in self._anchors
            or key in self._compact
            or key in self._months
            or key in self._vocabulary.birth_words
        )

    def find(self, text: str, start: int, end: int, key: str) -> Iterator[Span]:
        """Yield the dates around a token."""
        if key in self._compact and not _is_in_number(text, start, end):
            yield _span(start, end)
        for day in self._anchors.get(key, ()):
            yield from _around_year(text, start, end, day)
        for day in self._months.get(key, ()):
            yield from self._around_month(text, start, end, day)
        if key in self._vocabulary.birth_words:
            yield from self._behind_birth(text, end)

    def _around_month(self, text: str, start: int, end: int, day: date) -> Iterator[Span]:
        before = text[max(0, start - _BEFORE) : start]
        offset = start - len(before)
        has_day = _DAY_BEFORE.search(before)
        if has_day and int(has_day["day"]) == day.day:
            first = offset + has_day.start("day")
            year = _YEAR_AFTER.match(text, end, end + _AFTER)
            if year and _is_year(year["year"], day):
                yield _span(first, year.end("year"))
            elif self._near_birth(text, start):
                yield _span(first, end, partial=True)
            return
        has_day = _DAY_AFTER.match(text, end, end + _AFTER)
        if has_day and int(has_day["day"]) == day.day:
            year = _YEAR_BEFORE.search(before)
            if has_day["year"] and _is_year(has_day["year"], day):
                yield _span(start, has_day.end("year"))
            elif year and _is_year(year["year"], day):
                yield _span(offset + year.start("year"), has_day.end("written"))
            elif self._near_birth(text, start):
                yield _span(start, has_day.end("written"), partial=True)
            return
        year = _YEAR_AFTER.match(text, end, end + _AFTER)
        if year and int(year["year"]) == day.year and self._near_birth(text, start):
            yield _span(start, year.end("year"), partial=True)

    def _near_birth(self, text: str, start: int) -> bool:
        words = re.findall(
            r"[^\W\d_][^\W\d_.]*", text[max(0, start - _BIRTH_BEFORE) : start].lower()
        )
        return any(word in self._vocabulary.birth_words for word in words)

    def _behind_birth(self, text: str, end: int) -> Iterator[Span]:
        for match in _NUMERIC_PART.finditer(text, end, end + _BIRTH_AFTER):
            for day in self._dates:
                if match["year"]:
                    if int(match["year"]) == day.year:
                        yield _span(*match.span(), partial=True)
                elif {int(match["one"]), int(match["two"])} == {day.day, day.month}:
                    yield _span(*match.span(), partial=True)


def _around_year(text: str, start: int, end: int, day: date) -> Iterator[Span]:
    behind = _YEAR_FIRST.match(text, end, end + _AFTER)
    if (
        behind
        and _may_separate(behind["gap"], end - start)
        and (int(behind["month"]), int(behind["day"])) == (day.month, day.day)
    ):
        yield _span(start, behind.end())
    before = text[max(0, start - _BEFORE) : start]
    ahead = _YEAR_LAST.search(before)
    if (
        ahead
        and _may_separate(ahead["gap"], end - start)
        and {int(ahead["one"]), int(ahead["two"])} == {day.day, day.month}
    ):
        yield _span(start - len(before) + ahead.start(), end)


def _may_separate(gap: str, digits_of_year: int) -> bool:
    """Whether numbers separated like this are a date: three short ones with spaces are not."""
    return digits_of_year == 4 or not gap.isspace()


def _compact(day: date) -> Iterator[str]:
    for year in (f"{day.year:04}", f"{day.year % 100:02}"):
        month, number = f"{day.month:02}", f"{day.day:02}"
        yield from (year + month + number, number + month + year, month + number + year)


def _is_year(written: str, day: date) -> bool:
    return int(written) in ({day.year} if len(written) == 4 else {day.year % 100})


def _is_in_number(text: str, start: int, end: int) -> bool:
    """Whether digits are part of a decimal or grouped number."""
    return (
        re.fullmatch(r"\d[.,]", text[max(0, start - 2) : start]) is not None
        or re.fullmatch(r"[.,]\d", text[end : end + 2]) is not None
    )


def _span(start: int, end: int, *, partial: bool = False) -> Span:
    if partial:
        return Span(start, end, "DATE", _PARTIAL_SCORE, "known:date/partial")
    return Span(start, end, "DATE", 1.0, "known:date")
