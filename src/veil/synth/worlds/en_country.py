# mypy: ignore-errors
"""The country of an English record, and the habits of the house that wrote it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from veil.synth.pieces import Piece
from veil.synth.world import BaseWorld, Request
from veil.synth.worlds.en_spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from veil.synth.people import Profile

_MONTH_FIRST = {
    "{mm}/{dd}/{yyyy}": 5,
    "{m}/{d}/{yyyy}": 4,
    "{m}/{d}/{yy}": 4,
    "{mm}/{dd}/{yy}": 2,
    "{mm}-{dd}-{yyyy}": 1,
    "{m}-{d}-{yy}": 0.5,
    "{yyyy}-{mm}-{dd}": 1.5,
    "{dd}-{mon}-{yyyy}": 0.7,
    "{yyyy}/{mm}/{dd}": 0.2,
    "{mm}.{dd}.{yyyy}": 0.2,
    "{dd}{MON}{yyyy}": 0.2,
    "{m}.{d}.{yy}": 0.2,
}
_DAY_FIRST = {
    "{dd}/{mm}/{yyyy}": 6,
    "{d}/{m}/{yyyy}": 2,
    "{dd}/{mm}/{yy}": 3,
    "{d}/{m}/{yy}": 1,
    "{dd}.{mm}.{yy}": 1,
    "{dd}.{mm}.{yyyy}": 0.7,
    "{d}.{m}.{yy}": 0.4,
    "{dd}-{mm}-{yyyy}": 0.7,
    "{dd}-{mon}-{yyyy}": 1,
    "{dd}-{mon}-{yy}": 0.6,
    "{yyyy}-{mm}-{dd}": 0.5,
    "{dd} {mm} {yyyy}": 0.2,
}
_YEAR_FIRST = {**_MONTH_FIRST, "{yyyy}-{mm}-{dd}": 6, "{yyyy}/{mm}/{dd}": 2, "{dd}/{mm}/{yyyy}": 3}
_MONTH_AND_DAY = {
    "{month} {d}, {yyyy}": 6,
    "{mon} {d}, {yyyy}": 3,
    "{mon}. {d}, {yyyy}": 1,
    "{month} {d}{th}, {yyyy}": 1.5,
    "{month} {d} {yyyy}": 1,
    "{mon} {d} {yyyy}": 1,
    "{d} {month} {yyyy}": 0.5,
    "{d} {mon} {yyyy}": 0.5,
    "{MONTH} {d}, {yyyy}": 0.3,
    "{weekday}, {month} {d}, {yyyy}": 0.6,
    "{wd} {mon} {d}, {yyyy}": 0.3,
}
_DAY_AND_MONTH = {
    "{d} {month} {yyyy}": 6,
    "{d}{th} {month} {yyyy}": 3,
    "{d} {mon} {yyyy}": 2,
    "{dd} {mon} {yyyy}": 1,
    "{d}{th} of {month} {yyyy}": 1,
    "{d}{th} {mon} {yyyy}": 0.5,
    "{dd} {MON} {yyyy}": 0.3,
    "{weekday} {d} {month} {yyyy}": 0.6,
    "{month} {d}, {yyyy}": 0.3,
}
_SHORT_MONTH_FIRST = {
    "{m}/{d}": 6,
    "{mm}/{dd}": 2,
    "{month} {d}": 2,
    "{mon} {d}": 2,
    "{month} {d}{th}": 1,
    "{mon}. {d}": 0.5,
    "{m}-{d}": 0.2,
    "{d} {mon}": 0.3,
}
_SHORT_DAY_FIRST = {
    "{d}/{m}": 4,
    "{dd}/{mm}": 2,
    "{d} {month}": 2,
    "{d}{th} {month}": 2,
    "{d} {mon}": 2,
    "{d}{th} of {month}": 1,
    "{d}{th} {mon}": 0.5,
    "{d}.{m}": 0.2,
}


@dataclass(frozen=True)
class Country:
    """How a country writes dates and titles, and what its doctors have after their names."""

    code: str
    share: float
    dates: Mapping[str, float] = field(repr=False)
    worded_dates: Mapping[str, float] = field(repr=False)
    short_dates: Mapping[str, float] = field(repr=False)
    dotted_titles: float
    degrees: tuple[str, ...]


_BRITISH_DATES = (_DAY_FIRST, _DAY_AND_MONTH, _SHORT_DAY_FIRST)
COUNTRIES = (
    Country(
        "us",
        0.60,
        _MONTH_FIRST,
        _MONTH_AND_DAY,
        _SHORT_MONTH_FIRST,
        0.88,
        (
            *("MD", "MD", "MD", "M.D.", "M.D.", "DO", "D.O.", "MD, PhD", "MD MPH", "PA-C", "NP"),
            *("FNP-BC", "MD, FACP", "MD, FACS", "DNP", "APRN", "CRNP"),
        ),
    ),
    Country(
        "uk",
        0.16,
        *_BRITISH_DATES,
        0.12,
        ("MBBS", "MBChB", "MB BS", "FRCP", "MRCP", "FRCS", "MRCGP", "FRCPath", "FRCR", "MRCPsych"),
    ),
    Country(
        "au",
        0.08,
        *_BRITISH_DATES,
        0.15,
        ("MBBS", "MBBS", "FRACP", "FRACS", "FACEM", "FRACGP", "FRANZCP", "BMed"),
    ),
    Country(
        "ie",
        0.07,
        *_BRITISH_DATES,
        0.25,
        ("MB BCh BAO", "MRCPI", "FRCPI", "FRCSI", "MICGP", "MB"),
    ),
    Country(
        "ca",
        0.09,
        _YEAR_FIRST,
        _MONTH_AND_DAY,
        _SHORT_MONTH_FIRST,
        0.7,
        ("MD", "MD", "MD FRCPC", "MD, FRCPC", "MD, FRCSC", "MD, CCFP", "NP"),
    ),
)


class English(BaseWorld):
    """What all parts of an English record need to know: where it is from and how it is written."""

    language: ClassVar[str] = "en"

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.country = rng.choices(COUNTRIES, [country.share for country in COUNTRIES])[0]
        self.code = self.country.code
        self.house_date = self.draw(self.country.dates)
        self.house_worded_date = self.draw(self.country.worded_dates)
        self.minutes = 5 * rng.randrange(12 * 20)
        self.house_time = rng.choice(("24", "24", "12", "12", "hrs", "bare"))
        self.dot = "." if rng.random() < self.country.dotted_titles else ""
        self.telegraphic = rng.random() < 0.15

    def spelled(self, text: str) -> str:
        return spelled(text, self.code, telegraphic=self.telegraphic)

    @property
    def side(self) -> str:
        """The side of the Atlantic whose firms and practices the record knows."""
        return "american" if self.is_american() else "british"

    def is_us(self) -> bool:
        return self.code == "us"

    def is_uk(self) -> bool:
        return self.code == "uk"

    def is_au(self) -> bool:
        return self.code == "au"

    def is_ie(self) -> bool:
        return self.code == "ie"

    def is_ca(self) -> bool:
        return self.code == "ca"

    def is_american(self) -> bool:
        """The United States or Canada."""
        return self.code in ("us", "ca")

    def is_fertile(self) -> bool:
        """Whether the patient may be asked for her last period."""
        return self.is_female() and 13 <= self.age_of(self.patient) < 50

    # -- words that agree with the patient ------------------------------------------------------

    def slot_he(self, request: Request) -> list[Piece]:
        return self._of_sex("she", "he")

    def slot_him(self, request: Request) -> list[Piece]:
        return self._of_sex("her", "him")

    def slot_his(self, request: Request) -> list[Piece]:
        return self._of_sex("her", "his")

    def slot_himself(self, request: Request) -> list[Piece]:
        return self._of_sex("herself", "himself")

    def slot_man(self, request: Request) -> list[Piece]:
        """A word for the patient: man, lady, boy."""
        if self.is_child():
            return self._of_sex(self.rng.choice(("girl", "girl", "female")), "boy")
        return self._of_sex(
            self.rng.choice(("woman", "woman", "female", "lady", "woman")),
            self.rng.choice(("man", "man", "male", "gentleman", "man")),
        )

    def slot_sex(self, request: Request) -> list[Piece]:
        """What stands in a field."""
        return self._of_sex(*self.rng.choice((("F", "M"), ("Female", "Male"), ("female", "male"))))

    def slot_mf(self, request: Request) -> list[Piece]:
        return self._of_sex("F", "M")

    def _of_sex(self, female: str, male: str) -> list[Piece]:
        return [Piece(female if self.is_female() else male)]
