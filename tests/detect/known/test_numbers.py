from __future__ import annotations

from collections.abc import Callable

import pytest

from veil import Document
from veil.detect.known import Known, KnownDetector
from veil.detect.known.numbers import id_forms, phone_forms
from veil.detect.known.vocabulary import vocabulary

Mark = Callable[[str, Known, str], str]

ENGLISH = Known(
    national_ids="123-45-6789",
    medical_records="00123456",
    phones="+1 (617) 555-1234",
    emails="jdoe77@mail.example",
    zips="02139-4307",
    ids=["AB-12345-C", "4521"],
    urls="https://www.doe.example/",
)
SWEDISH = Known(national_ids="19480312-1234", phones="070-123 45 67", zips="111 22")
SPANISH = Known(national_ids="12345678Z", phones="612 345 678", licenses="28 28 35489")
JAPANESE = Known(phones="03-1234-5678", zips="160-0023", ids="12345678")

CASES = [
    ("en", ENGLISH, "⟦123-45-6789⟧, ⟦123456789⟧, ⟦123 45 6789⟧ and ⟦12345-6789⟧."),
    ("en", ENGLISH, "1234567890, 0.123456789, 123-45-6780, 123-45-678"),
    ("en", ENGLISH, "SSN ending in ⟦6789⟧, last four ⟦6789⟧, xxx-xx-⟦6789⟧; room 6789"),
    ("en", ENGLISH, "MRN ⟦00123456⟧, ⟦123456⟧, #⟦0123456⟧, MRN:⟦123456⟧"),
    ("en", ENGLISH, "platelets 123456.5 and 1234567 and 3.123456"),
    ("en", ENGLISH, "⟦(617) 555-1234⟧, ⟦617.555.1234⟧, ⟦+1 617 555 1234⟧, ⟦1-617-555-1234⟧"),
    ("en", ENGLISH, "local ⟦555-1234⟧, not 555-1235"),
    ("en", ENGLISH, "⟦JDOE77@MAIL.EXAMPLE⟧, user ⟦jdoe77⟧, jdoe778"),
    ("en", ENGLISH, "MA ⟦02139-4307⟧, MA ⟦02139⟧, 2139"),
    ("en", ENGLISH, "⟦AB-12345-C⟧, ⟦ab12345c⟧, ⟦AB 12345 C⟧, AB12345CD"),
    ("en", ENGLISH, "ID: ⟦4521⟧, id ⟦4521⟧, 4521 steps"),
    ("en", ENGLISH, "see www.⟦doe.example⟧ and ⟦doe.example⟧/x"),
    ("sv", SWEDISH, "⟦19480312-1234⟧, ⟦480312-1234⟧, ⟦4803121234⟧, ⟦19480312 1234⟧, ⟦480312+1234⟧"),
    ("sv", SWEDISH, "pnr slutar på ⟦1234⟧; 480312-1235; leukocyter 1234"),
    ("sv", SWEDISH, "⟦+46 70 123 45 67⟧, ⟦0701234567⟧, ⟦+46 (0)70-1234567⟧, ⟦0046701234567⟧"),
    ("sv", SWEDISH, "⟦111 22⟧ Staden och ⟦11122⟧"),
    ("es", SPANISH, "⟦12345678Z⟧, ⟦12.345.678-Z⟧, ⟦12345678 z⟧, ⟦12345678⟧"),
    ("es", SPANISH, "⟦612345678⟧, ⟦+34 612 34 56 78⟧, ⟦0034612345678⟧, ⟦612-345-678⟧"),
    ("es", SPANISH, "NºCol: ⟦28 28 35489⟧, ⟦28/28/35489⟧"),
    ("ja", JAPANESE, "電話⟦03-1234-5678⟧、⟦０３－１２３４－５６７８⟧、⟦+81 3 1234 5678⟧"),
    ("ja", JAPANESE, "〒⟦160-0023⟧、⟦１６０－００２３⟧、番号⟦12345678⟧、下4桁⟦5678⟧"),
]


@pytest.mark.parametrize(("language", "known", "marked"), CASES)
def test_numbers_are_found_where_they_are_marked(
    mark: Mark, language: str, known: Known, marked: str
) -> None:
    """A number is found with any separators, and no other number is."""
    assert mark(language, known, marked) == marked


@pytest.mark.parametrize(
    ("field", "label"),
    [
        ("national_ids", "SSN"),
        ("medical_records", "MEDICALRECORD"),
        ("health_plans", "HEALTHPLAN"),
        ("accounts", "ACCOUNT"),
        ("licenses", "LICENSE"),
        ("vehicles", "VEHICLE"),
        ("devices", "DEVICE"),
        ("ids", "IDNUM"),
        ("phones", "PHONE"),
        ("faxes", "FAX"),
        ("zips", "ZIP"),
    ],
)
def test_a_number_has_the_label_of_its_field(field: str, label: str) -> None:
    """The label of a number follows from where it was given."""
    known = Known(**{field: "9876543210"})
    (span,) = KnownDetector("es", known={"note": known}).detect(Document("note", "x 9876543210"))
    assert (span.label, span.source) == (label, f"known:{field.removesuffix('s')}")


def test_ids_have_their_national_forms() -> None:
    """Century and check letter come and go."""
    assert id_forms("480312-1234", vocabulary("sv")) == [
        "4803121234",
        "194803121234",
        "204803121234",
    ]
    assert id_forms("12345678", vocabulary("es")) == ["12345678", "12345678z"]
    assert id_forms("480312-1234", vocabulary("en")) == ["4803121234"]


@pytest.mark.parametrize(
    ("value", "language", "expected"),
    [
        ("08-123 456 78", "sv", {"0812345678", "812345678", "46812345678", "0046812345678"}),
        ("+44 20 7946 0000", "en", {"02079460000", "442079460000", "2079460000"}),
        ("020 7946 0000", "en", {"02079460000", "442079460000"}),
        ("(617) 555-1234 ext. 12", "en", {"6175551234", "16175551234", "5551234"}),
        ("+358 9 123 456", "sv", {"9123456", "3589123456", "09123456"}),
    ],
)
def test_phones_have_forms_with_and_without_country(
    value: str, language: str, expected: set[str]
) -> None:
    """A telephone number is known by its national and international forms."""
    assert expected <= set(phone_forms(value, vocabulary(language)))


def test_numbers_without_digits_or_of_zeros_are_no_phones() -> None:
    """What cannot be dialled gives no form that would be found everywhere."""
    assert phone_forms("unlisted", vocabulary("en")) == []
    assert phone_forms("0000000", vocabulary("sv")) == ["0000000"]
