"""Places in Japanese: towns of the lists, addresses from prefecture to number, number plates."""

from __future__ import annotations

import re

from veil.detect.rules.japanese.words import (
    HIRAGANA,
    KANJI,
    KATAKANA,
    Place,
    is_analysed_place,
    is_place,
)

_LONGEST_ADDRESS = 80
_LONGEST_TOWN = 6
_DIGIT = "0-9０-９"
_HYPHEN = "[-－‐−–ー―]"
_LETTER = f"[{KANJI}{HIRAGANA}{KATAKANA}ヶケノ]"
_NUMERAL = f"(?:[{_DIGIT}]{{1,5}}|[一二三四五六七八九十百]{{1,4}})"
# 市 twice ends the names of towns such as 四日市市.
_PARTS = re.compile(f"(?:{_LETTER}{{1,6}}?(?:[区郡町村]|市市?)){{1,3}}")
_FIRST_NUMBER = (
    f"[ \u3000]?{_NUMERAL}[ \u3000]?"
    f"(?:丁目|番地|番|号|条|線|地割|{_HYPHEN}(?=[{_DIGIT}])|の(?=[{_DIGIT}]))"
)
_MORE_NUMBERS = (
    f"(?:[ \u3000]?の?{_NUMERAL}(?:[ \u3000]?(?:丁目|番地|番|号室?|{_HYPHEN}(?=[{_DIGIT}])))?"
    f"|[東西南北](?=[{_DIGIT}])){{0,5}}"
)
_LONE_NUMBER = f"[{_DIGIT}]{{1,5}}(?![{_DIGIT}人例名年月日歳才回床度％%.．時分か])"
_FLAT = f"(?:[{_DIGIT}]{{1,4}}|[A-ZＡ-Ｚ][{_DIGIT}]{{1,4}})(?:号室|号|階|F|Ｆ)"
_HOUSE = (
    "(?:マンション|ハイツ|アパート|コーポ|ビル|荘|寮|団地|レジデンス|ハイム|メゾン|タワー|住宅"
    "|パレス|ヴィラ)[A-ZＡ-Ｚ]?"
    f"(?:[ \u3000]?[{_DIGIT}]{{1,4}}(?:号室|号棟|号|階|F)?(?:{_HYPHEN}[{_DIGIT}]{{1,4}})?)?"
)
_NAME_OF_HOUSE = f"[{KANJI}{KATAKANA}A-Za-zＡ-Ｚａ-ｚ・ー第]"
_BUILDING = (
    f"(?:[ \u3000]?{_NAME_OF_HOUSE}{{2,16}}[ \u3000]?{_FLAT}"
    f"|[ \u3000]?{_NAME_OF_HOUSE}{{0,12}}{_HOUSE})"
)
_REST = re.compile(
    f"({_LETTER}{{1,12}}?)?(?:{_FIRST_NUMBER}{_MORE_NUMBERS}|{_LONE_NUMBER})(?:{_BUILDING})?"
)
_COUNTY = re.compile(f"[{KANJI}]{{1,4}}郡\\Z")
_NO_PART = re.compile(".*(?:在住|出身|居住|から|まで|より|には|では|にて|として|生まれ|の.{0,4})")
# Offices that register cars have their own places: 富士山, なにわ.
_PLATE = re.compile(f"(?:[{KANJI}]{{2,4}}|なにわ|つくば|とちぎ|いわき)[ \u3000]?\\Z")
_LONGEST_PLATE = 6


def address(text: str, start: int, end: int) -> Place:
    """A prefecture or a town that was matched, with its parts, street and numbers behind it."""
    line_end = text.find("\n", end, end + _LONGEST_ADDRESS)
    limit = line_end if 0 <= line_end else min(len(text), end + _LONGEST_ADDRESS)
    stop = end
    while (part := _PARTS.match(text, stop, limit)) and not _NO_PART.match(part[0]):
        stop = part.end()
    rest = _REST.match(text, stop, limit)
    if rest and not _NO_PART.match(rest[1] or ""):
        stop = rest.end()
    return start, stop


def town(text: str, start: int, end: int) -> Place | None:
    """A town of the lists that ends with the 市, 区, 町 or 村 that was matched, and its address."""
    for begin in range(max(0, start - _LONGEST_TOWN), start - 1):
        name = text[begin:end]
        if name.isalpha() and (is_place(name) or is_analysed_place(name[:-1])):
            county = _COUNTY.search(text[max(0, begin - _LONGEST_TOWN) : begin])
            return address(text, begin - (len(county[0]) if county else 0), end)
    return None


def number_plate(text: str, start: int, end: int) -> Place | None:
    """A number plate whose place stands before the number that was matched."""
    place = _PLATE.search(text[max(0, start - _LONGEST_PLATE) : start])
    return (start - len(place[0]), end) if place else None
