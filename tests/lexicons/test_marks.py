from __future__ import annotations

import pytest

from veil import UnknownNameError
from veil.lexicons import Mark, kinds, word_marks


@pytest.mark.parametrize(
    ("language", "word", "expected"),
    [
        ("en", "Anna", Mark.GIVEN_FEMALE),
        ("en", "Anna's", Mark.GIVEN_FEMALE),
        ("en", "O'Neill's", Mark.SURNAME),
        ("en", "WILL", Mark.GIVEN_MALE | Mark.SURNAME | Mark.COMMON),
        ("en", "Parkinson", Mark.SURNAME | Mark.MEDICAL),
        ("en", "Foley", Mark.SURNAME | Mark.MEDICAL),
        ("en", "Dr.", Mark.DOCTOR_TITLE | Mark.STREET_HEAD),
        ("en", "Mrs", Mark.TITLE),
        ("en", "Boston", Mark.CITY),
        ("en", "Ohio", Mark.REGION),
        ("en", "Wednesday", Mark.WEEKDAY),
        ("en", "plumber", Mark.PROFESSION),
        ("en", "Swedish", Mark.NATIONALITY),
        ("en", "Nguyen", Mark.SURNAME),
        ("es", "GARCIA", Mark.SURNAME),
        ("es", "García-López", Mark.SURNAME),
        ("es", "Muñoz", Mark.SURNAME),
        ("es", "hermana", Mark.RELATIVE),
        ("es", "setiembre", Mark.MONTH),
        ("es", "avda", Mark.STREET_HEAD),
        ("es", "Ambulatorio", Mark.HOSPITAL_HEAD),
        ("es", "Perú", Mark.COUNTRY),
        ("es", "Dña.", Mark.TITLE),
        ("sv", "Anderssons", Mark.SURNAME | Mark.SURNAME_FORM),
        ("sv", "Annas", Mark.GIVEN_FEMALE),
        ("sv", "Anna-Karin", Mark.GIVEN_FEMALE),
        ("sv", "Lars'", Mark.GIVEN_MALE),
        ("sv", "Storgatan", Mark.STREET_HEAD),
        ("sv", "Danderydssjukhuset", Mark.HOSPITAL_HEAD),
        ("sv", "Hjelmqvist", Mark.SURNAME_FORM),
        ("sv", "överläkare", Mark.DOCTOR_TITLE),
        ("sv", "ssk", Mark.TITLE),
        ("sv", "Warsame", Mark.SURNAME),
        ("sv", "Göteborgs", Mark.CITY | Mark.COMMON),
        ("ja", "田中", Mark.SURNAME),
        ("ja", "髙橋", Mark.SURNAME),
        ("ja", "ﾔﾏﾀﾞ", Mark.SURNAME),
        ("ja", "花子", Mark.GIVEN_FEMALE),
        ("ja", "太郎", Mark.GIVEN_MALE),
        ("ja", "札幌市", Mark.CITY),
        ("ja", "東京都", Mark.REGION),
        ("ja", "クリニック", Mark.HOSPITAL_HEAD),
        ("ja", "先生", Mark.DOCTOR_TITLE),
        ("ja", "長男", Mark.RELATIVE),
        ("ja", "橋本病", Mark.MEDICAL),
    ],
)
def test_words_have_the_marks_of_their_lists(language: str, word: str, expected: Mark) -> None:
    """A word form is looked up whatever its case, accents and genitive."""
    assert Mark(word_marks(language)(word)) & expected == expected


@pytest.mark.parametrize(
    ("language", "word", "absent"),
    [
        ("en", "the", Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME | Mark.CITY),
        ("en", "Smith", Mark.MEDICAL),
        ("en", "Anderssons", Mark.SURNAME),
        ("es", "que", Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME),
        ("es", "paciente", Mark.SURNAME | Mark.GIVEN_FEMALE | Mark.CITY),
        ("sv", "mår", Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME),
        ("sv", "Sjögren", Mark.MEDICAL),
        ("sv", "patienten", Mark.SURNAME | Mark.SURNAME_FORM),
        ("ja", "患者", Mark.SURNAME | Mark.GIVEN_MALE),
        ("ja", "中", Mark.GIVEN_MALE),
    ],
)
def test_words_lack_the_marks_of_other_lists(language: str, word: str, absent: Mark) -> None:
    """Frequent words are no names, and frequent names are no diseases."""
    assert not word_marks(language)(word) & absent


@pytest.mark.parametrize("word", ["", "-", "'", ".", "--", "qxzwv", "12", "\u0301"])
def test_what_no_list_holds_has_no_mark(word: str) -> None:
    """Unknown forms and stray punctuation have the mask 0 in all languages."""
    assert {word_marks(language)(word) for language in ("en", "es", "sv", "ja")} == {0}


def test_each_kind_has_a_mark() -> None:
    """The bits are the kinds and one for surnames built by rule."""
    assert [mark.name for mark in Mark] == [*(kind.upper() for kind in kinds()), "SURNAME_FORM"]


def test_unknown_language_is_an_error() -> None:
    """The error lists the languages that there are."""
    with pytest.raises(UnknownNameError, match="known: en, es, ja, sv"):
        word_marks("de")
