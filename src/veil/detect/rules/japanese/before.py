"""Names before an honorific or a title: 山田さん, 佐藤花子様, 伊藤先生."""

from __future__ import annotations

import re

from veil.detect.rules.japanese.name_words import (
    NO_KANA_NAMES,
    NO_KATAKANA_NAMES,
    NO_NAMES,
    PARTICLES,
    ROLE_BEFORE,
    SPACE,
)
from veil.detect.rules.japanese.words import (
    HIRAGANA,
    KANJI,
    KATAKANA,
    LATIN,
    Place,
    is_given,
    is_name,
    is_ordinary,
    is_place,
    is_surname,
)
from veil.languages.ja import JAPANESE

_WINDOW = 40
_LONGEST_NAME = 8
_LONGEST_SURNAME = 3
_LONGEST_GIVEN = 3
_LONGEST_KANA = 6
_KANJI_TAIL = re.compile(f"[{KANJI}ヶケノツ]{{1,10}}\\Z")
_KATAKANA_TAIL = re.compile(f"[{KATAKANA}]{{2,12}}(?:[{SPACE}・＝=][{KATAKANA}]{{2,12}}){{0,3}}\\Z")
_KATAKANA_BREAK = re.compile(f"[{SPACE}・＝=]")
_CAPITAL = "[A-ZＡ-Ｚ]"
_LATIN_TAIL = re.compile(
    f"(?<![{LATIN}])(?:{_CAPITAL}[{LATIN}'’-]{{1,20}}"
    f"(?:[ ,]{{1,2}}{_CAPITAL}[{LATIN}'’.-]{{0,20}}){{0,2}}"
    f"|{_CAPITAL}(?:[.．・]?[ ]?{_CAPITAL}){{0,2}}[.．]?)\\Z"
)
_KANA_NAME = re.compile(f"[{HIRAGANA}]{{2,6}}|[{HIRAGANA}]{{2,3}}[{KANJI}]")
_NO_KANA_END = ("たく", "お子", "の子")
_LONGEST_ABBREVIATION = 4


def person_before(text: str, start: int, end: int, *, strict: bool = False) -> Place | None:
    """The name right before an honorific, which the match is.

    With `strict` the lists must hold it: 様 also means "like", as in 乾癬様.
    """
    stop = start - 1 if 0 < start and text[start - 1] in SPACE else start
    window = text[max(0, stop - _WINDOW) : stop].rpartition("\n")[2]
    for find in (_kanji_name, _katakana_name, _kana_name, _latin_name):
        place = find(window, strict=strict)
        if place is not None:
            return stop - len(window) + place, stop
    return None


def _kanji_name(window: str, *, strict: bool) -> int | None:
    """Where a name in kanji begins that ends with the window."""
    tail = _KANJI_TAIL.search(window)
    if tail is None:
        return None
    run, start = tail[0], tail.start()
    with_surname = _with_surname(window, start, run)
    if with_surname < start:
        return with_surname
    for length in range(min(len(run), _LONGEST_NAME), 0, -1):
        name, before = run[-length:], run[:-length]
        known = is_name(name) or (before == "" and is_place(name))
        if name in NO_NAMES or not known or (length == 1 and not is_surname(name)):
            continue
        if before == "":
            return start
        if ROLE_BEFORE.search(before) or (1 < length and _is_edge(run, len(before))):
            return start + len(before)
    unknown = run not in NO_NAMES and not is_ordinary(run) and not run.endswith("屋")
    return start if not strict and unknown and len(run) in (2, 3) else None


def _with_surname(window: str, start: int, name: str) -> int:
    """Where a name begins whose surname stands before a space: 山田 太郎様."""
    spaced = 2 <= start and window[start - 1] in SPACE
    if not spaced or _LONGEST_GIVEN < len(name) or name in NO_NAMES:
        return start
    if is_ordinary(name) and not is_given(name):
        return start
    surname = _KANJI_TAIL.search(window[: start - 1])
    if surname is None or _LONGEST_SURNAME < len(surname[0]):
        return start
    may_be = is_given(name) and surname[0] not in NO_NAMES and not is_ordinary(surname[0])
    return surname.start() if may_be or is_surname(surname[0]) else start


def _is_edge(run: str, place: int) -> bool:
    """Whether the analyser begins a word at this place of a run of kanji."""
    return any(morpheme.start == place for morpheme in JAPANESE.morphemes(run))


def _katakana_name(window: str, *, strict: bool) -> int | None:
    """Where a name in katakana begins; a surname in kanji may stand before it: 鎌田キヨ."""
    tail = _KATAKANA_TAIL.search(window)
    if tail is None or tail[0] in NO_KATAKANA_NAMES:
        return None
    surname = _KANJI_TAIL.search(window[: tail.start()])
    if surname and is_given(tail[0]) and is_surname(surname[0]):
        return surname.start()
    parts = _KATAKANA_BREAK.split(tail[0])
    known = any(map(is_name, parts))
    return tail.start() if known or not (strict or any(map(is_ordinary, parts))) else None


def _kana_name(window: str, *, strict: bool) -> int | None:
    """Where a name in hiragana begins, alone or behind a surname: はなこ, 佐藤ゆき子."""
    for length in range(min(len(window), _LONGEST_KANA), 1, -1):
        start = len(window) - length
        name, before = window[start:], window[start - 1 : start]
        if not _KANA_NAME.fullmatch(name) or not is_name(name):
            continue
        if name in NO_KANA_NAMES or name.endswith(_NO_KANA_END):
            continue
        if re.match(f"[{HIRAGANA}]", before) and before not in PARTICLES:
            continue
        surname = _KANJI_TAIL.search(window[:start])
        if surname is None:
            return _with_surname(window, start, name)
        for surname_length in range(min(_LONGEST_SURNAME, len(surname[0])), 1, -1):
            if is_surname(surname[0][-surname_length:]):
                return start - surname_length
    return None


def _latin_name(window: str, *, strict: bool) -> int | None:
    """Where a name in Latin letters begins, or initials."""
    tail = _LATIN_TAIL.search(window)
    if tail is None:
        return None
    abbreviated = tail[0].isupper() and len(tail[0]) <= _LONGEST_ABBREVIATION
    if strict and (abbreviated or not any(map(is_name, re.split("[ ,]+", tail[0])))):
        return None
    return tail.start()
