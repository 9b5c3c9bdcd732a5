"""The experiments of cotik-2019, kajiyama-2018 and carlsson-2010, for `veil.learn.reproduce`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.detect.names import AS_PUBLISHED
from veil.evaluate.errors import analyse
from veil.evaluate.match import count_extents, count_strict, ratio
from veil.evaluate.metrics import count_merged, score_labels, score_meddocan
from veil.evaluate.significance import f1_interval
from veil.languages import language
from veil.learn.kajiyama import paper_tables, study_sources
from veil.learn.name_study import all_orders, run_orders
from veil.learn.name_study_report import extremes, paper_figure
from veil.learn.recipe import recipe
from veil.learn.reproduce import EXPERIMENTS, Measured, split_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.core.document import Document
    from veil.detect.crf import LinearRecipe
    from veil.evaluate.match import Counts, Pair
    from veil.learn.reproduce import Experiment

FEWEST_CASES = 50
"""A label is in table 2 of cotik-2019 if it has this many gold annotations."""

_WORST = 6
_MOST_CONFUSED = 12


def _cotik(experiment: Experiment) -> Iterator[Measured]:
    """Tables 1 and 2 and figure 2 of cotik-2019; table 2 and the figure are those of its CRF."""
    spoken = language(experiment.paper.language)

    def sentences(doc: Document) -> int:
        return len(spoken.sentences(doc.text))

    levels = {"1": count_strict, "2 strict": count_extents, "2 merged": count_merged}
    for level, count in levels.items():
        for run in experiment.paper.runs:
            pairs = experiment.pairs(run)
            documents = [count(pair) for pair in pairs]
            total = _sum(documents)
            leak = score_meddocan(pairs, sentences=sentences).leak or 0.0
            values = (total.precision, total.recall, total.f1, *([leak] if level == "1" else []))
            yield Measured("Table 1", f"{level} {run}", values, f1_interval(documents))
    pairs = experiment.pairs("CRF")
    published = {table.name: tuple(table.rows) for table in experiment.paper.tables}
    for label, counts in worst_labels(pairs, named=published["Table 2"]):
        yield Measured("Table 2", label, (counts.precision, counts.recall, counts.f1))
    yield from confusion_rows(pairs, named=published["Figure 2"])


def _sum(documents: Sequence[Counts]) -> Counts:
    first, *others = documents
    return sum(others, first)


def worst_labels(
    pairs: Sequence[Pair],
    *,
    named: Sequence[str] = (),
    fewest: int = FEWEST_CASES,
    most: int = _WORST,
) -> list[tuple[str, Counts]]:
    """Return the labels with the lowest F1 among those with enough gold annotations.

    Labels that are `named` are always among them if they have an annotation.
    """
    scores = score_labels(pairs)
    scored = [(each.label, each.strict) for each in scores if fewest <= each.support]
    worst = sorted(scored, key=lambda pair: (pair[1].f1, pair[0]))[:most]
    labels = {label for label, _ in worst}
    others = [(each.label, each.strict) for each in scores if each.label in named and each.support]
    return worst + [each for each in others if each[0] not in labels]


def confusion_rows(
    pairs: Sequence[Pair], *, named: Sequence[str] = (), most: int = _MOST_CONFUSED
) -> Iterator[Measured]:
    """Yield the most frequent confusions of labels, as shares of the gold annotations of a label.

    Confusions that are `named` ("AGE as DATE") come first. The matrix in figure 2 of the paper has
    colours instead of numbers.
    """
    support = Counter(span.label for pair in pairs for span in pair.gold)
    cells = {
        f"{gold} as {predicted}": (count, gold)
        for (gold, predicted), count in analyse(pairs).confusion.cells.items()
        if gold != predicted
    }
    for name in named:
        count, gold = cells.pop(name, (0, name.partition(" as ")[0]))
        yield Measured("Figure 2", name, (ratio(count, support[gold]),))
    frequent = sorted(cells.items(), key=lambda cell: (-cell[1][0], cell[0]))
    for name, (count, gold) in frequent[:most]:
        yield Measured("Figure 2", name, (ratio(count, support[gold]),))


EXPERIMENTS.add("cotik-2019", _cotik)


def _kajiyama(experiment: Experiment) -> Iterator[Measured]:
    """Tables 2 to 5 of kajiyama-2018."""
    made = experiment.paper
    sources = split_sources(made, experiment.gold)
    learners = {
        run: _shortened(replace(recipe(name), scheme=made.scheme), experiment)
        for run, name in made.runs.items()
    }
    folds = (experiment.size and experiment.size.folds) or made.folds
    study = study_sources(sources, learners=learners, folds=folds, report=experiment.report)
    for table in paper_tables(study):
        name = table.title.partition(":")[0]
        for tag, row in table.rows.items():
            values = tuple(None if score is None else score / 100 for score in row)
            yield Measured(name, tag, values)


def _shortened(made: LinearRecipe, experiment: Experiment) -> LinearRecipe:
    """A recipe for a fast run: fewer iterations, or a smaller network that takes larger steps."""
    if not experiment.size or not experiment.size.iterations:
        return made
    if made.network is not None:
        # Few records need small batches, or the network takes too few steps to learn anything.
        small = replace(made.network, epochs=10, hidden=64, window=30, batch=150, rate=0.01)
        return replace(made, network=small)
    limit = {"max_iterations": experiment.size.iterations}
    return replace(made, parameters={**made.parameters, **limit})


EXPERIMENTS.add("kajiyama-2018", _kajiyama)


def _carlsson(experiment: Experiment) -> Iterator[Measured]:
    """Figures 1 to 3 of carlsson-2010: modules alone, orders that it names, and the extremes."""
    study = run_orders(
        experiment.gold, experiment.paper.language, all_orders("TCDL"), options=AS_PUBLISHED
    )
    if not study.has_parts:
        raise InputError("carlsson-2010 needs records whose names are first or last names")
    for group in study.groups:
        figure, scores = paper_figure(group), dict(study.ranked(group))
        found = [order for _, order, _ in extremes(study, group)]
        for order in dict.fromkeys(("D", "T", *figure.orders, *found)):
            counts = scores[order]
            values = (counts.precision, counts.recall, counts.f1)
            yield Measured(f"Figure {figure.number}", order, values)


EXPERIMENTS.add("carlsson-2010", _carlsson)
