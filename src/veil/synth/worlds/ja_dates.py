"""Dates in Japanese records; words such as 頃 or より belong to them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.synth.pieces import Piece
from veil.synth.worlds.ja_calendar import (
    BIRTHS,
    ERA,
    HOUSES,
    WESTERN,
    kanji_number,
    weekday,
    written,
)
from veil.synth.worlds.ja_people import People

if TYPE_CHECKING:
    from datetime import date
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

# What may follow a time, by the name that templates use.
OPTIONS: dict[str, dict[str, float]] = {
    "since": {"より": 5, "から": 5, "頃より": 2, "頃から": 2.5, "ごろから": 0.8, "以降": 0.6},
    "until": {"まで": 10, "頃まで": 1, "迄": 0.3},
    "about": {"頃": 6, "ごろ": 2, "ころ": 1, "前後": 0.3},
    "after": {"以降": 5, "以後": 1, "より": 1},
    "maybe": {"": 8, "頃": 2, "より": 1, "から": 1, "ごろ": 0.5},
}
_FAR = {
    "year": 6,
    "month": 7,
    "full": 3,
    "year_about": 2,
    "month_about": 1.5,
    "season": 0.7,
    "decade": 0.4,
}
_RECENT = {
    "md": 6,
    "month": 3,
    "full": 3,
    "slash": 3,
    "jun": 2,
    "monthname": 2.5,
    "this": 2,
    "season": 0.4,
}
_NEAR = {"md": 8, "slash": 8, "full": 4, "slash_wd": 1.5, "md_wd": 1.5, "day": 1.2, "md_clock": 0.7}
_COMING = {
    "md": 6,
    "slash": 5,
    "md_wd": 4,
    "slash_wd": 3,
    "full": 3,
    "full_wd": 1.5,
    "week": 1.5,
    "md_clock": 1.5,
    "monthname": 1,
}
_PROSE = {
    **dict.fromkeys(("birth", "past", "past2", "past3"), _FAR),
    **dict.fromkeys(("recent", "recent2"), _RECENT),
    **dict.fromkeys(("", "admission", "surgery", "today", "discharge"), _NEAR),
    **dict.fromkeys(("soon", "next"), _COMING),
}
_SEASONS = "冬冬春春春夏夏夏秋秋秋冬"
_HOLIDAYS = {
    1: ("正月", "お正月", "元旦", "年明け"),
    4: ("新年度", "春先"),
    5: ("GW", "ゴールデンウィーク", "GW明け", "連休明け"),
    8: ("お盆", "夏休み", "お盆休み"),
    9: ("シルバーウィーク", "連休中"),
    12: ("年末", "クリスマス", "大晦日", "年末年始"),
}
_CLOCKS = ("午前", "午後", "早朝", "夕方", "夜", "朝", "深夜", "未明", "昼頃", "夜間")


def _form_and_option(style: str) -> tuple[str, str]:
    """Split "md_since" but not "md_wd", a form of its own."""
    form, _, more = style.partition("_")
    return (style, "") if more in ("wd", "clock") else (form, more)


class Dates(People):
    """Slots of dates; a record writes them in the way of its house."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.house = self.draw(HOUSES)
        # In prose, most write the words for year and month whatever their forms say.
        self.prose_house = (
            self.house if "月" in self.house.day else rng.choice((self.house, WESTERN, ERA))
        )
        self.birth_house = (
            self.house if rng.random() < 0.5 and self.house in BIRTHS else self.draw(BIRTHS)
        )
        self.brackets = rng.choice(("（）", "（）", "()", "()"))

    def slot_date(self, request: Request) -> list[Piece]:
        """A day, `{date.admission/md_since}`: a form and what follows, or the writer's choice."""
        day = self.date(request)
        prose = self.draw(_PROSE[request.view + request.number])
        form, option = _form_and_option(request.style or prose)
        if form in OPTIONS:
            form, option = prose.split("_")[0], form
        if form == "range":
            return self._range(day)
        after = self.draw(OPTIONS[option]) if option else ""
        return [Piece(self._date_form(day, form, birth=request.view == "birth") + after, "DATE")]

    def slot_holiday(self, request: Request) -> list[Piece]:
        names = _HOLIDAYS.get(self.today.month) or ("年末", "お正月", "お盆", "GW明け", "夏休み")
        after = self.draw(OPTIONS[request.style or "maybe"])
        return [Piece(self.rng.choice(names) + after.replace("頃", ""), "DATE")]

    def slot_days(self, request: Request) -> list[Piece]:
        """Several days of one month: 3月5日、12日、19日; each is a span."""
        first = self.date(request)
        if 14 < first.day:
            return self.slot_date(type(request)("date", request.number, request.view, "md"))
        mark = self.rng.choice(("、", "、", "，", "・"))
        later = [first + timedelta(days=7 * number) for number in (1, 2)]
        rest = [piece for day in later for piece in (Piece(mark), Piece(f"{day.day}日", "DATE"))]
        return [Piece(self._date_form(first, "md"), "DATE"), *rest[: self.rng.choice((2, 4))]]

    def slot_los(self, request: Request) -> list[Piece]:
        """The length of the stay in days, which identifies nobody."""
        return [Piece(str((self._dates["discharge"] - self._dates["admission"]).days + 1))]

    def slot_d(self, request: Request) -> list[Piece]:
        """A date as the template has it."""
        return [Piece(request.view, "DATE")]

    def slot_weekday(self, request: Request) -> list[Piece]:
        day = self.today + timedelta(days=self.rng.randint(1, 9))
        lead = self.rng.choice(("", "", "来週", "来週の", "今週", "次週"))
        after = self.draw(OPTIONS[request.style]) if request.style else ""
        return [Piece(f"{lead}{weekday(day)}曜{self.rng.choice(('日', '日', ''))}{after}", "DATE")]

    # -- forms ----------------------------------------------------------------------------------

    def _date_form(self, day: date, form: str, *, birth: bool = False) -> str:
        house = self.birth_house if birth else self.house
        if form == "num":
            return self._written(day, house.day)
        base, _, more = form.partition("_")
        text = self._plain(day, base, birth=birth)
        if more == "wd":
            opening, closing = self.brackets[0], self.brackets[1]
            name = weekday(day)
            text += self.rng.choice(
                (f"{opening}{name}{closing}",) * 5
                + (f"{name}曜日", f"{opening}{name}曜日{closing}")
            )
        elif more == "clock":
            if self.rng.random() < 0.5:
                text += self.rng.choice(("", "", "の", " ")) + self.rng.choice(_CLOCKS)
            else:
                text += self.rng.choice(("", " ")) if text.endswith("日") else " "
                text += self.clock()
        return text

    def clock(self) -> str:
        """A time of day as it stands behind a date."""
        hour, minute = self.rng.randrange(24), self.rng.choice((0, 0, 15, 20, 30, 30, 45, 50))
        return self.rng.choice((f"{hour}:{minute:02}", f"{hour}時{minute}分", f"{hour}時"))

    def _plain(self, day: date, form: str, *, birth: bool = False) -> str:
        house = self.birth_house if birth else self.prose_house
        if form == "full":
            return self._written(day, house.day)
        if form == "other":
            return self._written(day, self.draw(HOUSES).day)
        if form == "month":
            return self._written(day, house.month)
        if form == "year":
            return self._written(day, house.year)
        if form == "week":
            return f"{self.rng.choice(('来週', '再来週', '翌週'))}{weekday(day)}曜日"
        if form == "day":
            return f"{day.day}日"
        if form == "season":
            return self._written(day, house.year) + _SEASONS[day.month - 1]
        if form == "decade":
            return f"{day.year // 10 * 10}年代{self.rng.choice(('', '', '前半', '後半'))}"
        if form == "this":
            return self._of_relative_year(day)
        patterns: dict[str, dict[str, float]] = {
            "md": {"{m}月{d}日": 20, "{mk}月{dk}日": 0.4, "{m}月 {d}日": 0.4},
            "slash": {"{m}/{d}": 10, "{mm}/{dd}": 2},
            "jun": {
                f"{{m}}月{part}": 1
                for part in ("上旬", "中旬", "下旬", "初旬", "初め", "末", "半ば", "中旬頃")
            },
            "monthname": {"{m}月": 10, "{m}月頃": 2, "{m}月末": 1},
        }
        if form not in patterns:
            raise InputError(f"unknown form of a date '{form}'")
        return self._written(day, self.draw(patterns[form]))

    def _written(self, day: date, pattern: str) -> str:
        return written(day, pattern, today=self.today)

    def _of_relative_year(self, day: date) -> str:
        """A month of this year or the last: 昨年12月, 本年3月."""
        words = {0: ("今年", "本年", "同年"), 1: ("昨年", "去年", "前年", "昨年の"), 2: ("一昨年",)}
        names = words.get(self.today.year - day.year)
        if names is None:
            return self._written(day, self.prose_house.month)
        months = (
            f"{day.month}月",
            f"{day.month}月",
            f"{day.month}月{day.day}日",
            f"{day.month}月末",
        )
        return self.rng.choice(names) + self.rng.choice(months)

    def _range(self, first: date) -> list[Piece]:
        """From one day to another: one span, or two where each has its word."""
        last = first + timedelta(days=self.rng.randint(1, 12))
        form = self.rng.choice(("slash", "md", "num", "full"))
        start, end = self._date_form(first, form), self._date_form(last, form)
        if form != "slash" and self.rng.random() < 0.35:
            return [Piece(start + "から", "DATE"), Piece(end + "まで", "DATE")]
        if form == "md" and first.month == last.month and self.rng.random() < 0.4:
            end = f"{last.day}日"
        mark = self.rng.choice(("～", "～", "〜", " ～ ", "-", "－"))
        after = self.rng.choice(("", "", "まで"))
        return [Piece(f"{start}{mark}{end}{after}", "DATE")]

    def kanji_or_digits(self, number: int) -> str:
        """Small numbers are now and then in kanji."""
        return kanji_number(number) if self.rng.random() < 0.05 and number < 100 else str(number)
