from __future__ import annotations

import csv
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.languages import identification
from veil.languages.identification import identify, identify_scores

if TYPE_CHECKING:
    from pathlib import Path

CASES = [
    ("en", "Dr. Smith"),
    ("en", "BP 120/80, afebrile"),
    ("en", "Pt c/o SOB, h/o MI"),
    ("en", "NKDA. RRR. CTAB."),
    ("en", "no fever"),
    ("en", "Patient 山田 was admitted to hospital"),
    ("es", "Sin alergias"),
    ("es", "Dra. García"),
    ("es", "Tto: AAS"),
    ("es", "HTA, DM tipo 2"),
    ("es", "Paracetamol 1 g/8h vo"),
    ("es", "no fiebre"),
    ("sv", "Patienten mår bra"),
    ("sv", "Pat inkom akut. Beh. ej."),
    ("sv", "Afebril, AT opåverkad"),
    ("sv", "BT 120/80 puls 70 reg"),
    ("sv", "hjarta och lungor ua"),
    ("sv", "ingen feber"),
    ("ja", "右肺に浸潤影"),
    ("ja", "Prednisolone 5mg 内服"),
    ("ja", "CT: GGO(+), Cr 1.2 著変なし"),
    ("ja", "ﾌﾟﾚﾄﾞﾆﾝ 5mg"),
    ("ja", "ＣＲＰ１．８ｍｇ／ｄＬ"),
]


@pytest.mark.parametrize(("code", "text"), CASES, ids=[text for _, text in CASES])
def test_fragments_are_identified(code: str, text: str) -> None:
    """A fragment is identified as written, in capitals and with its accents apart."""
    assert identify(text) == code
    assert identify(text.upper()) == code
    assert identify(unicodedata.normalize("NFD", text)) == code


@pytest.mark.parametrize("text", ["", " \n", "120/80", "3 mg x 2", "---"])
def test_text_without_evidence_is_english(text: str) -> None:
    """Where nothing tells the language the answer is "en"."""
    assert identify(text) == "en"


def test_text_without_letters_has_equal_scores() -> None:
    """Without a letter no language is likelier than another."""
    assert identify_scores("120/80") == {"en": 0.25, "es": 0.25, "sv": 0.25, "ja": 0.25}


@given(text=st.text())
def test_scores_are_probabilities(text: str) -> None:
    """Scores of any text lie between 0 and 1 and add up to 1."""
    scores = identify_scores(text)
    assert list(scores) == ["en", "es", "sv", "ja"]
    assert all(0 <= score <= 1 for score in scores.values())
    assert sum(scores.values()) == pytest.approx(1)


def test_long_text_is_judged_by_more_than_its_head() -> None:
    """A form's head in one language does not hide a body in another."""
    head = "Patient name, date of birth, ward, physician: see the other form. " * 3
    assert identify(head + "El paciente acude a urgencias por dolor en el tórax. " * 200) == "es"


def test_records_of_corpora_are_identified(corpora: Path) -> None:
    """At least 99 in 100 records of each corpus are identified."""
    with corpora.joinpath("aci-bench", "train.csv").open(encoding="utf-8", newline="") as file:
        notes = [row["note"] for row in csv.DictReader(file)]
    with corpora.joinpath("jmed-llm", "CRNER.csv").open(encoding="utf-8", newline="") as file:
        reports = [row["question"] for row in csv.DictReader(file)]
    swedish = corpora.joinpath("swedish-medical", "1177_annotated_sentences.txt")
    records = {
        "en": notes,
        "es": [path.read_text("utf-8") for path in corpora.glob("meddocan/dev/*.txt")],
        "sv": swedish.read_text("utf-8").splitlines(),
        "ja": reports,
    }
    shares = {
        code: sum(identify(text) == code for text in texts) / len(texts)
        for code, texts in records.items()
    }
    assert {code: share for code, share in shares.items() if share < 0.99} == {}


def test_a_language_with_a_list_of_words_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language without tables is identified by its own list of frequent words."""
    words = frozenset("jeg er ikke det som men har vært".split())
    monkeypatch.setattr(identification, "_listed_words", lambda codes: {"xx": words})
    assert identify("jeg er ikke syk men det har vært verre") == "xx"
    assert identify("the patient was admitted with fever and is not well") == "en"
    assert identify_scores("120/80") == dict.fromkeys(("en", "es", "sv", "xx", "ja"), 0.2)
