"""Places of care of a Swedish record: hospitals, wards, clinics, homes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.pieces import Piece
from veil.synth.world import Request
from veil.synth.worlds.sv_places import DIRECTIONS, PlaceSlots, genitive

if TYPE_CHECKING:
    from collections.abc import Callable


class CareSlots(PlaceSlots):
    """Where people are cared for. Wards and clinics are DEPARTMENT, what has a door is HOSPITAL."""

    def slot_hospital(self, request: Request) -> list[Piece]:
        """A hospital: view `full` its name, `short` what it is called every day, else one."""
        name = self.fixed(request, "HOSPITAL", self._hospital)
        if (request.view or self.draw({"full": 70, "short": 30})) == "full":
            return name
        return [Piece(_abbreviation(name[0].text), "HOSPITAL")]

    def _hospital(self) -> str:
        rng = self.rng
        kind = rng.random()
        if self.is_finland() and kind < 0.7:
            return self.pick("finland_hospitals")
        if kind < 0.13:
            return self.pick("known_hospitals")
        town = self.town() if rng.random() < 0.5 else self.any_town()
        where = rng.choice((town, f"i {town}"))
        return self.one(
            lambda: f"{genitive(town)} sjukhus",
            lambda: f"{genitive(town)} sjukhus",
            lambda: f"{genitive(town)} lasarett",
            lambda: f"{genitive(town)} lasarett",
            lambda: f"{genitive(town)} universitetssjukhus",
            lambda: f"Länssjukhuset {where}",
            lambda: f"Centralsjukhuset {where}",
            lambda: f"Universitetssjukhuset {where}",
            lambda: f"Lasarettet {where}",
            lambda: f"{self.pick('place_heads')}sjukhuset",
            lambda: f"{rng.choice(('S:t', 'Sankt', 'St', 'S:ta'))} {self._saint()} sjukhus",
            lambda: f"{rng.choice(DIRECTIONS)} sjukhuset",
            lambda: f"{rng.choice(DIRECTIONS)} sjukhuset i {town}",
            lambda: f"{self.pick('chains')} {self.village()}",
            lambda: f"Regionsjukhuset {town}",
        )

    def _saint(self) -> str:
        return genitive(self.pick("saints"))

    def slot_ward(self, request: Request) -> list[Piece]:
        """A ward, in one of its writings: avd 52, avdelning 52, 52:an."""
        number = self.kept(f"{request.key}.number", lambda: [Piece(self._ward_number())])[0].text
        view = request.view or self.draw(
            {"avd": 60, "avdelning": 22, "Avd": 8, "avd.": 5, "vårdavdelning": 3, "an": 2}
        )
        if view == "an":
            view = "avd"
            if number.isdecimal():
                return [Piece(f"{number}:an", "DEPARTMENT")]
        return [Piece(f"{view} {number}", "DEPARTMENT")]

    def _ward_number(self) -> str:
        number, letter = str(self.rng.randint(1, 99)), self.pick("ward_letters")
        other = self.rng.randint(1, 9)
        return self.rng.choice(
            (
                *(number, number, number, f"{number}{letter}", f"{letter}{number}"),
                *(f"{letter}{number}{other}", f"{number} {letter}", f"{letter}{other}"),
            )
        )

    def slot_clinic(self, request: Request) -> list[Piece]:
        """A department or clinic by its speciality: ortopedkliniken, hudmottagningen."""
        return self.fixed(request, "DEPARTMENT", self._clinic)

    def _clinic(self) -> str:
        kind = self.rng.random()
        if kind < 0.4:
            return self.pick("department_words")
        if kind < 0.88:
            return f"{self.pick('specialities')}{self.pick('clinic_ends')}"
        return f"{self.pick('specialities')}{self.rng.choice(('mott', 'mott', 'klin', 'avd'))}"

    def slot_unit(self, request: Request) -> list[Piece]:
        """A unit with a name of its own: IVA, MAVA, akuten."""
        return self.fixed(request, "DEPARTMENT", lambda: self.pick("special_units"))

    def slot_dept(self, request: Request) -> list[Piece]:
        """The unit that the template names itself: `{dept.IVA}`."""
        return [Piece(request.view, "DEPARTMENT")]

    def slot_bup(self, request: Request) -> list[Piece]:
        """A clinic of child psychiatry: BUP Lund."""
        return self.fixed(request, "HOSPITAL", lambda: f"BUP {self.any_town()}")

    def slot_dental(self, request: Request) -> list[Piece]:
        """A dental clinic: Folktandvården Skara."""
        return self.fixed(request, "HOSPITAL", lambda: f"Folktandvården {self.any_town()}")

    def slot_place(self, request: Request) -> list[Piece]:
        """Somewhere in the hospital or in another: a ward, a clinic, a unit, a hospital."""
        kind = self.draw({"ward": 30, "clinic": 28, "unit": 22, "hospital": 20})
        slot: Callable[[Request], list[Piece]] = getattr(self, f"slot_{kind}")
        return slot(Request(kind, request.number))

    def slot_room(self, request: Request) -> list[Piece]:
        """A room or a bed."""

        def make() -> str:
            word = self.rng.choice(("rum", "sal", "rum", "sal", "Rum", "Sal"))
            bed = self.rng.choice(("", "", "", ":1", ":2", " säng 2", " plats 3", " fönster"))
            return f"{word} {self.rng.randint(1, 48)}{bed}"

        return self.fixed(request, "ROOM", make)

    def slot_practice(self, request: Request) -> list[Piece]:
        """A primary care centre: Ekbackens vårdcentral, VC Ekbacken."""
        return self.fixed(request, "HOSPITAL", self._practice)

    def _practice(self) -> str:
        place = self.one(self.village, self.village, self.any_town)
        if self.is_finland() and self.rng.random() < 0.8:
            return self.one(
                lambda: f"{place} HVC",
                lambda: f"{genitive(place)} hälsovårdscentral",
                lambda: f"HVC {place}",
                lambda: f"{genitive(place)} hälsostation",
            )
        return self.one(
            lambda: f"{genitive(place)} {self.pick('primary_forms')}",
            lambda: f"{genitive(place)} {self.pick('primary_forms')}",
            lambda: f"{genitive(place)} vårdcentral",
            lambda: f"VC {place}",
            lambda: f"Vårdcentralen {place}",
            lambda: f"vårdcentralen {place}",
            lambda: f"{place} VC",
            lambda: f"{self.pick('chains')} {place}",
            lambda: f"{self.pick('chains')} vårdcentral {place}",
            lambda: f"Hälsocentralen {place}",
            lambda: f"Läkarhuset {place}",
            lambda: f"VC {self.rng.choice(DIRECTIONS)}",
        )

    def slot_childcare(self, request: Request) -> list[Piece]:
        """A child health centre: BVC Tallen."""
        return self.fixed(
            request,
            "HOSPITAL",
            lambda: self.one(
                lambda: f"BVC {self.village()}",
                lambda: f"{genitive(self.village())} BVC",
                lambda: f"Familjecentralen {self.pick('preschools')}",
                lambda: f"BVC {self.pick('preschools')}",
                lambda: f"{genitive(self.any_town())} barnavårdscentral",
            ),
        )

    def slot_maternity(self, request: Request) -> list[Piece]:
        """An antenatal clinic: MVC Linden."""
        return self.fixed(
            request,
            "HOSPITAL",
            lambda: self.one(
                lambda: f"MVC {self.village()}",
                lambda: f"{genitive(self.village())} MVC",
                lambda: f"BMM {self.any_town()}",
                lambda: f"Barnmorskemottagningen {self.village()}",
                lambda: f"{self.pick('chains')} Mödravård {self.village()}",
            ),
        )

    def slot_home(self, request: Request) -> list[Piece]:
        """A home for the old: Solgården, demensboende Eken."""
        return self.fixed(request, "HOSPITAL", self._home)

    def _home(self) -> str:
        name = self.pick("home_names") if self.rng.random() < 0.6 else self.village()
        form = self.pick("home_forms")
        return self.one(
            lambda: name,
            lambda: f"{genitive(name)} {form}",
            lambda: f"{form} {name}",
            lambda: f"{name} avd {self.rng.randint(1, 6)}",
        )


def _abbreviation(hospital: str) -> str:
    """What a hospital is called every day: the capitals of its name, or its only word."""
    parts = [word for word in hospital.replace(":", " ").split() if word not in ("i", "t", "ta")]
    if len(parts) == 1:
        return parts[0]
    letters = "".join(word[0].upper() for word in parts)
    if parts[-1] == "universitetssjukhus":
        return f"{letters[:-1]}US"
    return letters[:3]
