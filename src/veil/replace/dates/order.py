"""The order of day, month and year in numeric dates, decided by the unambiguous ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from veil.replace.dates.grammar import grammar
from veil.replace.dates.reading import read
from veil.replace.dates.writing import Habit, WordText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from veil.replace.dates.writing import Expression, Mention, Reading

T = TypeVar("T")

_LATEST = 2039
_MARKS = ("", "-", "/", ".")
# How many years after the last four-digit year of a record a two-digit year may be.
_YEARS_AHEAD = 9
# Day, month and year with the same mark between them or none: 9/9/0, 9-w-9, 9w0; and 2014 03 05.
_TIGHT = re.compile(r"[09]([-/.]?)[9w]\1'?[09]|0 9 9")


@dataclass(frozen=True)
class Order:
    """How a record writes its dates.

    `year_first` has the separators of dates that begin with a two-digit year. `widths` and `months`
    have, by format, the minimum number of digits of days and months, and the words for months.
    `latest` is the last year that two digits can mean.
    """

    day_first: bool
    year_first: frozenset[str] = frozenset()
    widths: Mapping[str, int] = field(default_factory=dict)
    months: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    latest: int = _LATEST

    def habit(self, mention: Mention, reading: Reading) -> Habit:
        """Return how dates of a format are written: 05/03/19 has two digits for days and months."""
        width = reading.width or self.widths.get(mention.form)
        if width is None:
            width = 2 if _TIGHT.fullmatch(mention.form) else 1
        return Habit(width, self.months.get(mention.form, ()))

    def full_year(self, year: int) -> int:
        """Return the full year of a number that may have two digits."""
        if 100 <= year:
            return year
        return 2000 + year if 2000 + year <= self.latest else 1900 + year

    def choose(self, mention: Mention, weekday: int | None = None) -> Reading:
        """Return the best reading of a mention; a weekday beside it has priority."""
        if len(mention.readings) == 1:
            return mention.readings[0]
        is_year_first = _mark(mention) in self.year_first

        def fit(reading: Reading) -> tuple[bool, bool, bool]:
            first = reading.order[0]
            return (
                self.falls_on(reading, weekday),
                (first == "y") == is_year_first,
                (first == "d") == self.day_first,
            )

        return max(mention.readings, key=fit)

    def falls_on(self, reading: Reading, weekday: int | None) -> bool:
        """Whether a full date lies on a weekday."""
        if weekday is None or not reading.is_full:
            return False
        values = reading.values
        try:
            day = date(self.full_year(values["year"]), values["month"], values["day"])
        except ValueError:
            return False
        return day.weekday() == weekday


def order_of(texts: Iterable[str], language: str) -> Order:
    """Return the order of day, month and year in the unambiguous dates of a record."""
    return order_among([found for text in texts if (found := read(text, language))], language)


def order_among(expressions: Sequence[Expression], language: str) -> Order:
    """Return the same as `order_of` for texts that have been read."""
    rules = grammar(language)
    mentions = [mention for expression in expressions for mention in expression.mentions]
    latest = max((mention.readings[0].values.get("year", 0) for mention in mentions), default=0)
    order = Order(
        rules.day_first,
        frozenset(_MARKS) if rules.year_first else frozenset(),
        _usual((mention.form, mention.readings[0].width) for mention in mentions),
        _usual((mention.form, _month_words(mention)) for mention in mentions),
        latest + _YEARS_AHEAD if 2000 <= latest else _LATEST,
    )
    # There are few signs: `list.count` is faster than a `Counter`.
    count = [sign for found in expressions for sign in _signs(found, order)].count
    day_first = order.day_first
    if count("d") != count("m"):
        day_first = count("m") < count("d")
    elif rules.words_show_order and count("day word") != count("word day"):
        day_first = count("word day") < count("day word")
    years = {mark: count(f"year{mark}") - count(f"no year{mark}") for mark in _MARKS}
    year_first = {
        mark for mark, votes in years.items() if (0 < votes if votes else mark in order.year_first)
    }
    return Order(day_first, frozenset(year_first), order.widths, order.months, order.latest)


def _usual(seen: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Return the most frequent value of each format, if it has any."""
    values: dict[str, list[T]] = {}
    for form, value in seen:
        if value:
            values.setdefault(form, []).append(value)
    return {form: max(dict.fromkeys(found), key=found.count) for form, found in values.items()}


def _month_words(mention: Mention) -> tuple[str, ...]:
    """Return the row of words with the name of a month, if only one row has it."""
    part = mention.readings[0].part("month_word")
    if part is None or not isinstance(part.writing, WordText) or len(part.writing.rows) != 1:
        return ()
    return part.writing.rows[0]


def _signs(expression: Expression, order: Order) -> Iterator[str]:
    """Yield what each date of a text shows about the order."""
    for index, mention in enumerate(expression.mentions):
        kinds = [part.kind for part in mention.readings[0].parts]
        if "day" in kinds and "month_word" in kinds:
            is_day_first = kinds.index("day") < kinds.index("month_word")
            yield "day word" if is_day_first else "word day"
        if not mention.readings[0].order:
            continue
        weekday, mark = expression.weekday_of(index), _mark(mention)
        fitting = [reading for reading in mention.readings if order.falls_on(reading, weekday)]
        firsts = {reading.order[0] for reading in fitting or mention.readings}
        if firsts == {"y"}:
            yield f"year{mark}"
        elif len(firsts - {"y"}) == 1 and not ("y" in firsts and mark in order.year_first):
            yield min(firsts - {"y"})
        if "y" not in firsts and _could_be_year_first(mention):
            yield f"no year{mark}"


def _mark(mention: Mention) -> str:
    """Return the separator between the numbers of a date."""
    return mention.form.strip("09' ")[:1]


def _could_be_year_first(mention: Mention) -> bool:
    """Whether the first of three short numbers has the two digits of a year."""
    reading = mention.readings[0]
    first = reading.parts[0]
    return (
        len(reading.order) == 3
        and reading.part("short") is not None
        and first.end == first.start + 2
    )
