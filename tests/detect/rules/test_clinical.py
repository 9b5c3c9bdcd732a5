"""Clinical names, eponyms and lists of clinical values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil.core.document import Document
from veil.core.values import VALUE
from veil.detect.rules.clinical import begins_clinical, clinical_names, eponyms, listed_name
from veil.detect.rules.detector import RuleDetector


def values(text: str, language: str) -> set[str]:
    """The texts of the clinical values that the rules of a language find."""
    spans = RuleDetector(language).detect(Document("1", text))
    return {text[span.start : span.end] for span in spans if span.label == VALUE}


def is_protected(text: str, part: str, language: str) -> bool:
    """Whether a part of a text lies inside a clinical value."""
    return any(part in value for value in values(text, language))


@pytest.mark.parametrize("words", [eponyms(), clinical_names()])
def test_lists_are_folded(words: frozenset[str]) -> None:
    """The lists hold thousands of single words in lower case."""
    assert 3000 < len(words)
    assert all(word == word.lower() and " " not in word and 2 < len(word) for word in words)


@pytest.mark.parametrize(
    ("language", "text", "part"),
    [
        ("en", "Femoral neck: Garden 3, Pauwels 2, Singh 4, EBL 250, temp 36.9", "Singh 4"),
        ("en", "TSH 0.01, sats 96, Pemberton neg, Plummer, pain 3, urine 55 ml", "Plummer"),
        ("en", "started Biktarvy, tolerates it", "Biktarvy"),
        ("es", "diuresis 55 ml, dolor 3, Rutkow, Rives, glucemia 96, peso 71", "Rives"),
        ("sv", "puls 96, smärta 3, Garden IV, Pauwels III, diures 55 ml", "Pauwels III"),
    ],
)
def test_eponym_between_values(language: str, text: str, part: str) -> None:
    """An eponym between other values is a clinical value, although it is a surname."""
    assert is_protected(text, part, language)


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "Dr Parkinson saw her.", "Parkinson"),
        ("en", "Mrs Crohn is well.", "Crohn"),
        ("en", "Mr Babinski rang.", "Babinski"),
        ("en", "pain 3, sats 96, seen by Garden, urine 55 ml", "Garden"),
        ("en", "pain 3, sats 96, Dr. Singh 4, urine 55 ml", "Singh"),
        ("en", "pain 3, sats 96, wife Singh, urine 55 ml", "Singh"),
        ("en", "Singh, Anna, pain 3, sats 96, urine 55 ml", "Singh"),
        ("en", "Young, 83, pain 3, sats 96, urine 55 ml", "Young"),
        ("en", "Garden called. Pain 3, sats 96.", "Garden"),
        ("es", "Dra. Felty, dolor 3, glucemia 96, diuresis 55 ml", "Felty"),
        ("es", "dolor 3, glucemia 96, avisado por Rives, diuresis 55 ml", "Rives"),
        ("sv", "ssk Garden, smärta 3, puls 96, diures 55 ml", "Garden"),
        ("sv", "smärta 3, puls 96, mamma Singh, diures 55 ml", "Singh"),
    ],
)
def test_person_between_values(language: str, text: str, name: str) -> None:
    """A person is none, even in a list of values: a title, a role or an age shows it."""
    assert not is_protected(text, name, language)


@pytest.mark.parametrize(
    "text",
    [
        "pain 3, sats 96, seen 4/5, urine 55 ml, temp 36.9",
        "pain 3, sats 96, CT 4/10, urine 55 ml, temp 36.9",
        "pain 3, sats 96, MRN 4471, urine 55 ml, temp 36.9",
        "pain 3, sats 96, bed 12, urine 55 ml, temp 36.9",
    ],
)
def test_days_and_identifiers_between_values(text: str) -> None:
    """Days, beds and numbers of records between values keep their cue and are no values."""
    item = text.split(", ")[2]
    assert not is_protected(text, item.split()[1], "en")


def test_language_without_cues() -> None:
    """A language without cue words of its own has no lists of values."""
    text = "pain 3, Garden 4, sats 96, urine 55 ml"
    assert listed_name("ja", text, 8, 14) is None


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Biktarvy", True), ("Garden", True), ("Gardens", True), ("garden", False), ("Xyzzy", False)],
)
def test_begins_clinical(word: str, expected: bool) -> None:
    """Rules for clinical names are tried at listed words with a capital, genitives included."""
    assert begins_clinical(word) is expected


@given(st.text(st.sampled_from("Garden 3,;.()\n4/5 Dr pain+-"), max_size=80))
@settings(max_examples=150, deadline=None)
def test_values_lie_in_the_text(text: str) -> None:
    """Whatever a list looks like, values have bounds inside the text."""
    for span in RuleDetector("en").detect(Document("1", text)):
        assert 0 <= span.start < span.end <= len(text)
