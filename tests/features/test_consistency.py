from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.features.columns import value_of
from veil.features.consistency import FirstPass, Majorities, consistency_columns
from veil.features.positions import NONE

if TYPE_CHECKING:
    from veil.features.stream import Longs


def shown(column: Longs) -> list[str | None]:
    return [None if key == NONE else value_of(int(key)) for key in column]


# Figure 2 of aramaki-2006: ROOM is a doctor at first and nothing later on.
ROOM = FirstPass("Dr . ROOM came . ROOM left".split(), [(2, 3, "DOCTOR")])


def test_token_majority_counts_every_occurrence() -> None:
    """Of two PATIENT and one DOCTOR the majority is PATIENT, at all three places."""
    record = FirstPass(
        "Room saw Room and Room".split(),
        [(0, 1, "PATIENT"), (2, 3, "DOCTOR"), (4, 5, "PATIENT")],
    )
    columns = consistency_columns(record, Majorities.of([record]))
    expected = ["PATIENT", "O", "PATIENT", "O", "PATIENT"]
    assert shown(columns["token-majority-in-record"]) == expected
    assert shown(columns["token-majority-in-corpus"]) == expected


def test_a_label_wins_a_tie_with_outside() -> None:
    """A word that was found once and missed once counts as found."""
    columns = consistency_columns(ROOM, Majorities.of([ROOM]))
    found = shown(columns["token-majority-in-record"])
    assert found == ["O", "O", "DOCTOR", "O", "O", "DOCTOR", "O"]


@pytest.mark.parametrize("labels", [("DATE", "ID"), ("ID", "DATE")])
def test_ties_go_by_the_alphabet(labels: tuple[str, str]) -> None:
    """Which of two labels wins does not depend on which came first."""
    record = FirstPass(["x", "x"], [(0, 1, labels[0]), (1, 2, labels[1])])
    assert Majorities.of([record]).tokens == {"x": "DATE"}


def test_outside_wins_by_majority() -> None:
    """One error of the first pass does not mark a common word everywhere."""
    record = FirstPass("in in in".split(), [(1, 2, "ID")])
    assert Majorities.of([record]).tokens == {"in": "O"}


def test_entries_are_found_wherever_they_stand() -> None:
    """A sequence that was labelled once is an entry also where it was missed."""
    record = FirstPass(
        "Anna Lee met Lee and Anna Lee".split(), [(0, 2, "PATIENT"), (3, 4, "DOCTOR")]
    )
    columns = consistency_columns(record, Majorities.of([record]))
    assert shown(columns["entry-majority-in-record"]) == [
        "B-PATIENT",
        "I-PATIENT",
        None,
        "B-DOCTOR",
        None,
        "B-PATIENT",
        "I-PATIENT",
    ]


def test_the_longest_entry_counts() -> None:
    """Of two entries that begin at the same token the longer one is taken."""
    record = FirstPass("New York , New York General".split(), [(0, 2, "CITY"), (3, 6, "HOSPITAL")])
    found = shown(Majorities.of([record]).by_entry(record))
    assert found == ["B-CITY", "I-CITY", None, "B-HOSPITAL", "I-HOSPITAL", "I-HOSPITAL"]


def test_the_corpus_outvotes_the_record() -> None:
    """Majorities in the corpus come from all of its records, those in the record from it alone."""
    others = [FirstPass(["ROOM"], [(0, 1, "PATIENT")]) for _ in range(2)]
    columns = consistency_columns(ROOM, Majorities.of([ROOM, *others]))
    assert shown(columns["token-majority-in-record"])[5] == "DOCTOR"
    assert shown(columns["token-majority-in-corpus"])[5] == "PATIENT"
    assert shown(columns["entry-majority-in-record"])[5] == "B-DOCTOR"
    assert shown(columns["entry-majority-in-corpus"])[5] == "B-PATIENT"


def test_what_the_corpus_lacks_is_as_in_the_record() -> None:
    """A record that is no part of the corpus keeps its own majorities."""
    columns = consistency_columns(ROOM, Majorities.of([FirstPass(["came"], [])]))
    assert shown(columns["token-majority-in-corpus"])[2] == "DOCTOR"
    assert shown(columns["entry-majority-in-corpus"])[2] == "B-DOCTOR"


def test_no_text_in_a_repr() -> None:
    """What is printed of a first pass and of majorities holds no word of a record."""
    assert "ROOM" not in repr(ROOM) + repr(Majorities.of([ROOM]))


def test_very_long_spans_are_no_entries() -> None:
    """A span that runs away is not looked for elsewhere, so that the search stays fast."""
    record = FirstPass(["x"] * 60, [(0, 21, "ID"), (21, 41, "ID")])
    assert list(Majorities.of([record]).entries) == [("x",) * 20]
