"""Institutions and work in Spanish records: hospitals, wards and rooms, firms, schools."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.es_addresses import Addresses

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.synth.world import Request
    from veil.synth.worlds.institutions import Institution

_WARDS = (
    *("planta 9ª", "planta 9", "9ª planta", "planta 9ªB", "planta 9ª Norte", "planta 9ª Izquierda"),
    *("planta 9 Sur", "Unidad 9A", "unidad 9B", "UCI 9", "9ª planta Este", "pabellón B", "UH 9A"),
    *("planta 9ª Impar", "control 9-A", "módulo 9", "planta 9C", "Hospitalización 9B", "UHD 9"),
    *("sector 9", "ala Norte", "Unidad H9", "planta 9ª Dcha"),
)
_WARD_FIELDS = (
    "9ª B",
    "9ª",
    "9A",
    "9-B",
    "H9",
    "Norte",
    "9ª Sur",
    "P9",
    "9º Izq",
    "T9B",
    "9",
    "9ªC",
)
_ROOMS = {
    "room": ("999", "999", "999-9", "9999", "999A", "9-99", "99", "A99", "999 B"),
    "bed": ("9", "99", "999-9", "999B", "9A", "99-A", "999/9", "9999"),
    "box": ("9", "99", "B9", "9A"),
    "theatre": ("9", "99", "9B"),
}


class Places(Addresses):
    """Slots of institutions: hospital, clinic, ward, room, firm, school, landmark ..."""

    def _institution(
        self, request: Request, label: str, make: Callable[[], Institution]
    ) -> list[Piece]:
        def parts() -> list[Piece]:
            made = make()
            return [Piece(made.full), Piece(made.short), Piece(made.initials)]

        full, short, initials = self.kept(request.key, parts)
        view = request.view or ("full" if 0.06 < self.rng.random() else "initials")
        if view == "initials" and request.name != "hospital":
            view = "full"
        chosen = {"full": full, "short": short, "initials": initials, "caps": full}[view].text
        return [Piece(chosen.upper() if view == "caps" else chosen, label)]

    def slot_hospital(self, request: Request) -> list[Piece]:
        return self._institution(request, "HOSPITAL", self.namer.hospital)

    def slot_clinic(self, request: Request) -> list[Piece]:
        """A health centre."""
        return self._institution(request, "HOSPITAL", self.namer.clinic)

    def slot_dialysis(self, request: Request) -> list[Piece]:
        return self._institution(request, "HOSPITAL", self.namer.dialysis)

    def slot_carehome(self, request: Request) -> list[Piece]:
        return self._institution(request, "ORGANIZATION", self.namer.care_home)

    def slot_ward(self, request: Request) -> list[Piece]:
        """A ward with a number or a wing; with `field` without the word before it."""
        pattern = self.rng.choice(_WARD_FIELDS if request.view == "field" else _WARDS)
        written = pattern.replace("9", str(self.rng.randint(1, 9)), 1)
        return self.fixed(request, "DEPARTMENT", lambda: written)

    def slot_room(self, request: Request) -> list[Piece]:
        """The number of a room, a bed, a box or a theatre, without the word before it."""
        pattern = self.rng.choice(_ROOMS[request.view or "room"])
        filled = self.fill(pattern.replace("9", str(self.rng.randint(1, 9)), 1))
        return self.fixed(request, "ROOM", lambda: filled)

    def slot_org(self, request: Request) -> list[Piece]:
        return self.fixed(request, "ORGANIZATION", self.namer.firm)

    def slot_school(self, request: Request) -> list[Piece]:
        return self.fixed(request, "ORGANIZATION", self.namer.school)

    def slot_agency(self, request: Request) -> list[Piece]:
        """Police, courts, social services, charities."""
        return self.fixed(request, "ORGANIZATION", self.namer.agency)

    def slot_insurer(self, request: Request) -> list[Piece]:
        return self.fixed(request, "ORGANIZATION", lambda: self.namer.listed("insurers"))

    def slot_service(self, request: Request) -> list[Piece]:
        """The public health service at the head of a form."""
        return self.fixed(request, "ORGANIZATION", lambda: self.namer.listed("services"))

    def slot_university(self, request: Request) -> list[Piece]:
        return self.fixed(request, "ORGANIZATION", lambda: self.namer.filled("universities"))

    def slot_faculty(self, request: Request) -> list[Piece]:
        return self.fixed(
            request, "ORGANIZATION", lambda: self.rng.choice(words("es", "faculties"))
        )

    def slot_maker(self, request: Request) -> list[Piece]:
        """Who makes a drug or a device: an institution by MEDDOCAN's guideline."""
        return [Piece(self.rng.choice(words("es", "makers")), "ORGANIZATION")]

    def slot_rescue(self, request: Request) -> list[Piece]:
        """The service that sends ambulances."""
        listed = words("es", "rescue_es" if self.is_spain() else "rescue_american")
        return self.fixed(request, "ORGANIZATION", lambda: self.rng.choice(listed))

    def slot_pharmacy(self, request: Request) -> list[Piece]:
        return self.fixed(request, "ORGANIZATION", self.namer.pharmacy)

    def slot_landmark(self, request: Request) -> list[Piece]:
        return [Piece(self.namer.filled("landmarks"), "LOCATION-OTHER")]

    def slot_ethnic(self, request: Request) -> list[Piece]:
        return self.fixed(request, "OTHER", lambda: self.rng.choice(words("es", "ethnic")))

    def slot_profession(self, request: Request) -> list[Piece]:
        """What the patient works as; with a number, somebody else."""
        return self.fixed(request, "PROFESSION", self._profession)

    def _profession(self) -> str:
        if self.rng.random() < 0.2:
            return self.rng.choice(_professions())
        american = not self.is_spain() and self.rng.random() < 0.5
        male, _, female = self.rng.choice(
            words("es", "professions_american" if american else "professions")
        ).partition("/")
        return female if self.is_female() else male

    def slot_industry(self, request: Request) -> list[Piece]:
        """Where somebody works, in words that name no firm."""
        return [Piece(self.rng.choice(words("es", "fields_of_work")))]


@cache
def _professions() -> tuple[str, ...]:
    return tuple(lexicon("es", "profession"))
