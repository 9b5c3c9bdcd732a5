"""Lists of ordinary words: frequent words that are rarely names.

A name is written with a capital, an ordinary word rarely. For English and Spanish a table of word
forms has the frequencies; for Swedish they come from texts, and words that are missing there must
be built from known words. For Japanese a dictionary has the part of speech.
"""

from __future__ import annotations

import importlib
import math
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools import lexicon_sources as sources

from veil.lexicons import lexicon
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

NAMES = ("given_female", "given_male", "surname", "city", "region", "country")
CANDIDATES = 120_000

# The share of uses in lower case that makes a word of one that no list of names holds, if it is
# frequent or rare, and of one that a list holds. A rare word that a list holds is rather a name.
# Two letters (Bo, Li) are a word if they are among the most frequent of all, one is an initial.
FREQUENT = 20_000
SHARE = 0.4
SHARE_IF_RARE = 0.6
SHARE_IF_NAME = 0.6
SHORTEST = 3
VERY_FREQUENT = 200
SHARE_IF_SHORT = 0.8
NEVER = math.inf

SWEDISH_ENDINGS = """
    a ad ade ades an ande andes ar are aren arens arna arnas ars as ast aste at ats d de des dd dda
    e en ena ens er era erad erade erar eras erat eringen ering erna ernas ers es et eten etens ets
    het heten heter heterna hets ig iga ige igt ing ingar ingarna ingen ingens ings isk iska iskt
    lig liga ligare ligen ligt n na nas nde ning ningar ningarna ningen nings ns or orna ornas ors r
    s sam samma samt t ta tar tas te tes ts
""".split()
SHORTEST_STEM = 4
SHORTEST_HEAD = 5
SHORTEST_FIRST_PART = 3
KANJI_OR_KATAKANA = re.compile("[\u3005-\u3007\u30a1-\u30fa\u3400-\u9fff]")
ANALYSES = 5


@dataclass(frozen=True)
class Cases:
    """Counts of each folded word in lower case, capitalised, and in capitals."""

    small: Mapping[str, float]
    capital: Mapping[str, float]
    capitals: Mapping[str, float]

    @classmethod
    def of(cls, forms: Iterable[tuple[str, float]]) -> Cases:
        counts: tuple[defaultdict[str, float], ...] = tuple(defaultdict(float) for _ in range(3))
        for form, weight in forms:
            if form.isalpha():
                kind = 0 if form.islower() else 2 if 1 < len(form) and form.isupper() else 1
                counts[kind][fold(form)] += weight
        return cls(*counts)

    def share_small(self, folded: str) -> float:
        """The share of small letters among uses with at most one capital; 0: never seen."""
        small, capital = self.small.get(folded, 0.0), self.capital.get(folded, 0.0)
        return small / (small + capital) if small else 0.0

    def is_acronym(self, folded: str) -> bool:
        uses = self.small.get(folded, 0.0) + self.capital.get(folded, 0.0)
        return uses < self.capitals.get(folded, 0.0)


def ordinary_words(language: str) -> Iterator[str]:
    """Yield words that are seldom names, most frequent first; reads the lists of names on disk."""
    if language == "ja":
        yield from _japanese_words()
        return
    cases = Cases.of(sources.cased_words(language))
    names = {word for kind in NAMES for word in lexicon(language, kind).keys.folded}
    built = SwedishForms(cases) if language == "sv" else None
    for rank, word in enumerate(sources.frequent_words(language, CANDIDATES)):
        folded = fold(word)
        is_name = folded in names or (language == "sv" and folded.removesuffix("s") in names)
        # A table of a million forms that lacks a name's form with a capital has a gap there.
        is_gap = is_name and built is None and folded not in cases.capital
        if is_gap or cases.is_acronym(folded):
            continue
        if share_wanted(rank, len(word), is_name=is_name) <= cases.share_small(folded) or (
            built is not None and not is_name and built.holds(folded)
        ):
            yield word


def share_wanted(rank: int, length: int, *, is_name: bool) -> float:
    """The minimum share of lower-case uses for a word to count as ordinary."""
    if length < SHORTEST:
        return SHARE_IF_SHORT if 1 < length and rank < VERY_FREQUENT else NEVER
    if is_name:
        return SHARE_IF_NAME if rank < FREQUENT else NEVER
    return SHARE if rank < FREQUENT else SHARE_IF_RARE


class SwedishForms:
    """Recognises inflections and compounds of known Swedish words."""

    def __init__(self, cases: Cases) -> None:
        self._known = frozenset(cases.small)
        self._capitalised = frozenset(cases.capital)
        self._stems = {stem for word in self._known for stem in _stems(word)}
        self._beginnings = {
            word[:length]
            for word in self._known
            for length in range(SHORTEST_FIRST_PART, len(word) + 1)
        }

    def holds(self, word: str) -> bool:
        return (
            SHORTEST <= len(word)
            and word not in self._capitalised
            and (self._is_form(word) or self._is_compound(word))
        )

    def _is_form(self, word: str) -> bool:
        return word in self._known or not self._stems.isdisjoint(_stems(word))

    def _is_compound(self, word: str) -> bool:
        return any(
            self._is_form(word[place:])
            and (word[:place] in self._beginnings or word[:place].removesuffix("s") in self._known)
            for place in range(SHORTEST_FIRST_PART, len(word) - SHORTEST_HEAD + 1)
        )


def _stems(word: str) -> Iterator[str]:
    if SHORTEST_STEM <= len(word):
        yield word
    for ending in SWEDISH_ENDINGS:
        if SHORTEST_STEM + len(ending) <= len(word) and word.endswith(ending):
            yield word.removesuffix(ending)


def _japanese_words() -> Iterator[str]:
    """Words in kanji or katakana whose most likely part of speech is not a name.

    A word of the lists of names stays if the dictionary does not know it as a name of people.
    """
    arguments = importlib.import_module("ipadic").MECAB_ARGS
    tagger = importlib.import_module("fugashi").GenericTagger(arguments)
    names = {word for kind in NAMES for word in lexicon("ja", kind).keys.folded}
    for word in sources.frequent_words("ja", CANDIDATES):
        if KANJI_OR_KATAKANA.search(word) is None:
            continue
        analyses = [
            nodes[0].feature for nodes in tagger.nbestToNodeList(word, ANALYSES) if len(nodes) == 1
        ]
        if not analyses or analyses[0][1] == "固有名詞":
            continue
        if fold(word) not in names or all(feature[2] != "人名" for feature in analyses):
            yield word
