from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.core.errors import RecordError
from veil.core.labels import VEIL, scheme
from veil.languages import language_codes
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


LANGUAGES = language_codes()

OTHERS = {"NAME", "PATIENT", "DOCTOR", "USERNAME", "EMAIL", "DATE"}
LABELS = [label for label in scheme(VEIL).labels if label not in OTHERS]


@pytest.mark.parametrize("label", ["AGE", "SEX", "RELATIVE", "TIME"])
def test_what_a_policy_decides_about_stays(swap: Swap, label: str) -> None:
    """There is no stand-in for an age, a sex, a relative or a time of day."""
    assert swap("47", label) == "47"


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_other_label_has_stand_ins(swap: Swap, label: str, language: str) -> None:
    """Each label of the scheme is served in each language."""
    text = "4711-815 Q"
    kept = label in ("AGE", "SEX", "RELATIVE", "TIME")
    assert (swap(text, label, language) == text) == kept


@pytest.mark.parametrize("label", sorted(OTHERS))
def test_people_and_dates_are_made_elsewhere(swap: Swap, label: str) -> None:
    """A label that others serve is refused, without the text of the record."""
    with pytest.raises(RecordError) as error:
        swap("Hemligsson", label)
    assert "Hemligsson" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("tattoo of a swan", "OTHER", r"\[OTHER\]"),
        ("left thumb", "BIOID", r"\[OTHER\]"),
        ("FP-240508", "BIOID", r"[A-Z]{2}-\d{6}"),
    ],
)
def test_other_things_are_numbers_or_tags(swap: Swap, text: str, label: str, expected: str) -> None:
    """What is no number and of no kind gets a tag."""
    assert re.fullmatch(expected, swap(text, label))


def test_no_stand_in_is_another_original(swap_all: SwapAll) -> None:
    """Where all towns but two were found in a record, none of them stands in for another."""
    from veil.replace.entities.language import words

    towns = words("en", "towns_NZ")
    marked = "; ".join(f"[CITY|{town}]" for town in towns[:-4])
    made = swap_all(marked + " [PHONE|+64 3 234 5678]")
    assert not {fold(new) for new in made} & {fold(town) for town in towns[:-4]}


def test_a_record_without_choice_is_refused(swap_all: SwapAll) -> None:
    """Where every town of the country was found in the record, it is withheld with a reason."""
    from veil.replace.entities.language import words

    marked = "; ".join(f"[CITY|{town}]" for town in words("sv", "towns_FI"))
    with pytest.raises(RecordError, match="no surrogate could be made"):
        swap_all(marked, "sv")


def test_white_space_around_a_span_stays(swap: Swap) -> None:
    """Blanks that a detector took in are not replaced."""
    assert re.fullmatch(r"  \S+\n", swap("  Boston\n", "CITY").replace(" ", " "))


def test_patients_and_keys_differ(swap: Swap) -> None:
    """The stand-in of a number says nothing about that of another patient."""
    made = {swap("12345678", "MEDICALRECORD", patient=f"p{number}") for number in range(50)}
    assert len(made) == 50


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("751 85 Uppsala", "sv", r"[1-9]\d\d \d\d (?!Uppsala).+"),
        ("Storgatan 12, 211 34 Malmö", "sv", r"\w+gatan \d\d, \d{3} \d\d (?!Malmö).+"),
        ("12 Elm Street, Boston, MA 02115", "en", r"\d\d \w+ Street, .+, [A-Z]{2} \d{5}"),
        ("Calle Mayor 3, 28013 Madrid", "es", r"Calle (?!Mayor).+ \d, \d{5} (?!Madrid).+"),
        ("Mercy Hospital", "en", r"(?!Mercy)\w+ Hospital"),
        ("Room 12", "en", r"Room \d\d"),
        ("Palma de Mallorca", "es", r"(?!Palma).+"),
    ],
)
def test_a_location_is_told_by_its_look(
    swap: Swap, text: str, language: str, expected: str
) -> None:
    """Where a model says no more than that it is a place, its parts are told apart."""
    assert re.fullmatch(expected, swap(text, "LOCATION", language))
