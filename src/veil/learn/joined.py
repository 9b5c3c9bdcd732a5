"""Calibration of a model joined with the rules, on development records.

Users run a model together with rules and repeats. Therefore the precision of joined spans, and the
recall at each setting of the dial, are measured on this joined output.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from veil.core.document import Document, Record
from veil.core.labels import VEIL, Converter, family_in, scheme
from veil.detect.assembly import hybrid
from veil.detect.crf import LinearDetector
from veil.detect.linear.calibration import (
    SETTINGS_OF_DIAL,
    Calibration,
    character_recall,
    fit_odds,
    log_odds,
)
from veil.detect.pipeline import DetectionPipeline
from veil.detect.repeats import SOURCE as REPEATS
from veil.detect.rules import RuleDetector

if TYPE_CHECKING:
    from collections.abc import Sequence

# How strongly the calibration of a family is pulled towards that of all families.
_PRIOR_OF_FAMILIES = 10.0
# Sources whose scores are not probabilities: all spans of one source get the same score.
_LEVELS = (RuleDetector.name, REPEATS)


def calibrate_joined(detector: LinearDetector, records: Sequence[Record]) -> LinearDetector:
    """Return the detector with a dial and a calibration for its use with the rules."""
    model = detector.model.with_settings(joined={})
    dial = tuple(
        (
            outside,
            character_recall(
                records,
                [
                    [(span.start, span.end) for span in record.spans]
                    for record in _detect(LinearDetector(model, outside=outside), records)
                ],
            ),
        )
        for outside in SETTINGS_OF_DIAL
    )
    joined = _fit(LinearDetector(model, outside=detector.outside), records)
    return LinearDetector(model.with_settings(dial=dial, joined=joined), outside=detector.outside)


def _fit(detector: LinearDetector, records: Sequence[Record]) -> dict[str, Calibration]:
    labels = scheme(detector.model.settings.scheme or VEIL)
    to_scheme = Converter(scheme(VEIL), labels).convert_record
    odds: defaultdict[str, list[float]] = defaultdict(list)
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for gold, found in zip(records, _detect(detector, records), strict=True):
        keys = {span.key for span in gold.spans}
        for span in to_scheme(found).spans:
            source = span.source.partition(":")[0]
            key = source if source in _LEVELS else family_in(span.label, labels)
            if key is not None:
                odds[key].append(0.0 if source in _LEVELS else log_odds(span.score))
                right[key].append(span.key in keys)
    families = sorted(odds.keys() - set(_LEVELS))
    common = fit_odds(
        [each for key in families for each in odds[key]],
        [each for key in families for each in right[key]],
    )
    fitted = {
        key: fit_odds(odds[key], right[key], towards=common, prior=_PRIOR_OF_FAMILIES)
        for key in families
    }
    # Without any such span, half of them are assumed to be right.
    levels = {key: fit_odds(odds[key], right[key], towards=(0.0, 0.0)) for key in _LEVELS}
    return fitted | levels


def _detect(detector: LinearDetector, records: Sequence[Record]) -> list[Record]:
    settings = detector.model.settings
    joined = hybrid(settings.language, learned=detector, labels=settings.scheme or VEIL)
    pipeline = DetectionPipeline([joined], language=settings.language)
    return [
        Record(doc, pipeline.detect(doc))
        for doc in (Document(record.id, record.document.text) for record in records)
    ]
