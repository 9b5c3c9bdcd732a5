"""Texts without a patient: no two of them may share a date shift or a stand-in."""

from __future__ import annotations

from datetime import date

import pytest

import veil
from veil import Document, MaskedText, Veil
from veil.io.columns import row_documents
from veil.replace.secret import Key

KEY = Key(b"a key for these tests")
TEXTS = [f"Mr. John Hale was seen on 3/5/2019 for the {n}th time." for n in range(4, 12)]


@pytest.fixture(scope="module")
def pipeline() -> Veil:
    return Veil("en", policy="surrogate", key=KEY)


def moved(masked: MaskedText) -> int:
    """By how many days the date of a text was shifted."""
    new = next(edit.new for edit in masked.edits if edit.label == "DATE")
    month, day, year = map(int, new.split("/"))
    return (date(year, month, day) - date(2019, 3, 5)).days


def masked_of(pipeline: Veil, docs: list[Document]) -> list[MaskedText]:
    outcomes = list(pipeline.mask_many(docs))
    return [outcome for outcome in outcomes if not isinstance(outcome, veil.VeilError)]


def test_each_call_is_another_patient(pipeline: Veil) -> None:
    """Two texts get different shifts and names; the same text gets the same bytes again."""
    results = [pipeline.mask(text).text for text in TEXTS]
    assert len({text.split(" for ")[0] for text in results}) == len(TEXTS)
    assert results == [pipeline.mask(text).text for text in TEXTS]
    another = Veil("en", policy="surrogate", key=KEY)
    assert results == [another.mask(text).text for text in TEXTS]


def test_a_named_patient_is_one_in_all_texts(pipeline: Veil) -> None:
    """Texts of the same patient share the shift and the stand-ins."""
    results = {pipeline.mask(text, patient="7").text.split(" for ")[0] for text in TEXTS}
    assert len(results) == 1


@pytest.mark.parametrize("name", ["text", "-", "note", "1"])
def test_documents_with_the_same_id_are_other_patients(pipeline: Veil, name: str) -> None:
    """Files of the same name in different folders do not share a shift."""
    masked = masked_of(pipeline, [Document(name, text) for text in TEXTS])
    assert len({moved(each) for each in masked}) == len(TEXTS)


def test_columns_of_a_row_are_one_patient(pipeline: Veil) -> None:
    """The texts of a row share a shift; rows of the same name in other files do not."""
    first = row_documents("notes-2", {"a": TEXTS[0], "b": TEXTS[1]}, {})
    second = row_documents("notes-2", {"a": TEXTS[2], "b": TEXTS[3]}, {})
    days = [moved(each) for each in masked_of(pipeline, [*first, *second])]
    assert days[0] == days[1]
    assert days[2] == days[3]
    assert days[0] != days[2]


def test_date_shifts_are_many(pipeline: Veil) -> None:
    """Two hundred patients get nearly as many shifts, none of them shorter than a week."""
    docs = [Document("n", TEXTS[0], meta={"patient": str(n)}) for n in range(200)]
    days = [moved(each) for each in masked_of(pipeline, docs)]
    assert 180 < len(set(days))
    assert all(7 <= abs(day) <= 1826 for day in days)
