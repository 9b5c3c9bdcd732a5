"""Japanese: morphemes by MeCab with ipadic, which are its tokens, and sentences.

The analyser and its dictionary are loaded at the first use, once in each thread: a MeCab tagger
must not be shared between threads.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from functools import cache, lru_cache
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from veil.core.document import Sentence, Token
from veil.core.patterns import compile_pattern
from veil.languages.base import LANGUAGES, Language, Offsets
from veil.languages.ja.forms import AnalysisForm, analysis_form
from veil.languages.ja.user_dictionary import UserDictionary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


class Morpheme(NamedTuple):
    """A word with ipadic's analysis.

    `pos` and `pos_detail` are 品詞 and 品詞細分類1 ("名詞", "固有名詞"); `pos_fine` holds the two
    finer levels ("人名-姓"), `base` the dictionary form; each is empty if ipadic has none.
    """

    start: int
    end: int
    pos: str
    pos_detail: str
    pos_fine: str
    base: str
    in_user_dictionary: bool


class _Reading(NamedTuple):
    """The analysis of a morpheme, without its offsets."""

    pos: str
    pos_detail: str
    pos_fine: str = ""
    base: str = ""
    in_user_dictionary: bool = False


_Piece = tuple[int, int, _Reading]
"""A morpheme with offsets into the form that the analyser reads."""

_NUMBER = _Reading("名詞", "数")
_LATIN_WORD = _Reading("名詞", "一般")
_SYMBOL = _Reading("記号", "一般")
_USER_WORD = _Reading("名詞", "固有名詞")
_READING_OF_RUN = {"digits": _NUMBER, "latin": _LATIN_WORD}

_LINE = compile_pattern(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
# The analyser gets this many characters at a time, cut at the end of a word if possible.
_LONGEST_CHUNK = 2000
_REMEMBERED = 1 << 14
_CHUNK_END = compile_pattern(r".*[\s。、，．]", re.DOTALL)
# Runs that are always one token (the analyser cuts words of more than 24 letters), and marks that
# are one token each, so that no sentence ends inside one. The pattern begins with a set of
# characters, which is found faster than alternatives are.
_LATIN = "A-Za-zÀ-ÖØ-öø-ʯͰ-ҁҊ-ԯḀ-ỿ"
_WHOLE = compile_pattern(
    rf"[\d{_LATIN}。．！？」』）】〕”]"
    rf"(?:(?P<digits>(?<=\d)\d*)|(?P<latin>(?<=[{_LATIN}])[{_LATIN}\u0300-\u036f]*)|)"
)
_KANJI_NUMERALS = frozenset("〇一二三四五六七八九十百千万億兆")
_KANJI_NUMBER = compile_pattern("[〇一二三四五六七八九十百千万億兆]{2}")

# A stop between digits is a decimal point; a half-width one after Latin letters is part of an
# abbreviation.
_STOP = compile_pattern(
    r"(?:[。！？!?｡]|(?<![0-9０-９])．|．(?![0-9０-９])|(?<=[^\x00-\x7f])\.(?![0-9A-Za-z]))+[」』）)】〕”｣]*"
)
_BRACKET = compile_pattern(r"[「『（(【〔“｢」』）)】〕”｣]")
_CLOSING = dict(zip("「『（(【〔“｢", "」』）)】〕”｣", strict=True))


class _Tagger(threading.local):
    """MeCab with ipadic, one in each thread and for each format of its output."""

    def __init__(self, output: str = "") -> None:
        import fugashi
        import ipadic

        self.mecab: Any = fugashi.GenericTagger(f"{ipadic.MECAB_ARGS} {output}")


class JapaneseLanguage(Language):
    """Japanese, with the words of a user dictionary in preference to ipadic's, if one is given."""

    code = "ja"
    name = "Japanese"
    package = __name__
    spaces_between_words = False

    def __init__(self, *, user_dictionary: Path | UserDictionary | None = None) -> None:
        self._user_dictionary = (
            user_dictionary
            if user_dictionary is None or isinstance(user_dictionary, UserDictionary)
            else UserDictionary.read(user_dictionary)
        )

    def with_dictionary(self, content: str, *, source: Path | str) -> Self:
        """Return the language with the words of a user dictionary (see `UserDictionary.read`)."""
        return type(self)(user_dictionary=UserDictionary.parse(content, source=source))

    def tokens(self, text: str) -> list[Token]:
        # `Token(*pair)` takes three times as long.
        make = tuple.__new__
        return [make(Token, pair) for pair in zip(*self.offsets(text), strict=True)]

    def offsets(self, text: str) -> Offsets:
        """Return the offsets of the tokens, faster than `morphemes` can."""
        starts: list[int] = []
        ends: list[int] = []
        for first, chunk in _chunks(text):
            own_starts, own_ends = self._cut(chunk)
            starts += [first + start for start in own_starts]
            ends += [first + end for end in own_ends]
        return Offsets(starts, ends)

    def morphemes(self, text: str) -> list[Morpheme]:
        """Return the morphemes of a text; they are its tokens."""
        return [
            Morpheme(form.places[start], form.places[end], *reading)
            for first, chunk in _chunks(text)
            for form in [analysis_form(chunk, first)]
            for start, end, reading in _pieces(form.text, self._user_dictionary)
        ]

    def _cut(self, chunk: str) -> tuple[Iterable[int], Iterable[int]]:
        if self._user_dictionary:
            return _cut_by_analysis(analysis_form(chunk), self._user_dictionary)
        return _cut_short(chunk) if len(chunk) < 256 else _cut(chunk)

    def sentences(self, text: str) -> list[Sentence]:
        return [
            Sentence(start, end)
            for line in _LINE.finditer(text)
            for start, end in _split_line(text, line.start(), line.end())
        ]


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text for the analyser, with their offsets."""
    for line in _LINE.finditer(text):
        start, end = line.span()
        while end - start > _LONGEST_CHUNK:
            found = _CHUNK_END.match(text, start, start + _LONGEST_CHUNK)
            cut = found.end() if found else start + _LONGEST_CHUNK
            yield start, text[start:cut]
            start = cut
        yield start, text[start:end]


# Texts are searched again after masking, when most of their lines are unchanged.
@lru_cache(_REMEMBERED)
def _cut_short(chunk: str) -> tuple[bytes, bytes]:
    """Return the starts and ends of the tokens of less than 256 characters; bytes are small."""
    starts, ends = _cut(chunk)
    return bytes(starts), bytes(ends)


def _cut(chunk: str) -> Offsets:
    """Return the starts and ends of the tokens of a chunk."""
    form = analysis_form(chunk)
    cuts = _cut_without_readings(form.text)
    if cuts is None:
        return _cut_by_analysis(form, None)
    return cuts if isinstance(form.places, range) else _in_text(cuts, form)


def _cut_by_analysis(form: AnalysisForm, dictionary: UserDictionary | None) -> Offsets:
    pieces = _pieces(form.text, dictionary)
    return _in_text(Offsets.of((start, end) for start, end, _ in pieces), form)


def _in_text(cuts: Offsets, form: AnalysisForm) -> Offsets:
    place = form.places.__getitem__
    return Offsets(list(map(place, cuts.starts)), list(map(place, cuts.ends)))


def _cut_without_readings(form: str) -> Offsets | None:
    """Return the offsets of `_pieces`, or None if they depend on readings.

    Reading MeCab's analysis of words takes several times as long as finding the words.
    """
    if _KANJI_NUMBER.search(form):
        return None
    if form.isspace():
        return Offsets([], [])
    words = _cutter().mecab.parse(form).split("\t")
    ends = list(accumulate(map(len, words)))
    if form.rstrip() != "".join(words):
        return None  # the analyser skipped something
    starts = list(map(sub, ends, map(len, map(str.lstrip, words))))
    if whole_runs := _whole_runs(form, dict(zip(starts, ends, strict=True))):
        pieces = [(start, end, _SYMBOL) for start, end in zip(starts, ends, strict=True)]
        return Offsets.of((start, end) for start, end, _ in _impose(pieces, whole_runs))
    return Offsets(starts, ends)


def _pieces(form: str, dictionary: UserDictionary | None) -> list[_Piece]:
    """Return the morphemes of a part of a text."""
    pieces = _analyse(form)
    if whole_runs := _whole_runs(form, {start: end for start, end, _ in pieces}):
        pieces = _impose(pieces, whole_runs)
    if _KANJI_NUMBER.search(form):
        pieces = _join_numerals(form, pieces)
    if dictionary:
        pieces = _impose(pieces, _user_words(form, pieces, dictionary))
    return pieces


def _analyse(form: str) -> list[_Piece]:
    """Return what MeCab finds; what it skips, except white space, becomes a symbol."""
    if form.isspace():
        return []
    pieces: list[_Piece] = []
    position = 0
    for line in _tagger().mecab.parse(form).split("\n"):
        surface, tab, feature = line.partition("\t")
        start = form.find(surface, position) if tab else -1
        if start < 0:
            continue
        if position < start:
            pieces += _symbols(form, position, start)
        position = start + len(surface)
        pieces.append((start, position, _reading(feature)))
    return pieces + _symbols(form, position, len(form))


@cache
def _tagger() -> _Tagger:
    return _Tagger()


@cache
def _cutter() -> _Tagger:
    """Return a MeCab that writes each word with the spaces before it, without its analysis."""
    return _Tagger(r"""-F"%M\t" -E"\n" """)


def _symbols(form: str, start: int, end: int) -> list[_Piece]:
    return [(place, place + 1, _SYMBOL) for place in range(start, end) if not form[place].isspace()]


@lru_cache(maxsize=4096)
def _reading(feature: str) -> _Reading:
    """Read ipadic's fields: four levels of part of speech, two of inflection, the base form."""
    fields = ["" if part == "*" else part for part in feature.split(",")]
    pos, detail, *finer = fields[:4]
    return _Reading(pos, detail, "-".join(filter(None, finer)), fields[6])


def _whole_runs(form: str, end_of: Mapping[int, int]) -> list[_Piece]:
    """Return the runs that are always one token where the analyser split or joined them."""
    return [
        (match.start(), match.end(), _READING_OF_RUN.get(match.lastgroup or "", _SYMBOL))
        for match in _WHOLE.finditer(form)
        if end_of.get(match.start()) != match.end()
    ]


def _user_words(form: str, pieces: list[_Piece], dictionary: UserDictionary) -> list[_Piece]:
    """Return the words of a user dictionary; ipadic's reading is used if the user gave none."""
    edges = {edge for start, end, _ in pieces for edge in (start, end)}
    known = {(start, end): reading for start, end, reading in pieces}
    return [
        (start, end, reading._replace(in_user_dictionary=True))
        for start, end, entry in dictionary.find(form, edges)
        for reading in [_Reading(*entry) if entry else known.get((start, end), _USER_WORD)]
    ]


def _impose(pieces: list[_Piece], imposed: Iterable[_Piece]) -> list[_Piece]:
    """Insert the imposed pieces whole; keep the parts of the others outside them."""
    result: list[_Piece] = []
    waiting = iter(pieces)
    piece = next(waiting, None)
    for start, end, reading in imposed:
        while piece and piece[1] <= start:
            result.append(piece)
            piece = next(waiting, None)
        if piece and piece[0] < start:
            result.append(_clip(piece, piece[0], start))
        result.append((start, end, reading))
        while piece and piece[1] <= end:
            piece = next(waiting, None)
        if piece and piece[0] < end:
            piece = _clip(piece, end, piece[1])
    if piece:
        result.append(piece)
    result.extend(waiting)
    return result


def _clip(piece: _Piece, start: int, end: int) -> _Piece:
    return start, end, piece[2]._replace(base="")


def _join_numerals(form: str, pieces: list[_Piece]) -> list[_Piece]:
    """Join adjacent kanji numerals that the analyser treats as numbers."""
    joined: list[_Piece] = []
    after_number = False
    for piece in pieces:
        is_number = _is_kanji_number(form, piece)
        if after_number and is_number and joined[-1][1] == piece[0]:
            joined[-1] = (joined[-1][0], piece[1], _NUMBER)
        else:
            joined.append(piece)
        after_number = is_number
    return joined


def _is_kanji_number(form: str, piece: _Piece) -> bool:
    start, end, reading = piece
    return reading.pos_detail == "数" and _KANJI_NUMERALS.issuperset(form[start:end])


def _split_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a line; a stop inside brackets does not end one."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    enclosed = deque(_enclosed(text, start, end))
    for match in _STOP.finditer(text, start, end):
        while enclosed and enclosed[0][1] < match.start():
            enclosed.popleft()
        if enclosed and enclosed[0][0] < match.start():
            continue
        yield start, match.end()
        start = match.end()
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _enclosed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the offsets of the outermost pairs of brackets of a line."""
    enclosed: list[tuple[int, int]] = []
    open_brackets: list[int] = []
    for match in _BRACKET.finditer(text, start, end):
        place = match.start()
        if match.group() in _CLOSING:
            open_brackets.append(place)
        elif open_brackets and _CLOSING[text[open_brackets[-1]]] == match.group():
            opening = open_brackets.pop()
            while enclosed and opening < enclosed[-1][0]:
                enclosed.pop()
            enclosed.append((opening, place))
    return enclosed


JAPANESE = JapaneseLanguage()
LANGUAGES.add("ja", JAPANESE)
