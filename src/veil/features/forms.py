"""What a word form looks like on its own: computed once a form, however often it occurs."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING

from veil.core.registry import Registry
from veil.features.templates import code_of
from veil.lexicons import Mark, is_ordinary, word_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

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

    @cached_property
    def marks(self) -> Callable[[str], int]:
        """From a word to the marks of the lexicons that hold it."""
        return word_marks(self.language)


class Form:
    """One word form and what several features ask of it."""

    __slots__ = ("case", "code", "lower", "marks", "resources", "shape", "text")

    def __init__(self, text: str, resources: Resources) -> None:
        self.text = text
        self.lower = lower = text.lower()
        self.resources = resources
        self.case = case = case_of(text, lower)
        self.marks = marks = resources.marks(text) if case in _WORDS else 0
        self.shape = shape_of(text[:_LONGEST_SHAPE])
        self.code = code_of(text, lower, case, marks)


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
    """Maps characters to their shapes; learns each on first sight."""

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


def _add_features(features: Mapping[str, Callable[[Form], str]]) -> None:
    for name, function in features.items():
        FORM_FEATURES.add(name, function)


def _add_flags(tests: Mapping[str, Callable[[str], object]]) -> None:
    for name, test in tests.items():
        FORM_FEATURES.add(name, lambda form, test=test: _flag(test(form.text)))  # type: ignore[misc]


def _normal(form: Form) -> str:
    """The word in lower case; long numbers by their length, as no number of a patient recurs."""
    if form.case != "d":
        return form.lower
    length = len(form.text)
    return form.text if length <= 2 or length == 4 else "0" * min(length, 10)


_add_features(
    {
        "word": lambda form: form.text,
        "lower": lambda form: form.lower,
        "normal": _normal,
        # For windows that share weights and want their own minimum.
        "bag": _normal,
        # What the templates see of the word, with its case.
        "code": lambda form: chr(form.code) + form.case,
        "shape": lambda form: form.shape if form.case != "a" else form.shape[:6],
        "length": lambda form: str(len(form.text)),
        "first4": lambda form: form.lower[:4],
        "last4": lambda form: form.lower[-4:],
        "in-names": lambda form: _flag(form.marks & _NAME),
        "in-places": lambda form: _flag(form.marks & _PLACE),
        "date-word": lambda form: _flag(form.marks & _DATE_WORD),
    }
)
for _length in range(1, LONGEST_AFFIX + 1):
    _add_features(
        {
            f"prefix{_length}": lambda form, n=_length: (  # type: ignore[misc]
                form.lower[:n] if n <= len(form.lower) else ""
            ),
            f"suffix{_length}": lambda form, n=_length: (  # type: ignore[misc]
                form.lower[-n:] if n <= len(form.lower) else ""
            ),
        }
    )


@_feature("short-shape")
def _short_shape(form: Form) -> str:
    if form.case == "d":
        return f"d{min(len(form.text), 9)}"
    return _short(form.shape)


@cache
def _short(shape: str) -> str:
    return _REPEATED.sub(r"\1", shape)


# The lexicons that hold the word, all or some of them, with its case.
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
        lambda form, mask=_mask: f"{form.marks & mask:x}{form.case}",  # type: ignore[misc]
    )


@_feature("ordinary")
def _ordinary(form: Form) -> str:
    """Whether a word is an ordinary one, is listed as a name or place, both or neither."""
    if form.case not in _WORDS:
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


@_feature("token-template")
def _token_template(form: Form) -> str:
    return next(
        (name for name, pattern in _TOKEN_TEMPLATES.items() if pattern.fullmatch(form.text)), ""
    )


@_feature("paper-shape")
def _paper_shape(form: Form) -> str:
    """wi-deid-2015: capitals as A, small letters as a, digits as 0."""
    return "".join(
        "A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in form.text
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


# What the values of some features depend on: words share it, and their ids are found once.
_KEYS: dict[str, Callable[[Form], Hashable]] = {
    "start": lambda form: form.lower[:LONGEST_AFFIX],
    "end": lambda form: form.lower[-LONGEST_AFFIX:],
    "marks": lambda form: (form.marks, form.code, form.case),
    "shape": lambda form: (form.shape, form.case, form.case == "d" and min(len(form.text), 9)),
}
_KEY_OF_FEATURE = {
    **{f"prefix{length}": "start" for length in range(1, LONGEST_AFFIX + 1)},
    **{f"suffix{length}": "end" for length in range(1, LONGEST_AFFIX + 1)},
    **dict.fromkeys(("in-names", "in-places", "date-word", "code", *_MARKS), "marks"),
    **dict.fromkeys(("shape", "short-shape"), "shape"),
}

if TYPE_CHECKING:
    _LookUp = tuple[Callable[[str, int], int], Callable[[Form], str]]
    _Group = tuple[Callable[[Form], Hashable], dict[Hashable, list[int]], list[_LookUp]]


class FormIds:
    """Finds the ids of form features; values that a vocabulary lacks have the id `missing`."""

    def __init__(
        self, vocabularies: Mapping[str, Mapping[str, int]], resources: Resources, missing: int
    ) -> None:
        self._resources = resources
        self._missing = missing
        groups: defaultdict[str, list[int]] = defaultdict(list)
        for column, name in enumerate(vocabularies):
            groups[_KEY_OF_FEATURE.get(name, "")].append(column)
        look_ups = [(values.get, FORM_FEATURES.get(name)) for name, values in vocabularies.items()]
        self._single = [look_ups[column] for column in groups.get("", [])]
        self._groups: list[_Group] = [
            (_KEYS[key], {}, [look_ups[column] for column in columns])
            for key, columns in groups.items()
            if key
        ]
        self.columns = [*groups.pop("", []), *chain.from_iterable(groups.values())]
        """The columns of the ids that `of` returns."""

    def of(self, form: Form) -> list[int]:
        """Return the ids of all features of a form."""
        missing = self._missing
        ids = [get(value(form), missing) for get, value in self._single]
        for key_of, known, look_ups in self._groups:
            key = key_of(form)
            found = known.get(key)
            if found is None:
                found = known[key] = [get(value(form), missing) for get, value in look_ups]
            ids += found
        return ids

    def forget(self) -> None:
        """Forget the ids that were found."""
        for _, known, _ in self._groups:
            known.clear()
