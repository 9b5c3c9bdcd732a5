"""Masking: rounds of replacing and looking again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from veil import Document, RecordError, Span
from veil.core.document import PATIENT, WHOLE
from veil.detect.pipeline import DetectionPipeline
from veil.io.columns import Role, row_documents
from veil.masking.masker import Masker
from veil.masking.stream import mask_items
from veil.replace.base import undo_edits
from veil.replace.policy import Action, Policy, load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = Key(b"0123456789abcdef")


@dataclass
class Words:
    """Finds words by their labels, and some only in texts that hold another word."""

    labels: dict[str, str]
    only_after: dict[str, str] = field(default_factory=dict)
    name: str = "words"

    def detect(self, doc: Document) -> list[Span]:
        found = []
        for word, label in self.labels.items():
            needed = self.only_after.get(word, "")
            start = doc.text.find(word)
            if 0 <= start and needed in doc.text:
                found.append(Span(start, start + len(word), label))
        return found

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def masker(
    labels: dict[str, str], *, policy: str = "tag", rescan: bool = True, **only_after: str
) -> Masker:
    """A masker that finds these words, each once."""
    pipeline = DetectionPipeline([Words(labels, only_after)], language="en")
    return Masker(pipeline, load_policy(policy), key=KEY, rescan=rescan)


def test_what_was_found_is_replaced_and_can_be_undone() -> None:
    """The edits lead from the original to the new text and back."""
    text = "Mr. Okafor, seen 3/5/2019."
    masked = masker({"Okafor": "PATIENT", "3/5/2019": "DATE"}).mask(Document("r", text))
    assert masked.document.text == "Mr. [PATIENT-1], seen [DATE-1]."
    assert undo_edits(masked.document.text, masked.edits) == text


def test_an_original_is_searched_for_in_the_rest_of_the_text() -> None:
    """A name that the detector found once is hidden wherever it stands, in any case."""
    text = "Mr. Okafor came. OKAFOR sleeps; Okaforia is a word."
    masked = masker({"Okafor": "PATIENT"}, rescan=False).mask(Document("r", text))
    assert masked.document.text == "Mr. [PATIENT-1] came. [PATIENT-1] sleeps; Okaforia is a word."


def test_a_name_that_is_an_ordinary_word_is_searched_for_in_its_case() -> None:
    """Mr. Will is hidden, what will happen is not."""
    masked = masker({"Will": "PATIENT"}).mask(
        Document("r", "Mr. Will says he will come. Will out.")
    )
    assert masked.document.text == "Mr. [PATIENT-1] says he will come. [PATIENT-1] out."


def test_short_numbers_are_not_searched_for() -> None:
    """A room 12 does not hide a dose of 12."""
    masked = masker({"12": "ROOM"}, rescan=False).mask(Document("r", "Room 12, 12 mg."))
    assert masked.document.text == "Room [ROOM-1], 12 mg."


def test_japanese_names_are_searched_for_inside_text() -> None:
    """Japanese does not part its words: a family name is found before anything."""
    detector = Words({"田中": "NAME"})
    made = Masker(DetectionPipeline([detector], language="ja"), load_policy("redact"), key=KEY)
    assert made.mask(Document("r", "田中氏。妻も田中姓。")).document.text == "██氏。妻も██姓。"


def test_the_result_is_scanned_again() -> None:
    """What the detectors find only once other things are hidden is hidden in the next round."""
    made = masker({"Okafor": "PATIENT", "Delta": "CITY"}, Delta="[PATIENT-1]")
    assert made.mask(Document("r", "Okafor of Delta")).document.text == "[PATIENT-1] of [CITY-1]"


def test_what_is_kept_stays() -> None:
    """A label that the policy keeps is neither replaced nor searched for."""
    policy = Policy("mine", Action("tag"), {"CITY": Action("keep")})
    made = Masker(DetectionPipeline([Words({"Delta": "CITY"})]), policy, key=KEY)
    masked = made.mask(Document("r", "Delta and Delta"))
    assert masked.document.text == "Delta and Delta"
    assert not masked.edits


def test_a_whole_identifier_is_replaced_as_it_is() -> None:
    """A document that is a name gets the stand-in that the name has in the patient's notes."""
    made = masker({"Okafor": "PATIENT"}, policy="surrogate")
    note = Document("note", "Mr. Okafor sleeps.", meta={PATIENT: "7"})
    field_of_form = Document("field", "Okafor", meta={PATIENT: "7", WHOLE: "PATIENT"})
    in_note, in_field = made.mask_batch([note, field_of_form])
    assert not isinstance(in_note, RecordError)
    assert not isinstance(in_field, RecordError)
    assert in_field.document.text != "Okafor"
    assert in_note.document.text == f"Mr. {in_field.document.text} sleeps."


def test_texts_of_one_patient_are_searched_for_each_others_names() -> None:
    """A name found in one column of a row is hidden in the other columns, not in other rows."""
    made = masker({"Mr. Okafor": "PATIENT"})
    docs = [
        Document("1:a", "Mr. Okafor", meta={PATIENT: "1"}),
        Document("1:b", "so says Mr. okafor", meta={PATIENT: "1"}),
        Document("2:a", "mr. okafor of row 2", meta={PATIENT: "2"}),
    ]
    texts = [
        each.document.text for each in made.mask_batch(docs) if not isinstance(each, RecordError)
    ]
    assert texts == ["[PATIENT-1]", "so says [PATIENT-1]", "mr. okafor of row 2"]


def test_a_row_is_masked_alike_whatever_rows_stand_beside_it() -> None:
    """Other rows of a patient change neither the text nor the cells of a row."""
    made = masker({"Mr. Okafor": "PATIENT"}, policy="surrogate")
    notes = ["Mr. Okafor", "so says Mr. okafor", "sover gott"]
    rows = [
        row_documents(
            str(number),
            {"note": text},
            {PATIENT: "7"},
            cells={"name": "Mr. Okafor"},
            role_of={"name": Role("PATIENT")},
        )
        for number, text in enumerate(notes)
    ]
    alone = [result for row in rows for result in mask_items(made, [row])]
    assert mask_items(made, rows) == alone


def test_a_record_that_fails_is_withheld_without_its_text() -> None:
    """What goes wrong names the record and the kind of error; the others are masked."""

    class Broken:
        def replace(self, case: object, span: Span) -> str:
            raise ValueError("Okafor")

    made = masker({"Okafor": "PATIENT", "Delta": "CITY"})
    made.policy._replacers["PATIENT"] = Broken()
    made.policy.labels["PATIENT"] = Action("tag")
    failed, fine = made.mask_batch([Document("bad", "Okafor"), Document("good", "Delta")])
    assert isinstance(failed, RecordError)
    assert failed.record == "bad"
    assert "ValueError" in str(failed)
    assert "Okafor" not in str(failed)
    assert not isinstance(fine, RecordError)
    with pytest.raises(RecordError):
        made.mask(Document("bad", "Okafor"))


def test_the_key_decides_and_nothing_else() -> None:
    """The same key gives the same text in another masker, another key gives another."""
    doc = Document("r", "Mr. Okafor of Toledo", meta={PATIENT: "p"})
    labels = {"Okafor": "PATIENT", "Toledo": "CITY"}
    first, again = (masker(labels, policy="surrogate").mask(doc) for _ in range(2))
    assert first.document.text == again.document.text
    pipeline = DetectionPipeline([Words(labels)], language="en")
    other = Masker(pipeline, load_policy("surrogate"), key=Key(b"another-key-0123"))
    assert other.mask(doc).document.text != first.document.text
