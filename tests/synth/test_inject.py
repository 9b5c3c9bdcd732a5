"""Identities put into texts that have none."""

from __future__ import annotations

import pytest

from veil import Document, Span
from veil.synth.inject import inject
from veil.synth.notes import synth_languages

TEXTS = {
    "en": "The patient slept well. The patient ate on 3/5. No fever. The patient walked.\n" * 6,
    "es": "El paciente duerme bien. La paciente come. Afebril el 3/5. El paciente anda.\n" * 6,
    "sv": "Patienten sov gott. Pat åt 3/5. Ingen feber. Patienten gick i korridoren.\n" * 6,
    "ja": "患者は良眠。3/5に食事。患者の熱は37度。本人は歩行した。\n" * 6,
}


def silver(doc: Document) -> list[Span]:
    """The one date of the text."""
    place = doc.text.index("3/5")
    return [Span(place, place + 3, "DATE")]


@pytest.mark.parametrize("language", synth_languages())
def test_people_are_put_in_and_the_text_stays(language: str) -> None:
    """Records have names that the text had not, its own date is kept, and its words are there."""
    docs = [Document(f"d{number}", TEXTS[language]) for number in range(20)]
    records = list(inject(docs, language, silver=silver, seed=1))
    assert [record.id for record in records] == [doc.id for doc in docs]
    labels = {span.label for record in records for span in record.spans}
    assert {"PATIENT", "DOCTOR", "DATE"} <= labels
    for record in records:
        text = record.document.text
        assert "3/5" in {text[span.start : span.end] for span in record.spans}
        assert record.document.language == language
    assert list(inject(docs, language, silver=silver, seed=1)) == records
