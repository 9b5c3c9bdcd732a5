"""The context of a word in a text, to distinguish names from ordinary words."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property, partial
from typing import TYPE_CHECKING

from veil.detect.known.vocabulary import word_key
from veil.detect.known.words import EXACT, MISSPELT
from veil.languages import language

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.core.document import Token
    from veil.detect.known.mentions import WordMatch
    from veil.detect.known.vocabulary import Vocabulary
    from veil.languages.base import Offsets


_BLOCK = 128
_LONGEST_PHRASE = 40


class Phrases:
    """The phrases of a text, searched for block by block on demand."""

    def __init__(self, text: str, find: Callable[[str], list[Token]]) -> None:
        self._text = text
        self._find = find
        self._blocks: dict[int, list[tuple[int, int]]] = {}

    def hold(self, start: int, end: int) -> bool:
        """Whether a stretch of the text lies in a longer phrase."""
        block = start // _BLOCK
        if block not in self._blocks:
            self._blocks[block] = self._search(block)
        return any(
            first <= start and end <= last and end - start < last - first
            for first, last in self._blocks[block]
        )

    def _search(self, block: int) -> list[tuple[int, int]]:
        offset = max(0, block * _BLOCK - _LONGEST_PHRASE)
        window = self._text[offset : (block + 1) * _BLOCK + _LONGEST_PHRASE]
        return [(offset + found.start, offset + found.end) for found in self._find(window)]


APOSTROPHES = frozenset("'\u2019\u2018\u00b4`\u02bc")
HYPHENS = frozenset("-\u2010\u2011\u2013")
# What may precede a word in the middle of a sentence.
_INSIDE = frozenset(",)]%&") | APOSTROPHES | HYPHENS
_LONGEST_ABBREVIATION = 4
# Short forms in capitals look like abbreviations: ED is not Ed.
_LONGEST_ACRONYM = 3


class Context:
    """The tokens of a text and the relations between them."""

    def __init__(self, text: str, offsets: Offsets, forms: list[str], words: Vocabulary) -> None:
        self.text = text
        self.starts, self.ends = offsets
        self.forms = forms
        self.words = words
        self._supported: dict[WordMatch, bool] = {}

    def form(self, index: int) -> str:
        """The form of a token; an empty string before the first and after the last."""
        return self.forms[index] if 0 <= index < len(self.forms) else ""

    def gap(self, last: int, first: int) -> str:
        """The text between two tokens."""
        return self.text[self.ends[last] : self.starts[first]]

    def tokens_at(self, offset: int) -> int:
        """The first token that starts at or after an offset."""
        return bisect_left(self.starts, offset)

    @cached_property
    def has_capitals(self) -> bool:
        return not self.text.islower()

    @cached_property
    def _sentence_starts(self) -> frozenset[int]:
        sentences = language(self.words.language).sentences(self.text)
        return frozenset(sentence.start for sentence in sentences)

    def is_capitalised(self, index: int) -> bool:
        return self.form(index)[:1].isupper()

    def title_before(self, index: int) -> str:
        """The title before a token, or an empty string: "Mr", "Dr", "fru"."""
        before = self.form(index - 1)
        if before == ".":
            before = self.form(index - 2)
            if _LONGEST_ABBREVIATION < len(before):
                return ""  # "... seen by the doctor. Will ..."
        return before if before and self.words.is_title(before) else ""

    def is_named(self, first: int, last: int) -> bool:
        """Whether a title, a key or letters after the name show that this is a person."""
        if self.title_before(first):
            return True
        if (
            self.form(first - 1) in (":", "：")
            and word_key(self.form(first - 2)) in self.words.name_keys
        ):
            return True
        behind = last + 2 if self.form(last + 1) == "," else last + 1
        letters = self.form(behind)
        return letters.isupper() and word_key(letters) in self.words.credentials

    def acts(self, last: int) -> bool:
        """Whether a person's action ("reports") or possession ("'s") follows."""
        behind = self.form(last + 1)
        if behind in APOSTROPHES and self.form(last + 2) == "s":
            return self.words.apostrophe_genitive
        return word_key(behind) in self.words.verbs or self._has_number(last)

    def _has_number(self, last: int) -> bool:
        """Whether a number follows after a comma: "Rosa, de 45 años"."""
        return self.form(last + 1) == "," and any(
            self.form(index)[:1].isdigit() for index in (last + 2, last + 3)
        )

    def is_inside_sentence(self, first: int, last: int) -> bool:
        """Whether a capital is neither at the start of a sentence nor in a heading."""
        if not self.words.has_spaces:
            return True
        before = self.form(first - 1)
        if not (before[:1].isalnum() or before in _INSIDE):
            return False
        if before in self.words.articles or self._is_among_capitals(first, last):
            return False
        return self.starts[first] not in self._sentence_starts

    def _is_among_capitals(self, first: int, last: int) -> bool:
        """Whether neither neighbouring word, commas ignored, begins with a small letter."""
        before = first - 2 if self.form(first - 1) == "," else first - 1
        behind = last + 2 if self.form(last + 1) == "," else last + 1
        return not (self.form(before)[:1].islower() or self.form(behind)[:1].islower())

    def is_date(self, first: int, last: int) -> bool:
        """Whether a month is part of a date: "in May", "May 12"."""
        before, behind = self.form(first - 1), self.form(last + 1)
        return (
            before[:1].isdigit()
            or behind[:1].isdigit()
            or before.lower() in self.words.date_words
            or self._has_number(last)
        )

    def is_medical(self, first: int, last: int) -> bool:
        """Whether a name belongs to a medical phrase, or is an acronym: ANA, EVA."""
        form = self.form(first)
        if not form.isupper() or _LONGEST_ACRONYM < len(form):
            return self.is_in_medical_phrase(first, last)
        return not self.acts(last) and not self._line_of(first).isupper()

    def _line_of(self, index: int) -> str:
        start = self.text.rfind("\n", 0, self.starts[index]) + 1
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def is_in_medical_phrase(self, first: int, last: int) -> bool:
        """Whether a word belongs to a medical phrase: Wilson's disease."""
        if word_key(self.form(first)) not in self.words.words_of_medical_phrases:
            return False
        return self._medical_phrases.hold(self.starts[first], self.ends[last])

    @cached_property
    def _medical_phrases(self) -> Phrases:
        return Phrases(self.text, partial(self.words.medical.find, any_case=True))

    def supports(self, word: WordMatch) -> bool:
        """Whether the context shows that an ambiguous word is a name."""
        if word not in self._supported:
            self._supported[word] = self._supports(word)
        return self._supported[word]

    def _supports(self, word: WordMatch) -> bool:
        first, last = word.first, word.last
        if not self.is_capitalised(first):
            return not self.has_capitals and self.is_named(first, last)
        if self.is_named(first, last):
            return True
        form = self.form(first)
        if self.is_in_medical_phrase(first, last):
            return False
        if 1 < len(form) <= _LONGEST_ACRONYM and form.isupper():
            return False
        key = word_key(form)
        if self.words.is_capitalised_anyway(key):
            if self.is_date(first, last):
                return False
            if not self.words.is_month(key):
                return self.acts(last)
        if word.hit.how == MISSPELT and form.isupper() and not self._is_among_capitals(first, last):
            return False  # an acronym that resembles a name
        is_genitive = (
            self.words.genitive != ""
            and word.hit.how == EXACT
            and key not in word.hit.keys
            and not self.words.is_frequent(key)
        )
        is_joined = self.form(last + 1) in self.words.joining_words
        return is_genitive or is_joined or self.acts(last) or self.is_inside_sentence(first, last)

    def supports_initials(self, first: int, last: int) -> bool:
        """Whether letters without full stops are a person's initials here: "patient JD"."""
        if self.is_named(first, last):
            return True
        before = self.form(first - 1)
        if word_key(before) in self.words.patient_words:
            return True
        behind = self.text[self.ends[last] : self.ends[last] + 3].lstrip(" .")
        if before == "/" and behind[:1] in ("", "\n", "\r"):
            return True  # a signature at the end of a line
        key = word_key(self.form(first))
        is_free = key not in self.words.abbreviations and not self.words.marks(key)
        return is_free and self.acts(last)
