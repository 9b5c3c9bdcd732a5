"""Institutions and work in English records: hospitals, wards and rooms, firms, schools."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.en_addresses import Addresses
from veil.synth.worlds.en_institutions import Namer

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.synth.world import Request
    from veil.synth.worlds.institutions import Institution

_BRITISH_WARDS = (
    *("Ward {n}", "Ward {n}{n}", "Ward {n}{a}", "ward {n}", "{name} Ward", "{name} Ward"),
    *("{name} Unit", "Ward {a}{n}"),
)
_AMERICAN_WARDS = (
    *("{n} East", "{n} West", "{n} North", "{n} South", "{name} {n}", "{name} {n}", "{name} {n}"),
    *("Unit {n}E", "Tower {n}", "{n}W", "{n}N", "{name} Unit", "Floor {n}", "Unit {n} West"),
    *("{name} {n} South", "Pod {a}"),
)
_ROOMS = {
    "room": ("999", "999", "9999", "99", "999A", "9-999", "A999", "9A99"),
    "bed": ("9", "99", "A", "9A", "99-9", "9B"),
    "bay": ("9", "A", "B9"),
    "theatre": ("9", "99", "9A"),
}


class Places(Addresses):
    """Slots of institutions: hospital, clinic, ward, room, employer, school, landmark ..."""

    @property
    def namer(self) -> Namer:
        state = self.region_name(self.some_region())
        return Namer(self.rng, self.code, lambda: self.some_city()[0], state)

    def _institution(self, request: Request, make: Callable[[], Institution]) -> list[Piece]:
        def parts() -> list[Piece]:
            made = make()
            return [Piece(made.full), Piece(made.short), Piece(made.initials)]

        full, short, initials = self.kept(request.key, parts)
        view = request.view or self.draw({"full": 7, "short": 2, "initials": 0.8})
        chosen = {"full": full, "short": short, "initials": initials, "caps": full}[view]
        return [Piece(chosen.text.upper() if view == "caps" else chosen.text, "HOSPITAL")]

    def slot_hospital(self, request: Request) -> list[Piece]:
        return self._institution(request, self.namer.hospital)

    def slot_clinic(self, request: Request) -> list[Piece]:
        return self._institution(request, self.namer.clinic)

    def slot_carehome(self, request: Request) -> list[Piece]:
        return self._institution(request, self.namer.care_home)

    def slot_dialysis(self, request: Request) -> list[Piece]:
        return self._institution(request, self.namer.dialysis)

    def slot_pharmacy(self, request: Request) -> list[Piece]:
        return self._institution(request, self.namer.pharmacy)

    def slot_ward(self, request: Request) -> list[Piece]:
        """A ward with a name or a number."""
        pattern = self.rng.choice(_AMERICAN_WARDS if self.is_american() else _BRITISH_WARDS)
        written = pattern.format(
            n=self.rng.randint(1, 9),
            a=self.rng.choice("ABCDE"),
            name=self.rng.choice(words("en", "ward_names")),
        )
        return self.kept(request.key, lambda: [Piece(written, "DEPARTMENT")])

    def slot_room(self, request: Request) -> list[Piece]:
        """The number of a room, a bed, a bay or a theatre, without the word before it."""
        pattern = self.rng.choice(_ROOMS[request.view or "room"])
        number = self.fill(pattern)
        if number.startswith("0"):
            number = f"{self.rng.randint(1, 9)}{number[1:]}"
        return self.kept(request.key + request.view, lambda: [Piece(number, "ROOM")])

    def slot_org(self, request: Request) -> list[Piece]:
        return self._organisation(request, self.namer.firm)

    def slot_school(self, request: Request) -> list[Piece]:
        return self._organisation(request, lambda: self.namer.school(of_children=self.is_child()))

    def slot_church(self, request: Request) -> list[Piece]:
        return self._organisation(request, self.namer.church)

    def slot_agency(self, request: Request) -> list[Piece]:
        return self._organisation(request, self.namer.agency)

    def slot_authority(self, request: Request) -> list[Piece]:
        return self._organisation(request, lambda: self.namer.authority("authorities"))

    def slot_police(self, request: Request) -> list[Piece]:
        return self._organisation(request, lambda: self.namer.authority(f"police_{self.side}"))

    def slot_ems(self, request: Request) -> list[Piece]:
        return self._organisation(request, lambda: self.namer.authority("ambulances"))

    def slot_service(self, request: Request) -> list[Piece]:
        return self._organisation(
            request, lambda: self.rng.choice(words("en", f"services_{self.side}"))
        )

    def slot_military(self, request: Request) -> list[Piece]:
        return self._organisation(
            request, lambda: self.rng.choice(words("en", f"military_{self.side}"))
        )

    def slot_insurer(self, request: Request) -> list[Piece]:
        return self._organisation(
            request, lambda: self.rng.choice(words("en", f"insurers_{self.side}"))
        )

    def _organisation(self, request: Request, make: Callable[[], str]) -> list[Piece]:
        return self.kept(request.key, lambda: [Piece(make(), "ORGANIZATION")])

    def slot_landmark(self, request: Request) -> list[Piece]:
        return [Piece(self.namer.landmark(), "LOCATION-OTHER")]

    def slot_profession(self, request: Request) -> list[Piece]:
        """What the patient works as; with a number, somebody else."""
        return self.kept(
            request.key, lambda: [Piece(self.spelled(self._profession()), "PROFESSION")]
        )

    def slot_studies(self, request: Request) -> list[Piece]:
        return [Piece(self.rng.choice(words("en", "students")), "PROFESSION")]

    def slot_industry(self, request: Request) -> list[Piece]:
        return [Piece(self.rng.choice(words("en", "fields_of_work")), "PROFESSION")]

    def _profession(self) -> str:
        if self.rng.random() < 0.3:
            return self.rng.choice(_professions())
        return self.rng.choice(words("en", "professions"))


@cache
def _professions() -> tuple[str, ...]:
    return tuple(lexicon("en", "profession"))
