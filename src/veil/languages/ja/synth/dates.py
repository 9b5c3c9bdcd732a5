"""Dates, times and ages of Japanese dummy records, with the words that belong to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.languages.ja.synth.people import People
from veil.synth.pieces import Piece
from veil.synth.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request


@cache
def weighted(name: str) -> Mapping[str, float]:
    """The entries of a Japanese list with their weights; one without a weight has one."""
    split = (entry.partition("*") for entry in words("ja", name))
    return {entry: float(weight or 1) for entry, _, weight in split}


_ERAS = (
    (date(2019, 5, 1), "令和", "R"),
    (date(1989, 1, 8), "平成", "H"),
    (date(1926, 12, 25), "昭和", "S"),
    (date(1912, 7, 30), "大正", "T"),
    (date(1868, 1, 25), "明治", "M"),
)
_WEEKDAYS = "月火水木金土日"
_DIGITS = "〇一二三四五六七八九"


@dataclass(frozen=True)
class House:
    """How one house writes a day, a month and a year."""

    day: str
    month: str
    year: str


WESTERN = House("{y}年{m}月{d}日", "{y}年{m}月", "{y}年")
ERA = House("{era}{ey}年{m}月{d}日", "{era}{ey}年{m}月", "{era}{ey}年")
HOUSES: dict[House, float] = {
    WESTERN: 26,
    House("{y}/{m}/{d}", "{y}/{m}", "{y}年"): 6,
    House("{y}/{mm}/{dd}", "{y}年{m}月", "{y}年"): 10,
    House("{y}/{mm}/{dd}", "{y}/{mm}", "{y}年"): 3,
    House("{y}-{mm}-{dd}", "{y}年{m}月", "{y}年"): 4,
    House("{y}.{m}.{d}", "{y}.{mm}", "{y}年"): 3,
    House("{y}.{mm}.{dd}", "{y}年{m}月", "{y}年"): 2,
    ERA: 15,
    House("{E}{en}.{m}.{d}", "{E}{en}年{m}月", "{E}{en}年"): 8,
    House("{E}{en}.{m}.{d}", "{E}{en}.{m}", "{E}{en}年"): 3,
    House("{E}{en}/{m}/{d}", "{E}{en}年{m}月", "{E}{en}年"): 4,
    House("{E}{en}年{m}月{d}日", "{E}{en}年{m}月", "{E}{en}年"): 2,
    House("{E}{ey}.{m}.{d}", "{E}{ey}年{m}月", "{E}{ey}年"): 1,
    House("{E}.{en}.{m}.{d}", "{era}{ey}年{m}月", "{era}{ey}年"): 0.5,
    House("{era} {ey}年 {m}月 {d}日", "{era} {ey}年 {m}月", "{era} {ey}年"): 1.2,
    House("{era}{ey}年 {m}月{d}日", "{era}{ey}年{m}月", "{era}{ey}年"): 0.8,
    House("{y}年 {m}月 {d}日", "{y}年 {m}月", "{y}年"): 1,
    House("{yy}/{mm}/{dd}", "{y}年{m}月", "{y}年"): 2,
    House("{yy}.{m}.{d}", "{y}年{m}月", "{y}年"): 1,
    House("{y}{mm}{dd}", "{y}年{m}月", "{y}年"): 1,
    House("{era}{ey}年（{y}年）{m}月{d}日", "{era}{ey}年（{y}年）{m}月", "{era}{ey}年（{y}年）"): 1,
    House(
        "{y}年（{era}{ey}年）{m}月{d}日", "{y}年（{era}{ey}年）{m}月", "{y}年（{era}{ey}年）"
    ): 0.8,
    House("{y}（{era}{ey}）年{m}月{d}日", "{y}（{era}{ey}）年{m}月", "{y}（{era}{ey}）年"): 0.6,
    House("{era}{ek}年{mk}月{dk}日", "{era}{ek}年{mk}月", "{era}{ek}年"): 0.6,
    House("{yk}年{mk}月{dk}日", "{yk}年{mk}月", "{yk}年"): 0.3,
    House("20XX年{m}月{d}日", "20XX年{m}月", "20XX年"): 1,
    House("20XX/{mm}/{dd}", "20XX年{m}月", "20XX年"): 0.4,
    House("{x}年{m}月{d}日", "{x}年{m}月", "{x}年"): 1.2,
    House("{y}年●月●日", "{y}年●月", "{y}年"): 0.3,
    House("○年○月○日", "○年○月", "○年"): 0.3,
    House("{mon} {d}, {y}", "{y}年{m}月", "{y}年"): 0.3,
    House("{d}-{mon}-{y}", "{mon} {y}", "{y}年"): 0.2,
}
# Births are told in full, and the era is in use for them longest.
BIRTHS: dict[House, float] = {
    house: weight * (3 if "era" in house.day or "E}" in house.day else 1)
    for house, weight in HOUSES.items()
    if not any(mask in house.day for mask in ("X", "{x}", "●", "○"))
}
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def kanji_number(number: int) -> str:
    """A number below one hundred: 二十三."""
    tens, ones = divmod(number, 10)
    start = "" if tens == 0 else "十" if tens == 1 else _DIGITS[tens] + "十"
    return start + (_DIGITS[ones] if ones or not tens else "")


def weekday(day: date) -> str:
    """The first character of the day of the week."""
    return _WEEKDAYS[day.weekday()]


def written(day: date, pattern: str, *, today: date) -> str:
    """Write a day by a pattern; `{x}` is the masked year, counted from that of the record."""
    start, era, letter = next(each for each in _ERAS if each[0] <= day)
    number = day.year - start.year + 1
    before = today.year - day.year
    return pattern.format(
        y=day.year,
        yy=f"{day.year % 100:02}",
        m=day.month,
        mm=f"{day.month:02}",
        d=day.day,
        dd=f"{day.day:02}",
        era=era,
        E=letter,
        ey="元" if number == 1 else number,
        en=number,
        ek="元" if number == 1 else kanji_number(number),
        yk="".join(_DIGITS[int(digit)] for digit in str(day.year)),
        mk=kanji_number(day.month),
        dk=kanji_number(day.day),
        mon=_MONTHS[day.month - 1],
        wd=weekday(day),
        x="X" if not before else f"X{'-' if 0 < before else '+'}{abs(before)}",
    )


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


_MONTH_WORDS = {"か月": 9, "ヶ月": 7, "ヵ月": 2, "カ月": 2, "ケ月": 1, "箇月": 0.2}
_UNITS = ("hour", "day", "week", "month", "year")
_NUMERALS = "一二三四五六七八九"


class Times(Dates):
    """Slots of times."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.months = self.draw(_MONTH_WORDS)
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


class Ages(Times):
    """Slots of ages and of sex."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._years = self.draw({"歳": 12, "才": 2})

    def slot_age(self, request: Request) -> list[Piece]:
        """The patient's age; `{age.num}` the number of years alone where that will do."""
        days = (self.today - self._birth).days
        years = self.age_of(self.patient)
        if request.view == "num" and 2 <= years:
            return [Piece(str(years), "AGE")]
        if years < 1:
            return [Piece(self._age_of_baby(days), "AGE")]
        months = (days - years * 365) // 31
        if years < 7 and months and self.rng.random() < 0.5:
            return [Piece(f"{years}{self._years}{months}{self.months}", "AGE")]
        forms = {f"{years}{self._years}": 30, f"{years} {self._years}": 0.6}
        if request.view != "plain" and 20 <= years:
            decade = years // 10 * 10
            half = "前半" if years % 10 < 5 else "後半"
            forms |= {f"{decade}{self._years}代": 1.2, f"{decade}代": 1.2, f"{decade}代{half}": 0.8}
            forms |= {
                f"{self.kanji_or_digits(years)}{self._years}": 1,
                f"満{years}{self._years}": 0.3,
            }
        return [Piece(self.draw(forms), "AGE")]

    def slot_ageat(self, request: Request) -> list[Piece]:
        """An age that the patient has had: 40歳頃から; `{ageat.adult}` since growing up."""
        age = self.age_of(self.patient)
        if age < 4:
            months = self.rng.randint(1, max(2, age * 12))
            after = self.rng.choice(("", "時", "頃", "より"))
            return [Piece(f"生後{months}{self.months}{after}", "AGE")]
        youngest = min(20, age - 1) if request.view == "adult" else 3
        years = self.rng.randint(youngest, age - 1)
        if 18 < years:
            decade = years // 10 * 10
            texts = {f"{years}{self._years}": 8, f"{decade}代": 3, f"{decade}{self._years}代": 2}
            texts |= {f"{decade}代後半": 1, f"{decade}代前半": 1}
        else:
            texts = {f"{years}{self._years}": 1}
        text = self.draw(texts)
        if request.style:
            return [Piece(text + self.draw(OPTIONS[request.style]), "AGE")]
        endings = {"": 4.0, "より": 1.0} if "代" in text else {"": 3.0, "時": 6.0, "頃": 3.0}
        return [Piece(text + self.draw(endings), "AGE")]

    def slot_ageof(self, request: Request) -> list[Piece]:
        """The age of a relative."""
        years = max(self.age_of(self.person(type(request)("relative", request.number))), 1)
        return [Piece(f"{years}{self._years}", "AGE")]

    def slot_a(self, request: Request) -> list[Piece]:
        """An age as the template has it; Ｎ and Ｍ are numbers."""
        text = request.view.replace("Ｍ", str(self.rng.randint(30, 92)))
        return [Piece(self.literal(text).replace("歳", self._years), "AGE")]

    def _age_of_baby(self, days: int) -> str:
        if days < 35:
            return self.draw({f"日齢{days}": 5, f"生後{max(days, 1)}日": 4, f"生後{days}日目": 1})
        months = days // 30
        return self.draw(
            {
                f"生後{months}{self.months}": 5,
                f"{months}{self.months}": 3,
                f"0{self._years}{months}{self.months}": 1.5,
                f"月齢{months}": 1,
            }
        )

    def slot_sex(self, request: Request) -> list[Piece]:
        """The sex as a form has it."""
        male = self.patient.sex == "male"
        words = ("男", "男性", "男", "M", "男性") if male else ("女", "女性", "女", "F", "女性")
        return [Piece(self.rng.choice(words), "SEX")]

    def slot_man(self, request: Request) -> list[Piece]:
        """The sex as prose has it."""
        male = self.patient.sex == "male"
        if self.age_of(self.patient) < 13:
            child, other = ("男児", "男の子") if male else ("女児", "女の子")
            return [Piece(self.rng.choice((child, child, child, other)), "SEX")]
        return [Piece("男性" if male else "女性", "SEX")]

    def slot_s(self, request: Request) -> list[Piece]:
        """A word of sex as the template has it."""
        return [Piece(request.view, "SEX")]

    def slot_agesex(self, request: Request) -> list[Piece]:
        """Age and sex side by side: 63歳、男性."""
        between = self.rng.choice(("", "、", "、", "の", "の", "，", "　", " ", "・"))
        years = self.age_of(self.patient)
        if 13 <= years and self.rng.random() < 0.12:
            letter = "M" if self.patient.sex == "male" else "F"
            mark, gap = self.rng.choice(
                (("", "/"), (" y.o. ", ""), ("yo ", ""), (" y/o ", ""), ("歳 ", ""))
            )
            age = f"{years}{mark.rstrip()}" if mark else str(years)
            return [Piece(age, "AGE"), Piece(gap or " "), Piece(letter, "SEX")]
        return [*self.slot_age(request), Piece(between), *self.slot_man(request)]
