"""Addresses in Spanish records, whole and in parts, of six countries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.es_country import Spanish
from veil.synth.worlds.es_institutions import Namer

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

_HEADS_ES: dict[str, float] = {
    "C/ ": 8, "Calle ": 7, "c/ ": 2, "Avda. ": 3, "Avenida ": 2.5, "Av. ": 1.5, "Plaza ": 2,
    "Pza. ": 0.7, "Paseo ": 1.5, "Pº ": 0.6, "C/. ": 0.5, "Carrer ": 1, "Rúa ": 0.7,
    "Travesía ": 0.6, "Ronda ": 0.6, "Camino ": 0.6, "Carretera ": 0.5, "Ctra. ": 0.4,
    "Urb. ": 0.5, "Pasaje ": 0.3, "Glorieta ": 0.2, "calle ": 1.5, "Rambla ": 0.3,
    "Barriada ": 0.2, "": 0.6, "avda ": 0.3, "Cuesta ": 0.2,
}  # fmt: skip
_HEADS: dict[str, dict[str, float]] = {
    "mx": {"Calle ": 6, "Av. ": 5, "C. ": 1, "Calzada ": 0.7, "Blvd. ": 1, "Privada ": 1, "": 3},
    "ar": {"": 9, "Av. ": 4, "Calle ": 1.5, "Bv. ": 0.4, "Pje. ": 0.6},
    "cl": {"": 3, "Av. ": 4, "Calle ": 2, "Pasaje ": 3, "Pje. ": 1.5, "Avenida ": 1},
    "pe": {"Jr. ": 5, "Av. ": 6, "Calle ": 3, "Jirón ": 1, "Psje. ": 1},
}
_FLATS_ES = (
    *(
        ", {n}º {a}",
        ", {n}º{a}",
        ", {n}{a}",
        ", {n}º izda",
        ", {n}º dcha.",
        ", {n} {a}",
        " {n}º {a}",
    ),
    *(
        ", bajo",
        ", bajo {a}",
        ", piso {n}, puerta {n}",
        ", esc. {n}, {n}º {a}",
        " - {n}º {a}",
        ", ático",
    ),
    *(", bloque {n}, {n}º {a}", ", {n}º-{n}ª", ", portal {n}, {n}º {a}", " {n}-{n}", ", {n}ºC"),
)
_FLATS = {
    "mx": (" int. {n}", " Int. {n}{a}", " depto. {n}", ""),
    "ar": (", piso {n}", ", {n}º {a}", " piso {n} dpto. {a}", " dto. {n}", ", PB {a}"),
    "cl": (", depto. {n}0{n}", " dpto {n}{n}", ", casa {n}", ", Depto {n}1{n}, torre {a}"),
    "co": (" apto {n}0{n}", ", torre {n} apto {n}01", " int. {n}", " casa {n}"),
    "pe": (", dpto. {n}0{n}", " int. {n}", ", Mz. {a} Lt. {n}", ", Urb. Los Pinos"),
}
_QUARTER_KEYS = (", Col. ", " Col. ", ", Colonia ", ", Fracc. ", ", col. ")
# The addresses of the record's own hospital and health centre stand in its town.
_OF_INSTITUTIONS = ("8", "9")
_OWN_NAMES = {
    "es": ("España", "España", "España", "ESPAÑA", "Spain"),
    "ar": ("Argentina", "República Argentina"),
}


@dataclass(frozen=True)
class Town:
    """A town with its region, the start of its postcodes and its area code.

    The other name of a region is its short form, in Spain the autonomous community.
    """

    name: str
    region: str
    other_region: str
    postcode: str
    area: str


@dataclass(frozen=True)
class Address:
    """Where somebody lives."""

    street: str
    town: Town
    postcode: str


class Addresses(Spanish):
    """Slots `{address}`, `{street}`, `{city}`, `{town}`, `{region}`, `{zip}`, `{country}` ..."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._home: Town | None = None
        self._addresses: dict[str, Address] = {}

    @property
    def namer(self) -> Namer:
        town = self.home_town()
        return Namer(self.rng, self.code, lambda: self.some_town().name, town.region)

    def home_town(self) -> Town:
        """The town of the hospital: most of the record happens there."""
        if self._home is None:
            self._home = self.rng.choice(_towns(self.code))
        return self._home

    def some_town(self) -> Town:
        """The town of the hospital, or another one of its country."""
        return self.home_town() if self.rng.random() < 0.4 else self.rng.choice(_towns(self.code))

    def address(self, key: str) -> Address:
        """The address of somebody: the same one whenever the record asks."""
        if key not in self._addresses:
            town = self.home_town() if key in _OF_INSTITUTIONS else self.some_town()
            self._addresses[key] = Address(self._street(), town, self._postcode(town))
        return self._addresses[key]

    # -- slots ----------------------------------------------------------------------------------

    def slot_street(self, request: Request) -> list[Piece]:
        """A street with its number; `name` gives one without."""
        if request.view == "name":
            head = self.rng.choice(("calle ", "Calle ", "Avenida ", "plaza ", "C/ "))
            return [Piece(f"{head}{self.namer.street()}", "STREET")]
        return [Piece(self.address(request.number).street, "STREET")]

    def slot_city(self, request: Request) -> list[Piece]:
        """Where the patient lives; `home` is where the hospital stands."""
        town = self.home_town() if request.view == "home" else self.address(request.number).town
        return [Piece(town.name, "CITY")]

    def slot_town(self, request: Request) -> list[Piece]:
        """Some other town or village, each time a new one."""
        kind = self.rng.random()
        if kind < 0.3:
            return [Piece(self.rng.choice(_cities()), "CITY")]
        if kind < 0.5:
            return [Piece(self.namer.village(), "CITY")]
        return [Piece(self.rng.choice(_towns(self.code)).name, "CITY")]

    def slot_birthplace(self, request: Request) -> list[Piece]:
        """A town with its region, or one abroad with its country."""
        if self.rng.random() < 0.3:
            return [*self.slot_town(request), Piece(" ("), *self.slot_country(request), Piece(")")]
        town = self.rng.choice(_towns(self.code))
        region = [Piece(" ("), Piece(town.region, "STATE"), Piece(")")]
        return [Piece(town.name, "CITY"), *region]

    def slot_region(self, request: Request) -> list[Piece]:
        """The patient's province or state, or with `some` another one."""
        town = self.some_town() if request.view == "some" else self.address(request.number).town
        wide = self.is_spain() and request.view == "some" and self.rng.random() < 0.4
        return [Piece(town.other_region if wide else town.region, "STATE")]

    def slot_zip(self, request: Request) -> list[Piece]:
        return [Piece(self.address(request.number).postcode, "ZIP")]

    def slot_country(self, request: Request) -> list[Piece]:
        """A far country, or the record's own."""
        if request.view == "own":
            own = _OWN_NAMES.get(self.code, (self.country.name,))
            return [Piece(self.rng.choice(own), "COUNTRY")]
        return [Piece(self.rng.choice(words("es", "countries_far")), "COUNTRY")]

    def slot_nationality(self, request: Request) -> list[Piece]:
        """Marroquí, búlgara: a country by MEDDOCAN's guideline."""

        def make() -> str:
            male, _, female = self.rng.choice(words("es", "nationalities")).partition("/")
            feminine = {"f": True, "m": False}.get(request.view, self.is_female())
            return female if feminine else male

        return self.fixed(request, "COUNTRY", make)

    def slot_address(self, request: Request) -> list[Piece]:
        """A whole address on one line, or with the view `lines` on several."""
        address = self.address(request.number)
        rng = self.rng
        gap = "\n" if request.view == "lines" else rng.choice((", ", ". ", ", ", " - "))
        pieces = [Piece(address.street, "STREET"), Piece(gap)]
        after = rng.random()
        if self.code in ("es", "mx", "pe") and after < 0.85:
            key = rng.choice(("", "", "", "CP ", "C.P. ", "CP: ")) if self.is_spain() else "C.P. "
            start = [Piece(key)] if key else []
            pieces += [*start, Piece(address.postcode, "ZIP"), Piece(rng.choice((" ", " ", ", ")))]
        pieces.append(Piece(address.town.name, "CITY"))
        if self.code in ("ar", "cl", "co") and after < 0.4:
            pieces += [Piece(" (CP "), Piece(address.postcode, "ZIP"), Piece(")")]
        if rng.random() < 0.45:
            pieces += self._with_region(address.town)
        if rng.random() < 0.12:
            pieces += [Piece(rng.choice((", ", ". ", " ("))), *self.slot_country(_own(request))]
            pieces += [Piece(")")] if pieces[-2].text == " (" else []
        return pieces

    def _with_region(self, town: Town) -> list[Piece]:
        if self.is_spain():
            if town.region == town.name:
                return []
            before, after = self.rng.choice(((" (", ")"), (" (", ")"), (", ", "")))
            return [Piece(before), Piece(town.region, "STATE"), *([Piece(after)] if after else [])]
        return [Piece(", "), Piece(self.rng.choice((town.region, town.other_region)), "STATE")]

    # -- parts ----------------------------------------------------------------------------------

    def _street(self) -> str:
        rng = self.rng
        number = rng.choice((rng.randint(1, 30), rng.randint(1, 140)))
        if self.code == "co":
            return self._colombian_street()
        if self.code != "es":
            number = rng.choice((number, rng.randint(100, 4999)))
        name = self.namer.street()
        head = self.draw(_HEADS_ES if self.is_spain() else _HEADS[self.code])
        if not head:
            name = name.removeprefix("de la ").removeprefix("del ").removeprefix("de ")
        if self.is_spain():
            if rng.random() < 0.06:
                return f"{head}{name}{rng.choice((', s/n', ' s/n', ' S/N'))}"
            house = rng.choice(
                (f", {number}", f", {number}", f" {number}", f" nº {number}", f",{number}")
            )
            return head + name + house + (self._flat(_FLATS_ES) if rng.random() < 0.65 else "")
        mark = (
            rng.choice(("#", " No. ", " ", " "))
            if self.code == "mx"
            else rng.choice((" ", " ", " N° "))
        )
        street = f"{head}{name}{mark if mark != '#' else ' #'}{number}"
        street += self._flat(_FLATS[self.code]) if rng.random() < 0.4 else ""
        if self.code == "mx" and rng.random() < 0.7:
            street += rng.choice(_QUARTER_KEYS) + rng.choice(words("es", "quarters_mx"))
        return street

    def _colombian_street(self) -> str:
        rng = self.rng
        head = rng.choice(
            ("Calle", "Cra.", "Carrera", "Cl", "Cra", "Kr", "Diagonal", "Transversal", "Calle")
        )
        letter = rng.choice(("", "", "", "A", "B", " Sur", " bis"))
        mark = rng.choice((" # ", " #", " No. ", " No ", " N° "))
        number = f"{rng.randint(1, 120)}{rng.choice(('', '', 'A', 'B'))}-{rng.randint(1, 99):02}"
        street = f"{head} {rng.randint(1, 180)}{letter}{mark}{number}"
        return street + (self._flat(_FLATS["co"]) if rng.random() < 0.35 else "")

    def _flat(self, forms: tuple[str, ...]) -> str:
        rng = self.rng
        made = ""
        for part in rng.choice(forms).split("{"):
            if part.startswith("n}"):
                made += str(rng.randint(1, 9)) + part[2:]
            elif part.startswith("a}"):
                made += rng.choice("ABCDEFG") + part[2:]
            else:
                made += part
        return made

    def _postcode(self, town: Town) -> str:
        rest = {"es": 3, "mx": 3, "ar": 2, "cl": 5, "co": 4, "pe": 3}[self.code]
        plain = f"{town.postcode}{self.rng.randrange(10**rest):0{rest}}"
        if self.code == "ar" and self.rng.random() < 0.3:
            letter = "C" if town.region == "CABA" else "B"
            return letter + plain + self.fill("AAA")
        return plain


def _own(request: Request) -> Request:
    return type(request)("country", "", "own")


@cache
def _towns(code: str) -> tuple[Town, ...]:
    if code == "es":
        provinces = {}
        for entry in words("es", "provinces_es"):
            name, postcode, area, community = entry.split("/")
            provinces[postcode] = (name, community, postcode, area)
        pairs = (entry.split("/") for entry in words("es", "towns_es"))
        return tuple(Town(name, *provinces[postcode]) for name, postcode in pairs)
    return tuple(Town(*entry.split("/")) for entry in words("es", f"towns_{code}"))


@cache
def _cities() -> tuple[str, ...]:
    return tuple(lexicon("es", "city"))
