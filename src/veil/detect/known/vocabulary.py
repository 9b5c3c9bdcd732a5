"""What must be known of a language to tell a name from a word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from veil.languages import base_language, language_part, read_language_toml
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
    """Finds what is known of a record in a script without spaces."""

    def __bool__(self) -> bool:
        """Whether there is anything to find."""

    def find(self, text: str) -> Iterable[Span]:
        """Return the mentions in a text."""


def _no_forms(_: str) -> list[str]:
    return []


def _is_other_script(_: str) -> bool:
    return False


def _no_date(_: str) -> None:
    return None


def _no_postcodes(_: Known) -> list[str]:
    return []


@dataclass(frozen=True)
class KnownPart:
    """The functions of a language, in its folder as `KNOWN` of the module `known`.

    `id_forms` returns other forms of a number that identifies somebody. `parse_date` returns year,
    month and day of a date that only this language writes so. A language with a script of its own
    gives `is_own_script`, which says of a value of a table whether it is in this script, and a
    `finder` of such values and of the dates of birth; the engine finds all other values.
    """

    id_forms: Callable[[str], list[str]] = _no_forms
    parse_date: Callable[[str], tuple[int, int, int] | None] = _no_date
    offsets: Callable[[str], Offsets] = latin_offsets
    is_own_script: Callable[[str], bool] = _is_other_script
    finder: Callable[[Known, Sequence[date]], Finder] | None = None
    postcodes: Callable[[Known], list[str]] = _no_postcodes


def known_part(language: str) -> KnownPart:
    """Return the functions of a language; the defaults if its folder has none."""
    part: KnownPart | None = getattr(language_part(language, "known"), "KNOWN", None)
    return part or KnownPart()


def read_data(language: str) -> dict[str, Any]:
    """Read what must be known of a language."""
    return read_language_toml(language, "known.toml")


def read_nicknames(language: str) -> dict[str, dict[str, list[str]]]:
    """Read the short forms of given names, and of surnames where a language has such."""
    return read_language_toml(language, "nicknames.toml")


# Characters that tokens hold and that nobody sees: soft hyphen, joiners.
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
def key_of(form: str) -> str:
    """Return the form in which words are compared."""
    return fold(form if form.isascii() else form.translate(_INVISIBLE))


def spellings(key: str) -> tuple[str, ...]:
    """A word with the letters that keyboards and registers put for å, ä, ö and ñ."""
    if key.isascii():
        return (key,)
    return tuple(dict.fromkeys((key, without_diacritics(key), key.translate(_TWO_LETTERS))))


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of one language that surround names, and those that are mistaken for them."""

    language: str
    part: KnownPart
    genitive: str
    has_spaces: bool
    marks: Callable[[str], int]
    medical: Lexicon
    common: Lexicon
    only_names: frozenset[str]
    also_words: frozenset[str]
    honorifics: frozenset[str]
    credentials: frozenset[str]
    patient_words: frozenset[str]
    name_keys: frozenset[str]
    verbs: frozenset[str]
    joining_words: frozenset[str]
    date_words: frozenset[str]
    birth_words: frozenset[str]
    one_letter_words: frozenset[str]
    abbreviations: frozenset[str]
    particles: frozenset[str]
    articles: frozenset[str]
    number_words: frozenset[str]
    organisation_words: frozenset[str]
    house_number_words: frozenset[str]
    extension_words: tuple[str, ...]
    capitalised_kinds: int
    apostrophe_genitive: bool
    surnames: int
    surname_ending: str
    shortened_streets: re.Pattern[str] | None
    country_code: str
    trunk_country_code: str
    national_digits: int
    short_postcodes: Mapping[str, int]
    ending: re.Pattern[str]
    months: Mapping[str, int]
    address_words: Mapping[str, tuple[str, ...]]
    name_forms: Mapping[str, tuple[str, ...]]
    nicknames: Mapping[str, tuple[str, ...]]
    surname_forms: Mapping[str, tuple[str, ...]]

    def is_word(self, key: str) -> bool:
        """Whether a word means something else than a person, so that it alone says little.

        Eponyms are names: only the phrases that hold them are none.
        """
        if key in self.only_names:
            return False
        if key in self.also_words or self.marks(key) & _WORD:
            return True
        return self.medical.keys.hold(key, small=True)

    def is_frequent(self, key: str) -> bool:
        """Whether a word itself, and not what it is the genitive of, is a frequent one."""
        return key in self.common

    def is_short(self, key: str) -> bool:
        """Whether a word is too short to say anything by itself."""
        return len(key) < _SHORTEST_NAME

    def is_other_word(self, key: str) -> bool:
        """Whether a word is one of its own and not a known name misspelt."""
        marks = self.marks(key)
        is_place = bool(marks & _PLACE and not marks & _NAME)
        return is_place or bool(marks & _MEDICAL) or self.is_word(key)

    def is_place(self, key: str) -> bool:
        return bool(self.marks(key) & _PLACE)

    def is_name(self, key: str) -> bool:
        return bool(self.marks(key) & _NAME)

    def is_title(self, form: str) -> bool:
        """Whether a word announces a person; an ordinary word does so with a capital alone."""
        key = key_of(form)
        return key in self.honorifics or (not form[:1].islower() and bool(self.marks(key) & _TITLE))

    def is_doctor_title(self, form: str) -> bool:
        return bool(self.marks(form) & _DOCTOR_TITLE)

    @cached_property
    def words_of_medical_phrases(self) -> frozenset[str]:
        """The words that stand in a phrase of medicine, as Wilson does in Wilson's disease."""
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
        """Whether a word is a street's whole name, as Storgatan is: a stem and such an ending."""
        return key[_SHORTEST_STEM:].endswith(self._street_endings)

    def is_month(self, key: str) -> bool:
        return bool(self.marks(key) & _MONTH)

    def is_capitalised_anyway(self, key: str) -> bool:
        """Whether a word has a capital inside a sentence without being a name."""
        return bool(self.marks(key) & self.capitalised_kinds)


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the vocabulary of a language or of a variant of one."""
    base = base_language(language)
    data = read_data(base)
    given, surname = (read_nicknames(base).get(part, {}) for part in ("given", "surname"))
    words = {
        name: frozenset(map(key_of, data.get(name, "").split()))
        for name in (
            *("only_names", "also_words", "honorifics", "credentials", "patient_words"),
            *("name_keys", "verbs", "joining_words", "date_words", "birth_words"),
            *("one_letter_words", "abbreviations", "particles", "articles", "number_words"),
            *("organisation_words", "house_number_words"),
        )
    }
    shortened_streets = data.get("shortened_streets")
    return Vocabulary(
        base,
        known_part(base),
        spoken_language(base).genitive,
        spoken_language(base).spaces_between_words,
        word_marks(base),
        lexicon(base, "medical"),
        lexicon(base, "common"),
        ending=re.compile(rf"(?:{data.get('ending_words', _NOTHING)})\W{{0,3}}$", re.IGNORECASE),
        months={
            key_of(form): number
            for number, forms in enumerate(data.get("months", ()), start=1)
            for form in forms
        },
        address_words=_classes(data.get("address_words", ())),
        name_forms=_classes(data.get("name_forms", ())),
        nicknames=_both_ways(given),
        surname_forms=_both_ways(surname),
        capitalised_kinds=sum(
            Mark[kind.upper()].value for kind in data.get("capitalised_kinds", "").split()
        ),
        extension_words=tuple(data.get("extension_words", "").split()),
        apostrophe_genitive=data.get("apostrophe_genitive", False),
        surnames=data.get("surnames", 1),
        surname_ending=data.get("surname_ending", ""),
        shortened_streets=re.compile(shortened_streets) if shortened_streets else None,
        country_code=data.get("country_code", ""),
        trunk_country_code=data.get("trunk_country_code", ""),
        national_digits=data.get("national_digits", 0),
        short_postcodes=data.get("short_postcodes", {}),
        **words,
    )


def _both_ways(forms: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """From each name to its short forms, and from each short form to what it may stand for."""
    found: dict[str, dict[str, None]] = {}
    for name, short_forms in forms.items():
        for short in short_forms:
            found.setdefault(key_of(name), {})[key_of(short)] = None
            if "-" not in name:  # Kalle may be Karl-Gustav, but Gustav alone is somebody else
                found.setdefault(key_of(short), {})[key_of(name)] = None
    return {key: tuple(others) for key, others in found.items()}


def _classes(classes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """From each word to the ways in which it is written."""
    found: dict[str, dict[str, None]] = {}
    for written in classes:
        forms = [key_of(form) for form in written.split()]
        for form in forms:
            found.setdefault(form, {}).update(dict.fromkeys(forms))
    return {key: tuple(forms) for key, forms in found.items()}
