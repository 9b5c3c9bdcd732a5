"""Fits for Japanese words of the lists that stand beside a word which says what they are."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.detect.rules.japanese.words import (
    KANJI,
    KATAKANA,
    Place,
    is_analysed_place,
    is_ordinary,
    is_place,
)
from veil.lexicons import lexicon

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST = 14
_RUN_BEFORE = re.compile(f"[{KANJI}{KATAKANA}ぁ-ん]{{1,{_LONGEST}}}\\Z")
_PART_OF_WORD = re.compile(f"[{KANJI}{KATAKANA}]")
# Staff of a hospital are mentioned at every turn; they are no patients.
_STAFF = re.compile(
    ".*(?:看護師|看護士|医師|薬剤師|療法士|技師|助産師|保健師|栄養士|相談員|介護士|福祉士"
    "|ヘルパー|医|患者|職員|スタッフ)|(?:医|看護|実習)?学?生\\Z"
)
_BUILT_LIKE_A_PROFESSION = re.compile(
    f"[{KANJI}{KATAKANA}]{{1,10}}(?:業|員|師|士|職|手|工|官|主|婦|夫|マン|生|者|家)"
)
_TOWN_BEFORE = re.compile(f"[{KANJI}{KATAKANA}]{{1,5}}(?<![同当本隣同他某])[市区町村]\\Z")
_BUILT_BEFORE = re.compile(f"[{KANJI}{KATAKANA}]{{1,6}}(?:工|師|士|員|手|職人|マン)\\Z")


def word_after(
    text: str, start: int, end: int, *, is_word: Callable[[str], bool], whole: bool = True
) -> Place | None:
    """The longest listed word that begins here; with `whole` nothing of a longer word follows."""
    for stop in range(min(end, start + _LONGEST), start + 1, -1):
        if is_word(text[start:stop]) and not (whole and _PART_OF_WORD.match(text, stop)):
            return start, stop
    return None


def word_before(text: str, start: int, end: int, *, is_word: Callable[[str], bool]) -> Place | None:
    """The longest listed word that ends where the match begins."""
    run = _RUN_BEFORE.search(text[max(0, start - _LONGEST) : start])
    if run is None:
        return None
    for length in range(len(run[0]), 1, -1):
        if is_word(run[0][-length:]):
            return start - length, start
    return None


def is_profession(word: str) -> bool:
    """Whether the list holds a profession."""
    return word in lexicon("ja", "profession")


def is_patients_profession(word: str) -> bool:
    """Whether the list holds a profession that is not one of a hospital's staff."""
    return is_profession(word) and not _STAFF.match(word)


def is_country(word: str) -> bool:
    """Whether the list holds a country other than Japan."""
    return word in lexicon("ja", "country") and word not in ("日本", "日本国")


def is_known_place(word: str) -> bool:
    """Whether a list or the analyser holds a town or region that is no ordinary word."""
    listed = is_place(word) and (not is_ordinary(word) or word in lexicon("ja", "region"))
    return listed or is_analysed_place(word)


def profession(text: str, start: int, end: int) -> Place | None:
    """What stands behind 職業: a profession of the list, or a word built like one."""
    listed = word_after(text, start, end, is_word=is_profession, whole=False)
    built = _BUILT_LIKE_A_PROFESSION.match(text, start, end)
    places = [place for place in (listed, built.span() if built else None) if place]
    return max(places, key=lambda place: place[1]) if places else None


def before_place(text: str, start: int, end: int) -> Place | None:
    """A place before 在住 or the like: one of the lists, or a word that ends as towns do."""
    town = _TOWN_BEFORE.search(text[max(0, start - _LONGEST) : start])
    if town:
        return start - len(town[0]), start
    return word_before(text, start, end, is_word=is_known_place)


def before_profession(text: str, start: int, end: int) -> Place | None:
    """A profession before として or the like; before として also a word built like one."""
    listed = word_before(text, start, end, is_word=is_profession)
    if listed or not text.startswith("として", start):
        return listed
    built = _BUILT_BEFORE.search(text[max(0, start - _LONGEST) : start])
    return (start - len(built[0]), start) if built else None


after_country = partial(word_after, is_word=is_country)
before_country = partial(word_before, is_word=is_country)
any_profession = partial(word_after, is_word=is_profession)
patients_profession = partial(word_after, is_word=is_patients_profession)
