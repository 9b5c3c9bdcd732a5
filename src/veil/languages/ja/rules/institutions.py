"""Japanese hospitals and other institutions: how far their names extend.

A pattern finds the head of a name, 病院 or 株式会社. Names of most institutions precede the head,
those of companies and homes often follow it.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

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
    is_given,
    is_listed_surname,
    is_name,
    is_ordinary,
    is_place,
    is_surname,
)

if TYPE_CHECKING:
    from veil.languages.ja import Morpheme

_MASKS = "●○◯〇▲△■□◆◇×✕＊*"

# A corporation before the name of its hospital, with or without spaces.
_CORPORATION = compile_pattern(
    f"(?:{alternatives(LISTS['corporations'])})"
    "[ \u3000]?(?:[^\\s、。，．,（）()「」:：]{1,20}[ \u3000])?\\Z"
)
_CORPORATION_HEAD = compile_pattern(
    "(?:社会|特定|特別)?医療法人(?:社団|財団)?|(?:公益|一般)?(?:社団|財団)法人"
)

# Words before a name in the same run of kanji; the name begins after the last of them.
_BEFORE_NAME = compile_pattern(f".*(?:{alternatives(LISTS['before_institution'])})(?=..)")

# A name that consists of such words does not count: 精神科病院, 総合病院. The longest come first,
# and matching is possessive, so that no text causes repeated backtracking.
_GENERIC = compile_pattern(
    f"(?:{alternatives(LISTS['generic_institutions'])})++"
    "|[大内外近別前各両旧分本新腎公私県市町村区都府道国小中高盲聾宅女男子同他某当貴御弊]"
)

# Departments and the like at the end of a name, before its head.
_DEPARTMENTS = alternatives(LISTS["departments"])
_DEPARTMENTS_TAIL = compile_pattern(f"(?:{_DEPARTMENTS}|クリニック)++\\Z")
# More departments after the first one, a branch, or the town of a branch.
_MORE_DEPARTMENTS = compile_pattern(f"(?:[・･]?(?:{alternatives(LISTS['more_departments'])}))+")
_BRANCH = compile_pattern(f"[ \u3000]?[{KANJI}{KATAKANA}]{{2,5}}(?:分院|本院|院)(?![{KANJI}])")
_TOWN_BEHIND = compile_pattern(f"[{KANJI}{KATAKANA}ヶ]{{2,5}}(?=[{HIRAGANA}、。，．）)\\s]|\\Z)")

# Words that make the name of a department that of an institution.
_OWNER = compile_pattern(alternatives(LISTS["owners"]))
# A department of an institution, not an institution: 山田病院内科.
_HOUSE = compile_pattern(alternatives(LISTS["houses"]))

# Names with の or が inside are of a few kinds: もみの木, 光が丘.
_INNER_PARTICLE = compile_pattern(
    "[のがノガ][丘里森木風杜台郷浜海葉花園原苑家虹街町門宮井泉城星谷岡崎峰島上音手口水]"
)
# Hiragana inside names that have kanji before it: 国立がん研究センター, 県立こども病院.
_INNER_WORD = compile_pattern(rf"(?:{alternatives(LISTS['inner_words'])})\Z")
# Possible hiragana before a known name: particles, and endings of inflected words.
_FUNCTION_END = compile_pattern(rf"(?:{alternatives(LISTS['function_ends'])})\Z")
# Before an unknown name: only hiragana that are unlikely to begin a name.
_PARTICLES = compile_pattern(rf"(?:{alternatives(LISTS['function_words'])})+")
# An adjective, a verb or の before a head: 近くのクリニック, 新しい病院.
_ATTRIBUTIVE_ENDS = frozenset("のなたるいうくつぬえてで")
# What follows hiragana in a name: みどり台, すみだ駅前.
_AFTER_KANA = frozenset("台丘通町野坂橋浜市区駅中南北東西記総会園本新共第山川沢原田森島県立")
_NO_KANA_NAMES = SETS["no_kana_institutions"]

_LONGEST = 40
_LONGEST_KANA = 8
_MASK_TAIL = compile_pattern(f"[{_MASKS}]{{1,8}}(?:[{KANJI}]{{1,6}})?\\Z")
_RUN_TAIL = compile_pattern(
    f"(?:[{KANJI}{KATAKANA}{LATIN}ヶ・･＆&'’]|(?<=第)[0-9０-９]){{1,{_LONGEST}}}\\Z"
)
_PLAIN = compile_pattern(f"(?:{_DEPARTMENTS}|クリニック)++|[{KATAKANA}]+")
_KANJI_TAIL = compile_pattern(f"[{KANJI}]{{1,12}}\\Z")
_KANJI = compile_pattern(f"[{KANJI}]")
_HIRAGANA_TAIL = compile_pattern(f"[{HIRAGANA}ー]{{1,12}}\\Z")
_BEFORE_PARTICLE = compile_pattern(f"(?:[{HIRAGANA}]{{2,6}}|[{KANJI}{KATAKANA}]{{1,12}})\\Z")
_KATAKANA_ONLY = compile_pattern(f"[{KATAKANA}・]{{2,12}}")
_NUMERAL = compile_pattern("[0-9０-９ヶかカヵ一二三四五六七八九十数]")
_UNIT = compile_pattern("日目|日後|日前|年前|年後|月末|月頃|[年月日時分歳]")
_INITIALS = compile_pattern(f"[A-ZＡ-Ｚ]{{1,3}}|[{HIRAGANA}ー]{{2,10}}")
# A name in hiragana after its head, up to what cannot be part of it.
_KANA_BEHIND = compile_pattern(
    f"((?!では|には|とは|への|での|とも|から|まで|より|にて|など|のみ)[{HIRAGANA}ー]{{2,7}}?"
    f"(?:[{KANJI}](?=[をにへでは、]))?)"
    "(?=[をにへではがともの、。，．）)」\\s]|から|より|利用|入[所居院]|通所|\\Z)"
)
_PARTICLES_BEHIND = "はがをにとのもへでや"
_ATTRIBUTIVE = frozenset("助詞 連体詞 形容詞 助動詞 動詞 副詞".split())
_USUAL_NOUNS = frozenset("一般 固有名詞 形容動詞語幹".split())


def institution(
    text: str, start: int, end: int, *, specific: bool = False, small_words: bool = True
) -> Bounds | None:
    """The name that ends with the matched head.

    With `specific` the name must contain one of a person or a place, or the operator of the
    institution: 内科 and センター are heads of departments too. `small_words` are names such as 当
    and 某.
    """
    window = text[max(0, start - _LONGEST) : start].rpartition("\n")[2]
    offset = start - len(window)
    masked = _MASK_TAIL.search(window)
    if masked:
        return offset + masked.start(), end
    position = _start_of_name(window, text[start:end])
    name = window[position:]
    if name in SETS["small_words"]:
        return (offset + position, end) if small_words else None
    generic = _GENERIC.fullmatch(name.removeprefix("某"))
    if name == "" or (generic and (name[0] != "某" or not small_words)):
        return None
    if specific and (_HOUSE.search(name) or not _is_specific(name, window[:position])):
        return None
    corporation = _CORPORATION.search(window[:position])
    begin = offset + (corporation.start() if corporation else position)
    return begin, _end_of_name(text, end, departments=specific)


def _end_of_name(text: str, end: int, *, departments: bool) -> int:
    """The end of a name that continues after its head: 内科胃腸科, クリニック池袋院."""
    more = _MORE_DEPARTMENTS.match(text, end) if departments else None
    end = more.end() if more else end
    branch = _BRANCH.match(text, end)
    if branch:
        return branch.end()
    town = _TOWN_BEHIND.match(text, end) if text.startswith("クリニック", end - 5) else None
    return town.end() if town and is_place(town[0]) else end


def _start_of_name(window: str, head: str) -> int:
    """The start of the name that ends at the end of a window."""
    run = _RUN_TAIL.search(window)
    position = run.start() if run else len(window)
    inner = _INNER_WORD.search(window[:position])
    if inner:
        return _start_of_name(window[: inner.start()], head)
    if run:
        cut = _BEFORE_NAME.match(run[0] + "  ")
        if cut:
            return position + cut.end()
        unit = _UNIT.match(run[0]) if _NUMERAL.match(window[position - 1 : position]) else None
        if unit:
            return position + unit.end()
    particle = _INNER_PARTICLE.match(window, position - 1) if 0 < position else None
    if particle:
        return _start_with_particle(window, position)
    return _start_in_hiragana(window, position, head)


def _start_with_particle(window: str, position: int) -> int:
    """The start of a name that has の or が inside: もみの木, 光が丘."""
    for morpheme in JAPANESE.morphemes(window):
        if morpheme.start < position - 1 < morpheme.end:
            return _with_town(window, morpheme.start)
    before = _BEFORE_PARTICLE.search(window[: position - 1])
    if before is None:
        return position
    run = before[0]
    if _HIRAGANA_TAIL.fullmatch(run):
        particles = max(
            (length for length in range(len(run) - 1) if _PARTICLES.fullmatch(run[:length])),
            default=0,
        )
        return before.start() + particles
    cut = _BEFORE_NAME.match(run + "  ")
    return before.start() + (cut.end() if cut and cut.end() < len(run) else 0)


def _start_in_hiragana(window: str, position: int, head: str) -> int:
    """The start of a name that may have hiragana before a position, but not particles."""
    tail = _HIRAGANA_TAIL.search(window[:position])
    if tail is None:
        return position
    first, run = tail.start(), tail[0]
    follows = window[position : position + 1]
    plain = not follows or _PLAIN.fullmatch(window[position:])
    for length in range(min(len(run), _LONGEST_KANA), 1, -1):
        name, before = run[-length:], run[:-length]
        if name in _NO_KANA_NAMES or (before and not _FUNCTION_END.search(before)):
            continue
        if before == "" and length == 2 and _KANJI.match(window[first - 1 : first]):
            continue
        known = is_name(name) and (plain or (2 < length and follows in _AFTER_KANA))
        if known or is_place(name) or is_place(name + follows):
            start = position - length
            return start if before else _with_town(window, start)
    if not plain:
        return position
    return _start_of_unknown(window, position, run, head)


def _start_of_unknown(window: str, position: int, run: str, head: str) -> int:
    """The start of a name in hiragana that no list contains."""
    if run[-1] in _ATTRIBUTIVE_ENDS:
        last = [each for each in JAPANESE.morphemes(window + head) if each.end == position]
        if last and last[0].pos in _ATTRIBUTIVE:
            return position
    particles = _PARTICLES.match(run)
    length = len(run) - (len(particles[0]) if particles else 0)
    first = position - len(run)
    inflected = length == 2 and _KANJI.match(window[first - 1 : first])
    if length < 2 or inflected or run[-length:] in _NO_KANA_NAMES:
        return position
    start = position - length
    return start if length < len(run) else _with_town(window, start)


def _with_town(window: str, start: int) -> int:
    """The start of a name whose hiragana follows a town or a corporation: 城南さいとう."""
    run = _KANJI_TAIL.search(window[:start])
    if run is None:
        return start
    cut = _BEFORE_NAME.match(run[0] + "  ")
    before = run[0][cut.end() :] if cut else run[0]
    whole = 2 <= len(before) and (is_place(before) or is_surname(before))
    return start - len(before) if whole or _OWNER.search(before) else start


def _is_specific(name: str, before: str) -> bool:
    """Whether a name contains one of a person or a place, or the operator of the institution."""
    core = _CORPORATION_HEAD.sub("", _DEPARTMENTS_TAIL.sub("", name))
    if len(core) == 1:
        return is_listed_surname(core) and before.endswith((" ", "\u3000", "会", "社団"))
    if core != name and core and _OWNER.search(core):  # 県立リハビリセンター
        return True
    if not core or _GENERIC.fullmatch(core):
        return False
    if _OWNER.search(core) or _INITIALS.fullmatch(core):
        return True
    if _KATAKANA_ONLY.fullmatch(core):
        return not is_ordinary(core)
    return any(
        is_surname(core[:length]) or is_place(core[:length]) or is_given(core[:length])
        for length in (2, 3, 4)
        if length <= len(core)
    )


def named_behind(text: str, start: int, end: int) -> Bounds | None:
    """A head with the name after it: グループホームさくら, 株式会社山田製作所."""
    window = text[end : end + 24].partition("\n")[0]
    quoted = re.match("[ \u3000]?[「『【]([^」』】]{1,15})[」』】]", window)
    if quoted:
        return start, end + quoted.end()
    masked = re.match(f"[{_MASKS}A-ZＡ-Ｚ]{{1,6}}(?![{LATIN}])", window)
    if masked:
        return start, end + masked.end()
    kana = _KANA_BEHIND.match(window)
    if kana and (kana[1][0] not in _PARTICLES_BEHIND or 4 <= len(kana[1]) or is_name(kana[1])):
        return start, end + kana.end(1)
    reach = 0
    for morpheme in JAPANESE.morphemes(window):
        if morpheme.start != reach or not _may_stand_behind(window, morpheme):
            break
        reach = morpheme.end
    name = window[:reach]
    return None if name == "" or _GENERIC.fullmatch(name) else (start, end + reach)


def _may_stand_behind(window: str, morpheme: Morpheme) -> bool:
    """Whether a word may be part of a name after its head."""
    first = morpheme.start == 0
    word = window[morpheme.start : morpheme.end]
    if word in SETS["not_behind"]:
        return False
    if _INNER_PARTICLE.match(window, morpheme.start):
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


named_institution = partial(institution, small_words=False)
specific_institution = partial(institution, specific=True, small_words=False)
