"""Stand-ins for the words of names: drawn by patient and word, each unlike all that stood there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import RecordError
from veil.replace.people import japanese_names, tables
from veil.replace.people.japanese import is_foreign_key, is_japanese
from veil.replace.people.kana import compared_romaji, hiragana, romaji
from veil.replace.people.latin import ELIDED
from veil.replace.people.origins import SMALL_WORDS, SURNAME_FIRST, given_origin, surname_origin
from veil.replace.people.tables import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from veil.replace.people.originals import Originals
    from veil.replace.people.pieces import Word
    from veil.replace.people.readings import Readings
    from veil.replace.people.tables import Kind, Sex
    from veil.replace.secret import Draw, Secret

CALLED = "called"
"""Hint: what somebody is called by friends."""
FIRST_HALF, SECOND_HALF = "first", "second"
"""Hints: the halves of a double given name."""
_CONTINENTAL: dict[str, japanese_names.Continental] = {
    "continental": "continental",
    "korean": "korean",
}
"""Hints: the given name of somebody with a Chinese or Korean family name."""

_PURPOSE = "person"
_SEXES = ("female", "male")
# So many draws want another first letter, too, so that initials change.
_CHOOSY = 12
_DRAWS = 60
_LONGEST_SYLLABLE = 5
_LETTERS = "ABCDEFGHIJKLMNOPRSTVW"
# Those with which Japanese names begin.
_JAPANESE_LETTERS = "AEFHIKMNORSTUWY"


class StandIn(NamedTuple):
    """A new name: as it is written, in Latin letters, and its reading if it is Japanese."""

    written: str
    latin: str
    reading: str = ""


class StandIns:
    """The stand-ins of one record; no two names have the same."""

    def __init__(
        self,
        secret: Secret,
        language: str,
        originals: Originals,
        readings: Readings,
        *,
        hints: Mapping[Word, str],
        female: Mapping[Word, bool],
        origins: Mapping[Word, str],
    ) -> None:
        self._secret = secret
        self._language = tables.latin_language(language)
        self._originals = originals
        self._readings = readings
        self._hints = hints
        self._female = female
        self._origins = origins
        self._initials = _JAPANESE_LETTERS if language == "ja" else _LETTERS
        self._chosen: dict[tuple[Word, int], StandIn] = {}
        self._taken: set[str] = set()
        self._letters: dict[tuple[str, int], str] = {}

    def of(self, word: Word, attempt: int = 0) -> StandIn:
        """The stand-in of a word; further attempts give others."""
        if (word, attempt) not in self._chosen:
            chosen = self._draw(word, attempt)
            self._chosen[word, attempt] = chosen
            self._taken.update((key_of(chosen.latin), chosen.written))
            if chosen.reading:
                self._taken.add(chosen.reading)
        return self._chosen[word, attempt]

    def letter(self, letter: str, attempt: int = 0) -> str:
        """A capital for an initial of nobody in the record; other initials have others."""
        if (letter, attempt) not in self._letters:
            draw = self._secret.draw(_PURPOSE, "initial", letter, str(attempt))
            used = {made for (_, number), made in self._letters.items() if number == attempt}
            first_letters = {stand_in.latin[:1] for stand_in in self._chosen.values()}
            free = [each for each in self._initials if each.lower() != letter]
            for avoided in (used | first_letters, used):
                free = [each for each in free if each not in avoided] or free
            self._letters[letter, attempt] = draw.choice(free)
        return self._letters[letter, attempt]

    def _draw(self, word: Word, attempt: int) -> StandIn:
        draw = self._secret.draw(_PURPOSE, word.role, word.key, str(attempt))
        if is_japanese(word.key):
            return self._draw_japanese(word, draw)
        key = key_of(word.key)
        for names in self._pools(word, key, self._hints.get(word, "")):
            for number in range(_DRAWS):
                name = draw.choice(names)
                if self._is_free(name, key[0] if number < _CHOOSY else ""):
                    return StandIn(name, name)
        raise RecordError("no stand-in is left for a name: the record holds too many")

    def _pools(self, word: Word, key: str, hint: str) -> Iterator[Sequence[str]]:
        """Names of the same origin; where these run out, the language's own, then all there are."""
        sex = self._sex(word, key)
        yield self._pool(word, key, hint, sex)
        language = self._language
        own = tables.OWN_ORIGIN.get(language, "english")
        kind: Kind = "surname" if word.role == "surname" else sex
        yield tables.pool(language, own, kind)
        yield tables.whole_lexicon(language, kind)

    def _sex(self, word: Word, key: str) -> Sex:
        """Who bears a name; where the name does not tell, the words beside it may.

        Names of both sexes become such names again if there are any: then all records agree. In
        English, where names cross over ("wife Bernie"), the words beside a name overrule it.
        """
        told = tables.told_sex(key, self._language)
        female = self._female.get(word)
        if female is not None and (told not in _SEXES or self._language == "en"):
            origin = given_origin(key, self._language)
            if told != "both" or "both" not in tables.lists().get(origin, {}):
                return "female" if female else "male"
        return told or tables.sex_of(key, self._language)

    def _pool(self, word: Word, key: str, hint: str, sex: Sex) -> Sequence[str]:
        language = self._language
        if word.role == "surname":
            if hint == ELIDED:
                return tables.surnames_with_vowels(language)
            agreeing = tables.surnames_after(hint, language)
            origin = self._origins.get(word) or self._surname_origin(key, hint)
            return agreeing or tables.pool(language, origin, "surname")
        # "Jesús" is a devotion in "María de Jesús" and no more; a Carmen is one by herself.
        if language == "es" and key in tables.devotions() and (hint or sex != "male"):
            return tables.devotions()[key]
        own = tables.OWN_ORIGIN.get(language, "english")
        if sex != "both" and (hint == CALLED or tables.is_short(key)):
            return tables.pool(language, own, "female_short" if sex == "female" else "male_short")
        origin = self._origins.get(word) or given_origin(key, language)
        halves = tables.halves(language, sex, hint) if origin == own and hint else ()
        names = halves or tables.pool(language, origin, sex)
        if origin in SURNAME_FIRST and hint in (FIRST_HALF, SECOND_HALF):
            # Each half of a name such as Mei-Ling is one syllable.
            names = tuple(name for name in names if len(name) <= _LONGEST_SYLLABLE) or names
        return names

    def _surname_origin(self, key: str, hint: str) -> str:
        """Where a surname comes from, by the small words before it if by nothing else."""
        told = SMALL_WORDS.get(hint)
        if told and (told == "portuguese" or not tables.listed(key, "surname")):
            return told
        return surname_origin(key, self._language)

    def _is_free(self, name: str, first_letter: str) -> bool:
        key = key_of(name)
        return (
            key not in self._taken
            and key[0] != first_letter
            and not self._originals.has_word(f"{key}s")
            and not any(map(self._originals.has_word, (key, *key.split("-"))))
        )

    def _draw_japanese(self, word: Word, draw: Draw) -> StandIn:
        foreign = is_foreign_key(word.key)
        key = hiragana(word.key) if foreign else word.key
        kind = japanese_names.kind_of(
            word.role,
            key,
            foreign=foreign,
            continental=_CONTINENTAL.get(self._hints.get(word, "")),
            told_female=self._female.get(word),
        )
        old = [key] if foreign else self._readings.readings(word)
        first_letters = {romaji(reading)[:1].upper() for reading in old}
        pools = [japanese_names.pool(kind), japanese_names.composed(kind)]
        if foreign:
            pools.insert(0, japanese_names.pool_of(kind, self._origins.get(word)))
        for names in pools:
            for number in range(_DRAWS):
                name = draw.choice(names)
                is_alike = name.reading in old or (
                    number < _CHOOSY and name.latin[0] in first_letters
                )
                if not is_alike and self._is_free_japanese(name):
                    return StandIn(name.written, name.latin, name.reading)
        raise RecordError("no stand-in is left for a Japanese name: the record holds too many")

    def _is_free_japanese(self, name: japanese_names.JapaneseName) -> bool:
        return (
            name.written not in self._taken
            and name.reading not in self._taken
            and not self._originals.lies_in(name.written)
            and not self._originals.lies_in(name.reading)
            and not self._originals.has_word(key_of(name.latin))
            and not self._originals.has_word(compared_romaji(name.latin))
        )
