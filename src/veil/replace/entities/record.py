"""The record whose entities are replaced, and how surrogates are drawn for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.core.errors import RecordError, VeilError
from veil.core.numbers import compact
from veil.core.patterns import compile_pattern
from veil.replace.base import lazy
from veil.replace.entities.countries import guess_country
from veil.replace.entities.language import entity_language, name_key, name_keys, words
from veil.replace.entities.spelling import core_of, half_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.secret import Draw, Secret

Choice = tuple[Callable[["Draw"], str | None], Callable[[str], bool]]
"""A function that makes a surrogate from a draw (None: draw again), and a test of the result.

None instead of a choice stands for a choice that cannot succeed.
"""

_ATTEMPTS = 32
_PERMUTATIONS = 12
_PLACE_LABELS = ("CITY", "LOCATION")
# Shorter numbers occur in every text by chance, so they are compared with whole numbers.
LONG_NUMBER = 5
# Shorter words of the originals do not identify anyone: "de", "St".
_SHORTEST_WORD = 3
_WORD = compile_pattern(r"[^\W\d_]+")
_DIGITS = compile_pattern(r"\d+")
_NO_DIGITS = bytes(code for code in range(256) if not 0x30 <= code <= 0x39)
# Runs of letters and digits, and runs of digits alone.
_RUN = compile_pattern(r"[^\W_]+")
_DIGITS_ALONE = compile_pattern(r"[0-9](?<![^\W_][0-9])[0-9]*(?![^\W_])")
_REMEMBERED = 1 << 13
_SHORT_NUMBER = compile_pattern("(?<![0-9])[0-9]{1,2}(?![0-9])")
_WITHOUT_ROOMS = frozenset({"DATE", "TIME", "AGE", "PHONE", "FAX", "EMAIL", "URL"})
# Characters that may become digits when numbers are compared, such as ² and ㎡.
_ODD_LATIN = "²³¹¼½¾".encode("latin-1")
_ODD_DIGIT = compile_pattern("[²³¹¼½¾\u2070-\u2bff\u3200-\u33ff\U0001d000-\U0001ffff]")


class NoEntriesError(VeilError):
    """The language of a record has no list of surrogates for an entity."""


class EntityRecord:
    """One record: what occurs in it, and the surrogates drawn for it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.secret = case.secret
        self.language = case.language
        self.rules = entity_language(case.language)
        # Increased if a whole surrogate cannot be used: then all its parts are drawn again.
        self.round = 0
        self._made: dict[tuple[str, str, int], str] = {}
        # The replacements of spans, by label and text.
        self.replaced: dict[tuple[str, str], str] = {}
        self._spans_done = 0
        self._free_numbers: dict[int, list[str]] = {}
        # The surrogates of the short numbers among the originals, by round.
        self.short_numbers: dict[int, dict[str, str]] = {}
        self._permuted: dict[tuple[str, int, int], int] = {}
        # The old number of each new phone number, once the first has been made.
        self.phones: dict[str, str] | None = None
        # The old town of each new one, once the first unlisted town has been replaced.
        self.towns: dict[str, str] | None = None

    @classmethod
    def of(cls, case: Case) -> EntityRecord:
        """Return the record of a case, which is created once."""
        return case.once(cls)

    @lazy
    def country(self) -> str:
        """The country in which the record was probably written."""
        labels = [span.label for span in self.case.spans]
        return guess_country(self.language, zip(labels, self.case.texts, strict=True))

    @lazy
    def originals(self) -> frozenset[str]:
        """The folded texts of all spans."""
        return frozenset(map(name_key, self.case.texts))

    @lazy
    def places(self) -> frozenset[str]:
        """The folded texts of the spans of towns and locations."""
        spans = (span for span in self.case.spans if span.label in _PLACE_LABELS)
        return frozenset(name_key(self.case.text(span)) for span in spans)

    def spans_before(self, span: Span) -> Iterator[Span]:
        """Yield the spans before another one that were not yielded before."""
        spans = self.case.spans
        while self._spans_done < len(spans) and spans[self._spans_done].start < span.start:
            self._spans_done += 1
            yield spans[self._spans_done - 1]

    def draw(self, purpose: str, value: str, attempt: int = 0) -> Draw:
        """Return a source of choices for a value."""
        return self.secret.draw("things", purpose, value, str(self.round), str(attempt))

    def permuted(self, purpose: str, number: int, size: int) -> int:
        """Return the image of a number, as `permuted` does, from a cache: places are repeated."""
        key = (purpose, number, size)
        image = self._permuted.get(key)
        if image is None:
            image = self._permuted[key] = permuted(self.secret, *key)
        return image

    def surrogate(self, purpose: str, value: str, *choices: Choice | None) -> str:
        """Return the surrogate of a value: the first result of a choice that passes its test.

        Later choices are used if the earlier ones fail.
        """
        key = (purpose, value, self.round)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._make(purpose, value, choices)
        return made

    def _make(self, purpose: str, value: str, choices: tuple[Choice | None, ...]) -> str:
        for number, choice in enumerate(choices):
            if choice is None:
                continue
            make, test = choice
            for attempt in range(number * _ATTEMPTS, (number + 1) * _ATTEMPTS):
                made = make(self.draw(purpose, value, attempt))
                if made is not None and made != value and test(made):
                    return made
        raise self.error("no surrogate could be made: all that were drawn occur in the record")

    def error(self, reason: str) -> RecordError:
        """Return an error with the id of the record and without its text."""
        return RecordError(reason, record=self.case.document.id)

    # -- What cannot be a surrogate -----------------------------------------------------------

    def is_new_name(self, name: str) -> bool:
        """Whether neither a name nor one of its words is part of an original."""
        key = name_key(name)
        if key in self.originals:
            return False
        has_parts = self.rules.has_parts_of(self, name)
        if has_parts is not None:
            return not has_parts
        return self._words.isdisjoint(_words_of(key))

    def is_no_original(self, name: str) -> bool:
        """Whether a name as a whole is not an original."""
        return name_key(name) not in self.originals

    def is_new_number(self, core: str) -> bool:
        """Whether a number or code does not occur in the record in any spelling."""
        if core in self._cores:
            return False
        if len(core) < LONG_NUMBER:
            return not self._has_run(core)
        digits = core if core.isdigit() else "".join(filter(str.isdigit, core))
        if digits in self._digits:
            return len(digits) < LONG_NUMBER and core not in self._compact
        # If its digits are not in the text, the code itself is not either.
        return not self._has_odd_digits or core not in self._compact

    def is_no_number_found(self, core: str) -> bool:
        """Whether a number or code is not an original."""
        return core not in self._cores

    @lazy
    def short_numbers_found(self) -> list[str]:
        """The numbers of one or two digits in the originals, such as rooms, sorted."""
        texts = [
            text
            for span, text in zip(self.case.spans, self.case.texts, strict=True)
            if span.label not in _WITHOUT_ROOMS
        ]
        # No number spans a line break, so all texts are searched at once.
        numbers = {run.lstrip("0") for run in _SHORT_NUMBER.findall("\n".join(texts))}
        return sorted(numbers - {""})

    @lazy
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall("\n".join(self.originals)))

    @lazy
    def _cores(self) -> frozenset[str]:
        return frozenset(map(core_of, self.case.texts))

    @lazy
    def _compact(self) -> str:
        return compact(self.case.document.text)

    @lazy
    def _digits(self) -> str:
        if self._latin is None:
            return "".join(_DIGITS.findall(self._narrow))
        return self._latin.translate(None, _NO_DIGITS).decode("ascii")

    @lazy
    def _latin(self) -> bytes | None:
        """The text in Latin-1, which is far faster to search; None if it cannot be encoded."""
        try:
            return self._narrow.encode("latin-1")
        except UnicodeEncodeError:
            return None

    @lazy
    def _has_odd_digits(self) -> bool:
        if self._latin is None:
            return _ODD_DIGIT.search(self._narrow) is not None
        return any(map(self._latin.__contains__, _ODD_LATIN))

    @lazy
    def _narrow(self) -> str:
        return half_width(self.case.document.text)

    @lazy
    def _numbers_alone(self) -> frozenset[str]:
        return frozenset(_DIGITS_ALONE.findall(self._narrow))

    @lazy
    def _runs(self) -> frozenset[str]:
        return frozenset(_RUN.findall(self._narrow.upper()))

    def _has_run(self, core: str) -> bool:
        """Whether a short number or code occurs in the text, but not as a part of a longer one."""
        if not core.isalnum():  # Ⓐ is upper case but not a letter
            alone = rf"(?<![^\W_]){re.escape(core)}(?![^\W_])"
            return re.search(alone, self._narrow.upper()) is not None
        is_number = core.isascii() and core.isdigit()
        return core in (self._numbers_alone if is_number else self._runs)

    def free_numbers(self, length: int) -> list[str]:
        """Return the numbers of a length, shorter than `LONG_NUMBER`, that are new."""
        if length not in self._free_numbers:
            found = self._cores | self._numbers_alone
            self._free_numbers[length] = [
                number for number in _numbers_of_length(length) if number not in found
            ]
        return self._free_numbers[length]


@cache
def _numbers_of_length(length: int) -> list[str]:
    return list(map(str, range(10 ** (length - 1), 10**length)))


@lru_cache(_REMEMBERED)
def _words_of(key: str) -> tuple[str, ...]:
    """Return the words of a folded name that may identify someone."""
    return tuple(word for word in _WORD.findall(key) if _SHORTEST_WORD <= len(word))


# -- Choosing from lists -------------------------------------------------------------------------


def exchange(record: EntityRecord, name: str, number: int, form: int = 0) -> str:
    """Return another entry of a list of the language, in the same form if it has that form."""
    return exchange_entry(record, name, words(record.language, name), number, form)


def exchange_entry(
    record: EntityRecord,
    name: str,
    entries: Sequence[str],
    number: int,
    form: int = 0,
    *,
    may_stay: bool = False,
) -> str:
    """Return another of the entries; those that share a word with an original come last.

    With `may_stay` the entry of that number is also possible.
    """
    size = len(entries)
    if not size:
        raise NoEntriesError("no list to choose from")
    for is_free in (record.is_new_name, record.is_no_original):
        for step in range(_PERMUTATIONS + size):
            # Other permutations first, so that entries stay apart; then one entry after the other.
            start = number if step < _PERMUTATIONS else (number + step) % size
            purpose = f"{name}/{record.round}/{min(step, _PERMUTATIONS)}"
            other = record.permuted(purpose, start, size)
            if other == number and not may_stay:
                continue
            entry = entries[other]
            if "=" not in entry:
                if is_free(entry):
                    return entry
                continue
            forms = entry.split("=")
            # All forms of an entry are exchanged together, so each of them must be free.
            if all(map(is_free, forms)):
                return forms[min(form, len(forms) - 1)]
    raise record.error("no surrogate could be made: all entries of a list occur in the record")


def choose(record: EntityRecord, purpose: str, value: str, options: tuple[str, ...]) -> str:
    """Return one of the options for a folded name, which may be an option itself."""
    index = _numbers(options).get(value)
    if index is not None:
        return exchange_entry(record, purpose, options, index)
    if not options:
        raise NoEntriesError("no list to choose from")
    index = record.draw(purpose, value).below(len(options))
    return exchange_entry(record, purpose, options, index, may_stay=True)


@cache
def _numbers(options: tuple[str, ...]) -> dict[str, int]:
    return {key: number for number, key in enumerate(name_keys(options))}


def permuted(secret: Secret, purpose: str, number: int, size: int) -> int:
    """Return the image of a number under a secret permutation of the numbers below `size`.

    A Feistel network over the next power of four, walked until it meets a number below `size`
    (cycle walking; Black and Rogaway 2002): no list is shuffled for a single entry.
    """
    bits = max(1, ((size - 1).bit_length() + 1) // 2)
    while True:
        number = secret.mixed(number, bits, "order", purpose)
        if number < size:
            return number
