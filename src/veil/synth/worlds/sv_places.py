"""Towns, streets and addresses of a Swedish record, real ones and invented ones."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request
from veil.synth.worlds.sv_people import PeopleSlots

if TYPE_CHECKING:
    from collections.abc import Callable

DIRECTIONS = ("Norra", "Södra", "Västra", "Östra")


def genitive(name: str) -> str:
    """Lunds, Borås."""
    return name if name.endswith(("s", "x", "z")) else f"{name}s"


@cache
def _smaller_places() -> tuple[str, ...]:
    """Places of the lexicon that look Swedish: it has towns of the whole world."""
    tails = tuple(tail for tail in words("sv", "place_tails") if 2 < len(tail))
    return tuple(place for place in lexicon("sv", "city") if place.endswith(tails))


class PlaceSlots(PeopleSlots):
    """Where people live."""

    def pick(self, name: str) -> str:
        """An entry of a list of Swedish words."""
        return self.rng.choice(words("sv", name))

    def one(self, *makers: Callable[[], str]) -> str:
        """What one of several ways to make a name gives."""
        return self.rng.choice(makers)()

    def fixed(self, request: Request, label: str, make: Callable[[], str]) -> list[Piece]:
        """A value that stays the same throughout the record."""
        return self.kept(request.key, lambda: [Piece(make(), label)])

    def town(self, number: str = "") -> str:
        """The town of the record, or another with a number."""
        return self.kept(f"town{number}", lambda: [Piece(self.any_town())])[0].text

    def any_town(self) -> str:
        kind = self.rng.random()
        if self.is_finland():
            return self.pick("finland_towns")
        if kind < 0.6:
            return self.pick("towns")
        return self.village() if kind < 0.8 else self.rng.choice(_smaller_places())

    def village(self) -> str:
        """A place that need not exist: Hägertorp."""
        head, tail = self.pick("place_heads"), self.pick("place_tails")
        return (head[:-1] if head[-1] == tail[0] else head) + tail

    def slot_city(self, request: Request) -> list[Piece]:
        """A town: view `gen` the genitive, `caps` capitals, `municipality` Lunds kommun."""
        town = self.town(request.number)
        written = {
            "gen": genitive(town),
            "caps": town.upper(),
            "municipality": f"{genitive(town)} kommun",
        }
        return [Piece(written.get(request.view, town), "CITY")]

    def slot_abroad(self, request: Request) -> list[Piece]:
        """A town in another country."""
        cities = lexicon("sv", "city").entries
        return self.fixed(
            request,
            "CITY",
            lambda: (
                self.pick("foreign_towns") if self.rng.random() < 0.8 else self.rng.choice(cities)
            ),
        )

    def slot_region(self, request: Request) -> list[Piece]:
        name = "finland_regions" if self.is_finland() else "regions"
        return self.fixed(request, "STATE", lambda: self.pick(name))

    def slot_country(self, request: Request) -> list[Piece]:
        def make() -> str:
            known = self.rng.random() < 0.85
            return self.pick("countries") if known else self.rng.choice(_countries())

        return self.fixed(request, "COUNTRY", make)

    def slot_land(self, request: Request) -> list[Piece]:
        """The country that the template names itself: `{land.Sverige}`."""
        return [Piece(request.view, "COUNTRY")]

    def slot_area(self, request: Request) -> list[Piece]:
        """A part of a town or a village."""
        return self.fixed(request, "LOCATION-OTHER", self.village)

    def slot_zip(self, request: Request) -> list[Piece]:
        return self.fixed(request, "ZIP", self._zip)

    def _zip(self) -> str:
        digits = self.digits(5)
        if self.is_finland():
            return self.rng.choice((f"{digits[:3]}00", f"FI-{digits[:3]}10"))
        spaced = f"{digits[:3]} {digits[3:]}"
        return self.rng.choice((spaced, spaced, spaced, digits, f"SE-{spaced}"))

    def slot_street(self, request: Request) -> list[Piece]:
        """A street with its number; with view `name` without the number."""
        if request.view == "name":
            return self.kept(f"{request.key}.name", lambda: [Piece(self._street(), "STREET")])
        return self.fixed(request, "STREET", self._street_and_number)

    def _street(self) -> str:
        kind = self.rng.random()
        if kind < 0.08:
            return self.pick("road_names")
        head, tail = self.pick("street_heads"), self.pick("street_tails")
        if kind < 0.16:
            head = self.village().removesuffix("s")
        street = f"{head}{tail}"
        return f"{self.rng.choice(DIRECTIONS)} {street}" if kind < 0.2 else street

    def _street_and_number(self) -> str:
        rng = self.rng
        street = f"{self._street()} {rng.randint(1, 140)}"
        if self.is_finland():
            return f"{street} {rng.choice('ABC')} {rng.randint(1, 60)}"
        street += rng.choice(("", "", "", " A", " B", "B", " C", "a"))
        if 0.16 < rng.random():
            return street
        flat = f", lgh {rng.randint(10, 16)}0{rng.randint(1, 9)}"
        return street + rng.choice((flat, flat, f" {rng.randint(1, 5)} tr", " nb", ", 2tr"))

    def slot_address(self, request: Request) -> list[Piece]:
        """The whole address on one line."""
        return [
            *self.slot_street(Request("street", request.number)),
            Piece(self.rng.choice((", ", ", ", " ", ",  ", "; "))),
            *self.slot_zip(Request("zip", request.number)),
            Piece(self.rng.choice((" ", " ", "  "))),
            *self.slot_city(Request("city", request.number, self.rng.choice(("", "", "caps")))),
        ]

    def slot_box(self, request: Request) -> list[Piece]:
        return self.fixed(request, "STREET", lambda: f"Box {self.rng.randint(10, 9999)}")


@cache
def _countries() -> tuple[str, ...]:
    return tuple(name for name in lexicon("sv", "country") if name[:1].isupper())
