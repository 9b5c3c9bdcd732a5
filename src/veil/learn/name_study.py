"""The experiment of carlsson-2010: every combination and order of the name modules, scored.

Names are scored word by word, as in the paper. Orders with a common beginning share its result.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Literal

from veil.core.errors import InputError
from veil.core.labels import family_in, guess_scheme
from veil.detect.names.detector import check_order, make_modules
from veil.detect.names.forms import AS_PUBLISHED, FormBook, NameOptions
from veil.detect.names.modules import State
from veil.evaluate.match import Counts, count_common

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence

    from veil.core.document import Record, Span
    from veil.core.labels import Scheme
    from veil.detect.names.modules import Module
    from veil.detect.names.words import TextWords


Group = Literal["total", "first", "last"]

# Labels for people in corpora outside the schemes.
_PERSONS = frozenset({"PER", "PERSON", "PRS"})
_NO_NAMES = frozenset({"USERNAME"})


@dataclass(frozen=True)
class GoldNames:
    """The words of each record that are names: their indices and, if `has_parts`, first or last.

    With parts a word counts as found only if it was found as the right part, and the total is the
    sum of both, as in the paper. Without them any name word that was found counts.
    """

    parts: tuple[dict[int, str], ...]
    has_parts: bool

    @classmethod
    def of(
        cls, records: Sequence[Record], words: Sequence[TextWords], labels: Collection[str] = ()
    ) -> GoldNames:
        """Find the name words of records; `labels` says which labels are names."""
        known = guess_scheme(
            {span.label for record in records for span in record.annotations} - _PERSONS
        )
        parts = tuple(
            dict(_name_words(record, each, known, labels))
            for record, each in zip(records, words, strict=True)
        )
        found = {part for each in parts for part in each.values()}
        return cls(parts, bool(found) and found <= {"first", "last"})

    @property
    def words(self) -> int:
        """How many words are names."""
        return sum(map(len, self.parts))

    def score(self, states: Sequence[State]) -> dict[Group, Counts]:
        """Score the annotations of the modules: in total and, if `has_parts`, by part."""
        if not self.has_parts:
            return {"total": self._count(states, None)}
        first, last = self._count(states, "first"), self._count(states, "last")
        return {"total": first + last, "first": first, "last": last}

    def _count(self, states: Sequence[State], part: str | None) -> Counts:
        total = Counts()
        for gold, state in zip(self.parts, states, strict=True):
            predicted = {index: name.part for index, name in state.names.items()}
            total += count_common(_of_part(gold, part), _of_part(predicted, part))
        return total


def _of_part(parts: Mapping[int, str], part: str | None) -> set[Hashable]:
    return {index for index, each in parts.items() if part is None or each == part}


def _name_words(
    record: Record, words: TextWords, known: Scheme | None, labels: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Yield the indices of name words with their part, empty where the gold standard has none."""
    for span in record.annotations:
        part = _name_part(span, known, labels)
        if part is None:
            continue
        index = bisect_right(words.ends, span.start)
        while index < len(words) and words.starts[index] < span.end:
            if any(map(str.isalpha, words.form(index))):
                yield index, part
            index += 1


def _name_part(span: Span, known: Scheme | None, labels: Collection[str]) -> str | None:
    """The part of a name that a span is, or "" if unknown; None if it is not a name."""
    mapped = known.to_veil.get(span.label, "") if known else ""
    label, _, part = mapped.partition(":")
    if labels:
        is_name = span.label in labels
    else:
        is_name = span.label in _PERSONS or (
            label not in _NO_NAMES and family_in(span.label, known) == "NAME"
        )
    return (span.part or part) if is_name else None


@dataclass(frozen=True)
class Study:
    """The scores of orders of modules over records."""

    language: str
    records: int
    words: int
    names: int
    has_parts: bool
    orders: Mapping[str, Mapping[Group, Counts]]
    as_published: bool = False

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of names that are scored."""
        return ("total", "first", "last") if self.has_parts else ("total",)

    def ranked(self, group: Group) -> list[tuple[str, Counts]]:
        """The orders and their scores in a group, the highest F first, then by name."""
        scored = [
            (order, scores[group]) for order, scores in self.orders.items() if group in scores
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
        orders={order: scored[order] for order in wanted},
        as_published=options == AS_PUBLISHED,
    )


def _walk(
    order: str, states: Sequence[State], modules: Mapping[str, Module], wanted: Collection[str]
) -> Iterator[tuple[str, Sequence[State]]]:
    """Yield every beginning of a requested order with the states after it."""
    for code, module in modules.items():
        longer = order + code
        if any(each.startswith(longer) for each in wanted):
            after = module.apply(states)
            yield longer, after
            yield from _walk(longer, after, modules, wanted)


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
    nothing are left out, since their precision is undefined. In `unchanged` pairs the module has no
    effect.
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
    codes = dict.fromkeys("".join(study.orders))
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
