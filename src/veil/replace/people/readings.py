"""Which name a reading belongs to: ヤマダ and Yamada are 山田 where 山田 stands in the record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.replace.people.japanese import is_japanese, role_of_lone
from veil.replace.people.japanese_names import (
    is_foreign,
    key_of_foreign,
    key_of_reading,
    key_of_romaji,
    readings_of,
)
from veil.replace.people.kana import (
    compared_romaji,
    hiragana,
    kana_of_romaji,
    katakana,
    romaji,
)
from veil.replace.people.pieces import Word
from veil.replace.people.tables import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.replace.people.pieces import Mention, Piece
    from veil.replace.people.tables import Role

_ROLES: tuple[Role, Role] = ("surname", "given")
_KANA_SCRIPTS = frozenset({"hiragana", "katakana", "half"})
_LATIN_SCRIPTS = frozenset({"latin", "wide"})
_FOREIGN_JOINT = re.compile(r"[・･=＝]")
_FARTHEST = 24
_SHORTEST_ROMAJI = 4
# What may stand between a name and its reading.
_BETWEEN = re.compile(
    r"(?:[\s\u3000（）()［］\[\]「」【】:：／/|｜]|フリガナ|ふりがな|ﾌﾘｶﾞﾅ|カナ|かな|ｶﾅ|読み|よみ|ヨミ"
    r"|氏名|患者名|患者|名前|姓名|漢字|様|さん|殿|氏|先生|医師)*"
)


class _Group(NamedTuple):
    """The names of one script that stand side by side, with their place in the document."""

    start: int
    end: int
    pieces: list[Piece]

    @property
    def is_kana(self) -> bool:
        return all(piece.script in _KANA_SCRIPTS for piece in self.pieces)

    @property
    def is_listed_foreign(self) -> bool:
        return any(
            piece.foreign and is_foreign(role, hiragana(piece.key))
            for piece in self.pieces
            for role in _ROLES
        )

    @property
    def is_kanji(self) -> bool:
        return any(piece.script == "kanji" for piece in self.pieces)


class Readings:
    """The readings of the Japanese names of a record."""

    def __init__(self, text: str, mentions: Sequence[Mention]) -> None:
        self._keys: dict[tuple[Role, str], str] = {}
        self._latin: dict[tuple[Role, str], str] = {}
        self._learned: dict[Word, list[str]] = {}
        groups = list(_groups(mentions))
        for group in groups:
            for piece in group.pieces:
                if piece.script == "kanji":
                    word = Word(piece.role or role_of_lone(piece), piece.key)
                    for reading in readings_of(word.role, word.key):
                        self._learn(word, reading)
        for number, group in enumerate(groups):
            if group.is_kana:
                self._take_home(text, group)
                neighbours = (
                    *groups[max(0, number - 1) : number],
                    *groups[number + 1 : number + 2],
                )
                if not group.is_listed_foreign:
                    self._link(text, group, neighbours)

    def readings(self, word: Word) -> list[str]:
        """All readings of a name that are known, those of the record first."""
        found = [*self._learned.get(word, ()), *readings_of(word.role, word.key)]
        return list(dict.fromkeys(found))

    def words_of(self, piece: Piece) -> tuple[Word, ...]:
        """What a name in kanji or kana stands for."""
        if piece.words:
            return piece.words
        role = piece.role or "surname"
        if piece.script == "kanji" or piece.foreign:
            return (Word(role, piece.key),)
        key = self._keys.get((role, piece.key)) or key_of_reading(role, piece.key)
        return (Word(role, key or piece.key),)

    def role_of(self, piece: Piece) -> Role | None:
        """The role in which the record has a reading."""
        return next((role for role in _ROLES if (role, piece.key) in self._keys), None)

    def word_of_latin(self, piece: Piece, language: str) -> Word | None:
        """The Japanese name that a word in Latin letters stands for, if it is one."""
        compared = compared_romaji(piece.text)
        roles = _ROLES if piece.role is None else (piece.role, *_ROLES)
        for role in roles:
            if (role, compared) in self._latin:
                return Word(role, self._latin[role, compared])
        if language == "ja":
            return _usual(piece, roles)
        role = piece.role or "surname"
        key = None if listed(piece.key, role) else key_of_romaji(role, piece.text)
        return Word(role, key) if key else None

    def _learn(self, word: Word, reading: str) -> None:
        self._keys.setdefault((word.role, reading), word.key)
        self._latin.setdefault((word.role, compared_romaji(romaji(reading))), word.key)
        self._learned.setdefault(word, []).append(reading)

    def _take_home(self, text: str, group: _Group) -> None:
        """What looks foreign is Japanese where the record has a name that is read so."""
        if _FOREIGN_JOINT.search(text, group.start, group.end):
            return
        for piece in group.pieces:
            reading = hiragana(piece.key)
            roles = (piece.role,) if piece.role else _ROLES
            if any((role, reading) in self._keys for role in roles):
                piece.key, piece.foreign = reading, False

    def _link(self, text: str, group: _Group, neighbours: Iterable[_Group]) -> None:
        """Learn readings from a name that stands beside its kana."""
        if all((piece.role, piece.key) in self._keys for piece in group.pieces):
            return
        name = next((each for each in neighbours if _belong_together(text, each, group)), None)
        if name is None or self._is_another(name, group):
            return
        for piece in group.pieces:  # what looked foreign is a reading
            piece.key, piece.foreign = hiragana(piece.key), False
        written = [piece for piece in name.pieces if piece.role or len(name.pieces) == 1]
        if len(written) == len(group.pieces):
            for kanji, kana in zip(written, group.pieces, strict=True):
                kana.role = kanji.role = kanji.role or kana.role or "surname"
                self._learn(Word(kanji.role, kanji.key), kana.key)
        elif len(group.pieces) == 1 and len(written) == 2:
            self._link_whole(group.pieces[0], [Word(p.role or "surname", p.key) for p in written])

    def _is_another(self, name: _Group, kana: _Group) -> bool:
        """Whether kana are a known name, but none that the name beside them can be."""
        first, reading = name.pieces[0], kana.pieces[0].key
        known = self.readings(Word(first.role or role_of_lone(first), first.key))
        is_its_own = any(reading.startswith(each) or each.startswith(reading) for each in known)
        return bool(known) and not is_its_own and key_of_reading("surname", reading) is not None

    def _link_whole(self, kana: Piece, words: Sequence[Word]) -> None:
        """Learn what a run of kana without a blank says of a family and a given name."""
        for word in words:
            if kana.key in self.readings(word):
                kana.role = word.role
                return
        for reading in self.readings(words[0]):
            if kana.key.startswith(reading) and len(reading) < len(kana.key):
                self._learn(words[1], kana.key[len(reading) :])
        kana.words = tuple(words)


def _usual(piece: Piece, roles: Iterable[Role]) -> Word | None:
    """The name that is usually spelled so in a Japanese record: Japanese, or from elsewhere."""
    for role in roles:
        foreign = key_of_foreign(role, piece.text)
        if foreign:
            return Word(role, katakana(foreign))
        key = key_of_romaji(role, piece.text)
        if key:
            return Word(role, key)
    role = next(iter(roles))
    is_known = len(piece.key) < _SHORTEST_ROMAJI or any(listed(piece.key, each) for each in _ROLES)
    reading = None if is_known else kana_of_romaji(piece.text)
    return Word(role, reading) if reading else None


def _groups(mentions: Iterable[Mention]) -> Iterable[_Group]:
    for mention in mentions:
        for span, pieces in zip(mention.spans, mention.pieces, strict=True):
            group: list[Piece] = []
            for piece in pieces:
                if piece.kind != "name" or not is_japanese(piece.text):
                    continue
                if group and (
                    3 < piece.start - group[-1].end or _changes_to_kana(group[-1], piece)
                ):
                    yield _group(span.start, group)
                    group = []
                group.append(piece)
            if group:
                yield _group(span.start, group)


def _changes_to_kana(before: Piece, piece: Piece) -> bool:
    """Whether a reading begins: in kana behind kanji, but not in 山田ハナ."""
    if before.role == "surname" and piece.role == "given":
        return False
    is_other_script = (before.script == "kanji") != (piece.script == "kanji")
    return is_other_script or (before.role == "given" and piece.role == "surname")


def _group(offset: int, pieces: list[Piece]) -> _Group:
    return _Group(offset + pieces[0].start, offset + pieces[-1].end, pieces)


def _belong_together(text: str, name: _Group, kana: _Group) -> bool:
    if not name.is_kanji:
        return False
    start, end = sorted((name.start, name.end, kana.start, kana.end))[1:3]
    return end - start <= _FARTHEST and _BETWEEN.fullmatch(text, start, end) is not None


def is_latin(piece: Piece) -> bool:
    return piece.script in _LATIN_SCRIPTS
