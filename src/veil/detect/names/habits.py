"""What names look like in a language and how titles stand beside them, as data."""

from __future__ import annotations

from dataclasses import dataclass

from veil.languages import base_language

# Small words inside a surname: "dr Anna von Essen", "Dra. de la Fuente".
_PARTICLES = """
    af av von van der den ter ten zu bin ibn al el de del della di da das do dos du la las los le y
"""
_ENGLISH_LETTERS = """
    aprn bsn crna dpt emt esq fnp iii jr lcsw mba mph msn msw pa-c phd pharmd slp sr d.o dds dmd dpm
    faap facc facog facp facs frcp frcpc frcs frcsc m.d md mbbs mbchb mrcgp mrcp mrcs
"""
_ENGLISH_NURSES = "rn lpn cna"
_SWEDISH_STAFF = """
    arbetsterapeut at-läkare barnmorska bm dietist distriktsläkare distriktssköterska dl docent dsk
    fysioterapeut kurator logoped läk läkare professor psykolog sjukgymnast sjuksköterska
    specialistläkare ssk st-läkare ul underläkare undersköterska usk öl överläkare
"""
_JAPANESE_HONORIFICS = """
    くん さま さん ちゃん 先生 先輩 後輩 君 夫人 女史 婦人 嬢 様 殿 氏 選手 関 親方
"""


@dataclass(frozen=True)
class Habits:
    """How names are written in a language. Titles are folded, see `veil.lexicons.folding`."""

    has_capitals: bool = True
    """Whether a name begins with a capital."""

    family_first: bool = False
    """Whether the family's name comes first; a lone word is then the family's."""

    surnames: int = 1
    """How many surnames a person usually has."""

    longest: int = 3
    """How many words beside a title are taken for one name; particles are not counted."""

    shortest_listed: int = 2
    """How many characters a word needs to be looked up in the dictionaries."""

    particles: frozenset[str] = frozenset(_PARTICLES.split())

    compound_joints: frozenset[str] = frozenset()
    """What follows a compound that is cut short: "Mag- *och* tarmsjukdomar"."""

    kinds_with_capital: tuple[str, ...] = ()
    """Kinds of lexicons whose words have a capital inside a sentence without being names."""

    may_follow: frozenset[str] | None = frozenset()
    """The titles that may stand after a name; None: all."""

    must_follow: frozenset[str] = frozenset()
    """The titles that never stand before a name."""

    comma_before_title: bool = True
    """Whether a name needs a comma before the title that follows it."""

    fewest_before_title: int = 2
    """How many words a name needs before a title."""


_HABITS = {
    "en": Habits(
        may_follow=frozenset((_ENGLISH_LETTERS + _ENGLISH_NURSES).split()),
        must_follow=frozenset(_ENGLISH_LETTERS.split()),
        kinds_with_capital=("month", "weekday", "nationality"),
        comma_before_title=False,
        fewest_before_title=1,
    ),
    "es": Habits(surnames=2, longest=4),
    "sv": Habits(
        may_follow=frozenset(_SWEDISH_STAFF.split()),
        compound_joints=frozenset({"och", "eller", "samt", "resp", "respektive", "/", ","}),
    ),
    "ja": Habits(
        has_capitals=False,
        family_first=True,
        longest=2,
        particles=frozenset(),
        may_follow=None,
        must_follow=frozenset(_JAPANESE_HONORIFICS.split()),
        comma_before_title=False,
        fewest_before_title=1,
    ),
}


def habits(language: str) -> Habits:
    """Return the habits of a language; a variant has those of its language."""
    return _HABITS[base_language(language)]
