"""The word lists (`stand_ins.toml`) and rules of a language for its entities."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.toml import read_toml
from veil.languages import language_part, read_language_toml
from veil.lexicons.folding import fold, tidy, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from veil.replace.entities.names import NamePhrase, NameToken
    from veil.replace.entities.record import EntityRecord

_REMEMBERED = 1 << 14


# -- Word lists -------------------------------------------------------------------------------


@cache
def shared_table(file: str) -> dict[str, Any]:
    """Return the content of a data file of this package: common, countries or phones."""
    return read_toml(Path(__file__).with_name(f"{file}.toml"))


def setting(language: str, name: str, default: Any = None) -> Any:
    """Return the value of a key in the `stand_ins.toml` of a language."""
    return read_language_toml(language, "stand_ins.toml").get(name, default)


@cache
def words(language: str, name: str) -> tuple[str, ...]:
    """Return the entries of a list in their order; an empty tuple if there is no such list."""
    return split_words(setting(language, name, ""))


def split_words(text: str) -> tuple[str, ...]:
    """Return the distinct entries of a text that commas or line breaks separate."""
    entries = text.replace("\n", ",").split(",")
    return tuple(dict.fromkeys(entry.strip() for entry in entries if entry.strip()))


@cache
def rows(language: str, name: str) -> tuple[tuple[str, ...], ...]:
    """Return the entries of a list line by line."""
    lines = setting(language, name, "").strip("\n").split("\n")
    return tuple(tuple(entry.strip() for entry in line.split(",")) for line in lines)


@cache
def word_set(language: str, *names: str) -> frozenset[str]:
    """Return the folded entries of several lists, with and without diacritics."""
    keys = {key for name in names for key in name_keys(words(language, name))}
    return frozenset(keys | {without_diacritics(key) for key in keys})


@cache
def longest_first(language: str, *names: str) -> tuple[str, ...]:
    """Return the entries of several lists, the longest first."""
    entries = {entry for name in names for entry in words(language, name)}
    return tuple(sorted(entries, key=lambda entry: (-len(entry), entry)))


@lru_cache(_REMEMBERED)
def name_key(text: str) -> str:
    """Return the key of all spellings of a name: without case, accents and abbreviation dots."""
    return fold(tidy(text))


def name_keys(texts: Sequence[str]) -> list[str]:
    """Return the keys of the entries of a list; folding them together is far faster."""
    keys = name_key(" \0 ".join(texts)).split(" \0 ")
    return keys if len(keys) == len(texts) else list(map(name_key, texts))


# -- Rules ------------------------------------------------------------------------------------


class EntityLanguage:
    """The rules of a language for its entities; the defaults suit languages in Latin script.

    A language overrides what differs in `entities.py` of its folder, and sets `ENTITIES` there.
    A method returns None to leave a text to the common rules.
    """

    def __init__(self, code: str) -> None:
        self.code = code

    # -- Names of institutions and the like --

    def whole_name(self, record: EntityRecord, text: str, label: str) -> str | None:
        """Return the surrogate for an institution whose name is not a phrase of words."""
        return None

    def organization(self, record: EntityRecord, text: str) -> str | None:
        """Return the surrogate for an authority or firm that is known by its name alone."""
        return None

    def rename(self, record: EntityRecord, phrase: NamePhrase, *, all_capitals: bool) -> str | None:
        """Return the surrogate for the words of a phrase that name something."""
        return None

    def fitting_name(self, record: EntityRecord, phrase: NamePhrase) -> str | None:
        """Return a name that fits the words before the old one."""
        return None

    def single_word(self, record: EntityRecord, text: str) -> str | None:
        """Return the surrogate for a name that is a single word for a kind."""
        return None

    def name_words(self, found: Sequence[NameToken]) -> set[int]:
        """Return the offsets of words that belong to a name although they may be a kind."""
        return set()

    def town_names(self) -> Iterable[str]:
        """Return folded names of towns that may be part of the name of an institution."""
        return ()

    def is_town_name(self, record: EntityRecord, text: str, before: str) -> bool | None:
        """Whether several words of a phrase are a town; None if only listed towns are."""
        return None

    def landmark(self, record: EntityRecord, text: str) -> str | None:
        """Return the surrogate for a landmark without a word for its kind."""
        return None

    # -- Addresses --

    def address(self, record: EntityRecord, text: str) -> str | None:
        """Return the surrogate for a whole address or a part of one."""
        return None

    def street(self, record: EntityRecord, text: str) -> str | None:
        """Return the surrogate for a street with its number."""
        return None

    def street_name(self, record: EntityRecord, phrase: NamePhrase) -> str | None:
        """Return the surrogate for the name of a street."""
        return None

    def is_street(self, text: str) -> bool:
        """Whether a part of an address without a street's name belongs to a street: lgh 1203."""
        return False

    # -- Genitives --

    def genitive_base(self, record: EntityRecord, name: str) -> str | None:
        """Return the base form of a known place in the genitive: Uppsalas -> Uppsala."""
        return None

    def unlisted_genitive_base(self, name: str) -> str | None:
        """Return the base form of an unknown place in the genitive: Ekbros kommun."""
        return None

    def genitive(self, name: str, ending: str) -> str:
        """Return the genitive of a name; `ending` is that of the old name."""
        return name + ending

    # -- Numbers --

    def number_in_words(self, record: EntityRecord, text: str) -> str | None:
        """Return the surrogate for a text that contains a number in words."""
        return None

    def phrase_number(self, record: EntityRecord, text: str) -> str | None:
        """Return the surrogate for a number in a phrase: 58th, 12N."""
        return None

    def uncased_letters(self, record: EntityRecord, run: str) -> str | None:
        """Return the surrogate for letters without case in a number or code."""
        return None

    def phone_country(self, record: EntityRecord, digits: str) -> str | None:
        """Return the country of a phone number without a country code."""
        return None

    # -- Professions and comparisons --

    def profession_key(self, text: str) -> str:
        """Return the form in which professions are compared."""
        return " ".join(name_key(text).split())

    def profession_group(self, word: str) -> str:
        """Return what a profession shares with its surrogates, such as the sex."""
        if word.endswith(words(self.code, "feminine_ends")):
            return "feminine"
        return "masculine" if word.endswith(words(self.code, "masculine_ends")) else "common"

    def singular(self, key: str, known: Collection[str]) -> str:
        """Return the singular of a profession; `known` are the listed ones."""
        return key

    def plural(self, word: str, *, is_listed: bool) -> str:
        """Return the plural of a profession; `is_listed` says whether the old one is listed."""
        return word

    def has_parts_of(self, record: EntityRecord, name: str) -> bool | None:
        """Whether a name has a part of an original; None to compare whole words."""
        return None


@cache
def entity_language(code: str) -> EntityLanguage:
    """Return the rules of a language; the defaults if its folder has no `entities.py`."""
    part = language_part(code, "entities")
    return part.ENTITIES if part else EntityLanguage(code)
