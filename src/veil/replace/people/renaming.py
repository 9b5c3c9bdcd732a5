"""The new texts of the mentions and accounts of a record."""

from __future__ import annotations

import re
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from veil.core.document import with_changes
from veil.core.errors import RecordError
from veil.replace.people.accounts import Accounts, other_digits
from veil.replace.people.people import People, is_account
from veil.replace.people.persons import align
from veil.replace.people.pieces import WIDE, script_reader
from veil.replace.people.surrogates import (
    FIRST_HALF,
    NICKNAME,
    SECOND_HALF,
    Originals,
    SurrogateNames,
)
from veil.replace.people.tables import (
    has_lost_accents,
    is_female_double,
    origins_by_companions,
    without_accents,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.replace.base import Case
    from veil.replace.people.persons import Person
    from veil.replace.people.pieces import NameMention, NamePiece, NameWord, Surrogate
    from veil.replace.people.styles import NamingStyle

_ATTEMPTS = 8
_PATIENT = "PATIENT"
_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_HISSING = ("s", "x", "z")
# Slavic surnames of women: Petrov is Petrova, Kowalski is Kowalska.
_FEMININE = (
    (re.compile(r"(?<=[oe])v$"), "va"),
    (re.compile(r"(?<=i)n$"), "na"),
    (re.compile(r"(?<=[sc]k)[iyý]$"), "a"),
)
_SCOTTISH = re.compile(r"(?:Mc|Mac|O['’])(?=[A-Z])")


def new_texts(case: Case) -> dict[tuple[int, int], str]:
    """Return the new texts of the names and accounts of a record by their offsets."""
    return _Renaming(case, case.once(People)).texts()


class _Renaming:
    """The people of a record and their new names."""

    def __init__(self, case: Case, people: People) -> None:
        self._case = case
        self._people = people
        self._originals = Originals(case.texts)
        origins = origins_by_companions(people.mentions, people.latin_style.language)
        for reader in people.readers:
            origins |= reader.origins()
        self._names = SurrogateNames(
            case.secret,
            people,
            self._originals,
            hints=self._hints(),
            female=self._sexes(),
            origins=origins,
        )
        words = self._words()
        for word in words:
            self._originals.add_name(word.key)
        for word in words:
            self._names.of(word)

    def texts(self) -> dict[tuple[int, int], str]:
        """Return the new text of each span by its offsets."""
        case = self._case
        texts: dict[tuple[int, int], str] = {}
        for index, mention in enumerate(self._people.mentions):
            for number, span in enumerate(mention.spans):
                write = partial(self._write, index, number)
                texts[span.start, span.end] = self._new_text(case.text(span), write)
        accounts = [
            span for span in case.spans if not case.is_too_long(span) and is_account(case, span)
        ]
        if accounts:
            olds = [case.text(span) for span in accounts]
            maker = Accounts(case.secret, self._people, self._names, olds)
            for span, old in zip(accounts, olds, strict=True):
                texts[span.start, span.end] = self._new_text(old, partial(maker.replace, old))
        return texts

    def _hints(self) -> dict[NameWord, str]:
        """Return what mentions, apart from the name itself, show about the kind of a name."""
        hints: dict[NameWord, str] = {}
        for mention in self._people.mentions:
            found = (reader.hint(mention) for reader in self._people.readers)
            hint_of_surname = next(filter(None, found), "")
            for piece, after in zip_longest(mention.all_pieces, mention.all_pieces[1:]):
                is_first_half = after is not None and after.is_joined
                for word in piece.words:
                    if piece.is_nickname:
                        hint = NICKNAME
                    elif word.role == "given" and (piece.is_joined or is_first_half):
                        hint = SECOND_HALF if piece.is_joined else FIRST_HALF
                    else:
                        hint = piece.particles or (word.role == "given" and hint_of_surname) or ""
                    if hint:
                        hints.setdefault(word, hint)
        return hints

    def _sexes(self) -> dict[NameWord, bool]:
        """Return whether given names are women's, if the words around them agree on it."""
        female: dict[NameWord, set[bool]] = {}
        for mention in self._people.mentions:
            given = [word for word in mention.words if word.role == "given"]
            is_female = self._is_female(mention) if given else None
            if is_female is not None:
                for word in given:
                    female.setdefault(word, set()).add(is_female)
        return {word: found.pop() for word, found in female.items() if len(found) == 1}

    def _is_female(self, mention: NameMention) -> bool | None:
        people = self._people
        start, end = mention.spans[0].start, mention.spans[-1].end
        if people.own_reader:
            female = people.own_reader.is_female(start, end)
        else:
            of_patient = mention.label == _PATIENT
            female = people.style.is_female(
                self._case.document.text, start, end, of_patient=of_patient
            )
        if female is None:
            female = is_female_double(mention, people.latin_style.language)
        return female

    def _words(self) -> list[NameWord]:
        """Return all names in an order that is the same in other records of the patient.

        If two names draw the same surrogate, the second draws again: the patient's own names,
        which occur in most records, come first.
        """
        words = {word for mention in self._people.mentions for word in mention.words}
        own = {
            word
            for mention in self._people.mentions
            if mention.label == _PATIENT
            for word in mention.words
        }
        return sorted(words, key=lambda word: (word not in own, word))

    def _new_text(self, old: str, make: Callable[[int], str]) -> str:
        if not old[0].isalnum() and not any(map(str.isalnum, old)):
            return old
        for attempt in range(_ATTEMPTS):
            new = make(attempt)
            if not self._originals.is_repeated_by(new):
                return new
        raise RecordError("no surrogate was found that differs from all names of the record")

    def _write(self, index: int, number: int, attempt: int) -> str:
        mention = self._people.mentions[index]
        text = self._case.text(mention.spans[number])
        return with_changes(
            text,
            [
                (piece.start, piece.end, self._new_piece(index, piece, attempt))
                for piece in mention.pieces[number]
            ],
        )

    def _new_piece(self, index: int, piece: NamePiece, attempt: int) -> str:
        if piece.kind == "digits":
            draw = self._case.secret.draw("person", "digits", piece.text, str(attempt))
            return other_digits(piece.text, draw)
        if piece.kind == "name":
            return "".join(
                write_name(piece, self._names.of(word, attempt), self._people.style)
                for word in piece.words
            )
        # The person matters only for initials.
        words = self._words_of_initials(
            self._people.mentions[index], piece, self._people.persons[index]
        )
        letters = "".join(
            self._letter(letter, word if attempt == 0 else None, attempt)
            for letter, word in zip(piece.key, words, strict=True)
        )
        letters = letters.lower() if piece.text.islower() else letters
        return (letters.translate(_WIDE) if piece.script == WIDE else letters) + piece.suffix

    def _letter(self, letter: str, word: NameWord | None, attempt: int) -> str:
        if word is None:
            return self._names.letter(letter, attempt)
        return self._names.of(word).latin[0].upper()

    def _words_of_initials(
        self, mention: NameMention, piece: NamePiece, person: Person
    ) -> list[NameWord | None]:
        """Return the person's names with these initials, as far as the record has them."""
        letters_of = self._people.letters_of
        if mention.words:
            left = [
                word for word in person.words[piece.role or "given"] if word not in mention.words
            ]
            words: list[NameWord | None] = []
            for other in mention.initials:
                for letter in other.key:
                    found = next((word for word in left if letter in letters_of(word)), None)
                    if found is not None:
                        left.remove(found)  # J. R. R. are three names
                    if other is piece:
                        words.append(found)
            return words
        letters = [letter for other in mention.initials for letter in other.key]
        aligned = align(letters, person, letters_of)
        if aligned is None:
            return [None for _ in piece.key]
        earlier = mention.initials[: mention.initials.index(piece)]
        start = sum(len(other.key) for other in earlier)
        return list(aligned[start : start + len(piece.key)])


def write_name(piece: NamePiece, surrogate: Surrogate, style: NamingStyle) -> str:
    """Return a surrogate in the script, case and ending of the name that it replaces."""
    if not piece.is_latin:
        reader = script_reader(piece.text)
        return reader.write(piece.script, surrogate) if reader else surrogate.written
    name = surrogate.latin
    if piece.is_feminine:
        for pattern, ending in _FEMININE:
            name = pattern.sub(ending, name)
    if has_lost_accents(piece.text, piece.key):
        name = without_accents(name)
    if "’" in piece.text:
        name = name.replace("'", "’")
    name = in_case_of(piece.text, name) + _ending(piece.suffix, name, style)
    return name.translate(_WIDE) if piece.script == WIDE else name


def in_case_of(old: str, new: str) -> str:
    """Return a new name in the case of the old one: anna -> eva, ANNA -> EVA."""
    if old.islower():
        return new.lower()
    if old.isupper() and 1 < len(old):
        return new.upper()
    if new[:1] in ("M", "O") and _SCOTTISH.match(new) and old[1:].islower():
        return new.capitalize()
    return new


def _ending(suffix: str, name: str, style: NamingStyle) -> str:
    """Return the genitive ending of the new name: Annas -> Evas, Lars' -> Evas, James' -> Eve's."""
    if not suffix:
        return ""
    is_hissing = name.lower().endswith(_HISSING)
    if suffix in "sS":
        return "" if is_hissing else suffix
    if len(suffix) == 1 and not is_hissing:  # an apostrophe after a name in -s
        return "s" if style.genitive == "s" else f"{suffix}s"
    return suffix
