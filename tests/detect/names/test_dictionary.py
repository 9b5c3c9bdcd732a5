from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.core.errors import InputError, UnknownNameError
from veil.detect.names import NameOptions
from veil.lexicons import Lexicon

if TYPE_CHECKING:
    from tests.detect.names.conftest import Find


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("mötte Anna Hjelmqvist", ["Anna/first/D", "Hjelmqvist/last/D"]),
        ("Anna-Karin Berg-Lindgrens", ["Anna-Karin/first/D", "Berg-Lindgrens/last/D"]),
        ("anna och maria", []),
        ("Sara's och Lars' hund", ["Sara/first/D", "Lars/first/D"]),
        ("An\u00adders", ["An\u00adders/first/D"]),
        ("Abd al-Hakim", ["Abd/first/D", "al-Hakim/first/D"]),
        ("GARCÍA", ["GARCÍA/first/D"]),
        ("McDONALD och O'Neill", ["McDONALD/first/D", "O'Neill/last/D"]),
    ],
)
def test_what_is_a_hit(find: Find, text: str, names: list[str]) -> None:
    """Capitalised words of the dictionaries, with genitive, hyphen, particle or soft hyphen."""
    assert find(text, "D") == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("misstänkt TIA på IVA", []),
        ("tar Li och NaCl, IgE högt", []),
        ("Mag- och tarmbesvär", []),
        ("EVA BERG, IVA", ["EVA/first/D", "BERG/last/D"]),
        ("PATIENTEN ANNA SOVER", ["ANNA/first/D"]),
        ("BERG, Anna", ["BERG/last/D", "Anna/first/D"]),
        ("Li Berg", ["Li/first/D", "Berg/last/D"]),
    ],
)
def test_short_forms_need_company(find: Find, text: str, names: list[str]) -> None:
    """A few capitals or an element are a name beside another, or where all is in capitals."""
    assert find(text, "D") == names


def test_the_order_of_dictionaries_decides(find: Find) -> None:
    """Olsen is a male and a family name; what it is depends on which is asked first."""
    assert find("mötte Olsen", "D") == ["Olsen/first/D"]
    last_first = NameOptions(dictionaries=("surname", "given_male"))
    assert find("mötte Olsen", "D", options=last_first) == ["Olsen/last/D"]


def test_any_case(find: Find) -> None:
    """In any case, words in lower case are names too."""
    options = NameOptions(any_case=True)
    assert find("såg anna", "D", options=options) == ["anna/first/D"]


def test_own_dictionary(find: Find) -> None:
    """A lexicon of the user's takes the place of Veil's, and of surnames that are built by rule."""
    options = NameOptions(
        dictionaries=("surname",), lexicons={"surname": Lexicon(["Zorblatt"], language="sv")}
    )
    assert find("Zorblatts och Hjelmqvist", "D", options=options) == ["Zorblatts/last/D"]


@pytest.mark.parametrize("kinds", [(), ("surname", "surname")])
def test_dictionaries_are_named_once(kinds: tuple[str, ...]) -> None:
    """None at all, or one twice, is an error."""
    with pytest.raises(InputError, match="each dictionary once"):
        NameOptions(dictionaries=kinds)


def test_unknown_settings_are_errors() -> None:
    """An unknown dictionary or kind is answered with those that exist."""
    with pytest.raises(UnknownNameError, match="'city'; known: given_female"):
        NameOptions(dictionaries=("city",))
    with pytest.raises(UnknownNameError, match="known: common"):
        NameOptions(lexicons={"city": Lexicon(["Lund"])})
    with pytest.raises(InputError, match="at_least=1 or more"):
        NameOptions(at_least=0)
