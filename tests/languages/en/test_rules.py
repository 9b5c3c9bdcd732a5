"""How far English names, institutions and places reach from where a pattern found them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.languages.en.rules.institutions import institution, institution_before, known_job
from veil.languages.en.rules.people import (
    full_name,
    header_name,
    keyed,
    lone_name,
    name,
    name_before_age,
    name_before_credentials,
    surname_first,
    titled,
    unknown_name,
    username,
)
from veil.languages.en.rules.places import (
    city_before,
    city_of_residence,
    country,
    lone_city,
    state,
)

if TYPE_CHECKING:
    from veil.detect.rules.adjustments import Adjust


def adjusted(adjust: Adjust, text: str, found: str) -> str | None:
    """What a function makes of what a pattern found."""
    start = text.index(found)
    bounds = adjust(text, start, start + len(found))
    return None if bounds is None else text[slice(*bounds)]


@pytest.mark.parametrize(
    ("adjust", "text", "found", "kept"),
    [
        (titled, "Dr. Room will call", "Room", "Room"),
        (titled, "Dr. Smith May 3", "Smith May", "Smith"),
        (titled, "Dr. Smith Will follow", "Smith Will", "Smith"),
        (titled, "Mrs Dawn Pickles, seen", "Dawn Pickles", "Dawn Pickles"),
        (titled, "Dr. Feld Cardiology", "Feld Cardiology", "Feld"),
        (keyed, "Patient: Room, Linda", "Room, Linda", "Room, Linda"),
        (keyed, "Patient: Alert and", "Alert", None),
        (keyed, "GP: Fintan Mac Aodha, Claddagh", "Fintan Mac Aodha, Claddagh", "Fintan Mac Aodha"),
        (keyed, "Name: Anna Lind MRN: 12", "Anna Lind MRN", "Anna Lind"),
        (name, "his wife Zhanerke called", "Zhanerke", "Zhanerke"),
        (name, "WIFE DENIES PAIN", "DENIES", None),
        (name, "with Foley in place", "Foley", None),
        (lone_name, "spoke to Brenda again", "Brenda", "Brenda"),
        (lone_name, "Brenda called", "Brenda", None),
        (lone_name, "low IgA in serum", "IgA", None),
        (lone_name, "one of Kevin, Brenda and", "Brenda", "Brenda"),
        (full_name, "Priscilla Nakamura called", "Priscilla Nakamura", "Priscilla Nakamura"),
        (full_name, "Austin Moore prosthesis", "Austin Moore", None),
        (full_name, "San Antonio is hot", "San Antonio", None),
        (surname_first, "SMITH, JOHN Q", "SMITH, JOHN Q", "SMITH, JOHN Q"),
        (surname_first, "San Antonio, Texas", "San Antonio, Texas", None),
        (header_name, "AABYE, AAFJE 12", "AABYE, AAFJE", "AABYE, AAFJE"),
        (header_name, "CHEST, LEFT 12", "CHEST, LEFT", None),
        (unknown_name, "we met Aafje Aabye there", "Aafje Aabye", "Aafje Aabye"),
        (unknown_name, "after Bone Marrow biopsy", "Bone Marrow", None),
        (name_before_credentials, "Signed Rachel K. Whitford, MD", "MD", "Rachel K. Whitford"),
        (name_before_credentials, "ZHANG, WEI MD", "MD", "ZHANG, WEI"),
        (name_before_credentials, "Rao M.D. Ph.D.", "Ph.D", "Rao"),
        (name_before_credentials, "called MD", "MD", None),
        (name_before_age, "Today Ana Ruiz is a 50-year-old", "50", "Ana Ruiz"),
        (name_before_age, "This is a 50-year-old", "50", None),
    ],
)
def test_names_reach_as_far_as_they_are_names(
    adjust: Adjust, text: str, found: str, kept: str | None
) -> None:
    """A name ends before a word that is none, and is none where its words say so."""
    assert adjusted(adjust, text, found) == kept


@pytest.mark.parametrize(
    ("adjust", "text", "found", "kept"),
    [
        (institution, "the Pain Clinic", "Pain Clinic", None),
        (institution, "The Mayo Clinic and", "The Mayo Clinic and", "Mayo Clinic"),
        (institution_before, "to Mercy Hospital", "Hospital", "Mercy Hospital"),
        (institution_before, "Return To Clinic", "Clinic", None),
        (institution_before, "SENT TO MERCY HOSPITAL", "HOSPITAL", "MERCY HOSPITAL"),
        (institution_before, "RN\nElm Clinic", "Clinic", "Elm Clinic"),
        (city_before, "Cedar Bluff, AL 35959", "AL", "Cedar Bluff"),
        (city_before, "Afib, MD aware", "MD", None),
        (city_of_residence, "lives in Gwynmouth now", "Gwynmouth", "Gwynmouth"),
        (city_of_residence, "lives in Assisted living", "Assisted", None),
        (lone_city, "a trip to Fayetteville", "Fayetteville", "Fayetteville"),
        (lone_city, "with Jackson", "Jackson", None),
        (state, "Boston, MA", "MA", "MA"),
        (state, "Chest, PA", "PA", None),
        (country, "in El Salvador again", "El", "El Salvador"),
        (country, "Jordan called", "Jordan", None),
        (known_job, "is a feed salesman", "feed salesman", "feed salesman"),
        (known_job, "retired coalman", "coalman", "coalman"),
        (known_job, "is a poor historian", "poor historian", None),
        (username, "Username: none", "none", None),
        (username, "login jsmith4.", "jsmith4.", "jsmith4"),
    ],
)
def test_places_and_others_reach_as_far_as_their_words_say(
    adjust: Adjust, text: str, found: str, kept: str | None
) -> None:
    """An institution has something that others lack, a town a state or a sentence around it."""
    assert adjusted(adjust, text, found) == kept
