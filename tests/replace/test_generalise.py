from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from veil.core.errors import InputError, UnknownNameError
from veil.languages import language_codes
from veil.languages.ja.eras import kanji_number
from veil.replace.base import REPLACERS, Case
from veil.replace.generalise import Generalise
from veil.replace.generalise.ages import age_language, generalised_age
from veil.replace.generalise.places import first_digits, restricted_prefixes

if TYPE_CHECKING:
    from collections.abc import Callable

    MakeCase = Callable[..., Case]


LANGUAGES = language_codes()


def generalised(case: Case, to: str, **options: Any) -> list[str]:
    replacer = Generalise(to, **options)
    return [replacer.replace(case, span) for span in case.spans]


DECADES = {
    "en": {
        "47": "40s",
        "5": "0-9",
        "13": "10-19",
        "47 years old": "40-49 years old",
        "63yo": "60-69yo",
        "forty-five": "40s",
        "40-50": "40-59",
        "85-95 years": "80-90+ years",
        "94": "90+",
        "one hundred and two": "90+",
        "94 years, 3 months": "90+ years",
        "50's": "50s",
        "130 months": "10-19 years",
        "3½ years": "0-9 years",
        "octogenarian": "octogenarian",
        "nonagenarian": "90+",
    },
    "es": {
        "61": "60-69",
        "45 AÑOS": "40-49 AÑOS",
        "tres años y diez meses": "0-9 años",
        "noventa y un años": "90+ años",
        "dieciséis años": "10-19 años",
        "2 años y medio": "0-9 años",
        "8 y 11 años": "0-9 y 10-19 años",
        "52 a.": "50-59 a.",
        "49 M": "40-49 M",
        "18 meses": "0-9 años",
        "septuagenaria": "septuagenaria",
        "décima década": "90+",
        "ciento dos años": "90+ años",
    },
    "sv": {
        "64": "60-69",
        "73-årig": "70-79-årig",
        "Åttiofemårig": "80-89-årig",
        "101-åringen": "90+-åringen",
        "nittiofyra år": "90+ år",
        "75-årsåldern": "70-årsåldern",
        "40–50-årig": "40-59-årig",
        "1 år och 8 mån": "0-9 år",
        "6 månaders": "0-9 år",
        "1½ år": "0-9 år",
    },
    "ja": {
        "57": "50代",
        "６３歳": "60代",
        "八十二歳": "80代",
        "13歳時": "10代時",
        "3歳": "10歳未満",
        "1歳6か月": "10歳未満",
        "生後7か月": "10歳未満",
        "日齢5": "10歳未満",
        "20〜60歳まで": "20代〜60代まで",
        "60歳代後半": "60代",
        "50代前半より": "50代より",
        "満95歳": "満90歳以上",
        "95歳3か月": "90歳以上",
        "90代後半": "90歳以上",
        "米寿": "80代",
        "白寿": "90歳以上",
        "45 y.o.": "40代",
    },
}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [(code, text, new) for code, ages in DECADES.items() for text, new in ages.items()],
)
def test_ages_to_decades(language: str, text: str, expected: str) -> None:
    """An age becomes its decade in the writing of the language, its unit left where it stands."""
    assert generalised_age(text, language, to="decade") == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "89", "89"),
        ("en", "90", "90+"),
        ("en", "94 days", "94 days"),
        ("en", "ninety-four", "90+"),
        ("en", "nineties", "90+"),
        ("en", "eighties", "eighties"),
        ("en", "85-95", "85-90+"),
        ("en", "92-95", "90+"),
        ("es", "91 años y medio", "90+ años"),
        ("es", "94 meses", "94 meses"),
        ("es", "octogenaria", "octogenaria"),
        ("es", "nonagenaria", "90+"),
        ("sv", "89-årig", "89-årig"),
        ("sv", "nittioårig", "90+-årig"),
        ("sv", "95-årsåldern", "90+"),
        ("ja", "89歳", "89歳"),
        ("ja", "９４歳", "90歳以上"),
        ("ja", "百二歳", "90歳以上"),
        ("ja", "生後100日", "生後100日"),
    ],
)
def test_ages_above_the_limit(language: str, text: str, expected: str) -> None:
    """Only ages above 89 years change; months and days stay, however many."""
    assert generalised_age(text, language, to="90+") == expected


@pytest.mark.parametrize("to", ["decade", "90+"])
@pytest.mark.parametrize("text", ["elderly", "1932", "47 (b. 1932)"])
def test_ages_that_are_not_understood(text: str, to: str) -> None:
    """What is no age, or holds more numbers than ages, is not let through."""
    assert generalised_age(text, "en", to=to) is None


def test_units_after_the_span(make_case: MakeCase) -> None:
    """A number alone takes its unit from the text that follows."""
    case = make_case(
        "A [AGE|47]-year-old with sons of [AGE|3], [AGE|5] and [AGE|11] months; "
        "[AGE|100]-day-old twin, mother [AGE|95]"
    )
    assert generalised(case, "decade") == ["40-49", *["[AGE]"] * 4, "90+"]
    assert generalised(case, "90+") == ["47", "3", "5", "11", "100", "90+"]


def test_another_limit(make_case: MakeCase) -> None:
    """The limit is the user's; the last decade ends there."""
    case = make_case("[AGE|86], [AGE|81 years]")
    assert generalised(case, "90+", above=84) == ["85+", "81 years"]
    assert generalised(case, "decade", above=84) == ["85+", "80-84 years"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("to", ["decade", "90+"])
def test_no_age_above_the_limit_survives(language: str, to: str) -> None:
    """Whatever the number, no age above 89 stands in the result."""
    unit = {"en": " years", "es": " años", "ja": "歳", "sv": " år"}[language]
    words = {value: word for word, value in age_language(language).number_words.items()}
    for age in range(91, 120):
        numbers = [str(age), *([words[age]] if words else [])]
        for number in numbers:
            for text in (number, f"{number}{unit}"):
                new = generalised_age(text, language, to=to)
                assert new is not None
                assert number not in new


@pytest.mark.parametrize(("language", "unit"), [("en", " years"), ("es", " años"), ("sv", " år")])
def test_decades_hold_the_age(language: str, unit: str) -> None:
    """The range that stands for an age is one decade, and the age lies in it."""
    for age in range(90):
        new = generalised_age(f"{age}{unit}", language, to="decade")
        assert new is not None
        low, high = map(int, new.removesuffix(unit).split("-"))
        assert low <= age <= high == low + 9


def test_number_words() -> None:
    """Numbers in words have their value in every language."""
    assert age_language("en").number_words["ninety-nine"] == 99
    assert age_language("en").number_words["one hundred and nineteen"] == 119
    assert age_language("es").number_words["treinta y un"] == 31
    assert age_language("es").number_words["veintiseis"] == 26
    assert age_language("sv").number_words["åttiofem"] == 85
    assert age_language("sv").number_words["tjugoen"] == 21
    assert [kanji_number(text) for text in ("十", "九十", "百二", "八二", "〇")] == [
        10,
        90,
        102,
        82,
        0,
    ]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("02139", "en", "021"),
        ("02139-4307", "en", "021"),
        ("03601", "en", "000"),
        ("89301", "en", "000"),
        ("20501", "en", "000"),
        ("20201", "en", "000"),
        ("20402", "en", "000"),
        ("09012", "en", "000"),
        ("SW1A 1AA", "en", None),
        ("K1A 0B1", "en", None),
        ("2000", "en", None),
        ("０２１３９", "en", None),
        ("28013", "es", None),
        ("114 28", "sv", None),
        ("100-0001", "ja", None),
    ],
)
def test_first_digits_of_zip_codes(text: str, language: str, expected: str | None) -> None:
    """ZIP codes of the USA keep three digits, of small areas none; other postcodes say nothing."""
    assert first_digits(text, language) == expected


def test_restricted_areas() -> None:
    """The areas of HHS's guidance and of the Census of 2020 and unused prefixes are restricted."""
    of_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()
    of_2020 = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893".split()
    assert (len(of_2000), len(of_2020)) == (17, 18)
    assert {*of_2000, *of_2020, "000", "090", "942", "969"} <= restricted_prefixes()
    # 894 prefixes have people: 18 too few of them, and 5 of the older list have grown.
    assert 1000 - len(restricted_prefixes()) == 894 - 18 - 5


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        ("en", "[CITY|Sheboygan]", "United States"),
        ("en", "[CITY|Paris]", "France"),
        ("es", "[CITY|Ciempozuelos]", "España"),
        ("es", "[CITY|Londres]", "Reino Unido"),
        ("sv", "[CITY|Sala kommun]", "Sverige"),
        ("sv", "[CITY|Malmös] sjukhus", "Sverige"),
        ("sv", "[CITY|Helsingfors]", "Finland"),
        ("ja", "[CITY|横浜市港北区]", "日本"),
        ("ja", "[CITY|ロンドン]", "イギリス"),
        ("en", "[CITY|Nosuchtown]", "[CITY]"),
        ("en", "[CITY|Boston]", "[CITY]"),
    ],
)
def test_towns_to_countries(make_case: MakeCase, language: str, marked: str, expected: str) -> None:
    """A town becomes its country in the record's language; one of several countries is tagged."""
    assert generalised(make_case(marked, language), "country") == [expected]


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        ("en", "[CITY|Boston], [STATE|MA]", "United States"),
        ("en", "[CITY|Boston] in [COUNTRY|United Kingdom]", "United Kingdom"),
        ("es", "[CITY|Córdoba], cerca de [CITY|Ciempozuelos]", "España"),
        ("es", "[CITY|Córdoba] ([COUNTRY|Argentina])", "Argentina"),
    ],
)
def test_other_places_tell_the_country(
    make_case: MakeCase, language: str, marked: str, expected: str
) -> None:
    """Of towns that share a name the one in the country of the record's other places is meant."""
    assert generalised(make_case(marked, language), "country")[0] == expected


def test_places_that_are_no_towns(make_case: MakeCase) -> None:
    """A country is one already; streets and hospitals have no country of their own."""
    case = make_case("[STREET|1 Elm Street], [COUNTRY|France], [HOSPITAL|Mercy]")
    assert generalised(case, "country") == ["[STREET]", "France", "[HOSPITAL]"]
    assert generalised(case, "kind") == ["[STREET]", "[COUNTRY]", "[HOSPITAL]"]


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        ("en", "[DATE|3/5/2014] and [DATE|Monday]", ["2014", "[DATE]"]),
        ("es", "[DATE|5 de marzo de 2014]", ["2014"]),
        ("sv", "[DATE|2014-03-05]", ["2014"]),
    ],
)
def test_dates_to_years(
    make_case: MakeCase, language: str, marked: str, expected: list[str]
) -> None:
    """A date keeps its year; one without a year is tagged."""
    assert generalised(make_case(marked, language), "year") == expected


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        ("en", "Born [DATE|3/5/1919], seen [DATE|4/1/2014]", ["[DATE]", "2014"]),
        ("en", "Born [DATE|3/5/1925], seen [DATE|4/1/2014]", ["1925", "2014"]),
        ("en", "[AGE|95]-year-old, born [DATE|3/5/1919]", ["[DATE]"]),
        ("en", "[AGE|93] y/o, DOB [DATE|3/5/21], seen [DATE|4/1/14]", ["[DATE]", "2014"]),
        ("en", "[AGE|53] y/o, DOB [DATE|3/5/61], seen [DATE|4/1/14]", ["1961", "2014"]),
        ("en", "Born [DATE|3/5/1919], seen [DATE|4/1/14]", ["[DATE]", "2014"]),
        ("en", "[AGE|95] y/o, DOB [DATE|3/5/19]", ["[DATE]"]),
        ("sv", "[AGE|95-årig], född [DATE|1919-03-05], in [DATE|2014-04-01]", ["[DATE]", "2014"]),
        ("es", "Nacido el [DATE|5/3/1919], visto en [DATE|2014]", ["[DATE]", "2014"]),
    ],
)
def test_years_that_tell_an_old_age(
    make_case: MakeCase, language: str, marked: str, expected: list[str]
) -> None:
    """The year of birth of somebody above 89 is not let through: it tells the age."""
    case = make_case(marked, language)
    dates = [span for span in case.spans if span.label == "DATE"]
    assert [Generalise("year").replace(case, span) for span in dates] == expected


def test_years_that_tell_an_old_age_in_japanese(make_case: MakeCase) -> None:
    """The years of eras count as well."""
    case = make_case("[DATE|大正8年3月5日]生まれ、[DATE|平成26年4月1日]受診", "ja")
    born, seen = generalised(case, "year")
    assert born == "[DATE]"
    assert seen != "[DATE]"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "the option 'to' is missing"),
        ({"to": "century"}, "known: 90+, country, decade, kind, month, three-digits, year"),
        ({"to": "decade", "above": 0}, "'above' must be an age"),
        ({"to": "decade", "over": 89}, "unknown option 'over'; known: above, to"),
        ({"to": 10}, "'to' must be a string in quotes"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    """An option that cannot be is an error that says what can."""
    with pytest.raises(InputError) as error:
        REPLACERS.get("generalise")(options)
    assert message in str(error.value)


def test_wrong_labels() -> None:
    """A label that cannot be made to say that is an error that lists what it can."""
    Generalise("decade").check("AGE")
    with pytest.raises(
        UnknownNameError, match=r"for this label: 'country'; known: 90\+, decade, kind"
    ):
        Generalise("country").check("AGE")
