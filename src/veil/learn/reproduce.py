"""Reproducing a paper: its experiments, with its tables beside the published figures.

A paper is a file in `papers/`: what it did, the recipe of each of its systems, and its tables as
published. For each paper a function here measures the rows of these tables.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, UnknownNameError
from veil.core.labels import family_in, scheme
from veil.core.registry import Registry
from veil.core.toml import read_toml
from veil.evaluate.errors import EXTENT_ERRORS, analyse
from veil.evaluate.match import (
    Counts,
    count_extents,
    count_relaxed,
    count_strict,
    count_tokens,
    pair_records,
    ratio,
)
from veil.evaluate.metrics import is_hipaa, score_families
from veil.evaluate.significance import f1_interval
from veil.learn.recipe import deviations, recipe
from veil.learn.training import cross_validate, predict, train
from veil.render import NO_TEXT_NOTICE, render_page
from veil.render.terminal import text_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from veil.core.document import Record
    from veil.core.labels import Scheme
    from veil.detect.crf import LinearRecipe
    from veil.evaluate.match import Pair
    from veil.evaluate.significance import Interval

    Number = int | float
    Report = Callable[[int, float], None]

_FOLDER = Path(__file__).parent / "papers"
_SUFFIX = ".toml"
DUMMY = "DUMMY RECORDS"
_TOTAL = "total"


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a paper; `""` in a row is a number that the paper does not give.

    `percent`: the paper gives shares in percent.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Sequence[Number | str]]
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """The size of an experiment: records to train on and to test on, folds, iterations."""

    records: int
    test: int = 0
    folds: int = 0
    iterations: int = 0


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper did and published. `dummy` and `fast` are the sizes without its corpus.

    `folds` is 0 where the paper trains on one part of its corpus and tests on another. A paper
    without `runs` trains nothing. `sources` names the corpora of a paper that compares several.
    """

    @property
    def has_test_part(self) -> bool:
        """Whether the paper trains on one part of its corpus and tests on another."""
        return bool(self.runs) and not self.folds

    name: str
    title: str
    reference: str
    corpus: str
    language: str
    scheme: str
    dummy: Size
    fast: Size
    tables: tuple[PublishedTable, ...]
    recipe: str = ""
    runs: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    folds: int = 0
    notes: tuple[str, ...] = ()

    def deviations(self) -> tuple[str, ...]:
        """How the recipes differ from the paper."""
        each = (sentence for name in self.runs.values() for sentence in deviations(name))
        return tuple(dict.fromkeys((*each, *self.notes)))


def papers() -> list[str]:
    """The names of the papers that can be reproduced."""
    return sorted(file.stem for file in _FOLDER.glob(f"*{_SUFFIX}"))


@cache
def paper(name: str) -> Paper:
    """Return a paper by its name."""
    if name not in papers():
        raise UnknownNameError("paper", name, papers())
    data = read_toml(_FOLDER / f"{name}{_SUFFIX}")
    data["tables"] = tuple(
        PublishedTable(**{**table, "columns": tuple(table["columns"])}) for table in data["tables"]
    )
    for key in ("notes", "sources"):
        data[key] = tuple(data.get(key, ()))
    return Paper(
        **{**data, "name": name, "dummy": Size(**data["dummy"]), "fast": Size(**data["fast"])}
    )


@dataclass(frozen=True)
class Material:
    """The records of an experiment; without `test` records it is a cross-validation.

    `source` describes them.
    """

    train: Sequence[Record] = field(repr=False)
    test: Sequence[Record] = field(repr=False)
    source: str
    is_dummy: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: measured and published numbers, None where there is none.

    `interval` is the 95 % interval of F over documents.
    """

    name: str
    measured: tuple[Number | None, ...]
    published: tuple[Number | None, ...]
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper with the measured figures."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A paper's tables as measured and as published, and how the experiment differs."""

    paper: str
    title: str
    reference: str
    corpus: str
    source: str
    is_dummy: bool
    tables: tuple[Table, ...]
    deviations: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, strings and numbers."""
        return asdict(self)


@dataclass(frozen=True)
class Measured:
    """A result of an experiment: numbers for a row of a table; shares are from 0 to 1."""

    table: str
    row: str
    values: tuple[Number | None, ...]
    interval: Interval | None = None


class Experiment:
    """Trains and tests the systems of a paper, each once."""

    def __init__(
        self, made: Paper, material: Material, size: Size | None, report: Report | None
    ) -> None:
        self.paper = made
        self.material = material
        self.scheme: Scheme = scheme(made.scheme)
        self.size = size
        self.report = report
        self._pairs: dict[str, tuple[Pair, ...]] = {}

    @property
    def gold(self) -> Sequence[Record]:
        """The records on which systems are measured."""
        return self.material.test or self.material.train

    @property
    def labels(self) -> list[str]:
        """The labels of the gold records, sorted."""
        return sorted({span.label for record in self.gold for span in record.annotations})

    def pairs(self, run: str) -> tuple[Pair, ...]:
        """Gold and predicted annotations of one of the paper's systems."""
        if run not in self._pairs:
            self._pairs[run] = pair_records(self.gold, self._predict(run)).pairs
        return self._pairs[run]

    def _predict(self, run: str) -> Sequence[Record]:
        made = self._recipe(self.paper.runs[run])
        train_records = self.material.train
        if self.material.test:
            # These scores do not depend on calibration, so that training keeps all records.
            detector = train(made, train_records, dev=train_records[:1], report=self.report)
            return predict(detector, self.material.test)
        folds = (self.size and self.size.folds) or self.paper.folds
        return cross_validate(made, train_records, folds=folds, report=self.report).predictions

    def _recipe(self, name: str) -> LinearRecipe:
        made = replace(recipe(name), scheme=self.paper.scheme)
        if self.size and self.size.folds:
            made = replace(made, folds=self.size.folds)
        if self.size and self.size.iterations:
            limit = {"max_iterations": self.size.iterations}
            made = replace(made, parameters={**made.parameters, **limit})
        return made


def split_sources(made: Paper, records: Sequence[Record]) -> dict[str, list[Record]]:
    """Return the records of each source of a paper; their ids begin with its number: "2/note"."""
    numbered = enumerate(made.sources, start=1)
    found = {
        name: [record for record in records if record.id.startswith(f"{number}/")]
        for number, name in numbered
    }
    if not all(found.values()):
        raise InputError(
            f"{made.name} compares {len(made.sources)} sources of records; put each into a "
            "subfolder of the corpus"
        )
    return found


EXPERIMENTS: Registry[Callable[[Experiment], Iterator[Measured]]] = Registry("experiment")


def reproduce(
    name: str, material: Material, *, fast: bool = False, report: Report | None = None
) -> Reproduction:
    """Run the experiments of a paper on records in its scheme."""
    made = paper(name)
    if not any(record.spans for record in (material.test or material.train)):
        raise InputError("no annotated span in the records to measure on")
    experiment = Experiment(made, material, made.fast if fast else None, report)
    measured = list(EXPERIMENTS.get(name)(experiment))
    differences = made.deviations()
    if fast:
        named = {"records": "records", "test": "records to test on"}
        sizes = [
            f"{number} {named.get(key, key)}" for key, number in asdict(made.fast).items() if number
        ]
        differences = (f"A fast run: at most {', '.join(sizes)}.", *differences)
    return Reproduction(
        paper=name,
        title=made.title,
        reference=made.reference,
        corpus=made.corpus,
        source=material.source,
        is_dummy=material.is_dummy,
        tables=tuple(_table(each, measured) for each in made.tables),
        deviations=differences,
    )


def _table(published: PublishedTable, measured: Sequence[Measured]) -> Table:
    own = {each.row: each for each in measured if each.table == published.name}
    rows = []
    names = [*dict.fromkeys((*published.rows, *own))]
    names.sort(key=_TOTAL.__eq__)  # stable: a total comes last
    for name in names:
        found = own.get(name)
        theirs = [None if cell == "" else cell for cell in published.rows.get(name, ())]
        rows.append(
            Row(
                name,
                _filled(found.values if found else (), len(published.columns)),
                _filled(theirs, len(published.columns)),  # type: ignore[arg-type]
                found.interval if found else None,
            )
        )
    columns = published.columns
    return Table(published.name, published.title, columns, tuple(rows), published.percent)


def _filled(numbers: Sequence[Number | None], size: int) -> tuple[Number | None, ...]:
    return (*numbers, *[None] * (size - len(numbers)))


def _prf(counts: Counts) -> tuple[float, float, float]:
    return counts.precision, counts.recall, counts.f1


def _scored(
    table: str, row: str, pairs: Sequence[Pair], count: Callable[[Pair], Counts]
) -> Measured:
    """Precision, recall and F with its interval."""
    documents = [count(pair) for pair in pairs]
    return Measured(table, row, _prf(sum(documents, Counts())), f1_interval(documents))


def _of_label(pairs: Sequence[Pair], label: str) -> list[Pair]:
    return [pair.only(label.__eq__) for pair in pairs]


def _aramaki(experiment: Experiment) -> Iterator[Measured]:
    """Tables 3 to 5 of aramaki-2006."""
    counts = Counter(span.label for record in experiment.gold for span in record.annotations)
    for label in experiment.labels:
        yield Measured("Table 3", label, (counts[label],))
    for run in experiment.paper.runs:
        pairs = experiment.pairs(run)
        yield _scored("Table 4", run, pairs, count_extents)
        yield _scored("Table 5", run, pairs, count_strict)
        for label in experiment.labels:
            yield _scored("Table 5", f"{run} {label}", _of_label(pairs, label), count_strict)


EXPERIMENTS.add("aramaki-2006", _aramaki)

_WI_DEID = "unofficial run 2"
_WITHOUT_PREPROCESSING = "comparison system"
_FEATURE_SETS = {"Lex": "Lex", "Lex+Ort": "Lex+Ort", "Lex+Ort+Dic": _WI_DEID}


def _wi_deid(experiment: Experiment) -> Iterator[Measured]:
    """Tables 3 to 8 and figures 2 and 3 of wi-deid-2015."""
    for run in ("best official run", "unofficial run 1", _WI_DEID):
        yield from _i2b2_rows(run, experiment)
    yield from _type_rows(experiment)
    pairs = experiment.pairs(_WI_DEID)
    yield from _comparison("Table 5", [_WITHOUT_PREPROCESSING, _WI_DEID], experiment, total=_TOTAL)
    errors = list(_error_rows(pairs))
    yield from errors
    yield from _none_found(experiment.paper, errors)
    yield from _comparison("Figure 2", list(_FEATURE_SETS.values()), experiment)
    for name, run in _FEATURE_SETS.items():
        documents = [count_strict(pair) for pair in experiment.pairs(run)]
        total = sum(documents, Counts())
        yield Measured("Figure 3", name, (total.f1,), f1_interval(documents))


EXPERIMENTS.add("wi-deid-2015", _wi_deid)


def _i2b2_rows(run: str, experiment: Experiment) -> Iterator[Measured]:
    pairs = experiment.pairs(run)
    hipaa = [pair.only(lambda label: is_hipaa(label, experiment.scheme)) for pair in pairs]
    levels = {"token": count_tokens, "strict": count_strict, "relaxed": count_relaxed}
    for prefix, part in (("i2b2", pairs), ("HIPAA", hipaa)):
        for level, count in levels.items():
            yield _scored("Table 3", f"{run}, {prefix} {level}", part, count)


def _type_rows(experiment: Experiment) -> Iterator[Measured]:
    """Table 4: each type, and each category with its types taken together."""
    pairs = experiment.pairs(_WI_DEID)
    trained = Counter(
        span.label for record in experiment.material.train for span in record.annotations
    )
    labels = sorted({*trained, *experiment.labels})
    for label in labels:
        yield _type_row(label, trained[label], _of_label(pairs, label))
    family_of = {label: family_in(label, experiment.scheme) or label for label in labels}
    as_families = [pair.relabelled(family_of.__getitem__) for pair in pairs]
    # A category with only one type, of the same name, has no further row.
    for family in sorted({*family_of.values()} - {*labels}):
        count = sum(trained[label] for label in labels if family_of[label] == family)
        yield _type_row(f"{family} overall", count, _of_label(as_families, family))


def _type_row(name: str, trained: int, pairs: Sequence[Pair]) -> Measured:
    documents = [count_strict(pair) for pair in pairs]
    counts = sum(documents, Counts())
    gold, system = counts.tp + counts.fn, counts.tp + counts.fp
    values = (trained, gold, system, counts.tp, *_prf(counts))
    return Measured("Table 4", name, values, f1_interval(documents))


def _comparison(
    table: str, runs: Sequence[str], experiment: Experiment, *, total: str = ""
) -> Iterator[Measured]:
    """F of each category by several systems, one column each."""
    systems = [
        {
            row.label: row.strict.f1
            for row in score_families(experiment.pairs(run), scheme=experiment.scheme)
        }
        for run in runs
    ]
    for family in sorted({family for scores in systems for family in scores}):
        yield Measured(table, family, tuple(scores.get(family, 0.0) for scores in systems))
    if total:
        sums = (sum(map(count_strict, experiment.pairs(run)), Counts()) for run in runs)
        yield Measured(table, total, tuple(counts.f1 for counts in sums))


def _error_rows(pairs: Sequence[Pair]) -> Iterator[Measured]:
    """Tables 6 to 8. Extent errors are counted by prediction, as in the paper."""
    found = analyse(pairs)
    extents = found.extents_by_label()
    of_extents = {extent: sum(own[extent] for own in extents.values()) for extent in EXTENT_ERRORS}
    kinds = found.by_kind()
    numbers = {**kinds, "extent": sum(of_extents.values())}
    for kind in ("type", "extent", "missing", "spurious"):
        share = ratio(numbers[kind], sum(numbers.values()))
        yield Measured("Table 6", f"{kind} error", (numbers[kind], share))
    confusion = found.confusion
    for (gold, predicted), count in confusion.cells.items():
        yield Measured("Table 7", f"{gold} as {predicted}", (count,))
    for name, counts in (("missing", confusion.missing), ("spurious", confusion.spurious)):
        for label, count in counts.items():
            yield Measured("Table 7", f"{label} {name}", (count,))
    for label, own in extents.items():
        yield Measured("Table 8", label, (*own.values(), sum(own.values())))
    yield Measured("Table 8", _TOTAL, (*of_extents.values(), sum(of_extents.values())))


def _none_found(made: Paper, errors: Sequence[Measured]) -> Iterator[Measured]:
    """Zeros for errors that the paper counts and that did not occur."""
    known = {(each.table, each.row) for each in errors}
    for table in made.tables:
        if table.name in {"Table 7", "Table 8"}:
            for row in table.rows:
                if (table.name, row) not in known:
                    yield Measured(table.name, row, (0,) * len(table.columns))


def format_reproduction(found: Reproduction) -> str:
    """Return all tables as text, each with the published figures beside it."""
    sections = [
        f"{found.paper}: {found.title}\n{found.reference}\n"
        f"The paper's corpus: {found.corpus}.\nMeasured on: {found.source}."
    ]
    for table in found.tables:
        header, rows = table_cells(table)
        cells = text_table(header, [[str(cell) for cell in row] for row in rows])
        sections.append(f"{heading(found, table)}\n\n{cells}")
    listed = "\n".join(f"- {sentence}" for sentence in found.deviations)
    sections.append(f"In what this differs from the paper\n\n{listed}")
    return "\n\n".join(sections) + "\n"


def heading(found: Reproduction, table: Table) -> str:
    """The heading of a table, with a description of the records."""
    unit = ", percent" if table.percent else ""
    where = f"on {DUMMY}, which are not the paper's corpus" if found.is_dummy else "on your corpus"
    return f"{table.name}, {where}: {table.title}{unit}"


def table_cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Header and rows: measured numbers, the interval of F, published numbers if there are any."""
    has_intervals = any(row.interval for row in table.rows)
    published = [
        at
        for at, _ in enumerate(table.columns)
        if any(row.published[at] is not None for row in table.rows)
    ]
    header = ["", *table.columns, *(["95 % interval"] if has_intervals else [])]
    header += [f"paper: {table.columns[at]}" for at in published]
    scale = 100 if table.percent else 1
    rows = []
    for row in table.rows:
        cells = [row.name, *(_cell(value, scale, table.percent) for value in row.measured)]
        if has_intervals:
            limits = (row.interval.low, row.interval.high) if row.interval else ()
            cells.append(" - ".join(_cell(limit, scale, table.percent) for limit in limits))
        cells += [_cell(row.published[at], 1, table.percent) for at in published]
        rows.append(cells)
    return header, rows


def _cell(value: Number | None, scale: int, percent: bool) -> str:
    if value is None:
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{scale * value:.{2 if percent else 4}f}"


def reproduction_page(found: Reproduction) -> str:
    """Return the tables as an HTML page, and figures as bars."""
    return "".join(
        render_page(
            "reproduction",
            title=f"{found.paper} reproduced",
            notice=NO_TEXT_NOTICE,
            found=found,
            tables=[
                {
                    "id": table.name.lower().replace(" ", "-"),
                    "name": table.name,
                    "heading": heading(found, table),
                    "cells": table_cells(table),
                    "bars": [row.measured for row in table.rows] if _is_figure(table) else [],
                }
                for table in found.tables
            ],
        )
    )


def _is_figure(table: Table) -> bool:
    return table.name.startswith("Figure")
