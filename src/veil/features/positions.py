"""Features of a token's position: its line, its neighbours, the rest of the document.

Every function returns one number per token (or per line). Equal numbers mean equal values, in
training and later: they are built from ids of vocabularies, never from numbers of a single run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from veil.core import native
from veil.core.registry import Registry
from veil.features.stream import FIRST_VALUE
from veil.features.templates import mail_addresses, mark_templates, once, show_template
from veil.lexicons.folding import fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from veil.features.stream import Ints, Longs, Stream

    Function = Callable[[Stream], Longs]
    Show = Callable[[Callable[[str, int], str], int], str]


NONE = -1
_OTHER_DOCUMENT = -2
# Bits for one id in a number that combines several: 524,288 words, 32,768 shapes.
_WIDTH = 1 << 19
_SHAPE_WIDTH = 1 << 15
_POSITIONS = 16

_LONGEST_KEY = 3
_LATEST_COLON = 7


@dataclass(frozen=True)
class PositionFeature:
    """A position feature.

    `by_line`: it has one value for a whole line. `needs`: the form features that it reads. `show`:
    describes a number in words, given a function from form features and ids to their values.
    """

    compute: Function
    by_line: bool = False
    needs: tuple[str, ...] = ()
    show: Show = lambda _, number: str(number)


POSITION_FEATURES: Registry[PositionFeature] = Registry("feature of positions")


def position_feature(
    name: str,
    *,
    by_line: bool = False,
    needs: tuple[str, ...] = (),
    show: Show = lambda _, number: str(number),
) -> Callable[[Function], Function]:
    """Register a function as a position feature."""

    def register(function: Function) -> Function:
        POSITION_FEATURES.add(name, PositionFeature(function, by_line, needs, show))
        return function

    return register


def _show_words(value: Callable[[str, int], str], number: int) -> str:
    """The words that a number combines, first to last."""
    if number < 0:
        return "(none)"
    words = []
    while number:
        number, word = divmod(number, _WIDTH)
        words.append(value("normal", word))
    return " ".join(reversed(words))


def _show_words_and_position(value: Callable[[str, int], str], number: int) -> str:
    number, position = divmod(number, _POSITIONS)
    return f"{_show_words(value, number)} +{position}"


def _show_shapes(value: Callable[[str, int], str], number: int) -> str:
    shapes = []
    while number:
        number, shape = divmod(number, _SHAPE_WIDTH)
        shapes.append(value("short-shape", shape // 2) + ("_" if shape % 2 else ""))
    return " ".join(reversed(shapes))


def _longs(array: NDArray[np.generic]) -> Longs:
    return array.astype(np.int64)


@once
def _words(stream: Stream) -> Longs:
    """The normal form of each token."""
    return _longs(stream.column("normal"))


@position_feature("bias")
def _bias(stream: Stream) -> Longs:
    return np.zeros(len(stream), np.int64)


# Lines ---------------------------------------------------------------------------------------


@position_feature("line-key", by_line=True, needs=("normal",), show=_show_words)
@once
def _line_key(stream: Stream) -> Longs:
    """Up to three words before the first colon of a line: the "Edad" of "Edad: 53 años"."""
    colons = np.append(np.flatnonzero(_is_colon(stream)), len(stream) + _LATEST_COLON)
    first_colon = colons[np.searchsorted(colons, stream.first)]
    length = first_colon - stream.first
    has_key = (first_colon < stream.last) & (length > 0) & (length < _LATEST_COLON)
    words = np.append(_words(stream), np.zeros(_LONGEST_KEY, np.int64))
    key = np.zeros(len(stream.first), np.int64)
    for index in range(_LONGEST_KEY):
        here = has_key & (length > index)
        key = np.where(here, key * _WIDTH + words[stream.first + index], key)
    return np.where(has_key, key, NONE)


for _name, _step in (("previous", 1), ("next", -1)):

    @position_feature(f"{_name}-line-key", by_line=True, needs=("normal",), show=_show_words)
    def _key_beside(stream: Stream, step: int = _step) -> Longs:
        return _neighbour_line(stream, _line_key(stream), step)


def _neighbour_line(stream: Stream, values: Longs, step: int) -> Longs:
    """The values of the previous (1) or next (-1) line that is not empty, in the same document."""
    lines = _full_lines(stream)
    docs = stream.doc[stream.first[lines]]
    neighbours = np.full(len(values), _OTHER_DOCUMENT, np.int64)
    if len(lines) > 1:
        here, there = (lines[1:], lines[:-1]) if step > 0 else (lines[:-1], lines[1:])
        same = docs[1:] == docs[:-1]
        neighbours[here] = np.where(same, values[there], _OTHER_DOCUMENT)
    return neighbours


def _full_lines(stream: Stream) -> NDArray[np.intp]:
    return np.flatnonzero(stream.first < stream.last)


@position_feature("line-start", by_line=True, needs=("normal",), show=_show_words)
def _line_start(stream: Stream) -> Longs:
    """The first word of the line."""
    return _words(stream)[stream.first]


@position_feature("line-from-top", by_line=True)
def _line_from_top(stream: Stream) -> Longs:
    return np.minimum(_line_numbers(stream)[0], 41)


@position_feature("line-from-bottom", by_line=True)
def _line_from_bottom(stream: Stream) -> Longs:
    return np.minimum(_line_numbers(stream)[1], 21)


@once
def _line_numbers(stream: Stream) -> tuple[Longs, Longs]:
    """Numbers of lines that are not empty, from the top and from the bottom of a document."""
    top = np.zeros(len(stream.first), np.int64)
    bottom = top.copy()
    lines = _full_lines(stream)
    docs = stream.doc[stream.first[lines]]
    order = np.arange(len(lines))
    top[lines] = order - np.searchsorted(docs, docs, "left") + 1
    bottom[lines] = np.searchsorted(docs, docs, "right") - order
    return top, bottom


@position_feature("line-length", by_line=True)
def _line_length(stream: Stream) -> Longs:
    return _longs(np.minimum(np.log2(stream.last - stream.first + 1) * 1.5, 11))


# Positions in a line -------------------------------------------------------------------------


@once
def _position(stream: Stream) -> Ints:
    return np.arange(len(stream), dtype=np.int32) - stream.first[stream.line]


@position_feature("position")
def _position_from_start(stream: Stream) -> Longs:
    return _longs(np.minimum(_position(stream), 13))


@position_feature("position-from-end")
def _position_from_end(stream: Stream) -> Longs:
    left = stream.last[stream.line] - np.arange(len(stream))
    return _longs(np.minimum(left, 7))


@position_feature("line-key-and-position", needs=("normal",), show=_show_words_and_position)
def _line_key_and_position(stream: Stream) -> Longs:
    position = _position(stream)
    return np.where(position < 10, _line_key(stream)[stream.line] * _POSITIONS + position, NONE)


@once
def _is_colon(stream: Stream) -> NDArray[np.bool_]:
    colon: NDArray[np.bool_] = stream.table.codes[stream.form] == ord(":")
    return colon


@once
def _last_colon(stream: Stream) -> tuple[Longs, NDArray[np.bool_]]:
    """The last colon before each token, and whether it is on the same line."""
    colons = np.where(_is_colon(stream), np.arange(len(stream)), -1)
    before = np.concatenate(([-1], np.maximum.accumulate(colons)[:-1]))
    return before, before > stream.first[stream.line]


@position_feature("field", needs=("normal",), show=_show_words)
@once
def _field(stream: Stream) -> Longs:
    """The two words before the last colon: the "Sexo" of "Edad: 53 años Sexo: M"."""
    colon, on_line = _last_colon(stream)
    words = _words(stream)
    first = stream.first[stream.line]
    one = words[np.maximum(colon - 1, 0)]
    two = np.where(colon - 1 > first, words[np.maximum(colon - 2, 0)], 0)
    return np.where(on_line, two * _WIDTH + one, NONE)


@position_feature("field-and-distance", needs=("normal",), show=_show_words_and_position)
def _field_and_distance(stream: Stream) -> Longs:
    colon, on_line = _last_colon(stream)
    distance = np.minimum(np.arange(len(stream)) - colon, 7)
    return np.where(on_line, _field(stream) * _POSITIONS + distance, NONE)


# Neighbours ----------------------------------------------------------------------------------


def _pairs(values: Longs, width: int) -> Longs:
    return np.concatenate(([0], values[:-1] * width + values[1:]))


@position_feature("word-pair", needs=("normal",), show=_show_words)
def _word_pair(stream: Stream) -> Longs:
    """The previous word and this one, if both are known."""
    words = _words(stream)
    known = np.concatenate(([False], (words[:-1] > 0) & (words[1:] > 0)))
    return np.where(known, _pairs(words, _WIDTH), NONE)


@position_feature("shape-pair", needs=("short-shape",), show=_show_shapes)
@once
def _shape_pair(stream: Stream) -> Longs:
    return _pairs(_spaced_shapes(stream), _SHAPE_WIDTH)


@position_feature("shape-triple", needs=("short-shape",), show=_show_shapes)
def _shape_triple(stream: Stream) -> Longs:
    pairs, shapes = _shape_pair(stream), _spaced_shapes(stream)
    return np.append(pairs[:-1] * _SHAPE_WIDTH + shapes[1:], 0)


@position_feature("spaced-shape", needs=("short-shape",), show=_show_shapes)
@once
def _spaced_shapes(stream: Stream) -> Longs:
    """The short shape, and whether a space follows."""
    spaced = _longs(np.append(stream.end[:-1] < stream.start[1:], False))
    return _longs(stream.column("short-shape")) * 2 + spaced


# Templates and the rest of the document ------------------------------------------------------


@position_feature("template", show=lambda _, number: show_template(number))
def _template(stream: Stream) -> Longs:
    return mark_templates(stream)


_SEEN_SMALL, _SEEN_AS_NAME, _SEEN_IN_MAIL = 1, 2, 4
_SHORTEST_NAME_IN_MAIL = 4
# A record has few addresses; a text full of them must not take unlimited time.
_MOST_ADDRESSES = 20
_AFTER_TITLE = (1, 2, 3)
_NAME_FIELDS = """
    nombre nombres apellido apellidos médico medico paciente name patient physician doctor provider
    namn läkare 氏名 患者 主治医
""".split()


def _show_memory(_: Callable[[str, int], str], number: int) -> str:
    names = {_SEEN_SMALL: "in lower case", _SEEN_AS_NAME: "as a name", _SEEN_IN_MAIL: "in e-mail"}
    return " and ".join(name for bit, name in names.items() if number & bit) or "(nowhere)"


@position_feature("document-memory", show=_show_memory)
def _document_memory(stream: Stream) -> Longs:
    """How the document uses the same word elsewhere: in lower case, as a name, in an address."""
    table = stream.table
    in_mail = _words_in_mail(stream)
    numbers = map(table.word_number, _NAME_FIELDS)
    fields = np.array([number for number in numbers if number is not None], np.int32)
    if native.CORE is not None:
        memory = np.empty(len(stream), np.int64)
        native.CORE.document_memory(
            (
                *(stream.form, stream.start, stream.end, stream.doc, stream.line, stream.first),
                *(table.codes, table.cases, table.word_of),
                *(fields, np.array(in_mail, np.int32), memory),
            ),
            len(table.words),
        )
        return memory
    words = table.word_of[stream.form]
    cases = stream.cases()
    small, capital = cases == ord("a"), _is_capital(cases)
    width = len(table.words)
    # Pairs of documents and words, numbered: a table of all pairs would not fit in memory.
    pairs, at = np.unique(stream.doc.astype(np.int64) * width + words, return_inverse=True)
    seen = np.zeros(len(pairs), np.int64)
    seen[at[small]] = _SEEN_SMALL
    title = table.codes[stream.form] == ord("D")
    after_title = np.zeros(len(stream), bool)
    for distance in _AFTER_TITLE:
        after_title[distance:] |= title[:-distance]
    colon, on_line = _last_colon(stream)
    in_name_field = on_line & np.isin(words[np.maximum(colon - 1, 0)], fields)
    long = capital & (stream.end - stream.start > 2)
    seen[at[long & ~title & (after_title | in_name_field)]] |= _SEEN_AS_NAME
    for doc, word in in_mail:
        seen[np.searchsorted(pairs, doc * width + word)] |= _SEEN_IN_MAIL
    return np.where(capital, seen[at], np.where(small, seen[at] & _SEEN_AS_NAME, 0))


def _is_capital(cases: NDArray[np.uint8]) -> NDArray[np.bool_]:
    capital: NDArray[np.bool_] = (cases == ord("A")) | (cases == ord("C"))
    return capital


def _words_in_mail(stream: Stream) -> list[tuple[int, int]]:
    """Documents and their capitalised words that occur in an e-mail address."""
    table = stream.table
    found = []
    for doc, local_parts in _local_parts(stream).items():
        own = slice(*stream.bounds[doc])
        forms = stream.form[own]
        long = _is_capital(table.cases[forms]) & (stream.end[own] - stream.start[own] > 2)
        for word in np.unique(table.word_of[forms[long]]).tolist():
            text = table.words[word]
            if len(text) >= _SHORTEST_NAME_IN_MAIL and (
                text in local_parts
                or (not text.isascii() and without_diacritics(fold(text)) in local_parts)
            ):
                found.append((doc, word))
    return found


def _local_parts(stream: Stream) -> dict[int, str]:
    """The parts before the @ of the first addresses of each document, in lines."""
    parts: dict[int, list[str]] = {}
    for _, _, doc, local in mail_addresses(stream):
        parts.setdefault(doc, []).append(local)
    return {doc: "\n".join(found[:_MOST_ADDRESSES]) for doc, found in parts.items()}


# Roles ---------------------------------------------------------------------------------------

# "The neighbour, who came with her yesterday, Ann": a role may be several words away.
_FARTHEST_ROLE = 12
_DISTANCES = (2, 3, 5, 8)
"""Where the classes of distances from a role begin, after that of neighbours."""

_BESIDE = 3


def _show_role(value: Callable[[str, int], str], number: int) -> str:
    return _show_near(lambda role: value("role", role), number)


def _show_role_word(value: Callable[[str, int], str], number: int) -> str:
    return _show_near(lambda word: value("normal", word), number)


def _show_near(show: Callable[[int], str], number: int) -> str:
    if number == NONE:
        return "(none)"
    shown, distance = divmod(number, _POSITIONS)
    return f"{show(shown)} {(1, *_DISTANCES)[distance]}"


def _show_roles(value: Callable[[str, int], str], number: int) -> str:
    if number <= 0:
        return "(none)"
    roles = (bit for bit in range(number.bit_length()) if number >> bit & 1)
    return " ".join(value("role", role) for role in roles)


@once
def _has_role(stream: Stream) -> NDArray[np.bool_]:
    """Whether a word indicates the role of a person."""
    ids = stream.column("role")
    nobody = stream.table.vocabularies["role"].get("")
    has_role: NDArray[np.bool_] = (FIRST_VALUE <= ids) & (ids != nobody)
    return has_role


@once
def _roles_around(stream: Stream) -> tuple[Longs, Longs]:
    """The last word of a role before each token and the next one after it, or one far away."""
    order = np.arange(len(stream))
    far = len(stream) + _FARTHEST_ROLE
    before = np.maximum.accumulate(np.where(_has_role(stream), order, -far))
    after = np.minimum.accumulate(np.where(_has_role(stream), order, 2 * far)[::-1])[::-1]
    return np.concatenate(([-far], before[:-1])), np.append(after[1:], 2 * far)


for _side, _name in enumerate(("before", "after")):

    @position_feature(f"role-{_name}", needs=("role",), show=_show_role)
    def _role(stream: Stream, side: int = _side) -> Longs:
        """The nearest role on one side, and its approximate distance in tokens."""
        return _near(stream, _roles_around(stream)[side], _longs(stream.column("role")))

    @position_feature(f"role-word-{_name}", needs=("normal", "role"), show=_show_role_word)
    def _role_word(stream: Stream, side: int = _side) -> Longs:
        """The same with the word itself."""
        return _near(stream, _roles_around(stream)[side], _words(stream))


def _near(stream: Stream, at: Longs, values: Longs) -> Longs:
    distance = np.abs(np.arange(len(stream)) - at)
    there = np.where(distance <= _FARTHEST_ROLE, at, 0)
    is_near = (distance <= _FARTHEST_ROLE) & (stream.doc[there] == stream.doc)
    classes = np.searchsorted(_DISTANCES, distance, "right")
    return np.where(is_near, values[there] * _POSITIONS + classes, NONE)


@position_feature("roles-elsewhere", needs=("role",), show=_show_roles)
def _roles_elsewhere(stream: Stream) -> Longs:
    """The roles next to any mention of a capitalised word in its document, as bits."""
    capital = np.flatnonzero(_is_capital(stream.cases()) & ~_has_role(stream))
    table = stream.table
    words = (
        stream.doc[capital].astype(np.int64) * len(table.words)
        + table.word_of[stream.form[capital]]
    )
    found, index = np.unique(words, return_inverse=True)
    bits = np.zeros(len(found), np.int64)
    roles = _longs(stream.column("role"))
    for around in _roles_around(stream):
        at = around[capital]
        there = np.where(np.abs(at - capital) <= _BESIDE, at, 0)
        is_beside = (there == at) & (stream.doc[there] == stream.doc[capital])
        np.bitwise_or.at(bits, index[is_beside], 1 << roles[there[is_beside]])
    elsewhere = np.full(len(stream), NONE, np.int64)
    elsewhere[capital] = bits[index]
    return elsewhere


_TOP_LINES, _BOTTOM_LINES = 10, 5
_TOP, _BOTTOM, _OTHER = 1, 2, 0


def _show_part(_: Callable[[str, int], str], number: int) -> str:
    return ("elsewhere", "top", "bottom")[number]


@position_feature("place-in-record", show=_show_part)
def _place_in_record(stream: Stream) -> Longs:
    """In the top ten lines of the record, in the bottom five, or elsewhere; empty lines count."""
    part = np.full(len(stream), _OTHER, np.int64)
    words = stream.words
    for text, bounds in zip(stream.texts, stream.bounds, strict=True):
        own = words[slice(*np.searchsorted(words, bounds))]
        ends = _line_ends(text)
        number = np.searchsorted(ends, stream.start[own])
        lines = len(ends) + (not text.endswith("\n"))
        bottom = lines - _BOTTOM_LINES <= number
        part[own] = np.where(number < _TOP_LINES, _TOP, np.where(bottom, _BOTTOM, _OTHER))
    return part


def _line_ends(text: str) -> Longs:
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.flatnonzero(characters == ord("\n")).astype(np.int64)


# Words between white space ---------------------------------------------------------------------

_BLANK_DELIMITED = re.compile(r"\S+")
_SPECIAL_CHARACTERS = re.compile(r"[?/-]")
_OPENING, _CLOSING = "\"'([{<", "\"')]}>.,;:!?"
# aramaki-2006, table 2: (XXX)XXX-XXXX, XXXX/XX/XX and similar ones; X is a digit.
_WORD_TEMPLATES = {
    "phone": re.compile(r"(?:\(?\d{3}\)?[-./]?)?\d{3}[-.]\d{4}", re.ASCII),
    "date": re.compile(r"\d{1,4}([-/.])\d{1,2}(?:\1\d{1,4})?", re.ASCII),
}


@once
def _of_blank_delimited_words(stream: Stream) -> tuple[Longs, Longs]:
    """Whether the word of each token has a special character, and the template that it matches.

    Tokens are smaller than words: a date is three numbers and two marks. Brackets, quotes and
    punctuation around a word are ignored, since they are separate words in a tokenised corpus.
    """
    special, template = np.zeros((2, len(stream)), np.int64)
    words = stream.words
    for text, bounds in zip(stream.texts, stream.bounds, strict=True):
        own = words[slice(*np.searchsorted(words, bounds))]
        starts = stream.start[own]
        for match in _BLANK_DELIMITED.finditer(text):
            word = match[0]
            has_special = _SPECIAL_CHARACTERS.search(word) is not None
            kind = _template_of_word(word)
            if has_special or kind:
                inside = own[slice(*np.searchsorted(starts, match.span()))]
                special[inside] = has_special
                template[inside] = kind
    return special, template


def _template_of_word(word: str) -> int:
    if len(word) < _SHORTEST_TEMPLATE or not any(map(str.isdigit, word)):
        return 0
    # A number in brackets loses both of them; "(617)555-1234" keeps its own.
    for core in (word.rstrip(_CLOSING), word.strip(_OPENING + _CLOSING)):
        for number, pattern in enumerate(_WORD_TEMPLATES.values(), start=1):
            if pattern.fullmatch(core):
                return number
    return 0


_SHORTEST_TEMPLATE = len("1/2")


@position_feature("special-character-in-word")
def _special_character_in_word(stream: Stream) -> Longs:
    return _of_blank_delimited_words(stream)[0]


def _show_word_template(_: Callable[[str, int], str], number: int) -> str:
    return ("(none)", *_WORD_TEMPLATES)[number]


@position_feature("template-of-word", show=_show_word_template)
def _template_of_words(stream: Stream) -> Longs:
    return _of_blank_delimited_words(stream)[1]


# Sentences ------------------------------------------------------------------------------------


@position_feature("sentence-length", by_line=True)
def _sentence_length(stream: Stream) -> Longs:
    """The number of words, in classes from 5 on: exact lengths rarely recur."""
    words = stream.last - stream.first
    return np.where(words < 5, words, 1 + 2 * np.log2(np.maximum(words, 1))).astype(np.int64)


for _side, _name in enumerate(("previous", "next")):

    @position_feature(f"{_name}-sentence-length", by_line=True)
    def _length_beside(stream: Stream, side: int = _side) -> Longs:
        sentences = _neighbours(stream)[side]
        return np.where(sentences == NONE, NONE, _sentence_length(stream)[sentences])


def _neighbours(stream: Stream) -> tuple[Longs, Longs]:
    """The sentences before and after each, skipping empty ones; NONE at a record's ends."""
    before = np.full(len(stream.first), NONE, np.int64)
    after = before.copy()
    full = _full_lines(stream)
    docs = stream.doc[stream.first[full]]
    joined = np.flatnonzero(docs[1:] == docs[:-1])
    before[full[joined + 1]] = full[joined]
    after[full[joined]] = full[joined + 1]
    return before, after


def _show_word(value: Callable[[str, int], str], number: int) -> str:
    return "(none)" if number == NONE else value("word", number)


for _index, _name in enumerate(("last", "second-last", "third-last"), start=1):

    @position_feature(f"{_name}-word-before", by_line=True, needs=("word",), show=_show_word)
    def _word_before(stream: Stream, index: int = _index) -> Longs:
        """A word of the previous sentence, counted from its end; NONE if it has fewer."""
        before, _ = _neighbours(stream)
        at = stream.last[before] - index
        there = (before != NONE) & (stream.first[before] <= at)
        words = stream.column("word").astype(np.int64)
        return np.where(there, words[np.where(there, at, 0)], NONE)


@position_feature("sentence-start")
def _sentence_start(stream: Stream) -> Longs:
    starts = np.zeros(len(stream), np.int64)
    starts[stream.first] = 1
    return starts
