"""Properties of a word's form, computed once for each distinct form."""

from __future__ import annotations

import lzma
import re
from dataclasses import dataclass, field
from enum import IntFlag
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from veil.core.errors import InputError, UnknownNameError
from veil.detect.names.words import POSSESSIVE, PhraseFinder, TextWords, splitter, visible
from veil.languages import base_language, language_folder, read_language_settings
from veil.lexicons import Lexicon, Mark, lexicon, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


DICTIONARIES = ("given_female", "given_male", "surname")
"""The dictionaries in the paper's order: the first that contains a word decides what it is."""

KINDS = (*DICTIONARIES, "title", "doctor_title", "common", "medical")
"""The kinds of lexicons that the modules use."""

PUBLISHED_SIZES = {
    "given_female": 2_930,
    "given_male": 2_742,
    "surname": 34_894,
    "common": 5_000,
}
"""The sizes of the dictionaries of carlsson-2010 (section 3)."""

PUBLISHED_NAMES = "published_names.tsv.xz"
"""The file of a language with its most frequent names, as many as the paper has: kind and name."""

_LONGEST_PUBLISHED = 2


@dataclass(frozen=True)
class NameOptions:
    """Settings of the modules."""

    dictionaries: tuple[str, ...] = DICTIONARIES
    """The dictionaries that the dictionary module uses, in this order."""

    any_case: bool = False
    """Also accept words in lower case as names, if a dictionary contains them or they were
    learnt."""

    medical: bool = True
    """Count medical words and eponyms as common words, like a list made from records would."""

    spare_names: bool = True
    """Exempt a word from the list of common words if it is a frequent name (Anna), or if a
    dictionary contains it and it is written like a name (Björn): with a capital in the middle of a
    sentence, or before another word that may be a name."""

    at_least: int = 2
    """How many times a word must be annotated to be learnt."""

    learn_common: bool = False
    """Let the learning module annotate words that are marked as common."""

    plain: bool = False
    """Leave out what Veil adds to the modules of the paper: names of more than two words, particles
    inside names, exceptions for abbreviations, formulas, shortened compounds and words that end
    names, surnames that are built by rule, and genitives in learning."""

    published_names: bool = False
    """Use dictionaries of the published sizes, made of the most frequent names in Veil's, if the
    language has them."""

    lexicons: Mapping[str, Lexicon] = field(default_factory=dict)
    """The user's lexicons instead of Veil's, by kind."""

    def __post_init__(self) -> None:
        for kind in self.dictionaries:
            if kind not in DICTIONARIES:
                raise UnknownNameError("dictionary of names", kind, DICTIONARIES)
        if len(set(self.dictionaries)) < len(self.dictionaries) or not self.dictionaries:
            raise InputError("name each dictionary once, and at least one")
        for kind in self.lexicons:
            if kind not in KINDS:
                raise UnknownNameError("kind of lexicon for names", kind, KINDS)
        if self.at_least < 1:
            raise InputError("a word is learnt from one annotation on; give at_least=1 or more")

    def lexicon(self, language: str, kind: str) -> Lexicon:
        """The user's lexicon of a kind, or Veil's."""
        if kind in self.lexicons:
            return self.lexicons[kind]
        published = published_names(language) if self.published_names else {}
        return published[kind] if kind in published else lexicon(language, kind)


AS_PUBLISHED = NameOptions(
    any_case=True,
    medical=False,
    spare_names=False,
    learn_common=True,
    plain=True,
    published_names=True,
)
"""The settings of carlsson-2010, whose precision shows that case was ignored; they miss names that
are common words, and take common words for names."""


@cache
def published_names(language: str) -> Mapping[str, Lexicon]:
    """Return the dictionaries of the published sizes; empty if the language has no such file."""
    file = language_folder(language) / PUBLISHED_NAMES
    if not file.is_file():
        return {}
    names: dict[str, list[str]] = {}
    for line in lzma.decompress(file.read_bytes()).decode("utf-8").splitlines():
        kind, _, name = line.partition("\t")
        names.setdefault(kind, []).append(name)
    return {kind: Lexicon(own, language=base_language(language)) for kind, own in names.items()}


_NOTHING = "(?!)"  # a pattern that matches nothing
# Particles inside a surname: "dr Anna von Essen", "Dra. de la Fuente".
_PARTICLES = """
    af av von van der den ter ten zu bin ibn al el de del della di da das do dos du la las los le y
"""


@dataclass(frozen=True)
class NameStyle:
    """How names are written in a language. Titles are folded, see `veil.lexicons.folding`."""

    has_capitals: bool = True
    """Whether a name begins with a capital."""

    family_first: bool = False
    """Whether the family name comes first; a single word is then the family name."""

    surnames: int = 1
    """How many surnames a person usually has."""

    longest: int = 3
    """How many words beside a title are taken for one name; particles are not counted."""

    shortest_listed: int = 2
    """How many characters a word needs to be looked up in the dictionaries."""

    particles: frozenset[str] = frozenset(_PARTICLES.split())

    compound_joints: frozenset[str] = frozenset()
    """Words that follow a shortened compound: "Mag- *och* tarmsjukdomar"."""

    kinds_with_capital: frozenset[str] = frozenset()
    """Kinds of lexicons whose words have a capital inside a sentence without being names."""

    all_may_follow: bool = False
    """Whether every title may stand after a name."""

    may_follow: frozenset[str] = frozenset()
    """The titles that may stand before or after a name."""

    must_follow: frozenset[str] = frozenset()
    """The titles that stand only after a name."""

    comma_before_title: bool = True
    """Whether a name needs a comma before the title that follows it."""

    fewest_before_title: int = 2
    """How many words a name needs before a title."""

    frequent_names: frozenset[str] = frozenset()
    """Names that are also in the lists of common words, because texts mention people; folded."""

    unlisted_name: str = ""
    """Scripts without capitals: the pattern of a word that may be a name although no list contains
    it."""

    name_character: str = ""
    """Scripts without spaces: the pattern of a character that names are written in."""

    titles_behind: tuple[str, ...] = ()
    """Scripts without spaces: titles that follow a name directly."""

    one_character: str = ""
    """Scripts without capitals: the pattern of single characters into which names are split."""

    @cached_property
    def is_name_character(self) -> Callable[[str], object]:
        """Match a character that names are written in."""
        return re.compile(self.name_character or _NOTHING).match


@cache
def name_style(language: str) -> NameStyle:
    """Return how names are written in a language, from `names.toml` in its folder."""
    return read_language_settings(NameStyle, language, "names.toml")


# Records repeat their words; an endless stream has endless new ones.
_MOST_FORMS = 200_000
_LONGEST_ABBREVIATION = 4
_ELEMENTS = frozenset(
    """
    Ac Ag Al Am Ar As At Au Ba Be Bi Bk Br Ca Cd Ce Cf Cl Cm Co Cr Cs Cu Dy Er Es Eu Fe Fm Fr Ga Gd
    Ge He Hf Hg Ho In Ir Kr La Li Lr Lu Md Mg Mn Mo Na Nb Nd Ne Ni No Np Os Pa Pb Pd Pm Po Pr Pt Pu
    Ra Rb Re Rh Rn Ru Sb Sc Se Si Sm Sn Sr Ta Tb Tc Te Th Ti Tl Tm Xe Yb Zn Zr
    """.split()
)
_SHORTEST_AFTER_INNER_CAPITAL = 3  # McDonald and DiCaprio are names; IgE and NaCl are not


class Bit(IntFlag):
    """Properties of a form."""

    NAME_LIKE = 1 << 0
    """Written like a name: with a capital; in scripts without capitals, a known name or an unknown
    word."""
    FIRST = 1 << 1
    """A first name, according to the dictionaries."""
    LAST = 1 << 2
    """A last name, according to the dictionaries."""
    COMMON = 1 << 3
    TERM = 1 << 4
    """The first word of a medical phrase, such as the name of a disease."""
    TITLE = 1 << 5
    """The first word of a title, or a whole title."""
    PARTICLE = 1 << 6
    """A particle inside surnames: von, de."""
    INITIAL = 1 << 7
    CAPITALS = 1 << 8
    """Two letters or more, all capitals."""
    ABBREVIATION = 1 << 9
    """Capitals so few that they are rarely a name (TIA, GABA), or a chemical element (Li)."""
    DOUBTFUL = 1 << 10
    """A common word that is also a name: Björn, Will, Rosa."""
    ONE_CHARACTER = 1 << 11
    """A single kanji: names that the analyser does not know are split into such characters (守,
    道)."""


_LISTED = Bit.FIRST | Bit.LAST
_PERSONS = Mark.RELATIVE | Mark.TITLE | Mark.DOCTOR_TITLE | Mark.PROFESSION
_HEADS = Mark.HOSPITAL_HEAD | Mark.STREET_HEAD


class FormBook(dict[str, int]):
    """The bits of each form, computed on first use."""

    def __init__(self, language: str, options: NameOptions) -> None:
        super().__init__()
        self.language = language
        self.style = name_style(language)
        self.options = options
        self._split = splitter(language)
        self._dictionaries = [
            (options.lexicon(language, kind), Bit.LAST if kind == "surname" else Bit.FIRST)
            for kind in options.dictionaries
        ]
        self._common = options.lexicon(language, "common")
        self._medical = options.lexicon(language, "medical") if options.medical else None
        self._frequent_names = self.style.frequent_names if options.spare_names else frozenset()
        self._marks = word_marks(language)
        self._is_unlisted_name = re.compile(self.style.unlisted_name or _NOTHING).fullmatch
        self._is_one_character = re.compile(self.style.one_character or _NOTHING).fullmatch
        self._builds_surnames = (
            "surname" in options.dictionaries
            and "surname" not in options.lexicons
            and not options.plain
        )
        self._particles = frozenset[str]() if options.plain else self.style.particles
        self.longest = _LONGEST_PUBLISHED if options.plain else self.style.longest
        self._written_with_capital = [
            lexicon(language, kind) for kind in self.style.kinds_with_capital
        ]
        whole_words = self.style.has_capitals
        self.titles = PhraseFinder(
            [options.lexicon(language, kind) for kind in ("title", "doctor_title")],
            self._split,
            whole_words=whole_words,
        )
        self.terms = PhraseFinder(
            [] if self._medical is None else [self._medical],
            self._split,
            whole_words=whole_words,
            fewest=2,
        )

    def read(self, text: str) -> TextWords:
        """Split a text into words and look up their forms."""
        if _MOST_FORMS < len(self):
            self.clear()
        return TextWords.of(text, self._split, self)

    def __missing__(self, form: str) -> int:
        self[form] = bits = int(self._describe(visible(form)))
        return bits

    def _describe(self, form: str) -> int:
        if not form or not form[0].isalpha():
            return 0
        bits = self._case_bits(form)
        folded = fold(form)
        if self.terms.longest(folded):
            bits |= Bit.TERM
        if self.titles.longest(folded):
            bits |= Bit.TITLE
        if form in self._particles:
            bits |= Bit.PARTICLE
        bits |= self._name_bits(form)
        if self._medical is not None and self._medical.match(form):
            bits |= Bit.COMMON
        elif self._is_common(form) and not (bits & _LISTED and folded in self._frequent_names):
            bits |= Bit.COMMON
            if bits & Bit.NAME_LIKE and bits & _LISTED and self._is_name_too(form, folded):
                bits |= Bit.DOUBTFUL
        return bits

    def _is_common(self, form: str) -> bool:
        if form in self._common:
            return True
        # The word is learnt without the apostrophe and s, so it must be as common without them.
        bare = POSSESSIVE.sub("", form) if self.options.plain else form
        return bare != form and bare in self._common

    def _case_bits(self, form: str) -> int:
        if self.options.plain:
            return 0
        if not form.isupper():
            return int(Bit.ABBREVIATION) if form in _ELEMENTS else 0
        if len(form) == 1:
            return int(Bit.INITIAL)
        short = len(form) <= _LONGEST_ABBREVIATION
        return int(Bit.CAPITALS | Bit.ABBREVIATION if short else Bit.CAPITALS)

    def _name_bits(self, form: str) -> int:
        """Whether a form is written like a name, and the bits of its dictionary if so."""
        if self.style.has_capitals:
            opening, hyphen, rest = form.partition("-")
            name = rest if hyphen and opening in self._particles else form  # al-Hassan
            if name[:1].isupper() and (self.options.plain or not _is_formula(name)):
                listed = self._listed(form)
                if self.options.plain:
                    return Bit.NAME_LIKE | listed
                # "Dr. Ana Ruiz Hospital de Getafe": a name does not continue with such a word.
                return Bit.NAME_LIKE | listed if listed or not self._marks(form) & _HEADS else 0
            return self._listed(form) if self.options.any_case else 0
        if self._is_one_character(form):
            return self._character_bits(form)
        listed = self._listed(form)
        if form[0].isupper():
            is_name_like = not form.isupper()
        else:
            is_name_like = bool(listed) or (
                self._is_unlisted_name(form) is not None and not self._marks(form)
            )
        return Bit.NAME_LIKE | listed if is_name_like else 0

    def _character_bits(self, form: str) -> int:
        """A single character is too short to be looked up, but beside a title 林 is a name."""
        marks = self._marks(form)
        if marks & _PERSONS:
            return 0
        return int(Bit.ONE_CHARACTER | Bit.NAME_LIKE if marks & Mark.SURNAME else Bit.ONE_CHARACTER)

    def _is_name_too(self, form: str, folded: str) -> bool:
        """Whether the capital of a common word can make it a name.

        The dictionaries must contain it in this spelling: "från" is not Fran. Words that always
        have a capital, such as months in English, do not count.
        """
        return any(folded in names.keys.words for names, _ in self._dictionaries) and not any(
            form in other for other in self._written_with_capital
        )

    def _listed(self, form: str) -> int:
        """The bits of the first dictionary that contains a form."""
        if len(form) < self.style.shortest_listed:
            return 0
        found = self._first_match(form)
        if found or "-" not in form:
            return found
        opening, _, rest = form.partition("-")
        if opening in self._particles:
            return self._first_match(rest)
        return int(Bit.LAST) if all(map(self._first_match, form.split("-"))) else 0

    def _first_match(self, form: str) -> int:
        for names, bit in self._dictionaries:
            if names.match_folded(form) if self.options.any_case else names.match(form):
                return int(bit)
        if self._builds_surnames and self._marks(form) & Mark.SURNAME_FORM:
            return int(Bit.LAST)
        return 0


def _is_formula(form: str) -> bool:
    """Whether a form has a capital inside that no name has."""
    return any(
        before.islower() and after.isupper() and len(form) - index < _SHORTEST_AFTER_INNER_CAPITAL
        for index, (before, after) in enumerate(pairwise(form), start=1)
    )
