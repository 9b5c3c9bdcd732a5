"""What a module does to the scores: with it minus without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veil.evaluate.counts import Counts
    from veil.orders.scoring import Group
    from veil.orders.study import Study


@dataclass(frozen=True)
class Effect:
    """The mean and the range of differences of one score."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, differences: list[float]) -> Effect:
        return cls(sum(differences) / len(differences), min(differences), max(differences))


@dataclass(frozen=True)
class Influence:
    """The effect of one module on a group of names over `pairs` of orders.

    A pair is an order and the same order without the module. Pairs whose shorter order finds
    nothing are left out: nothing has no precision. In `unchanged` pairs the module does nothing.
    """

    code: str
    group: Group
    pairs: int
    unchanged: int
    precision: Effect
    recall: Effect
    f1: Effect


def influences(study: Study, group: Group) -> list[Influence]:
    """The influence of each module that has a pair of orders."""
    scores = dict(study.ranked(group))
    codes = dict.fromkeys("".join(each.order for each in study.orders))
    found = []
    for code in codes:
        pairs = [
            (scores[order], without)
            for order in scores
            if code in order
            and (without := scores.get(order.replace(code, ""))) is not None
            and without.tp + without.fp
        ]
        if pairs:
            found.append(_influence(code, group, pairs))
    return found


def _influence(code: str, group: Group, pairs: list[tuple[Counts, Counts]]) -> Influence:
    return Influence(
        code=code,
        group=group,
        pairs=len(pairs),
        unchanged=sum(with_it == without for with_it, without in pairs),
        precision=Effect.of([each.precision - without.precision for each, without in pairs]),
        recall=Effect.of([each.recall - without.recall for each, without in pairs]),
        f1=Effect.of([each.f1 - without.f1 for each, without in pairs]),
    )
