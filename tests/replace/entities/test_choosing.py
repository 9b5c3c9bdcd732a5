from __future__ import annotations

import pytest

from veil.languages import language_codes
from veil.replace.entities.language import shared_table, words
from veil.replace.entities.record import permuted
from veil.replace.generalise.places import home_countries
from veil.replace.secret import Key, Secret

SECRET = Secret(Key(b"a key of the tests"), "p1")


@pytest.mark.parametrize("size", [2, 3, 15, 16, 17, 100, 229])
def test_a_permutation_meets_every_number_once(size: int) -> None:
    """Different entries of a list become different entries."""
    found = [permuted(SECRET, "towns", number, size) for number in range(size)]
    assert sorted(found) == list(range(size))


def test_permutations_depend_on_purpose_and_patient() -> None:
    """What a town becomes says nothing about what a state or another patient's town becomes."""
    other = Secret(Key(b"a key of the tests"), "p2")
    rows = {
        tuple(permuted(secret, purpose, number, 50) for number in range(50))
        for secret in (SECRET, other)
        for purpose in ("towns", "states")
    }
    assert len(rows) == 4


@pytest.mark.parametrize(
    ("language", "country"),
    [
        (language, home)
        for language in language_codes()
        for home in home_countries(language)
        if home != "JP"
    ],
)
def test_every_country_has_towns_and_states(language: str, country: str) -> None:
    """For each country of a language there are enough places to choose from."""
    assert 25 <= len(words(language, f"towns_{country}"))
    assert 7 <= len(words(language, f"states_{country}"))


def test_every_plan_serves_every_number() -> None:
    """The last rule of each country's plan of phones fits any number."""
    for plan in shared_table("phones").values():
        assert plan["rules"][-1]["starts"] == ""
        assert all(rule["to"] for rule in plan["rules"])
