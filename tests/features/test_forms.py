"""Tests for veil.features.forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.features.forms import (
    _SHAPES,
    FORM_FEATURES,
    Forms,
    Resources,
    case_of,
    script_of,
    shape_of,
)

SPANISH = Resources("es", {"city": frozenset({"villanada"}), "street": frozenset()})


def value(feature: str, text: str) -> str:
    return FORM_FEATURES.get(feature)(Forms([text], SPANISH))[0]


@pytest.mark.parametrize(
    ("text", "case"),
    [
        *(("ANA", "A"), ("Ana", "C"), ("A", "C"), ("ana", "a"), ("McDonald", "C"), ("pH", "C")),
        *(("山田", "a"), ("ß", "a"), ("Ñu", "C"), ("ÅÄÖ", "A"), ("İ", "C"), ("ª", "a")),
        *(("12", "d"), ("²", "d"), ("١٢", "d"), (".", "."), ("½", "."), ("😀", "."), ("\x00", ".")),
    ],
)
def test_case(text: str, case: str) -> None:
    """Capitals, small letters, digits and marks of any script."""
    assert case_of(text) == case


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("か", "hiragana"),
        ("カ", "katakana"),
        ("ｶ", "katakana"),
        ("山", "漢"),
        ("々", "漢"),
        ("a", "other"),
    ],
)
def test_script(character: str, script: str) -> None:
    """The scripts of Japanese are told apart."""
    assert script_of(character) == script


@pytest.mark.parametrize(
    ("feature", "text", "expected"),
    [
        ("word", "Ana", "Ana"),
        ("lower", "ANA", "ana"),
        ("normal", "Ana", "ana"),
        *(("normal", "7", "7"), ("normal", "53", "53"), ("normal", "123", "000")),
        *(("normal", "2019", "2019"), ("normal", "28040", "00000"), ("normal", "1" * 40, "0" * 10)),
        *(("prefix1", "Ana", "a"), ("prefix3", "Ana", "ana"), ("prefix4", "Ana", "")),
        *(("suffix2", "Pérez", "ez"), ("suffix5", "Pérez", "pérez"), ("suffix5", "Ana", "")),
        *(
            ("shape", "Pérez", "Xxxxx"),
            ("shape", "dolor", "xxxxx"),
            ("shape", "inflamación", "xxxxxx"),
        ),
        *(("shape", "B12-é", "Xdd-x"), ("shape", "山田か", "漢漢h"), ("shape", "X" * 30, "X" * 10)),
        *(
            ("short-shape", "Pérez", "Xx"),
            ("short-shape", "2019", "d4"),
            ("short-shape", "1" * 30, "d9"),
        ),
        ("length", "Pérez", "5"),
        *(("case", "ANA", "upper"), ("case", "ana", "lower"), ("case", "Ana", "capitalised")),
        *(("case", "pH", "other"), ("case", "12", "other"), ("case", "A", "upper")),
        *(("special-character", "a/b", "1"), ("special-character", "ab", "")),
        *(
            ("token-template", "617-555-1234", "phone"),
            ("token-template", "(617)555-1234", "phone"),
        ),
        *(("token-template", "2019/04/03", "date"), ("token-template", "3/4", "date")),
        *(("token-template", "12345", "number"), ("token-template", "1234", "")),
        *(("token-template", "3/4-19", ""), ("token-template", "abc", "")),
        *(("in-names", "García", "1"), ("in-names", "GARCIA", "1"), ("in-names", "dolor", "")),
        *(("in-places", "Madrid", "1"), ("in-places", "dolor", "")),
        *(("date-word", "enero", "1"), ("date-word", "lunes", "1"), ("date-word", "dolor", "")),
        *(("first4", "Pérez", "pére"), ("last4", "Pérez", "érez"), ("first4", "el", "el")),
        *(("first3", "Pérez", "pér"), ("first2", "Y", "y"), ("last2", "Pérez", "ez")),
        *(
            ("paper-shape", "Pérez-12", "Aaaaa-00"),
            ("has-letter", "12a", "1"),
            ("has-letter", "12", ""),
        ),
        *(
            ("has-capital", "pH", "1"),
            ("has-capital", "ph", ""),
            ("begins-with-capital", "Ñu", "1"),
        ),
        *(
            ("begins-with-capital", "pH", ""),
            ("all-capitals", "ANA", "1"),
            ("all-capitals", "AN1", ""),
        ),
        *(("has-digit", "a1", "1"), ("has-digit", "a", ""), ("all-digits", "12", "1")),
        *(("all-digits", "1a", ""), ("has-punctuation", "a-b", "1"), ("has-punctuation", "ab", "")),
        *(("letters-and-digits", "B12", "1"), ("letters-and-digits", "B-12", "")),
        *(("letters-and-digits", "12", ""), ("digits-and-punctuation", "3/4", "1")),
        *(("digits-and-punctuation", "34", ""), ("digits-and-punctuation", "3a/4", "")),
        *(("upper", "ANA", "1"), ("upper", "Ana", "")),
        *(("character-type", "山田", "漢"), ("character-type", "三", "number")),
        *(("character-type", "カルテ", "katakana"), ("character-type", "山か", "hiragana+漢")),
        *(("in-city-dictionary", "Villanada", "1"), ("in-city-dictionary", "Madrid", "1")),
        *(("in-city-dictionary", "dolor", ""), ("in-street-dictionary", "Calle", "1")),
        ("in-country-dictionary", "España", "1"),
        ("in-date-dictionary", "enero", "1"),
        ("in-state-dictionary", "dolor", ""),
    ],
)
def test_feature(feature: str, text: str, expected: str) -> None:
    """The value of a feature of a form."""
    assert value(feature, text) == expected


def test_marks_tell_case() -> None:
    """The same word in another case has the same lexicons and another value."""
    assert value("marks", "García")[:-1] == value("marks", "GARCÍA")[:-1]
    assert value("marks", "García")[-1] == "C"
    assert value("marks", "GARCÍA")[-1] == "A"
    assert value("marks", "12") == "0d"


@pytest.mark.parametrize(
    "text", ["\n", "\x00", "😀", "\ud800", "İ", "ǅ", "\u0301", "ﬁ", "山", "a" * 5000, "-,", "/-"]
)
def test_every_feature_of_any_form(text: str) -> None:
    """All features have a value for any form, punctuation of several characters included."""
    forms = Forms([text], SPANISH)
    for function in FORM_FEATURES:
        (found,) = function(forms)
        assert isinstance(found, str)
    assert 0 <= forms.codes[0] < 256


@pytest.mark.parametrize("language", ["en", "sv", "ja"])
@given(texts=st.lists(st.text(min_size=1, max_size=12), max_size=8))
def test_forms_together_and_alone(language: str, texts: list[str]) -> None:
    """The features of a form do not depend on the forms beside it."""
    resources = Resources(language)
    written = ["Anna", "anna", "Annas", "2019", "20190", "STORGATAN", "日本", "'s", *texts]
    together = Forms(written, resources)
    alone = [Forms([text], resources) for text in written]
    for function in FORM_FEATURES:
        assert list(function(together)) == [function(forms)[0] for forms in alone]


@given(text=st.text(st.characters(max_codepoint=0x17F)))
def test_shape_of_bytes(text: str) -> None:
    """The shape of a text is that of its characters, in Latin-1 or not."""
    assert shape_of(text) == "".join(map(shape_of, text)) == text.translate(_SHAPES)
