"""Places and institutions of Japanese dummy records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from veil.languages.ja.synth.dates import Ages, kanji_number
from veil.languages.ja.synth.people import surname
from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

# Entries of the list of countries that no patient is from.
_NOWHERE = (
    *("諸島", "島", "領", "周辺", "疑似", "不明", "国際", "欧州", "南極", "本邦", "我が国", "日本"),
    *("地域", "満", "ソビエト", "ソ連", "東ドイツ", "西ドイツ", "ペルシャ", "ビルマ", "ユーゴ"),
)


@dataclass(frozen=True)
class Prefecture:
    """A prefecture with the start of its telephones and postcodes, and its municipalities."""

    name: str
    area_code: str
    postcode: str
    towns: tuple[str, ...]


@cache
def prefectures() -> tuple[Prefecture, ...]:
    """All prefectures of the list."""
    split = (entry.split("=") for entry in words("ja", "prefectures"))
    return tuple(
        Prefecture(name, area, postcode, tuple(towns.split("/")))
        for name, area, postcode, towns in split
    )


@cache
def stems(prefecture: Prefecture) -> tuple[str, ...]:
    """The names of its cities without the word for city: 松本, 札幌."""
    return tuple(
        dict.fromkeys(
            town[: town.rindex("市")] for town in prefecture.towns if re.search("市$|市.+区$", town)
        )
    )


@cache
def _countries() -> tuple[str, ...]:
    return tuple(
        name for name in lexicon("ja", "country") if not any(word in name for word in _NOWHERE)
    )


class Places(Ages):
    """Slots of places; a record is at home in one prefecture."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.prefecture = rng.choice(prefectures())
        self.home = rng.choice(self.prefecture.towns)
        self._address_form = self.draw({"dash": 6, "words": 3, "mixed": 1.5, "bare": 1})

    # -- slots ----------------------------------------------------------------------------------

    def slot_address(self, request: Request) -> list[Piece]:
        """A whole address, the same throughout the record; `{address.zip}` with its postcode."""
        postcode = self.rng.random() < 0.3 if not request.view else request.view == "zip"
        address = self.kept(request.key, lambda: [Piece(self._address(request.number))])[0].text
        if not postcode:
            return [Piece(address, "LOCATION")]
        mark = self.rng.choice(("〒", "〒", "〒 ")) + self._postcode()
        return [Piece(f"{mark}{self.rng.choice((' ', '　', ' '))}{address}", "LOCATION")]

    def slot_zip(self, request: Request) -> list[Piece]:
        """A postcode that stands alone; `{zip.key}` without its sign."""
        mark = "" if request.view == "key" else self.rng.choice(("〒", "〒", "〒 "))
        return [Piece(mark + self._postcode(), "ZIP")]

    def slot_town(self, request: Request) -> list[Piece]:
        """Where somebody lives: the patient, or with a number somebody else."""
        where, town = self.prefecture, self.home
        if request.number:
            where = self.rng.choice((self.prefecture, *self.rng.sample(prefectures(), 2)))
            town = self.rng.choice(where.towns)
        forms = (town, town, town, where.name + town, where.name + town, where.name)
        return [Piece(self.rng.choice(forms), "LOCATION")]

    def slot_land(self, request: Request) -> list[Piece]:
        """A prefecture or a city without the word for what it is: 松本, 京都."""
        where = self.rng.choice(prefectures())
        name = where.name if where.name == "北海道" else where.name[:-1]
        return [Piece(self.rng.choice((name, *stems(where)[:4], where.name)), "LOCATION")]

    def slot_spot(self, request: Request) -> list[Piece]:
        """Somewhere people meet or fall: 松本駅前."""
        head = self.rng.choice((*stems(self.prefecture), self.quarter_head()))
        return [Piece(head + self.rng.choice(words("ja", "stations")), "LOCATION")]

    def slot_country(self, request: Request) -> list[Piece]:
        often = (
            "中国",
            "韓国",
            "ベトナム",
            "フィリピン",
            "ブラジル",
            "ネパール",
            "タイ",
            "インドネシア",
        )
        names = often if self.rng.random() < 0.4 else _countries()
        return [Piece(self.rng.choice(names), "COUNTRY")]

    # -- parts ----------------------------------------------------------------------------------

    def city_stem(self, prefecture: Prefecture | None = None) -> str:
        """A city by its bare name, mostly near by."""
        where = prefecture or (
            self.prefecture if self.rng.random() < 0.7 else self.rng.choice(prefectures())
        )
        return self.rng.choice(stems(where))

    def quarter_head(self) -> str:
        return self.rng.choice(words("ja", "town_heads"))

    def quarter(self) -> str:
        """A part of a town, put together: 桜台, 上野本町."""
        side = self.rng.choice(("", "", "", "", "", "東", "西", "南", "北", "上", "下", "新", "元"))
        return side + self.quarter_head() + self.rng.choice(words("ja", "town_tails"))

    def _postcode(self) -> str:
        rest = self.digits(5, first="0123456789")
        digits = (self.prefecture.postcode + rest)[:7]
        return f"{digits[:3]}-{digits[3:]}" if self.rng.random() < 0.9 else digits

    def _address(self, number: str) -> str:
        where, town = self.prefecture, self.home
        if number:
            where = self.prefecture if self.rng.random() < 0.6 else self.rng.choice(prefectures())
            town = self.rng.choice(where.towns)
        start = where.name if self.rng.random() < 0.75 else ""
        street = f"{start}{town}{self._street(town)}"
        if self.rng.random() < 0.3:
            gap = self.rng.choice((" ", "　", " ", ""))
            street += gap + self._building()
        return street

    def _street(self, town: str) -> str:
        rng = self.rng
        if "札幌" in town and rng.random() < 0.6:
            side = f"{rng.choice('北南')}{rng.randint(1, 30)}条{rng.choice('東西')}"
            return f"{side}{rng.randint(1, 20)}丁目{rng.randint(1, 20)}-{rng.randint(1, 30)}"
        if "郡" in town and rng.random() < 0.5:
            return (
                f"{rng.choice(('大字', '大字', '字', ''))}{self.quarter()}{rng.randint(10, 4000)}"
            )
        return self.quarter() + self._house_number()

    def _house_number(self) -> str:
        rng = self.rng
        a, b, c = rng.randint(1, 7), rng.randint(1, 30), rng.randint(1, 40)
        if self._address_form == "words":
            block = rng.choice((f"{a}丁目", f"{kanji_number(a)}丁目"))
            return rng.choice(
                (f"{block}{b}番{c}号", f"{block}{b}番地", f"{block}{b}-{c}", f"{b}番地の{c}")
            )
        if self._address_form == "mixed":
            return f"{a}丁目{b}-{c}"
        if self._address_form == "bare":
            return rng.choice((str(b * c + 1), f"{b * 10 + c}番地", f"{b * 7 + 3}-{a}"))
        return rng.choice((f"{a}-{b}-{c}", f"{a}-{b}-{c}", f"{a}-{b}", f"{a}－{b}－{c}"))

    def _building(self) -> str:
        rng = self.rng
        name = rng.choice(words("ja", "buildings")) + rng.choice(("", self.quarter_head()))
        if rng.random() < 0.4:
            name = self.quarter_head() + rng.choice(words("ja", "building_tails"))
        number = rng.choice((rng.randint(101, 110), rng.randint(201, 1210)))
        return name + rng.choice((f"{number}号室", f"{number}号", f"{number}", f" {number}", ""))


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
