"""Places and institutions of Swedish dummy records."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.languages.sv.synth.people import PeopleSlots
from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request

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
