"""HIPAA Safe Harbor: no age above 89, no year that tells one, no date finer than a year."""

from __future__ import annotations

from functools import cache

import pytest

from veil import Veil
from veil.replace.secret import Key

KEY = Key(b"a key for these tests")


@cache
def pipeline(lang: str) -> Veil:
    return Veil(lang, policy="safe-harbor", key=KEY)


@pytest.mark.parametrize(
    ("lang", "text", "year"),
    [
        ("en", "DOB: 03/05/1919", "1919"),
        ("en", "Birthdate 1919", "1919"),
        ("en", "Patient seen 05/12/2014. DOB: 03/05/1919.", "1919"),
        ("en", "DOB 3/5/19. Seen 2010.", "19."),
        ("en", "Mr. Hale (born 1919, died 2010) smoked.", "1919"),
        ("en", "DOB: 03/05/1921. Married in 1945.", "1921"),
        ("es", "Fecha de nacimiento: 05/03/1919.", "1919"),
        ("es", "Mujer nacida en 1919, vista en 2014.", "1919"),
        ("sv", "Född 1919-03-05. Inkom 2014-04-02.", "1919"),
        ("sv", "Född 1919-03-05.", "1919"),
        ("ja", "生年月日：大正8年3月5日。", "8"),
        ("ja", "1919年3月5日生まれの女性。", "1919"),
        ("ja", "大正生まれの女性。", "大正"),
        ("sv", "Pat är 20-talist.", "20"),
        ("en", "Mr. Hale, b. 1919, seen.", "1919"),
    ],
)
def test_birth_years_that_tell_an_old_age(lang: str, text: str, year: str) -> None:
    """A year of birth goes where the person would be above 89, also without another date."""
    masked = pipeline(lang).mask(text).text
    assert year not in masked
    assert "[DATE]" in masked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DOB: 03/05/1952", "DOB: 1952"),
        ("DOB: 03/05/1930. Seen 05/12/2014.", "DOB: 1930. Seen 2014."),
        ("DOB: 3/5/52. Seen 5/12/14.", "DOB: 1952. Seen 2014."),
    ],
)
def test_birth_years_that_may_stay(text: str, expected: str) -> None:
    """The year of birth of somebody of 89 or less stays, by the latest year of the record."""
    assert pipeline("en").mask(text).text == expected


@pytest.mark.parametrize(
    ("lang", "text", "age"),
    [
        ("en", "The patient is a nonagenarian with dementia.", "nonagenarian"),
        ("en", "She is a centenarian.", "centenarian"),
        ("en", "He is a supercentenarian.", "centenarian"),
        ("en", "Woman in her nineties.", "nineties"),
        ("en", "She is in her early 90s.", "90s"),
        ("en", "She is nearly 100 years old.", "100"),
        ("en", "She will be one hundred in May.", "hundred"),
        ("en", "He celebrated his 95th birthday.", "95"),
        ("en", "A patient in the tenth decade of life.", "tenth"),
        ("es", "Paciente nonagenaria.", "nonagenaria"),
        ("es", "Mujer centenaria con demencia.", "centenaria"),
        ("es", "Varón en la décima década de la vida.", "décima"),
        ("sv", "Patienten är en nittioåring.", "nittio"),
        ("sv", "Hundraåring med fall.", "undra"),
        ("sv", "Kvinna i 90-årsåldern.", "90-"),
        ("sv", "Han är nittiosju år.", "nittiosju"),
        ("ja", "卒寿を迎えた。", "卒寿"),
        ("ja", "百寿の祝い。", "百寿"),
        ("ja", "九十代の患者。", "九十"),
        ("ja", "年齢：93", "93"),
    ],
)
def test_ages_above_89_in_words(lang: str, text: str, age: str) -> None:
    """Words and numbers for an age above 89 become 90+ in the default pipeline."""
    masked = pipeline(lang).mask(text).text
    assert age not in masked
    assert "90+" in masked or "90歳以上" in masked


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Admitted in week 14 of 2014.", "Admitted in 2014."),
        ("en", "Admitted in wk 14, 2014.", "Admitted in 2014."),
        ("es", "Ingresó en la semana 14 de 2014.", "Ingresó en la 2014."),
        ("sv", "Inkom vecka 14 2014.", "Inkom 2014."),
        ("sv", "Inkom v. 14 -14 med feber.", "Inkom 2014 med feber."),
        ("ja", "2014年第14週に入院。", "2014年に入院。"),
    ],
)
def test_weeks_become_years(lang: str, text: str, expected: str) -> None:
    """A week is finer than a year, so that only its year stays."""
    assert pipeline(lang).mask(text).text == expected


@pytest.mark.parametrize("prefix", ["036", "063", "202", "204", "753", "772", "893", "969"])
def test_small_areas_have_no_zip_code(prefix: str) -> None:
    """Areas with 20,000 people or fewer by the Census of 2000 or 2020 become 000."""
    masked = pipeline("en").mask(f"Address: 12 Oak Street, Springfield, OH {prefix}12").text
    assert prefix not in masked
    assert "000" in masked
