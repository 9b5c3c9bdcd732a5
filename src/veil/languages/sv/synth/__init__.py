"""Swedish dummy records, from Sweden and sometimes from Finland."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.languages.sv.synth.dates import TimeSlots
from veil.languages.sv.synth.numbers import NumberSlots
from veil.languages.sv.synth.places import CareSlots, OrganisationSlots
from veil.lexicons import lexicon
from veil.synth.pieces import Piece

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

# What writers in a hurry make of words, in two degrees of haste.
_SHORT_FORMS = {
    "patienten": "pat",
    "patientens": "pats",
    "patient": "pat",
    "sjuksköterska": "ssk",
    "undersköterska": "usk",
    "distriktssköterska": "dsk",
    "vänster": "vä",
    "höger": "hö",
    "operation": "op",
    "operationen": "op",
    "operationer": "op",
    "för närvarande": "f n",
    "fram till": "t o m",
    "till exempel": "t ex",
    "bland annat": "bl a",
    "i övrigt": "iö",
    "I övrigt": "Iö",
    "utan anmärkning": "ua",
    "vid behov": "vb",
    "på grund av": "pga",
    "milligram": "mg",
    "cirka": "ca",
    "enligt": "enl",
    "beträffande": "ang",
    "månader": "mån",
    "fortsatt": "forts",
    "fortsätter": "forts",
    "röntgen": "rtg",
    "avdelningen": "avd",
    "mottagningen": "mott",
    "tablett": "tabl",
    "telefon": "tel",
    "telefonkontakt": "telkontakt",
    "remiss": "rem",
    "diagnos": "diagn",
    "bedömning": "bed",
    "ordination": "ord",
    "ordineras": "ord",
    "medicinering": "med",
    "behandling": "beh",
    "behandlas": "beh",
    "respektive": "resp",
    "temperatur": "temp",
    "blodtryck": "BT",
}
_SHORTER_FORMS = {
    **_SHORT_FORMS,
    "och": "o",
    "med": "m",
    "från": "fr",
    "till": "t",
    "sedan": "sen",
    "inte": "ej",
    "något": "ngt",
    "någon": "ngn",
    "mycket": "mkt",
    "samt": "o",
}
_HASTE = {"none": 55, "some": 33, "great": 12}


class World(TimeSlots, CareSlots, OrganisationSlots, NumberSlots):
    """Everything that the Swedish templates ask for."""

    language: ClassVar[str] = "sv"
    decimal_point: ClassVar[str] = ","
    joins_names: ClassVar[bool] = False

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._haste = self.draw(_HASTE)

    def spelled(self, text: str) -> str:
        """Writers in a hurry abbreviate the same words throughout."""
        return text if self._haste == "none" else _abbreviated(text, self._haste)

    def slot_profession(self, request: Request) -> list[Piece]:
        professions = lexicon("sv", "profession").entries
        return self.fixed(request, "PROFESSION", lambda: self.rng.choice(professions))

    def slot_clock(self, request: Request) -> list[Piece]:
        """A time of day, which is no date."""
        hour, minute = (
            self.rng.randrange(24),
            self.rng.choice((0, 0, 5, 10, 15, 20, 30, 40, 45, 50)),
        )
        form = self.rng.choice(("{:02}.{:02}", "{:02}:{:02}", "{:02}{:02}", "{}.{:02}"))
        return [Piece(form.format(hour, minute))]


@cache
def _pattern(haste: str) -> re.Pattern[str]:
    forms = _SHORT_FORMS if haste == "some" else _SHORTER_FORMS
    longest_first = sorted(forms, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?![\w-])", re.IGNORECASE)


@cache
def _abbreviated(text: str, haste: str) -> str:
    forms = _SHORTER_FORMS

    def shorter(match: re.Match[str]) -> str:
        word = match[0]
        short = forms.get(word) or forms.get(word.lower(), word)
        return short[0].upper() + short[1:] if word[0].isupper() else short

    return _pattern(haste).sub(shorter, text)


SCENARIO = World
