"""Swedish numbers whose neighbours show what they count: years, months, ages.

"Stroke 2012" is a year and "CK 2012" a value; "man, 58 år" is an age and "rökt 40 år" a duration.
"""

from __future__ import annotations

import re

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import Bounds, alternatives
from veil.languages.sv.rules.words import LANGUAGE, LISTS, SETS, folded_entries, kind_of
from veil.lexicons import Mark, word_marks
from veil.lexicons.folding import fold

_LOOK_BACK = 32
_LAST_WORD = compile_pattern(r"([^\W_][\w:/-]*)[ \t]*[:=,(]*[ \t]*(?:ca|cirka|c:a|>|<)?[ \t]*\Z")
_MEASURE_FOLLOWS = compile_pattern(rf"[ ]?(?:{alternatives(LISTS['measures'])})(?!\w)")
# Names of values and of other four-digit numbers; a time of day has no colon in some notes.
_MEASURED = SETS["measured"]


def _last_word(text: str, start: int) -> str:
    """The word before a place, in lower case, skipping numbers and marks between them."""
    found = _LAST_WORD.search(text[max(0, start - _LOOK_BACK) : start])
    return fold(found[1]) if found else ""


def _is_measured(word: str) -> bool:
    """Whether a word is the name of a value, with or without its system: fS-Ferritin."""
    return word in _MEASURED or word.rpartition("-")[2] in _MEASURED


def year(text: str, start: int, end: int) -> Bounds | None:
    """A year, unless a measure follows or the name of a value precedes."""
    if _MEASURE_FOLLOWS.match(text, end) or _is_measured(_last_word(text, start)):
        return None
    if text[start:end].endswith("tal") and text[max(0, start - 4) : start] == "ett ":
        return None
    return start, end


_PREVIOUS = compile_pattern(r"([^\W\d_][\w.]*)[ ]\Z")
_YEAR_END = compile_pattern(r"(?:[0-9]{2}|månad)\Z")
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?::?[ae]|\.)?"
_DAYS_BEFORE = compile_pattern(
    rf"(?<![\w,./:]){_DAY}(?:[ ]?(?:[-–]|och|till)[ ]?{_DAY})?[ ]?(?:[-./][ ]?)?\Z"
)


def month(text: str, start: int, end: int) -> Bounds | None:
    """A month with the days before it; alone it must have a capital and more than three letters."""
    days = _DAYS_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    if days is not None:
        return days.start(), end
    if text[start - 1 : start] == "-" or text[start - 1 : start].isalnum():
        return None
    if _YEAR_END.search(text, start, end):
        return start, end
    if not text[start].islower():
        return None
    if _FULL_MONTH.match(text, start, end):
        return start, end
    before = _PREVIOUS.search(text, max(0, start - _LOOK_BACK), start)
    led = before is not None and before[1].lower() in SETS["month_leads"]
    return (start, end) if led else None


_FULL_MONTH = compile_pattern(
    "januari|februari|mars|april|maj|juni|juli|augusti|oktober|[a-z]+mber"
)


_DATE_FOLLOWS = compile_pattern(
    r"\.?[ ](?:den[ ])?[0-9]{1,2}"
    r"(?:/[01]?[0-9]|:[ae]|[ ](?:jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec))"
)


def weekday(text: str, start: int, end: int) -> Bounds | None:
    """A short weekday: in a row, before a date or after a preposition; "2 mån" are months."""
    joined = any(mark in text[start:end] for mark in "-–/")
    counted = text[max(0, start - 3) : start].rstrip()[-1:].isdigit()
    if joined or (_DATE_FOLLOWS.match(text, end) and not counted):
        return start, end
    before = _PREVIOUS.search(text, max(0, start - _LOOK_BACK), start)
    led = before is not None and before[1].lower() in SETS["weekday_leads"]
    return (start, end) if led and text[start:end].lower() != "mån" else None


_WORDS_OF_SCALE = 4


def score(text: str, start: int, end: int) -> Bounds | None:
    """A fraction of a scale that precedes it in the same sentence."""
    sentence = text[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2].rpartition(". ")[2]
    words = [word.strip(".,:;()=").lower() for word in sentence.split()[-_WORDS_OF_SCALE:]]
    return (start, end) if not SETS["scales"].isdisjoint(words) and "till" not in words else None


_CHILD_FOLLOWS = compile_pattern(rf"[ ](?:{alternatives(LISTS['child_follows'])})\b")
_CHILD_IS = compile_pattern(r"(?i:barnet|flickan|pojken|bebisen|sonen|dottern)[ ]är(?:[ ]nu)?[ ]\Z")
_OLD_FOLLOWS = compile_pattern(r"\.?[ ](?:gammal|gamla|gammalt|ung|ålder|åldern)\b")
_DURATION_FOLLOWS = compile_pattern(rf"[ ](?:{alternatives(LISTS['duration_follows'])})\b")
_PERSON_FOLLOWS = compile_pattern(rf"[,;]?[ ](?:{alternatives(LISTS['person_follows'])})\b")
_PLAIN_END = compile_pattern(r"[ ]?(?:[.,;)]|\n|\Z)")
_NUMBER = compile_pattern("[0-9]+")
_NAMED = compile_pattern(r"([^\W\d_]{2,}(?:-[^\W\d_]+)?)(?:,[ ]|[ ][(]|[ ])\Z")
_YOUNGEST_ALONE = 16
_BORN = compile_pattern(r"[0-9][ ]?[(]\Z")


def age(text: str, start: int, end: int) -> Bounds | None:
    """A number with its unit that is an age and not a duration."""
    if _OLD_FOLLOWS.match(text, end):
        return start, end
    if _DURATION_FOLLOWS.match(text, end):
        return None
    unit = text[start:end].lstrip("0123456789½ -–")
    if unit.startswith(("års", "månaders", "veckors", "dagars", "dygns")):
        return (start, end) if _CHILD_FOLLOWS.match(text, end) else None
    before = text[max(0, start - _LOOK_BACK) : start]
    word = _last_word(text, start)
    if not unit.startswith("år"):
        child = (
            _CHILD_FOLLOWS.match(text, end) or word in SETS["children"] or _CHILD_IS.search(before)
        )
        return (start, end) if child or _is_named(before, text, end) else None
    if not before.strip(" \t") or before.rstrip(" \t").endswith("\n"):
        number = _NUMBER.match(text, start)
        old = number is not None and _YOUNGEST_ALONE <= int(number[0])
        opens = _PERSON_FOLLOWS.match(text, end) or _PLAIN_END.match(text, end)
        return (start, end) if opens and (old or unit != "år") else None
    close = word in SETS["persons"] or word in folded_entries("relative") or _BORN.search(before)
    if close or _PERSON_FOLLOWS.match(text, end) or _is_named(before, text, end):
        return start, end
    return None


def _is_named(before: str, text: str, end: int) -> bool:
    """Whether a name comes directly before an age: "Lena Holm, 73 år", "Albin (3 år)"."""
    named = _NAMED.search(before)
    if named is None or _PLAIN_END.match(text, end) is None:
        return False
    kind = kind_of(named[1])
    return named[1][0].isupper() and bool(kind & bits.LISTED) and not kind & bits.MEDICAL


_MONTH_FOLLOWS = compile_pattern(r"[ ]?(?:jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec)", re.I)
_SHORTEST_PHONE = 3


def phone(text: str, start: int, end: int) -> Bounds | None:
    """A telephone number, but not a public one such as that of the ambulance."""
    digits = "".join(filter(str.isdigit, text[start:end]))
    if (
        len(digits) < _SHORTEST_PHONE
        or digits in SETS["public_phones"]
        or _MONTH_FOLLOWS.match(text, end)
    ):
        return None
    return start, end


_YEAR = compile_pattern("(?:19|20)[0-9]{2}")


def no_year(text: str, start: int, end: int) -> Bounds | None:
    """A number that is not the year of an event."""
    return None if _YEAR.fullmatch(text, start, end) else (start, end)


_ORDINARY = (Mark.COMMON | Mark.MEDICAL).value
_ODD = compile_pattern(r"[0-9._]|[a-z][A-Z]")


def username(text: str, start: int, end: int) -> Bounds | None:
    """An account among words: it has characters that no word has."""
    return (start, end) if _ODD.search(text, start, end) else None


def username_field(text: str, start: int, end: int) -> Bounds | None:
    form = text[start:end]
    ordinary = fold(form) in SETS["no_username"] or word_marks(LANGUAGE)(form) & _ORDINARY
    return None if ordinary and not _ODD.search(form) else (start, end)
