from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from veil.core.errors import InputError
from veil.replace.base import REPLACERS, Case
from veil.replace.tags import Hash, Keep, Redact, Tag

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.replace.base import Replacer

    MakeCase = Callable[..., Case]


def replaced(replacer: Replacer, case: Case) -> list[str]:
    return [replacer.replace(case, span) for span in case.spans]


def test_keep_leaves_the_text(make_case: MakeCase) -> None:
    """What is kept stays as it stands, line break included."""
    assert replaced(Keep(), make_case("[CITY|São\nPaulo]")) == ["São\nPaulo"]


def test_tags_number_people(make_case: MakeCase) -> None:
    """Each person of a record has a number of its own wherever it stands."""
    case = make_case(
        "Dr. [DOCTOR|John Hale] saw [PATIENT|Ann Moss]; Dr. [DOCTOR|Ruiz] saw her, then "
        "Dr. [DOCTOR|HALE] saw Ms. [PATIENT|Moss]."
    )
    assert replaced(Tag(), case) == [
        *("[DOCTOR-1]", "[PATIENT-1]", "[DOCTOR-2]", "[DOCTOR-1]", "[PATIENT-1]"),
    ]


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        (
            "en",
            "[CITY|Boston], [CITY|Salem], [CITY|BOSTON], [CITY|Boston's]",
            ["[CITY-1]", "[CITY-2]", "[CITY-1]", "[CITY-1]"],
        ),
        (
            "es",
            "[CITY|Málaga] y [CITY|MALAGA], [HOSPITAL|H. Málaga]",
            ["[CITY-1]", "[CITY-1]", "[HOSPITAL-1]"],
        ),
        (
            "sv",
            "[CITY|Lunds] sjukhus, [CITY|Lund], [CITY|Borås], [CITY|Borås]",
            ["[CITY-1]", "[CITY-1]", "[CITY-2]", "[CITY-2]"],
        ),
        (
            "ja",
            "[CITY|東京都 港区]、[CITY|東京都港区]、[CITY|横浜市]",
            ["[CITY-1]", "[CITY-1]", "[CITY-2]"],
        ),
        (
            "en",
            "[PHONE|(555) 123-4567], [PHONE|555 123 4567], [IDNUM|AB-12], [IDNUM|ab12]",
            ["[PHONE-1]", "[PHONE-1]", "[IDNUM-1]", "[IDNUM-1]"],
        ),
        (
            "en",
            "[DATE|1/12/2014], [DATE|11/2/2014], [DATE|1-12-2014]",
            ["[DATE-1]", "[DATE-2]", "[DATE-1]"],
        ),
        ("ja", "[OTHER|※]、[OTHER|★]、[OTHER|※]", ["[OTHER-1]", "[OTHER-2]", "[OTHER-1]"]),
    ],
)
def test_tags_number_things(
    make_case: MakeCase, language: str, marked: str, expected: list[str]
) -> None:
    """What is no person is numbered by its text, without case, accents, genitive and grouping."""
    assert replaced(Tag(), make_case(marked, language)) == expected


def test_tags_without_numbers(make_case: MakeCase) -> None:
    """Numbers can be left out, and the form is the user's."""
    case = make_case("[DOCTOR|Hale] in [CITY|Salem]")
    assert replaced(Tag(numbered=False), case) == ["[DOCTOR]", "[CITY]"]
    assert replaced(Tag(numbered=False, form="<{label}>"), case) == ["<DOCTOR>", "<CITY>"]
    assert replaced(Tag(numbered=False, form="***"), case) == ["***", "***"]


def test_form_with_number(make_case: MakeCase) -> None:
    """A form may put the number where it likes."""
    case = make_case("[CITY|Salem], [CITY|Boston]")
    assert replaced(Tag(form="{number}:{label}"), case) == ["1:CITY", "2:CITY"]


def test_tags_of_another_scheme(make_case: MakeCase) -> None:
    """Labels of another scheme are its nearest ones, counted together where they are one there."""
    case = make_case(
        "[DOCTOR|山田]、[DATE|3月5日]、[TIME|朝]、[DEPARTMENT|内科]、[CITY|横浜]", "ja"
    )
    plain = Tag(scheme="mednlp", numbered=False)
    assert replaced(plain, case) == ["[PERSON]", "[TIME]", "[TIME]", "[DEPARTMENT]", "[LOCATION]"]
    numbered = replaced(Tag(scheme="mednlp"), case)
    assert numbered[1:] == ["[TIME-1]", "[TIME-2]", "[DEPARTMENT-1]", "[LOCATION-1]"]


def test_people_of_one_label_in_another_scheme(make_case: MakeCase) -> None:
    """A patient and a doctor are two persons where a scheme has one label for both."""
    case = make_case("[PATIENT|田中]さん、[DOCTOR|佐藤]医師、[PATIENT|田中]さん", "ja")
    tags = replaced(Tag(scheme="mednlp"), case)
    assert tags == ["[PERSON-1]", "[PERSON-2]", "[PERSON-1]"]


def test_redaction_has_the_length_of_the_text(make_case: MakeCase) -> None:
    """Every character is blackened, blanks too; lines stay lines."""
    case = make_case("[PATIENT|Ann Moss]\n[STREET|1 Elm St\r\nFlat 2], [PATIENT|山田]")
    assert replaced(Redact(), case) == ["████████", "████████\r\n██████", "██"]
    assert replaced(Redact(character="\\"), case)[2] == "\\\\"


def test_redaction_of_fixed_length(make_case: MakeCase) -> None:
    """With a length all bars are the same and say nothing of what they hide."""
    case = make_case("[PATIENT|Ann Moss] and [PATIENT|Al]")
    assert replaced(Redact(length=4, character="X"), case) == ["XXXX", "XXXX"]


def test_codes_are_keyed(make_case: MakeCase) -> None:
    """The same value has the same code in every writing, another patient's another one."""
    case = make_case("[CITY|Malmö], [CITY|MALMÖ], [CITY|Lund]", "sv")
    first, again, other = replaced(Hash(), case)
    assert first == again != other
    assert first.startswith("CITY-")
    assert len(first) == len("CITY-") + 12
    assert replaced(Hash(length=32), case)[0].startswith(first)
    elsewhere = make_case("[CITY|Malmö]", "sv", patient="p2")
    assert replaced(Hash(), elsewhere) != [first]


def test_codes_tell_a_name_from_a_town(make_case: MakeCase) -> None:
    """A person and a town of one name have different codes; a name keeps its code in any label."""
    case = make_case("[PATIENT|Lund], [CITY|Lund], [DOCTOR|Lund]", "sv")
    patient, town, doctor = (code.partition("-")[2] for code in replaced(Hash(), case))
    assert patient == doctor != town


@pytest.mark.parametrize(
    ("action", "options", "message"),
    [
        ("tag", {"nubmered": True}, "unknown option 'nubmered'; known: form, numbered, scheme"),
        ("tag", {"numbered": "yes"}, "'numbered' must be true or false"),
        ("tag", {"form": "[{label}]"}, "lacks {number}"),
        ("tag", {"form": "[{label}-{number}]", "numbered": False}, "may contain only {label}"),
        ("tag", {"form": "{label.__class__}{number}"}, "may contain only {label} and {number}"),
        ("tag", {"form": "{label:>20}{number}"}, "may contain only {label} and {number}"),
        ("tag", {"form": "{label"}, "brace"),
        ("tag", {"scheme": "icd"}, "unknown scheme 'icd'"),
        ("redact", {"length": -1}, "from 1 to 100"),
        ("redact", {"length": True}, "'length' must be a whole number"),
        ("redact", {"character": "ab"}, "one visible character"),
        ("redact", {"character": " "}, "one visible character"),
        ("hash", {"length": 2}, "from 6 to 64"),
        ("keep", {"x": 1}, "unknown option 'x'; known: none"),
    ],
)
def test_wrong_options(action: str, options: dict[str, Any], message: str) -> None:
    """An option that cannot be is an error that names the action and says what can."""
    with pytest.raises(InputError) as error:
        REPLACERS.get(action)(options)
    assert f"action '{action}': " in str(error.value)
    assert message in str(error.value)
