"""Features of word forms by themselves: computed once per form, however often it occurs.

Features are computed for many forms at a time, one column each, which is many times faster.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from veil.core.registry import Registry
from veil.features.templates import code_of
from veil.languages.base import language_folder, read_language_toml
from veil.lexicons import Mark, is_ordinary, word_marks
from veil.lexicons.classes import word_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    Feature = Callable[["Forms"], Sequence[str]]

LONGEST_AFFIX = 5
_LONGEST_SHAPE = 10
_REMEMBERED = 1 << 12

_NAME = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME).value
_PLACE = (Mark.CITY | Mark.REGION | Mark.COUNTRY).value
_NAME_OR_PLACE = _NAME | _PLACE
_DATE_WORD = (Mark.MONTH | Mark.WEEKDAY).value

_REPEATED = re.compile(r"(.)\1+")
# aramaki-2006, table 2: (XXX)XXX-XXXX, XXXX/XX/XX and similar ones; X is a digit.
_TOKEN_TEMPLATES = {
    "phone": re.compile(r"\(?\d{3}\)?[-.]?\d{3}-\d{4}"),
    "date": re.compile(r"\d{1,4}([-/.])\d{1,2}(?:\1\d{1,4})?"),
    "number": re.compile(r"\d{5,}"),
}


ROLES = "roles.toml"
"""The file of a language with words for roles of people, such as staff."""


@cache
def role_words(language: str) -> dict[str, str]:
    """The words of a language for roles of people, with their roles: "staff"."""
    roles = read_language_toml(language, ROLES)
    return {word: role for role, words in roles.items() for word in words.split()}


def roles_inputs(language: str) -> tuple[Path, ...]:
    """Return the file with words of roles, if the language has one."""
    file = language_folder(language) / ROLES
    return (file,) if file.is_file() else ()


@dataclass(frozen=True)
class Resources:
    """Resources for form features: the language's lexicons, and words of the training set.

    `dictionaries` holds lower-case tokens by name ("city", "street"), as wi-deid-2015 collects them
    from the training set.
    """

    language: str
    dictionaries: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def marks(self) -> Callable[[str], int]:
        """Maps a word to the marks of the lexicons that contain it."""
        return word_marks(self.language)


class Forms:
    """Word forms and properties that several features use: lists in the order of the forms."""

    def __init__(self, texts: Sequence[str], resources: Resources) -> None:
        self.texts = texts
        self.resources = resources
        self.lowers = lowers = [text.lower() for text in texts]
        self.cases = cases = list(map(case_of, texts, lowers))
        self.marks = marks = [
            resources.marks(text) if case in _WORDS else 0
            for text, case in zip(texts, cases, strict=True)
        ]
        self.shapes = [shape_of(text[:_LONGEST_SHAPE]) for text in texts]
        self.codes = list(map(code_of, texts, lowers, cases, marks))


_WORDS = "AaC"


def case_of(text: str, lower: str | None = None) -> str:
    """A: all capitals; C: a capital somewhere; a: letters without a capital; d: digits; or '.'."""
    first = text[0]
    if first.isalpha():
        if text == (text.lower() if lower is None else lower):
            return "a"
        return "A" if 1 < len(text) and text.isupper() else "C"
    return "d" if first.isdigit() else "."


class _Shapes(dict[int, str]):
    """Maps characters to their shapes, which are cached."""

    def __missing__(self, code: int) -> str:
        self[code] = shape = _shape_character(chr(code))
        return shape


_SHAPES = _Shapes()
_FIRST_BEYOND_LATIN_1 = "\u0100"


def shape_of(text: str) -> str:
    """The shapes of all characters."""
    if text < _FIRST_BEYOND_LATIN_1:
        try:
            # Bytes are translated several times as fast.
            return text.encode("latin-1").translate(_shapes_of_bytes()).decode("latin-1")
        except UnicodeEncodeError:
            pass
    return text.translate(_SHAPES)


@cache
def _shapes_of_bytes() -> bytes:
    return "".join(_shape_character(chr(code)) for code in range(256)).encode("latin-1")


def _shape_character(character: str) -> str:
    """Letters as X and x, digits as d, kana and kanji by script, other characters unchanged."""
    if character.isascii():
        if character.isalpha():
            return "X" if character.isupper() else "x"
        return "d" if character.isdigit() else character
    script = script_of(character)
    if script != "other":
        return script[0]
    if character.isupper():
        return "X"
    return "x" if character.isalpha() else "d" if character.isdigit() else character


def script_of(character: str) -> str:
    """The Japanese script of a character: "hiragana", "katakana", "漢" for kanji, or "other"."""
    if "ぁ" <= character <= "ゟ":
        return "hiragana"
    if "゠" <= character <= "ヿ" or "ｦ" <= character <= "ﾟ":
        return "katakana"
    if "一" <= character <= "鿿" or "㐀" <= character <= "䶿" or character in "々〆":
        return "漢"
    return "other"


FORM_FEATURES: Registry[Feature] = Registry("feature of word forms")


def _feature(name: str) -> Callable[[Feature], Feature]:
    return lambda function: FORM_FEATURES.add(name, function)


def _flags(values: Iterable[object]) -> list[str]:
    return ["1" if value else "" for value in values]


def _add_features(features: Mapping[str, Feature]) -> None:
    for name, function in features.items():
        FORM_FEATURES.add(name, function)


def _of_texts(value: Callable[[str], str]) -> Feature:
    return lambda forms: list(map(value, forms.texts))


def _add_flags(tests: Mapping[str, Callable[[str], object]]) -> None:
    for name, test in tests.items():
        FORM_FEATURES.add(name, lambda forms, test=test: _flags(map(test, forms.texts)))  # type: ignore[misc]


def _normal(text: str, lower: str, case: str) -> str:
    """The word in lower case; long numbers by their length, since their values rarely recur."""
    if case != "d":
        return lower
    length = len(text)
    return text if length <= 2 or length == 4 else "0" * min(length, 10)


def _normals(forms: Forms) -> list[str]:
    return list(map(_normal, forms.texts, forms.lowers, forms.cases))


_add_features(
    {
        "word": lambda forms: forms.texts,
        "lower": lambda forms: forms.lowers,
        "normal": _normals,
        # For windows that share weights and need their own minimum.
        "bag": _normals,
        # The codes of the word and its case in templates.
        "code": lambda forms: list(map(str.__add__, map(chr, forms.codes), forms.cases)),
        "shape": lambda forms: [
            shape if case != "a" else shape[:6]
            for shape, case in zip(forms.shapes, forms.cases, strict=True)
        ],
        "length": _of_texts(lambda text: str(len(text))),
        # Unlike `prefix2` and the like, these are the word itself if it is shorter.
        "first2": lambda forms: [lower[:2] for lower in forms.lowers],
        "first3": lambda forms: [lower[:3] for lower in forms.lowers],
        "first4": lambda forms: [lower[:4] for lower in forms.lowers],
        "last2": lambda forms: [lower[-2:] for lower in forms.lowers],
        "last4": lambda forms: [lower[-4:] for lower in forms.lowers],
        "in-names": lambda forms: _flags(marks & _NAME for marks in forms.marks),
        "in-places": lambda forms: _flags(marks & _PLACE for marks in forms.marks),
        "date-word": lambda forms: _flags(marks & _DATE_WORD for marks in forms.marks),
    }
)
for _length in range(1, LONGEST_AFFIX + 1):
    _add_features(
        {
            f"prefix{_length}": lambda forms, n=_length: [  # type: ignore[misc]
                lower[:n] if n <= len(lower) else "" for lower in forms.lowers
            ],
            f"suffix{_length}": lambda forms, n=_length: [  # type: ignore[misc]
                lower[-n:] if n <= len(lower) else "" for lower in forms.lowers
            ],
        }
    )


@_feature("short-shape")
def _short_shapes(forms: Forms) -> list[str]:
    return [
        f"d{min(len(text), 9)}" if case == "d" else _short(shape)
        for text, case, shape in zip(forms.texts, forms.cases, forms.shapes, strict=True)
    ]


@lru_cache(_REMEMBERED)
def _short(shape: str) -> str:
    return _REPEATED.sub(r"\1", shape)


@lru_cache(_REMEMBERED)
def _show_marks(marks: int, case: str) -> str:
    return f"{marks:x}{case}"


# The lexicons that contain the word, all or some of them, with its case.
_ALL_MARKS = ~0
_MARKS = {
    "marks": _ALL_MARKS,
    "name-marks": _NAME | (Mark.SURNAME_FORM | Mark.TITLE | Mark.DOCTOR_TITLE).value,
    "place-marks": _PLACE | (Mark.STREET_HEAD | Mark.HOSPITAL_HEAD | Mark.NATIONALITY).value,
    "word-marks": (Mark.PROFESSION | Mark.RELATIVE | Mark.COMMON | Mark.MEDICAL).value,
}
for _name, _mask in _MARKS.items():
    FORM_FEATURES.add(
        _name,
        lambda forms, mask=_mask: [  # type: ignore[misc]
            _show_marks(marks & mask, case)
            for marks, case in zip(forms.marks, forms.cases, strict=True)
        ],
    )


for _name, _is_fine in (("class", True), ("coarse-class", False)):
    FORM_FEATURES.add(
        _name,
        lambda forms, fine=_is_fine: _classes(forms, fine=fine),  # type: ignore[misc]
    )


def _classes(forms: Forms, *, fine: bool) -> list[str]:
    """The class of words in similar contexts, if the language has such classes."""
    classes = word_classes(forms.resources.language)
    return [""] * len(forms.texts) if classes is None else classes.of(forms.texts, fine=fine)


@_feature("role")
def _roles(forms: Forms) -> list[str]:
    """The role of a person that a word indicates, if the language lists it: "staff"."""
    role = role_words(forms.resources.language).get
    return [role(lower, "") for lower in forms.lowers]


@_feature("ordinary")
def _ordinary(forms: Forms) -> list[str]:
    """Whether a word is ordinary, is listed as a name or place, both or neither."""
    return [
        _show_ordinary(
            is_ordinary(forms.resources.language)(text), marks & _NAME_OR_PLACE != 0, case
        )
        if case in _WORDS
        else ""
        for text, marks, case in zip(forms.texts, forms.marks, forms.cases, strict=True)
    ]


@cache
def _show_ordinary(ordinary: bool, listed: bool, case: str) -> str:
    return f"{'o' if ordinary else '-'}{'n' if listed else '-'}{case}"


def _case(text: str) -> str:
    """The four types of aramaki-2006: all upper, all lower, first upper, other."""
    if text.isupper():
        return "upper"
    if text.islower():
        return "lower"
    return "capitalised" if text[0].isupper() and text[1:].islower() else "other"


def _token_template(text: str) -> str:
    return next((name for name, pattern in _TOKEN_TEMPLATES.items() if pattern.fullmatch(text)), "")


def _paper_shape(text: str) -> str:
    """wi-deid-2015: capitals as A, small letters as a, digits as 0."""
    return "".join(
        "A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in text
    )


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _has_punctuation(text: str) -> bool:
    return any(map(_is_punctuation, text))


def _is_digits_and_punctuation(text: str) -> bool:
    only = all(c.isdigit() or _is_punctuation(c) for c in text)
    return only and _has_digit(text) and _has_punctuation(text)


_add_flags(
    {
        "special-character": lambda text: any(character in "?/-" for character in text),
        "has-letter": _has_letter,
        "has-capital": lambda text: any(map(str.isupper, text)),
        "begins-with-capital": lambda text: text[0].isupper(),
        "all-capitals": lambda text: all(map(str.isupper, text)),
        "has-digit": _has_digit,
        "all-digits": str.isdigit,
        "has-punctuation": _has_punctuation,
        "letters-and-digits": lambda text: (
            text.isalnum() and _has_letter(text) and _has_digit(text)
        ),
        "digits-and-punctuation": _is_digits_and_punctuation,
        "upper": str.isupper,
    }
)


def _character_type(text: str) -> str:
    """kajiyama-2018: hiragana, katakana, kanji, number, or other; a mixture has all that occur."""
    types = {
        "number" if c.isdigit() or c in "〇一二三四五六七八九十百千" else script_of(c) for c in text
    }
    return "+".join(sorted(types))


_add_features(
    {
        "case": _of_texts(_case),
        "token-template": _of_texts(_token_template),
        "paper-shape": _of_texts(_paper_shape),
        "character-type": _of_texts(_character_type),
    }
)

TRAINED_DICTIONARIES = ("state", "street", "country", "date", "city")
"""The dictionaries of wi-deid-2015: built from the training set plus lists."""

_LISTED = {
    "state": Mark.REGION.value,
    "street": Mark.STREET_HEAD.value,
    "country": Mark.COUNTRY.value,
    "date": _DATE_WORD,
    "city": Mark.CITY.value,
}


def _in_dictionary(forms: Forms, name: str) -> list[str]:
    trained = forms.resources.dictionaries.get(name, frozenset())
    listed = _LISTED[name]
    return _flags(
        lower in trained or marks & listed
        for lower, marks in zip(forms.lowers, forms.marks, strict=True)
    )


for _name in TRAINED_DICTIONARIES:
    FORM_FEATURES.add(
        f"in-{_name}-dictionary",
        lambda forms, name=_name: _in_dictionary(forms, name),  # type: ignore[misc]
    )
