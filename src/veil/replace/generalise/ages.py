"""Ages that say less: to the decade, or to "90+" above a limit.

An age is read as numbers with units: "tres años y diez meses", "40-50-årig", "20〜60歳まで". Where
a span holds the number alone, as in English, the unit is looked for in the text that follows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from veil.replace.generalise.age_reading import AgeLanguage, age_language

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.generalise.age_reading import Years

DECADE = "decade"
OVER = "90+"
OLDEST = 89
"""The highest age that HIPAA lets stand: 45 CFR 164.514(b)(2)(i)(C)."""

_LOOK_AHEAD = 32


def following(case: Case, span: Span) -> str:
    """The text after an age, where its unit may stand."""
    return case.document.text[span.end : span.end + _LOOK_AHEAD]


def generalised_age(
    text: str, language: str, *, to: str, above: int = OLDEST, following: str = ""
) -> str | None:
    """Return an age that says less, or None where it cannot be read.

    `to` is "decade", or "90+" to change ages above the limit alone. `following` is the text after
    the age: "-month-old".
    """
    return _generalised(text, language, to, above, age_language(language).unit_of(following))


def oldest_age(text: str, language: str, *, following: str = "") -> int:
    """The highest number of years in the text of an age, 0 where there is none."""
    words = age_language(language)
    outer = words.unit_of(following)
    ages = [age for age in words.read(text) if not age.in_unit(outer).is_young]
    return max([int(age.highest) for age in ages] + [words.named_age(text) or 0])


@lru_cache(maxsize=4096)
def _generalised(text: str, language: str, to: str, above: int, outer: str) -> str | None:
    words = age_language(language)
    ages = words.read(text)
    # "her 10th decade", "ninety-fifth birthday": the number alone would say something else.
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
                # "3" of "3-month-old": a number of years would be of months.
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
    """What stands for an age above the limit; None where it is not."""
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
