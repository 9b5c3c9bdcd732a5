"""How far Spanish names and places reach."""

from __future__ import annotations

import pytest

from veil.detect.rules.adjustments import adjustment


def adjusted(name: str, text: str) -> str | None:
    """What a function keeps of a text whose «» mark what the pattern found."""
    start, end = text.index("«"), text.index("»") - 1
    bare = text.replace("«", "").replace("»", "")
    bounds = adjustment(name, "es")(bare, start, end)
    return None if bounds is None else bare[bounds[0] : bounds[1]]


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        (
            "es-name",
            "Médico: «Ana Mª Gómez de la Fuente Servicio de Urología»",
            "Ana Mª Gómez de la Fuente",
        ),
        ("es-name", "Médico: «NºCol»: 28", None),
        ("es-name", "Paciente: «Gestante» de 27 años", None),
        ("es-name", "Médico: «Miren Olabarri»", "Miren Olabarri"),
        ("es-named", "Dr. «Mesa»", "Mesa"),
        ("es-named", "Dr. «Servicio de Urología»", None),
        ("es-named", "Apellidos: «Sala Méndez»", "Sala Méndez"),
        ("es-known-name", "hermano «Parkinson»", None),
        ("es-known-name", "avisa a «PIO»", None),
        ("es-kin-name", "su hija «Irune»", "Irune"),
        ("es-kin-name", "madre «Diabética»", None),
        ("es-full-name", "«Lucía Fernández Soto»", "Lucía Fernández Soto"),
        ("es-full-name", "«Ana y Luis Vega»", None),
        ("es-full-name", "San «Juan de Dios»", None),
        ("es-full-name", "«Juan Ortega y Gasset»", "Juan Ortega y Gasset"),
        ("es-surname-first", "«GARCÍA LÓPEZ, ANA»", "GARCÍA LÓPEZ, ANA"),
        ("es-surname-first", "«Enero, Febrero»", None),
        ("es-given", "«Amparito» llora", "Amparito"),
        ("es-given", "«Vena» cava", None),
        ("es-given", "«Nerea» llora", "Nerea"),
        ("es-given-name", "«Dolores» vive sola", "Dolores"),
    ],
)
def test_names(name: str, text: str, kept: str | None) -> None:
    """A name ends before a department, a key or a word that is none."""
    assert adjusted(name, text) == kept


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("es-city", "vive en «Talavera de la Reina»", "Talavera de la Reina"),
        ("es-city", "enfermedad de «Kawasaki»", None),
        ("es-city", "hepatomegalia. «Porta» de 9 mm", None),
        ("es-city", "vive en «Colombia»", None),
        ("es-city", "el doctor de «León Altamirano»", None),
        ("es-country", "vive en «Colombia»", "Colombia"),
        ("es-country", "una «Granada»", None),
        ("es-region", "cerca de «Guipúzcoa»", "Guipúzcoa"),
        ("es-town", "natural de «Villalquite de Abajo»", "Villalquite de Abajo"),
        ("es-town", "procede de «Urgencias»", None),
        ("es-town-in-small-letters", "vive en «san fernando con su madre»", "san fernando"),
        ("es-town-in-small-letters", "vive en «centro de acogida»", None),
        ("es-nationality", "padres «ecuatorianos»", "ecuatorianos"),
        ("es-nationality", "paciente «estable»", None),
        ("es-postcode", "«31008 Pamplona»", "31008"),
        ("es-postcode", "«12500 Hemoglobina»", None),
    ],
)
def test_places(name: str, text: str, kept: str | None) -> None:
    """A place is an entry of a list, unless it is a word or a person."""
    assert adjusted(name, text) == kept
