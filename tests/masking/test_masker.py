"""What a run asks of the masker beyond masking: nothing that fails takes other records with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil import Document, RecordError, Span
from veil.core.values import VALUE
from veil.detect.pipeline import DetectionPipeline
from veil.masking.masker import Masker
from veil.replace.base import Edit, Masked
from veil.replace.policy import load_policy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from veil.masking.run import MaskJob


class SecondSightDetector:
    """Finds Okafor, and fails on texts in which he was replaced already."""

    name = "second"

    def detect(self, doc: Document) -> list[Span]:
        if "[PATIENT" in doc.text:
            raise ValueError(doc.text)
        start = doc.text.find("Okafor")
        return [Span(start, start + 6, "PATIENT")] if 0 <= start else []

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def test_a_record_whose_second_scan_fails_is_withheld() -> None:
    """The others of the batch are masked, and the error tells no text."""
    masker = Masker(DetectionPipeline([SecondSightDetector()], language="en"), load_policy("tag"))
    bad, good = masker.mask_batch([Document("a", "Okafor"), Document("b", "nobody")])
    assert isinstance(bad, RecordError)
    assert str(bad) == "record a: withheld: detector second failed (ValueError)"
    assert isinstance(good, Masked)


def test_a_record_that_cannot_be_compared_is_withheld(
    job: MaskJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes wrong in the search for originals is an error of the record alone."""

    def fail(masked: Masked, *_: object) -> list[Span]:
        if masked.document.id == "a":
            raise ValueError(masked.document.text)
        return []

    monkeypatch.setattr("veil.masking.masker.remaining_originals", fail)
    masker = Masker(job.detection.load(), load_policy("tag"))
    bad, good = masker.mask_batch([Document("a", "Hale"), Document("b", "Hale")])
    assert isinstance(bad, RecordError)
    assert str(bad) == "record a: withheld: searching again failed (ValueError)"
    assert isinstance(good, Masked)


class NamesakeDetector:
    """Finds Lugo as the name of a patient where a title stands before it, else as a town."""

    name = "namesake"

    def detect(self, doc: Document) -> list[Span]:
        found = []
        start = doc.text.find("Lugo")
        while 0 <= start:
            label = "PATIENT" if doc.text[:start].endswith("Mr. ") else "CITY"
            found.append(Span(start, start + 4, label))
            start = doc.text.find("Lugo", start + 1)
        return found

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def test_what_is_kept_is_hidden_where_it_is_an_original(tmp_path: Path) -> None:
    """A town that stays by the policy is hidden in the record of a patient of that name."""
    policy = tmp_path / "mine.toml"
    policy.write_text('default = "tag"\n[labels]\nCITY = "keep"\n')
    masker = Masker(DetectionPipeline([NamesakeDetector()], language="en"), load_policy(policy))
    assert masker.mask(Document("a", "He lives in Lugo.")).document.text == "He lives in Lugo."
    masked = masker.mask(Document("b", "Mr. Lugo lives in Lugo."))
    assert masked.document.text == "Mr. [PATIENT-1] lives in [PATIENT-1]."
    assert masked.kept == ()


def test_edits_tell_who_found_them(job: MaskJob) -> None:
    """Score and source of a span go with its edit."""
    masked = Masker(job.detection.load(), load_policy("tag")).mask(Document("a", "Lugo"))
    assert [(edit.score, edit.source) for edit in masked.edits] == [(0.5, "words:all")]


class ValueDetector:
    """Finds every 8/10: in the line of a visit as a date, elsewhere as a clinical value."""

    name = "values"

    def detect(self, doc: Document) -> list[Span]:
        return [
            Span(*match.span(), "DATE" if "seen" in line else VALUE, source="values:score")
            for line_match in re.finditer(".+", doc.text)
            if (line := line_match[0])
            for match in re.compile("8/10").finditer(doc.text, *line_match.span())
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def test_a_clinical_value_stays_if_it_looks_like_an_original() -> None:
    """A score that equals a masked date is not searched for as one."""
    masker = Masker(DetectionPipeline([ValueDetector()], language="en"), load_policy("tag"))
    masked = masker.mask(Document("a", "seen 8/10\npain 8/10"))
    assert masked.document.text == "seen [DATE-1]\npain 8/10"
    assert [(span.start, span.end) for span in masked.values] == [(15, 19)]
    assert masked.changed_values == []


def test_changed_values_are_told_with_their_edits() -> None:
    """An edit that reaches into a clinical value changes it."""
    edits = (Edit(0, 4, "8/10", "9/11", "DATE", "substitute"), Edit(9, 12, "abc", "x", "ID", "tag"))
    values = (Span(2, 6, VALUE), Span(6, 9, VALUE), Span(11, 20, VALUE))
    masked = Masked(Document("a", ""), edits, (), values)
    assert masked.changed_values == [(values[0], edits[0]), (values[2], edits[1])]
