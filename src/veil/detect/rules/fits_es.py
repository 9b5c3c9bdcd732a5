"""The fits for Spanish by name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from veil.detect.rules import names_es as names
from veil.detect.rules import places_es as places

if TYPE_CHECKING:
    from collections.abc import Callable


def _spanish(
    fit: Callable[[str, int, int], tuple[int, int] | None],
) -> Callable[[str, str, int, int], tuple[int, int] | None]:
    """A fit as the table of fits has them, with the language first."""

    def fitted(_language: str, text: str, start: int, end: int) -> tuple[int, int] | None:
        return fit(text, start, end)

    return fitted


FITS = {
    # The context says that there may be a name.
    "es-name": _spanish(names.possible_name),
    # The context leaves no doubt: Dr. Mesa is a doctor.
    "es-named": _spanish(names.named),
    # The context is weak, or the text in lower case.
    "es-known-name": _spanish(names.known_name),
    "es-kin-name": _spanish(names.kin_name),
    "es-full-name": _spanish(names.full_name),
    "es-surname-first": _spanish(names.surname_first),
    "es-given": _spanish(partial(names.given, clear=True)),
    "es-given-name": _spanish(partial(names.given, clear=False)),
    "es-given-inside": _spanish(names.given_inside),
    "es-city": _spanish(partial(places.place, "city")),
    "es-region": _spanish(partial(places.place, "region")),
    "es-country": _spanish(partial(places.place, "country")),
    "es-town": _spanish(places.town),
    "es-town-in-small-letters": _spanish(places.small_town),
    "es-institution": _spanish(places.institution),
    "es-nationality": _spanish(places.nationality),
    "es-postcode": _spanish(places.postcode),
}
