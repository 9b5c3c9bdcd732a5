"""English, and the tokens of wi-deid-2015."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from veil.core.document import Token
from veil.core.patterns import compile_pattern
from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage, word_tokens
from veil.languages.sentences import read_sentence_rules, split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

_RULES = read_sentence_rules(__name__)

# Table 1 of wi-deid-2015 in its order; the empty group marks where the token is cut. A repetition
# that does not move the cut is left out: over long tokens it would take quadratic time.
_WI_DEID_CUTS = tuple(
    compile_pattern(pattern, re.ASCII)
    for pattern in (
        r"()\d{2}/\d{2}/\d{4}",  # PEND|01/26/2098
        r"\d{2}()-year-old",  # 45|-year-old
        r"[A-Za-z]()\d/\d{2}",  # CABG|6/95
        r"[a-z]()\d{5}",  # x|76221
        r"[A-Z]()\d-\d{4}",  # X|1-1335
        r"()\d{3}[-,]\d{3}[-,]\d{4}",  # 47798|497-045-1949
        r"[A-Z]()[A-Z][a-z][a-z]",  # AL|Marital
        r"\d()[A-Za-z][A-Za-z]",  # 34712|RadiologyExam
        r"[a-z][a-z]()[A-Z]",  # Jaffrey|Marital
    )
)
_WI_DEID_PUNCTUATION = compile_pattern(r"""["“”,:;#*\-=/<>\[\]{}]|[^"“”,:;#*\-=/<>\[\]{}]+""")
# What a tokeniser like OpenNLP's splits off a word: brackets, the percent sign, the possessive,
# quotes and marks at its edges. A final full stop is split off only at the end of a sentence.
_WORD = compile_pattern(r"\S+")
_EDGE = r"[()%] | (?<=\w)['’][sS](?=\W{0,9}\Z) | ['‘’`](?!\w) | (?<!\w)['‘’`] | [!?](?=\W{0,9}\Z)"
_WORD_PART = compile_pattern(rf"{_EDGE} | (?: (?!{_EDGE}) . )+", re.VERBOSE | re.DOTALL)
_PLAIN_WORD = compile_pattern(r"[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]")


def wi_deid_tokens(text: str, cuts: Sequence[re.Pattern[str]] = _WI_DEID_CUTS) -> list[Token]:
    """Return tokens as wi-deid-2015 splits them (section 2.1 and table 1).

    The paper's first step is OpenNLP's tokeniser, a learned model; here it is replaced by white
    space, edge punctuation and the final stop of a sentence. The official run had no `cuts`.
    """
    final_stops = {
        sentence.end - 1
        for sentence in split_sentences(text, _RULES)
        if text[sentence.end - 1] in ".!?"
    }
    tokens: list[Token] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        while start < end and end - 1 in final_stops:
            end -= 1
        tokens.extend(_split_word(text, start, end, cuts))
        tokens.extend(Token(place, place + 1) for place in range(end, match.end()))
    return tokens


def _split_word(text: str, start: int, end: int, cuts: Sequence[re.Pattern[str]]) -> list[Token]:
    if _PLAIN_WORD.fullmatch(text, start, end):
        return [Token(start, end)]
    pieces = [match.span() for match in _WORD_PART.finditer(text, start, end)]
    for cut in cuts:
        pieces = [
            bounds
            for piece_start, piece_end in pieces
            for bounds in _cut(cut, text, piece_start, piece_end)
        ]
    return [
        Token(*match.span())
        for piece in pieces
        for match in _WI_DEID_PUNCTUATION.finditer(text, *piece)
    ]


def _cut(cut: re.Pattern[str], text: str, start: int, end: int) -> list[tuple[int, int]]:
    places = [match.start(1) for match in cut.finditer(text, start, end)]
    edges = [start, *(place for place in places if start < place), end]
    return list(pairwise(edges))


ENGLISH = LANGUAGES.add("en", LatinLanguage("en", "English", __name__, _RULES))
ENGLISH_WORDS = LANGUAGES.add(
    "en-words", LatinLanguage("en", "English, whole words", __name__, _RULES, word_tokens)
)
ENGLISH_WI_DEID = LANGUAGES.add(
    "en-wi-deid-2015",
    LatinLanguage("en", "English, tokens of wi-deid-2015", __name__, _RULES, wi_deid_tokens),
)
ENGLISH_WI_DEID_OFFICIAL = LANGUAGES.add(
    "en-wi-deid-2015-official",
    LatinLanguage(
        *("en", "English, tokens of wi-deid-2015 without its table 1", __name__, _RULES),
        partial(wi_deid_tokens, cuts=()),
    ),
)
