"""Tables 2 to 5 of kajiyama-2018: rules, CRF and LSTM on two sources of records, alone and mixed.

The paper has pseudo records of the MedNLP-1 task and dummy records of its authors. A learner is
cross-validated on each source by itself and on both together ("mix"), where every fold has its
share of each source; the rules are not trained. Scores are F1 of exact spans, by tag (section 2.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.document import Record
from veil.core.errors import InputError
from veil.core.labels import VEIL, Converter, scheme
from veil.learn.recipe import METHODS, recipe
from veil.learn.training import ALL, cross_validate, predict, score_sources

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from veil.detect.crf import LinearRecipe
    from veil.evaluate.match import Counts
    from veil.learn.training import Report

    Tags = Mapping[str, Counts]

FOLDS = 4
RULES = "Rule based"
LEARNERS = {"CRF": "kajiyama-2018-crf", "LSTM": "kajiyama-2018-lstm"}
"""The learners of the paper and the recipes that train them."""

SCHEME = "mednlp"
TAGS = ("AGE", "HOSPITAL", "PERSON", "SEX", "TIME")
_MIXED = "{} Mix"


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper with measured scores: F1 in percent, None where there is no score."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]


@dataclass(frozen=True)
class SourceStudy:
    """Counts by method, by source (and all of them, `ALL`), by tag (and all of them).

    A method that learns from the mixture is called "CRF Mix".
    """

    sources: tuple[str, ...]
    methods: Mapping[str, Mapping[str, Tags]]

    def f1(self, method: str, source: str, tag: str) -> float | None:
        """F1 in percent; None if the source has no such span or the method no rule for it."""
        counts = self.methods.get(method, {}).get(source, {}).get(tag)
        if counts is None or not counts.tp + counts.fn:
            return None
        if method == RULES and tag == "PERSON":
            return None  # the paper has no rules for persons
        return 100 * counts.f1


def study_sources(
    sources: Mapping[str, Sequence[Record]],
    *,
    learners: Mapping[str, LinearRecipe] | None = None,
    folds: int = FOLDS,
    seed: int | None = None,
    dictionary: Path | None = None,
    report: Report | None = None,
) -> SourceStudy:
    """Run the rules and the learners on each source, and the learners on all of them together.

    Records are in the scheme of MedNLP; annotations with other tags than those of the paper do not
    count. Ids of different sources differ. `dictionary` is a user dictionary for the rules, as in
    the paper; those of the learners are in their recipes.
    """
    if len(sources) < 2:
        raise InputError("tables 2 to 5 of kajiyama-2018 need two sources of records")
    sources = {name: [_with_tags(record) for record in own] for name, own in sources.items()}
    if learners is None:
        learners = {name: recipe(file) for name, file in LEARNERS.items()}
    records = [record for own in sources.values() for record in own]
    names = [name for name, own in sources.items() for _ in own]
    converter = Converter(scheme(VEIL), scheme(SCHEME))
    by_rules = predict(METHODS.get("kajiyama-2018-rules").make(dictionary), records)
    in_scheme = [converter.convert_record(record) for record in by_rules]
    found: dict[str, Mapping[str, Tags]] = {RULES: score_sources(records, in_scheme, names)}
    for name, learner in learners.items():
        found[name] = {
            source: cross_validate(learner, own, folds=folds, seed=seed, report=report).tags[ALL]
            for source, own in sources.items()
        }
        found[_MIXED.format(name)] = cross_validate(
            learner, records, folds=folds, seed=seed, sources=names, report=report
        ).tags
    return SourceStudy(tuple(sources), found)


def _with_tags(record: Record) -> Record:
    """The record with annotations of the paper's five tags only."""
    return Record.of(record.document, [span for span in record.annotations if span.label in TAGS])


def paper_tables(study: SourceStudy) -> list[PaperTable]:
    """Return tables 2 to 5: one per source with all methods, then one per mixed learner."""
    learners = [name for name in LEARNERS if _MIXED.format(name) in study.methods]
    methods = [RULES, *(each for name in learners for each in (name, _MIXED.format(name)))]
    tables = [
        PaperTable(
            f"Table {number}: F1 on {source}",
            tuple(methods),
            _rows(study, [(method, source) for method in methods]),
        )
        for number, source in enumerate(study.sources, start=2)
    ]
    return tables + [
        PaperTable(
            f"Table {number}: F1 of {name} trained on the mixture",
            (*study.sources, "Mix"),
            _rows(study, [(_MIXED.format(name), each) for each in (*study.sources, ALL)]),
        )
        for number, name in enumerate(LEARNERS, start=4)
        if name in learners
    ]


def _rows(
    study: SourceStudy, columns: Sequence[tuple[str, str]]
) -> dict[str, tuple[float | None, ...]]:
    return {
        tag or "ALL": tuple(study.f1(method, source, tag) for method, source in columns)
        for tag in (ALL, *TAGS)
    }
