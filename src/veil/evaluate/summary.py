"""All metrics of one system, as one value."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veil.core.document import Span
from veil.core.labels import guess_scheme
from veil.core.values import changed_values
from veil.evaluate.errors import ErrorAnalysis, analyse
from veil.evaluate.match import pair_records
from veil.evaluate.metrics import (
    I2b2Scores,
    LabelScores,
    MeddocanScores,
    NameScores,
    TwoWayScores,
    score_families,
    score_i2b2,
    score_labels,
    score_meddocan,
    score_names,
    score_two_way,
)
from veil.evaluate.significance import Difference, Interval, differences, intervals
from veil.evaluate.tally import Metric, Tally, tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Record
    from veil.core.labels import Scheme
    from veil.evaluate.match import Pair
    from veil.evaluate.metrics import SentenceCounts


@dataclass(frozen=True, slots=True)
class Protection:
    """The protection of the records, ignoring labels.

    `totals` are the sums behind the metrics; `leaking` are the documents in which a letter
    or digit of gold stays readable, each with its number of leaked spans, the worst first.
    """

    totals: Tally
    metrics: Mapping[Metric, Interval]
    leaking: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """The number of clinical values outside gold annotations, and of those that were found."""

    values: int
    changed: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All scores of one system. It holds ids, offsets, labels and numbers, and no text."""

    scheme: str | None
    documents: int
    gold_annotations: int
    predicted_annotations: int
    missing_predictions: tuple[str, ...]
    missing_gold: tuple[str, ...]
    i2b2: I2b2Scores
    meddocan: MeddocanScores
    two_way: TwoWayScores
    names: NameScores | None
    protection: Protection
    labels: tuple[LabelScores, ...]
    families: tuple[LabelScores, ...]
    analysis: ErrorAnalysis
    differences: tuple[Difference, ...]
    values: ValueCounts | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, strings and numbers."""
        plain: dict[str, Any] = to_plain(self)
        return plain


def evaluate(
    gold: Sequence[Record],
    predicted: Sequence[Record],
    *,
    scheme: Scheme | None = None,
    sentences: SentenceCounts | None = None,
    baseline: Sequence[Record] | None = None,
    values: Mapping[str, Sequence[Span]] | None = None,
) -> Evaluation:
    """Score predicted records against gold ones.

    The label scheme is guessed from the labels if it is not given; `sentences` is for MEDDOCAN's
    leak; `baseline` is another system's output, to test the difference; `values` are the clinical
    values of each record, which should not be found.
    """
    pairing = pair_records(gold, predicted)
    pairs = pairing.pairs
    if scheme is None:
        scheme = guess_scheme(
            span.label for pair in pairs for spans in (pair.gold, pair.predicted) for span in spans
        )
    tallies = {pair.document.id: tally(pair) for pair in pairs}
    leaking = [(record_id, row.leaked_spans) for record_id, row in tallies.items()]
    return Evaluation(
        scheme=scheme.name if scheme else None,
        documents=len(pairs),
        gold_annotations=sum(len(pair.gold) for pair in pairs),
        predicted_annotations=sum(len(pair.predicted) for pair in pairs),
        missing_predictions=pairing.missing_predictions,
        missing_gold=pairing.missing_gold,
        i2b2=score_i2b2(pairs, scheme=scheme),
        meddocan=score_meddocan(pairs, sentences=sentences),
        two_way=score_two_way(pairs),
        names=score_names(pairs, scheme=scheme),
        protection=Protection(
            Tally(*map(sum, zip(*tallies.values(), strict=True)))
            if tallies
            else Tally(*[0] * len(Tally._fields)),
            intervals(list(tallies.values())),
            tuple(sorted((entry for entry in leaking if entry[1]), key=lambda entry: -entry[1])),
        ),
        labels=score_labels(pairs),
        families=score_families(pairs, scheme=scheme),
        analysis=analyse(pairs),
        differences=differences(gold, baseline, predicted) if baseline is not None else (),
        values=None if values is None else _count_values(pairs, values),
    )


def _count_values(pairs: Sequence[Pair], values: Mapping[str, Sequence[Span]]) -> ValueCounts:
    count = changed = 0
    for pair in pairs:
        own = values.get(pair.document.id, ())
        in_gold = {value for value, _ in changed_values(own, pair.gold)}
        outside = [value for value in own if value not in in_gold]
        count += len(outside)
        changed += len(changed_values(outside, pair.predicted))
    return ValueCounts(count, changed)


def to_plain(value: Any) -> Any:
    """Turn dataclasses into dictionaries, with the properties that they name as `derived`."""
    if isinstance(value, Span):
        return {"start": value.start, "end": value.end, "label": value.label}
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        names += getattr(value, "derived", ())
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, Tally):
        return value._asdict()
    if isinstance(value, Mapping):
        if all(isinstance(key, str) for key in value):
            return {key: to_plain(item) for key, item in value.items()}
        return [[*key, item] for key, item in value.items()]
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    return value
