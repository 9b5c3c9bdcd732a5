"""Calibration of a model joined with the rules."""

from __future__ import annotations

import itertools

import pytest

from veil import Document, Record, Span, Spans
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import hybrid
from veil.detect.base import load_detector
from veil.detect.crf import LinearDetector
from veil.learn.joined import calibrate_joined
from veil.models import find_model
from veil.synth.notes import dummy_records


@pytest.fixture(scope="module")
def detector() -> LinearDetector:
    """The bundled model of Swedish, which weighs what the rules find."""
    loaded = load_detector(find_model("veil-sv"))
    assert isinstance(loaded, LinearDetector)
    return loaded


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Dummy records, half of their names unmarked, as if the model were often wrong about names."""
    to_scheme = Converter(scheme(VEIL), scheme("stockholm")).convert_record
    made = []
    for record in map(to_scheme, dummy_records("sv", 12, seed=7)):
        kept = [
            span
            for number, span in enumerate(record.spans)
            if number % 2 or not span.label.endswith("_NAME")
        ]
        made.append(Record(record.document, Spans(record.document, kept)))
    return made


def joined_spans(detector: LinearDetector, text: str) -> list[Span]:
    found = hybrid("sv", learned=detector, labels="stockholm").detect(Document("x", text))
    return [span for span in found if span.label != "VALUE"]


def test_scores_say_how_often_spans_are_right(
    detector: LinearDetector, records: list[Record]
) -> None:
    """Names that are wrong half of the time get lower scores; dates, which are right, do not."""
    fitted = calibrate_joined(detector, records)
    text = "Anna Lindgren kom 2019-03-04 till mottagningen."
    before, after = (
        {(span.label, span.part): span.score for span in joined_spans(each, text)}
        for each in (detector, fitted)
    )
    assert before.keys() == after.keys()
    names = [key for key in after if key[0] in ("NAME", "PATIENT")]
    dates = [key for key in after if key[0] == "DATE"]
    assert names
    assert dates
    assert all(after[key] < 0.9 for key in names)
    assert all(0.85 < after[key] for key in dates)


def test_the_dial_is_measured_with_the_rules(
    detector: LinearDetector, records: list[Record]
) -> None:
    """Recall rises along the dial but for small dips; a source without spans is set to 0.5."""
    settings = calibrate_joined(detector, records).model.settings
    recalls = [recall for _, recall in settings.dial]
    assert all(left <= right + 0.03 for left, right in itertools.pairwise(recalls))
    assert recalls[0] < recalls[-1]
    assert set(settings.joined) >= {"NAME", "DATE", "rules", "repeats"}
    assert settings.joined["rules"][0] == settings.joined["repeats"][0] == 0
