"""Addresses in English records, whole and in parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.en_country import English
from veil.synth.worlds.en_institutions import town_name

if TYPE_CHECKING:
    from veil.synth.world import Request

_STREET_ENDS = {"us": "us_street_ends", "ca": "us_street_ends", "au": "au_street_ends"}
_AMERICAN_TOWN = re.compile(r"(?:ville|burg|boro|Heights|Springs|Falls|Lake|Beach|Park|wood)$")
_BRITISH_TOWN = re.compile(r"(?:ham|bury|ford|chester|wick|mouth|ley|thorpe|by|worth|combe|shire)$")
_AMERICAN_UNITS = (
    *("Apt {n}", "Apt {n}", "Apt. {n}{a}", "Unit {n}", "#{n}{n}", "Apt {a}", "Suite {n}0{n}"),
    *("Lot {n}{n}", "Apt {n}-{a}", "Apartment {n}", "apt {n}{a}", "Rm {n}0{n}"),
)
_BRITISH_UNITS = ("Flat {n}", "Flat {n}{a}", "Unit {n}", "Apt {n}", "Flat {a}", "Apartment {n}{n}")


@dataclass(frozen=True)
class Address:
    street: str
    city: str
    region: str
    postcode: str


class Addresses(English):
    """Slots `{address}`, `{street}`, `{city}`, `{town}`, `{state}`, `{region}`, `{zip}` ..."""

    def address(self, key: str) -> Address:
        """The address of somebody: the same one whenever the record asks."""
        pieces = self.kept(f"address{key}", lambda: self._make_address(may_be_box=not key))
        return Address(*(piece.text for piece in pieces))

    def slot_street(self, request: Request) -> list[Piece]:
        if request.view == "name":
            return [Piece(self._street_name(), "STREET")]
        return [Piece(self.address(request.number).street, "STREET")]

    def slot_city(self, request: Request) -> list[Piece]:
        return [Piece(self.address(request.number).city, "CITY")]

    def slot_town(self, request: Request) -> list[Piece]:
        """Some other town, each time a new one."""
        return [Piece(self.some_city()[0], "CITY")]

    def slot_state(self, request: Request) -> list[Piece]:
        """A state, province or county; with the view `long` its whole name."""
        region = self.address(request.number).region
        region = region or self.some_region()
        long = request.view == "long" or self.rng.random() < 0.3
        return [Piece(self.region_name(region) if long else region, "STATE")]

    def slot_region(self, request: Request) -> list[Piece]:
        """Some other state, written out."""
        return [Piece(self.region_name(self.some_region()), "STATE")]

    def slot_zip(self, request: Request) -> list[Piece]:
        return [Piece(self.address(request.number).postcode, "ZIP")]

    def slot_country(self, request: Request) -> list[Piece]:
        if request.view == "own":
            own = {"us": "USA", "uk": "UK", "ie": "Ireland", "au": "Australia", "ca": "Canada"}
            return [Piece(own[self.code], "COUNTRY")]
        return [Piece(self.rng.choice(words("en", "countries")), "COUNTRY")]

    def slot_address(self, request: Request) -> list[Piece]:
        """A whole address on one line, or with the view `lines` on several."""
        address = self.address(request.number)
        between = "\n" if request.view == "lines" else ", "
        pieces = [Piece(address.street, "STREET"), Piece(between), Piece(address.city, "CITY")]
        if address.region:
            comma = self.rng.choice((", ", ", ", " ")) if self.code != "uk" else between
            pieces += [Piece(comma), Piece(address.region, "STATE")]
        if self.rng.random() < 0.93:
            space = "  " if self.is_american() and self.rng.random() < 0.1 else " "
            gap = (
                space if self.code in ("us", "ca", "au") else self.rng.choice((", ", between, " "))
            )
            pieces += [Piece(gap), Piece(address.postcode, "ZIP")]
        if self.rng.random() < 0.05:
            pieces += [Piece(between), *self.slot_country(type(request)("country", "", "own"))]
        return pieces

    def _make_address(self, *, may_be_box: bool) -> list[Piece]:
        city, region = self.some_city()
        street = self._street(may_be_box=may_be_box)
        return [Piece(text) for text in (street, city, region, self._postcode(region))]

    def _street_name(self) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.55:
            name = rng.choice(words("en", "street_names"))
        elif kind < 0.7:
            name = rng.choice(words("en", "surnames"))
        elif kind < 0.85 or not self.is_american():
            name = (
                f"{rng.choice(words('en', 'nature'))}{rng.choice(words('en', 'features')).lower()}"
            )
        else:
            number = rng.randint(1, 180)
            th = (
                "th"
                if 10 < number % 100 < 14
                else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
            )
            name = f"{rng.choice(('', '', 'E ', 'West ', 'NW ', 'N. '))}{number}{th}"
        return f"{name} {rng.choice(words('en', _STREET_ENDS.get(self.code, 'uk_street_ends')))}"

    def _street(self, *, may_be_box: bool) -> str:
        rng = self.rng
        if self.is_american():
            if may_be_box and rng.random() < 0.05:
                return self.fill(rng.choice(("P.O. Box 999", "PO Box 9999", "RR 9 Box 99")))
            number = self.digits(rng.randint(1, 5))
            unit = self._unit() if rng.random() < 0.25 else ""
            return f"{number} {self._street_name()}{rng.choice((', ', ' ')) if unit else ''}{unit}"
        number = str(rng.randint(1, 240)) + rng.choice(("", "", "", "", "A", "b"))
        if self.code == "au" and rng.random() < 0.2:
            number = f"{rng.randint(1, 20)}/{number}"
        if rng.random() < 0.15:
            return f"{self._unit()}, {number} {self._street_name()}"
        if rng.random() < 0.08:
            kind = rng.choice(("Cottage", "House", "Lodge", "Farm"))
            return f"{rng.choice(words('en', 'nature'))} {kind}, {self._street_name()}"
        return f"{number} {self._street_name()}"

    def _unit(self) -> str:
        pattern = self.rng.choice(_AMERICAN_UNITS if self.is_american() else _BRITISH_UNITS)
        return pattern.format(n=self.rng.randint(1, 9), a=self.rng.choice("ABCDEF"))

    def some_city(self) -> tuple[str, str]:
        """A town and its region: the short form that addresses have, or none."""
        rng = self.rng
        if self.code in ("au", "ca"):
            city, _, region = rng.choice(words("en", f"{self.code}_cities")).partition("=")
            return city, region
        if self.code == "us":
            region = rng.choice(words("en", "us_states")).partition("=")[0]
            if rng.random() < 0.5:
                return rng.choice(words("en", "us_cities")), region
            if rng.random() < 0.2:
                return town_name(rng), region
            return rng.choice(_towns(True)), region
        own = words("en", f"{self.code}_cities")
        if self.code == "uk" and rng.random() < 0.3:
            own = _towns(False)
        region = rng.choice(words("en", f"{self.code}_counties")) if rng.random() < 0.4 else ""
        return rng.choice(own), region

    def some_region(self) -> str:
        """A state, province or county in the short form that addresses have."""
        parts = "counties" if self.code in ("uk", "ie") else "states"
        return self.rng.choice(words("en", f"{self.code}_{parts}")).partition("=")[0]

    def region_name(self, region: str) -> str:
        """The whole name of a state or province."""
        if self.code in ("uk", "ie"):
            return region
        return dict(each.split("=") for each in words("en", f"{self.code}_states"))[region]

    def _postcode(self, region: str) -> str:
        rng = self.rng
        if self.code == "us":
            plain = self.digits(5, first="0123456789")
            return f"{plain}-{self.digits(4)}" if rng.random() < 0.12 else plain
        if self.code == "au":
            first = {
                "NSW": "2",
                "ACT": "2",
                "VIC": "3",
                "QLD": "4",
                "SA": "5",
                "WA": "6",
                "TAS": "7",
            }
            return first.get(region, "08") + self.digits(
                2 if region == "NT" else 3, first="0123456789"
            )
        if self.code == "ca":
            letters = "ABCEGHJKLMNPRSTVWXYZ"
            a, b, c = (rng.choice(letters) for _ in range(3))
            return f"{a}{rng.randint(0, 9)}{b} {rng.randint(0, 9)}{c}{rng.randint(0, 9)}"
        if self.code == "ie":
            return f"{rng.choice(words('en', 'ie_routing'))} {self.fill('A9A9')}"
        return f"{rng.choice(words('en', 'uk_areas'))}{rng.randint(1, 29)} {self.fill('9AA')}"


@cache
def _towns(american: bool) -> tuple[str, ...]:
    """Towns of the lexicon whose names tell on which side of the ocean they lie."""
    ending = _AMERICAN_TOWN if american else _BRITISH_TOWN
    return tuple(town for town in lexicon("en", "city") if ending.search(town))
