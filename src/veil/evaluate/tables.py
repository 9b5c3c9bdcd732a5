"""Scores by label and by family, of PHI against the rest, and of first and last names."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veil.core.labels import family_in
from veil.evaluate.counts import Counts
from veil.evaluate.match import (
    count_common,
    count_extents,
    count_relaxed,
    count_strict,
    count_token_extents,
    count_tokens,
)
from veil.evaluate.pairing import Pair

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from veil.core.document import Span
    from veil.core.labels import Scheme


@dataclass(frozen=True, slots=True)
class LabelScores:
    """What became of one label or family; `support` is how many gold annotations it has."""

    label: str
    support: int
    strict: Counts
    relaxed: Counts
    token: Counts


@dataclass(frozen=True, slots=True)
class TwoWayScores:
    """PHI or not, the label ignored (aramaki-2006, table 4), by annotation and by token."""

    instance: Counts
    token: Counts


@dataclass(frozen=True, slots=True)
class NameScores:
    """First names, last names and both together (carlsson-2010, figures 1 to 3)."""

    first: Counts
    last: Counts
    total: Counts


def score_labels(pairs: Sequence[Pair]) -> tuple[LabelScores, ...]:
    """Score each label that occurs, sorted by name.

    The strict column is MedNLP's score by tag and, with the token column, table 5 of aramaki-2006.
    """
    by_label: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        for label, part in _split_by_label(pair).items():
            by_label[label].append(part)
    return tuple(
        LabelScores(
            label,
            sum(len({span.key for span in pair.gold}) for pair in parts),
            *(
                sum(map(count, parts), Counts())
                for count in (count_strict, count_relaxed, count_tokens)
            ),
        )
        for label, parts in sorted(by_label.items())
    )


def _split_by_label(pair: Pair) -> dict[str, Pair]:
    gold: defaultdict[str, list[Span]] = defaultdict(list)
    predicted: defaultdict[str, list[Span]] = defaultdict(list)
    for span in pair.gold:
        gold[span.label].append(span)
    for span in pair.predicted:
        predicted[span.label].append(span)
    return {
        label: Pair(pair.document, tuple(gold[label]), tuple(predicted[label]))
        for label in {**gold, **predicted}
    }


def score_families(pairs: Sequence[Pair], *, scheme: Scheme | None) -> tuple[LabelScores, ...]:
    """Score each family: a doctor's name found as a patient's is a name found.

    wi-deid-2015, table 4, "Overall": the types of a family are combined as instances of it.
    """

    def as_families(spans: Sequence[Span]) -> tuple[Span, ...]:
        families = ((span, family_in(span.label, scheme)) for span in spans)
        return tuple(replace(span, label=family) for span, family in families if family)

    return score_labels(
        [Pair(pair.document, as_families(pair.gold), as_families(pair.predicted)) for pair in pairs]
    )


def score_two_way(pairs: Sequence[Pair]) -> TwoWayScores:
    """Score PHI against the rest."""
    return TwoWayScores(
        sum(map(count_extents, pairs), Counts()),
        sum(map(count_token_extents, pairs), Counts()),
    )


def score_names(pairs: Sequence[Pair], *, scheme: Scheme | None = None) -> NameScores | None:
    """Score first and last names, or return None where neither side tells them apart."""

    def count(part: str) -> Counts:
        def extents(spans: Sequence[Span]) -> set[Hashable]:
            return {(span.start, span.end) for span in spans if _name_part(span, scheme) == part}

        return sum(
            (count_common(extents(pair.gold), extents(pair.predicted)) for pair in pairs), Counts()
        )

    first, last = count("first"), count("last")
    total = first + last
    return NameScores(first, last, total) if total != Counts() else None


def _name_part(span: Span, scheme: Scheme | None) -> str | None:
    if span.part is not None:
        return span.part
    mapped = scheme.to_veil.get(span.label, "").partition(":")[2] if scheme else ""
    return mapped or {"FIRST_NAME": "first", "LAST_NAME": "last"}.get(span.label)
