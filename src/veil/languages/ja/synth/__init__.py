"""Japanese dummy records, whose spans follow MedNLP with Veil's further labels.

Most slots are patterns in `slots.txt`; this module has the places, institutions and numbers that
need rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.core.numbers import luhn_digit, my_number_check_digit
from veil.languages import read_language_toml
from veil.languages.ja.synth.dates import Times
from veil.languages.ja.synth.styles import STYLES
from veil.lexicons import lexicon
from veil.synth.patterns import words
from veil.synth.scenario import by_four
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.scenario import Request

__all__ = ["SCENARIO", "STYLES", "JapaneseScenario"]

_LANGUAGE = "ja"
# The kinds of insurance at the start of an insurer's number of eight digits.
_INSURANCES = ("01", "06", "06", "31", "32", "34", "39", "39", "63", "67")
_PUBLIC_FUNDS = ("12", "21", "38", "51", "54", "54", "80", "88")


@dataclass(frozen=True)
class Prefecture:
    """A prefecture with the start of its telephones and postcodes, and its municipalities."""

    name: str
    area_code: str
    postcode: str
    towns: tuple[str, ...]


@cache
def prefectures() -> tuple[Prefecture, ...]:
    """Return all prefectures of the list."""
    split = (entry.split("=") for entry in words(_LANGUAGE, "prefectures"))
    return tuple(
        Prefecture(name, area, postcode, tuple(towns.split("/")))
        for name, area, postcode, towns in split
    )


@cache
def _cities(prefecture: Prefecture) -> tuple[str, ...]:
    """Return the names of its cities without the word for city: 松本, 札幌."""
    cities = (town for town in prefecture.towns if re.search("市$|市.+区$", town))
    return tuple(dict.fromkeys(city[: city.rindex("市")] for city in cities))


@cache
def _countries() -> tuple[str, ...]:
    excluded = words(_LANGUAGE, "no_countries")
    names = lexicon(_LANGUAGE, "country")
    return tuple(name for name in names if not any(word in name for word in excluded))


class JapaneseScenario(Times):
    """All slots of the Japanese templates; the places of a record are in one prefecture."""

    language: ClassVar[str] = _LANGUAGE
    sentence_space: ClassVar[str] = ""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.prefecture = rng.choice(prefectures())
        self.home = rng.choice(self.prefecture.towns)
        self._masked = rng.random() < 0.12
        self._ward = self._draw_ward()
        count = len(read_language_toml(_LANGUAGE, "synth/words.toml")["habits"])
        self._habits = frozenset(number for number in range(count) if rng.random() < 0.18)

    def spelled(self, text: str) -> str:
        """Plain text in the words that the writer prefers."""
        return _rewritten(text, self._habits) if self._habits else text

    def is_masked(self) -> bool:
        """Whether the record hides the names of hospitals."""
        return self._masked

    # -- places ---------------------------------------------------------------------------------

    def slot_address(self, request: Request) -> list[Segment]:
        """A whole address, the same throughout the record; `{address.zip}` with its postcode."""
        postcode = self.rng.random() < 0.3 if not request.view else request.view == "zip"
        address = self.kept(request.key, lambda: [Segment(self._address(request.number))])[0].text
        if postcode:
            gap = self.rng.choice((" ", "　", " "))
            address = f"{self.text('postcode_mark')}{self._postcode()}{gap}{address}"
        return [Segment(address, "LOCATION")]

    def _address(self, number: str) -> str:
        where, town = self.prefecture, self.home
        if number:
            where = self.prefecture if self.rng.random() < 0.6 else self.rng.choice(prefectures())
            town = self.rng.choice(where.towns)
        start = where.name if self.rng.random() < 0.75 else ""
        block = "street"
        if "札幌" in town and self.rng.random() < 0.6:
            block = "street_sapporo"
        elif "郡" in town and self.rng.random() < 0.5:
            block = "street_rural"
        address = f"{start}{town}{self.text(block)}"
        if self.rng.random() < 0.3:
            address += self.rng.choice((" ", "　", " ", "")) + self.text("building")
        return address

    def _postcode(self) -> str:
        digits = (self.prefecture.postcode + self.fill("99999"))[:7]
        return f"{digits[:3]}-{digits[3:]}" if self.rng.random() < 0.9 else digits

    def slot_postcode(self, request: Request) -> list[Segment]:
        return [Segment(self._postcode())]

    def slot_town(self, request: Request) -> list[Segment]:
        """The home of the patient, or with a number that of another person."""
        where, town = self.prefecture, self.home
        if request.number:
            where = self.rng.choice((self.prefecture, *self.rng.sample(prefectures(), 2)))
            town = self.rng.choice(where.towns)
        forms = {town: 3, where.name + town: 2, where.name: 1}
        return [Segment(self.draw(forms), "LOCATION")]

    def slot_land(self, request: Request) -> list[Segment]:
        """A prefecture or a city without the word for its kind: 松本, 京都."""
        where = self.rng.choice(prefectures())
        name = where.name if where.name == "北海道" else where.name[:-1]
        return [Segment(self.rng.choice((name, *_cities(where)[:4], where.name)), "LOCATION")]

    def slot_spot_head(self, request: Request) -> list[Segment]:
        quarter = self.word("town_heads")
        return [Segment(self.rng.choice((*_cities(self.prefecture), quarter)))]

    def slot_city(self, request: Request) -> list[Segment]:
        """A city in the name of an institution, mostly near by."""
        near = self.rng.random() < 0.7
        where = self.prefecture if near else self.rng.choice(prefectures())
        return [Segment(self.rng.choice(_cities(where)))]

    def slot_prefecture(self, request: Request) -> list[Segment]:
        return [Segment(self.prefecture.name)]

    def slot_quarter_initial(self, request: Request) -> list[Segment]:
        return [Segment(self.word("town_heads")[0])]

    def slot_lexicon_country(self, request: Request) -> list[Segment]:
        return [Segment(self.rng.choice(_countries()))]

    # -- hospitals ------------------------------------------------------------------------------

    def slot_hospital(self, request: Request) -> list[Segment]:
        """A hospital; some records hide the names of all except the first."""

        def make() -> list[Segment]:
            if request.number and (self._masked or self.rng.random() < 0.05):
                return [Segment(self.word("masked_hospitals"), "HOSPITAL")]
            return [Segment(self.text("hospital_name"), "HOSPITAL")]

        return self.kept(request.key, make)

    def slot_ward(self, request: Request) -> list[Segment]:
        """The ward; `{ward.key}` in the form after the word for ward."""
        if request.number:
            return self.expand("other_ward")
        return [Segment(self._ward[request.view == "key"], "DEPARTMENT")]

    def _draw_ward(self) -> tuple[str, str]:
        rng = self.rng
        floor, side, letter = str(rng.randint(2, 12)), rng.choice("東西南北"), rng.choice("ABCD")
        key = rng.choice(
            (
                *(floor + side, floor + side, floor + side, floor + letter),
                *(side + floor, letter + floor, f"{floor}階", f"{floor}F"),
            )
        )
        name = key
        if key == floor + side:
            name = rng.choice((f"{floor}階{side}", key, f"第{rng.randint(1, 6)}"))
        return f"{name}病棟", key

    # -- numbers --------------------------------------------------------------------------------

    def slot_landline(self, request: Request) -> list[Segment]:
        """A telephone number with an area code."""
        near = 0.35 <= self.rng.random()
        area = self.prefecture.area_code if near else self.word("area_codes")
        middle = self.digits(6 - len(area), first="23456789")
        with self.with_parts({"area": area, "middle": middle}):
            return self.expand("landline_form")

    def slot_insurer(self, request: Request) -> list[Segment]:
        """The number of the insurer: eight digits, or six for the insurance of a town."""
        kind = "" if self.rng.random() < 0.3 else self.rng.choice(_INSURANCES)
        return self.kept(request.key, lambda: [self._insurer(kind)])

    def slot_fund(self, request: Request) -> list[Segment]:
        """The number of a public fund that pays the cost."""
        return [self._insurer(self.rng.choice(_PUBLIC_FUNDS))]

    def _insurer(self, kind: str) -> Segment:
        """Kind of insurance, prefecture, insurer and check digit."""
        prefecture = prefectures().index(self.prefecture) + 1
        digits = f"{kind}{prefecture:02}{self.fill('999')}"
        return Segment(digits + luhn_digit(digits), "HEALTHPLAN")

    def slot_recipient(self, request: Request) -> list[Segment]:
        digits = self.digits(6)
        return [Segment(digits + luhn_digit(digits), "HEALTHPLAN")]

    def slot_mynumber(self, request: Request) -> list[Segment]:
        def make() -> list[Segment]:
            digits = self.digits(11)
            gap = self.rng.choice(("", "", " ", "-"))
            return [Segment(by_four(digits + my_number_check_digit(digits), gap), "SSN")]

        return self.kept(request.key, make)

    def slot_card(self, request: Request) -> list[Segment]:
        digits = (self.rng.choice(("4", "51", "35")) + self.digits(14))[:15]
        gap = self.rng.choice((" ", "-", ""))
        return [Segment(by_four(digits + luhn_digit(digits), gap), "ACCOUNT")]


@cache
def _preferred(habits: frozenset[int]) -> tuple[re.Pattern[str], dict[str, str]]:
    tables = read_language_toml(_LANGUAGE, "synth/words.toml")["habits"]
    preferred = {word: other for number in sorted(habits) for word, other in tables[number].items()}
    return re.compile("|".join(map(re.escape, preferred))), preferred


def _rewritten(text: str, habits: frozenset[int]) -> str:
    pattern, preferred = _preferred(habits)
    return pattern.sub(lambda match: preferred[match[0]], text)


SCENARIO = JapaneseScenario
