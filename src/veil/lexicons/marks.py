"""Which lexicons a word is in, and whether it is an ordinary one."""

from __future__ import annotations

from enum import IntFlag
from functools import cache, lru_cache, reduce
from operator import and_
from pathlib import Path
from typing import TYPE_CHECKING

from veil.languages.base import base_language, language_folder, language_part
from veil.lexicons.entries import SUFFIX_MARK, SuffixIndex, fold_entry
from veil.lexicons.folding import base_form, fold, genitive_of, without_diacritics
from veil.lexicons.store import bit_of, kinds, lexicon, lexicon_table, word_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


_SHORTEST_PART = 2
_MARKS_REMEMBERED = 1 << 14


class Mark(IntFlag):
    """A bit for a kind of lexicon, and one for surnames that are built by rule.

    Trained models use the numbers of the bits: a kind that is added later gets none.
    """

    GIVEN_FEMALE = 1 << 0
    GIVEN_MALE = 1 << 1
    SURNAME = 1 << 2
    CITY = 1 << 3
    REGION = 1 << 4
    COUNTRY = 1 << 5
    NATIONALITY = 1 << 6
    STREET_HEAD = 1 << 7
    HOSPITAL_HEAD = 1 << 8
    TITLE = 1 << 9
    DOCTOR_TITLE = 1 << 10
    PROFESSION = 1 << 11
    RELATIVE = 1 << 12
    MONTH = 1 << 13
    WEEKDAY = 1 << 14
    COMMON = 1 << 15
    MEDICAL = 1 << 16
    SURNAME_FORM = 1 << 17
    """Built like a surname, whether or not a list contains it, if the language has such a rule."""


_COMMON = Mark.COMMON.value
_PLACES = (Mark.CITY | Mark.REGION | Mark.COUNTRY).value
_SURNAME_FORM = Mark.SURNAME_FORM.value
_BITS = {kind: Mark[kind.upper()].value for kind in kinds() if kind.upper() in Mark.__members__}


@cache
def surname_rule(language: str) -> Callable[[str], bool] | None:
    """Return the function that says whether a capitalised word is built like a surname, or None.

    It is `looks_like_surname` in the module `words` of the language's folder.
    """
    rule: Callable[[str], bool] | None = getattr(
        language_part(language, "words"), "looks_like_surname", None
    )
    return rule


def looks_like_surname(word: str, language: str) -> bool:
    """Whether a capitalised word is built like a surname of the language, genitives included."""
    rule = surname_rule(language)
    return rule is not None and rule(word)


@cache
def word_marks(language: str) -> Callable[[str], int]:
    """Return a function from a word form to the `Mark` bits of the lexicons that it is in.

    Case and accents are ignored, except for `SURNAME_FORM`. Only words are looked up, not phrases.
    A word in no list has the marks of its base form if it is a genitive; one joined by hyphens has
    the marks that all its known parts share.
    """
    base = base_language(language)
    bits, suffixes = word_bits(base), _suffixes(base)
    suffix_bits = suffixes.bits if suffixes else None
    genitive = genitive_of(base)

    def look_up(folded: str) -> int:
        mask = _mask(bits[folded])
        if not mask and not folded.isascii():
            mask = _mask(bits[without_diacritics(folded)])
        return mask | suffix_bits(folded) if suffix_bits else mask

    def look_up_parts(folded: str) -> int:
        if folded.isalpha() and not (genitive and folded.endswith(genitive)):
            return 0
        if folded.endswith("."):
            return look_up(folded[:-1])
        if "-" in folded:
            parts = (part for part in folded.split("-") if _SHORTEST_PART <= len(part))
            return _shared(look_up(part) or look_up_parts(part) for part in parts)
        form = base_form(folded, base)
        return 0 if form is None else look_up(form)

    def marks(word: str) -> int:
        folded = fold(word)
        return look_up(folded) or look_up_parts(folded)

    is_surname = surname_rule(base)

    def more_marks(word: str) -> int:
        folded = fold(word)
        mask = look_up(folded) or look_up_parts(folded)
        if mask == _COMMON and genitive:
            # Sveriges and Göteborgs are frequent words themselves.
            mask |= look_up_parts(folded) & _PLACES
        return mask | _SURNAME_FORM if is_surname and is_surname(word) else mask

    return lru_cache(_MARKS_REMEMBERED)(more_marks if genitive or is_surname else marks)


@cache
def _mask(bits: int) -> int:
    """The `Mark` bits for a word's bits in the lexicons."""
    return sum(mark for kind, mark in _BITS.items() if bits & bit_of(kind))


def _suffixes(language: str) -> SuffixIndex:
    """The masks of the ends of compounds."""
    return SuffixIndex(
        (suffix, mark)
        for kind, mark in _BITS.items()
        for suffix in lexicon(language, kind).keys.suffixes
    )


def _shared(masks: Iterable[int]) -> int:
    """The bits that all masks other than 0 share."""
    known = [mask for mask in masks if mask]
    return reduce(and_, known) if known else 0


_NAMES = ("given_female", "given_male", "surname")
_REMEMBERED = 1 << 16


@cache
def is_ordinary(language: str) -> Callable[[str], bool]:
    """Return a function that says whether a word is an ordinary or clinical one, rarely a name.

    Case and accents are ignored. "Brown" and "May" are ordinary words although they are also names;
    the lists of names are separate. A word in no list is ordinary if it is the genitive of an
    ordinary word, a compound that ends like a clinical one or ordinary words joined by hyphens, and
    not a name: the Swedish name Mats is not the genitive of "mat".
    """
    base = base_language(language)
    bits = word_bits(base)
    ordinary, clinical = bit_of("ordinary"), bit_of("clinical")
    listed, names = ordinary | clinical, sum(map(bit_of, _NAMES))
    ends = SuffixIndex((suffix, 1) for suffix in lexicon(base, "clinical").keys.suffixes)

    def is_listed(folded: str) -> bool:
        own = bits[folded] & listed
        # The ends of clinical compounds are not words.
        return own != 0 and (own != clinical or not folded.startswith(SUFFIX_MARK))

    def is_derived(folded: str) -> bool:
        if ends.bits(folded):
            return True
        form = base_form(folded, base)
        if form is not None and (is_listed(form) or ends.bits(form)):
            return True
        return "-" in folded and all(map(is_listed, folded.split("-")))

    @lru_cache(_REMEMBERED)
    def look_up(word: str) -> bool:
        folded = fold_entry(word)
        return is_listed(folded) or (is_derived(folded) and not bits[folded] & names)

    return look_up


def marks_inputs(language: str) -> tuple[Path, ...]:
    """Return the files on which the marks of a word depend, and whether it is ordinary."""
    own = (Path(__file__), Path(__file__).with_name("store.py"))
    rule = language_part(language, "words")
    if rule is None or rule.__file__ is None:
        return *lexicon_table(base_language(language)).inputs, *own
    # The language's rule for surnames may read any of its settings.
    settings = sorted(language_folder(language).glob("*.toml"))
    return *lexicon_table(base_language(language)).inputs, *own, Path(rule.__file__), *settings
