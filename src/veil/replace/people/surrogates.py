"""Surrogates for the words of names, drawn by patient and word, which no name of the record has."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from veil.core.errors import RecordError
from veil.lexicons.folding import fold, fold_all
from veil.replace.people import tables
from veil.replace.people.latin import ELIDED
from veil.replace.people.pieces import Surrogate, script_reader
from veil.replace.people.styles import name_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from veil.replace.people.people import People
    from veil.replace.people.pieces import NameWord, ScriptReader
    from veil.replace.people.tables import Kind, Sex
    from veil.replace.secret import Draw, Secret

T = TypeVar("T")

NICKNAME = "called"
"""Hint: a name that friends use."""
FIRST_HALF, SECOND_HALF = "first", "second"
"""Hints: the halves of a double given name."""

_PURPOSE = "person"
_SEXES = ("female", "male")
_DRAWS = 60
# The first draws must also have another first letter, so that initials change.
_DRAWS_WITH_NEW_INITIAL = 12
_LONGEST_SYLLABLE = 5
_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ][^\W\d_]+)*")


class Originals:
    """The texts of all spans of a record, which no surrogate may repeat."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: set[str] = set()
        self._words: set[str] = set()
        self._compact: set[str] = set()
        self._compact_names: set[str] = set()
        different = list(dict.fromkeys(texts))
        self._texts.update([" ".join(text.split()) for text in fold_all(different)])
        # No word goes over a line break, so all texts are searched at once.
        joined = "\n".join(different)
        self._words.update(map(name_key, _WORD.findall(joined)))
        for text in different if not joined.isascii() else ():
            reader = script_reader(text)
            if reader and 1 < len(text):
                self._compact.add(reader.compact(text))

    def add_name(self, key: str) -> None:
        """Add a name; no surrogate may contain one of another script: 林 must not become 小林."""
        reader = script_reader(key)
        if not reader:
            self._words.add(name_key(key))
        elif reader.is_distinctive(key):
            self._compact.add(reader.compact(key))
            self._compact_names.add(reader.compact(key))

    def has_word(self, key: str) -> bool:
        """Whether a word in Latin letters is in a span."""
        return key in self._words

    def is_part_of(self, name: str, reader: ScriptReader) -> bool:
        """Whether an original is a part of a name in another script."""
        return _contains_one_of(reader.compact(name), self._compact)

    def is_repeated_by(self, text: str) -> bool:
        """Whether a new text equals the text of a span or contains a name in another script."""
        if _folded(text) in self._texts:
            return True
        reader = script_reader(text)
        return reader is not None and _contains_one_of(reader.compact(text), self._compact_names)


@lru_cache(1 << 13)
def _folded(text: str) -> str:
    return " ".join(fold(text).split())


def _contains_one_of(text: str, parts: set[str]) -> bool:
    """Whether a short text contains one of many others."""
    ends = range(1, len(text) + 1)
    return any(text[start:end] in parts for end in ends for start in range(end))


class SurrogateNames:
    """The surrogates of one record; no two names have the same.

    `hints`, `female` and `origins` are what the record shows about names, apart from their form.
    """

    def __init__(
        self,
        secret: Secret,
        people: People,
        originals: Originals,
        *,
        hints: Mapping[NameWord, str],
        female: Mapping[NameWord, bool],
        origins: Mapping[NameWord, str],
    ) -> None:
        self.originals = originals
        self.taken: set[str] = set()
        self._secret = secret
        self._people = people
        self._style = people.latin_style
        self._language = self._style.language
        self._hints = hints
        self._female = female
        self._origins = origins
        self._chosen: dict[tuple[NameWord, int], Surrogate] = {}
        self._letters: dict[tuple[str, int], str] = {}

    def of(self, word: NameWord, attempt: int = 0) -> Surrogate:
        """Return the surrogate of a word; further attempts give others."""
        chosen = self._chosen.get((word, attempt))
        if chosen is None:
            chosen = self._chosen[word, attempt] = self._draw(word, attempt)
            self.taken.update((name_key(chosen.latin), chosen.written))
            if chosen.reading:
                self.taken.add(chosen.reading)
        return chosen

    def letter(self, letter: str, attempt: int = 0) -> str:
        """Return a capital for an initial of no known name; other initials get other capitals."""
        if (letter, attempt) not in self._letters:
            draw = self._secret.draw(_PURPOSE, "initial", letter, str(attempt))
            used = {made for (_, number), made in self._letters.items() if number == attempt}
            first_letters = {name.latin[:1] for name in self._chosen.values()}
            free = [each for each in self._people.style.initials if each.lower() != letter]
            for avoided in (used | first_letters, used):
                free = [each for each in free if each not in avoided] or free
            self._letters[letter, attempt] = draw.choice(free)
        return self._letters[letter, attempt]

    def _draw(self, word: NameWord, attempt: int) -> Surrogate:
        draw = self._secret.draw(_PURPOSE, word.role, word.key, str(attempt))
        hint, reader = self._hints.get(word, ""), self._people.reader_of(word.key)
        if reader:
            female, origin = self._female.get(word), self._origins.get(word)
            return _first_free(
                draw,
                reader.pools(word, hint=hint, is_female=female, origin=origin),
                lambda new, new_initial: reader.is_free(new, word, self, new_initial=new_initial),
            )
        key = name_key(word.key)
        name = _first_free(
            draw,
            self._pools(word, key, hint),
            lambda name, new_initial: self._is_free(name, key[0] if new_initial else ""),
        )
        return Surrogate(name, name)

    def _pools(self, word: NameWord, key: str, hint: str) -> Iterator[Sequence[str]]:
        """Yield names of the same origin, then the language's own, then all of its lexicon."""
        if word.role == "surname":
            kind: Kind = "surname"
            yield self._surnames(word, key, hint)
        else:
            kind = sex = self._sex(word, key)
            yield self._given_names(word, key, hint, sex)
        yield tables.pool(self._language, self._style.origin, kind)
        yield tables.lexicon_names(self._language, kind)

    def _sex(self, word: NameWord, key: str) -> Sex:
        """Return the sex of a name; if the name is ambiguous, the words beside it may decide.

        Names of both sexes are replaced by such names if there are any, so that records agree.
        """
        known = tables.known_sex(key, self._language)
        female = self._female.get(word)
        if female is not None and (known not in _SEXES or self._style.cues_overrule_lists):
            origin = tables.given_origin(key, self._language)
            if known != "both" or "both" not in tables.lists().get(origin, {}):
                return "female" if female else "male"
        return known or tables.sex_of(key, self._language)

    def _surnames(self, word: NameWord, key: str, hint: str) -> Sequence[str]:
        if hint == ELIDED:
            return tables.surnames_with_vowels(self._language)
        agreeing = tables.surnames_after(hint, self._language) if hint else ()
        origin = self._origins.get(word) or self._surname_origin(key, hint)
        return agreeing or tables.pool(self._language, origin, "surname")

    def _given_names(self, word: NameWord, key: str, hint: str, sex: Sex) -> Sequence[str]:
        language, own = self._language, self._style.origin
        # "Jesús" is a devotion only in "María de Jesús"; "Carmen" alone is one.
        if self._style.devotions and key in tables.devotions() and (hint or sex != "male"):
            return tables.devotions()[key]
        if sex != "both" and (hint == NICKNAME or tables.is_short(key)):
            return tables.pool(language, own, "female_short" if sex == "female" else "male_short")
        origin = self._origins.get(word) or tables.given_origin(key, language)
        halves = tables.halves(language, sex, hint) if origin == own and hint else ()
        names = halves or tables.pool(language, origin, sex)
        if tables.is_surname_first(origin) and hint in (FIRST_HALF, SECOND_HALF):
            # Each half of a name such as Mei-Ling is one syllable.
            names = tuple(name for name in names if len(name) <= _LONGEST_SYLLABLE) or names
        return names

    def _surname_origin(self, key: str, hint: str) -> str:
        """Return the origin of a surname: by the particles before it if no list has the surname."""
        origin = tables.origins_of_particles().get(hint)
        if origin and (origin == "portuguese" or not tables.is_listed(key, "surname")):
            return origin
        return tables.surname_origin(key, self._language)

    def _is_free(self, name: str, first_letter: str) -> bool:
        key = name_key(name)
        return (
            key not in self.taken
            and key[0] != first_letter
            and not self.originals.has_word(f"{key}s")
            and not self.originals.has_word(key)
            and not ("-" in key and any(map(self.originals.has_word, key.split("-"))))
        )


def _first_free(draw: Draw, pools: Iterable[Sequence[T]], is_free: Callable[[T, bool], bool]) -> T:
    """Return the first drawn name that is free; see `_DRAWS_WITH_NEW_INITIAL`."""
    for names in pools:
        for number in range(_DRAWS):
            name = draw.choice(names)
            if is_free(name, number < _DRAWS_WITH_NEW_INITIAL):
                return name
    raise RecordError("no surrogate is left for a name: the record contains too many names")
