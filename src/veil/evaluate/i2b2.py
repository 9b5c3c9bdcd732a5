"""The i2b2/UTHealth 2014 metrics, as the track's public script counts them.

Stubbs, Kotfila and Uzuner 2015; the script is github.com/kotfic/i2b2_evaluation_scripts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.evaluate.counts import Scores
from veil.evaluate.match import count_relaxed, count_strict, count_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.labels import Scheme
    from veil.evaluate.pairing import Pair

# Veil's labels carry the names of the i2b2 types. IDNUM is not here: the script means to count it,
# but its pattern for it ends in a blank and never matches, and published HIPAA scores lack it.
HIPAA_TYPES = frozenset(
    {"PATIENT", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "AGE", "PHONE", "FAX", "EMAIL"}
    | {"SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"}
)


@dataclass(frozen=True, slots=True)
class LevelScores:
    """The three levels of the script."""

    strict: Scores
    relaxed: Scores
    token: Scores


@dataclass(frozen=True, slots=True)
class I2b2Scores:
    """All types, and the HIPAA types where the label scheme is known."""

    all: LevelScores
    hipaa: LevelScores | None


def score_i2b2(pairs: Sequence[Pair], *, scheme: Scheme | None = None) -> I2b2Scores:
    """Score as the i2b2 2014 script."""
    return I2b2Scores(
        _levels(pairs),
        _levels([pair.only(lambda label: is_hipaa(label, scheme)) for pair in pairs])
        if scheme
        else None,
    )


def is_hipaa(label: str, scheme: Scheme) -> bool:
    """Whether a label is of a HIPAA type; one that names a whole family (NAME, ID) is of none."""
    return scheme.to_veil.get(label, "").partition(":")[0] in HIPAA_TYPES


def _levels(pairs: Sequence[Pair]) -> LevelScores:
    return LevelScores(
        strict=Scores.of([count_strict(pair) for pair in pairs]),
        relaxed=Scores.of([count_relaxed(pair) for pair in pairs]),
        token=Scores.of([count_tokens(pair) for pair in pairs]),
    )
