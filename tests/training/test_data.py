"""The training data of the bundled models."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "training"))

from data import PLANS, excerpts, restyled, written_notes  # noqa: E402
from veil import Record, io  # noqa: E402
from veil.core.labels import scheme  # noqa: E402

LANGUAGES = sorted(PLANS)


def text_of(record: Record) -> str:
    return " ".join(record.document.text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_note_can_be_read(language: str) -> None:
    """Tags are whole, and their labels are those of the language's scheme."""
    labels = set(scheme(PLANS[language].scheme).labels)
    for dev in (False, True):
        records = written_notes(language, dev=dev)
        assert records
        assert {span.label for record in records for span in record.spans} <= labels


@pytest.mark.parametrize("language", LANGUAGES)
def test_spans_have_no_blanks_at_their_ends(language: str) -> None:
    """Boundaries are those of the identifying words."""
    for record in written_notes(language) + written_notes(language, dev=True):
        for span in record.spans:
            text = record.document.text[span.start : span.end]
            assert text == text.strip(), f"{record.id} {span.start}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_measured_on_is_not_trained_on(language: str) -> None:
    """No note for development or evaluation stands among the notes for training."""
    trained = {text_of(record) for record in written_notes(language)}
    data = ROOT / "tests" / "data"
    folders = [data / f"{name}-{language}" for name in ("dummy", "unseen", "stress")]
    evaluation = [record for folder in folders for record in io.read(folder, format="tagged")]
    for record in [*written_notes(language, dev=True), *evaluation]:
        assert text_of(record) not in trained


@pytest.mark.parametrize("language", LANGUAGES)
def test_restyled_notes_keep_their_spans(language: str) -> None:
    """A note in another house's style has as many spans, unless a style joins neighbours."""
    for record in written_notes(language)[:40]:
        made = restyled(record, f"{record.id}~1", language)
        assert len(made.spans) <= len(record.spans)
        assert len(record.spans) - len(made.spans) <= len(record.spans) // 4 + 1


def test_excerpts_hold_whole_spans() -> None:
    """A stretch cut out of a record begins and ends beside its spans, never inside."""
    notes = written_notes("sv")
    texts = {
        record.document.text[span.start : span.end] for record in notes for span in record.spans
    }
    for excerpt in excerpts(notes, 200):
        for span in excerpt.spans:
            assert excerpt.document.text[span.start : span.end] in texts
