"""What the words beside a name tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.replace.people.styles import name_key, naming_style
from veil.replace.people.tables import sex_of, strength

if TYPE_CHECKING:
    from tests.replace.people.conftest import Renamer


@pytest.mark.parametrize(
    ("marked", "sex"),
    [
        ("her niece [PATIENT|Xorlys]", "female"),
        ("her son [PATIENT|Xorlys]", "male"),
        ("[PATIENT|Xorlys] (daughter)", "female"),
        ("Miss [PATIENT|Xorlys Pickering]", "female"),
        ("his dau-in-law [PATIENT|Xorlys]", "female"),
        ("[PATIENT|Pickering, Xorlys] is a 47 y.o. female", "female"),
        ("[PATIENT|Xorlys Pickering], 47 M", "male"),
        ("[PATIENT|Kiara]", "female"),
    ],
)
def test_kin_titles_and_sex_decide_for_names_that_do_not(
    rename: Renamer, marked: str, sex: str
) -> None:
    """A given name that no list holds becomes one of the sex that the text tells."""
    for number in range(5):
        (new,) = rename(marked, "en", patient=f"p{number}")
        given = new.rpartition(", ")[2].split()[0]
        assert sex_of(name_key(given), "en") == sex


def test_the_text_overrules_the_lists(rename: Renamer) -> None:
    """A wife has a woman's name, though the lists know hers as a man's."""
    (new,) = rename("his wife [PATIENT|Bernie]", "en")
    assert sex_of(name_key(new), "en") == "female"


def test_where_the_text_contradicts_itself_the_lists_decide(rename: Renamer) -> None:
    """Of two people with one name the name itself tells more than the words beside it."""
    first, second = rename("her son [PATIENT|Susan], her aunt [PATIENT|Susan]", "en")
    assert first == second
    assert sex_of(name_key(first), "en") == "female"


def test_kin_are_called_by_given_names(rename: Renamer) -> None:
    """What follows a word for kin is a given name, here and where it stands without that word."""
    first, second = rename("son [PATIENT|Xorwin] waits. Seen by [DOCTOR|xorwin].", "en")
    assert strength(name_key(first), "en", "given") == 2
    assert second == first.lower()


def test_a_neighbour_may_be_called_by_the_surname(rename: Renamer) -> None:
    """Words that do not tell of kin leave a name that no list holds a surname."""
    (new,) = rename("neighbor [PATIENT|Xorwin]", "en")
    assert strength(name_key(new), "en", "surname") == 2


def test_kin_in_brackets_may_have_a_name_of_their_own() -> None:
    """In "Bo (wife Ann)" the word for kin belongs to the name behind it."""
    text = "Xorlys (wife Ann) and Xorwin (wife)"
    assert naming_style("en").cue_beside(text, 0, 6).is_female is None
    assert naming_style("en").cue_beside(text, 22, 28).is_female is True


def test_a_title_behind_a_name_is_that_of_somebody_else() -> None:
    """In a row of people the next one's title tells nothing."""
    text = "Xorlys, Mrs. Lind and Bo"
    assert naming_style("en").cue_beside(text, 0, 6).is_female is None
    assert naming_style("en").is_female(text, 0, 6, of_patient=True) is None
