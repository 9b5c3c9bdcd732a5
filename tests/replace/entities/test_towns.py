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
    ("text", "label", "language", "lists"),
    [
        ("Uppsala", "CITY", "sv", ["towns_SE"]),
        ("Vasa", "CITY", "sv", ["towns_FI"]),
        ("Damaskus", "CITY", "sv", ["world_south_west"]),
        ("Worcester", "CITY", "en", ["towns_US"]),
        ("Harrogate", "CITY", "en", ["towns_GB"]),
        ("Zapopan", "CITY", "es", ["towns_MX"]),
        ("Castilla y León", "STATE", "es", ["communities"]),
        ("Jönköpings län", "STATE", "sv", ["counties"]),
        ("Skåne", "STATE", "sv", ["states_SE"]),
        ("Marruecos", "COUNTRY", "es", ["countries_africa"]),
        ("Honduras", "COUNTRY", "es", ["countries_spanish"]),
        ("Jinotega", "CITY", "es", ["towns_NI"]),
        ("Cuenca", "LOCATION", "es", ["capitals_ES"]),
        ("Somalia", "LOCATION", "sv", ["countries"]),
    ],
)
def test_a_place_becomes_another_of_its_kind_and_country(
    swap: Swap, text: str, label: str, language: str, lists: list[str]
) -> None:
    """A listed place is exchanged for another entry of its list."""
    options = {form for name in lists for e in words(language, name) for form in e.split("=")}
    new = swap(text, label, language)
    assert new != text
    assert new in options


def test_an_unknown_town_goes_where_the_record_is(swap_all: SwapAll) -> None:
    """A hamlet in no list becomes a town of the country that the record's other places name."""
    (hamlet, *_) = swap_all("[CITY|Little Snoring], [STATE|Norfolk] [ZIP|NR21 0HJ]")
    assert hamlet in words("en", "towns_GB")


def test_towns_that_no_list_holds_stay_apart(swap_all: SwapAll) -> None:
    """Dozens of towns of a record, listed or not, have as many stand-ins."""
    listed = words("en", "towns_GB")[:30]
    hamlets = [f"Quillby{letter}" for letter in "abcdefghijklmnopqrst"]
    new = swap_all(" ".join(f"[CITY|{town}]" for town in (*hamlets, *listed)))
    assert len(set(new)) == len(new)


@pytest.mark.parametrize(
    ("town", "name"),
    [("Kilbarchan", "towns_GB"), ("Footscray", "towns_AU"), ("Puebla", "world")],
)
def test_a_small_town_stays_in_its_country(swap: Swap, town: str, name: str) -> None:
    """A town in no list becomes one of its own country, or of another far away."""
    assert swap(town, "CITY", rest="tel. (617) 726-2000") in words("en", name)


@pytest.mark.parametrize(
    ("language", "label", "writings"),
    [
        ("sv", "CITY", ["Uppsala", "UPPSALA", "uppsala", "Uppsalas", "UPPSALAS"]),
        ("sv", "CITY", ["Västerås", "västerås", "VÄSTERÅS"]),
        ("es", "CITY", ["Córdoba", "CORDOBA", "cordoba"]),
        ("en", "CITY", ["Boston", "BOSTON", "Boston's"]),
        ("ja", "LOCATION", ["高崎", "高崎市"]),
    ],
)
def test_every_writing_of_a_place_agrees(
    swap: Swap, language: str, label: str, writings: list[str]
) -> None:
    """Case, accents and genitives make no other place."""
    made = [swap(text, label, language) for text in writings]
    first = made[0].casefold()
    assert all(new.casefold().startswith(first) for new in made)
    assert len({new.casefold().removesuffix("市") for new in made}) <= 2


def test_case_and_genitive_are_kept(swap: Swap) -> None:
    """A town in capitals or in the genitive is replaced by one that is written so too."""
    assert swap("UPPSALA", "CITY", "sv").isupper()
    assert swap("uppsala", "CITY", "sv").islower()
    assert swap("Uppsalas", "CITY", "sv").endswith(("s", "x", "z"))
    assert swap("Boston's", "CITY").endswith("'s")
    assert swap("Uppsala kommun", "CITY", "sv").endswith(" kommun")


def test_abbreviation_and_name_of_a_state_agree(swap: Swap) -> None:
    """MA becomes the abbreviation of what Massachusetts becomes."""
    states = dict(entry.split("=") for entry in words("en", "states_US"))
    assert states[swap("MA", "STATE")] == swap("Massachusetts", "STATE")
    assert swap("ma", "STATE").upper() in states


def test_towns_of_a_record_stay_apart(swap_all: SwapAll) -> None:
    """All towns of a list become different towns."""
    towns = words("sv", "towns_SE")[:60]
    made = swap_all("; ".join(f"[CITY|{town}]" for town in towns), "sv")
    assert not set(made) & set(towns)
    assert 55 < len(set(made))


def test_a_nationality_keeps_its_ending(swap: Swap) -> None:
    """Words of nationality agree in Spanish with whom they speak of."""
    assert swap("chilena", "COUNTRY", "es").endswith("a")
    assert swap("chileno", "COUNTRY", "es").endswith("o")


def test_a_name_of_the_record_is_no_town(swap_all: SwapAll) -> None:
    """A town whose name is somebody's is not drawn, although it is no town in the record."""
    others = [town for town in words("sv", "towns_SE") if town not in ("Lund", "Falun")]
    people = " ".join(f"[PATIENT|{name} Ek]" for name in others)
    case = f"[CITY|Lund] {people}"
    names = {name.casefold() for name in others}
    assert swap_city(swap_all, case) not in names


def swap_city(swap_all: SwapAll, marked: str) -> str:
    """The stand-in for the town of a record; its people are not for us to name."""
    return swap_all(re.sub(r"\[PATIENT\|", "[PROFESSION|", marked), "sv")[0].casefold()
