"""Japanese hospitals, practices, homes, firms, schools and offices, put together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.ja_names import surname
from veil.synth.worlds.ja_places import Places

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

_PLACEHOLDER = re.compile(r"\{([cpsnkxt])\}")
_OWN = {"当院": 20, "当病院": 0.7, "本院": 0.7, "当クリニック": 0.3}
_NEAR_BY = {"近医": 10, "前医": 2, "他院": 2}
_WARD_SIDES = "東西南北"


class Institutions(Places):
    """Slots of institutions; those of the record's own house stay the same."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._own = self.draw(_OWN)
        self._masked = rng.random() < 0.12
        floor, side = rng.randint(2, 12), rng.choice(_WARD_SIDES)
        letter = rng.choice("ABCD")
        self._wards = rng.choice(
            (
                (f"{floor}階{side}病棟", f"{floor}{side}"),
                (f"{floor}{side}病棟", f"{floor}{side}"),
                (f"{floor}{letter}病棟", f"{floor}{letter}"),
                (f"{side}{floor}病棟", f"{side}{floor}"),
                (f"{letter}{floor}病棟", f"{letter}{floor}"),
                (f"{floor}階病棟", f"{floor}階"),
                (f"第{rng.randint(1, 6)}病棟", f"{floor}{side}"),
                (f"{floor}F病棟", f"{floor}F"),
            )
        )

    # -- care -----------------------------------------------------------------------------------

    def slot_hospital(self, request: Request) -> list[Piece]:
        """A hospital, by its name; a part of the records hides the names of all."""
        return self.kept(request.key, lambda: [Piece(self._hospital(request.number), "HOSPITAL")])

    def slot_clinic(self, request: Request) -> list[Piece]:
        return self.kept(request.key, lambda: [Piece(self._clinic(), "HOSPITAL")])

    def slot_here(self, request: Request) -> list[Piece]:
        """The hospital that writes: 当院."""
        return [Piece(self._own if self.rng.random() < 0.85 else "当院", "HOSPITAL")]

    def slot_gp(self, request: Request) -> list[Piece]:
        """Where the patient was before: 近医, or a practice by its name."""
        if self.rng.random() < 0.5:
            return [Piece(self.draw(_NEAR_BY), "HOSPITAL")]
        return self.slot_clinic(request) if self.rng.random() < 0.8 else self.slot_hospital(request)

    def slot_h(self, request: Request) -> list[Piece]:
        """A word for a hospital as the template has it: 前医, 同院."""
        return [Piece(request.view, "HOSPITAL")]

    def slot_ward(self, request: Request) -> list[Piece]:
        """The ward; `{ward.key}` as it stands behind the word for ward."""
        if request.number:
            floor, side = self.rng.randint(2, 12), self.rng.choice(_WARD_SIDES)
            return [Piece(f"{floor}{self.rng.choice(('', '階'))}{side}病棟", "DEPARTMENT")]
        return [Piece(self._wards[request.view == "key"], "DEPARTMENT")]

    def slot_room(self, request: Request) -> list[Piece]:
        number = self.kept("room", lambda: [Piece(str(self.rng.randint(201, 1218)))])[0].text
        if request.view == "key":
            return [Piece(number, "ROOM")]
        if self.rng.random() < 0.15:
            return [
                Piece(self.rng.choice((f"ベッド{number[-1]}", f"{number[-1]}番ベッド")), "ROOM")
            ]
        return [Piece(f"{number}号室", "ROOM")]

    def slot_bed(self, request: Request) -> list[Piece]:
        """A room of somebody else, as lists of patients have it."""
        number = self.rng.randint(201, 1218)
        return [
            Piece(self.rng.choice((f"{number}", f"{number}", f"{number}-{number % 4 + 1}")), "ROOM")
        ]

    def slot_r(self, request: Request) -> list[Piece]:
        """A room as the template has it; Ｎ is a number."""
        return [Piece(request.view.replace("Ｎ", str(self.rng.randint(1, 9))), "ROOM")]

    # -- organisations --------------------------------------------------------------------------

    def slot_company(self, request: Request) -> list[Piece]:
        return self._organisation(request, "companies")

    def slot_school(self, request: Request) -> list[Piece]:
        return self._organisation(request, "schools")

    def slot_nursery(self, request: Request) -> list[Piece]:
        return self._organisation(request, "nurseries")

    def slot_carehome(self, request: Request) -> list[Piece]:
        return self._organisation(request, "care_homes")

    def slot_dayservice(self, request: Request) -> list[Piece]:
        return self._organisation(request, "day_services")

    def slot_visiting(self, request: Request) -> list[Piece]:
        return self._organisation(request, "visiting")

    def slot_careoffice(self, request: Request) -> list[Piece]:
        return self._organisation(request, "care_offices")

    def slot_authority(self, request: Request) -> list[Piece]:
        return self._organisation(request, "authorities")

    def slot_fire(self, request: Request) -> list[Piece]:
        """The fire brigade, which drives the ambulances."""
        return self._organisation(request, "fire_brigades")

    def slot_pharmacy(self, request: Request) -> list[Piece]:
        return self._organisation(request, "pharmacies")

    def _organisation(self, request: Request, patterns: str) -> list[Piece]:
        return self.kept(
            request.key, lambda: [Piece(self._composed(words("ja", patterns)), "ORGANIZATION")]
        )

    # -- what people do, and kin ----------------------------------------------------------------

    def slot_profession(self, request: Request) -> list[Piece]:
        listed = words("ja", "more_professions")
        often = self.rng.random() < 0.5
        return [
            Piece(
                self.rng.choice(listed if often else lexicon("ja", "profession").entries),
                "PROFESSION",
            )
        ]

    def slot_prof(self, request: Request) -> list[Piece]:
        """A profession as the template has it."""
        return [Piece(request.view, "PROFESSION")]

    def slot_rel(self, request: Request) -> list[Piece]:
        """A relative as the template has it."""
        return [Piece(request.view, "RELATIVE")]

    def slot_kinword(self, request: Request) -> list[Piece]:
        """Any relative, such as family histories name."""
        return [Piece(self.rng.choice(words("ja", "kin_words")), "RELATIVE")]

    # -- composing ------------------------------------------------------------------------------

    def _hospital(self, number: str) -> str:
        if number and (self._masked or self.rng.random() < 0.05):
            return self.rng.choice(words("ja", "masked_hospitals"))
        return self._composed(words("ja", "hospitals"))

    def _clinic(self) -> str:
        if self._masked or self.rng.random() < 0.04:
            return self.rng.choice(words("ja", "masked_hospitals"))
        return self._composed(words("ja", "clinics"))

    def _composed(self, patterns: tuple[str, ...]) -> str:
        makers: dict[str, Callable[[], str]] = {
            "c": self.city_stem,
            "p": lambda: self.prefecture.name,
            "s": lambda: surname(self.rng).written,
            "n": lambda: self.rng.choice(words("ja", "nature")),
            "k": lambda: self.rng.choice(words("ja", "hospital_societies")),
            "x": lambda: self.rng.choice(words("ja", "universities")),
            "t": self.quarter,
        }
        return _PLACEHOLDER.sub(lambda match: makers[match[1]](), self.rng.choice(patterns))
