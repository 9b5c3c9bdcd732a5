"""What masking with surrogates promises, over dummy records of all languages."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from veil import Record, RecordError, Span
from veil.core.document import PATIENT, Document
from veil.detect.pipeline import DetectionPipeline
from veil.masking.masker import Masker
from veil.replace.base import Masked, undo_edits
from veil.replace.policy import load_policy
from veil.replace.secret import Key
from veil.synth.notes import dummy_records

LANGUAGES = ("en", "es", "ja", "sv")
KEY = Key(b"a key for property tests")
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
RECORDS = 60


def masked_records(language: str, *, patient: str = "") -> list[tuple[Record, Masked]]:
    """Dummy records, masked where their gold spans stand; without a patient each is its own."""
    made = Masker(DetectionPipeline([]), load_policy("surrogate"), key=KEY, rescan=False)
    records = []
    for record in dummy_records(language, RECORDS, seed=11):
        doc = record.document
        meta = {PATIENT: patient or record.id}
        doc = Document(doc.id, doc.text, language, meta)
        records.append(Record.of(doc, record.spans))
    outcomes = [made.mask_records([record])[0] for record in records]
    pairs = []
    for record, outcome in zip(records, outcomes, strict=True):
        assert not isinstance(outcome, RecordError), record.id
        pairs.append((record, outcome))
    return pairs


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_original_stands_in_the_output(language: str) -> None:
    """Names, numbers, mail addresses and phones of a record are nowhere in its masked text."""
    labels = {"PATIENT", "DOCTOR", "NAME", "EMAIL", "PHONE", "SSN", "MEDICALRECORD", "IDNUM", "ID"}
    for record, masked in masked_records(language):
        text = masked.document.text
        for edit in masked.edits:
            if edit.label in labels and 5 <= len(edit.old) and edit.old.isascii():
                assert not re.search(rf"(?<!\w){re.escape(edit.old)}(?!\w)", text), record.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_edits_lead_back_to_the_original(language: str) -> None:
    """Outside the edits nothing changes."""
    for record, masked in masked_records(language):
        assert undo_edits(masked.document.text, masked.edits) == record.document.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_intervals_between_dates_are_kept(language: str) -> None:
    """All dates of a patient move by one number of days, which is not 0."""
    seen = 0
    for _, masked in masked_records(language):
        shifts = set()
        for edit in masked.edits:
            old, new = ISO.fullmatch(edit.old), ISO.fullmatch(edit.new)
            if edit.label == "DATE" and old and new:
                before, after = (date(*map(int, found.groups())) for found in (old, new))
                shifts.add(after - before)
        assert len(shifts) <= 1
        assert timedelta(0) not in shifts
        seen += len(shifts)
    assert seen or language in ("en", "es", "ja")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_patient_keeps_stand_ins_and_others_differ(language: str) -> None:
    """A surname has one stand-in in all records of a patient, and another for other patients."""
    name = {"en": "Okafor", "es": "Barroso", "ja": "田中", "sv": "Lindgren"}[language]
    made = Masker(DetectionPipeline([]), load_policy("surrogate"), key=KEY, rescan=False)

    def stand_in(record: str, patient: str) -> str:
        doc = Document(record, f"{name}, {record}", language, {PATIENT: patient})
        (masked,) = made.mask_records([Record.of(doc, [_surname(name)])])
        assert isinstance(masked, Masked)
        return masked.edits[0].new

    own = {stand_in(f"note {number}", "7") for number in range(5)}
    assert len(own) == 1
    others = {stand_in("note 1", f"patient {number}") for number in range(20)}
    assert 10 < len(others)
    assert name not in own | others


def _surname(name: str) -> Span:

    return Span(0, len(name), "NAME", part="last")
