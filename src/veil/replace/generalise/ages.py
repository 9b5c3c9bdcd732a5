"""Ages generalised to the decade, or to "90+" above a limit.

An age is read as numbers with units: "tres años y diez meses", "40-50-årig", "20〜60歳まで". If a
span has only the number, as in English, the unit is searched for in the text that follows.

The `ages.toml` of a language defines how it writes ages. Its patterns match text in lower case,
without accents (except å, ä, ö, ñ) and in half width:

- years, months, weeks, days, hours: units after a number; no single letters for units shorter than
  a year, because they also mean the sex (45 M, 45 H);
- decade: marks of an age that is already a decade (50s, 50代);
- range: what joins two numbers to one age (40-50 years); listed: words that join several ages;
- and_half: what may follow the years and is dropped, like months and days; joint: what may precede
  months and days; before: what precedes the number and belongs to it;
- words: beginnings of words for a time of life, and the age at which it begins; exact: words for
  one age; numbers: words for numbers, which number_end must follow;
- within, alone, in_decade, over: formats of a decade, of a decade without a unit, of an age that
  already was a decade, and of an age above the limit; young: other formats of some decades; unit:
  the unit of years where months or days were written;
- born, born_after: what precedes and what follows a date of birth.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from veil.languages import base_language, read_language_toml
from veil.lexicons.folding import fold
from veil.replace.dates.grammar import date_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.core.document import Span
    from veil.replace.base import Case

DECADE = "decade"
OVER = "90+"
OLDEST = 89
"""The highest age that HIPAA allows: 45 CFR 164.514(b)(2)(i)(C)."""

_LOOK_AHEAD = 32
_PER_YEAR = {"months": 12, "weeks": 52, "days": 365, "hours": 8760}
_UNITS = (DECADE, "years", *_PER_YEAR)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "1/2": 0.5}
_DIGITS = rf"(?<!\d)\d{{1,3}}(?!\d)(?:[.,]\d{{1,2}})?(?: ?(?:{'|'.join(_FRACTIONS)}))?|[½¼¾]"
_GAP = r"[ \t\r\n-]{0,3}"
_NEVER = "(?!)"
_PLAIN_SPELLING = str.maketrans("–‐‑−\u00a0\u3000\t\r\n", "----     ")
# The data of a language without `ages.toml`: it has numbers and no units.
_NUMBERS_ONLY = {"range": " ?- ?", "within": "{low}-{high}{unit}", "over": "{limit}+{unit}"}


@dataclass(frozen=True)
class Years:
    """A number, or a range of numbers, of years, months ... in the text of an age."""

    start: int
    end: int
    lowest: float
    highest: float
    unit: str
    unit_text: str
    is_range: bool

    @property
    def is_decade(self) -> bool:
        return self.unit == DECADE

    @property
    def is_young(self) -> bool:
        """Whether its unit is shorter than a year."""
        return self.unit in _PER_YEAR

    def years(self, number: float) -> int:
        """Return a number of the unit in whole years."""
        return int(number / _PER_YEAR.get(self.unit, 1))

    def in_unit(self, unit: str) -> Years:
        """Return the same in another unit if it has none of its own."""
        return self if self.unit else replace(self, unit=unit)


class AgeLanguage:
    """Reads and writes the ages of one language."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        self._forms = data
        self._words: Mapping[str, int] = data.get("words", {})
        self._exact: Mapping[str, int] = data.get("exact", {})
        self._numerals = date_language(code).numerals
        self.number_words = _number_words(data["numbers"]) if "numbers" in data else {}
        self.year_unit: str = data.get("unit", "")
        number = self._number()
        given = [unit for unit in _UNITS if unit in data]
        units = "|".join(f"(?P<{unit}>{data[unit]})" for unit in given) or _NEVER
        smaller = "|".join(data[unit] for unit in given if unit in _PER_YEAR) or _NEVER
        upper = rf"(?:{data['range']}(?P<upper>{number}))?" if "range" in data else ""
        joint, half = data.get("joint", _NEVER), data.get("and_half", _NEVER)
        rest = rf"{half}|(?: ?{joint})? ?(?:{number}){_GAP}(?:{smaller})"
        self._age = re.compile(
            rf"(?:{data.get('before', '')})?(?P<number>{number}){upper}"
            rf"(?:(?P<unit>{_GAP}(?:{units}))(?:{rest})*)?"
        )
        # "3, 4 and 7 months": the unit of the first two follows the last.
        listed = rf"(?:(?:,| ?(?:{data.get('listed', _NEVER)}|[-/&])) ?(?:{_DIGITS}))*"
        self._unit = re.compile(rf"{listed}{_GAP}(?:{units})")
        self._born = re.compile(rf"(?:{data.get('born', _NEVER)})\Z")
        self._born_after = re.compile(data.get("born_after", _NEVER))

    def read(self, text: str) -> list[Years]:
        """Return the numbers in the text of an age."""
        return [self._years(match, text) for match in self._age.finditer(_folded(text))]

    def unit_of(self, following: str) -> str:
        """Return the unit in the text after an age that has none."""
        match = self._unit.match(_folded(following))
        return (match.lastgroup or "") if match else ""

    def named_age(self, text: str) -> int | None:
        """Return the age that a word means: octogenaria, nineties, 米寿."""
        folded = _folded(text)
        named = {**self._words, **self._exact}
        word = max((word for word in named if word in folded), key=len, default=None)
        return None if word is None else named[word]

    def is_birth(self, before: str, after: str) -> bool:
        """Whether the text on either side of a date shows that it is a date of birth."""
        born = self._born.search(_folded(before)) or self._born_after.match(_folded(after))
        return born is not None

    def names_one_age(self, text: str) -> bool:
        return any(word in _folded(text) for word in self._exact)

    def write_decade(self, form: str, low: int, high: int, unit: str = "") -> str:
        """Write a decade; `form` is a key of ages.toml."""
        young: Mapping[str, str] = self._forms.get("young", {})
        if str(low) in young:
            return young[str(low)].format(low=low, high=high, unit=unit)
        return self.write(form if form in self._forms else "within", low=low, high=high, unit=unit)

    def write(self, form: str, **values: object) -> str:
        return str(self._forms[form]).format(**values)

    def _number(self) -> str:
        patterns = [_DIGITS]
        if self._numerals.pattern:
            patterns.append(self._numerals.pattern)
        if self.number_words:
            words = "|".join(sorted(self.number_words, key=len, reverse=True))
            end = self._forms.get("number_end", r"(?![^\W\d_])")
            patterns.append(rf"(?<!\w)(?:{words}){end}")
        return "|".join(patterns)

    def _years(self, match: re.Match[str], text: str) -> Years:
        found = match.groupdict()
        lowest = self._value(found["number"])
        upper = found.get("upper")
        before = (unit for unit in _PER_YEAR if found.get(f"{unit}_before"))
        unit_text = text[slice(*match.span("unit"))] if match["unit"] else ""
        if unit_text[:1].isalpha() and not match["number"][-1].isdigit():
            unit_text = f"-{unit_text}"
        return Years(
            match.start(),
            match.end(),
            lowest,
            self._value(upper) if upper else lowest,
            next((unit for unit in _UNITS if found.get(unit)), "") or next(before, ""),
            unit_text,
            upper is not None,
        )

    def _value(self, number: str) -> float:
        fraction = next((sign for sign in _FRACTIONS if number.endswith(sign)), "")
        whole = number.removesuffix(fraction).strip()
        if not whole:
            return _FRACTIONS[fraction]
        if whole[0].isdigit():
            return float(whole.replace(",", ".")) + _FRACTIONS.get(fraction, 0)
        return self.number_words.get(whole) or self._numerals.read(whole)


def _number_words(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the folded words for numbers from 1 to 119: forty-five, cuarenta y dos, åttiofem."""
    ones = data["ones"].split()
    words: dict[str, int] = dict(zip(ones, range(1, len(ones) + 1), strict=True))
    words |= data.get("others", {})
    tens = {word: len(ones) + 1 + 10 * index for index, word in enumerate(data["tens"].split())}
    units = {word: index for index, word in enumerate(ones[:9], start=1)}
    if "one_after_tens" in data:
        units[data["one_after_tens"]] = 1
    words |= tens | {
        f"{ten}{joint}{unit}": high + low
        for (ten, high), joint, (unit, low) in product(tens.items(), data["joints"], units.items())
    }
    return (
        words
        | dict.fromkeys(data["hundreds"], 100)
        | {
            f"{hundred}{joint}{word}": 100 + value
            for hundred, joint in product(data["hundreds"], data["after_hundred"])
            for word, value in words.items()
            if value < 20
        }
    )


def age_language(language: str) -> AgeLanguage:
    """Return how a language writes ages; variants ("en-x") share their language's."""
    return _load(base_language(language))


@cache
def _load(code: str) -> AgeLanguage:
    return AgeLanguage(code, read_language_toml(code, "ages.toml") or _NUMBERS_ONLY)


def _folded(text: str) -> str:
    """Return the text in the form that patterns match; offsets stay the same."""
    folded = text.translate(_PLAIN_SPELLING)
    if folded.isascii():
        return folded.lower()
    return "".join(map(_folded_character, folded))


@cache
def _folded_character(character: str) -> str:
    folded = fold(character)
    return folded if len(folded) == 1 else character


# -- Generalising ---------------------------------------------------------------------------


def following(case: Case, span: Span) -> str:
    """Return the text after an age, which may contain its unit."""
    return case.document.text[span.end : span.end + _LOOK_AHEAD]


def generalised_age(
    text: str, language: str, *, to: str, above: int = OLDEST, following: str = ""
) -> str | None:
    """Return a generalised age, or None if it cannot be read.

    `to` is "decade", or "90+" to change only ages above the limit. `following` is the text after
    the age: "-month-old".
    """
    return _generalised(text, language, to, above, age_language(language).unit_of(following))


def oldest_age(text: str, language: str, *, following: str = "") -> int:
    """Return the highest number of years in the text of an age, 0 if there is none."""
    words = age_language(language)
    outer = words.unit_of(following)
    ages = [age for age in words.read(text) if not age.in_unit(outer).is_young]
    return max([int(age.highest) for age in ages] + [words.named_age(text) or 0])


@lru_cache(maxsize=4096)
def _generalised(text: str, language: str, to: str, above: int, outer: str) -> str | None:
    words = age_language(language)
    ages = words.read(text)
    # "her 10th decade", "ninety-fifth birthday": the number alone would mean something else.
    if not ages or above < (words.named_age(text) or 0):
        return _generalised_word(words, text, to, above)
    pieces = []
    position = 0
    for age, next_unit in zip(ages, [*(age.unit for age in ages[1:]), ""], strict=True):
        pieces.append(text[position : age.start])
        counted = age.in_unit(next_unit or outer)
        new = _over(words, counted, to, above)
        if new is None and to == DECADE:
            if counted.is_young and not age.unit and not next_unit:
                # The "3" of "3-month-old": a decade in years would become one in months.
                return None
            new = _decade(words, counted, above)
        pieces.append(text[age.start : age.end] if new is None else new)
        position = age.end
    pieces.append(text[position:])
    # A number that is not understood may be the age.
    if any(character.isdigit() for between in pieces[::2] for character in between):
        return None
    return "".join(pieces)


def _over(words: AgeLanguage, age: Years, to: str, above: int) -> str | None:
    """Return the format of an age above the limit; None for other ages."""
    if age.is_young or age.highest <= above:
        return None
    unit = "" if age.is_decade else age.unit_text
    if age.lowest <= above:
        low = int(age.lowest) // 10 * 10 if to == DECADE else int(age.lowest)
        return words.write("within", low=low, high=f"{above + 1}+", unit=unit)
    return words.write("over", limit=above + 1, unit=unit)


def _decade(words: AgeLanguage, age: Years, above: int) -> str:
    low = age.years(age.lowest) // 10 * 10
    high = min(age.years(age.highest) // 10 * 10 + 9, above)
    if age.is_decade:
        return words.write_decade("in_decade", low, high)
    if age.is_young:
        return words.write_decade("within", low, high, words.year_unit)
    is_alone = not age.unit and not age.is_range
    return words.write_decade("alone" if is_alone else "within", low, high, age.unit_text)


def _generalised_word(words: AgeLanguage, text: str, to: str, above: int) -> str | None:
    age = words.named_age(text)
    if age is None:
        return None
    if above < age:
        return words.write("over", limit=above + 1, unit="")
    if to == DECADE and words.names_one_age(text):
        low = age // 10 * 10
        return words.write_decade("alone", low, min(low + 9, above))
    return text
