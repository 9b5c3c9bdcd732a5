"""Every character that ends a line ends it for the detectors, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record
from veil.core.view import normalised_view
from veil.detect.assembly import default_pipeline

if TYPE_CHECKING:
    from veil.detect.pipeline import DetectionPipeline

LINE_ENDS = ("\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029")
NOTES = {
    "en": ("Weight is up 2 kg since", "Patient name: Vendnerklarksand", "admission."),
    "es": ("Medicación: alopurinol 100", "Nombre: Zaxbelvsorktu", "mg 0-1-0; en cena."),
}


@pytest.fixture(scope="module")
def pipeline() -> DetectionPipeline:
    return default_pipeline()


@pytest.mark.parametrize("language", NOTES)
@pytest.mark.parametrize("end", LINE_ENDS, ids=ascii)
def test_fields_are_found_after_every_line_end(
    pipeline: DetectionPipeline, end: str, language: str
) -> None:
    """A name in a field of a form is found whatever ends the line before it."""
    doc = Document("note", end.join(NOTES[language]), language)
    (record,) = pipeline.detect_batch([doc])
    assert isinstance(record, Record)
    name = NOTES[language][1].split()[-1]
    start = doc.text.index(name)
    assert (start, start + len(name)) in [(span.start, span.end) for span in record.spans]


def test_a_line_feed_stays_as_it_is() -> None:
    """A text with line feeds alone, or after carriage returns, needs no view."""
    assert normalised_view("BP 120/80\r\nSeen.\nHome.\r\n") is None
