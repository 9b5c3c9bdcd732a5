"""All people of one record: their mentions and who they are."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from veil.lexicons.folding import fold
from veil.replace.people import japanese, japanese_context, latin, roles
from veil.replace.people.cues import cue_beside
from veil.replace.people.endings import find_masculine
from veil.replace.people.kana import romaji
from veil.replace.people.mentions import find_mentions, is_account
from veil.replace.people.persons import form_of, group
from veil.replace.people.pieces import Word
from veil.replace.people.readings import Readings, is_latin
from veil.replace.people.tables import base, identity_of, key_of, latin_language, strength

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.people.persons import Person
    from veil.replace.people.pieces import Piece
    from veil.replace.people.tables import Role

_REACH = 16
_LAST_WORD = re.compile(r"([^\W\d_]+)\.?[ \t]*$")


class People:
    """What is known of the people of a record."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self.language = base(case.language)
        self.mentions = find_mentions(case, self.language)
        self.readings = Readings(case.document.text, self.mentions)
        self._spellings: dict[Word, list[str]] = {}
        self._letters: dict[Word, frozenset[str]] = {}
        self._settle_roles()
        self._settle_words()
        self._forms = [form_of(mention) for mention in self.mentions]

    @classmethod
    def of(cls, case: Case) -> People:
        """The people of a record, worked out once."""
        return case.once(cls)

    @cached_property
    def persons(self) -> list[Person]:
        """The person of each mention, whatever its label."""
        found = group(self._forms, self.letters_of)
        return [found[form] for form in self._forms]

    def numbers(self) -> dict[Span, int]:
        """The number of each person among those of the same label, by first appearance."""
        numbers: dict[Span, int] = {}
        for label in dict.fromkeys(span.label for span in self._case.spans):
            numbers |= self._numbers_of(label)
        return numbers

    def letters_of(self, word: Word) -> frozenset[str]:
        """The initials that a name may have."""
        if word not in self._letters:
            self._letters[word] = frozenset(fold(text)[0] for text in self.spellings(word) if text)
        return self._letters[word]

    def spellings(self, word: Word) -> Iterable[str]:
        """How a name is written in Latin letters in the record, or would be."""
        if japanese.is_japanese(word.key):
            read = [romaji(reading) for reading in self.readings.readings(word)]
            return [*self._spellings.get(word, ()), *read]
        return self._spellings.get(word, (word.key,))

    def _numbers_of(self, label: str) -> dict[Span, int]:
        mentions = {
            mention.spans[0]: (mention, form)
            for mention, form in zip(self.mentions, self._forms, strict=True)
            if mention.label == label
        }
        persons = group((form for _, form in mentions.values()), self.letters_of)
        order: dict[int | str, int] = {}
        numbers: dict[Span, int] = {}
        for span in self._case.spans:
            if span.label != label:
                continue
            if span in mentions:
                mention, form = mentions[span]
                number = order.setdefault(id(persons[form]), len(order) + 1)
                numbers.update(dict.fromkeys(mention.spans, number))
            elif is_account(self._case, span):
                account = key_of(self._case.text(span))
                numbers[span] = order.setdefault(account, len(order) + 1)
        return numbers

    def _settle_roles(self) -> None:
        """Give words that stand alone the role that they have elsewhere, or a likely one."""
        evidence: dict[str, Counter[Role]] = {}
        for piece in self._pieces():
            if piece.role:
                evidence.setdefault(piece.key, Counter())[piece.role] += 1
        lone = [
            (span, piece)
            for mention in self.mentions
            for span, pieces in zip(mention.spans, mention.pieces, strict=True)
            for piece in pieces
            if piece.kind == "name" and not piece.role
        ]
        for span, piece in lone:
            if self._is_kin(span, piece):
                piece.role = "given"
                evidence.setdefault(piece.key, Counter())[piece.role] += 1
        for span, piece in lone:
            if not piece.role:
                known = evidence.get(piece.key)
                piece.role = known.most_common(1)[0][0] if known else self._likely_role(span, piece)

    def _is_kin(self, span: Span, piece: Piece) -> bool:
        """Whether somebody is called by a given name as relatives are: "wife Ann"."""
        if not is_latin(piece):
            has_reading = self.readings.role_of(piece) is not None
            return not has_reading and self._japanese_role(span, piece) == "given"
        language = latin_language(self.language)
        given, surname = (strength(piece.key, language, role) for role in ("given", "surname"))
        if given + 1 < surname:
            return False
        return cue_beside(self._case.document.text, span.start, span.end, language).is_kin

    def _likely_role(self, span: Span, piece: Piece) -> Role:
        if not is_latin(piece):
            return self.readings.role_of(piece) or self._japanese_role(span, piece)
        before = self._case.document.text[max(0, span.start - _REACH) : span.start]
        match = _LAST_WORD.search(before)
        has_title = match is not None and latin.is_title(match[1])
        language = latin_language(self.language)
        if language == "en" and has_title and strength(piece.key, language, "surname"):
            return "surname"  # Dr. Love
        return roles.role_of_lone(
            piece, language, surname_expected=has_title or span.label == "DOCTOR"
        )

    def _japanese_role(self, span: Span, piece: Piece) -> Role:
        text = self._case.document.text
        is_relative = japanese_context.is_of_a_relative(text, span.start)
        return japanese.role_of_lone(
            piece,
            of_relative=is_relative,
            familiar=is_relative and japanese_context.is_familiar(text, span.end),
            of_child=japanese_context.is_of_a_child(text, span.end),
        )

    def _settle_words(self) -> None:
        """Say for each name what it stands for."""
        for piece in self._pieces():
            if not is_latin(piece):
                piece.words = self.readings.words_of(piece)
                continue
            word = self.readings.word_of_latin(piece, self.language)
            if word is None:
                find_masculine(piece)
                is_written_out = key_of(piece.text) == piece.key
                name = identity_of(piece.text) if is_written_out else piece.key
                word = Word(piece.role or "surname", name)
            piece.words = (word,)
            self._spellings.setdefault(word, []).append(piece.text)

    def _pieces(self) -> Iterable[Piece]:
        for mention in self.mentions:
            yield from (piece for piece in mention.all_pieces if piece.kind == "name")
