"""What a language must define, and where the engines find what is specific to it.

A language is a package: a folder whose `__init__.py` adds a `Language` to `LANGUAGES`. Everything
else in the folder is optional and loaded by the engine that needs it: data files by
`read_language_toml` or `language_folder`, functions by `language_part`.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from veil.core.errors import InputError, UnknownNameError
from veil.core.registry import Registry
from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import ModuleType

    from veil.core.document import Sentence, Token


Settings = TypeVar("Settings")


class Offsets(NamedTuple):
    """Start and end offsets of tokens in two lists, for callers that need many of them fast."""

    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, tokens: Iterable[tuple[int, int]]) -> Offsets:
        pairs = list(tokens)
        return cls([start for start, _ in pairs], [end for _, end in pairs])


class Language(Protocol):
    """Splits a text, which it never changes.

    Tokens are sorted and disjoint, cover every character except white space (`str.isspace`) and
    contain no white space. Sentences are sorted and disjoint, and each token lies in one. A class
    that inherits from this one needs `code`, `name`, `package`, `tokens` and `sentences`.
    """

    @property
    def code(self) -> str:
        """The ISO 639-1 code: "en"."""

    @property
    def name(self) -> str:
        """The name to display: "English"."""

    @property
    def package(self) -> str:
        """The import name of the language's folder: "veil.languages.en"."""

    @property
    def spaces_between_words(self) -> bool:
        """Whether spaces separate the words; False for Japanese."""
        return True

    @property
    def genitive(self) -> str:
        """The genitive ending of a name, other than an apostrophe with s: "s" in Swedish."""
        return ""

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text."""

    def offsets(self, text: str) -> Offsets:
        """Return the offsets of the tokens; a language may have a faster way than `tokens`."""
        return Offsets.of(self.tokens(text))

    def sentences(self, text: str) -> list[Sentence]:
        """Return the sentences of a text."""


class Morpheme(Protocol):
    """A token with its morphological analysis."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def pos(self) -> str:
        """The part of speech."""

    @property
    def pos_detail(self) -> str:
        """The part of speech in more detail, or ""."""

    @property
    def in_user_dictionary(self) -> bool:
        """Whether the token is a word of the user's dictionary."""


@runtime_checkable
class AnalysedLanguage(Protocol):
    """A language whose tokens come from a morphological analyser."""

    def morphemes(self, text: str) -> Sequence[Morpheme]:
        """Return the morphemes of a text; they are its tokens."""


@runtime_checkable
class ExtensibleLanguage(Protocol):
    """A language whose analyser accepts the user's words."""

    def with_dictionary(self, content: str, *, source: Path | str) -> Language:
        """Return the language with the words of a user dictionary, given as the file's content."""


LANGUAGES: Registry[Language] = Registry("language", group="veil.languages")

DEFAULT_LANGUAGE = "en"
"""The language whose conventions apply to a text in an unknown language."""


def language(name: str) -> Language:
    """Return the language of that name: a code such as "en", or a variant of one."""
    return LANGUAGES.get(name)


@lru_cache(maxsize=8)
def language_with_dictionary(
    name: str, content: str, source: Path | str = "user dictionary"
) -> Language:
    """Return a language with the words of a user dictionary; without content, unchanged."""
    spoken = language(name)
    if not content:
        return spoken
    if not isinstance(spoken, ExtensibleLanguage):
        raise InputError(
            f"{source}: a user dictionary is for languages with a morphological analyser, such as "
            f"Japanese; '{name}' has none"
        )
    return spoken.with_dictionary(content, source=source)


def language_codes() -> list[str]:
    """Return the codes of all languages, without variants, sorted."""
    return sorted({each.code for each in LANGUAGES})


def base_language(name: str) -> str:
    """Return the code of a language or of a variant: "en-wi-deid-2015" -> "en"."""
    for each in (name, name.partition("-")[0]):
        if each in LANGUAGES:
            return LANGUAGES.get(each).code
    raise UnknownNameError("language", name, language_codes())


def known_language(name: str | None) -> str:
    """Return the code of a language or of a variant; for any other name the default language."""
    try:
        return base_language(name or DEFAULT_LANGUAGE)
    except UnknownNameError:
        return DEFAULT_LANGUAGE


def has_spaces(name: str | None) -> bool:
    """Whether spaces separate words in a language or variant; True if there is no such language."""
    code = (name or "").partition("-")[0]
    return code not in LANGUAGES or LANGUAGES.get(code).spaces_between_words


@cache
def language_folder(name: str) -> Path:
    """Return the folder with the data files of a language."""
    return package_folder(LANGUAGES.get(base_language(name)).package)


def package_folder(package: str) -> Path:
    """Return the folder of a package."""
    return Path(import_module(package).__path__[0])


@cache
def language_part(name: str, part: str) -> ModuleType | None:
    """Return a module of a language's folder, such as "rules", or None if it has no such module."""
    module = f"{LANGUAGES.get(base_language(name)).package}.{part}"
    return import_module(module) if find_spec(module) else None


@cache
def read_language_toml(name: str, file: str) -> dict[str, Any]:
    """Return the content of a TOML file in a language's folder; {} if there is no such file."""
    path = language_folder(name) / file
    return read_toml(path) if path.is_file() else {}


def read_language_settings(
    kind: type[Settings], name: str, file: str, fold: Callable[[str], str] = str
) -> Settings:
    """Return a TOML file of a language's folder as a dataclass, all of whose fields have defaults.

    Words with white space between them become a tuple, or folded words a frozenset, if the default
    of a field is one.
    """
    values: dict[str, Any] = dict(read_language_toml(name, file))
    for field in fields(kind):  # type: ignore[arg-type]
        words = values.get(field.name)
        if isinstance(words, str) and isinstance(field.default, frozenset):
            values[field.name] = frozenset(map(fold, words.split()))
        elif isinstance(words, str) and isinstance(field.default, tuple):
            values[field.name] = tuple(words.split())
    return kind(**values)
