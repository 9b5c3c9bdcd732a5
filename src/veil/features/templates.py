"""Templates over kinds of tokens: a date, a telephone number, a street, matched as a whole.

Each form has a code of one character: the length of a number, the kind of a word, its case, or the
punctuation mark itself. Templates are regular expressions over the codes of a document, so they are
short, work with every language's months and street words, and read only one byte per token.
"""

from __future__ import annotations

import re
from functools import reduce, wraps
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from veil.core.toml import read_toml
from veil.lexicons import Mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from veil.features.stream import Stream


T = TypeVar("T")


def once(function: Callable[[Stream], T]) -> Callable[[Stream], T]:
    """Compute a function only once per stream, however many features use it."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def remembered(stream: Stream) -> T:
        if name not in stream.memo:
            stream.memo[name] = function(stream)
        found: T = stream.memo[name]
        return found

    return remembered


_LINE_END = ord("\n")
_PUNCTUATION = frozenset("./-,:;()@+_'\n")

_CODE_OF_WORD = {
    word: code
    for code, words in read_toml(Path(__file__).with_name("templates.toml")).items()
    for word in words.split()
}
# The first of these marks that a word has determines its code.
_CODE_OF_MARK = (
    (Mark.MONTH.value, "M"),
    (Mark.WEEKDAY.value, "w"),
    (Mark.DOCTOR_TITLE.value | Mark.TITLE.value, "D"),
    (Mark.STREET_HEAD.value, "C"),
    (Mark.HOSPITAL_HEAD.value, "H"),
    (Mark.RELATIVE.value, "F"),
)
_ANY_MARK = reduce(or_, (mark for mark, _ in _CODE_OF_MARK))
_CODE_OF_CASE = {"A": "U", "C": "W", "a": "x"}


def code_of(text: str, lower: str, case: str, marks: int) -> int:
    """The code of a word form."""
    if case == "d":
        return ord(str(min(len(text), 9)))
    if case == ".":
        return ord(text) if text in _PUNCTUATION else ord("o" if text == "°" else "*")
    if marks & _ANY_MARK:
        return next(ord(code) for mark, code in _CODE_OF_MARK if marks & mark)
    return ord(_CODE_OF_WORD.get(lower) or _CODE_OF_CASE[case])


# A full stop or comma belongs to a number only after a digit: not in "Tel. 912 345 678".
_NOT_IN_NUMBER = r"(?<![0-9/-])(?<![0-9][.,])"
_NUMBER_ENDS = r"(?![0-9/-]|[.,][0-9])"
# In this order; the first that matches at a token wins.
TEMPLATES = {
    "date": rf"{_NOT_IN_NUMBER}(?:[12]/[12]/|[12]-[12]-|[12]\.[12]\.)[24]{_NUMBER_ENDS}"
    rf"|{_NOT_IN_NUMBER}4(?:-[12]-|/[12]/|\.[12]\.)[12]{_NUMBER_ENDS}",
    "date-in-words": r"(?:[12][e/.-]?)?M\.?(?:[,/-]|e[xA]?)?4(?![0-9])"
    rf"|(?:[12][/.-])?M[/.'-]2{_NUMBER_ENDS}|M\.?[12],?4(?![0-9])",
    "day-and-month": r"[12]e?M|M\.?[12](?![0-9:])",
    "month-and-year": r"[12][/-]4(?![0-9/-])",
    "licence": r"2[-/. ]?2[-/. ]?[4567](?![0-9])",
    "long-number": r"2[-/. ]?[789][-/. ]?2(?![0-9])",
    "age": r"(?:[123]|N(?:pN)?)-?(?:A(?:p[12N]T)?|T)-?eE|(?:[123]|N(?:pN)?)-?A(?:-?E)?",
    "phone": r"(?<![0-9/])(?<![0-9][.,])(?:\+[123]-?)?"
    r"(?:\(?3\)?-?3-?4|9|333|3222|2322|36|1233|2223|33222|27|432|[23]-[23]222|3-3222|[234]-[23]22|[34]-32)(?![0-9/])",
    "postcode": rf"(?<![0-9/-])(?<![0-9]\.)5{_NUMBER_ENDS}",
    "year": rf"{_NOT_IN_NUMBER}4{_NUMBER_ENDS}",
    "street": r"C[.o/]*(?:[pe]*[WUC])+(?:[pe]+[WUCHI]+)*,?(?:[on.*]*[123])?"
    r"|C[.o/]*,?[123](?![0-9])",
    "hospital": r"H(?:[pe]*[WUHI])+",
    "institution": r"I(?:[pe]*[WUHI])+",
    "title": r"D\.?o?[pe]*[WU](?:[pe]*[WU])*",
    "without-number": r"s/n",
    "number": rf"{_NOT_IN_NUMBER}[678]{_NUMBER_ENDS}",
}
_TEMPLATE = re.compile("|".join(f"({p})" for p in TEMPLATES.values()).encode())
_STARTS = np.zeros(256, bool)
_STARTS[[ord(code) for code in "0123456789CHIDNsM+("]] = True

# Around each "@"; the part before it has a limited length, so this stays linear.
_LONGEST_LOCAL_PART = 64
_MAIL_LOCAL_PART = re.compile(r"[\w.+-]+\Z")
_MAIL_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*")

_ALONE, _FIRST, _INNER, _LAST = range(4)
MAIL = len(TEMPLATES)


def mark_templates(stream: Stream) -> NDArray[np.int64]:
    """For each token: 0, or its template and whether it is at its start, inside or at its end."""
    marked = bytearray(len(stream))
    codes = stream.table.codes[stream.form]
    row = codes.tobytes()
    match = _TEMPLATE.match
    position = 0
    for index in np.flatnonzero(_STARTS[codes]).tolist():
        if index < position:
            continue
        found = match(row, index)
        if found and found.lastindex:
            position = found.end()
            _mark(marked, found.lastindex - 1, index, position)
    for first, end, _, _ in mail_addresses(stream):
        _mark(marked, MAIL, first, end)
    return np.frombuffer(marked, np.uint8).astype(np.int64)


def _mark(marked: bytearray, template: int, first: int, end: int) -> None:
    kind = 4 * template + 1
    marked[first:end] = bytes((kind + _INNER,)) * (end - first)
    marked[end - 1] = kind + _LAST
    marked[first] = kind + (_ALONE if end - first == 1 else _FIRST)


def show_template(number: int) -> str:
    """A number of `mark_templates` in words."""
    if number <= 0:
        return "(none)"
    template, position = divmod(number - 1, 4)
    return f"{[*TEMPLATES, 'mail'][template]}, {('alone', 'first', 'inside', 'last')[position]}"


@once
def mail_addresses(stream: Stream) -> list[tuple[int, int, int, str]]:
    """E-mail addresses: first token, end, document, and the part before the @ in lower case."""
    found = []
    for doc, (text, (first, end)) in enumerate(zip(stream.texts, stream.bounds, strict=True)):
        at = text.find("@")
        if at < 0:
            continue
        words = first + np.flatnonzero(~stream.breaks[first:end])
        starts = stream.start[words]
        while at >= 0:
            local = _MAIL_LOCAL_PART.search(text, max(0, at - _LONGEST_LOCAL_PART), at)
            domain = _MAIL_DOMAIN.match(text, at + 1)
            if local and domain:
                begin, stop = starts.searchsorted((local.start(), domain.end())).tolist()
                own = int(words[begin]), int(words[stop - 1]) + 1
                found.append((*own, doc, local.group().lower()))
            at = text.find("@", at + 1)
    return found
