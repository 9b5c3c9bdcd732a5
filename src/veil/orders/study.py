"""Running orders of modules over records; what orders begin with alike is run once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.detect.names.detector import check_order, make_modules
from veil.detect.names.forms import FormBook, NameOptions
from veil.detect.names.modules import State
from veil.orders.scoring import GoldNames

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from veil.core.document import Record
    from veil.detect.names.modules import Module
    from veil.evaluate.counts import Counts
    from veil.orders.scoring import Group, NameScores


@dataclass(frozen=True)
class OrderScores:
    """One order and how it fared."""

    order: str
    scores: NameScores


@dataclass(frozen=True)
class Study:
    """What came of running orders over records."""

    language: str
    records: int
    words: int
    names: int
    has_parts: bool
    orders: tuple[OrderScores, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        """What is scored."""
        return ("total", "first", "last") if self.has_parts else ("total",)

    def ranked(self, group: Group) -> list[tuple[str, Counts]]:
        """The orders and their scores in a group, the highest F first, then by name."""
        scored = [
            (each.order, counts)
            for each in self.orders
            if (counts := each.scores.group(group)) is not None
        ]
        return sorted(scored, key=lambda pair: (-pair[1].f1, len(pair[0]), pair[0]))


def all_orders(codes: str) -> list[str]:
    """Every order of every subset of modules, the short ones first: 64 of four modules."""
    checked = check_order(codes)
    return [
        "".join(order)
        for length in range(1, len(checked) + 1)
        for order in permutations(checked, length)
    ]


def run_orders(
    records: Sequence[Record],
    language: str,
    orders: Sequence[str],
    *,
    options: NameOptions | None = None,
    labels: Collection[str] = (),
    step: Callable[[], None] = lambda: None,
) -> Study:
    """Run orders over all records and score each; `labels` are those of names, if not guessed.

    `step` is called after each order.
    """
    book = FormBook(language, options or NameOptions())
    states = [State(book.read(record.document.text)) for record in records]
    gold = GoldNames.of(records, [state.words for state in states], labels)
    if not gold.words:
        raise InputError(
            "no name is annotated in these records, so nothing can be scored; "
            "name the labels of names if they have their own"
        )
    wanted = dict.fromkeys(map(check_order, orders))
    codes = "".join(dict.fromkeys("".join(wanted)))
    modules = {module.code: module for module in make_modules(codes, book)}
    scored = {}
    for order, after in _walk("", states, modules, wanted):
        if order in wanted:
            scored[order] = gold.score(after)
            step()
    return Study(
        language=language,
        records=len(records),
        words=sum(len(state.words) for state in states),
        names=gold.words,
        has_parts=gold.has_parts,
        orders=tuple(OrderScores(order, scored[order]) for order in wanted),
    )


def _walk(
    order: str, states: Sequence[State], modules: Mapping[str, Module], wanted: Collection[str]
) -> Iterator[tuple[str, Sequence[State]]]:
    """Yield every beginning of a wanted order with the states after it."""
    for code, module in modules.items():
        longer = order + code
        if any(each.startswith(longer) for each in wanted):
            after = module.apply(states)
            yield longer, after
            yield from _walk(longer, after, modules, wanted)
