"""Names behind a key, a title or a word for a relative: 氏名：榊原　多恵子, 妻の和子."""

from __future__ import annotations

import re

from veil.detect.rules.japanese.name_words import (
    AFTER_NAME,
    HONORIFIC,
    KEY_FOLLOWS,
    NO_KATAKANA_NAMES,
    NO_NAMES,
    NO_SECOND_PART,
    NO_UNKNOWN_NAME,
    PARTICLES,
    SPACE,
)
from veil.detect.rules.japanese.words import (
    HIRAGANA,
    KANJI,
    KATAKANA,
    LATIN,
    Place,
    is_full_name,
    is_given,
    is_listed_surname,
    is_name,
    is_ordinary,
    is_other,
    is_place,
    is_surname,
)

_LONGEST_NAME = 8
_LONGEST_GIVEN = 3
_LATIN = re.compile(
    r"(?!(?:Dr|DR|Ns|NS|PT|OT|ST|ME|CE|CM|Prof|MD|MSW|ID|No)\b)(?:[A-ZＡ-Ｚ][.．] ?){0,2}"
    f"[A-ZＡ-Ｚ][{LATIN}'’-]{{1,20}}(?:,?[ ][A-ZＡ-Ｚ](?:[{LATIN}'’-]{{1,20}}|[.．])){{0,2}}"
)
_KATAKANA = re.compile(f"[{KATAKANA}]{{2,12}}(?:[{SPACE}・＝=][{KATAKANA}]{{2,12}}){{0,3}}")
_RUN = re.compile(f"[{KANJI}{HIRAGANA}{KATAKANA}]{{1,12}}")
_HIRAGANA = re.compile(f"[{HIRAGANA}]+")
_SPACED = re.compile(f"([{KANJI}]{{1,3}})[{SPACE}]([{KANJI}]{{1,3}})(?![{KANJI}])")
_SECOND = re.compile(f"[{SPACE}]([{KANJI}{HIRAGANA}{KATAKANA}]{{1,6}})")
_SURNAME_AND_MORE = re.compile(f"[{KANJI}]{{3,5}}")
_BEFORE_PARTICLE = re.compile(f"[{KANJI}]{{2,5}}(?=[{PARTICLES}]|\\Z)")
_BUILT_LIKE_A_NAME = re.compile(
    f"[{KANJI}ヶ]{{2,5}}|[{KANJI}]{{1,3}}[{HIRAGANA}]{{2,4}}|[{HIRAGANA}]{{2,5}}"
)


def person_after(text: str, start: int, end: int, *, trusted: bool) -> Place | None:
    """The name that begins here, behind a key or a title.

    `trusted` says that a name is due, as behind a colon; else the lists must hold it.
    """
    latin = _LATIN.match(text, start, end)
    if latin:
        return latin.span() if trusted or any(map(is_name, latin[0].split())) else None
    katakana = _KATAKANA.match(text, start, end)
    if katakana and (trusted or any(map(is_name, re.split(f"[{SPACE}・]", katakana[0])))):
        return _katakana_name(text, *katakana.span())
    run = _RUN.match(text, start, end)
    if run is None:
        return None
    length = _length_of_name(text, start, run[0], trusted=trusted)
    if length is None and trusted:
        length = _length_of_unknown_name(run[0])
    if length is None or KEY_FOLLOWS.match(text, start + length):
        return None
    name, stop = run[0][:length], start + length
    whole = is_full_name(name) and not is_surname(name)
    return start, stop if whole else _end_of_given_name(text, stop, end)


def given_name(text: str, start: int, end: int) -> Place | None:
    """A given name or a full name behind a word for a relative."""
    spaced = _SPACED.match(text, start, end)
    if spaced and is_surname(spaced[1]) and is_given(spaced[2]):
        return spaced.span()
    run = _RUN.match(text, start, end) or _LATIN.match(text, start, end)
    if run is None:
        return None
    for length in range(len(run[0]), 1, -1):
        name, stop = run[0][:length], start + length
        if name in NO_NAMES or not AFTER_NAME.match(text, stop):
            continue
        if _HIRAGANA.fullmatch(name) and not HONORIFIC.match(text, stop):
            continue
        named = (is_given(name) or is_full_name(name)) and not is_other(name)
        if named or _begins_with_surname(name):
            return start, stop
    return None


def _katakana_name(text: str, start: int, stop: int) -> Place | None:
    name = text[start:stop]
    ordinary = name in NO_KATAKANA_NAMES or (is_ordinary(name) and not is_name(name))
    return None if ordinary or KEY_FOLLOWS.match(text, stop) else (start, stop)


def _length_of_name(text: str, start: int, run: str, *, trusted: bool) -> int | None:
    """The longest beginning of a run that is a name, with nothing of a longer word behind it.

    Where no name is due, one of a single character or in hiragana needs an honorific.
    """
    for length in range(min(len(run), _LONGEST_NAME), 0, -1):
        name, stop = run[:length], start + length
        if name in NO_NAMES or not AFTER_NAME.match(text, stop):
            continue
        short = length == 1 or _HIRAGANA.fullmatch(name)
        if short and not trusted and not HONORIFIC.match(text, stop):
            continue
        if length == 1:
            known = is_listed_surname(name)
        else:
            known = (is_name(name) and not is_other(name)) or _begins_with_surname(name)
        if known or (1 < length and trusted and is_place(name)):
            return length
    return None


def _begins_with_surname(name: str) -> bool:
    """Whether a surname of the lists begins a name whose given name is unknown."""
    given = name[2:]
    return (
        _SURNAME_AND_MORE.fullmatch(name) is not None
        and is_listed_surname(name[:2])
        and given not in NO_NAMES
        and not is_ordinary(given)
        and not is_ordinary(name)
        and not NO_SECOND_PART.match(given)
        and not HONORIFIC.match(given)
    )


def _length_of_unknown_name(run: str) -> int | None:
    """How much of a run stands before an honorific or a particle, if that may be a name."""
    honorific = HONORIFIC.search(run, 1)
    before_particle = None if honorific else _BEFORE_PARTICLE.match(run)
    name = run[: honorific.start()] if honorific else run
    name = before_particle[0] if before_particle else name
    if not _BUILT_LIKE_A_NAME.fullmatch(name) or name in NO_NAMES:
        return None
    return None if is_ordinary(name) or NO_UNKNOWN_NAME.match(name) else len(name)


def _end_of_given_name(text: str, stop: int, end: int) -> int:
    """Where a name ends whose given name follows after a space: 榊原　多恵子."""
    second = _SECOND.match(text, stop, end)
    if second is None or KEY_FOLLOWS.match(text, second.end()):
        return stop
    honorific = HONORIFIC.search(second[1], 1)
    name = second[1][: honorific.start()] if honorific else second[1]
    if not is_name(name) and (
        _LONGEST_GIVEN < len(name)
        or name in NO_NAMES
        or is_ordinary(name)
        or NO_SECOND_PART.match(name)
    ):
        return stop
    return second.start(1) + len(name)
