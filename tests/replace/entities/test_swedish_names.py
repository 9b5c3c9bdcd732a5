"""Names in Swedish phrases: each word keeps the kind of thing that it tells."""

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
    ("text", "label", "expected"),
    [
        ("Hematologiska kliniken", "HOSPITAL", r"(?!Hematol)\w+ska kliniken"),
        ("Onkologiska regionkliniken Ystad", "HOSPITAL", r"(?!Onk)\w+ska regionkliniken (?!Y)\w.+"),
        ("Psykiatrisk slutenvård", "HOSPITAL", r"(?!Psyk)\w+sk slutenvård"),
        ("stommottagningen", "HOSPITAL", r"(?!stom)\w+mottagningen"),
        ("ljusmottagningen i Arboga", "HOSPITAL", r"(?!ljus)\w+mottagningen i (?!Arboga)\w.+"),
        ("Socialtjänsten i Avesta", "ORGANIZATION", r"Socialtjänsten i (?!Avesta)\w.+"),
        (
            "Barn- och ungdomshabiliteringen i Motala",
            "HOSPITAL",
            r"Barn- och ungd\w+ i (?!Mot)\w.+",
        ),
        ("BUP Ystad", "HOSPITAL", r"BUP (?!Ystad)\w.+"),
        ("KSX Arboga", "HOSPITAL", r"(?!KSX)[A-Z]{3} (?!Arboga)\w.+"),
        ("KRZ, QVS", "HOSPITAL", r"(?!KRZ)[A-Z]{3}, (?!QVS)[A-Z]{3}"),
        ("Dalby hemtjänst", "ORGANIZATION", r"(?!Dalby)\w.+ hemtjänst"),
        ("Sankt Petri sjukhus", "HOSPITAL", r"Sankt (?!Petri)\w+ sjukhus"),
        ("Sankt Olofs sjukhus", "HOSPITAL", r"Sankt (?!Olof)\w+s sjukhus"),
        ("Migrationsverkets", "ORGANIZATION", r"(?!Migr)\w+s"),
        ("Lokförbundet", "ORGANIZATION", r"(?!Lok)\w+förbundet"),
        ("Bruna Kupan", "ORGANIZATION", r"(?!Bruna|.*Kupan)\w+ AB"),
        ("Box 377", "LOCATION", r"Box (?!377)\d{3}"),
        ("Sotarvägen 4, lgh 1102", "LOCATION", r"(?!Sotar)\w+vägen \d, lgh (?!1102)\d{4}"),
        ("Kvarngatan 12, 3 tr", "LOCATION", r"\w+gatan (?!12)\d\d, (?!3)\d+ tr"),
        ("cell 209", "LOCATION", r"cell (?!209)\d{3}"),
        ("Dimfjärden", "LOCATION", r"(?!Dim)\w+fjärden"),
        ("Lurö", "LOCATION", r"(?!Lurö)\w+ö"),
    ],
)
def test_the_kind_stays_and_the_name_changes(
    swap: Swap, text: str, label: str, expected: str
) -> None:
    """Specialities, towns, abbreviations, authorities and firms become others of their kind."""
    assert re.fullmatch(expected, swap(text, label, "sv"))


def test_an_authority_becomes_another_one(swap: Swap) -> None:
    """Försäkringskassan is exchanged for another authority, not for a place."""
    new = swap("Försäkringskassan", "ORGANIZATION", "sv")
    assert new in words("sv", "authorities")
    assert new != "Försäkringskassan"


def test_a_town_is_the_same_in_the_names_of_institutions(swap_all: SwapAll) -> None:
    """A town that no list of stand-ins has gets the same one by itself and in a name."""
    town, centre, council = swap_all(
        "bor i [CITY|Vingåker], [HOSPITAL|Vingåkers vårdcentral], [ORGANIZATION|Vingåkers kommun]",
        "sv",
    )
    genitive = town if town.endswith("s") else f"{town}s"
    assert centre == f"{genitive} vårdcentral"
    assert council == f"{genitive} kommun"


def test_towns_abroad_stay_in_their_part_of_the_world(swap: Swap) -> None:
    """A town of the Nordic countries becomes another one there, an island another island."""
    assert swap("Trondheim", "CITY", "sv") in words("sv", "world_nordic")
    assert swap("Kreta", "CITY", "sv") in words("sv", "world_islands")
