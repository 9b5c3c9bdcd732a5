from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.replace.entities.language import words

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "label", "language", "expected"),
    [
        ("Mercy Hospital", "HOSPITAL", "en", r"(?!Mercy)\w+ Hospital"),
        ("St. Anthony's Medical Center", "HOSPITAL", "en", r"St\. (?!Anth)\w+'s Medical Center"),
        ("BETH ISRAEL HOSPITAL", "HOSPITAL", "en", r"(?!BETH)[A-Z ]+ HOSPITAL"),
        ("University Hospital", "HOSPITAL", "en", r"(?!Univ)\w+ Hospital"),
        ("Salt Lake City Clinic", "HOSPITAL", "en", r"(?!Salt|.*City).+ Clinic"),
        ("MGH", "HOSPITAL", "en", r"(?!MGH)[A-Z]{3}"),
        ("Danderyds sjukhus", "HOSPITAL", "sv", r"(?!Dander).+ sjukhus"),
        ("SÖS", "HOSPITAL", "sv", r"(?!SÖS)[A-Z]{3}"),
        ("Karolinska", "HOSPITAL", "sv", r"(?!Karol)\w+ska"),
        ("Vårdcentralen Kronan", "HOSPITAL", "sv", r"Vårdcentralen (?!Kronan)\w+"),
        (
            "Hospital Universitario La Paz",
            "HOSPITAL",
            "es",
            r"Hospital Universitario La (?!Paz)\w+",
        ),
        ("Hospital San Carlos", "HOSPITAL", "es", r"Hospital San (?!Carlos)\w+"),
        ("Hospital Virgen del Rocío", "HOSPITAL", "es", r"Hospital Virgen del (?!Rocío)\w+"),
        ("Hospital 12 de Octubre", "HOSPITAL", "es", r"Hospital \d\d de (?!Octubre)\w+"),
        ("Volvo", "ORGANIZATION", "sv", r"(?!Volvo)\w+ AB"),
        ("Samuelsson Omsorg AB", "ORGANIZATION", "sv", r"(?!Sam)\w+ Omsorg AB"),
        ("Ängsskolan", "ORGANIZATION", "sv", r"(?!Ängs)\w+skolan"),
        ("Lincoln High School", "ORGANIZATION", "en", r"(?!Lincoln).+ High School"),
        ("Wright & Tran Transport", "ORGANIZATION", "en", r"\w+ & (?!Tran )\w+ Transport"),
        ("Talleres Ruiz S.L.", "ORGANIZATION", "es", r"Talleres (?!Ruiz)\w+ S\.L\."),
        ("Ward 7B", "DEPARTMENT", "en", r"Ward (?!7B)\d[A-H]"),
        ("avd 32", "DEPARTMENT", "sv", r"avd (?!32)[1-9]\d"),
        ("avd. 35 M", "DEPARTMENT", "sv", r"avd\. [1-9]\d (?!M)[A-Z]"),
        ("planta 6ª Sur", "DEPARTMENT", "es", r"planta (?!6)\dª Sur"),
        ("ICU", "DEPARTMENT", "en", r"(?!ICU)[A-Z&]{2,5}"),
        ("ortopedkliniken", "DEPARTMENT", "sv", r"(?!ortoped)\w+kliniken"),
        ("Servicio de Urología", "DEPARTMENT", "es", r"Servicio de (?!Urol)[A-Z]\w+"),
        ("Rowland Health Plan", "ORGANIZATION", "en", r"(?!Rowland)\w+ Health Plan"),
        ("MERTON SCHOOL DIST", "ORGANIZATION", "en", r"(?!MERTON)[A-Z]+ SCHOOL DIST"),
        ("Q-R-T Pharmacy", "ORGANIZATION", "en", r"(?!Q-R-T)[A-Z]-[A-Z]-[A-Z] Pharmacy"),
        ("cvz", "ORGANIZATION", "en", r"(?!cvz)[a-z]{3}"),
        ("The Lutheran Hospital", "HOSPITAL", "en", r"The (?!Luth)\w+ Hospital"),
        ("Chapel Street Surgery", "HOSPITAL", "en", r"(?!.*(?:Chapel|Street))\w+ Surgery"),
        ("St Michaels", "HOSPITAL", "en", r"St (?!Mich)\w+s"),
        ("st pats", "HOSPITAL", "en", r"st (?!pat)\w+"),
        ("L&D 6", "DEPARTMENT", "en", r"L&D (?!6)\d"),
        ("Q&J", "ORGANIZATION", "en", r"(?!Q&J)[A-Z]&[A-Z]"),
        ("Mill View", "HOSPITAL", "en", r"(?!.*(?:Mill|View)\b)\w+"),
        ("Walgreens", "ORGANIZATION", "en", r"(?!Walgreens)\w+ Pharmacy"),
        ("HUMANA", "ORGANIZATION", "en", r"(?!HUMANA)[A-Z]+ HEALTH PLAN"),
        ("9N", "DEPARTMENT", "en", r"[1-8][SEW]"),
        ("Peds 5", "DEPARTMENT", "en", r"Peds (?!5)\d"),
        ("Nine East", "DEPARTMENT", "en", r"(?:One|Two|Three|Four|Five|Six|Seven|Eight) East"),
        ("twenty six", "ROOM", "en", r"(?!twenty six)\w+ty \w+"),
        ("I-94", "LOCATION-OTHER", "en", r"I-(?!94)\d\d"),
        ("Highway 171", "LOCATION-OTHER", "en", r"Highway (?!171)\d{3}"),
        ("Lake Mehta", "LOCATION-OTHER", "en", r"Lake (?!Mehta)\w+"),
        ("Estación de Toro", "LOCATION-OTHER", "es", r"Estación de (?!Toro).+"),
        ("sal 40:1", "ROOM", "sv", r"sal [1-9]\d:\d"),
        ("88-1", "ROOM", "en", r"[1-9]\d-\d"),
        ("M", "ROOM", "en", r"[A-LN-Z]"),
    ],
)
def test_the_kind_stays_and_the_name_changes(
    swap: Swap, text: str, label: str, language: str, expected: str
) -> None:
    """Words that say what an institution is stay; what names it is replaced."""
    for number in range(10):
        assert re.fullmatch(expected, swap(text, label, language, patient=f"p{number}"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *((word, "ja") for word in ("当院", "他院", "近医", "前医", "貴院", "○○病院")),
        ("sjukhuset", "sv"),
        ("Akuten", "sv"),
        ("hospital", "es"),
        ("the clinic", "en"),
    ],
)
def test_what_names_nobody_stays(swap: Swap, text: str, language: str) -> None:
    """Words that refer to an institution without naming one are left alone."""
    assert swap(text, "HOSPITAL", language) == text


def test_a_town_in_a_name_becomes_what_the_town_becomes(swap_all: SwapAll) -> None:
    """The hospital of a town stays the hospital of that town."""
    town, hospital = swap_all("[CITY|Lund], [HOSPITAL|Universitetssjukhuset i Lund]", "sv")
    assert hospital == f"Universitetssjukhuset i {town}"


def test_beds_of_a_room_and_of_a_ward_stay_together(swap_all: SwapAll) -> None:
    """The number that beds share, and the letters that rooms share, are exchanged alike."""
    first, second, third, fourth = swap_all("[ROOM|403-1] [ROOM|403-2] [ROOM|QS1] [ROOM|QS2]")
    assert first.partition("-")[0] == second.partition("-")[0] != "403"
    assert third[:2] == fourth[:2] != "QS"
    assert (first, third) != (second, fourth)


def test_a_town_in_capitals_is_no_abbreviation(swap: Swap) -> None:
    """In notes that are all capitals a hospital may be called by its town."""
    assert swap("ENNIS", "HOSPITAL") in {town.upper() for town in words("en", "towns_IE")}


def test_new_capitals_are_no_abbreviation_of_the_record(swap: Swap) -> None:
    """Capitals that stand in the text are not drawn for an abbreviation."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    taken = {f"{first}{second}" for first in letters[:18] for second in letters}
    made = {
        swap("KS", "HOSPITAL", "sv", rest=" ".join(sorted(taken)), patient=f"p{number}")
        for number in range(10)
    }
    assert not made & taken


def test_a_break_of_line_stays(swap: Swap) -> None:
    """A name that goes over two lines still does."""
    new = swap("Universitetssjukhuset\ni Alingsås", "HOSPITAL", "sv")
    assert re.fullmatch(r"Universitetssjukhuset\ni (?!Alingsås).+", new)
