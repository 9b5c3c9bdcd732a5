"""How Swedish records write dates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from random import Random

    from veil.core.document import Part

_MONTHS = (
    "januari februari mars april maj juni juli augusti september oktober november december"
).split()
_SHORT = "jan feb mars april maj juni juli aug sept okt nov dec".split()
_THREE = "jan feb mar apr maj jun jul aug sep okt nov dec".split()
_WEEKDAYS = "måndag tisdag onsdag torsdag fredag lördag söndag".split()
_WEEKDAYS_SHORT = "mån tis ons tors fre lör sön".split()
_ORDINALS = (
    "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde elfte tolfte trettonde "
    "fjortonde femtonde sextonde sjuttonde artonde nittonde tjugonde tjugoförsta tjugoandra "
    "tjugotredje tjugofjärde tjugofemte tjugosjätte tjugosjunde tjugoåttonde tjugonionde "
    "trettionde trettioförsta"
).split()
_SEASONS = (
    "vintern vintern våren våren våren sommaren sommaren sommaren hösten hösten hösten vintern"
).split()
_HOLIDAYS = {
    1: ("nyårsdagen", "trettondagen", "nyår"),
    3: ("påsk", "påskafton", "långfredagen"),
    4: ("påskhelgen", "påskdagen", "valborg", "skärtorsdagen"),
    5: ("pingst", "Kristi himmelsfärd", "pingstafton"),
    6: ("midsommarafton", "midsommar", "nationaldagen", "midsommarhelgen"),
    11: ("allhelgonahelgen", "fars dag"),
    12: ("julafton", "juldagen", "lucia", "nyårsafton", "julen", "andra advent", "annandag jul"),
}


@dataclass(frozen=True)
class Writing:
    """A way to write a day: the text, what stands before it in prose, whether it tells the year."""

    write: Callable[[date, Random], str]
    lead: tuple[str, ...] = ("",)
    full: bool = False

    def part(self) -> Part:
        return "full" if self.full else "partial"


def _short_year(day: date) -> str:
    return f"{day.year % 100:02}"


def _minus_year(day: date, rng: Random) -> str:
    return f"{rng.choice(('-', '-', '-', '–', '’', chr(39)))}{_short_year(day)}"


def _ordinal(day: date) -> str:
    ending = "a" if day.day in (1, 2, 21, 22, 31) else "e"
    return f"{day.day}:{ending}"


def _week(day: date) -> int:
    return day.isocalendar().week


def _slash_year(day: date, rng: Random) -> str:
    year = rng.choice((f"-{_short_year(day)}", f" -{_short_year(day)}", f" {day.year}"))
    return f"{day.day}/{day.month}{year}"


def _long(day: date, rng: Random) -> str:
    month = rng.choice((_MONTHS[day.month - 1],) * 4 + (_SHORT[day.month - 1],))
    return f"{day.day} {month} {day.year}"


def _day_month(day: date, rng: Random) -> str:
    names = rng.choice((_MONTHS, _MONTHS, _SHORT, _THREE))
    return f"{day.day} {names[day.month - 1]}"


def _month_year(day: date, rng: Random) -> str:
    year = rng.choice((f" {day.year}", f" {day.year}", f" {_minus_year(day, rng)}"))
    return f"{_MONTHS[day.month - 1]}{year}"


def _short_month_year(day: date, rng: Random) -> str:
    between = rng.choice((" ", " -", "-", "  "))
    year = str(day.year) if between.isspace() else _short_year(day)
    return f"{rng.choice((_SHORT, _THREE))[day.month - 1]}{between}{year}"


def _week_written(day: date, rng: Random) -> str:
    word = rng.choice(("v ", "v ", "vecka ", "v.", "v", "v. "))
    tail = rng.choice(("",) * 8 + (f" {day.year}", f"-{min(_week(day) + 1, 53)}"))
    return f"{word}{_week(day)}{tail}"


def _season(day: date, rng: Random) -> str:
    season = _SEASONS[day.month - 1]
    year = rng.choice((f" {day.year}", f" {day.year}", f" {_minus_year(day, rng)}"))
    return f"{season}{year}"


def _weekday_date(day: date, rng: Random) -> str:
    short = _WEEKDAYS_SHORT[day.weekday()]
    name = _WEEKDAYS[day.weekday()]
    return rng.choice(
        (
            f"{short} {day.day}/{day.month}",
            f"{name} {day.day}/{day.month}",
            f"{name} den {day.day} {_MONTHS[day.month - 1]}",
            f"{name}en den {day.day} {_MONTHS[day.month - 1]}",
            f"{name} {day.day} {_SHORT[day.month - 1]}",
        )
    )


def _weekday_time(day: date, rng: Random) -> str:
    ending = rng.choice(("kväll", "morgon", "eftermiddag", "natten", "kvällen", "förmiddag"))
    return f"{_WEEKDAYS[day.weekday()]}s{ending}"


def _holiday(day: date, rng: Random) -> str:
    """A holiday of the month; months without one have their days."""
    if day.month not in _HOLIDAYS:
        return f"{day.day} {_MONTHS[day.month - 1]}"
    return rng.choice(_HOLIDAYS[day.month]) + rng.choice(("", "", "", f" {day.year}"))


def _decade(day: date, rng: Random) -> str:
    decade = day.year // 10 * 10
    if 2000 <= decade:
        return f"{decade}-talet"
    return rng.choice((f"{decade}-talet", f"{decade % 100}-talet"))


def _month_span(day: date, rng: Random) -> str:
    months = rng.choice((_MONTHS, _SHORT))
    between = rng.choice(("-", "/", " till "))
    following = months[day.month % 12]
    return f"{months[day.month - 1]}{between}{following}"


WRITINGS: dict[str, Writing] = {
    # days
    "iso": Writing(lambda day, rng: day.isoformat(), full=True),
    "compact": Writing(lambda day, rng: f"{day:%y%m%d}", full=True),
    "compact8": Writing(lambda day, rng: f"{day:%Y%m%d}", full=True),
    "short_iso": Writing(lambda day, rng: f"{day:%y-%m-%d}", full=True),
    "iso_slash": Writing(lambda day, rng: f"{day:%Y/%m/%d}", full=True),
    "iso_dots": Writing(lambda day, rng: f"{day:%Y.%m.%d}", full=True),
    "dotted": Writing(lambda day, rng: f"{day.day}.{day.month}.{day.year}", ("", "den "), True),
    "dotted0": Writing(lambda day, rng: f"{day:%d.%m.%Y}", ("", "den "), full=True),
    "dotted_short": Writing(
        lambda day, rng: f"{day.day}.{day.month}.{_short_year(day)}", full=True
    ),
    "dashed": Writing(lambda day, rng: f"{day:%d-%m-%Y}", full=True),
    "slashed": Writing(lambda day, rng: f"{day.day}/{day.month}/{day.year}", full=True),
    "slash": Writing(lambda day, rng: f"{day.day}/{day.month}", ("", "", "", "den ")),
    "slash_year": Writing(_slash_year, ("", "", "den "), full=True),
    "long": Writing(_long, ("den ", "den ", ""), full=True),
    "day_month": Writing(_day_month, ("den ", "")),
    "day_month_minus": Writing(
        lambda day, rng: f"{_day_month(day, rng)} {_minus_year(day, rng)}", ("den ", ""), full=True
    ),
    "ordinal": Writing(lambda day, rng: f"{_ordinal(day)} {_MONTHS[day.month - 1]}", ("den ", "")),
    "ordinal_year": Writing(
        lambda day, rng: f"{_ordinal(day)} {_MONTHS[day.month - 1]} {day.year}", ("den ",), True
    ),
    "ordinal_word": Writing(
        lambda day, rng: f"{_ORDINALS[day.day - 1]} {_MONTHS[day.month - 1]}", ("den ",)
    ),
    "caps": Writing(
        lambda day, rng: f"{day.day:02} {_THREE[day.month - 1].upper()} {day.year}", full=True
    ),
    "dash_month": Writing(
        lambda day, rng: f"{day.day:02}-{_THREE[day.month - 1]}-{day.year}", full=True
    ),
    "dotted_day": Writing(lambda day, rng: f"{day.day}.{day.month}", ("den ",)),
    "day": Writing(lambda day, rng: _ordinal(day), ("den ",)),
    "day_span": Writing(
        lambda day, rng: (
            f"{day.day}-{min(day.day + 2, 28)}/{day.month}"
            if day.day < 26
            else f"{day.day}/{day.month}"
        )
    ),
    # weekdays, weeks, holidays
    "weekday": Writing(lambda day, rng: _WEEKDAYS[day.weekday()], ("på ", "nu på ", "på ")),
    "weekday_short": Writing(lambda day, rng: _WEEKDAYS_SHORT[day.weekday()], ("på ",)),
    "weekday_past": Writing(lambda day, rng: f"{_WEEKDAYS[day.weekday()]}s", ("i ",)),
    "weekday_the": Writing(
        lambda day, rng: f"{_WEEKDAYS[day.weekday()]}en", ("på ", "under ", "förra ")
    ),
    "weekday_date": Writing(_weekday_date),
    "weekday_time": Writing(_weekday_time, ("på ",)),
    "week": Writing(_week_written, ("", "", "under ")),
    "holiday": Writing(_holiday, ("på ", "under ", "")),
    # months, years
    "month": Writing(
        lambda day, rng: _MONTHS[day.month - 1], ("i ", "i ", "i slutet av ", "i början av ")
    ),
    "month_short": Writing(lambda day, rng: _THREE[day.month - 1], ("i ",)),
    "month_span": Writing(_month_span, ("under ", "i ")),
    "month_year": Writing(_month_year, ("i ", "i ", "")),
    "month_year_short": Writing(_short_month_year, ("i ", "", "")),
    "year_month": Writing(lambda day, rng: f"{day:%Y-%m}"),
    "month_slash_year": Writing(lambda day, rng: f"{day:%m/%Y}"),
    "season": Writing(_season, ("", "", "", "under ")),
    "year": Writing(lambda day, rng: str(day.year), ("", "", "", "år ")),
    "year_short": Writing(_minus_year),
    "year_span": Writing(
        lambda day, rng: f"{day.year}{rng.choice('-–/')}{(day.year + 1) % 100:02}"
    ),
    "years": Writing(lambda day, rng: f"{day.year}-{day.year + rng.randint(1, 4)}", ("", "under ")),
    "decade": Writing(_decade, ("på ",)),
}
