"""Finding the mentions of known values in a record."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from veil.detect.known.compiling import compile_known
from veil.detect.known.context import HYPHENS, Context
from veil.detect.known.dates import BirthdayIndex
from veil.detect.known.mentions import WordMatch, find_mentions
from veil.detect.known.numbers import NumberIndex
from veil.detect.known.vocabulary import vocabulary, word_key
from veil.detect.known.words import INITIAL, Hit, StringIndex, WordIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.core.document import Span
    from veil.detect.known.values import Known
    from veil.languages.base import Offsets


_BROKEN = re.compile(r"[-\u2010\u00ad]\r?\n")


class Matcher:
    """Finds the mentions of the known values of a record."""

    def __init__(self, known: Known, language: str) -> None:
        self._vocabulary = vocabulary(language)
        compiled = compile_known(known, self._vocabulary)
        self._entities = compiled.entities
        self._words = WordIndex(compiled.entities, self._vocabulary)
        self._numbers = NumberIndex(compiled.numbers, self._vocabulary)
        self._literals = StringIndex(compiled.literals)
        self._birthdays = BirthdayIndex(compiled.dates, self._vocabulary)
        self._finders = compiled.finders
        self._shortened = self._bits_of_shortened()
        self._has_latin = bool(
            compiled.entities or compiled.numbers or compiled.literals or compiled.dates
        )

    def _bits_of_shortened(self) -> dict[str, int]:
        bits: dict[str, int] = {}
        for index, entity in enumerate(self._entities):
            for letter in entity.shortened:
                bits[letter] = bits.get(letter, 0) | 1 << index
        return bits

    def find(self, text: str) -> list[Span]:
        """Return the mentions in a text, in order."""
        found: set[Span] = set()
        if self._has_latin:
            found.update(self._find_latin(text))
        if not text.isascii():
            for finder in self._finders:
                found.update(finder.find(text))
        return _outermost(found)

    def _find_latin(self, text: str) -> Iterator[Span]:
        offsets = self._vocabulary.part.offsets(text)
        forms = [text[start:end] for start, end in zip(*offsets, strict=True)]
        context = Context(text, offsets, forms, self._vocabulary)
        hits: dict[str, Hit] = {}
        others: dict[str, str] = {}
        # Nine of ten words in a text are repetitions.
        for form in set(forms):
            if not form[0].isalnum():
                continue
            hit = self._words.look_up(form)
            if hit is not None:
                hits[form] = hit
            key = word_key(form)
            if (
                self._numbers.begins(key)
                or self._birthdays.begins(key)
                or self._literals.begins(key)
            ):
                others[form] = key
        if others:
            for index, form in enumerate(forms):
                if form in others:
                    yield from self._find_others(text, offsets, index, others[form])
        if self._entities:
            yield from find_mentions(context, self._find_words(context, hits), self._entities)

    def _find_others(self, text: str, offsets: Offsets, index: int, key: str) -> Iterator[Span]:
        start, end = offsets.starts[index], offsets.ends[index]
        yield from self._numbers.find(text, start, end)
        yield from self._birthdays.find(text, start, end, key)
        yield from self._literals.find(text, start, key)

    def _find_words(self, context: Context, hits: dict[str, Hit]) -> list[WordMatch]:
        found = [
            WordMatch(index, index, hits[form])
            for index, form in enumerate(context.forms)
            if form in hits
        ]
        joined = [*self._broken_words(context), *self._prefixed_words(context)]
        joined += self._shortened_surnames(context)
        if not joined:
            return found
        taken = {index for word in joined for index in range(word.first, word.last + 1)}
        found = [word for word in found if word.first not in taken]
        return sorted((*found, *joined), key=lambda word: word.first)

    def _broken_words(self, context: Context) -> Iterator[WordMatch]:
        """Yield words that a hyphen splits across two lines."""
        for match in _BROKEN.finditer(context.text):
            hyphen = context.tokens_at(match.start())
            if 0 < hyphen < len(context.forms) - 1 and context.form(hyphen) in HYPHENS:
                hit = self._words.look_up(context.form(hyphen - 1) + context.form(hyphen + 1))
                if hit is not None and hit.strong | hit.weak:
                    yield WordMatch(hyphen - 1, hyphen + 1, hit)

    def _prefixed_words(self, context: Context) -> Iterator[WordMatch]:
        """Yield surnames that are written as two words: Mc Donald."""
        if not self._words.prefixes:
            return
        for index, form in enumerate(context.forms[:-1]):
            if form.lower() in self._words.prefixes and context.gap(index, index + 1) == " ":
                hit = self._words.look_up(form + context.forms[index + 1])
                if hit is not None and hit.strong | hit.weak:
                    yield WordMatch(index, index + 1, hit)

    def _shortened_surnames(self, context: Context) -> Iterator[WordMatch]:
        """Yield surnames that are shortened to the first letter and the ending: B-son."""
        if not self._shortened:
            return
        ending = self._vocabulary.surname_ending
        for index, form in enumerate(context.forms):
            if form != ending or index < 2 or context.forms[index - 1] not in HYPHENS:
                continue
            letter = context.forms[index - 2].lower()
            if letter in self._shortened:
                bits = self._shortened[letter]
                yield WordMatch(
                    index - 2, index, Hit((letter,), INITIAL, bound=bits, surnames=bits)
                )


def _outermost(found: Iterable[Span]) -> list[Span]:
    """Spans in order, without those inside a longer one, such as a year inside its date."""
    kept: list[Span] = []
    end = 0
    for span in sorted(found, key=lambda span: (span.start, -span.end, span.label, span.source)):
        same = bool(kept) and (span.start, span.end) == (kept[-1].start, kept[-1].end)
        if end < span.end or same:
            kept.append(span)
            end = max(end, span.end)
    return kept


# Records of one patient share the matcher.
matcher = lru_cache(maxsize=256)(Matcher)
