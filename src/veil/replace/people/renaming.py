"""The new texts of the mentions and accounts of a record."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.replace.people import japanese_names
from veil.replace.people.accounts import Accounts
from veil.replace.people.mentions import is_account
from veil.replace.people.originals import Originals
from veil.replace.people.persons import align
from veil.replace.people.standins import CALLED, CONTINENTAL, StandIns
from veil.replace.people.writing import widen, write_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.replace.base import Case
    from veil.replace.people.persons import Person
    from veil.replace.people.pieces import Mention, Piece, Word
    from veil.replace.people.record import People

_ATTEMPTS = 8
_PATIENT = "PATIENT"


class Renaming:
    """Gives the people of a record their new names."""

    def __init__(self, case: Case, people: People) -> None:
        self._case = case
        self._people = people
        self._originals = Originals(case.text(span) for span in case.spans)
        self._stand_ins = StandIns(
            case.secret, people.language, self._originals, people.readings, hints=self._hints()
        )
        words = self._words()
        for word in words:
            self._originals.add_name(word.key)
        for word in words:
            self._stand_ins.of(word)

    def texts(self) -> dict[tuple[int, int], str]:
        """The new text of each span by its place."""
        texts: dict[tuple[int, int], str] = {}
        for mention, person in zip(self._people.mentions, self._people.persons, strict=True):
            for number, span in enumerate(mention.spans):
                write = partial(self._write, mention, number, person)
                texts[span.start, span.end] = self._new_text(self._case.text(span), write)
        accounts = [span for span in self._case.spans if is_account(self._case, span)]
        if accounts:
            olds = [self._case.text(span) for span in accounts]
            maker = Accounts(self._case.secret, self._people, self._stand_ins, olds)
            for span, old in zip(accounts, olds, strict=True):
                texts[span.start, span.end] = self._new_text(old, partial(maker.replace, old))
        return texts

    def _hints(self) -> dict[Word, str]:
        """What mentions tell of the kind of a name, beside the name itself."""
        hints: dict[Word, str] = {}
        for mention in self._people.mentions:
            surnames = [word.key for word in mention.words if word.role == "surname"]
            is_continental = any(map(japanese_names.is_continental, surnames))
            for piece in mention.all_pieces:
                for word in piece.words:
                    if piece.is_called:
                        hints.setdefault(word, CALLED)
                    elif piece.led:
                        hints.setdefault(word, piece.led)
                    elif is_continental and word.role == "given":
                        hints.setdefault(word, CONTINENTAL)
        return hints

    def _words(self) -> list[Word]:
        """All names in an order that is the same in other records of the patient.

        Where two names draw the same stand-in, the second draws again: the patient's own names,
        which stand in most records, come first.
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
        if not any(character.isalnum() for character in old):
            return old
        for attempt in range(_ATTEMPTS):
            new = make(attempt)
            if not self._originals.come_back_in(new):
                return new
        raise RecordError("no stand-in was found that differs from all that stood in the record")

    def _write(self, mention: Mention, number: int, person: Person, attempt: int) -> str:
        text = self._case.text(mention.spans[number])
        made = []
        position = 0
        for piece in mention.pieces[number]:
            made += [text[position : piece.start], self._new_piece(mention, piece, person, attempt)]
            position = piece.end
        return "".join([*made, text[position:]])

    def _new_piece(self, mention: Mention, piece: Piece, person: Person, attempt: int) -> str:
        if piece.kind == "digits":
            return self._digits(piece.text, attempt)
        if piece.kind == "name":
            return "".join(
                write_name(piece, self._stand_ins.of(word, attempt), self._people.language)
                for word in piece.words
            )
        words = self._words_of_initials(mention, piece, person)
        letters = "".join(
            self._letter(letter, word if attempt == 0 else None, attempt)
            for letter, word in zip(piece.key, words, strict=True)
        )
        letters = letters.lower() if piece.text.islower() else letters
        return (widen(letters) if piece.script == "wide" else letters) + piece.suffix

    def _letter(self, letter: str, word: Word | None, attempt: int) -> str:
        if word is None:
            return self._stand_ins.letter(letter, attempt)
        return self._stand_ins.of(word).latin[0].upper()

    def _words_of_initials(
        self, mention: Mention, piece: Piece, person: Person
    ) -> list[Word | None]:
        """The person's names of which letters are the initials, as far as the record has them."""
        letters_of = self._people.letters_of
        if mention.words:
            left = [
                word for word in person.words(piece.role or "given") if word not in mention.words
            ]
            words: list[Word | None] = []
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

    def _digits(self, digits: str, attempt: int) -> str:
        draw = self._case.secret.draw("person", "digits", digits, str(attempt))
        made = digits
        while made == digits:
            made = "".join(str(draw.below(10)) for _ in digits)
        return made
