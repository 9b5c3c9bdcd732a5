"""Features in words, for explanations of a span: "the word before is 'dr.'".

Every feature has a wording here. A plug-in adds those of its own features with `add_wording`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from veil.core.registry import Registry
from veil.features.forms import LONGEST_AFFIX, TRAINED_DICTIONARIES
from veil.lexicons import Mark

UNKNOWN, EDGE, NOTHING = "(rare)", "(edge)", "(none)"
"""How a feature shows a value that is unknown to the model, the end of the text, and no value."""

Say = Callable[[str, str], str]
"""Makes a phrase from the place of a feature ("the word before") and its value."""


class Wording(NamedTuple):
    """The name of a feature, and a function that describes its values."""

    noun: str
    say: Say


WORDINGS: Registry[Wording] = Registry("feature in words")


def add_wording(name: str, noun: str, say: Say) -> None:
    """Set the name of a feature and the function that describes its values."""
    WORDINGS.add(name, Wording(noun, say))


def in_words(feature: str, offsets: Sequence[int], value: str) -> str:
    """Describe a feature with a value, at these offsets from a word, as a phrase."""
    if feature not in WORDINGS:
        return f"{feature} is '{value}'"
    wording = WORDINGS.get(feature)
    where = place(offsets)
    if value == EDGE:
        return f"there is no {where.removeprefix('the ')}"
    if value == UNKNOWN:
        return f"{wording.noun.format(where=where)} is unknown to the model"
    return wording.say(where, value)


_ORDINALS = ("", "", "second ", "third ", "fourth ", "fifth ")


def place(offsets: Sequence[int]) -> str:
    """The place of a feature in words: "the word", "the second word before"."""
    if len(offsets) == 1:
        return _place(offsets[0])
    side = "before" if offsets[0] < 0 else "after"
    numbers = sorted({abs(offset) for offset in offsets})
    ordinals = " or ".join(_ORDINALS[number].strip() or "first" for number in numbers)
    return f"the {ordinals} word {side}"


def _place(offset: int) -> str:
    if offset == 0:
        return "the word"
    side = "before" if offset < 0 else "after"
    return f"the {_ORDINALS[abs(offset)]}word {side}"


def _quoted(value: str) -> str:
    return "a line end" if not value.strip() else f"'{value}'"


def _is(verb: str) -> Say:
    return lambda where, value: f"{where} {verb} {_quoted(value)}"


_ZEROS = re.compile(r"0{3,10}")


def _normal(where: str, value: str) -> str:
    """The model sees long numbers as zeros: only their length counts."""
    if _ZEROS.fullmatch(value):
        more = " or more" if len(value) == 10 else ""
        return f"{where} is a number of {len(value)} digits{more}"
    return f"{where} is {_quoted(value)}"


def _either(true: str, false: str) -> Say:
    """For features whose value is 1 or empty."""
    return lambda where, value: f"{where} {true if value not in ('', '0') else false}"


# Words and their parts ------------------------------------------------------------------------

for _name in ("word", "lower"):
    add_wording(_name, "{where}", _is("is"))
for _name in ("normal", "bag"):
    add_wording(_name, "{where}", _normal)
for _length in range(1, LONGEST_AFFIX + 1):
    for _kind, _verb in (("prefix", "begins with"), ("suffix", "ends with")):
        add_wording(
            f"{_kind}{_length}",
            "the beginning of {where}" if _kind == "prefix" else "the end of {where}",
            lambda where, value, verb=_verb, length=_length: (  # type: ignore[misc]
                f"{where} {verb} '{value}'" if value else f"{where} has less than {length} letters"
            ),
        )
for _name, _verb in (
    *((f"first{length}", "begins with") for length in (2, 3, 4)),
    *((f"last{length}", "ends with") for length in (2, 4)),
):
    add_wording(_name, "a part of {where}", _is(_verb))
add_wording("length", "the length of {where}", lambda where, value: f"{where} has {value} letters")


# Shapes ---------------------------------------------------------------------------------------

_KINDS = {
    "X": ("capital letter", "capital letters"),
    "A": ("capital letter", "capital letters"),
    "x": ("small letter", "small letters"),
    "a": ("small letter", "small letters"),
    "d": ("digit", "digits"),
    "0": ("digit", "digits"),
    "h": ("hiragana character", "hiragana characters"),
    "k": ("katakana character", "katakana characters"),
    "漢": ("kanji", "kanji"),
}
_NUMBER = re.compile(r"d([1-9])")


def shape_in_words(shape: str, *, is_short: bool = False) -> str:
    """A shape in words: "Xxxx" is "1 capital letter, 3 small letters"."""
    number = _NUMBER.fullmatch(shape)
    if number:
        count = int(number[1])
        return f"a number of {count} digit{'s' if 1 < count else ''}" + (" or more" * (count == 9))
    parts = []
    for kind, run in groupby(shape):
        count = len(list(run))
        if kind not in _KINDS:
            parts.append(_quoted(kind * count))
        elif is_short:
            parts.append(_KINDS[kind][1])
        else:
            parts.append(f"{count} {_KINDS[kind][1 < count]}")
    return ", ".join(parts) or "a line end"


def _shape(where: str, value: str) -> str:
    if not set(value) & _KINDS.keys():
        return f"{where} is {_quoted(value)}"
    return f"{where} looks like '{value}' ({shape_in_words(value)})"


def _short_shape(where: str, value: str) -> str:
    return f"{where} consists of {shape_in_words(value, is_short=True)}"


def _spaced(value: str) -> str:
    """A short shape, with a sign for a space that follows."""
    shape = shape_in_words(value.removesuffix("_"), is_short=True) if value else "nothing"
    return f"{shape} and a blank" if value.endswith("_") else shape


def _shapes(before: int) -> Say:
    def say(where: str, value: str) -> str:
        shown = "; ".join(
            "unknown" if each in (UNKNOWN, EDGE) else _spaced(each) for each in value.split(" ")
        )
        around = {0: where, 1: f"{where} and the one before it", 2: f"{where} and its neighbours"}
        verb = "consists of" if before == 0 else "consist of"
        return f"{around[before]} {verb}: {shown}" if before else f"{where} {verb} {shown}"

    return say


add_wording("shape", "the shape of {where}", _shape)
add_wording("paper-shape", "the shape of {where}", _shape)
add_wording("short-shape", "the shape of {where}", _short_shape)
add_wording("spaced-shape", "the shape of {where}", _shapes(0))
add_wording("shape-pair", "the shape of {where} and of the one before it", _shapes(1))
add_wording("shape-triple", "the shape of {where} and of its neighbours", _shapes(2))
add_wording(
    "word-pair",
    "the pair of {where} and the one before it",
    lambda where, value: (
        f"{where} or the one before it is unknown to the model"
        if value == NOTHING
        else f"{where}, with the one before it, reads '{value}'"
    ),
)


# Lexicons -------------------------------------------------------------------------------------

LISTS = {
    Mark.GIVEN_FEMALE: "given names of women",
    Mark.GIVEN_MALE: "given names of men",
    Mark.SURNAME: "surnames",
    Mark.CITY: "towns",
    Mark.REGION: "regions",
    Mark.COUNTRY: "countries",
    Mark.NATIONALITY: "nationalities",
    Mark.STREET_HEAD: "words for streets",
    Mark.HOSPITAL_HEAD: "words for hospitals",
    Mark.TITLE: "titles",
    Mark.DOCTOR_TITLE: "titles of doctors",
    Mark.PROFESSION: "professions",
    Mark.RELATIVE: "words for relatives",
    Mark.MONTH: "months",
    Mark.WEEKDAY: "weekdays",
    Mark.COMMON: "common words",
    Mark.MEDICAL: "medical terms",
}
"""Display names of the word lists."""

_CASES = {
    "A": "in capitals",
    "C": "with a capital",
    "a": "in small letters",
    "d": "a number",
    ".": "a punctuation mark",
}


def lists_of(marks: int) -> list[str]:
    """The display names of the lists that contain a word."""
    return [name for mark, name in LISTS.items() if marks & mark.value]


def in_lists(found: Sequence[str]) -> str:
    """Say that a word is in lists: "in the lists of towns and surnames"."""
    *others, last = found
    if not others:
        return f"in the list of {last}"
    return f"in the lists of {', '.join(others)} and {last}"


def _marks(kind: str) -> Say:
    def say(where: str, value: str) -> str:
        marks, case = int(value[:-1], 16), value[-1]
        if case in "d.":
            return f"{where} is {_CASES[case]}"
        found = lists_of(marks)
        is_built = bool(marks & Mark.SURNAME_FORM.value)
        listed = f"is {in_lists(found)}" if found else ""
        built = "is built like a surname" if is_built else ""
        said = " and ".join(filter(None, (listed, built))) or f"is in no list of {kind}"
        return f"{where}, written {_CASES[case]}, {said}"

    return say


for _name, _kind in (
    ("marks", "words"),
    ("name-marks", "names or titles"),
    ("place-marks", "places"),
    ("word-marks", "professions, relatives, common words or medical terms"),
):
    add_wording(_name, "the combination of lists that {where} is in", _marks(_kind))


def _ordinary(where: str, value: str) -> str:
    if not value:
        return f"{where} is no word"
    ordinary = "an ordinary word" if value[0] == "o" else "no ordinary word"
    listed = "listed as a name or place" if value[1] == "n" else "in no list of names or places"
    return f"{where}, written {_CASES[value[2]]}, is {ordinary}, and {listed}"


add_wording("ordinary", "whether {where} is an ordinary word", _ordinary)

_CODES = {
    "M": "a month",
    "w": "a weekday",
    "D": "a title",
    "C": "a word for a street",
    "H": "a word for a hospital",
    "F": "a word for a relative",
    "U": "a word in capitals",
    "W": "a word with a capital",
    "x": "a word in small letters",
    "p": "a small word such as 'the'",
    "e": "a small word such as 'of'",
    "u": "a unit",
    "T": "a word such as 'day' or 'week'",
    "E": "a word such as 'age' or 'old'",
    "N": "a number in words",
    "P": "a word such as 'phone'",
    "S": "a word for a man or a woman",
    "I": "a word for an institution",
    "A": "a word such as 'years'",
    "n": "a sign for 'number'",
    "s": "the letter 's'",
    "o": "a sign such as 'º'",
    "*": "another sign",
    "\n": "a line end",
}


def _code(where: str, value: str) -> str:
    code, case = value[0], value[1:]
    if code.isdigit():
        more = " or more" if code == "9" else ""
        return f"{where} is a number of {code} digit{'s' if code != '1' else ''}{more}"
    if code in _CODES:
        written = "" if code in "UWx*\n" or case not in "AaC" else f", written {_CASES[case]}"
        return f"{where} is {_CODES[code]}{written}"
    return f"{where} is the sign {_quoted(code)}"


add_wording("code", "the kind of {where}", _code)
for _name, _size in (("class", "small"), ("coarse-class", "large")):
    add_wording(
        _name,
        "the class of {where}",
        lambda where, value, size=_size: (  # type: ignore[misc]
            f"{where} is used like the words of the {size} class {value}"
            if value
            else f"{where} is in no class of words"
        ),
    )
for _name, _true, _false in (
    ("in-names", "is in a list of names", "is in no list of names"),
    ("in-places", "is in a list of places", "is in no list of places"),
    ("date-word", "is a month or a weekday", "is no month and no weekday"),
    *(
        (
            f"in-{name}-dictionary",
            f"is in the dictionary '{name}' of the training records or lists",
            f"is not in the dictionary '{name}' of the training records and lists",
        )
        for name in TRAINED_DICTIONARIES
    ),
    ("special-character", "has one of the signs ? / -", "has none of the signs ? / -"),
    ("has-letter", "has a letter", "has no letter"),
    ("has-capital", "has a capital", "has no capital"),
    ("begins-with-capital", "begins with a capital", "begins with no capital"),
    ("all-capitals", "is in capitals", "is not in capitals"),
    ("has-digit", "has a digit", "has no digit"),
    ("all-digits", "is a number", "is no number"),
    ("has-punctuation", "has a punctuation mark", "has no punctuation mark"),
    ("letters-and-digits", "has letters and digits", "has not both letters and digits"),
    (
        "digits-and-punctuation",
        "consists of digits and punctuation marks",
        "does not consist of digits and punctuation marks",
    ),
    ("upper", "is in capitals", "is not in capitals"),
    (
        "special-character-in-word",
        "is part of a text between blanks with one of the signs ? / -",
        "is part of a text between blanks with none of the signs ? / -",
    ),
    ("sentence-start", "begins a sentence", "does not begin a sentence"),
):
    add_wording(_name, f"whether {{where}} {_true}", _either(_true, _false))
add_wording(
    "case",
    "the case of {where}",
    lambda where, value: f"{where} is in {value} case" if value != "other" else f"{where} is mixed",
)
add_wording(
    "character-type",
    "the script of {where}",
    lambda where, value: f"{where} is in {value.replace('漢', 'kanji').replace('+', ' and ')}",
)


# Templates ------------------------------------------------------------------------------------

_TEMPLATES = {
    "date": "a date",
    "date-in-words": "a date in words",
    "day-and-month": "a day and a month",
    "month-and-year": "a month and a year",
    "licence": "the number of a licence",
    "long-number": "a long number",
    "age": "an age",
    "phone": "a telephone number",
    "postcode": "a postcode",
    "year": "a year",
    "street": "a street",
    "hospital": "the name of a hospital",
    "institution": "the name of an institution",
    "title": "a title with a name",
    "without-number": "an address without a number",
    "number": "a number",
    "mail": "an e-mail address",
}
_IN_TEMPLATE = {"alone": "looks like", "first": "begins", "inside": "is inside", "last": "ends"}


def _template(where: str, value: str) -> str:
    if value in (NOTHING, ""):
        return f"{where} is in no pattern such as a date, a number or a street"
    name, _, position = value.partition(", ")
    verb = _IN_TEMPLATE.get(position, "is in")
    kind = _TEMPLATES.get(name, name)
    return f"{where} {verb} {kind if verb == 'looks like' else f'what looks like {kind}'}"


for _name in ("template", "token-template", "template-of-word"):
    add_wording(_name, "the pattern that {where} is in", _template)


# Lines and the rest of the record -------------------------------------------------------------


def _field_of(line: str) -> Say:
    def say(where: str, value: str) -> str:
        if value in (NOTHING, ""):
            return f"{line} begins with no field name"
        return f"{line} begins with the field '{value}'"

    return say


for _name, _line in (
    ("line-key", "the line"),
    ("previous-line-key", "the line before"),
    ("next-line-key", "the next line"),
):
    add_wording(_name, f"the field of {_line}", _field_of(_line))


def _with_position(value: str) -> tuple[str, str]:
    """The words and the position in "nombre +3"; an empty string if there are no words."""
    words, _, position = value.rpartition(" +")
    return ("" if words == NOTHING else words), position


def _in_keyed_line(where: str, value: str) -> str:
    words, position = _with_position(value)
    if not words:
        return f"{where} is in no line with a field name, or far from its start"
    return f"{where} is number {int(position) + 1} in a line with the field '{words}'"


def _in_field(where: str, value: str) -> str:
    words, position = _with_position(value)
    if not words:
        return f"{where} is in no field"
    more = " or later" if position == "7" else ""
    return f"{where} is number {position}{more} after the colon of the field '{words}'"


def _number(start: str, end: str, *, first: int = 0, most: int | None = None) -> Say:
    def say(where: str, value: str) -> str:
        number = int(value)
        if number + first == 0:
            return "the line is empty"
        more = " or later" if number == most else ""
        return f"{start.format(where=where)}{number + first}{more}{end}"

    return say


def _line_length(where: str, value: str) -> str:
    number = int(value)
    low, high = 2 ** (number / 1.5) - 1, 2 ** ((number + 1) / 1.5) - 1
    if number == 11:
        return f"the line has {low:.0f} or more words"
    return f"the line has about {low:.0f} to {high:.0f} words"


add_wording(
    "line-start",
    "the first word of the line",
    lambda _, value: f"the line begins with the word {_quoted(value)}",
)
add_wording(
    "line-from-top", "the number of the line", _number("it is in line ", " of the record", most=41)
)
add_wording(
    "line-from-bottom",
    "the number of the line from the end",
    _number("it is in line ", " from the end of the record", most=21),
)
add_wording("line-length", "the length of the line", _line_length)
add_wording(
    "position",
    "the place of {where} in the line",
    _number("{where} is number ", " in the line", first=1, most=13),
)
add_wording(
    "position-from-end",
    "the place of {where} from the end of the line",
    _number("{where} is number ", " from the end of the line", most=7),
)
add_wording("line-key-and-position", "the place of {where} after the field", _in_keyed_line)
add_wording(
    "field",
    "the field of {where}",
    lambda where, value: (
        f"{where} is in no field" if value == NOTHING else f"{where} is in the field '{value}'"
    ),
)
add_wording("field-and-distance", "the place of {where} in the field", _in_field)
add_wording(
    "document-memory",
    "where else the record has {where}",
    lambda where, value: (
        f"{where} stands nowhere else in small letters, as a name or in an e-mail address"
        if value == "(nowhere)"
        else f"{where} stands elsewhere in the record, "
        f"{value.replace('lower case', 'small letters').replace('e-mail', 'an e-mail address')}"
    ),
)


def _of_role(value: str) -> str:
    return "a word for " + {"others": "other people"}.get(value, value)


add_wording(
    "role",
    "whether {where} says who somebody is",
    lambda where, value: (
        f"{where} is {_of_role(value)}" if value else f"{where} does not say who somebody is"
    ),
)
for _side in ("before", "after"):
    for _name, _say in (("role", _of_role), ("role-word", "the word '{}'".format)):
        add_wording(
            f"{_name}-{_side}",
            f"who somebody is, said {_side} {{where}}",
            lambda where, value, side=_side, say=_say: (  # type: ignore[misc]
                f"nothing near {where} says {side} it who somebody is"
                if value == NOTHING
                else f"{say(value.rpartition(' ')[0])} stands {value.rpartition(' ')[2]} or more "
                f"words {side} {where}"
            ),
        )
add_wording(
    "roles-elsewhere",
    "who {where} is where the record says it",
    lambda where, value: (
        f"no word for a person stands beside {where} in the record"
        if value == NOTHING
        else f"{' and '.join(map(_of_role, value.split()))} stands beside {where} in the record"
    ),
)
add_wording(
    "place-in-record",
    "the place in the record",
    lambda where, value: (
        f"{where} is near neither end of the record"
        if value == "elsewhere"
        else f"{where} is near the {value} of the record"
    ),
)
add_wording("bias", "the bias", lambda *_: "how frequent the label is")
for _name, _sentence in (
    ("sentence-length", "the sentence"),
    ("previous-sentence-length", "the sentence before"),
    ("next-sentence-length", "the next sentence"),
):
    add_wording(
        _name,
        f"the length of {_sentence}",
        lambda _, value, sentence=_sentence: (  # type: ignore[misc]
            f"{sentence} does not exist"
            if value == "-1"
            else f"{sentence} has about "
            f"{int(value) if int(value) < 5 else round(2 ** ((int(value) - 1) / 2))} words"
        ),
    )
for _name, _which in (
    ("last", "last"),
    ("second-last", "second last"),
    ("third-last", "third last"),
):
    add_wording(
        f"{_name}-word-before",
        f"the {_which} word of the sentence before",
        lambda _, value, which=_which: (  # type: ignore[misc]
            f"the sentence before has no {which} word"
            if value == NOTHING
            else f"the {which} word of the sentence before is '{value}'"
        ),
    )


# Columns --------------------------------------------------------------------------------------

for _name in ("pos", "short-pos", "fine-pos", "short-fine-pos", "pos-detail"):
    add_wording(
        _name,
        "the part of speech of {where}",
        lambda where, value: f"the part of speech of {where} is {value}",
    )
add_wording(
    "in-user-dictionary",
    "whether {where} is in the user dictionary",
    _either("is in the user dictionary", "is not in the user dictionary"),
)


def _rule(where: str, value: str) -> str:
    if value in ("O", NOTHING):
        return f"no rule finds {where}"
    kind, _, label = value.partition("-")
    if not label:
        return f"a rule finds {where}"
    found = "a clinical value" if label == "VALUE" else f"{label}"
    if kind == "B":
        return f"a rule finds {found} that begins with {where}"
    return f"a rule finds {found} that goes on with {where}"


add_wording("rule", "what the rules find at {where}", _rule)
for _unit in ("token", "entry"):
    for _place_name in ("record", "corpus"):
        add_wording(
            f"{_unit}-majority-in-{_place_name}",
            f"what {{where}} mostly is in the {_place_name}",
            lambda where, value, unit=_unit, scope=_place_name: (  # type: ignore[misc]
                f"the first pass found no {unit} with {where} in the {scope}"
                if value == NOTHING
                else f"the first pass mostly found {where} as {value.rpartition('-')[2]} in the "
                f"{scope}, by {unit}"
            ),
        )
