"""Japanese names, taken apart into family and given names in kanji, kana and Latin letters.

Keys of names are kanji in their usual forms, hiragana where no kanji are known, and katakana for
names of people from elsewhere.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.lexicons.folding import fold_in_place
from veil.replace.people.japanese_names import is_foreign, readings_of, split, strength
from veil.replace.people.kana import hiragana, katakana
from veil.replace.people.latin import pieces_of as latin_pieces
from veil.replace.people.pieces import Piece
from veil.replace.people.roles import assign_roles

if TYPE_CHECKING:
    from collections.abc import Container

    from veil.core.document import Part
    from veil.replace.people.pieces import Script
    from veil.replace.people.tables import Role

_KANJI = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u3096\u309d\u309e\u3099\u309a"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe"
_HALF = "\uff66-\uff9f"
_JAPANESE = f"{_KANJI}{_HIRAGANA}{_KATAKANA}{_HALF}"
_ANY = re.compile(f"[{_JAPANESE}]")
_RUN = re.compile(f"[{_JAPANESE}]+")
_OTHERS = re.compile(f"[^{_JAPANESE}]+")
_SCRIPTS: tuple[tuple[re.Pattern[str], Script], ...] = (
    (re.compile(f"[{_HIRAGANA}ー]+"), "hiragana"),
    (re.compile(f"[{_KATAKANA}]+"), "katakana"),
    (re.compile(f"[{_HALF}]+"), "half"),
)
_LAST_KANJI = re.compile(f"[{_KANJI}](?=[{_KATAKANA}{_HALF}]+$)")
_BETWEEN_NAMES = re.compile(r"[ \t\u3000・･=＝]+")
_FOREIGN_JOINT = re.compile(r"[・･=＝]")
_TITLE = re.compile(
    r"(?<=.)(?:さん|さま|様|ちゃん|くん|君|氏|殿|先生|医師|看護師|教授|部長|院長|技師|夫妻|夫人)$"
)
_ROLES: tuple[Role, Role] = ("surname", "given")
_MARKS_OF_VOICE = ("ﾞ", "ﾟ")
_KEPT = frozenset({"旧姓", "旧", "通称", "本名", "別名", "こと", "または", "結婚後"})
_LONGEST_FAMILY = 3
_SHORTEST_SPLIT_READING = 4
_REMEMBERED = 1 << 13
_LISTED = 2
_OLD_NAME = 2


class Run(NamedTuple):
    """A stretch of Japanese characters in a mention."""

    start: int
    text: str


def is_japanese(text: str) -> bool:
    """Whether a text holds kana or kanji."""
    return not text.isascii() and _ANY.search(text) is not None


def is_foreign_key(key: str) -> bool:
    """Whether a key is that of a name from elsewhere."""
    return script_of(key) == "katakana"


def pieces_of(text: str, part: Part | None, families: Container[str]) -> list[Piece]:
    """Take a mention that holds Japanese characters apart; `families` are known in the record."""
    pieces: list[Piece] = []
    groups = _groups(text)
    for group in groups:
        pieces += _pieces_of_group(text, group, part, families)
    for match in _OTHERS.finditer(text):
        latin = latin_pieces(match[0], "en")
        assign_roles(match[0], latin, part, "en")
        for piece in latin:
            piece.start += match.start()
            piece.end += match.start()
        pieces += latin
    return sorted(pieces, key=lambda piece: piece.start)


def _groups(text: str) -> list[list[Run]]:
    """Runs that are one name: parted by blanks or by the point of foreign names."""
    groups: list[list[Run]] = []
    end = -1
    runs = list(_RUN.finditer(text))
    for match in [run for run in runs if run[0] not in _KEPT] or runs:
        title = _TITLE.search(match[0])
        run = Run(match.start(), match[0][: title.start()] if title else match[0])
        reading = _reading_behind(run)
        is_next = groups and _BETWEEN_NAMES.fullmatch(text, end, match.start())
        if is_next and _are_alike(groups[-1][-1].text, run.text):
            groups[-1].append(run)
        elif reading:
            groups += [[Run(run.start, run.text[:reading])]]
            groups += [[Run(run.start + reading, run.text[reading:])]]
        else:
            groups.append([run])
        end = match.end()
    return groups


def _reading_behind(run: Run) -> int:
    """Where the reading begins in 山田太郎ヤマダタロウ; 0 in 山田ハナ."""
    match = _LAST_KANJI.search(run.text)
    if match is None or len(run.text) - match.end() < _SHORTEST_SPLIT_READING:
        return 0
    return match.end() if split(run.text[: match.end()], ()) else 0


def _are_alike(first: str, second: str) -> bool:
    """Whether two runs may be parts of one name: not 山田太郎 and its reading."""
    scripts = script_of(first), script_of(second)
    if scripts[0] == scripts[1]:
        return True
    if scripts == ("katakana", "kanji"):  # ヘンダーソン 良子
        key = fold_in_place(second)
        is_given = strength(key, "given") and not strength(key, "surname")
        return bool(is_given) and not any(_strengths(hiragana(first)))
    is_reading = hiragana(second) in readings_of("surname", fold_in_place(first))
    is_too_short = len(hiragana(second)) < len(first)
    return (
        scripts[0] == "kanji" and (len(first) <= _LONGEST_FAMILY or is_too_short) and not is_reading
    )


@lru_cache(_REMEMBERED)
def script_of(text: str) -> Script:
    """The script of a run; kanji with kana among them is kanji."""
    return next((script for pattern, script in _SCRIPTS if pattern.fullmatch(text)), "kanji")


def _pieces_of_group(
    text: str, group: list[Run], part: Part | None, families: Container[str]
) -> list[Piece]:
    if part in ("first", "last"):
        role: Role = "given" if part == "first" else "surname"
        return [_piece(run, role, foreign=_is_foreign([run], text)) for run in group]
    foreign = _is_foreign(group, text)
    if 1 < len(group):
        return [
            _piece(run, role, foreign=foreign or _is_foreign_beside_kanji(run, role))
            for run, role in zip(group, _roles(group, text, foreign=foreign), strict=True)
        ]
    (run,) = group
    cut = 0 if foreign else _cut(run.text, families)
    if cut:
        given = Run(run.start + cut, run.text[cut:])
        family = Run(run.start, run.text[:cut])
        return [_piece(family, "surname", foreign=False), _piece(given, "given", foreign=False)]
    return [_piece(run, None, foreign=foreign)]


def _cut(name: str, families: Container[str]) -> int:
    if script_of(name) == "kanji":
        return split(name, families)
    reading = hiragana(name)
    if len(reading) < _SHORTEST_SPLIT_READING or max(_strengths(reading)) == 2:
        return 0
    cut = next(
        (
            cut
            for cut in range(len(reading) - 2, 1, -1)
            if strength(reading[:cut], "surname") == 2 and strength(reading[cut:], "given")
        ),
        0,
    )
    return _place(name, cut) if cut else 0


def _place(kana: str, cut: int) -> int:
    """Where so many characters of a reading end in kana, whose half-width marks are characters."""
    ends = (end for end in range(len(kana) + 1) if len(hiragana(kana[:end])) == cut)
    return next(end for end in ends if kana[end : end + 1] not in _MARKS_OF_VOICE)


def _strengths(key: str) -> tuple[int, int]:
    return strength(key, "surname"), strength(key, "given")


def _is_foreign(group: list[Run], text: str) -> bool:
    """Whether a name in katakana is one from elsewhere."""
    if any(script_of(run.text) not in ("katakana", "half") for run in group):
        return False
    between = text[group[0].start : group[-1].start]
    if _FOREIGN_JOINT.search(between):
        return True
    readings = [hiragana(run.text) for run in group]
    if is_foreign("surname", readings[0]) and strength(readings[0], "surname") < _LISTED:
        return True
    if any(_cut(run.text, ()) for run in group):
        return False
    if len(group) == 1 and len(readings[0]) <= _OLD_NAME and not _is_listed_foreign(readings[0]):
        return False  # ヨネ
    # アンナ may be Japanese: サトウ アンナ is, アンナ ミラー is not.
    return all(_is_listed_foreign(reading) or not any(_strengths(reading)) for reading in readings)


def _is_foreign_beside_kanji(run: Run, role: Role) -> bool:
    """Whether one part of a name is from elsewhere: ヘンダーソン 良子, 山田 エレナ."""
    reading = hiragana(run.text)
    if script_of(run.text) != "katakana" or max(_strengths(reading)) == _LISTED:
        return False
    return role == "surname" or is_foreign(role, reading)


def _is_listed_foreign(reading: str) -> bool:
    return any(is_foreign(role, reading) for role in _ROLES)


def _roles(group: list[Run], text: str, *, foreign: bool) -> list[Role]:
    """The roles of the parts of a name: the family name first, but for most foreign ones."""
    first, last = (
        is_foreign("surname", reading) - is_foreign("given", reading)
        for reading in (hiragana(group[0].text), hiragana(group[-1].text))
    )
    has_joint = _FOREIGN_JOINT.search(text[group[0].start : group[-1].start]) is not None
    is_turned = not has_joint and last < first
    family = 0 if not foreign or is_turned else len(group) - 1
    return ["surname" if number == family else "given" for number in range(len(group))]


def _piece(run: Run, role: Role | None, *, foreign: bool) -> Piece:
    script = script_of(run.text)
    key = fold_in_place(run.text) if script == "kanji" else hiragana(run.text)
    return Piece(
        run.start,
        run.start + len(run.text),
        run.text,
        "name",
        katakana(key) if foreign else key,
        role=role,
        script=script,
        foreign=foreign,
    )


def role_of_lone(
    piece: Piece, *, of_relative: bool = False, familiar: bool = False, of_child: bool = False
) -> Role:
    """The role of a name that stands alone: family names are usual.

    Relatives and children have given names, unless the lists know better; `familiar` says that a
    relative has an honorific that goes with these.
    """
    key = hiragana(piece.key) if piece.foreign else piece.key
    if piece.foreign:
        return "given" if is_foreign("given", key) and not is_foreign("surname", key) else "surname"
    surname, given = _strengths(key)
    if surname == _LISTED and given < _LISTED:
        return "surname"
    if of_child or (of_relative and (given or len(key) == 1 or (familiar and not surname))):
        return "given"
    if piece.script != "kanji":
        return "given" if surname < given else "surname"
    is_sure = given == _LISTED and 1 < len(key)
    return "given" if is_sure and not surname else "surname"
