"""Names in Spanish phrases: the words that tell a kind stay, what names something goes."""

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
        ("CESFAM Las Brisas", "HOSPITAL", r"CESFAM Las (?!Brisas)\w+"),
        ("CAPS N° 63", "HOSPITAL", r"CAPS N° (?!63)\d\d"),
        ("Hospital Obrero N.º 8", "HOSPITAL", r"Hospital Obrero N\.º (?!8)\d"),
        ("UMF 57", "HOSPITAL", r"UMF (?!57)\d\d"),
        ("Minera Cerro Pardo S.A.A.", "ORGANIZATION", r"Minera (?!Cerro)\w+ S\.A\.A\."),
        ("Forjados Ribalta, S.L", "ORGANIZATION", r"Forjados (?!Ribalta)\w+, S\.L"),
        ("jardín infantil Pulgarcito", "ORGANIZATION", r"jardín infantil (?!Pulg)\w+"),
        ("Complexo Hospitalario de Lugo", "HOSPITAL", r"Complexo Hospitalario de (?!Lugo)\w.+"),
        ("Banco de Sangre de Aragón", "ORGANIZATION", r"Banco de Sangre de (?!Aragón)\w.+"),
        ("Hospital Santo Tomás", "HOSPITAL", r"Hospital Santo (?:Cristo|Domingo|Tomé|Toribio)"),
        ("NEUROLOGÍA Y CIRUGÍA SOTO", "HOSPITAL", r"\w+ Y CIRUGÍA (?!SOTO)\w+"),
    ],
)
def test_kinds_of_spain_and_the_americas_stay(
    swap: Swap, text: str, label: str, expected: str
) -> None:
    """A clinic stays a clinic of its sort, a firm a firm, whatever their country calls them."""
    assert re.fullmatch(expected, swap(text, label, "es"))


@pytest.mark.parametrize("text", ["Juzgado de Arganda del Rey", "Juzgado de Isla Cristina"])
def test_no_part_of_a_town_stays_for_its_look(swap: Swap, text: str) -> None:
    """Words that elsewhere tell a kind or a title go with the town that holds them."""
    new = swap(text, "ORGANIZATION", "es")
    assert new.startswith("Juzgado de ")
    assert not {"Arganda", "Rey", "Isla", "Cristina"} & set(new.split())


@pytest.mark.parametrize(
    "text", ["Isla Cristina", "Talaruela de la Sierra", "Laguna de Duero", "Puente de\nVallecas"]
)
def test_a_town_that_looks_like_a_landmark_becomes_a_town(swap: Swap, text: str) -> None:
    """No word of a town stays, over two lines as well, though it is one for a landmark."""
    assert swap(text, "LOCATION", "es").replace("\n", " ") in words("es", "towns_ES")


def test_a_person_has_the_sex_of_the_title(swap: Swap) -> None:
    """A doctor of whom a hospital is named stays a man or a woman, a queen has no surname."""
    male, female = words("es", "given_male"), words("es", "given_female")
    for number in range(8):
        new = swap("Hospital Dr. Luis E. Sotelo", "HOSPITAL", "es", patient=f"p{number}")
        given, surname = new.removeprefix("Hospital Dr. ").split()
        assert given in male
        assert surname in words("es", "surnames")
        new = swap("Hospital Reina Sofía", "HOSPITAL", "es", patient=f"p{number}")
        assert new.removeprefix("Hospital Reina ") in female


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Instituto Mexicano", "nationalities_o"),
        ("Sociedad Italiana", "nationalities_a"),
        ("Servicio Andaluz", "regions_male"),
    ],
)
def test_an_adjective_of_a_country_or_region_becomes_another(
    swap: Swap, text: str, options: str
) -> None:
    """What an institution is in the name of stays an adjective."""
    kind, adjective = text.split()
    new = swap(text, "ORGANIZATION", "es").split()
    assert new[0] == kind
    assert new[1] != adjective
    assert new[1].lower() in words("es", options)


@pytest.mark.parametrize("text", ["SESCAM", "clínica INDISA", "GRUME"])
def test_an_acronym_can_still_be_said(swap: Swap, text: str) -> None:
    """Vowels become vowels and consonants consonants."""
    old, new = text.split()[-1], swap(text, "ORGANIZATION", "es").split()[-1]
    assert new != old
    assert len(new) == len(old)
    assert [letter in "AEIOU" for letter in new] == [letter in "AEIOU" for letter in old]


def test_a_town_in_a_name_is_the_town_of_the_record(swap_all: SwapAll) -> None:
    """What no list holds is known as a town by the record itself."""
    town, centre = swap_all("Vive en [CITY|Talaruela]. [HOSPITAL|C.S. de Talaruela]", "es")
    assert centre == f"C.S. de {town}"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Comayagua", "towns_HN"),
        ("Piriápolis", "towns_UY"),
        ("Camagüey", "towns_CU"),
        ("Graz", "world"),
        ("Tetuán", "world_africa"),
        ("Hialeah", "towns_US"),
    ],
)
def test_towns_stay_in_their_part_of_the_world(swap: Swap, text: str, names: str) -> None:
    """A town of any country that speaks Spanish becomes another one there."""
    assert swap(text, "LOCATION", "es") in words("es", names)


def test_a_country_that_is_named_decides_between_towns(swap_all: SwapAll) -> None:
    """Loja is in Spain and in Ecuador."""
    town, _ = swap_all("[CITY|Loja], [COUNTRY|Ecuador]", "es")
    assert town in words("es", "towns_EC")
