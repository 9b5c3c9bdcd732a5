from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("5781 Porter Avenue", "en", r"[1-9]\d{3} [A-Z]\w+ Avenue"),
        ("12 Park Street", "en", r"[1-9]\d (?!Park)[A-Z]\w+ Street"),
        ("12 STATE ST.", "en", r"\d\d (?!STATE)[A-Z]+ ST\."),
        ("9724 58th Pl", "en", r"\d{4} \d\d(?:st|nd|rd|th) Pl"),
        ("927 NW 89th Blvd Rm 505", "en", r"\d{3} NW \d\d(?:st|nd|rd|th) Blvd Rm \d{3}"),
        ("Apt 1, 206b Ricci Square", "en", r"Apt \d, \d{3}[a-h] (?!Ricci)\w+ Square"),
        ("PO Box 2342", "en", r"PO Box \d{4}"),
        ("Storgatan 12", "sv", r"(?!Stor)\w+gatan [1-9]\d"),
        ("BIRGER JARLSGATAN 7 B", "sv", r"[A-ZÅÄÖ]+GATAN \d [A-H]"),
        ("Norra vägen 3, lgh 1409", "sv", r".+ \d, lgh \d{4}"),
        ("Gustav Adolfs torg 4", "sv", r"(?!Gustav).+ torg \d"),
        ("Liljegatan 121, 2tr", "sv", r"\w+gatan \d{3}, \dtr"),
        ("4th Ave & Pike", "en", r"\d(?:st|nd|rd|th) Ave & (?!Pike)\w+"),
        ("3rd Floor, Quillby Court, 14 Elm Road", "en", r"\d\w\w Floor, .+, \d\d (?!Elm)\w+ Road"),
        ("P.O. Box 2291", "en", r"P\.O\. Box (?!2291)\d{4}"),
        ("4120 E 900 North Rd", "en", r"\d{4} E \d{3} North Rd"),
        ("Calle de Puente Nuevo,9, 7º izda", "es", r"Calle de (?!Puente).+,\d, \dº izda"),
        ("C/ REYES CATÓLICOS, s/n", "es", r"C/ (?!REYES)[A-ZÁÉÍÓÚÑ ]+, s/n"),
        ("Avda. de la Luna, 26", "es", r"Avda\. de la (?!Luna)\w+, \d\d"),
        ("Cra 127 No 64A-01", "es", r"Cra \d{3} No \d\d[A-Z]-\d\d"),
        ("Calle Norte 5", "es", r"Calle (?!Norte)\w.* \d"),
        ("Calle 5 Norte", "es", r"Calle (?!5)\d Norte"),
        ("Calle Ayala, 27, 2º C", "es", r"Calle (?!Ayala)\w.*, \d\d, \dº (?!C)[A-H]"),
        ("4a. Calle Poniente No. 30", "es", r"(?!4)\da\. Calle Poniente No\. \d\d"),
        ("CL 104 # 22-07 TO 3 AP 12", "es", r"CL \d{3} # \d\d-\d\d TO \d AP \d\d"),
        ("Blvd. Lerdo 41 Pte., Desp. 8", "es", r"Blvd\. (?!Lerdo)\w.* \d\d Pte\., Desp\. \d"),
        ("Del Molino 2 c. al sur, 1 c. abajo", "es", r"Del .+ \d c\. al sur, \d c\. abajo"),
    ],
)
def test_a_street_keeps_its_kind(swap: Swap, text: str, language: str, expected: str) -> None:
    """The name and the numbers of a street change, the word for its kind and its writing do not."""
    for number in range(10):
        new = swap(text, "STREET", language, patient=f"p{number}")
        assert new != text
        assert re.fullmatch(expected, new)


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "12 Porter Ave", "77 PORTER AVE"),
        ("sv", "Storgatan 12", "storgatan 3"),
        ("es", "Calle Goya 3", "CALLE GOYA, 17"),
    ],
)
def test_two_houses_of_a_street_share_it(
    swap: Swap, language: str, first: str, second: str
) -> None:
    """The name of a street does not depend on the number of the house."""
    names = {
        re.sub(r"[\d,. ]", "", swap(text, "STREET", language)).casefold()
        for text in (first, second)
    }
    assert len(names) == 1


@pytest.mark.parametrize("text", ["Broadway", "The Green"])
def test_a_street_that_is_only_a_kind_gets_a_name(swap: Swap, text: str) -> None:
    """No street stays as it is."""
    assert swap(text, "STREET") != text
