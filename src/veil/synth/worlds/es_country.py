"""The country of a Spanish record, and the habits of the house that wrote it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from veil.synth.pieces import Piece
from veil.synth.world import BaseWorld
from veil.synth.worlds.es_vocabulary import spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

_DATES = {
    "{dd}/{mm}/{yyyy}": 10,
    "{d}/{m}/{yyyy}": 2.5,
    "{dd}/{mm}/{yy}": 2.5,
    "{d}/{m}/{yy}": 1.5,
    "{dd}-{mm}-{yyyy}": 2,
    "{dd}-{mm}-{yy}": 0.8,
    "{d}-{m}-{yyyy}": 0.7,
    "{dd}.{mm}.{yyyy}": 0.6,
    "{dd}.{mm}.{yy}": 0.5,
    "{yyyy}-{mm}-{dd}": 0.8,
    "{yyyy}/{mm}/{dd}": 0.2,
    "{dd}-{mon}-{yyyy}": 0.5,
    "{dd}-{mon}-{yy}": 0.3,
    "{d}-{month}-{yyyy}": 0.3,
    "{dd}/{MON}/{yyyy}": 0.3,
    "{dd}-{MON}-{yyyy}": 0.2,
    "{dd} {mm} {yyyy}": 0.1,
    "{dd} / {mm} / {yyyy}": 0.15,
}
_AMERICAN_DATES = {
    **_DATES,
    "{yyyy}-{mm}-{dd}": 2,
    "{yyyy}/{mm}/{dd}": 1,
    "{dd}/{MON}/{yyyy}": 1,
    "{dd}-{mm}-{yyyy}": 4,
}


@dataclass(frozen=True)
class Country:
    """A country with how it counts surnames and writes dates and numbers."""

    code: str
    share: float
    name: str
    surnames: float
    decimal_point: str
    dates: Mapping[str, float] = field(repr=False)


COUNTRIES = (
    Country("es", 0.70, "España", 0.97, ",", _DATES),
    Country("mx", 0.10, "México", 0.93, ".", _AMERICAN_DATES),
    Country("ar", 0.07, "Argentina", 0.12, ",", _DATES),
    Country("cl", 0.05, "Chile", 0.92, ",", _AMERICAN_DATES),
    Country("co", 0.05, "Colombia", 0.9, ",", _AMERICAN_DATES),
    Country("pe", 0.03, "Perú", 0.95, ".", _AMERICAN_DATES),
)
_HASTE = {"none": 66, "some": 26, "great": 8}


class Spanish(BaseWorld):
    """What all parts of a Spanish record need to know: where it is from and how it is written."""

    language: ClassVar[str] = "es"

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.country = rng.choices(COUNTRIES, [country.share for country in COUNTRIES])[0]
        self.code = self.country.code
        self.house_date = self.draw(self.country.dates)
        self.house_time = rng.choice(
            ("{}:{:02}",) * 4 + ("{:02}:{:02} h", "{}.{:02}h", "{:02}:{:02}h")
        )
        self.dot = "." if rng.random() < 0.85 else ""
        self.capital_months = rng.random() < 0.15
        self._haste = self.draw(_HASTE)

    def spelled(self, text: str) -> str:
        """The country's own words, and abbreviations of those in a hurry."""
        return spelled(text, self.code, self._haste)

    def slot_dec(self, request: Request) -> list[Piece]:
        whole, tenth = divmod(self.between(request), 10)
        return [Piece(f"{whole}{self.country.decimal_point}{tenth}")]

    def fixed(self, request: Request, label: str, make: Callable[[], str]) -> list[Piece]:
        """One value of a label for a key of the record: made when it is first asked for."""
        return self.kept(f"{request.key}.{request.view}", lambda: [Piece(make(), label)])

    # -- traits ---------------------------------------------------------------------------------

    def is_spain(self) -> bool:
        return self.code == "es"

    def is_mexico(self) -> bool:
        return self.code == "mx"

    def is_argentina(self) -> bool:
        return self.code == "ar"

    def is_chile(self) -> bool:
        return self.code == "cl"

    def is_colombia(self) -> bool:
        return self.code == "co"

    def is_peru(self) -> bool:
        return self.code == "pe"

    def is_hurried(self) -> bool:
        return self._haste != "none"

    # -- words that agree with the patient ------------------------------------------------------

    def _of_sex(self, female: str, male: str, label: str | None = None) -> list[Piece]:
        return [Piece(female if self.is_female() else male, label)]

    def slot_o(self, request: Request) -> list[Piece]:
        """The ending of what agrees with the patient: ingresad{o}."""
        return self._of_sex("a", "o")

    def slot_a(self, request: Request) -> list[Piece]:
        """The ending that only women have: fumador{a}."""
        return self._of_sex("a", "")

    def slot_el(self, request: Request) -> list[Piece]:
        return self._of_sex("la", "el")

    def slot_del(self, request: Request) -> list[Piece]:
        return self._of_sex("de la", "del")

    def slot_al(self, request: Request) -> list[Piece]:
        return self._of_sex("a la", "al")

    def slot_un(self, request: Request) -> list[Piece]:
        return self._of_sex("una", "un")

    def slot_lo(self, request: Request) -> list[Piece]:
        return self._of_sex("la", "lo")

    def slot_pronoun(self, request: Request) -> list[Piece]:
        return self._of_sex("ella", "él")

    # -- sex, which MEDDOCAN protects -----------------------------------------------------------

    def slot_man(self, request: Request) -> list[Piece]:
        """The word for what the patient is: varón, mujer, niña."""
        if self.is_child():
            return self._of_sex(*self.rng.choice((("niña", "niño"), ("niña", "varón"))), "SEX")
        male = self.rng.choice(("varón", "varón", "varón", "hombre"))
        return self._of_sex("mujer", male, "SEX")

    def slot_boy(self, request: Request) -> list[Piece]:
        """The word for the patient after an article: el niño, la mujer."""
        if self.is_child():
            return self._of_sex("niña", "niño", "SEX")
        return self.slot_man(request)

    def slot_sex(self, request: Request) -> list[Piece]:
        """What stands in a field."""
        values = (
            *(("M", "H"), ("Mujer", "Hombre"), ("Mujer", "Varón"), ("F", "M"), ("M", "V")),
            *(("Femenino", "Masculino"), ("femenino", "masculino"), ("Fem.", "Masc.")),
            *(("MUJER", "VARON"), ("Femenino", "Masculino"), ("mujer", "varón")),
        )
        female, male = self.kept("sex", lambda: [Piece(v) for v in self.rng.choice(values)])
        return self._of_sex(female.text, male.text, "SEX")

    def slot_masculine(self, request: Request) -> list[Piece]:
        """What follows "de sexo"."""
        return self._of_sex("femenino", "masculino", "SEX")

    def slot_sign(self, request: Request) -> list[Piece]:
        """The letter behind an age: 72a/M."""
        return self._of_sex(*(("F", "M") if self.code != "es" else ("M", "H")), "SEX")
