"""A language without Python of its own: two templates and a file of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage
from veil.languages.sentences import SentenceRules
from veil.synth import notes

if TYPE_CHECKING:
    from pathlib import Path

WORDS = """
given_female = "Zora, Mila"
given_male = "Ivo, Tarn"
surnames = "Okrun, Belt, Varsi"
months = "unem, duem, triem, karem, penem, seksem, sepem, okem, nonem, dekem, elfem, dozem"
weekdays = "lun, mar, mer, jov, ven, sab, dom"
cities = "Ostra, Kelm"
streets = "Via Magna, Rua Nova"
hospitals = ["{surname} Spital", "Spital de {town}"]
organizations = "Fabri Kelm"
professions = "fabri, mediko"
titles_doctor = "Dok."
"""
DISCHARGE = """== note
{hospital}, {date.today}
{patient.full} ({age}), {address}, tel. {phone}, {mrn}
<course>

== course 1-2
{patient} mesta febri da {date.past/long}.
{doctor} vidi {patient.last} je {time}.
@female Si vole {profession}.
"""
LETTER = "== note\n[Bon|Salut] {doctor2.titled}, {patient.last_first} ({email}, {username}).\n"


@pytest.fixture
def language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "new_language" / "synth"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("", "utf-8")
    (folder / "words.toml").write_text(WORDS, "utf-8")
    (folder / "discharge.txt").write_text(DISCHARGE, "utf-8")
    (folder / "letter.txt").write_text(LETTER, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    rules = SentenceRules(frozenset(), frozenset(), frozenset())
    made = LatinLanguage("qy", "New", "new_language", rules)
    monkeypatch.setitem(LANGUAGES._entries, "qy", made)
    return "qy"


def test_two_templates_and_words_are_enough(language: str) -> None:
    """Every default slot works, and the values of a record agree."""
    records = list(notes.dummy_records(language, 60, seed=1))
    assert {record.document.meta["kind"] for record in records} == {"discharge", "letter"}
    labels = {span.label for record in records for span in record.spans}
    assert labels == {
        *("PATIENT", "DOCTOR", "DATE", "AGE", "HOSPITAL", "STREET", "CITY", "ZIP", "PHONE"),
        *("MEDICALRECORD", "PROFESSION", "EMAIL", "USERNAME"),
    }
    assert any("Spital" in record.document.text for record in records)
    assert list(notes.dummy_records(language, 60, seed=1)) == records
