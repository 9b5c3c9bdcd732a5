"""How each language writes dates: its words, its holidays, and the patterns of its data file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.patterns import compile_pattern
from veil.core.toml import read_toml
from veil.languages import language_part, read_language_toml
from veil.replace.dates.writing import DateLanguage, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

# The values of these kinds start at 0, all others at 1. Not every language has every kind.
_FROM_ZERO = frozenset({"weekday", "kanji_weekday", "season", "half_word", "third"})
_KINDS = (
    *("month_word", "weekday", "day_word", "year_word", "season", "quarter_word", "half_word"),
)
_FRAGMENT = compile_pattern(r"\{([a-z_]+[0-9]?)\}")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


# -- Words ------------------------------------------------------------------------------------


class WordMeaning(NamedTuple):
    """The value of a word, its usual form, and the rows that contain it."""

    value: int
    canonical: str
    rows: tuple[tuple[str, ...], ...]


class DateWords:
    """Rows of words for the numbers from `first` on.

    The first row contains whole words, the others short forms. `others` are irregular words by
    row, which are read but never written. `pattern` matches all words; by default it is made from
    them.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        *,
        first: int = 1,
        others: Sequence[Mapping[str, int]] = (),
        pattern: str = "",
    ) -> None:
        self.first = first
        self.rows = tuple(map(tuple, rows))
        self.whole = frozenset(self.rows[0])
        self._meanings: dict[str, WordMeaning] = {}
        for row in self.rows:
            for value, word in enumerate(row, start=first):
                self._add(value, word, row)
        for row, odd in zip(self.rows, others, strict=False):
            for word, value in odd.items():
                self._add(value, word, row)
        self.pattern = pattern or alternation(self._meanings)

    def _add(self, value: int, word: str, row: tuple[str, ...]) -> None:
        known = self._meanings.get(folded_word(word), WordMeaning(value, word, ()))
        self._meanings[folded_word(word)] = known._replace(rows=(*known.rows, row))

    @classmethod
    def read(cls, data: Mapping[str, Any], *, first: int) -> DateWords:
        """Return the words of a data file, where _ stands for a space inside a word."""
        rows = [[word.replace("_", " ") for word in row.split()] for row in data["rows"]]
        return cls(rows, first=first, others=data.get("others", ()))

    def find(self, word: str) -> WordMeaning:
        """Return what a word means."""
        return self._meanings[folded_word(word.removesuffix("."))]


def folded_word(word: str) -> str:
    """Return the form of a word that is used for comparison."""
    return plain(word).lower()


def alternation(words: Iterable[str]) -> str:
    """Return a pattern for one of the words, longest first; without words it never matches."""
    ordered = sorted(map(folded_word, words), key=len, reverse=True)
    return "|".join(map(re.escape, ordered)) or "(?!)"


def _years_in_words(data: Mapping[str, Any]) -> DateWords:
    """Return the years of two centuries in words: dos mil veintitrés."""
    ones = data["ones"].split()
    below_hundred = [
        *ones,
        *(
            ten + (data["join"] + ones[digit - 1] if digit else "")
            for ten in data["tens"].split()
            for digit in range(10)
        ),
    ]
    centuries = [century for _, century in sorted(data["centuries"].items())]
    years = [f"{century} {rest}".rstrip() for century in centuries for rest in ("", *below_hundred)]
    # An alternation of hundreds of years, used in many patterns, would be slow to compile.
    pattern = f"(?:{alternation(centuries)})(?: (?:{alternation(below_hundred)}))?"
    return DateWords([years], first=int(min(data["centuries"])), pattern=pattern)


# -- Holidays ---------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def easter(year: int) -> date:
    """Return Easter Sunday of a year, by the computus of the Gregorian calendar."""
    century, of_century = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    moon -= (moon == 29) or (moon == 28 and 10 < year % 19)
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - moon - of_century % 4) % 7
    return date(year, 3, 22) + timedelta(moon + weekday)


def read_rule(rule: str) -> Callable[[int], date]:
    """Return a function from a year to the day that a rule names.

    "12-25" is that day, "easter-2" two days before Easter, and "thu 11-22" the first Thursday from
    22 November on, which is the fourth of the month.
    """
    if rule.startswith("easter"):
        offset = timedelta(int(rule.removeprefix("easter") or 0))
        return lambda year: easter(year) + offset
    weekday, _, month_day = rule.rpartition(" ")
    month, day = map(int, month_day.split("-"))
    if not weekday:
        return lambda year: date(year, month, day)
    index = _WEEKDAYS.index(weekday)

    def from_day(year: int) -> date:
        earliest = date(year, month, day)
        return earliest + timedelta((index - earliest.weekday()) % 7)

    return from_day


@dataclass(frozen=True, slots=True)
class Holidays:
    """Holidays of one kind: those of a day, or of a week or more (`unit` is "day" or "month")."""

    unit: str
    rules: tuple[Callable[[int], date], ...]
    keys: tuple[str, ...]

    def on(self, index: int, year: int) -> date:
        """Return the day of a holiday in a year."""
        return self.rules[index](year)


# -- The grammar of a language ----------------------------------------------------------------


class Pattern(NamedTuple):
    """One way to write a date; `after` is a value that the date before it must have."""

    regex: re.Pattern[str]
    orders: Sequence[str]
    unit: str | None
    after: str | None


class Relative(NamedTuple):
    """A word that gives a year or a month relative to another date, with its row."""

    offset: int
    row: tuple[str, ...]
    lowest: int
    in_months: bool


@dataclass(frozen=True)
class Grammar:
    """How a language writes dates.

    `fillers` may occur beside a date without being part of it: hours, prepositions, relative times.
    `ordinals` are the endings of days by their last digits (see `Ordinal`).
    """

    day_first: bool
    year_first: bool
    words_show_order: bool
    patterns: tuple[Pattern, ...]
    words: Mapping[str, DateWords]
    holidays: tuple[Holidays, ...]
    relatives: Mapping[str, Relative]
    fillers: tuple[re.Pattern[str], ...]
    clock_behind: re.Pattern[str]
    connector: re.Pattern[str]
    beside_weekday: re.Pattern[str]
    general: Mapping[str, str]
    ordinals: Mapping[str, str]
    code: DateLanguage

    def month_name(self, month: int) -> str:
        """Return the full name of a month; empty if the language has no words for months."""
        words = self.words.get("month_word")
        return words.rows[0][month - 1] if words else ""


def date_language(language: str) -> DateLanguage:
    """Return what the data of a language cannot express: its numerals and special parts."""
    part = language_part(language, "dates")
    return part.DATES if part else DateLanguage()


@cache
def grammar(language: str) -> Grammar:
    """Return the grammar of a language; one without `dates.toml` has the common formats."""
    common, data = _common(), read_language_toml(language, "dates.toml")
    words = {
        kind: DateWords.read(rows, first=0 if kind in _FROM_ZERO else 1)
        for kind, rows in data.get("words", {}).items()
    }
    if "years_in_words" in data:
        words["year_word"] = _years_in_words(data["years_in_words"])
    holidays = tuple(
        Holidays(unit, tuple(map(read_rule, rules.values())), tuple(map(folded_word, rules)))
        for unit, rules in data.get("holidays", {}).items()
    )
    relatives = dict(_relatives(data.get("relative", ())))
    fragments: dict[str, str] = {
        **dict.fromkeys(_KINDS, "(?!)"),
        **common["fragments"],
        **data.get("fragments", {}),
        **{kind: row.pattern for kind, row in words.items()},
        "relative_year": alternation(w for w, row in relatives.items() if not row.in_months),
        "relative_month": alternation(w for w, row in relatives.items() if row.in_months),
    }
    rules = [*data.get("pattern", ()), *_holiday_rules(holidays), *common["pattern"]]
    # Patterns that depend on the date before them are more specific and go first.
    rules.sort(key=lambda rule: "after" not in rule)
    text = {"clock": (), "fillers": (), "clock_behind": "(?!)", **data.get("text", {})}
    words_beside = [*common["text"]["clock"], *text["clock"], *text["fillers"]]
    return Grammar(
        day_first=data.get("day_first", True),
        year_first=data.get("year_first", False),
        words_show_order=data.get("words_show_order", False),
        patterns=tuple(
            Pattern(
                _compiled(rule["pattern"], fragments),
                rule.get("orders", ("",)),
                rule.get("unit"),
                rule.get("after"),
            )
            for rule in rules
            if "needs" not in rule or data.get(rule["needs"], False)
        ),
        words=words,
        holidays=holidays,
        relatives=relatives,
        fillers=tuple(
            _compiled(filler, fragments)
            for filler in (common["text"]["marks"], *map(_whole_word, words_beside))
        ),
        clock_behind=_compiled(f"(?:{text['clock_behind']})(?![0-9])", fragments),
        connector=_compiled("{connector}", fragments),
        beside_weekday=_compiled(common["text"]["beside_weekday"], fragments),
        general={**common["general"], **data.get("general", {})},
        ordinals=data.get("ordinals", {}),
        code=date_language(language),
    )


def _common() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("common.toml"))


def _compiled(pattern: str, fragments: Mapping[str, str]) -> re.Pattern[str]:
    while _FRAGMENT.search(pattern):
        pattern = _FRAGMENT.sub(lambda match: fragments[match[1]], pattern)
    return compile_pattern(pattern, re.IGNORECASE | re.ASCII)


def _whole_word(pattern: str) -> str:
    """Return the pattern restricted to matches that do not end inside a word."""
    return f"(?:{pattern})(?:(?<![a-z])|(?![a-z]))"


def _relatives(tables: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Relative]]:
    for table in tables:
        row, lowest = tuple(table["words"].split()), table["lowest"]
        offsets = dict(zip(row, range(lowest, lowest + len(row)), strict=True))
        for word, offset in (offsets | table.get("others", {})).items():
            yield word, Relative(offset, row, lowest, table.get("in_months", False))


def _holiday_rules(groups: Sequence[Holidays]) -> Iterator[dict[str, str]]:
    """Yield a pattern for each group of holidays, with a year or without."""
    for number, group in enumerate(groups):
        names = alternation(group.keys)
        yield {"pattern": f"(?P<holiday{number}>(?:{names})(?![a-z])){{years}}?"}
