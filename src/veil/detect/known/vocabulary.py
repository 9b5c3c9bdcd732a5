"""What a language defines to distinguish names from ordinary words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

from veil.languages import (
    base_language,
    language_part,
    read_language_settings,
    read_language_toml,
)
from veil.languages import language as spoken_language
from veil.languages.latin import latin_offsets
from veil.lexicons import Lexicon, Mark, lexicon, word_marks
from veil.lexicons.folding import fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from veil.core.document import Span
    from veil.detect.known.values import Known
    from veil.languages.base import Offsets


class Finder(Protocol):
    """Finds known values of a record in a script without spaces."""

    def __bool__(self) -> bool:
        """Whether there is anything to search for."""

    def find(self, text: str) -> Iterable[Span]:
        """Return the mentions in a text."""


class KnownPart:
    """Functions that a language may override as `KNOWN` in the module `known` of its folder."""

    def id_forms(self, key: str) -> list[str]:
        """Return other forms of an identifying number."""
        return []

    def parse_date(self, written: str) -> tuple[int, int, int] | None:
        """Return year, month and day of a date in a format that only this language uses."""
        return None

    def offsets(self, text: str) -> Offsets:
        """Return the offsets of the tokens among which words and numbers are searched for."""
        return latin_offsets(text)

    def is_own_script(self, value: str) -> bool:
        """Whether a value is in a script without spaces, which the language's finder handles."""
        return False

    def finder(self, known: Known, dates: Sequence[date]) -> Finder | None:
        """Return a finder for the values in the language's own script, and these dates of birth."""
        return None

    def postcodes(self, known: Known) -> list[str]:
        """Return the postcodes in addresses in the language's own script."""
        return []


def known_part(language: str) -> KnownPart:
    """Return the functions of a language; the defaults if its folder has none."""
    part: KnownPart | None = getattr(language_part(language, "known"), "KNOWN", None)
    return part or KnownPart()


# Invisible characters inside tokens: soft hyphen, joiners.
_INVISIBLE = str.maketrans("", "", "\u00ad\u200b\u200c\u200d\u2060\ufeff")

_TWO_LETTERS = str.maketrans({"å": "aa", "ä": "ae", "ö": "oe"})

_NAME = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME | Mark.SURNAME_FORM).value
_PLACE = (Mark.CITY | Mark.REGION | Mark.COUNTRY).value
_WORD = (
    Mark.COMMON
    | Mark.MONTH
    | Mark.WEEKDAY
    | Mark.TITLE
    | Mark.DOCTOR_TITLE
    | Mark.RELATIVE
    | Mark.PROFESSION
    | Mark.NATIONALITY
).value
_TITLE = (Mark.TITLE | Mark.DOCTOR_TITLE | Mark.RELATIVE).value
_DOCTOR_TITLE = Mark.DOCTOR_TITLE.value
_MEDICAL = Mark.MEDICAL.value
_MONTH = Mark.MONTH.value
_NOTHING = "(?!)"  # a pattern that matches nothing
_SHORTEST_NAME = 3
_SHORTEST_STEM = 2
_WORDS = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1 << 15)
def word_key(form: str) -> str:
    """Return the form in which words are compared."""
    return fold(form if form.isascii() else form.translate(_INVISIBLE))


def spellings(key: str) -> tuple[str, ...]:
    """A word with the letters that replace å, ä, ö and ñ on keyboards and in registers."""
    if key.isascii():
        return (key,)
    return tuple(dict.fromkeys((key, without_diacritics(key), key.translate(_TWO_LETTERS))))


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Language settings: the words around names, and the words mistaken for names.

    It is read from `known.toml` in the language's folder.
    """

    language: str = ""
    only_names: frozenset[str] = frozenset()
    also_words: frozenset[str] = frozenset()
    honorifics: frozenset[str] = frozenset()
    credentials: frozenset[str] = frozenset()
    patient_words: frozenset[str] = frozenset()
    name_keys: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    joining_words: frozenset[str] = frozenset()
    date_words: frozenset[str] = frozenset()
    birth_words: frozenset[str] = frozenset()
    one_letter_words: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    number_words: frozenset[str] = frozenset()
    organisation_words: frozenset[str] = frozenset()
    house_number_words: frozenset[str] = frozenset()
    extension_words: tuple[str, ...] = ()
    ending_words: str = _NOTHING
    months: Sequence[Sequence[str]] = ()
    address_words: Sequence[str] = ()
    name_forms: Sequence[str] = ()
    capitalised_kinds: tuple[str, ...] = ()
    apostrophe_genitive: bool = False
    surnames: int = 1
    surname_ending: str = ""
    shortened_streets: str = _NOTHING
    country_code: str = ""
    trunk_country_code: str = ""
    national_digits: int = 0
    short_postcodes: Mapping[str, int] = field(default_factory=dict)
    honorifics_behind: tuple[str, ...] = ()
    keys_before: tuple[str, ...] = ()

    @cached_property
    def part(self) -> KnownPart:
        return known_part(self.language)

    @cached_property
    def genitive(self) -> str:
        return spoken_language(self.language).genitive

    @cached_property
    def has_spaces(self) -> bool:
        return spoken_language(self.language).spaces_between_words

    @cached_property
    def marks(self) -> Callable[[str], int]:
        return word_marks(self.language)

    @cached_property
    def medical(self) -> Lexicon:
        return lexicon(self.language, "medical")

    @cached_property
    def common(self) -> Lexicon:
        return lexicon(self.language, "common")

    @cached_property
    def ending(self) -> re.Pattern[str]:
        """Matches the text before the last digits of a number."""
        return re.compile(rf"(?:{self.ending_words})\W{{0,3}}$", re.IGNORECASE)

    @cached_property
    def shortened_street(self) -> re.Pattern[str]:
        """Matches a street whose name may be shortened to the first group."""
        return re.compile(self.shortened_streets)

    @cached_property
    def month_numbers(self) -> dict[str, int]:
        return {
            word_key(form): number
            for number, forms in enumerate(self.months, start=1)
            for form in forms
        }

    @cached_property
    def address_forms(self) -> dict[str, tuple[str, ...]]:
        """Maps each word of addresses to its spellings."""
        return _classes(self.address_words)

    @cached_property
    def forms_in_names(self) -> dict[str, tuple[str, ...]]:
        """Maps each word in names of places to its spellings."""
        return _classes(self.name_forms)

    @cached_property
    def nicknames(self) -> dict[str, tuple[str, ...]]:
        return _both_ways(read_nicknames(self.language).get("given", {}))

    @cached_property
    def surname_forms(self) -> dict[str, tuple[str, ...]]:
        return _both_ways(read_nicknames(self.language).get("surname", {}))

    @cached_property
    def _capitalised(self) -> int:
        return sum(Mark[kind.upper()].value for kind in self.capitalised_kinds)

    def is_word(self, key: str) -> bool:
        """Whether a word has another meaning than a person, so that alone it is weak evidence.

        Eponyms count as names: only the phrases that contain them do not.
        """
        if key in self.only_names:
            return False
        if key in self.also_words or self.marks(key) & _WORD:
            return True
        return self.medical.keys.hold(key, small=True)

    def is_frequent(self, key: str) -> bool:
        """Whether this exact word is frequent; base forms of genitives do not count."""
        return key in self.common

    def is_short(self, key: str) -> bool:
        """Whether a word is too short to be evidence by itself."""
        return len(key) < _SHORTEST_NAME

    def is_other_word(self, key: str) -> bool:
        """Whether a word is a different word and not a misspelt known name."""
        marks = self.marks(key)
        is_place = bool(marks & _PLACE and not marks & _NAME)
        return is_place or bool(marks & _MEDICAL) or self.is_word(key)

    def is_place(self, key: str) -> bool:
        return bool(self.marks(key) & _PLACE)

    def is_name(self, key: str) -> bool:
        return bool(self.marks(key) & _NAME)

    def is_title(self, form: str) -> bool:
        """Whether a word is a title; a word that is also ordinary is one only with a capital."""
        key = word_key(form)
        return key in self.honorifics or (not form[:1].islower() and bool(self.marks(key) & _TITLE))

    def is_doctor_title(self, form: str) -> bool:
        return bool(self.marks(form) & _DOCTOR_TITLE)

    @cached_property
    def words_of_medical_phrases(self) -> frozenset[str]:
        """The words that occur in medical phrases, such as Wilson in Wilson's disease."""
        return frozenset(
            word
            for phrase in self.medical.keys.folded
            for word in _WORDS.findall(phrase)
            if word != phrase
        )

    @cached_property
    def _street_endings(self) -> tuple[str, ...]:
        return lexicon(self.language, "street_head").keys.suffixes

    def is_street(self, key: str) -> bool:
        """Whether a word is a whole street name, such as Storgatan: a stem and a street ending."""
        return key[_SHORTEST_STEM:].endswith(self._street_endings)

    def is_month(self, key: str) -> bool:
        return bool(self.marks(key) & _MONTH)

    def is_capitalised_anyway(self, key: str) -> bool:
        """Whether a word has a capital inside a sentence without being a name."""
        return bool(self.marks(key) & self._capitalised)


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the vocabulary of a language or of a variant of one."""
    base = base_language(language)
    return replace(read_language_settings(Vocabulary, base, "known.toml", word_key), language=base)


def read_nicknames(language: str) -> dict[str, dict[str, list[str]]]:
    """Return the short forms of given names, and of surnames where a language has them."""
    return read_language_toml(language, "nicknames.toml")


def _both_ways(forms: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """Map each name to its short forms, and each short form to its names."""
    found: dict[str, dict[str, None]] = {}
    for name, short_forms in forms.items():
        for short in short_forms:
            found.setdefault(word_key(name), {})[word_key(short)] = None
            if "-" not in name:  # Kalle may be Karl-Gustav, but Gustav alone is another person
                found.setdefault(word_key(short), {})[word_key(name)] = None
    return {key: tuple(others) for key, others in found.items()}


def _classes(classes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Map each word to its spellings."""
    found: dict[str, dict[str, None]] = {}
    for written in classes:
        forms = [word_key(form) for form in written.split()]
        for form in forms:
            found.setdefault(form, {}).update(dict.fromkeys(forms))
    return {key: tuple(forms) for key, forms in found.items()}
