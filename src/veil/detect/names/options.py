"""What can be set on the modules; the paper leaves some of it open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.core.errors import InputError, UnknownNameError
from veil.lexicons import lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.lexicons import Lexicon

DICTIONARIES = ("given_female", "given_male", "surname")
"""The dictionaries in the paper's order: the first that holds a word decides what it is."""

KINDS = (*DICTIONARIES, "title", "doctor_title", "common", "medical")
"""The kinds of lexicons that the modules look into."""


@dataclass(frozen=True)
class NameOptions:
    """Settings of the modules."""

    dictionaries: tuple[str, ...] = DICTIONARIES
    """Which dictionaries the dictionary module looks into, in this order."""

    any_case: bool = False
    """Take words in lower case for names too, where a dictionary holds them or they were learnt."""

    medical: bool = True
    """Count medical words and eponyms as common words, as a list made from records has them."""

    spare_names: bool = True
    """Do not count a word of the list of common words as such if it is a frequent name (Anna), or
    where it is written like a name that a dictionary holds (Björn): with a capital although no
    sentence begins there, or before another word that may be a name."""

    at_least: int = 2
    """How many times a word must be annotated to be learnt."""

    learn_common: bool = False
    """Let the learning module annotate words that are marked as common."""

    lexicons: Mapping[str, Lexicon] = field(default_factory=dict)
    """Lexicons of your own instead of Veil's, by kind."""

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
        return self.lexicons[kind] if kind in self.lexicons else lexicon(language, kind)


AS_PUBLISHED = NameOptions(any_case=True, medical=False, spare_names=False, learn_common=True)
"""The settings that come nearest to what carlsson-2010 did, whose precision shows that case did not
count; they miss names that are common words, and take common words for names."""
