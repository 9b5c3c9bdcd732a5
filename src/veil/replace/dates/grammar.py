"""The data files of the languages, made into patterns."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.errors import UnknownNameError
from veil.languages import read_language_toml
from veil.replace.dates.holidays import Holidays
from veil.replace.dates.words import Words, alternation, spanish_years

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LANGUAGES = ("en", "es", "sv", "ja")
# Words of these kinds count from 0, all others from 1; not every language has words of each kind.
_FROM_ZERO = frozenset({"weekday", "kanji_weekday", "season", "half_word", "third"})
_KINDS = (
    *("month_word", "weekday", "day_word", "year_word", "season", "quarter_word", "half_word"),
)
_FRAGMENT = re.compile(r"\{([a-z_]+[0-9]?)\}")


class Pattern(NamedTuple):
    """One way to write a date; `after` is what must stand right before it: a day, year or week."""

    regex: re.Pattern[str]
    orders: Sequence[str]
    unit: str | None
    after: str | None


class Relative(NamedTuple):
    """A word that tells a year or a month by another date, with the row it belongs to."""

    offset: int
    row: tuple[str, ...]
    lowest: int
    in_months: bool


@dataclass(frozen=True)
class Grammar:
    """How a language writes dates.

    `fillers` are what may stand beside a date and tells none: hours, prepositions, relative times.
    """

    language: str
    day_first: bool
    year_first: bool
    patterns: tuple[Pattern, ...]
    words: Mapping[str, Words]
    holidays: tuple[Holidays, ...]
    relatives: Mapping[str, Relative]
    fillers: tuple[re.Pattern[str], ...]
    clock_behind: re.Pattern[str]
    connector: re.Pattern[str]
    general: Mapping[str, str]


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language."""
    if language not in LANGUAGES:
        raise UnknownNameError("language", language, LANGUAGES)
    common, data = _common(), read_language_toml(language, "dates.toml")
    words = {
        kind: Words.read(rows, first=0 if kind in _FROM_ZERO else 1)
        for kind, rows in data["words"].items()
    }
    if "years_in_words" in data:
        words["year_word"] = spanish_years(data["years_in_words"])
    holidays = tuple(Holidays.of(unit, rules) for unit, rules in data["holidays"].items())
    relatives = dict(_relatives(data.get("relative", ())))
    fragments: dict[str, str] = {
        **dict.fromkeys(_KINDS, "(?!)"),
        **common["fragments"],
        **data["fragments"],
        **{kind: row.pattern for kind, row in words.items()},
        "relative_year": alternation(w for w, row in relatives.items() if not row.in_months),
        "relative_month": alternation(w for w, row in relatives.items() if row.in_months),
    }
    rules = [*data.get("pattern", ()), *_holiday_rules(holidays), *common["pattern"]]
    # What stands before says more than what a pattern can: these go first.
    rules.sort(key=lambda rule: "after" not in rule)
    text = data["text"]
    words_beside = [*common["text"]["clock"], *text["clock"], *text["fillers"]]
    return Grammar(
        language=language,
        day_first=data["day_first"],
        year_first=data["year_first"],
        patterns=tuple(
            Pattern(
                _compiled(rule["pattern"], fragments),
                rule.get("orders", ("",)),
                rule.get("unit"),
                rule.get("after"),
            )
            for rule in rules
            if language in rule.get("only", LANGUAGES)
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
        general=data["general"],
    )


def _common() -> dict[str, Any]:
    file = resources.files("veil.replace.dates").joinpath("common.toml")
    return tomllib.loads(file.read_text("utf-8"))


def _compiled(pattern: str, fragments: Mapping[str, str]) -> re.Pattern[str]:
    while _FRAGMENT.search(pattern):
        pattern = _FRAGMENT.sub(lambda match: fragments[match[1]], pattern)
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


def _whole_word(pattern: str) -> str:
    """The pattern where it ends with a word and not inside of one."""
    return f"(?:{pattern})(?:(?<![a-z])|(?![a-z]))"


def _relatives(tables: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Relative]]:
    for table in tables:
        row, lowest = tuple(table["words"].split()), table["lowest"]
        offsets = dict(zip(row, range(lowest, lowest + len(row)), strict=True))
        for word, offset in (offsets | table.get("others", {})).items():
            yield word, Relative(offset, row, lowest, table.get("in_months", False))


def _holiday_rules(groups: Sequence[Holidays]) -> Iterator[dict[str, str]]:
    """Each group of holidays as a pattern, with a year or without."""
    for number, group in enumerate(groups):
        names = alternation(group.keys)
        yield {"pattern": f"(?P<holiday{number}>(?:{names})(?![a-z])){{years}}?"}
