"""Tokens of languages in Latin script: runs of letters, runs of digits, single other characters.

Words that lost the space between them are common in clinical records, and a name in one of them is
easily missed, so a token also ends at a joint inside a run:

- lower case before a capital: Jaffrey|Marital, de|Madrid;
- capitals before a capitalised word: AL|Marital, GARCÍA|Edad;
- digits before a telephone number or a date: 47798|497-045-1949, 512|01/26/2098.

No joint, because more whole words than glued ones look like this:

- one lower-case letter after a capital, or a known opening of surnames: McDonald, DeShawn,
  MacArthur, PhD, IgG, NaCl;
- one or two lower-case letters before capitals or before a short capitalised piece: pH, mRNA,
  mmHg, kHz, eGFR;
- an ending after an acronym: ECGs, DNAse, EKGet.

Only the tokens see this. What else a letter can be (accents, Greek, full-width) the shadow says.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, ClassVar

from veil.core.document import Sentence, Token
from veil.languages.base import Offsets
from veil.languages.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.languages.sentences import SentenceRules

# A text that is not ASCII is matched through its shadow: as long as the text, and each character
# outside ASCII replaced by one that stands for its kind. `X` and `x` occur in no literal of
# the pattern below.
_UPPER = "X"
_LOWER = "x"
_CASELESS = "ª"
_MARK = "\u0301"
_OTHER = "#"
# These join what they stand between: soft hyphen, zero width (non-)joiner, word joiner.
_JOINERS = "\u00ad\u200c\u200d\u2060"
_KIND_OF_CATEGORY = {
    **dict.fromkeys(("Lu", "Lt"), _UPPER),
    **dict.fromkeys(("Ll",), _LOWER),
    **dict.fromkeys(("Lo", "Lm"), _CASELESS),
    **dict.fromkeys(("Mn", "Mc", "Me"), _MARK),
    **dict.fromkeys(("Nd",), "0"),
    **dict.fromkeys(("Pd",), "-"),
}

_TOKEN = re.compile(
    rf"""
    # Words without a joint, first because most words are such.
      [a-z{_CASELESS}]++ (?![A-Z])                         # patient
    | [A-Z] [a-z{_CASELESS}]*+ (?![A-Z])                   # Patient, A
    | [A-Z]++ (?![a-z{_CASELESS}])                         # MRI
    # One or two small letters that belong to what follows, which may end in a joint itself.
    | (?: [a-z] (?! [A-Z][a-z]{{3}} | [a-z] )              # pH, mRNA
        | [a-z]{{2}} (?! [A-Z][a-z]{{2}} | [a-z] )         # mmHg
        | [A-Z][a-z] (?=[A-Z])                             # McDonald, PhD
        | (?:Mac|Fitz|Van|Del) (?=[A-Z])
      )
      (?: [A-Z]+ (?= [A-Z][a-z]{{2}} ) | [A-Z]+ [a-z{_CASELESS}]* )
    # Capitals before a capitalised word, not before the ending of an acronym.
    | [A-Z]+ (?= [A-Z] (?! (?:se|sa|en|et|er|na|ns) (?![a-z]) ) [a-z]{{2}} )
    | [A-Z]* [a-z{_CASELESS}]++                            # ECGs; Jaffrey before Marital
    | \d+ (?= \d{{3}}[-.,]\d{{3}}[-.,]\d{{4}} (?!\d) | \d{{2}}/\d{{2}}/\d{{4}} (?!\d) )
    | \d++
    | \S
    """,
    re.VERBOSE,
)
_PIECE = re.compile(rf"(?:{_TOKEN.pattern})\s*", re.VERBOSE)
_LETTER_WITH_MARKS = re.compile(rf"([A-Za-z{_CASELESS}])({_MARK}+)(?=([A-Z]?))")


class _Kinds(dict[int, str]):
    """Maps code points to what stands for them in the shadow; learns each on first sight."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if code < 128:
            kind = character
        elif character in _JOINERS:
            kind = _MARK
        elif character.isspace():
            kind = " "
        else:
            kind = _KIND_OF_CATEGORY.get(unicodedata.category(character), _OTHER)
        self[code] = kind
        return kind


_KINDS = _Kinds()


# Most texts can be written in the Western code page, whose bytes are replaced far faster. It has
# one mark, the soft hyphen; the kinds of all other characters are in Latin-1.
_WESTERN = "cp1252"
_SOFT_HYPHEN = "\u00ad"
_KIND_OF_BYTE = "".join(
    _KINDS[ord(bytes((byte,)).decode(_WESTERN, errors="replace"))] for byte in range(256)
).encode("latin-1", errors="replace")


def _shadow(text: str) -> str:
    if _SOFT_HYPHEN not in text:
        try:
            return text.encode(_WESTERN).translate(_KIND_OF_BYTE).decode("latin-1")
        except UnicodeEncodeError:
            pass
    shadow = text.translate(_KINDS)
    return _LETTER_WITH_MARKS.sub(_like_its_letter, shadow) if _MARK in shadow else shadow


def _like_its_letter(match: re.Match[str]) -> str:
    """Turn marks to letters of the case of their word, so that they make no joint."""
    letter, marks, capital_after = match.groups()
    mark = _UPPER if letter.isupper() and capital_after else _LOWER
    return letter + mark * len(marks)


def latin_tokens(text: str) -> list[Token]:
    """Return the tokens of a text in Latin script; other scripts come out as runs of letters."""
    # `Token(*pair)` takes three times as long.
    make = tuple.__new__
    return [make(Token, pair) for pair in zip(*latin_offsets(text), strict=True)]


def latin_offsets(text: str) -> Offsets:
    """Return where the tokens of a text in Latin script start and end."""
    seen = text if text.isascii() else _shadow(text)
    # Tokens with the white space after them make up the text: their lengths give the offsets, and
    # finding strings takes half the time of finding matches.
    pieces = _PIECE.findall(seen)
    leading = len(seen) - len(seen.lstrip())
    starts = list(accumulate(map(len, pieces), initial=leading))[:-1]
    return Offsets(starts, list(map(add, starts, map(len, map(str.rstrip, pieces)))))


# Words as general tokenisers of newspaper text see them: dates, numbers and addresses stay whole.
_WORD_TOKEN = re.compile(
    r"""(?: [^\s,;:?!()\[\]{}"«»¿¡“”…'.] | (?<=\d)[,:](?=\d) | [.'](?=[^\W_]) )+ | \S""", re.VERBOSE
)


def word_tokens(text: str) -> list[Token]:
    """Return words with the punctuation at their ends split off: 24/07/2015 is one token.

    The papers tokenised so; `latin_tokens` cuts finer.
    """
    make = tuple.__new__
    return [make(Token, match.span()) for match in _WORD_TOKEN.finditer(text)]


@dataclass(frozen=True)
class LatinLanguage:
    """A language in Latin script: its own abbreviations and headings, shared logic."""

    code: str
    name: str
    package: str
    rules: SentenceRules = field(repr=False)
    split_tokens: Callable[[str], list[Token]] = field(default=latin_tokens, repr=False)
    genitive: str = ""
    spaces_between_words: ClassVar[bool] = True

    def tokens(self, text: str) -> list[Token]:
        return self.split_tokens(text)

    def offsets(self, text: str) -> Offsets:
        if self.split_tokens is latin_tokens:
            return latin_offsets(text)
        return Offsets.of(self.tokens(text))

    def sentences(self, text: str) -> list[Sentence]:
        return split_sentences(text, self.rules)
