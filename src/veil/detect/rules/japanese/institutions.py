"""Fits for hospitals and other institutions in Japanese: how far their names reach.

A pattern finds the head of a name, 病院 or 株式会社. Names of most institutions stand before the
head, those of companies and homes often behind it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.detect.rules.japanese import institution_words as words
from veil.detect.rules.japanese.words import (
    HIRAGANA,
    KANJI,
    KATAKANA,
    LATIN,
    Place,
    is_given,
    is_listed_surname,
    is_name,
    is_ordinary,
    is_place,
    is_surname,
)
from veil.languages.ja import JAPANESE

if TYPE_CHECKING:
    from veil.languages.ja import Morpheme

_LONGEST = 40
_LONGEST_KANA = 8
_MASK_TAIL = re.compile(f"[{words.MASKS}]{{1,8}}(?:[{KANJI}]{{1,6}})?\\Z")
_RUN_TAIL = re.compile(
    f"(?:[{KANJI}{KATAKANA}{LATIN}ヶ・･＆&'’]|(?<=第)[0-9０-９]){{1,{_LONGEST}}}\\Z"
)
_PLAIN = re.compile(f"(?:{words.DEPARTMENTS}|クリニック)++|[{KATAKANA}]+")
_KANJI_TAIL = re.compile(f"[{KANJI}]{{1,12}}\\Z")
_KANJI = re.compile(f"[{KANJI}]")
_HIRAGANA_TAIL = re.compile(f"[{HIRAGANA}ー]{{1,12}}\\Z")
_BEFORE_PARTICLE = re.compile(f"(?:[{HIRAGANA}]{{2,6}}|[{KANJI}{KATAKANA}]{{1,12}})\\Z")
_KATAKANA_ONLY = re.compile(f"[{KATAKANA}・]{{2,12}}")
_NUMERAL = re.compile("[0-9０-９ヶかカヵ一二三四五六七八九十数]")
_UNIT = re.compile("日目|日後|日前|年前|年後|月末|月頃|[年月日時分歳]")
_INITIALS = re.compile(f"[A-ZＡ-Ｚ]{{1,3}}|[{HIRAGANA}ー]{{2,10}}")
# A name in hiragana behind its head, up to what cannot be part of it.
_KANA_BEHIND = re.compile(
    f"((?!では|には|とは|への|での|とも|から|まで|より|にて|など|のみ)[{HIRAGANA}ー]{{2,7}}?"
    f"(?:[{KANJI}](?=[をにへでは、]))?)"
    "(?=[をにへではがともの、。，．）)」\\s]|から|より|利用|入[所居院]|通所|\\Z)"
)
_PARTICLES = "はがをにとのもへでや"
_NOT_BEHIND = frozenset(
    """
    利用 入所 入居 通所 勤務 入社 退職 在籍 通園 入園 所属 職員 中 様 側 内 外 宛 担当 様子 利用者
    代表
    """.split()
)
_ATTRIBUTIVE = frozenset("助詞 連体詞 形容詞 助動詞 動詞 副詞".split())
_USUAL_NOUNS = frozenset("一般 固有名詞 形容動詞語幹".split())


def institution(
    text: str, start: int, end: int, *, specific: bool = False, small_words: bool = True
) -> Place | None:
    """The name that ends with the head that was matched.

    With `specific` the name must hold one of a person or a place, or say who runs it: 内科 and
    センター are heads of departments too. `small_words` are names such as 当 and 某.
    """
    window = text[max(0, start - _LONGEST) : start].rpartition("\n")[2]
    offset = start - len(window)
    masked = _MASK_TAIL.search(window)
    if masked:
        return offset + masked.start(), end
    place = _start_of_name(window, text[start:end])
    name = window[place:]
    if name in words.SMALL_WORDS:
        return (offset + place, end) if small_words else None
    generic = words.GENERIC.fullmatch(name.removeprefix("某"))
    if name == "" or (generic and (name[0] != "某" or not small_words)):
        return None
    if specific and (words.HOUSE.search(name) or not _is_specific(name, window[:place])):
        return None
    corporation = words.CORPORATION.search(window[:place])
    begin = offset + (corporation.start() if corporation else place)
    return begin, _end_of_name(text, end, departments=specific)


def _end_of_name(text: str, end: int, *, departments: bool) -> int:
    """Where a name ends that goes on behind its head: 内科胃腸科, クリニック池袋院."""
    more = words.MORE_DEPARTMENTS.match(text, end) if departments else None
    end = more.end() if more else end
    branch = words.BRANCH.match(text, end)
    if branch:
        return branch.end()
    town = words.TOWN_BEHIND.match(text, end) if text.startswith("クリニック", end - 5) else None
    return town.end() if town and is_place(town[0]) else end


def _start_of_name(window: str, head: str) -> int:
    """Where the name begins that ends at the end of a window."""
    run = _RUN_TAIL.search(window)
    place = run.start() if run else len(window)
    inner = words.INNER_WORD.search(window[:place])
    if inner:
        return _start_of_name(window[: inner.start()], head)
    if run:
        cut = words.BEFORE_NAME.match(run[0] + "  ")
        if cut:
            return place + cut.end()
        unit = _UNIT.match(run[0]) if _NUMERAL.match(window[place - 1 : place]) else None
        if unit:
            return place + unit.end()
    particle = words.INNER_PARTICLE.match(window, place - 1) if 0 < place else None
    if particle:
        return _start_with_particle(window, place)
    return _start_in_hiragana(window, place, head)


def _start_with_particle(window: str, place: int) -> int:
    """Where a name begins that has の or が inside: もみの木, 光が丘."""
    for morpheme in JAPANESE.morphemes(window):
        if morpheme.start < place - 1 < morpheme.end:
            return _with_town(window, morpheme.start)
    before = _BEFORE_PARTICLE.search(window[: place - 1])
    if before is None:
        return place
    run = before[0]
    if _HIRAGANA_TAIL.fullmatch(run):
        particles = max(
            (length for length in range(len(run) - 1) if words.PARTICLES.fullmatch(run[:length])),
            default=0,
        )
        return before.start() + particles
    cut = words.BEFORE_NAME.match(run + "  ")
    return before.start() + (cut.end() if cut and cut.end() < len(run) else 0)


def _start_in_hiragana(window: str, place: int, head: str) -> int:
    """Where a name begins that has hiragana before a place, if it has: particles are none of it."""
    tail = _HIRAGANA_TAIL.search(window[:place])
    if tail is None:
        return place
    first, run = tail.start(), tail[0]
    follows = window[place : place + 1]
    plain = not follows or _PLAIN.fullmatch(window[place:])
    for length in range(min(len(run), _LONGEST_KANA), 1, -1):
        name, before = run[-length:], run[:-length]
        if name in words.NO_KANA_NAMES or (before and not words.FUNCTION_END.search(before)):
            continue
        if before == "" and length == 2 and _KANJI.match(window[first - 1 : first]):
            continue
        known = is_name(name) and (plain or (2 < length and follows in words.AFTER_KANA))
        if known or is_place(name) or is_place(name + follows):
            start = place - length
            return start if before else _with_town(window, start)
    if not plain:
        return place
    return _start_of_unknown(window, place, run, head)


def _start_of_unknown(window: str, place: int, run: str, head: str) -> int:
    """Where a name in hiragana begins that no list holds."""
    if run[-1] in words.ATTRIBUTIVE_ENDS:
        last = [each for each in JAPANESE.morphemes(window + head) if each.end == place]
        if last and last[0].pos in _ATTRIBUTIVE:
            return place
    particles = words.PARTICLES.match(run)
    length = len(run) - (len(particles[0]) if particles else 0)
    first = place - len(run)
    inflected = length == 2 and _KANJI.match(window[first - 1 : first])
    if length < 2 or inflected or run[-length:] in words.NO_KANA_NAMES:
        return place
    start = place - length
    return start if length < len(run) else _with_town(window, start)


def _with_town(window: str, start: int) -> int:
    """Where a name begins whose hiragana follows a town or a corporation: 城南さいとう."""
    run = _KANJI_TAIL.search(window[:start])
    if run is None:
        return start
    cut = words.BEFORE_NAME.match(run[0] + "  ")
    before = run[0][cut.end() :] if cut else run[0]
    whole = 2 <= len(before) and (is_place(before) or is_surname(before))
    return start - len(before) if whole or words.OWNER.search(before) else start


def _is_specific(name: str, before: str) -> bool:
    """Whether a name holds one of a person or a place, or says who runs the institution."""
    core = words.CORPORATION_HEAD.sub("", words.DEPARTMENTS_TAIL.sub("", name))
    if len(core) == 1:
        return is_listed_surname(core) and before.endswith((" ", "\u3000", "会", "社団"))
    if core != name and core and words.OWNER.search(core):  # 県立リハビリセンター
        return True
    if not core or words.GENERIC.fullmatch(core):
        return False
    if words.OWNER.search(core) or _INITIALS.fullmatch(core):
        return True
    if _KATAKANA_ONLY.fullmatch(core):
        return not is_ordinary(core)
    return any(
        is_surname(core[:length]) or is_place(core[:length]) or is_given(core[:length])
        for length in (2, 3, 4)
        if length <= len(core)
    )


def named_behind(text: str, start: int, end: int) -> Place | None:
    """A head with the name that stands behind it: グループホームさくら, 株式会社山田製作所."""
    window = text[end : end + 24].partition("\n")[0]
    quoted = re.match("[ \u3000]?[「『【]([^」』】]{1,15})[」』】]", window)
    if quoted:
        return start, end + quoted.end()
    masked = re.match(f"[{words.MASKS}A-ZＡ-Ｚ]{{1,6}}(?![{LATIN}])", window)
    if masked:
        return start, end + masked.end()
    kana = _KANA_BEHIND.match(window)
    if kana and (kana[1][0] not in _PARTICLES or 4 <= len(kana[1]) or is_name(kana[1])):
        return start, end + kana.end(1)
    reach = 0
    for morpheme in JAPANESE.morphemes(window):
        if morpheme.start != reach or not _may_stand_behind(window, morpheme):
            break
        reach = morpheme.end
    name = window[:reach]
    return None if name == "" or words.GENERIC.fullmatch(name) else (start, end + reach)


def _may_stand_behind(window: str, morpheme: Morpheme) -> bool:
    """Whether a word may be part of a name behind its head."""
    first = morpheme.start == 0
    word = window[morpheme.start : morpheme.end]
    if word in _NOT_BEHIND:
        return False
    if words.INNER_PARTICLE.match(window, morpheme.start):
        return not first
    if morpheme.pos == "記号":
        return not first and word in "・ー"
    if morpheme.pos in ("接頭詞", "副詞"):
        return True
    if morpheme.pos != "名詞":
        return False
    return morpheme.pos_detail in _USUAL_NOUNS or (
        not first and morpheme.pos_detail in ("接尾", "サ変接続")
    )
