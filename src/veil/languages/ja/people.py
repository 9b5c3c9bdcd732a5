"""Japanese names in kanji, kana and Latin letters, and which of them belong together.

Keys of names are kanji in their usual forms, hiragana if no kanji are known, and katakana for
foreign names. ヤマダ and Yamada are 山田 if 山田 is in the record.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.core.patterns import compile_pattern
from veil.languages.ja import people_names as names
from veil.languages.ja.kana import (
    compared_romaji,
    half_width,
    hiragana,
    kana_of_romaji,
    katakana,
    romaji,
)
from veil.languages.ja.people_names import LISTED, is_foreign, strength
from veil.lexicons.folding import fold_in_place
from veil.replace.people.latin import pieces_of as latin_pieces
from veil.replace.people.pieces import NamePiece, NameWord
from veil.replace.people.roles import assign_roles
from veil.replace.people.styles import name_key, naming_style
from veil.replace.people.tables import is_listed

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from veil.core.document import Part, Span
    from veil.replace.base import Case
    from veil.replace.people.pieces import NameMention, Role, Surrogate
    from veil.replace.people.surrogates import SurrogateNames

_KANJI = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u3096\u309d\u309e\u3099\u309a"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe"
_HALF = "\uff66-\uff9f"
_JAPANESE = f"{_KANJI}{_HIRAGANA}{_KATAKANA}{_HALF}"
_ANY = compile_pattern(f"[{_JAPANESE}]")
_RUN = compile_pattern(f"[{_JAPANESE}]+")
_OTHERS = compile_pattern(f"[^{_JAPANESE}]+")
_SCRIPTS = {
    "hiragana": compile_pattern(f"[{_HIRAGANA}ー]+"),
    "katakana": compile_pattern(f"[{_KATAKANA}]+"),
    "half": compile_pattern(f"[{_HALF}]+"),
}
_KANA = compile_pattern("[ぁ-ヿ]+")
_BLANKS = compile_pattern(r"[\s\u3000]+")
_LAST_KANJI = compile_pattern(f"[{_KANJI}](?=[{_KATAKANA}{_HALF}]+$)")
_BETWEEN_NAMES = compile_pattern(r"[ \t\u3000・･=＝]+")
_FOREIGN_JOINT = compile_pattern(r"[・･=＝]")
_ROLES: tuple[Role, Role] = ("surname", "given")
_MARKS_OF_VOICE = ("ﾞ", "ﾟ")
_LONGEST_FAMILY = 3
_SHORTEST_SPLIT_READING = 4
_SHORTEST_ROMAJI = 4
_OLD_NAME = 2
_CACHE_SIZE = 1 << 13

_LONGEST_BETWEEN = 24
_REACH, _FAR_REACH = 12, 40

_WORDS = {key: "".join(words.split()) for key, words in naming_style(names.LANGUAGE).script.items()}
_FEMALE = f"(?P<female>{_WORDS['female_kin']}|{_WORDS['female']})"
_MALE = f"(?P<male>{_WORDS['male_kin']}|{_WORDS['male']})"
_TITLE = compile_pattern(f"(?<=.)(?:{_WORDS['titles']})$")
_KEPT = frozenset(_WORDS["kept"].split("|"))
_BEFORE_READING = compile_pattern(f"(?:{_WORDS['before_reading']})*")
_SEX_WORDS = f"{_WORDS['female']}|{_WORDS['male']}".split("|")
_BEFORE = compile_pattern(
    rf"(?:{_FEMALE}|{_MALE}|(?:{_WORDS['other_kin']}))(?:さん|様)?[のは、：:（(\s]*$"
)
_FAMILIAR, _YOUNG, _BOY = (compile_pattern(_WORDS[key]) for key in ("familiar", "young", "boy"))
_BEHIND = compile_pattern(
    rf"(?:{_WORDS['before_sex']})*"
    "(?:(?P<female>女|[FＦ](?![A-Za-z]))|(?P<male>男|[MＭ](?![A-Za-z])))"
)
_IN_BRACKETS = compile_pattern(
    rf"(?:さん|様|氏)?\s*[（(]\s*(?:続柄[：:\s]*)?(?:{_FEMALE}|{_MALE})[）)・、,\s]"
)


@lru_cache(_CACHE_SIZE)
def script_of(text: str) -> str:
    """Return the script of a run; kanji with kana among them is kanji."""
    found = (script for script, pattern in _SCRIPTS.items() if pattern.fullmatch(text))
    return next(found, "kanji")


# -- Splitting a mention ----------------------------------------------------------------------


class _Run(NamedTuple):
    """A run of Japanese characters in a mention."""

    start: int
    text: str


def _names_in(text: str) -> list[list[_Run]]:
    """Return runs that are one name: separated by spaces or by the dot of foreign names."""
    groups: list[list[_Run]] = []
    end = -1
    runs = list(_RUN.finditer(text))
    for match in [run for run in runs if run[0] not in _KEPT] or runs:
        title = _TITLE.search(match[0])
        run = _Run(match.start(), match[0][: title.start()] if title else match[0])
        reading = _start_of_reading(run)
        is_next = groups and _BETWEEN_NAMES.fullmatch(text, end, match.start())
        if is_next and _may_be_one_name(groups[-1][-1].text, run.text):
            groups[-1].append(run)
        elif reading:
            groups += [[_Run(run.start, run.text[:reading])]]
            groups += [[_Run(run.start + reading, run.text[reading:])]]
        else:
            groups.append([run])
        end = match.end()
    return groups


def _start_of_reading(run: _Run) -> int:
    """Return where the reading begins in 山田太郎ヤマダタロウ; 0 in 山田ハナ."""
    match = _LAST_KANJI.search(run.text)
    if match is None or len(run.text) - match.end() < _SHORTEST_SPLIT_READING:
        return 0
    return match.end() if names.split(run.text[: match.end()], ()) else 0


def _may_be_one_name(first: str, second: str) -> bool:
    """Whether two runs may be parts of one name: not 山田太郎 and its reading."""
    scripts = script_of(first), script_of(second)
    if scripts[0] == scripts[1]:
        return True
    if scripts == ("katakana", "kanji"):  # ヘンダーソン 良子
        key = fold_in_place(second)
        is_given = strength(key, "given") and not strength(key, "surname")
        return bool(is_given) and not any(_strengths(hiragana(first)))
    is_reading = hiragana(second) in names.readings_of("surname", fold_in_place(first))
    is_too_short = len(hiragana(second)) < len(first)
    return (
        scripts[0] == "kanji" and (len(first) <= _LONGEST_FAMILY or is_too_short) and not is_reading
    )


def _pieces_of_name(
    text: str, runs: list[_Run], part: Part | None, families: Container[str]
) -> list[NamePiece]:
    if part in ("first", "last"):
        role: Role = "given" if part == "first" else "surname"
        return [_piece(run, role, foreign=_is_foreign([run], text)) for run in runs]
    foreign = _is_foreign(runs, text)
    if 1 < len(runs):
        return [
            _piece(run, role, foreign=foreign or _is_foreign_beside_kanji(run, role))
            for run, role in zip(runs, _roles(runs, text, foreign=foreign), strict=True)
        ]
    (run,) = runs
    cut = 0 if foreign else _cut(run.text, families)
    if cut:
        family, given = _Run(run.start, run.text[:cut]), _Run(run.start + cut, run.text[cut:])
        return [_piece(family, "surname", foreign=False), _piece(given, "given", foreign=False)]
    return [_piece(run, None, foreign=foreign)]


def _cut(name: str, families: Container[str]) -> int:
    """Return where the family name ends: 0 if it is one name."""
    if script_of(name) == "kanji":
        return names.split(name, families)
    reading = hiragana(name)
    if len(reading) < _SHORTEST_SPLIT_READING or max(_strengths(reading)) == LISTED:
        return 0
    for cut in range(len(reading) - 2, 1, -1):
        if strength(reading[:cut], "surname") == LISTED and strength(reading[cut:], "given"):
            # Half-width voicing marks are separate characters.
            ends = (end for end in range(len(name) + 1) if len(hiragana(name[:end])) == cut)
            return next(end for end in ends if name[end : end + 1] not in _MARKS_OF_VOICE)
    return 0


def _strengths(key: str) -> tuple[int, int]:
    return strength(key, "surname"), strength(key, "given")


def _is_foreign(runs: list[_Run], text: str) -> bool:
    """Whether a name in katakana is foreign."""
    if any(script_of(run.text) not in ("katakana", "half") for run in runs):
        return False
    if _FOREIGN_JOINT.search(text[runs[0].start : runs[-1].start]):
        return True
    readings = [hiragana(run.text) for run in runs]
    if is_foreign("surname", readings[0]) and strength(readings[0], "surname") < LISTED:
        return True
    if any(_cut(run.text, ()) for run in runs):
        return False
    if len(runs) == 1 and len(readings[0]) <= _OLD_NAME and not _is_listed_foreign(readings[0]):
        return False  # ヨネ
    # アンナ may be Japanese: サトウ アンナ is, アンナ ミラー is not.
    return all(_is_listed_foreign(reading) or not any(_strengths(reading)) for reading in readings)


def _is_foreign_beside_kanji(run: _Run, role: Role) -> bool:
    """Whether one part of a name is foreign: ヘンダーソン 良子, 山田 エレナ."""
    reading = hiragana(run.text)
    if script_of(run.text) != "katakana" or max(_strengths(reading)) == LISTED:
        return False
    return role == "surname" or is_foreign(role, reading)


def _is_listed_foreign(reading: str) -> bool:
    return any(is_foreign(role, reading) for role in _ROLES)


def _roles(runs: list[_Run], text: str, *, foreign: bool) -> list[Role]:
    """Return the roles of parts: the family name is first, except in most foreign names."""
    first, last = (
        is_foreign("surname", reading) - is_foreign("given", reading)
        for reading in (hiragana(runs[0].text), hiragana(runs[-1].text))
    )
    has_joint = _FOREIGN_JOINT.search(text[runs[0].start : runs[-1].start]) is not None
    is_turned = not has_joint and last < first
    family = 0 if not foreign or is_turned else len(runs) - 1
    return ["surname" if number == family else "given" for number in range(len(runs))]


def _piece(run: _Run, role: Role | None, *, foreign: bool) -> NamePiece:
    script = script_of(run.text)
    key = fold_in_place(run.text) if script == "kanji" else hiragana(run.text)
    return NamePiece(
        run.start,
        run.start + len(run.text),
        run.text,
        "name",
        katakana(key) if foreign else key,
        role=role,
        script=script,
        is_foreign=foreign,
    )


def role_of_lone(
    piece: NamePiece, *, of_relative: bool = False, familiar: bool = False, of_child: bool = False
) -> Role:
    """Return the role of a single name: usually a family name.

    Relatives and children have given names, unless the lists show otherwise; `familiar` says that a
    relative has an honorific that goes with given names.
    """
    key = hiragana(piece.key) if piece.is_foreign else piece.key
    if piece.is_foreign:
        return "given" if is_foreign("given", key) and not is_foreign("surname", key) else "surname"
    surname, given = _strengths(key)
    if surname == LISTED and given < LISTED:
        return "surname"
    if of_child or (of_relative and (given or len(key) == 1 or (familiar and not surname))):
        return "given"
    if piece.script != "kanji":
        return "given" if surname < given else "surname"
    is_sure = given == LISTED and 1 < len(key)
    return "given" if is_sure and not surname else "surname"


# -- Names and readings side by side ----------------------------------------------------------


class _Group(NamedTuple):
    """The names of one script that are adjacent, with their offsets in the document."""

    start: int
    end: int
    pieces: list[NamePiece]

    @property
    def is_kana(self) -> bool:
        return all(piece.script != "kanji" for piece in self.pieces)

    @property
    def is_listed_foreign(self) -> bool:
        foreign = [hiragana(piece.key) for piece in self.pieces if piece.is_foreign]
        return any(map(_is_listed_foreign, foreign))


def _groups(mentions: Iterable[NameMention]) -> Iterator[_Group]:
    for mention in mentions:
        for span, pieces in zip(mention.spans, mention.pieces, strict=True):
            rows: list[list[NamePiece]] = []
            for piece in pieces:
                if piece.kind != "name" or not JapaneseReader.matches(piece.text):
                    continue
                last = rows[-1][-1] if rows else None
                if last is None or 3 < piece.start - last.end or _changes_to_kana(last, piece):
                    rows.append([])
                rows[-1].append(piece)
            for row in rows:
                yield _Group(span.start + row[0].start, span.start + row[-1].end, row)


def _changes_to_kana(before: NamePiece, piece: NamePiece) -> bool:
    """Whether a reading begins: in kana after kanji, but not in 山田ハナ."""
    if before.role == "surname" and piece.role == "given":
        return False
    is_other_script = (before.script == "kanji") != (piece.script == "kanji")
    return is_other_script or (before.role == "given" and piece.role == "surname")


def _belong_together(text: str, name: _Group, kana: _Group) -> bool:
    if name.is_kana:
        return False
    start, end = sorted((name.start, name.end, kana.start, kana.end))[1:3]
    is_near = end - start <= _LONGEST_BETWEEN
    return is_near and _BEFORE_READING.fullmatch(text, start, end) is not None


class JapaneseReader:
    """The Japanese names of a record and their readings."""

    language = names.LANGUAGE

    def __init__(self, case: Case, mentions: Sequence[NameMention]) -> None:
        self._text = case.document.text
        self._is_own = case.language == self.language
        self._mentions = mentions
        self._families = set(_families(case, mentions))
        self._keys: dict[tuple[Role, str], str] = {}
        self._latin: dict[tuple[Role, str], str] = {}
        self._learned: dict[NameWord, list[str]] = {}

    # -- The script

    @staticmethod
    def matches(text: str) -> bool:
        """Whether a text contains kana or kanji."""
        return not text.isascii() and _ANY.search(text) is not None

    @staticmethod
    @lru_cache(_CACHE_SIZE)
    def compact(text: str) -> str:
        """Return a text without spaces, its kana as hiragana, its kanji in their usual forms."""
        return "".join(map(_compact_character, unicodedata.normalize("NFKC", text)))

    @staticmethod
    def is_distinctive(key: str) -> bool:
        """Whether a name is more than a single kana."""
        return 1 < len(key) or not _KANA.fullmatch(key)

    @staticmethod
    def write(script: str, surrogate: Surrogate) -> str:
        """Return a surrogate in kanji or kana."""
        if script == "kanji":
            return surrogate.written
        if script == "half":
            return half_width(katakana(surrogate.reading))
        return katakana(surrogate.reading) if script == "katakana" else surrogate.reading

    @staticmethod
    def word_in_account(run: str) -> NameWord | None:
        """Return the name that letters in an account stand for."""
        for role in _ROLES:
            key = names.key_of_romaji(role, run)
            if key:
                return NameWord(role, key)
        reading = kana_of_romaji(run)
        return NameWord("surname", reading) if reading else None

    # -- Mentions and roles

    def pieces_of(self, text: str, part: Part | None) -> list[NamePiece]:
        """Split the text of a mention with Japanese characters."""
        pieces: list[NamePiece] = []
        for runs in _names_in(text):
            pieces += _pieces_of_name(text, runs, part, self._families)
        for match in _OTHERS.finditer(text):
            latin = latin_pieces(match[0], naming_style(names.LANGUAGE).latin)
            assign_roles(match[0], latin, part, naming_style(names.LANGUAGE).latin)
            for piece in latin:
                piece.start += match.start()
                piece.end += match.start()
            pieces += latin
        return sorted(pieces, key=lambda piece: piece.start)

    def set_latin_roles(self, pieces: Sequence[NamePiece]) -> None:
        """Swap the roles of names in Latin letters that are in Japanese order: Sonobe Rika."""
        found = [piece for piece in pieces if piece.kind == "name"]
        if [piece.role for piece in found] != ["given", "surname"]:
            return
        first, last = (piece.text for piece in found)
        straight = names.key_of_romaji("given", first), names.key_of_romaji("surname", last)
        turned = names.key_of_romaji("surname", first), names.key_of_romaji("given", last)
        if sum(map(bool, straight)) < sum(map(bool, turned)):
            found[0].role, found[1].role = "surname", "given"

    def recorded_role(self, piece: NamePiece) -> Role | None:
        """Return the role in which the record has a reading."""
        return next((role for role in _ROLES if (role, piece.key) in self._keys), None)

    def role_beside(self, piece: NamePiece, span: Span) -> Role:
        """Return the role of a single name, by the words beside it: 妻の, 長男."""
        before = _BEFORE.search(self._text[max(0, span.start - _REACH) : span.start])
        kin = before is not None and (before["female"] or before["male"]) not in _SEX_WORDS
        return role_of_lone(
            piece,
            of_relative=kin,
            familiar=kin and _FAMILIAR.match(self._text, span.end) is not None,
            of_child=_YOUNG.match(self._text, span.end) is not None,
        )

    def is_female(self, start: int, end: int) -> bool | None:
        """Whether the words around a name show that it is a woman's; None without evidence."""
        if _BOY.match(self._text, end):
            return False
        before = _BEFORE.search(self._text[max(0, start - _REACH) : start])
        if before is not None and (before["female"] or before["male"]):
            return before["female"] is not None
        line = self._text[end : end + _FAR_REACH].partition("\n")[0]
        behind = _IN_BRACKETS.match(line) or _BEHIND.match(line)
        return None if behind is None else behind["female"] is not None

    # -- Readings

    def learn_readings(self) -> None:
        """Learn the readings of the names of the record."""
        groups = list(_groups(self._mentions))
        for group in groups:
            for piece in group.pieces:
                if piece.script == "kanji":
                    word = NameWord(piece.role or role_of_lone(piece), piece.key)
                    for reading in names.readings_of(word.role, word.key):
                        self._learn(word, reading)
        for number, group in enumerate(groups):
            if group.is_kana:
                self._mark_japanese(group)
                neighbours = groups[max(0, number - 1) : number] + groups[number + 1 : number + 2]
                if not group.is_listed_foreign:
                    self._link(group, neighbours)

    def _learn(self, word: NameWord, reading: str) -> None:
        self._keys.setdefault((word.role, reading), word.key)
        self._latin.setdefault((word.role, compared_romaji(romaji(reading))), word.key)
        self._learned.setdefault(word, []).append(reading)

    def _mark_japanese(self, group: _Group) -> None:
        """Mark names that look foreign as Japanese if a name in the record has this reading."""
        if _FOREIGN_JOINT.search(self._text, group.start, group.end):
            return
        for piece in group.pieces:
            reading = hiragana(piece.key)
            roles = (piece.role,) if piece.role else _ROLES
            if any((role, reading) in self._keys for role in roles):
                piece.key, piece.is_foreign = reading, False

    def _link(self, group: _Group, neighbours: Iterable[_Group]) -> None:
        """Learn readings from a name beside its kana."""
        if all((piece.role, piece.key) in self._keys for piece in group.pieces):
            return
        near = (each for each in neighbours if _belong_together(self._text, each, group))
        name = next(near, None)
        if name is None or self._is_another(name, group):
            return
        for piece in group.pieces:  # names that looked foreign are readings
            piece.key, piece.is_foreign = hiragana(piece.key), False
        written = [piece for piece in name.pieces if piece.role or len(name.pieces) == 1]
        if len(written) == len(group.pieces):
            for kanji, kana in zip(written, group.pieces, strict=True):
                kana.role = kanji.role = kanji.role or kana.role or "surname"
                self._learn(NameWord(kanji.role, kanji.key), kana.key)
        elif len(group.pieces) == 1 and len(written) == 2:
            self._link_whole(
                group.pieces[0], [NameWord(p.role or "surname", p.key) for p in written]
            )

    def _is_another(self, name: _Group, kana: _Group) -> bool:
        """Whether kana are a known name that is not a reading of the name beside them."""
        first, reading = name.pieces[0], kana.pieces[0].key
        known = self._readings(NameWord(first.role or role_of_lone(first), first.key))
        is_its_own = any(reading.startswith(each) or each.startswith(reading) for each in known)
        return bool(known) and not is_its_own and bool(names.key_of_reading("surname", reading))

    def _link_whole(self, kana: NamePiece, words: Sequence[NameWord]) -> None:
        """Learn from a run of kana without a space, which is a family and a given name."""
        for word in words:
            if kana.key in self._readings(word):
                kana.role = word.role
                return
        for reading in self._readings(words[0]):
            if kana.key.startswith(reading) and len(reading) < len(kana.key):
                self._learn(words[1], kana.key[len(reading) :])
        kana.words = tuple(words)

    def _readings(self, word: NameWord) -> list[str]:
        """Return all known readings of a name, those of the record first."""
        found = [*self._learned.get(word, ()), *names.readings_of(word.role, word.key)]
        return list(dict.fromkeys(found))

    def words_of(self, piece: NamePiece) -> tuple[NameWord, ...]:
        """Return the names that kanji or kana stand for."""
        if piece.words:
            return piece.words
        role = piece.role or "surname"
        if piece.script == "kanji" or piece.is_foreign:
            return (NameWord(role, piece.key),)
        key = self._keys.get((role, piece.key)) or names.key_of_reading(role, piece.key)
        return (NameWord(role, key or piece.key),)

    def word_of_latin(self, piece: NamePiece) -> NameWord | None:
        """Return the Japanese name that a word in Latin letters stands for, if it is one."""
        roles = _ROLES if piece.role is None else (piece.role, *_ROLES)
        if self._latin:
            compared = compared_romaji(piece.text)
            for role in roles:
                if (role, compared) in self._latin:
                    return NameWord(role, self._latin[role, compared])
        if self._is_own:
            return _usual_word(piece, roles)
        role = piece.role or "surname"
        key = None if is_listed(piece.key, role) else names.key_of_romaji(role, piece.text)
        return NameWord(role, key) if key else None

    def spellings(self, word: NameWord) -> list[str]:
        """Return the spellings of a name in Latin letters."""
        return [romaji(reading) for reading in self._readings(word)]

    # -- Surrogates

    def hint(self, mention: NameMention) -> str:
        """Return the origin of a mention's family name, if that is Chinese or Korean."""
        for word in mention.words:
            if word.role == "surname" and not word.key.isascii():
                origin = names.continental_origin(word.key)
                if origin:
                    return origin
        return ""

    def origins(self) -> dict[NameWord, str]:
        """Return the origins of foreign names; the family name decides before given names."""
        origins: dict[NameWord, str] = {}
        for mention in self._mentions:
            foreign = [
                word
                for word in mention.words
                if not word.key.isascii() and script_of(word.key) == "katakana"
            ]
            if not foreign:
                continue
            known = (
                names.foreign_origin(word.role, hiragana(word.key))
                for word in sorted(foreign, key=lambda word: word.role != "surname")
            )
            origin = next(filter(None, known), None)
            if origin:
                origins |= {word: origin for word in foreign if word not in origins}
        return origins

    def pools(
        self, word: NameWord, *, hint: str, is_female: bool | None, origin: str | None
    ) -> Iterator[Sequence[Surrogate]]:
        """Yield names to draw from: of the same origin, of the same kind, composed of parts."""
        foreign = script_of(word.key) == "katakana"
        kind = names.kind_of(
            word.role,
            hiragana(word.key) if foreign else word.key,
            foreign=foreign,
            continental=hint if hint in ("continental", "korean") else "",
            is_female=is_female,
        )
        if foreign:
            yield names.pool_of_origin(kind, origin)
        yield names.pool(kind)
        yield names.composed(kind)

    def is_free(
        self, new: Surrogate, word: NameWord, names: SurrogateNames, *, new_initial: bool
    ) -> bool:
        """Whether a name is new and unlike the old one."""
        foreign = script_of(word.key) == "katakana"
        old = [hiragana(word.key)] if foreign else self._readings(word)
        if new.reading in old:
            return False
        if new_initial and new.latin[0] in {romaji(reading)[:1].upper() for reading in old}:
            return False
        originals = names.originals
        return (
            new.written not in names.taken
            and new.reading not in names.taken
            and not originals.is_part_of(new.written, self)
            and not originals.is_part_of(new.reading, self)
            and not originals.has_word(name_key(new.latin))
            and not originals.has_word(compared_romaji(new.latin))
        )


READER = JapaneseReader


@cache
def _compact_character(character: str) -> str:
    return _BLANKS.sub("", fold_in_place(hiragana(character)))


def _families(case: Case, mentions: Iterable[NameMention]) -> Iterator[str]:
    """Yield family names that occur alone somewhere in the record."""
    for mention in mentions:
        for span, part in zip(mention.spans, mention.parts, strict=True):
            text = case.text(span)
            if not JapaneseReader.matches(text) or part == "first":
                continue
            first, *rest = re.split(r"[ \t\u3000]+", fold_in_place(text))
            if script_of(first) != "kanji" or not first:
                continue
            family, given = _strengths(first)
            is_usual = 0 < family >= given
            if part == "last" or rest or (len(first) <= _LONGEST_FAMILY and is_usual):
                yield first


def _usual_word(piece: NamePiece, roles: Iterable[Role]) -> NameWord | None:
    """Return the name with this usual spelling in a Japanese record: Japanese or foreign."""
    for role in roles:
        foreign = names.key_of_foreign(role, piece.text)
        if foreign:
            return NameWord(role, katakana(foreign))
        key = names.key_of_romaji(role, piece.text)
        if key:
            return NameWord(role, key)
    role = next(iter(roles))
    is_known = len(piece.key) < _SHORTEST_ROMAJI or any(
        is_listed(piece.key, each) for each in _ROLES
    )
    reading = None if is_known else kana_of_romaji(piece.text)
    return NameWord(role, reading) if reading else None
