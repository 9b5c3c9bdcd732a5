"""The new texts of the mentions and accounts of a record."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.replace.people import companions, cues, japanese_context, japanese_names
from veil.replace.people.accounts import Accounts
from veil.replace.people.japanese import is_foreign_key
from veil.replace.people.kana import hiragana
from veil.replace.people.mentions import is_account
from veil.replace.people.originals import Originals
from veil.replace.people.persons import align
from veil.replace.people.standins import CALLED, FIRST_HALF, SECOND_HALF, StandIns
from veil.replace.people.tables import latin_language
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
            case.secret,
            people.language,
            self._originals,
            people.readings,
            hints=self._hints(),
            female=self._sexes(),
            origins=companions.origins_told(people.mentions, latin_language(people.language))
            | self._foreign_origins(),
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
        accounts = [
            span
            for span in self._case.spans
            if not self._case.is_too_long(span) and is_account(self._case, span)
        ]
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
            origins = filter(None, map(japanese_names.continental_origin, surnames))
            continental = next(origins, None)
            for piece, after in zip_longest(mention.all_pieces, mention.all_pieces[1:]):
                for word in piece.words:
                    is_first_half = after is not None and after.joined
                    if piece.is_called:
                        hints.setdefault(word, CALLED)
                    elif word.role == "given" and (piece.joined or is_first_half):
                        hints.setdefault(word, SECOND_HALF if piece.joined else FIRST_HALF)
                    elif piece.led:
                        hints.setdefault(word, piece.led)
                    elif continental and word.role == "given":
                        hints.setdefault(word, continental)
        return hints

    def _foreign_origins(self) -> dict[Word, str]:
        """Where names in katakana come from: the family name tells more than the given names."""
        origins: dict[Word, str] = {}
        for mention in self._people.mentions:
            foreign = [word for word in mention.words if is_foreign_key(word.key)]
            told = [
                japanese_names.foreign_origin(word.role, hiragana(word.key))
                for word in sorted(foreign, key=lambda word: word.role != "surname")
            ]
            origin = next(filter(None, told), None)
            if origin:
                origins |= {word: origin for word in foreign if word not in origins}
        return origins

    def _sexes(self) -> dict[Word, bool]:
        """Whether given names are those of women, as far as the words around them agree on it."""
        female: dict[Word, set[bool]] = {}
        text = self._case.document.text
        for mention in self._people.mentions:
            given = [word for word in mention.words if word.role == "given"]
            if given:
                start, end = mention.spans[0].start, mention.spans[-1].end
                told = self._is_female(text, start, end, of_patient=mention.label == _PATIENT)
                if told is None:
                    told = companions.is_female_double(mention, self._people.language)
                if told is not None:
                    for word in given:
                        female.setdefault(word, set()).add(told)
        return {word: told.pop() for word, told in female.items() if len(told) == 1}

    def _is_female(self, text: str, start: int, end: int, *, of_patient: bool) -> bool | None:
        language = self._people.language
        if language == "ja":
            return japanese_context.is_female(text, start, end)
        return cues.is_female(text, start, end, language, of_patient=of_patient)

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
