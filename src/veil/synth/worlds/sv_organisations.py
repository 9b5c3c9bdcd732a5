"""Organisations of a Swedish record: authorities, employers, schools, clubs, shops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.pieces import Piece
from veil.synth.worlds.sv_places import DIRECTIONS, PlaceSlots, genitive

if TYPE_CHECKING:
    from veil.synth.world import Request

_LABEL = "ORGANIZATION"


class OrganisationSlots(PlaceSlots):
    """Whom people work for, learn at and deal with."""

    def slot_org(self, request: Request) -> list[Piece]:
        """The organisation that the template names itself: `{org.Polisen}`."""
        return [Piece(request.view, _LABEL)]

    def slot_authority(self, request: Request) -> list[Piece]:
        name = "finland_authorities" if self.is_finland() else "authorities"
        return self.fixed(request, _LABEL, lambda: self.pick(name))

    def slot_insurance(self, request: Request) -> list[Piece]:
        """The social insurance: Försäkringskassan, in Finland FPA."""
        names = ("Försäkringskassan", "Försäkringskassan", "FK", "F-kassan")
        if self.is_finland():
            names = ("FPA", "FPA", "Folkpensionsanstalten", "FPA")
        return self.fixed(request, _LABEL, lambda: self.rng.choice(names))

    def slot_employer(self, request: Request) -> list[Piece]:
        return self.fixed(request, _LABEL, self._employer)

    def _employer(self) -> str:
        company = self.rng.choice(("", "", " AB", " AB", " HB", " & Co"))
        branch = self.pick("branches")
        made = f"{self.pick('firm_heads')}{self.pick('firm_tails')}"
        return self.one(
            lambda: f"{genitive(self.swedish_surname())} {branch}{company}",
            lambda: f"{self.swedish_surname()} {branch}{company}",
            lambda: f"{self.any_town()} {branch}{company}",
            lambda: f"{genitive(self.any_town())} {branch}{company}",
            lambda: f"{made}{company}",
            lambda: f"{made} {self.any_town()}",
            lambda: f"{self.swedish_surname()} & {self.swedish_surname()}{company}",
            lambda: self.pick("known_firms"),
            lambda: f"{genitive(self.any_town())} kommun",
            lambda: f"{self.fill('AAA')}{company or ' AB'}",
        )

    def slot_school(self, request: Request) -> list[Piece]:
        return self.fixed(
            request,
            _LABEL,
            lambda: self.one(
                lambda: f"{self.pick('school_heads')}skolan",
                lambda: f"{self.pick('school_heads')}skolan",
                lambda: f"{self.rng.choice(DIRECTIONS)} skolan",
                lambda: f"{self.pick('school_heads')}skolan i {self.town()}",
                lambda: f"{self.village()}skolan",
                lambda: f"{self.village()} skola",
                lambda: f"{genitive(self.any_town())} gymnasium",
                lambda: f"{self.village()} friskola",
                lambda: f"{genitive(self.village())} folkhögskola",
                lambda: f"{genitive(self.any_town())} universitet",
            ),
        )

    def slot_preschool(self, request: Request) -> list[Piece]:
        return self.fixed(
            request,
            _LABEL,
            lambda: self.one(
                lambda: f"förskolan {self.pick('preschools')}",
                lambda: f"{genitive(self.village())} förskola",
                lambda: self.pick("preschools"),
                lambda: f"{genitive(self.village())} dagis",
            ),
        )

    def slot_association(self, request: Request) -> list[Piece]:
        """A club, a church, a society."""
        return self.fixed(
            request,
            _LABEL,
            lambda: self.one(
                lambda: self.pick("associations"),
                lambda: self.pick("churches"),
                lambda: f"{genitive(self.any_town())} {self.pick('teams')}",
                lambda: f"{self.pick('teams')} {self.village()}",
                lambda: f"{genitive(self.any_town())} ridklubb",
            ),
        )

    def slot_pharmacy(self, request: Request) -> list[Piece]:
        return self.fixed(
            request,
            _LABEL,
            lambda: self.one(
                lambda: f"Apoteket {self.pick('pharmacies')}",
                lambda: f"Apotek Hjärtat {self.village()}",
                lambda: f"Kronans Apotek {self.any_town()}",
                lambda: f"Apoteket {self.village()}",
            ),
        )

    def slot_homecare(self, request: Request) -> list[Piece]:
        """A firm or group that helps people at home."""
        return self.fixed(
            request,
            _LABEL,
            lambda: self.one(
                lambda: f"{self.swedish_surname()} Omsorg AB",
                lambda: f"Hemtjänst {self.rng.choice(DIRECTIONS)}",
                lambda: f"{genitive(self.village())} hemtjänst",
                lambda: f"Attendo {self.village()}",
                lambda: f"{self.pick('firm_heads')}omsorg",
                lambda: f"Hemtjänsten {self.village()}",
            ),
        )
