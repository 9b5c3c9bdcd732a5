"""Numbers in words from 1 to 119: forty-five, cuarenta y dos, åttiofem, 八十二."""

from __future__ import annotations

from functools import cache
from itertools import product

_EN = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ES = (
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis "
    "diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro "
    "veinticinco veintiseis veintisiete veintiocho veintinueve"
).split()
_ES_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_SV = (
    "ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton "
    "arton nitton"
).split()
_SV_TENS = "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio".split()

_KANJI = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"零": 0}
KANJI_NUMBER = "[〇零一二三四五六七八九十百]+"


@cache
def number_words(language: str) -> dict[str, int]:
    """The folded words for numbers of a language that is written with spaces."""
    return {"en": _english, "es": _spanish, "sv": _swedish}.get(language, dict)()


def kanji_number(numeral: str) -> int:
    """The value of a numeral in kanji: 八十二 and 八二 are 82."""
    total = value = 0
    for character in numeral:
        if character in "十百":
            total += max(value, 1) * (10 if character == "十" else 100)
            value = 0
        else:
            value = 10 * value + _KANJI[character]
    return total + value


def _english() -> dict[str, int]:
    words = dict(zip(_EN, range(1, 20), strict=True))
    words |= _with_units(_EN_TENS, 20, _EN[:9], ("-", " "))
    hundreds = ("one hundred", "a hundred", "hundred")
    return words | _hundreds(words, hundreds, (" and ", " "))


def _spanish() -> dict[str, int]:
    words = dict(zip(_ES, range(1, 30), strict=True))
    words |= {"un": 1, "una": 1, "veintiun": 21, "veintiuna": 21}
    words |= _with_units(_ES_TENS, 30, _ES[:9], (" y ",))
    words |= {f"{tens} y un": 10 * place + 1 for place, tens in enumerate(_ES_TENS, start=3)}
    return words | {"cien": 100} | _hundreds(words, ("ciento",), (" ",))


def _swedish() -> dict[str, int]:
    words = dict(zip(_SV, range(1, 20), strict=True)) | {"en": 1}
    words |= _with_units(_SV_TENS, 20, _SV[:9], ("",))
    words |= {f"{tens}en": 10 * place + 1 for place, tens in enumerate(_SV_TENS, start=2)}
    return words | _hundreds(words, ("hundra", "etthundra", "ett hundra"), ("", " "))


def _with_units(
    tens: list[str], first: int, units: list[str], between: tuple[str, ...]
) -> dict[str, int]:
    words = {word: first + 10 * place for place, word in enumerate(tens)}
    return words | {
        f"{ten}{joint}{unit}": value + place
        for (ten, value), joint in product(words.items(), between)
        for place, unit in enumerate(units, start=1)
    }


def _hundreds(
    words: dict[str, int], hundreds: tuple[str, ...], between: tuple[str, ...]
) -> dict[str, int]:
    return dict.fromkeys(hundreds, 100) | {
        f"{hundred}{joint}{word}": 100 + value
        for hundred, joint in product(hundreds, between)
        for word, value in words.items()
        if value < 20
    }
