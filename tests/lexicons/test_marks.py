from __future__ import annotations

import pytest

from veil import UnknownNameError
from veil.languages import language_codes
from veil.lexicons import Mark, kinds, lexicon, word_marks
from veil.lexicons.folding import without_diacritics

LANGUAGES = language_codes()


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


def test_bits_keep_their_numbers() -> None:
    """Trained models know the bits by number: these stay, and no kind is added among them."""
    names = """
        given_female given_male surname city region country nationality street_head hospital_head
        title doctor_title profession relative month weekday common medical surname_form
    """
    assert [mark.name for mark in Mark] == names.upper().split()
    assert [mark.value for mark in Mark] == [1 << place for place in range(18)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_later_kinds_leave_the_marks_alone(language: str) -> None:
    """What only the lists of ordinary and clinical words hold has no mark."""
    marked = [lexicon(language, kind) for kind in kinds() if kind.upper() in Mark.__members__]
    known = {word for each in marked for word in each.keys.folded}
    ends = tuple(suffix for each in marked for suffix in each.keys.suffixes)
    for kind in ("ordinary", "clinical"):
        forms = [form for form in lexicon(language, kind).keys.words if form.isalpha()]
        unmarked = [
            form
            for form in forms
            if not any(reading in known or reading.endswith(ends) for reading in _readings(form))
        ]
        assert unmarked
        assert {word_marks(language)(form) for form in unmarked} == {0}


def _readings(form: str) -> set[str]:
    """What marks look up for a form: itself, without genitive, without accents."""
    bases = {form, form.removesuffix("s")}
    return bases | {without_diacritics(base) for base in bases}


def test_unknown_language_is_an_error() -> None:
    """The error lists the languages that there are."""
    with pytest.raises(UnknownNameError, match="known: en, es, ja, sv"):
        word_marks("de")
