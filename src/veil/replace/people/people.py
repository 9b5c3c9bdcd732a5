"""All people of one record: their mentions, split into names with roles and grouped by person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.lexicons.folding import fold
from veil.replace.base import KNOWN_NAMES, lazy
from veil.replace.people import latin, roles
from veil.replace.people.persons import form_of, group
from veil.replace.people.pieces import LATIN, WIDE, NameMention, NameWord, script_readers
from veil.replace.people.styles import name_key, naming_style
from veil.replace.people.tables import identity_of, is_listed, strength

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.people.persons import NameForm, Person
    from veil.replace.people.pieces import NamePiece, Role, ScriptReader

ACCOUNT_LABELS = frozenset({"USERNAME", "EMAIL"})
NAME_LABELS = frozenset({"NAME", "PATIENT", "DOCTOR"})
_BETWEEN_PARTS = re.compile(r",?[ \t\u3000]{0,3}")
_LONGEST_SIGNATURE = 5
_LONGEST_INITIALS = 3
_VOWEL = re.compile("[aeiouy]", re.IGNORECASE)
_REACH = 16
_WORD = re.compile(r"[^\W\d_]+")
# The shortest known name whose misspellings are corrected: if the detector reports them, or always.
_SHORTEST_CORRECTED = 4
_SHORTEST_MISSPELT = 6
_WIDE_LETTER = re.compile("[\uff01-\uff5e]")
_LAST_WORD = re.compile(r"([^\W\d_]+)\.?[ \t]*$")


def is_account(case: Case, span: Span) -> bool:
    """Whether a span is an address, a user name or a signature rather than a name."""
    return (
        span.label in ACCOUNT_LABELS
        or "@" in case.text(span)
        or (span.part == "last" and _is_signature(case, span))
    )


def _is_signature(case: Case, span: Span) -> bool:
    """Whether a last name consists only of letters of a name: anli or AL of Anna Lind."""
    if _LONGEST_SIGNATURE < span.end - span.start:
        return False
    text = case.text(span)
    if not (1 < len(text) and text.isascii() and text.isalpha()):
        return False
    if not (text.islower() or text.isupper()):
        return False
    if latin.is_known(name_key(text), naming_style(case.language).latin):
        return False
    # A text that can be pronounced may be a name if the record capitalises no names.
    is_unpronounceable = len(text) <= _LONGEST_INITIALS or not _VOWEL.search(text)
    return is_unpronounceable or case.once(_has_capitalised_name)


def _has_capitalised_name(case: Case) -> bool:
    return any(span.label in NAME_LABELS and case.text(span).istitle() for span in case.spans)


def is_wide(text: str) -> bool:
    """Whether a text contains full-width Latin letters or digits."""
    return not text.isascii() and _WIDE_LETTER.search(text) is not None


class People:
    """The people of a record; `case.once(People)` makes one object for each record."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self.style = naming_style(case.language)
        self.latin_style = naming_style(self.style.latin)
        self.mentions = self._find_mentions()
        self.readers = [reader(case, self.mentions) for reader in script_readers()]
        self.own_reader = next(
            (reader for reader in self.readers if reader.language == case.language), None
        )
        self._spellings: dict[NameWord, list[str]] = {}
        self._letters: dict[NameWord, frozenset[str]] = {}
        self._known: Mapping[str, Iterable[str]] = case.memory.get(KNOWN_NAMES, {})
        self._split_mentions()
        for reader in self.readers:
            reader.learn_readings()
        self._settle_roles()
        self._settle_words()

    @lazy
    def _forms(self) -> list[NameForm]:
        """The comparable form of each mention."""
        return [form_of(mention) for mention in self.mentions]

    @lazy
    def persons(self) -> list[Person]:
        """The person of each mention, regardless of its label."""
        found = group(self._forms, self.letters_of)
        return [found[form] for form in self._forms]

    def numbers(self) -> dict[Span, int]:
        """Return the number of each person among those of the same label, by first appearance."""
        numbers: dict[Span, int] = {}
        for label in dict.fromkeys(span.label for span in self._case.spans):
            numbers |= self._numbers_of(label)
        return numbers

    def reader_of(self, text: str) -> ScriptReader | None:
        """Return the reader of the script of a text or a key; None for Latin letters."""
        if text.isascii():
            return None
        return next((reader for reader in self.readers if reader.matches(text)), None)

    def letters_of(self, word: NameWord) -> frozenset[str]:
        """Return the initials that a name may have."""
        if word not in self._letters:
            self._letters[word] = frozenset(fold(text)[0] for text in self.spellings(word) if text)
        return self._letters[word]

    def spellings(self, word: NameWord) -> Iterable[str]:
        """Return the spellings of a name in Latin letters, in the record or likely."""
        reader = self.reader_of(word.key)
        if reader:
            return [*self._spellings.get(word, ()), *reader.spellings(word)]
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
                account = name_key(self._case.text(span))
                numbers[span] = order.setdefault(account, len(order) + 1)
        return numbers

    # -- Mentions -----------------------------------------------------------------------------

    def _find_mentions(self) -> list[NameMention]:
        """Return the names; a first and a last name side by side are one mention."""
        case = self._case
        mentions: list[NameMention] = []
        for span in case.spans:
            if span.label not in NAME_LABELS or case.is_too_long(span) or is_account(case, span):
                continue
            if mentions and self._continues(mentions[-1], span):
                mentions[-1].spans.append(span)
                mentions[-1].parts.append(span.part)
            else:
                text = case.document.text
                part = span.part or self.style.part_in_form(text, span.start, span.end)
                mentions.append(NameMention(span.label, [span], [part]))
        return mentions

    def _continues(self, mention: NameMention, span: Span) -> bool:
        between = self._case.document.text[mention.spans[-1].end : span.start]
        return (
            mention.label == span.label
            and {*mention.parts, span.part} == {"first", "last"}
            and span.part not in mention.parts[:-1]
            and _BETWEEN_PARTS.fullmatch(between) is not None
        )

    def _split_mentions(self) -> None:
        """Split the mentions into pieces, and set the roles that each mention shows."""
        language = self.latin_style.language
        for mention in self.mentions:
            for span, part in zip(mention.spans, mention.parts, strict=True):
                text = self._case.text(span)
                reader = self.reader_of(text)
                mention.pieces.append(
                    reader.pieces_of(text, part)
                    if reader
                    else latin.pieces_of(text, language, is_part=part in ("first", "last"))
                )
        known = {label: _words_by_key(names) for label, names in self._known.items()}
        seen = {piece.key for piece in self._names() if piece.script == LATIN}
        seen.update(key for words in known.values() for key in words)
        for mention in self.mentions:
            for span, part, pieces in zip(
                mention.spans, mention.parts, mention.pieces, strict=True
            ):
                text = self._case.text(span)
                is_ascii = text.isascii()
                if not is_ascii and is_wide(text):
                    for piece in pieces:
                        piece.script = WIDE if is_wide(piece.text) else piece.script
                if is_ascii or not self.reader_of(text):
                    _set_kind_of_lone(pieces, seen)
                    latin.remove_genitives(pieces, seen, language)
                    if span.label in known:
                        _correct_spelling(pieces, known[span.label], span.source)
                    roles.assign_roles(text, pieces, part, language)
                    if self.own_reader:
                        self.own_reader.set_latin_roles(pieces)

    # -- Roles and names ----------------------------------------------------------------------

    def _settle_roles(self) -> None:
        """Give single words the role that they have elsewhere, or a likely one."""
        evidence: dict[str, list[Role]] = {}
        for piece in self._names():
            if piece.role:
                evidence.setdefault(piece.key, []).append(piece.role)
        lone = [
            (span, piece)
            for mention in self.mentions
            for span, pieces in zip(mention.spans, mention.pieces, strict=True)
            for piece in pieces
            if piece.kind == "name" and not piece.role
        ]
        for span, piece in lone:
            if self._is_relative(span, piece):
                piece.role = "given"
                evidence.setdefault(piece.key, []).append(piece.role)
        for span, piece in lone:
            if not piece.role:
                known = evidence.get(piece.key) or [self._likely_role(span, piece)]
                role: Role = max(dict.fromkeys(known), key=known.count)
                piece.role = role

    def _is_relative(self, span: Span, piece: NamePiece) -> bool:
        """Whether a word is the given name of a relative: "wife Ann"."""
        reader = None if piece.is_latin else self.reader_of(piece.text)
        if reader:
            has_reading = reader.recorded_role(piece) is not None
            return not has_reading and reader.role_beside(piece, span) == "given"
        language = self.latin_style.language
        if strength(piece.key, language, "given") + 1 < strength(piece.key, language, "surname"):
            return False
        text = self._case.document.text
        return self.latin_style.cue_beside(text, span.start, span.end).is_kin

    def _likely_role(self, span: Span, piece: NamePiece) -> Role:
        reader = None if piece.is_latin else self.reader_of(piece.text)
        if reader:
            return reader.recorded_role(piece) or reader.role_beside(piece, span)
        before = self._case.document.text[max(0, span.start - _REACH) : span.start]
        match = _LAST_WORD.search(before)
        has_title = match is not None and latin.is_title(match[1])
        style = self.latin_style
        may_be_surname = strength(piece.key, style.language, "surname")
        if style.surname_after_title and has_title and may_be_surname:
            return "surname"
        return roles.role_of_lone(
            piece, style.language, surname_expected=has_title or span.label == "DOCTOR"
        )

    def _settle_words(self) -> None:
        """Set the names that each piece stands for."""
        for piece in self._names():
            reader = None if piece.is_latin else self.reader_of(piece.text)
            if reader:
                piece.words = reader.words_of(piece)
                continue
            word = None
            for reader in self.readers:
                word = word or reader.word_of_latin(piece)
            if word is None:
                latin.find_masculine(piece)
                is_written_out = name_key(piece.text) == piece.key
                name = identity_of(piece.text) if is_written_out else piece.key
                word = NameWord(piece.role or "surname", name)
            piece.words = (word,)
            self._spellings.setdefault(word, []).append(piece.text)

    def _names(self) -> list[NamePiece]:
        return [
            piece
            for mention in self.mentions
            for piece in mention.all_pieces
            if piece.kind == "name"
        ]


def _set_kind_of_lone(pieces: Sequence[NamePiece], seen: set[str]) -> None:
    """Make EK alone a name, not a pair of initials, if Ek is a name in the record."""
    if len(pieces) == 1 and pieces[0].kind == "initials" and 1 < len(pieces[0].key):
        pieces[0].kind = "name" if pieces[0].key in seen else "initials"


def _words_by_key(names: Iterable[str]) -> dict[str, str]:
    """Return the words of names by their keys."""
    return {
        name_key(word): word
        for name in names
        for word in _WORD.findall(name)
        if _SHORTEST_CORRECTED <= len(word)
    }


def _correct_spelling(pieces: Sequence[NamePiece], known: Mapping[str, str], source: str) -> None:
    """Give a misspelt name its known spelling, so that it is the same person.

    A name that is itself listed may be another person's, unless the detector says otherwise.
    """
    is_misspelt = source.startswith("known:") and source.endswith("/misspelt")
    for piece in pieces:
        if piece.kind != "name" or not piece.is_latin or not piece.text or piece.key in known:
            continue
        near = [key for key in known if _is_near(piece.key, key)]
        if len(near) != 1 or _is_other_name(piece.key, near[0], is_misspelt=is_misspelt):
            continue
        word = known[near[0]]
        if piece.text.isupper():
            word = word.upper()
        elif piece.text.islower():
            word = word.lower()
        piece.text, piece.key = word, near[0]


def _is_other_name(key: str, known: str, *, is_misspelt: bool) -> bool:
    """Whether a word near a known name is probably a different name: Jansson near Hansson."""
    listed = is_listed(key, "given") or is_listed(key, "surname")
    if is_misspelt:
        return listed and key[0] != known[0]
    return listed or len(known) < _SHORTEST_MISSPELT


def _is_near(left: str, right: str) -> bool:
    """Whether one letter is missing, added or changed, or two neighbours are swapped."""
    if left == right or 1 < abs(len(left) - len(right)):
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    left, right = left[start:], right[start:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    if len(left) < 2 and len(right) < 2:
        return True
    return len(left) == len(right) == 2 and left == right[::-1]
