"""Japanese places: whole addresses as one span, towns, countries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.ja_ages import Ages
from veil.synth.worlds.ja_calendar import kanji_number

if TYPE_CHECKING:
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
