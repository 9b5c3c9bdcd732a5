"""Names that are known beforehand: misspelt or inflected, they are the same person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.detect.assembly import default_pipeline, rules_pipeline
from veil.masking.masker import Masker
from veil.replace.policy import load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from veil.detect.pipeline import DetectionPipeline

KNOWN = {"names": ["Anna Lindgren"], "doctors": ["Eva Hansson"]}
WHOLE = {"patient": "1", "whole": "PATIENT", "part": "last"}


def masked(pipeline: DetectionPipeline, text: str, meta: Mapping[str, object], policy: str) -> str:
    masker = Masker(pipeline, load_policy(policy), key=Key(bytes(32)))
    return masker.mask(Document("note-1", text, "sv", meta)).document.text


@pytest.mark.parametrize(
    "text",
    ["Fru Lindgrenn kom.", "Fru Lindgrn kom.", "Fru LINDGREEN kom.", "Fru Lindgrens dotter kom."],
)
def test_misspelt_name_has_the_surrogate_of_the_name(text: str) -> None:
    """A misspelt name in a note gets the surrogate of the name in the structured field."""
    pipeline = default_pipeline("sv")
    surname = masked(pipeline, "Lindgren", WHOLE, "surrogate")
    new = masked(pipeline, text, {"patient": "1", "known": KNOWN}, "surrogate")
    assert surname.casefold() in new.casefold()


def test_misspelt_name_of_a_table_has_the_surrogate_of_the_name(tmp_path: Path) -> None:
    """The same holds for a table of known patients, and for numbers of people in tags."""
    table = tmp_path / "known.csv"
    table.write_text("record,name\nnote-1,Anna Lindgren\n", "utf-8")
    pipeline = rules_pipeline("sv", known=table)
    text = "Anna Lindgren kom. Fru Lindgrenn mår bra. Lindgrens puls 70."
    first, second, third = masked(pipeline, text, {}, "surrogate").split(". ")
    surname = first.split()[1]
    assert surname in second
    assert surname in third
    tags = masked(pipeline, text, {}, "tag")
    assert tags.count("[PATIENT-1]") == 3


def test_another_listed_name_stays_another(tmp_path: Path) -> None:
    """A name of its own that is near a known one, but begins otherwise, is another person's."""
    pipeline = rules_pipeline("sv")
    meta = {"patient": "1", "known": KNOWN}
    new = masked(pipeline, "Dr Hansson och dr Jansson gick rond.", meta, "surrogate")
    assert new.split()[1] != new.split()[4]
