"""What stand-ins must know of the record they go into, and how they are drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.core.numbers import compact
from veil.languages import LANGUAGES
from veil.replace.entities.choosing import permuted
from veil.replace.entities.countries import guess_country
from veil.replace.entities.words import key_of
from veil.replace.entities.writing import core_of, half_width, japanese_key

if TYPE_CHECKING:
    from veil.replace.base import Case
    from veil.replace.secret import Draw

Choice = tuple[Callable[["Draw"], str | None], Callable[[str], bool]]
"""What makes a stand-in from what is drawn (None: draw again), and whether it may be used."""

_MEMORY = "veil.replace.entities"
_ATTEMPTS = 32
_PLACE_LABELS = ("CITY", "LOCATION")
# Shorter numbers stand in every text by chance, so they are compared with whole numbers.
LONG_NUMBER = 5
# Shorter words of the originals say nothing: "de", "St".
_SHORTEST_WORD = 3
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_SHORT_NUMBER = re.compile("(?<![0-9])[0-9]{1,2}(?![0-9])")
_WITHOUT_ROOMS = frozenset({"DATE", "TIME", "AGE", "PHONE", "FAX", "EMAIL", "URL"})
# Signs that are written out with digits where numbers are compared, such as ² and ㎡, and others.
_ODD_DIGIT = re.compile("[²³¹¼½¾\u2070-\u2bff\u3200-\u33ff\U0001d000-\U0001ffff]")


class Record:
    """One record: what stands in it and what has been drawn for it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.secret = case.secret
        base = case.language.partition("-")[0]
        self.language = base if base in LANGUAGES else "en"
        # Raised where a whole stand-in cannot be used: then all its parts are drawn again.
        self.round = 0
        self._made: dict[tuple[str, str, int], str] = {}
        # The stand-ins of the short numbers that were found, by the round.
        self.short_numbers: dict[int, dict[str, str]] = {}
        # Where a permutation of so many numbers puts one of them; records repeat their places.
        self.permuted = cache(partial(permuted, case.secret))
        # The new phone numbers by whose they are, once the first was asked for.
        self.phones: dict[str, str] | None = None
        # The new towns by the old ones, once the first that no list holds was asked for.
        self.towns: dict[str, str] | None = None

    @classmethod
    def of(cls, case: Case) -> Record:
        """The record of a case, made once."""
        record = case.memory.get(_MEMORY)
        if record is None:
            record = case.memory[_MEMORY] = cls(case)
        return record

    @cached_property
    def country(self) -> str:
        """The country in which the record was probably written."""
        return guess_country(
            self.language, ((span.label, self.case.text(span)) for span in self.case.spans)
        )

    @cached_property
    def originals(self) -> frozenset[str]:
        """All that was found in the record, folded."""
        return frozenset(key_of(self.case.text(span)) for span in self.case.spans)

    @cached_property
    def places(self) -> frozenset[str]:
        """The towns and the like that were found in the record, folded."""
        spans = (span for span in self.case.spans if span.label in _PLACE_LABELS)
        return frozenset(key_of(self.case.text(span)) for span in spans)

    def draw(self, purpose: str, value: str, attempt: int = 0) -> Draw:
        """A source of choices for a value."""
        return self.secret.draw("things", purpose, value, str(self.round), str(attempt))

    def stand_in(self, purpose: str, value: str, *choices: Choice) -> str:
        """What stands for a value: the first thing that a choice makes and lets pass.

        Later choices are for values to which the first leaves nothing.
        """
        key = (purpose, value, self.round)
        if key not in self._made:
            self._made[key] = self._make(purpose, value, choices)
        return self._made[key]

    def _make(self, purpose: str, value: str, choices: tuple[Choice, ...]) -> str:
        for number, (make, test) in enumerate(choices):
            for attempt in range(number * _ATTEMPTS, (number + 1) * _ATTEMPTS):
                made = make(self.draw(purpose, value, attempt))
                if made is not None and made != value and test(made):
                    return made
        raise self.error("no stand-in could be made: all that were drawn stand in the record")

    def error(self, reason: str) -> RecordError:
        """An error that names the record and nothing of its text."""
        return RecordError(reason, record=self.case.document.id)

    # -- What may not stand in for anything ---------------------------------------------------

    def is_new_name(self, name: str) -> bool:
        """Whether neither a name nor one of its words is part of what was found in the record."""
        key = key_of(name)
        if key in self.originals:
            return False
        if self.language == "ja":
            return japanese_key(name) not in self._japanese
        return self._words.isdisjoint(
            word for word in _WORD.findall(key) if _SHORTEST_WORD <= len(word)
        )

    def is_no_original(self, name: str) -> bool:
        """Whether a name as a whole was not found in the record."""
        return key_of(name) not in self.originals

    def is_new_number(self, core: str) -> bool:
        """Whether a number or code stands nowhere in the record, whatever its writing."""
        if not self.is_no_number_found(core):
            return False
        if len(core) < LONG_NUMBER:
            return not self._has_run(core)
        digits = "".join(filter(str.isdigit, core))
        if digits in self._digits:
            return len(digits) < LONG_NUMBER and core not in self._compact
        # What holds digits that do not follow one another in the text does not stand there itself.
        return not self._has_odd_digits or core not in self._compact

    def is_no_number_found(self, core: str) -> bool:
        """Whether a number or code is none of those that were found in the record."""
        return core not in self._cores

    @cached_property
    def short_numbers_found(self) -> list[str]:
        """The numbers of one or two digits in what was found, such as rooms, in their order."""
        texts = (
            self.case.text(span) for span in self.case.spans if span.label not in _WITHOUT_ROOMS
        )
        numbers = {run.lstrip("0") for text in texts for run in _SHORT_NUMBER.findall(text)}
        return sorted(numbers - {""})

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for text in self.originals for word in _WORD.findall(text))

    @cached_property
    def _japanese(self) -> str:
        return "\n".join(japanese_key(text) for text in self.originals)

    @cached_property
    def _cores(self) -> frozenset[str]:
        return frozenset(core_of(self.case.text(span)) for span in self.case.spans)

    @cached_property
    def _compact(self) -> str:
        return compact(self.case.document.text)

    @cached_property
    def _digits(self) -> str:
        return "".join(_DIGITS.findall(self._narrow))

    @cached_property
    def _has_odd_digits(self) -> bool:
        return _ODD_DIGIT.search(self._narrow) is not None

    @cached_property
    def _narrow(self) -> str:
        return half_width(self.case.document.text)

    @cached_property
    def _capitals(self) -> str:
        return self._narrow.upper()

    def _has_run(self, core: str) -> bool:
        """Whether a short number or code stands in the text by itself, in no longer one."""
        text = self._narrow if core.isdigit() else self._capitals
        start = text.find(core)
        while 0 <= start:
            end = start + len(core)
            if not (text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum()):
                return True
            start = text.find(core, start + 1)
        return False
