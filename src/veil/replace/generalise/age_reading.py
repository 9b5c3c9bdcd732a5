"""How a language writes ages: numbers, units, words for times of life (data: ages.toml)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.toml import read_toml
from veil.languages import base_language
from veil.lexicons.folding import fold
from veil.replace.generalise.numerals import KANJI_NUMBER, kanji_number, number_words

if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE = Path(str(resources.files("veil.replace.generalise"))) / "ages.toml"
_DECADE, _YEARS = "decade", "years"
_PER_YEAR = {"months": 12, "weeks": 52, "days": 365, "hours": 8760}
_UNITS = (_DECADE, _YEARS, *_PER_YEAR)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "1/2": 0.5}
_DIGITS = rf"(?<!\d)\d{{1,3}}(?!\d)(?:[.,]\d{{1,2}})?(?: ?(?:{'|'.join(_FRACTIONS)}))?|[½¼¾]"
_GAP = r"[ \t\r\n-]{0,3}"
_ONE_WRITING = str.maketrans("–‐‑−\u00a0\u3000\t\r\n", "----     ")
# "3, 4 and 7 months": the unit of the first two stands after the last.
_LISTED = rf"(?:(?:,| ?(?:and|or|to|y|o|a|och|eller|[-/&])) ?(?:{_DIGITS}))*"


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
        return self.unit == _DECADE

    @property
    def is_young(self) -> bool:
        """Whether it is counted in less than years."""
        return self.unit in _PER_YEAR

    def years(self, number: float) -> int:
        """A number of the unit in whole years."""
        return int(number / _PER_YEAR.get(self.unit, 1))

    def in_unit(self, unit: str) -> Years:
        """The same in the unit of what follows, where it has none of its own."""
        return self if self.unit else replace(self, unit=unit)


class AgeLanguage:
    """Reads and writes the ages of one language."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        self._code = code
        self._forms = data
        self._words: Mapping[str, int] = data["words"]
        self._exact: Mapping[str, int] = data.get("exact", {})
        self.year_unit: str = data.get("unit", "")
        number = self._number()
        units = "|".join(f"(?P<{unit}>{data[unit]})" for unit in _UNITS if unit in data)
        smaller = "|".join(data[unit] for unit in _PER_YEAR)
        upper = rf"(?:{data['range']}(?P<upper>{number}))?" if "range" in data else ""
        rest = rf"{data['and_half']}|(?: ?{data['joint']})? ?(?:{number}){_GAP}(?:{smaller})"
        self._age = re.compile(
            rf"(?:{data.get('before', '')})?(?P<number>{number}){upper}"
            rf"(?:(?P<unit>{_GAP}(?:{units}))(?:{rest})*)?"
        )
        self._unit = re.compile(rf"{_LISTED}{_GAP}(?:{units})")
        self._born = re.compile(rf"(?:{data['born']})\Z")
        self._born_after = re.compile(data.get("born_after", "(?!)"))

    def read(self, text: str) -> list[Years]:
        """The numbers in the text of an age."""
        return [self._years(match, text) for match in self._age.finditer(_folded(text))]

    def unit_of(self, following: str) -> str:
        """The unit in the text after an age that has none."""
        match = self._unit.match(_folded(following))
        return (match.lastgroup or "") if match else ""

    def named_age(self, text: str) -> int | None:
        """The age that a word says: octogenaria, nineties, 米寿."""
        folded = _folded(text)
        named = {**self._words, **self._exact}
        word = max((word for word in named if word in folded), key=len, default=None)
        return None if word is None else named[word]

    def is_birth(self, before: str, after: str) -> bool:
        """Whether the text on either side of a date says that somebody was born then."""
        born = self._born.search(_folded(before)) or self._born_after.match(_folded(after))
        return born is not None

    def names_one_age(self, text: str) -> bool:
        return any(word in _folded(text) for word in self._exact)

    def write_decade(self, form: str, low: int, high: int, unit: str = "") -> str:
        """Write a decade; `form` says where it stands (see ages.toml)."""
        young: Mapping[str, str] = self._forms.get("young", {})
        if str(low) in young:
            return young[str(low)].format(low=low, high=high, unit=unit)
        return self.write(form if form in self._forms else "within", low=low, high=high, unit=unit)

    def write(self, form: str, **values: object) -> str:
        return str(self._forms[form]).format(**values)

    def _number(self) -> str:
        if self._code == "ja":
            return f"{_DIGITS}|{KANJI_NUMBER}"
        words = "|".join(sorted(number_words(self._code), key=len, reverse=True))
        # Swedish joins the number and its unit: åttiofemårig.
        end = "(?=år|mån|veck|dag|dyg|[^a-zåäö]|$)" if self._code == "sv" else r"(?![^\W\d_])"
        return rf"{_DIGITS}|(?<!\w)(?:{words}){end}"

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
        return kanji_number(whole) if self._code == "ja" else number_words(self._code)[whole]


def age_language(language: str) -> AgeLanguage:
    """What is known of the ages of a language; variants ("en-x") share their language's."""
    return _load(base_language(language))


@cache
def _load(code: str) -> AgeLanguage:
    return AgeLanguage(code, read_toml(_FILE)[code])


def _folded(text: str) -> str:
    """The text as patterns see it, each character in its place."""
    folded = text.translate(_ONE_WRITING)
    if folded.isascii():
        return folded.lower()
    return "".join(map(_folded_character, folded))


@cache
def _folded_character(character: str) -> str:
    folded = fold(character)
    return folded if len(folded) == 1 else character
