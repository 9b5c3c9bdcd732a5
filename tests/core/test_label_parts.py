from __future__ import annotations

import pytest

from veil.core.labels import date_part, split_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Anna Lindgren", [("Anna", "first"), ("Lindgren", "last")]),
        ("Anna Maria Lindgren", [("Anna Maria", "first"), ("Lindgren", "last")]),
        ("Lindgren, Anna", [("Lindgren", "last"), ("Anna", "first")]),
        ("af Klint, Eva Maria", [("af Klint", "last"), ("Eva Maria", "first")]),
        ("Luis de la Fuente", [("Luis", "first"), ("de la Fuente", "last")]),
        ("Gun-Britt", [("Gun-Britt", "first")]),
        ("  Anna ", [("Anna", "first")]),
    ],
)
def test_names_are_split(name: str, expected: list[tuple[str, str]]) -> None:
    """A name is cut into first and last with exact offsets."""
    assert [(name[start:end], part) for start, end, part in split_name(name)] == expected


def test_a_single_name_may_be_a_surname() -> None:
    """After a doctor's title a single word is a last name."""
    assert split_name("Wiklander", surname_alone=True) == [(0, 9, "last")]


@pytest.mark.parametrize(
    ("date", "part"),
    [
        ("2021-03-05", "full"),
        ("5/3/21", "full"),
        ("20210305", "full"),
        ("090312", "full"),
        ("den 5 mars 2021", "full"),
        ("March 5, 2021", "full"),
        ("mars 2021", "partial"),
        ("5/3", "partial"),
        ("2021", "partial"),
        ("torsdag 14 oktober", "partial"),
        ("i maj", "partial"),
    ],
)
def test_full_dates_are_told_from_partial_ones(date: str, part: str) -> None:
    """Day, month and year make a full date."""
    assert date_part(date) == part
