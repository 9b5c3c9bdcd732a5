"""Japanese places, addresses, number plates, and listed words beside an explaining word."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules.adjustments import Bounds, alternatives
from veil.languages.ja.rules.words import (
    HIRAGANA,
    KANJI,
    KATAKANA,
    LANGUAGE,
    LISTS,
    is_analysed_place,
    is_ordinary,
    is_place,
)
from veil.lexicons import lexicon

if TYPE_CHECKING:
    from collections.abc import Callable


_LONGEST_ADDRESS = 80
_LONGEST_TOWN = 6
_DIGIT = "0-9０-９"
_HYPHEN = "[-－‐−–ー―]"
_LETTER = f"[{KANJI}{HIRAGANA}{KATAKANA}ヶケノ]"
_NUMERAL = f"(?:[{_DIGIT}]{{1,5}}|[一二三四五六七八九十百]{{1,4}})"
# 市 twice ends the names of towns such as 四日市市.
_PARTS = compile_pattern(f"(?:{_LETTER}{{1,6}}?(?:[区郡町村]|市市?)){{1,3}}")
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
    f"(?:{alternatives(LISTS['buildings'])})[A-ZＡ-Ｚ]?"
    f"(?:[ \u3000]?[{_DIGIT}]{{1,4}}(?:号室|号棟|号|階|F)?(?:{_HYPHEN}[{_DIGIT}]{{1,4}})?)?"
)
_NAME_OF_HOUSE = f"[{KANJI}{KATAKANA}A-Za-zＡ-Ｚａ-ｚ・ー第]"
_BUILDING = (
    f"(?:[ \u3000]?{_NAME_OF_HOUSE}{{2,16}}[ \u3000]?{_FLAT}"
    f"|[ \u3000]?{_NAME_OF_HOUSE}{{0,12}}{_HOUSE})"
)
_REST = compile_pattern(
    f"({_LETTER}{{1,12}}?)?(?:{_FIRST_NUMBER}{_MORE_NUMBERS}|{_LONE_NUMBER})(?:{_BUILDING})?"
)
_COUNTY = compile_pattern(f"[{KANJI}]{{1,4}}郡\\Z")
_NO_PART = compile_pattern(
    ".*(?:在住|出身|居住|から|まで|より|には|では|にて|として|生まれ|の.{0,4})"
)
# Offices that register cars have their own place names: 富士山, なにわ.
_PLATE = compile_pattern(f"(?:[{KANJI}]{{2,4}}|なにわ|つくば|とちぎ|いわき)[ \u3000]?\\Z")
_LONGEST_PLATE = 6


def address(text: str, start: int, end: int) -> Bounds:
    """A matched prefecture or town, with the parts, street and numbers after it."""
    line_end = text.find("\n", end, end + _LONGEST_ADDRESS)
    limit = line_end if 0 <= line_end else min(len(text), end + _LONGEST_ADDRESS)
    stop = end
    while (part := _PARTS.match(text, stop, limit)) and not _NO_PART.match(part[0]):
        stop = part.end()
    rest = _REST.match(text, stop, limit)
    if rest and not _NO_PART.match(rest[1] or ""):
        stop = rest.end()
    return start, stop


def town(text: str, start: int, end: int) -> Bounds | None:
    """A listed town that ends with the matched 市, 区, 町 or 村, and its address."""
    for begin in range(max(0, start - _LONGEST_TOWN), start - 1):
        name = text[begin:end]
        if name.isalpha() and (is_place(name) or is_analysed_place(name[:-1])):
            county = _COUNTY.search(text[max(0, begin - _LONGEST_TOWN) : begin])
            return address(text, begin - (len(county[0]) if county else 0), end)
    return None


def number_plate(text: str, start: int, end: int) -> Bounds | None:
    """A number plate whose place precedes the matched number."""
    region = _PLATE.search(text[max(0, start - _LONGEST_PLATE) : start])
    return (start - len(region[0]), end) if region else None


# Listed words beside a word that says what they are.

_LONGEST = 14
_RUN_BEFORE = compile_pattern(f"[{KANJI}{KATAKANA}ぁ-ん]{{1,{_LONGEST}}}\\Z")
_PART_OF_WORD = compile_pattern(f"[{KANJI}{KATAKANA}]")
# Hospital staff are mentioned constantly; they are not patients.
_STAFF = compile_pattern(
    ".*(?:看護師|看護士|医師|薬剤師|療法士|技師|助産師|保健師|栄養士|相談員|介護士|福祉士"
    "|ヘルパー|医|患者|職員|スタッフ)|(?:医|看護|実習)?学?生\\Z"
)
_BUILT_LIKE_A_PROFESSION = compile_pattern(
    f"[{KANJI}{KATAKANA}]{{1,10}}(?:業|員|師|士|職|手|工|官|主|婦|夫|マン|生|者|家)"
)
_TOWN_BEFORE = compile_pattern(f"[{KANJI}{KATAKANA}]{{1,5}}(?<![同当本隣同他某])[市区町村]\\Z")
_BUILT_BEFORE = compile_pattern(f"[{KANJI}{KATAKANA}]{{1,6}}(?:工|師|士|員|手|職人|マン)\\Z")


def _word_after(
    text: str, start: int, end: int, *, is_word: Callable[[str], bool], whole: bool = True
) -> Bounds | None:
    """The longest listed word that begins here; with `whole` it must be a whole word."""
    for stop in range(min(end, start + _LONGEST), start + 1, -1):
        if is_word(text[start:stop]) and not (whole and _PART_OF_WORD.match(text, stop)):
            return start, stop
    return None


def _word_before(
    text: str, start: int, end: int, *, is_word: Callable[[str], bool]
) -> Bounds | None:
    """The longest listed word that ends where the match begins."""
    run = _RUN_BEFORE.search(text[max(0, start - _LONGEST) : start])
    if run is None:
        return None
    for length in range(len(run[0]), 1, -1):
        if is_word(run[0][-length:]):
            return start - length, start
    return None


def _is_profession(word: str) -> bool:
    """Whether the list contains a profession."""
    return word in lexicon(LANGUAGE, "profession")


def _is_patients_profession(word: str) -> bool:
    """Whether the list contains a profession, other than those of hospital staff."""
    return _is_profession(word) and not _STAFF.match(word)


def _is_country(word: str) -> bool:
    """Whether the list contains a country other than Japan."""
    return word in lexicon(LANGUAGE, "country") and word not in ("日本", "日本国")


def _is_known_place(word: str) -> bool:
    """Whether a list or the analyser has a town or region that is not an ordinary word."""
    listed = is_place(word) and (not is_ordinary(word) or word in lexicon(LANGUAGE, "region"))
    return listed or is_analysed_place(word)


def profession(text: str, start: int, end: int) -> Bounds | None:
    """The text after 職業: a profession of the list, or a word with a similar form."""
    listed = _word_after(text, start, end, is_word=_is_profession, whole=False)
    built = _BUILT_LIKE_A_PROFESSION.match(text, start, end)
    found = [bounds for bounds in (listed, built.span() if built else None) if bounds]
    return max(found, key=lambda bounds: bounds[1]) if found else None


def place_before(text: str, start: int, end: int) -> Bounds | None:
    """A place before 在住 or the like: a listed one, or a word with the ending of a town."""
    town = _TOWN_BEFORE.search(text[max(0, start - _LONGEST) : start])
    if town:
        return start - len(town[0]), start
    return _word_before(text, start, end, is_word=_is_known_place)


def profession_before(text: str, start: int, end: int) -> Bounds | None:
    """A profession before として or the like; before として also a word with a similar form."""
    listed = _word_before(text, start, end, is_word=_is_profession)
    if listed or not text.startswith("として", start):
        return listed
    built = _BUILT_BEFORE.search(text[max(0, start - _LONGEST) : start])
    return (start - len(built[0]), start) if built else None


country = partial(_word_after, is_word=_is_country)
country_before = partial(_word_before, is_word=_is_country)
any_profession = partial(_word_after, is_word=_is_profession)
listed_profession = partial(_word_after, is_word=_is_patients_profession)
