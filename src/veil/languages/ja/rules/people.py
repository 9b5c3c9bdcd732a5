"""Japanese names, which have no spaces around them: lists and the analyser find their bounds.

The analyser is slow, so it is used only for the characters around a match, and only if the lists
are not sufficient.
"""

from __future__ import annotations

import re
from functools import partial

from veil.core.patterns import compile_pattern
from veil.detect.rules.adjustments import Bounds, alternatives
from veil.languages.ja import JAPANESE
from veil.languages.ja.rules.words import (
    HIRAGANA,
    KANJI,
    KATAKANA,
    LATIN,
    LISTS,
    SETS,
    begins_with_surname,
    is_full_name,
    is_given,
    is_listed_full_name,
    is_listed_surname,
    is_name,
    is_ordinary,
    is_other,
    is_place,
    is_surname,
)

_NO_NAMES = SETS["no_names"]
_NO_KATAKANA_NAMES = SETS["no_katakana_names"]
_SPACE = " \u3000"
_PARTICLES = "はがをにとのもへでやよ"
_ROLE_BEFORE = compile_pattern(f"(?:{alternatives(LISTS['role_before'])})\\Z")
_AFTER_NAME = compile_pattern(f"[^{KANJI}{KATAKANA}]|\\Z|{alternatives(LISTS['after_name'])}")
_HONORIFIC = compile_pattern(alternatives(LISTS["honorific"]))
_KEY_FOLLOWS = compile_pattern(f"[{_SPACE}]?[:：=]|No|番号|ID")
_NO_SECOND_PART = compile_pattern(f".*(?:{alternatives(LISTS['no_second_part'])})\\Z")
_NO_UNKNOWN_NAME = compile_pattern(f".*(?:{alternatives(LISTS['no_unknown_name'])})\\Z|[未不無非]")


# Names before an honorific or a title: 山田さん, 佐藤花子様, 伊藤先生.

_WINDOW = 40
_LONGEST_NAME = 8
_LONGEST_SURNAME = 3
_LONGEST_GIVEN = 3
_LONGEST_KANA = 6
_KANJI_TAIL = compile_pattern(f"[{KANJI}ヶケノツ]{{1,10}}\\Z")
_KATAKANA_NAME = f"[{KATAKANA}]{{2,12}}(?:[{_SPACE}・＝=][{KATAKANA}]{{2,12}}){{0,3}}"
_KATAKANA_TAIL = compile_pattern(f"{_KATAKANA_NAME}\\Z")
_KATAKANA_BREAK = compile_pattern(f"[{_SPACE}・＝=]")
_CAPITAL = "[A-ZＡ-Ｚ]"
_LATIN_TAIL = compile_pattern(
    f"(?<![{LATIN}])(?:{_CAPITAL}[{LATIN}'’-]{{1,20}}"
    f"(?:[ ,]{{1,2}}{_CAPITAL}[{LATIN}'’.-]{{0,20}}){{0,2}}"
    f"|{_CAPITAL}(?:[.．・]?[ ]?{_CAPITAL}){{0,2}}[.．]?)\\Z"
)
_KANA_NAME = compile_pattern(f"[{HIRAGANA}]{{2,6}}|[{HIRAGANA}]{{2,3}}[{KANJI}]")
_NO_KANA_END = ("たく", "お子", "の子")
_LONGEST_ABBREVIATION = 4


def before(text: str, start: int, end: int, *, strict: bool = False) -> Bounds | None:
    """The name directly before the matched honorific.

    With `strict` the lists must contain it: 様 also means "like", as in 乾癬様.
    """
    stop = start - 1 if 0 < start and text[start - 1] in _SPACE else start
    window = text[max(0, stop - _WINDOW) : stop].rpartition("\n")[2]
    for find in (_kanji_name, _katakana_name, _kana_name, _latin_name):
        begin = find(window, strict=strict)
        if begin is not None:
            return stop - len(window) + begin, stop
    return None


def _kanji_name(window: str, *, strict: bool) -> int | None:
    """The start of a name in kanji that ends with the window."""
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
        if name in _NO_NAMES or not known or (length == 1 and not is_surname(name)):
            continue
        if before == "":
            return start
        if _ROLE_BEFORE.search(before) or (1 < length and _is_edge(run, len(before))):
            return start + len(before)
    unknown = run not in _NO_NAMES and not is_ordinary(run) and not run.endswith("屋")
    return start if not strict and unknown and len(run) in (2, 3) else None


def _with_surname(window: str, start: int, name: str) -> int:
    """The start of a name whose surname precedes a space: 山田 太郎様."""
    spaced = 2 <= start and window[start - 1] in _SPACE
    if not spaced or _LONGEST_GIVEN < len(name) or name in _NO_NAMES:
        return start
    if is_ordinary(name) and not is_given(name):
        return start
    surname = _KANJI_TAIL.search(window[: start - 1])
    if surname is None or _LONGEST_SURNAME < len(surname[0]):
        return start
    may_be = is_given(name) and surname[0] not in _NO_NAMES and not is_ordinary(surname[0])
    return surname.start() if may_be or is_surname(surname[0]) else start


def _is_edge(run: str, position: int) -> bool:
    """Whether the analyser begins a word at this position of a run of kanji."""
    return any(morpheme.start == position for morpheme in JAPANESE.morphemes(run))


def _katakana_name(window: str, *, strict: bool) -> int | None:
    """The start of a name in katakana; a surname in kanji may precede it: 鎌田キヨ."""
    tail = _KATAKANA_TAIL.search(window)
    if tail is None or tail[0] in _NO_KATAKANA_NAMES:
        return None
    surname = _KANJI_TAIL.search(window[: tail.start()])
    if surname and is_given(tail[0]) and is_surname(surname[0]):
        return surname.start()
    parts = _KATAKANA_BREAK.split(tail[0])
    known = any(map(is_name, parts))
    return tail.start() if known or not (strict or any(map(is_ordinary, parts))) else None


def _kana_name(window: str, *, strict: bool) -> int | None:
    """The start of a name in hiragana, alone or after a surname: はなこ, 佐藤ゆき子."""
    for length in range(min(len(window), _LONGEST_KANA), 1, -1):
        start = len(window) - length
        name, before = window[start:], window[start - 1 : start]
        if not _KANA_NAME.fullmatch(name) or not is_name(name):
            continue
        if name in SETS["no_kana_names"] or name.endswith(_NO_KANA_END):
            continue
        if re.match(f"[{HIRAGANA}]", before) and before not in _PARTICLES:
            continue
        surname = _KANJI_TAIL.search(window[:start])
        if surname is None:
            return _with_surname(window, start, name)
        for surname_length in range(min(_LONGEST_SURNAME, len(surname[0])), 1, -1):
            if is_surname(surname[0][-surname_length:]):
                return start - surname_length
    return None


def _latin_name(window: str, *, strict: bool) -> int | None:
    """The start of a name in Latin letters, or of initials."""
    tail = _LATIN_TAIL.search(window)
    if tail is None:
        return None
    abbreviated = tail[0].isupper() and len(tail[0]) <= _LONGEST_ABBREVIATION
    if strict and (abbreviated or not any(map(is_name, re.split("[ ,]+", tail[0])))):
        return None
    return tail.start()


# Names after a key, a title or a word for a relative: 氏名：榊原 多恵子, 妻の和子.

_LATIN_NAME = compile_pattern(
    r"(?!(?:Dr|DR|Ns|NS|PT|OT|ST|ME|CE|CM|Prof|MD|MSW|ID|No)\b)(?:[A-ZＡ-Ｚ][.．] ?){0,2}"
    f"[A-ZＡ-Ｚ][{LATIN}'’-]{{1,20}}(?:,?[ ][A-ZＡ-Ｚ](?:[{LATIN}'’-]{{1,20}}|[.．])){{0,2}}"
)
_KATAKANA_HEAD = compile_pattern(_KATAKANA_NAME)
_RUN = compile_pattern(f"[{KANJI}{HIRAGANA}{KATAKANA}]{{1,12}}")
_ALL_HIRAGANA = compile_pattern(f"[{HIRAGANA}]+")
_SPACED = compile_pattern(f"([{KANJI}]{{1,3}})[{_SPACE}]([{KANJI}]{{1,3}})(?![{KANJI}])")
_SECOND = compile_pattern(f"[{_SPACE}]([{KANJI}{HIRAGANA}{KATAKANA}]{{1,6}})")
_SURNAME_AND_MORE = compile_pattern(f"[{KANJI}]{{3,5}}")
_BEFORE_PARTICLE = compile_pattern(f"[{KANJI}]{{2,5}}(?=[{_PARTICLES}]|\\Z)")
_BUILT_LIKE_A_NAME = compile_pattern(
    f"[{KANJI}ヶ]{{2,5}}|[{KANJI}]{{1,3}}[{HIRAGANA}]{{2,4}}|[{HIRAGANA}]{{2,5}}"
)


def _person_after(text: str, start: int, end: int, *, trusted: bool) -> Bounds | None:
    """The name that begins here, after a key or a title.

    `trusted` says that a name is expected, as after a colon; otherwise the lists must contain it.
    """
    latin = _LATIN_NAME.match(text, start, end)
    if latin:
        return latin.span() if trusted or any(map(is_name, latin[0].split())) else None
    katakana = _KATAKANA_HEAD.match(text, start, end)
    if katakana and (trusted or any(map(is_name, re.split(f"[{_SPACE}・]", katakana[0])))):
        return _katakana_name_after(text, *katakana.span())
    run = _RUN.match(text, start, end)
    if run is None:
        return None
    length = _length_of_name(text, start, run[0], trusted=trusted)
    if length is None and trusted:
        length = _length_of_unknown_name(run[0])
    if length is None or _KEY_FOLLOWS.match(text, start + length):
        return None
    name, stop = run[0][:length], start + length
    whole = is_full_name(name) and not is_surname(name)
    return start, stop if whole else _end_of_given_name(text, stop, end)


def given(text: str, start: int, end: int) -> Bounds | None:
    """A given name or a full name after a word for a relative."""
    spaced = _SPACED.match(text, start, end)
    if spaced and is_surname(spaced[1]) and is_given(spaced[2]):
        return spaced.span()
    run = _RUN.match(text, start, end) or _LATIN_NAME.match(text, start, end)
    if run is None:
        return None
    for length in range(len(run[0]), 1, -1):
        name, stop = run[0][:length], start + length
        if name in _NO_NAMES or not _AFTER_NAME.match(text, stop):
            continue
        if _ALL_HIRAGANA.fullmatch(name) and not _HONORIFIC.match(text, stop):
            continue
        named = (is_given(name) or is_full_name(name)) and not is_other(name)
        if named or _begins_with_surname(name):
            return start, stop
    return None


def _katakana_name_after(text: str, start: int, stop: int) -> Bounds | None:
    name = text[start:stop]
    ordinary = name in _NO_KATAKANA_NAMES or (is_ordinary(name) and not is_name(name))
    return None if ordinary or _KEY_FOLLOWS.match(text, stop) else (start, stop)


def _length_of_name(text: str, start: int, run: str, *, trusted: bool) -> int | None:
    """The longest beginning of a run that is a name and not part of a longer word.

    If no name is expected, one of a single character or in hiragana needs an honorific.
    """
    for length in range(min(len(run), _LONGEST_NAME), 0, -1):
        name, stop = run[:length], start + length
        if name in _NO_NAMES or not _AFTER_NAME.match(text, stop):
            continue
        short = length == 1 or _ALL_HIRAGANA.fullmatch(name)
        if short and not trusted and not _HONORIFIC.match(text, stop):
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
        and given not in _NO_NAMES
        and not is_ordinary(given)
        and not is_ordinary(name)
        and not _NO_SECOND_PART.match(given)
        and not _HONORIFIC.match(given)
    )


def _length_of_unknown_name(run: str) -> int | None:
    """The length of the text before an honorific or a particle in a run, if it may be a name."""
    honorific = _HONORIFIC.search(run, 1)
    before_particle = None if honorific else _BEFORE_PARTICLE.match(run)
    name = run[: honorific.start()] if honorific else run
    name = before_particle[0] if before_particle else name
    if not _BUILT_LIKE_A_NAME.fullmatch(name) or name in _NO_NAMES:
        return None
    return None if is_ordinary(name) or _NO_UNKNOWN_NAME.match(name) else len(name)


def _end_of_given_name(text: str, stop: int, end: int) -> int:
    """The end of a name whose given name follows after a space: 榊原　多恵子."""
    second = _SECOND.match(text, stop, end)
    if second is None or _KEY_FOLLOWS.match(text, second.end()):
        return stop
    honorific = _HONORIFIC.search(second[1], 1)
    name = second[1][: honorific.start()] if honorific else second[1]
    if not is_name(name) and (
        _LONGEST_GIVEN < len(name)
        or name in _NO_NAMES
        or is_ordinary(name)
        or _NO_SECOND_PART.match(name)
    ):
        return stop
    return second.start(1) + len(name)


# Full names in any context: the lists contain the surname, and the analyser agrees.

_CONTEXT = 4
_GAP = compile_pattern(f",?[{_SPACE}]")
_SURNAME_IN_KANJI = compile_pattern(f"([{KANJI}]{{2,3}})[{HIRAGANA}]+")
_HIRAGANA = compile_pattern(f"[{HIRAGANA}]")
_HONORIFICS_IN_HIRAGANA = ("さん", "さま", "くん", "ちゃん")


def full_name(text: str, start: int, end: int) -> Bounds | None:
    """A surname and a given name, adjacent or with a space; in Latin letters in either order."""
    if not begins_with_surname(text, start):
        return None
    name = text[start:end]
    surname, space, given = _GAP.sub(" ", name).partition(" ")
    if space:
        known = _is_pair(surname, given) or (given.isascii() and _is_pair(given, surname))
        return (start, end) if known else None
    if _HIRAGANA.match(name[-1]):
        return _full_name_in_hiragana(text, start, name)
    known = not is_ordinary(name) and _reads_as_full_name(text, start, end)
    return (start, end) if known else None


def _is_pair(surname: str, given: str) -> bool:
    known = is_listed_surname(surname) and is_given(given)
    return known and 2 < len(surname + given) and not is_other(given)


def _full_name_in_hiragana(text: str, start: int, name: str) -> Bounds | None:
    """A surname in kanji and the longest given name in hiragana after it."""
    surname = _SURNAME_IN_KANJI.fullmatch(name)
    if surname is None or not is_listed_surname(surname[1]):
        return None
    for length in range(len(name), len(surname[1]) + 1, -1):
        given, stop = name[len(surname[1]) : length], start + length
        if given.startswith(_HONORIFICS_IN_HIRAGANA):
            return None
        ended = not _HIRAGANA.match(text, stop) or text[stop] in _PARTICLES
        if ended and is_given(given) and given not in SETS["no_given_names"]:
            whole = length == len(name)
            return (start, stop) if whole or any(_persons(text, start, stop)) else None
    return None


def _reads_as_full_name(text: str, start: int, end: int) -> bool:
    """Whether the analyser agrees with the lists, which contain the name or its surname."""
    name = text[start:end]
    if is_listed_full_name(name):
        return any(_persons(text, start, end))
    if not is_listed_surname(name[:2]):
        return False
    persons = _persons(text, start, end)
    return 2 <= len(persons) and all(persons) and is_listed_surname(persons[0])


def _persons(text: str, start: int, end: int) -> list[str]:
    """The words of a stretch of text; those that the analyser does not read as names are empty."""
    first = max(0, start - _CONTEXT)
    window = text[first : end + _CONTEXT].replace("\n", "。")
    return [
        window[morpheme.start : morpheme.end] if morpheme.pos_fine.startswith("人名-") else ""
        for morpheme in JAPANESE.morphemes(window)
        if start - first <= morpheme.start and morpheme.end <= end - first
    ]


# Like "ja-before", but the lists must contain the name: 様 also means "like".
known_before = partial(before, strict=True)
# A name is expected here, as after a colon.
named = partial(_person_after, trusted=True)
# A name is possible here: the lists must contain it.
name = partial(_person_after, trusted=False)
