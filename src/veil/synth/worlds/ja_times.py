"""Times that are told by other times and times of day, with the words that belong to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.synth.pieces import Piece
from veil.synth.worlds.ja_dates import OPTIONS, Dates
from veil.synth.worlds.ja_weights import weighted

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

_MONTHS = {"か月": 9, "ヶ月": 7, "ヵ月": 2, "カ月": 2, "ケ月": 1, "箇月": 0.2}
_UNITS = ("hour", "day", "week", "month", "year")
_NUMERALS = "一二三四五六七八九"


class Times(Dates):
    """Slots of times."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.months = self.draw(_MONTHS)
        self._minutes = rng.randrange(0, 1440, 5)
        self._clock = self.draw(
            {"{h}:{mi:02}": 8, "{h:02}:{mi:02}": 5, "{h}時{mi}分": 4, "{h}：{mi:02}": 1}
        )

    # -- relative times -------------------------------------------------------------------------

    def slot_ago(self, request: Request) -> list[Piece]:
        """`{ago.day/since}`: 3日前から. About how long may stand before it, outside."""
        unit = request.view or self.draw({"day": 5, "week": 3, "month": 3, "year": 3})
        if unit not in _UNITS:
            raise InputError(f"unknown unit of time '{unit}'; known: {', '.join(_UNITS)}")
        text = self._filled(self.draw(weighted(f"ago_{unit}")))
        exact = text[0].isdigit() and not any(
            word in text for word in ("ほど", "程", "くらい", "位")
        )
        time = self._time(text, request)
        return [Piece("約"), time] if exact and self.rng.random() < 0.12 else [time]

    def slot_later(self, request: Request) -> list[Piece]:
        return [self._time(self._filled(self.draw(weighted("times_later"))), request)]

    def slot_stay(self, request: Request) -> list[Piece]:
        """A day of the stay in hospital."""
        return [self._time(self._filled(self.draw(weighted("times_of_stay"))), request)]

    def slot_pod(self, request: Request) -> list[Piece]:
        """A day after the operation."""
        return [self._time(self._filled(self.draw(weighted("times_after_surgery"))), request)]

    def slot_since(self, request: Request) -> list[Piece]:
        """A time counted from something that happened."""
        return [self._time(self._filled(self.draw(weighted("times_after_event"))), request)]

    def slot_daypart(self, request: Request) -> list[Piece]:
        return [self._time(self.draw(weighted("parts_of_day")), request)]

    def slot_clock(self, request: Request) -> list[Piece]:
        return [self._time(self._clock_time(request.view), request)]

    def slot_hour(self, request: Request) -> list[Piece]:
        """A time of day as the record's tables write it, each later than the last."""
        hour, minute = self.rng.randint(9, 16), self.rng.choice((0, 0, 15, 30, 30, 45))
        if request.view != "day":
            self._minutes += self.rng.choice((5, 10, 15, 20, 30, 45, 60, 90, 120))
            hour, minute = divmod(self._minutes % 1440, 60)
        return [Piece(self._clock.format(h=hour, mi=minute).replace("時0分", "時"), "TIME")]

    def slot_t(self, request: Request) -> list[Piece]:
        """A time as the template has it; Ｎ is a number below ten, Ｍ a larger one."""
        return [self._time(self.literal(request.view), request)]

    def _time(self, text: str, request: Request) -> Piece:
        option = self.draw(OPTIONS[request.style]) if request.style else ""
        if text.endswith(("頃", "目", "朝", "日", "夜", "晩", "方", "中")):
            option = option.replace("頃", "").replace("ごろ", "")
        return Piece(text + option, "TIME")

    def literal(self, text: str) -> str:
        """What a template has, with numbers for Ｎ and Ｍ and the writer's word for months."""
        if "Ｎ" in text or "Ｍ" in text:
            text = text.replace("Ｎ", str(self.rng.randint(2, 9)))
            text = text.replace("Ｍ", str(self.rng.randint(10, 40)))
        return text.replace("か月", self.months)

    def _filled(self, pattern: str) -> str:
        number = self.rng.randint(1, 8)
        days = self.rng.randint(2, 21)
        return pattern.format_map(
            {
                "n": number,
                "m": number + 1,
                "k": _NUMERALS[number - 1],
                "t": self.rng.choice((10, 15, 20, 25, 30, 40)),
                "kt": self.rng.choice(("十", "二十", "三十")),
                "s": days,
                "ks": _NUMERALS[days % 9],
                "か月": self.months,
            }
        )

    def _clock_time(self, view: str) -> str:
        rng = self.rng
        hour = rng.randint(8, 19) if view == "day" else rng.randrange(24)
        minute = rng.choice((0, 0, 5, 10, 15, 20, 30, 30, 40, 45, 50, 55))
        half = "午前" if hour < 12 else "午後"
        short = hour % 12 or 12
        part = "早朝" if hour < 8 else "朝" if hour < 12 else "昼" if hour < 15 else "夜"
        forms = {
            self._clock.format(h=hour, mi=minute): 10,
            f"{hour}:{minute:02}": 4,
            f"{hour}時{minute}分" if minute else f"{hour}時": 5,
            f"{hour}時半": 1,
            f"{half}{short}時": 2,
            f"{half}{short}時{minute}分" if minute else f"{half}{short}時": 1.5,
            f"{half}{short}時半": 0.7,
            f"{half}{short}時頃": 1,
            f"{hour}時頃": 2,
            f"{'AM' if hour < 12 else 'PM'}{short}:{minute:02}": 0.6,
            f"{part}{short}時": 0.5,
            f"{hour}:{minute:02}頃": 1,
        }
        return self.draw(forms)
