"""What a word form looks like on its own: computed once a form, however often it occurs."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from veil.core.registry import Registry
from veil.features.templates import code_of
from veil.lexicons import Mark, is_ordinary, word_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LONGEST_AFFIX = 5
_LONGEST_SHAPE = 10

_NAME = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME).value
_PLACE = (Mark.CITY | Mark.REGION | Mark.COUNTRY).value
_DATE_WORD = (Mark.MONTH | Mark.WEEKDAY).value

_REPEATED = re.compile(r"(.)\1+")
# aramaki-2006, table 2: (XXX)XXX-XXXX, XXXX/XX/XX and their kin; X is a digit.
_TOKEN_TEMPLATES = {
    "phone": re.compile(r"\(?\d{3}\)?[-.]?\d{3}-\d{4}"),
    "date": re.compile(r"\d{1,4}([-/.])\d{1,2}(?:\1\d{1,4})?"),
    "number": re.compile(r"\d{5,}"),
}


@dataclass(frozen=True)
class Resources:
    """What form features may look up: the language's lexicons, and words of the training set.

    `dictionaries` holds lower-case tokens by name ("city", "street"), as wi-deid-2015 collects them
    from the training set.
    """

    language: str
    dictionaries: Mapping[str, frozenset[str]] = field(default_factory=dict)


class Form:
    """One word form and what several features ask of it."""

    __slots__ = ("case", "code", "lower", "marks", "resources", "shape", "text")

    def __init__(self, text: str, resources: Resources) -> None:
        self.text = text
        self.lower = text.lower()
        self.resources = resources
        self.case = case_of(text)
        self.marks = word_marks(resources.language)(text) if self.case in "AaC" else 0
        self.shape = text[:_LONGEST_SHAPE].translate(_SHAPES)
        self.code = code_of(text, self.lower, self.case, self.marks)


def case_of(text: str) -> str:
    """A: all capitals; C: a capital somewhere; a: letters without a capital; d: digits; or '.'."""
    first = text[0]
    if first.isalpha():
        if text == text.lower():
            return "a"
        return "A" if 1 < len(text) and text.isupper() else "C"
    return "d" if first.isdigit() else "."


class _Shapes(dict[int, str]):
    """Maps characters to their shapes; learns each on first sight."""

    def __missing__(self, code: int) -> str:
        self[code] = shape = _shape_character(chr(code))
        return shape


_SHAPES = _Shapes()


def _shape_character(character: str) -> str:
    """Letters as X and x, digits as d, kana and kanji by their script, the rest as it is."""
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


FORM_FEATURES: Registry[Callable[[Form], str]] = Registry("feature of word forms")


def _feature(name: str) -> Callable[[Callable[[Form], str]], Callable[[Form], str]]:
    return lambda function: FORM_FEATURES.add(name, function)


def _flag(value: object) -> str:
    return "1" if value else ""


@_feature("word")
def _word(form: Form) -> str:
    return form.text


@_feature("lower")
def _lower(form: Form) -> str:
    return form.lower


@_feature("normal")
def _normal(form: Form) -> str:
    """The word in lower case; long numbers by their length, as no number of a patient recurs."""
    if form.case != "d":
        return form.lower
    length = len(form.text)
    return form.text if length <= 2 or length == 4 else "0" * min(length, 10)


@_feature("bag")
def _bag(form: Form) -> str:
    """The same as `normal`, for windows that share weights and want their own minimum."""
    return _normal(form)


@_feature("code")
def _code(form: Form) -> str:
    """What the templates see of the word, with its case."""
    return chr(form.code) + form.case


for _length in range(1, LONGEST_AFFIX + 1):
    FORM_FEATURES.add(
        f"prefix{_length}",
        lambda form, n=_length: form.lower[:n] if n <= len(form.lower) else "",  # type: ignore[misc]
    )
    FORM_FEATURES.add(
        f"suffix{_length}",
        lambda form, n=_length: form.lower[-n:] if n <= len(form.lower) else "",  # type: ignore[misc]
    )


@_feature("shape")
def _shape(form: Form) -> str:
    return form.shape if form.case != "a" else form.shape[:6]


@_feature("short-shape")
def _short_shape(form: Form) -> str:
    if form.case == "d":
        return f"d{min(len(form.text), 9)}"
    return _short(form.shape)


@cache
def _short(shape: str) -> str:
    return _REPEATED.sub(r"\1", shape)


@_feature("length")
def _length_feature(form: Form) -> str:
    return str(len(form.text))


@_feature("marks")
def _marks(form: Form) -> str:
    """All lexicons that hold the word, with its case."""
    return f"{form.marks:x}{form.case}"


_MARKS_OF_NAMES = _NAME | (Mark.SURNAME_FORM | Mark.TITLE | Mark.DOCTOR_TITLE).value
_MARKS_OF_PLACES = _PLACE | (Mark.STREET_HEAD | Mark.HOSPITAL_HEAD | Mark.NATIONALITY).value
_MARKS_OF_WORDS = (Mark.PROFESSION | Mark.RELATIVE | Mark.COMMON | Mark.MEDICAL).value


@_feature("name-marks")
def _name_marks(form: Form) -> str:
    return f"{form.marks & _MARKS_OF_NAMES:x}{form.case}"


@_feature("place-marks")
def _place_marks(form: Form) -> str:
    return f"{form.marks & _MARKS_OF_PLACES:x}{form.case}"


@_feature("word-marks")
def _word_marks(form: Form) -> str:
    return f"{form.marks & _MARKS_OF_WORDS:x}{form.case}"


@_feature("ordinary")
def _ordinary(form: Form) -> str:
    """Whether a word is an ordinary one, is listed as a name or place, both or neither."""
    if form.case not in "AaC":
        return ""
    ordinary = is_ordinary(form.resources.language)(form.text)
    listed = form.marks & (_NAME | _PLACE)
    return f"{'o' if ordinary else '-'}{'n' if listed else '-'}{form.case}"


@_feature("case")
def _case(form: Form) -> str:
    """The four types of aramaki-2006: all upper, all lower, first upper, other."""
    text = form.text
    if text.isupper():
        return "upper"
    if text.islower():
        return "lower"
    return "capitalised" if text[0].isupper() and text[1:].islower() else "other"


@_feature("special-character")
def _special_character(form: Form) -> str:
    return _flag(any(character in "?/-" for character in form.text))


@_feature("token-template")
def _token_template(form: Form) -> str:
    return next(
        (name for name, pattern in _TOKEN_TEMPLATES.items() if pattern.fullmatch(form.text)), ""
    )


@_feature("in-names")
def _in_names(form: Form) -> str:
    return _flag(form.marks & _NAME)


@_feature("in-places")
def _in_places(form: Form) -> str:
    return _flag(form.marks & _PLACE)


@_feature("date-word")
def _date_word(form: Form) -> str:
    return _flag(form.marks & _DATE_WORD)


@_feature("first4")
def _first_four(form: Form) -> str:
    return form.lower[:4]


@_feature("last4")
def _last_four(form: Form) -> str:
    return form.lower[-4:]


@_feature("paper-shape")
def _paper_shape(form: Form) -> str:
    """wi-deid-2015: capitals as A, small letters as a, digits as 0."""
    return "".join(
        "A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in form.text
    )


@_feature("has-letter")
def _has_letter(form: Form) -> str:
    return _flag(any(map(str.isalpha, form.text)))


@_feature("has-capital")
def _has_capital(form: Form) -> str:
    return _flag(any(map(str.isupper, form.text)))


@_feature("begins-with-capital")
def _begins_with_capital(form: Form) -> str:
    return _flag(form.text[0].isupper())


@_feature("all-capitals")
def _all_capitals(form: Form) -> str:
    return _flag(all(map(str.isupper, form.text)))


@_feature("has-digit")
def _has_digit(form: Form) -> str:
    return _flag(any(map(str.isdigit, form.text)))


@_feature("all-digits")
def _all_digits(form: Form) -> str:
    return _flag(form.text.isdigit())


@_feature("has-punctuation")
def _has_punctuation(form: Form) -> str:
    return _flag(any(map(_is_punctuation, form.text)))


@_feature("letters-and-digits")
def _letters_and_digits(form: Form) -> str:
    return _flag(form.text.isalnum() and _has_letter(form) and _has_digit(form))


@_feature("digits-and-punctuation")
def _digits_and_punctuation(form: Form) -> str:
    only = all(c.isdigit() or _is_punctuation(c) for c in form.text)
    return _flag(only and _has_digit(form) and _has_punctuation(form))


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


@_feature("upper")
def _upper(form: Form) -> str:
    return _flag(form.text.isupper())


@_feature("character-type")
def _character_type(form: Form) -> str:
    """kajiyama-2018: hiragana, katakana, kanji, number, or what else; a mixture names them all."""
    types = {
        "number" if c.isdigit() or c in "〇一二三四五六七八九十百千" else script_of(c)
        for c in form.text
    }
    return "+".join(sorted(types))


TRAINED_DICTIONARIES = ("state", "street", "country", "date", "city")
"""The dictionaries of wi-deid-2015: built from the training set plus lists."""

_LISTED = {
    "state": Mark.REGION.value,
    "street": Mark.STREET_HEAD.value,
    "country": Mark.COUNTRY.value,
    "date": _DATE_WORD,
    "city": Mark.CITY.value,
}


def _in_dictionary(form: Form, name: str) -> str:
    trained = form.resources.dictionaries.get(name, frozenset())
    return _flag(form.lower in trained or form.marks & _LISTED[name])


for _name in TRAINED_DICTIONARIES:
    FORM_FEATURES.add(
        f"in-{_name}-dictionary",
        lambda form, name=_name: _in_dictionary(form, name),  # type: ignore[misc]
    )
