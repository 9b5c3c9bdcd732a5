"""Lists of clinical values in Japanese: words in katakana and fractions between other values.

Most eponyms are written in katakana, and so are a few patients. A list of values contains no
persons; the items around a word decide, as in `veil.detect.rules.clinical`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules.adjustments import CACHE_SIZE, GIVEN_MARKS
from veil.languages import read_language_toml
from veil.languages.ja.rules.words import LANGUAGE
from veil.lexicons import word_marks

if TYPE_CHECKING:
    from veil.detect.rules.adjustments import Bounds

_LISTS = {
    name: tuple(words.split())
    for name, words in read_language_toml(LANGUAGE, "rules/data/value_lists.toml")["lists"].items()
}
_DELIMITER = compile_pattern(r"[、，;；\n（）()|｜：]|,(?!\d)|:(?!\d)")
_SENTENCE_END = "。\n"
_WINDOW = 100
_NEIGHBOURS = 4
_LONGEST_ITEM = 28
_HALF = 0.5
_KATAKANA = compile_pattern(r"[ァ-ヴー]{2,16}")
_HAS_NUMBER = compile_pattern(r"[0-9０-９]")
_DAY = compile_pattern(
    r"[0-9０-９](?:年|月|日(?!間|分|[0-9０-９])|時(?!間))|(?:19|20)[0-9]{2}[-/.]|[0-9]{6,}"
)
_SIGN = compile_pattern(r"[（(]?[+＋−－±-]{1,3}[)）]?\Z")
_RESULT = compile_pattern(
    r"(?:[ 　:：=]{0,2}(?:[<>≦≧]?[0-9]{1,4}(?:[.,][0-9]{1,3})?"
    r"(?:[-/:×→〜~][0-9]{1,4}(?:\.[0-9]+)?){0,4}"
    r"|[IVXⅠ-Ⅻ]{1,4}[A-Ea-e]?[0-9]?|[A-E][0-9]{0,2}(?:M[0-9]{1,2})?|[0-9][a-eA-E])"
    r"(?:mm|cm|Fr|mg|g|mL|°|%|D|J|U)?|[ ]?[（(][-+＋−±]{1,3}[)）])"
)
_ITEM_END = compile_pattern(r"[ 　]?(?:[、，;；。\n)）|｜(（]|,(?!\d)|\Z)")
_FRACTION = compile_pattern(r"([0-9]{1,3})/([0-9]{1,3})")
_YEAR = compile_pattern(r"(?:19|20)[0-9]{2}(?![0-9])")
_LAST_DAY = 31
_LAST_MONTH = 12
_LIST = 2
_DENSE_LIST = 3
_LABEL = compile_pattern(r"[A-Za-z][A-Za-z0-9-]{1,12}[ 　]?\Z|[ァ-ヴー]{2,16}[ 　]?\Z")


@lru_cache(CACHE_SIZE)
def _weight(item: str) -> float:
    """The weight of an item for a list of clinical values: 1 for, -1 against."""
    if _LONGEST_ITEM < len(item):
        return 0
    if any(word in item for word in _LISTS["people"]) or _DAY.search(item):
        return -1
    if _HAS_NUMBER.search(item) or _SIGN.search(item) or item.endswith(_LISTS["results"]):
        return 1
    return _HALF if _KATAKANA.fullmatch(item) or item.isascii() else 0


def _sides(text: str, start: int, end: int) -> tuple[float, float]:
    """The weights of the items before and after an item."""
    left = text[max(0, start - _WINDOW) : start]
    left = left[max(left.rfind(sign) for sign in _SENTENCE_END) + 1 :]
    right = text[end : end + _WINDOW]
    ends = [place for sign in _SENTENCE_END if 0 <= (place := right.find(sign))]
    right = right[: min(ends)] if ends else right
    weights = []
    for items in (reversed(_DELIMITER.split(left)[:-1]), _DELIMITER.split(right)[1:]):
        named = [item.strip(" 　・*-") for item in items]
        total = 0.0
        for item in [item for item in named if item][:_NEIGHBOURS]:
            weight = _weight(item)
            if weight < 0:
                total = total or -1
                break
            total += weight
        weights.append(total)
    return weights[0], weights[1]


def _is_score(fraction: str) -> bool:
    """Whether a fraction is a score, or at least not a day."""
    part, whole = (int(number) for number in fraction.split("/"))
    if _LAST_MONTH < part or _LAST_DAY < whole or not part:
        return True
    return part <= whole


def listed_katakana(text: str, start: int, end: int) -> Bounds | None:
    """A word in katakana between other values, with its result."""
    word = text[start:end]
    result = _RESULT.match(text, end)
    last = result.end() if result else end
    for ending in _LISTS["results"]:
        if text.startswith(ending, last):
            result = result or _KATAKANA.match(text, start)
            last += len(ending)
            break
    if not _ITEM_END.match(text, last):
        return None
    found = text[end:last]
    fraction = _FRACTION.search(found)
    if _YEAR.search(found) or (fraction and not _is_score(fraction[0])):
        return None
    before, after = _sides(text, start, last)
    if min(before, after) < 0:
        return None
    if result:
        return (start, last) if _LIST <= before + after else None
    if word_marks(LANGUAGE)(word) & GIVEN_MARKS:
        return None
    is_between = 1 <= min(before, after) and _DENSE_LIST <= before + after
    return (start, last) if is_between or _DENSE_LIST + 1 <= before + after else None


def listed_score(text: str, start: int, end: int) -> Bounds | None:
    """A fraction after an abbreviation or a word in katakana, between other values."""
    if not _ITEM_END.match(text, end) or not _is_score(text[start:end]):
        return None
    label = _LABEL.search(text, max(0, start - 18), start)
    if label is None or label[0].strip().endswith(_LISTS["days"]):
        return None
    before, after = _sides(text, start, end)
    return (start, end) if 0 <= min(before, after) and _DENSE_LIST <= before + after else None
