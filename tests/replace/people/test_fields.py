"""What the fields of Spanish forms and the words around names tell of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.replace.people.styles import name_key, naming_style
from veil.replace.people.tables import sex_of, strength

if TYPE_CHECKING:
    from tests.replace.people.conftest import Renamer


@pytest.mark.parametrize(
    ("before", "name", "behind", "part"),
    [
        ("Apellidos: ", "Galafate Rey", "   Nombre: Ana", "last"),
        ("2º apellido: ", "Somoza", "", "last"),
        ("Apellidos: Rey   Nombres: ", "Reina Pilar", "", "first"),
        ("Cognoms ....: ", "Mas", "\nNom: Pere", "last"),
        ("Nombre: ", "Ana Rey", "   Edad: 40", None),
        ("Nombre y apellidos: ", "Ana Rey", "", None),
        ("Apellidos y nombre: ", "Rey, Ana", "", None),
        ("Apellidos, Nombre : ", "Rey, Ana", "", None),
        ("Vino con ", "Ana Rey", ", de apellido materno Mas", None),
    ],
)
def test_fields_tell_first_and_last_names(
    before: str, name: str, behind: str, part: str | None
) -> None:
    """A field for surnames holds them alone, one for names only if there is a field for those."""
    start, end = len(before), len(before) + len(name)
    assert naming_style("es").part_in_form(before + name + behind, start, end) == part
    assert naming_style("sv").part_in_form(before + name + behind, start, end) is None


def test_surnames_in_their_field_become_surnames(rename: Renamer) -> None:
    """No given name is made of a surname that no list holds."""
    (new,) = rename("Apellidos: [PATIENT|Xorlán Benítez]", "es")
    assert all(strength(name_key(word), "es", "surname") for word in new.split())


@pytest.mark.parametrize(
    "text",
    [
        "su hermano, {}, murió",
        "contesta el nieto ({})",
        'el hijo menor ("{}")',
        "{} (sobrino)",
    ],
)
def test_spanish_kin_have_given_names(rename: Renamer, text: str) -> None:
    """Commas and brackets part a name from the word for its bearer."""
    start = text.index("{")
    assert naming_style("es").cue_beside(text.format("Xorlin"), start, start + 6) == (True, False)
    (new,) = rename(text.format("[PATIENT|Xorlin]"), "es")
    assert sex_of(name_key(new), "es") == "male"
    assert strength(name_key(new), "es", "given")


@pytest.mark.parametrize(
    ("text", "female"),
    [
        ("Xorlin Prado, 34 años, mujer", True),
        ("Xorlin Prado   NHC 33   Sexo: H", False),
        ("Xorlin Prado, 34 años. Sexo: femenino", True),
        ("Xorlin Prado, 34 M", None),
        ("Xorlin Prado vino ayer", None),
    ],
)
def test_the_sex_of_spanish_patients(text: str, female: bool | None) -> None:
    """What a form says of the patient's sex holds; M is a woman here and a man there."""
    assert naming_style("es").is_female(text, 0, 12, of_patient=True) is female


def test_surnames_before_what_somebody_is_stay_surnames(rename: Renamer) -> None:
    """A woman of whom a note tells is not called by her given name for that."""
    (new,) = rename("[PATIENT|Quiroguez], mujer de 50 años", "es")
    assert strength(name_key(new), "es", "surname")
