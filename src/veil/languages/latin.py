"""Tokens of languages in Latin script: runs of letters, runs of digits, single other characters.

Missing spaces between words are common in clinical records, and a name in such a word is easily
missed, so a token also ends at a joint inside a run:

- lower case before a capital: Jaffrey|Marital, de|Madrid;
- capitals before a capitalised word: AL|Marital, GARCÍA|Edad;
- digits before a telephone number or a date: 47798|497-045-1949, 512|01/26/2098.

The following are not joints, because more whole words than joined ones look like this:

- one lower-case letter after a capital, or a known opening of surnames: McDonald, DeShawn,
  MacArthur, PhD, IgG, NaCl;
- one or two lower-case letters before capitals or before a short capitalised piece: pH, mRNA,
  mmHg, kHz, eGFR;
- an ending after an acronym: ECGs, DNAse, EKGet.

This affects only the tokens. The shadow determines what other characters count as (accents, Greek,
full-width letters).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from operator import add
from typing import TYPE_CHECKING, Any, ClassVar

from veil.core import native
from veil.core.document import Sentence, Token
from veil.core.patterns import compile_pattern
from veil.languages.base import Offsets
from veil.languages.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from veil.languages.base import Language
    from veil.languages.sentences import SentenceRules

# A text that is not ASCII is matched through its shadow, which has the same length, with each
# character outside ASCII replaced by one for its kind. `X` and `x` occur in no literal of the
# pattern below.
_UPPER = "X"
_LOWER = "x"
_CASELESS = "ª"
_MARK = "\u0301"
_OTHER = "#"
# These join the characters around them: soft hyphen, zero width (non-)joiner, word joiner.
_JOINERS = "\u00ad\u200c\u200d\u2060"
_KIND_OF_CATEGORY = {
    **dict.fromkeys(("Lu", "Lt"), _UPPER),
    **dict.fromkeys(("Ll",), _LOWER),
    **dict.fromkeys(("Lo", "Lm"), _CASELESS),
    **dict.fromkeys(("Mn", "Mc", "Me"), _MARK),
    **dict.fromkeys(("Nd",), "0"),
    **dict.fromkeys(("Pd",), "-"),
}


def _token_pattern(upper: str, lower: str, caseless: str) -> str:
    """Return the pattern of a token; the arguments are the letters outside ASCII."""
    capital, small, any_small = f"[A-Z{upper}]", f"[a-z{lower}]", f"[a-z{lower}{caseless}]"
    return rf"""
    # Words without a joint, first because most words are such.
      {any_small}++ (?!{capital})                              # patient
    | {capital} {any_small}*+ (?!{capital})                    # Patient, A
    | {capital}++ (?!{any_small})                              # MRI
    # One or two small letters that belong to what follows, which may end in a joint itself.
    | (?: {small} (?! {capital}{small}{{3}} | {small} )        # pH, mRNA
        | {small}{{2}} (?! {capital}{small}{{2}} | {small} )   # mmHg
        | {capital}{small} (?={capital})                       # McDonald, PhD
        | (?:Mac|Fitz|Van|Del) (?={capital})
      )
      (?: {capital}+ (?= {capital}{small}{{2}} ) | {capital}+ {any_small}* )
    # Capitals before a capitalised word, not before the ending of an acronym.
    | {capital}+ (?= {capital} (?! (?:se|sa|en|et|er|na|ns) (?!{small}) ) {small}{{2}} )
    | {capital}* {any_small}++                                 # ECGs; Jaffrey before Marital
    | \d+ (?= \d{{3}}[-.,]\d{{3}}[-.,]\d{{4}} (?!\d) | \d{{2}}/\d{{2}}/\d{{4}} (?!\d) )
    | \d++
    | \S
    """


_TOKEN = _token_pattern("", "", _CASELESS)
_PIECE = compile_pattern(rf"(?:{_TOKEN})\s*", re.VERBOSE)
_LETTER_WITH_MARKS = compile_pattern(rf"([A-Za-z{_CASELESS}])({_MARK}+)(?=([A-Z]?))")


class _Kinds(dict[int, str]):
    """Maps code points to their replacement in the shadow, which is cached."""

    def __missing__(self, code: int) -> str:
        self[code] = kind = _kind_of(code)
        return kind


def _kind_of(code: int) -> str:
    character = chr(code)
    if code < 128:
        return character
    if character in _JOINERS:
        return _MARK
    if character.isspace():
        return " "
    return _KIND_OF_CATEGORY.get(unicodedata.category(character), _OTHER)


_KINDS = _Kinds()


# Most texts can be encoded in the Western code page, whose bytes are replaced far faster. It has
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
    """Replace marks by letters of the case of their word, so that they make no joint."""
    letter, marks, capital_after = match.groups()
    mark = _UPPER if letter.isupper() and capital_after else _LOWER
    return letter + mark * len(marks)


def latin_tokens(text: str) -> list[Token]:
    """Return the tokens of a text in Latin script; other scripts are runs of letters."""
    # `Token(*pair)` takes three times as long.
    make = tuple.__new__
    return [make(Token, pair) for pair in zip(*latin_offsets(text), strict=True)]


def latin_offsets(text: str) -> Offsets:
    """Return the offsets of the tokens of a text in Latin script."""
    if native.CORE is not None:
        return Offsets(*compiled_latin(native.CORE).offsets(text))
    seen = text if text.isascii() else _shadow(text)
    # Tokens with the white space after them make up the text: their lengths give the offsets, and
    # finding strings takes half the time of finding matches.
    pieces = _PIECE.findall(seen)
    leading = len(seen) - len(seen.lstrip())
    starts = list(accumulate(map(len, pieces), initial=leading))[:-1]
    return Offsets(starts, list(map(add, starts, map(len, map(str.rstrip, pieces)))))


def latin_pieces(text: str) -> tuple[list[str], list[int]]:
    """Return tokens and line feeds, each with the spaces after it, and their offsets."""
    needs_shadow = _needs_shadow(text)
    pieces = _piece_of_line().findall(_shadow(text) if needs_shadow else text)
    lengths = list(map(len, pieces))
    starts = list(accumulate(lengths, initial=len(text) - sum(lengths)))
    if needs_shadow:
        pieces = [text[start:end] for start, end in pairwise(starts)]
    starts.pop()
    return pieces, starts


def _needs_shadow(text: str) -> bool:
    """Whether a text has characters that Latin-1 lacks, or marks."""
    if text.isascii():
        return False
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return True
    return _SOFT_HYPHEN in text


@cache
def _piece_of_line() -> re.Pattern[str]:
    """Return the pattern of pieces in shadows and in Latin-1 texts; it lists their letters.

    The only letters in a shadow are those of ASCII and `_CASELESS`, which is in Latin-1.
    """
    letters: dict[str, str] = defaultdict(str)
    for code in range(128, 256):
        letters[_kind_of(code)] += chr(code)
    token = _token_pattern(letters[_UPPER], letters[_LOWER], letters[_CASELESS])
    return compile_pattern(rf"(?:{token}|\n)[^\S\n]*", re.VERBOSE)


# A mark in the compiled twin's shadows, which have one byte per character.
_MARK_BYTE = "\xcc"


@cache
def compiled_latin(core: ModuleType) -> Any:
    """Return the compiled twin of `latin_offsets`."""
    return core.Latin(_shadow_of_page)


def _shadow_of_page(page: int) -> bytes:
    """Return the replacements of 256 characters."""
    kinds = "".join(map(_kind_of, range(256 * page, 256 * (page + 1))))
    return kinds.replace(_MARK, _MARK_BYTE).encode("latin-1")


# Words as in general tokenisers of newspaper text: dates, numbers and addresses are kept whole.
_WORD_TOKEN = compile_pattern(
    r"""(?: [^\s,;:?!()\[\]{}"«»¿¡“”…'.] | (?<=\d)[,:](?=\d) | [.'](?=[^\W_]) )+ | \S""", re.VERBOSE
)


def word_tokens(text: str) -> list[Token]:
    """Return words with the punctuation at their ends split off: 24/07/2015 is one token.

    The papers use such tokens; `latin_tokens` are smaller.
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
        if has_latin_tokens(self):
            return latin_offsets(text)
        return Offsets.of(self.tokens(text))

    def sentences(self, text: str) -> list[Sentence]:
        return split_sentences(text, self.rules)


def has_latin_tokens(language: Language) -> bool:
    """Whether the tokens of a language are those of `latin_tokens`."""
    return isinstance(language, LatinLanguage) and language.split_tokens is latin_tokens
