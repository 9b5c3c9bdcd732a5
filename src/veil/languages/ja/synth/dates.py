"""Dates, times and ages of Japanese dummy records, with the words that belong to them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.languages import read_language_toml
from veil.languages.ja.eras import ERAS, KANJI_DIGITS, era_of, in_kanji
from veil.languages.ja.synth.people import People
from veil.synth.patterns import word_pairs, words
from veil.synth.scenario import Request
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile

_LANGUAGE = "ja"
_WEEKDAYS = "月火水木金土日"
_UNITS = ("hour", "day", "week", "month", "year")
_PARTS_OF_DAY = ("午前", "午後", "早朝", "夕方", "夜", "朝", "深夜", "未明", "昼頃", "夜間")
_PATTERNS: dict[str, dict[str, float]] = {
    "md": {"{m}月{d}日": 20, "{mk}月{dk}日": 0.4, "{m}月 {d}日": 0.4},
    "slash": {"{m}/{d}": 10, "{mm}/{dd}": 2},
    "jun": {
        f"{{m}}月{part}": 1
        for part in ("上旬", "中旬", "下旬", "初旬", "初め", "末", "半ば", "中旬頃")
    },
    "monthname": {"{m}月": 10, "{m}月頃": 2, "{m}月末": 1},
}
# The words after a time by the name that templates use; the list `option_NAME` has them.
_OPTIONS = ("since", "until", "about", "after", "maybe")


def weekday(day: date) -> str:
    """The first character of the day of the week."""
    return _WEEKDAYS[day.weekday()]


def write_day(day: date, pattern: str, *, today: date) -> str:
    """Write a day by a pattern; `{x}` is the masked year, counted from that of the record."""
    era = ERAS[era_of(day)]
    number = day.year - era.first_day.year + 1
    before = today.year - day.year
    return pattern.format(
        y=day.year,
        yy=f"{day.year % 100:02}",
        m=day.month,
        mm=f"{day.month:02}",
        d=day.day,
        dd=f"{day.day:02}",
        era=era.name,
        E=era.letter,
        ey="元" if number == 1 else number,
        en=number,
        ek="元" if number == 1 else in_kanji(number),
        yk="".join(KANJI_DIGITS[int(digit)] for digit in str(day.year)),
        mk=in_kanji(day.month),
        dk=in_kanji(day.day),
        mon=words(_LANGUAGE, "months_in_latin")[day.month - 1],
        x="X" if not before else f"X{'-' if 0 < before else '+'}{abs(before)}",
    )


def date_forms() -> list[dict[str, Any]]:
    """Return the forms of days, months and years in records; the first is usual in prose."""
    forms: list[dict[str, Any]] = read_language_toml(_LANGUAGE, "synth/words.toml")["date_forms"]
    return forms


def _has_era(form: dict[str, Any]) -> bool:
    return "{era" in form["day"] or "{E}" in form["day"]


class Times(People):
    """Dates, times and ages; a record writes its dates in one form."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._form = self._draw_form()
        western = date_forms()[0]
        era = next(form for form in date_forms() if form["day"] == "{era}{ey}年{m}月{d}日")
        # In prose, most records have the words for year and month whatever their form.
        self._prose_form = (
            self._form if "月" in self._form["day"] else rng.choice((self._form, western, era))
        )
        masked = any(mask in self._form["day"] for mask in ("X", "{x}", "●", "○"))
        keeps_form = rng.random() < 0.5 and not masked
        self._birth_form = self._form if keeps_form else self._draw_form(of_birth=True)
        self._brackets = rng.choice(("（）", "()"))
        self._minutes = rng.randrange(0, 1440, 5)

    def _draw_form(self, *, of_birth: bool = False) -> dict[str, Any]:
        """A form of dates. Birth dates are never masked and three times as often in an era."""
        forms = date_forms()
        weights = [form["weight"] for form in forms]
        if of_birth:
            weights = [
                0
                if any(mask in form["day"] for mask in ("X", "{x}", "●", "○"))
                else weight * (3 if _has_era(form) else 1)
                for form, weight in zip(forms, weights, strict=True)
            ]
        return self.rng.choices(forms, weights)[0]

    def _option(self, style: str) -> str:
        return self.word(f"option_{style}") if style else ""

    # -- dates ----------------------------------------------------------------------------------

    def slot_date(self, request: Request) -> list[Segment]:
        """A day, `{date.admission/md_since}`: a form and what follows, or the writer's choice."""
        day = self.date(request)
        view = request.view.rstrip("23")
        block = f"date_style.{view}"
        usual = self.text(block if self.has_block(block) else "date_style")
        form, option = _form_and_option(request.style or usual)
        if form in _OPTIONS:
            form, option = usual.split("_")[0], form
        if form == "range":
            return self._range(day)
        text = self._date_form(day, form, birth=request.view == "birth")
        return [Segment(text + self._option(option), "DATE")]

    def slot_holiday(self, request: Request) -> list[Segment]:
        holidays = word_pairs(_LANGUAGE, "holidays").get(str(self.today.month))
        names = holidays or words(_LANGUAGE, "other_holidays")
        after = self._option(request.style or "maybe")
        return [Segment(self.rng.choice(names) + after.replace("頃", ""), "DATE")]

    def slot_days(self, request: Request) -> list[Segment]:
        """Several days of one month: 3月5日、12日、19日; each is a span."""
        first = self.date(request)
        if 14 < first.day:
            return self.slot_date(Request("date", request.number, request.view, "md"))
        mark = self.rng.choice(("、", "、", "，", "・"))
        segments = [Segment(self._date_form(first, "md"), "DATE")]
        for weeks in range(1, self.rng.randint(1, 2) + 1):
            segments += [Segment(mark), Segment(f"{first.day + 7 * weeks}日", "DATE")]
        return segments

    def slot_los(self, request: Request) -> list[Segment]:
        """The length of the stay in days, which is not an identifier."""
        return [Segment(str((self._dates["discharge"] - self._dates["admission"]).days + 1))]

    def slot_weekday(self, request: Request) -> list[Segment]:
        day = self.today + timedelta(days=self.rng.randint(1, 9))
        lead = self.rng.choice(("", "", "来週", "来週の", "今週", "次週"))
        name = f"{lead}{weekday(day)}曜{self.rng.choice(('日', '日', ''))}"
        return [Segment(name + self._option(request.style), "DATE")]

    def _date_form(self, day: date, form: str, *, birth: bool = False) -> str:
        if form == "num":
            return self._write(day, (self._birth_form if birth else self._form)["day"])
        base, _, more = form.partition("_")
        text = self._plain_date(day, base, birth=birth)
        if more == "wd":
            name = weekday(day)
            opening, closing = self._brackets[0], self._brackets[1]
            days = (f"{opening}{name}{closing}", f"{name}曜日", f"{opening}{name}曜日{closing}")
            text += self.rng.choices(days, (5, 1, 1))[0]
        elif more == "clock" and self.rng.random() < 0.5:
            text += self.rng.choice(("", "", "の", " ")) + self.rng.choice(_PARTS_OF_DAY)
        elif more == "clock":
            text += self.rng.choice(("", " ")) if text.endswith("日") else " "
            hour, minute = self.rng.randrange(24), self.rng.choice((0, 0, 15, 20, 30, 30, 45, 50))
            text += self.rng.choice((f"{hour}:{minute:02}", f"{hour}時{minute}分", f"{hour}時"))
        return text

    def _plain_date(self, day: date, form: str, *, birth: bool) -> str:
        house = self._birth_form if birth else self._prose_form
        if form in ("full", "month", "year"):
            return self._write(day, house["day" if form == "full" else form])
        if form == "other":
            return self._write(day, self._draw_form()["day"])
        if form == "week":
            return f"{self.rng.choice(('来週', '再来週', '翌週'))}{weekday(day)}曜日"
        if form == "day":
            return f"{day.day}日"
        if form == "season":
            return self._write(day, house["year"]) + words(_LANGUAGE, "seasons")[day.month - 1]
        if form == "decade":
            return f"{day.year // 10 * 10}年代{self.rng.choice(('', '', '前半', '後半'))}"
        if form == "this":
            return self._of_relative_year(day)
        if form not in _PATTERNS:
            raise InputError(f"unknown form of a date '{form}'")
        return self._write(day, self.draw(_PATTERNS[form]))

    def _write(self, day: date, pattern: str) -> str:
        return write_day(day, pattern, today=self.today)

    def _of_relative_year(self, day: date) -> str:
        """A month of this year or the last: 昨年12月, 本年3月."""
        years = word_pairs(_LANGUAGE, "relative_years").get(str(self.today.year - day.year))
        if years is None:
            return self._write(day, self._prose_form["month"])
        tails = ("", "", f"{day.day}日", "末")
        return f"{self.rng.choice(years)}{day.month}月{self.rng.choice(tails)}"

    def _range(self, first: date) -> list[Segment]:
        """From one day to another: two spans, without the sign between them."""
        last = first + timedelta(days=self.rng.randint(1, 12))
        form = self.rng.choice(("slash", "md", "num", "full"))
        start, end = self._date_form(first, form), self._date_form(last, form)
        if form != "slash" and self.rng.random() < 0.35:
            return [Segment(start + "から", "DATE"), Segment(end + "まで", "DATE")]
        if form == "md" and first.month == last.month and self.rng.random() < 0.4:
            end = f"{last.day}日"
        mark = self.rng.choice(("～", "～", "〜", " ～ ", "-", "－"))
        after = self.rng.choice(("", "", "まで"))
        return [Segment(start, "DATE"), Segment(mark), Segment(end + after, "DATE")]

    # -- times ----------------------------------------------------------------------------------

    def slot_ago(self, request: Request) -> list[Segment]:
        """`{ago.day/since}`: 3日前から. 約 may precede it, outside the span."""
        unit = request.view or self.draw({"day": 5, "week": 3, "month": 3, "year": 3})
        if unit not in _UNITS:
            raise InputError(f"unknown unit of time '{unit}'; known: {', '.join(_UNITS)}")
        text = self._time_form(f"ago_form.{unit}")
        vague = any(word in text for word in ("ほど", "程", "くらい", "位"))
        time = self._time(text, request)
        about = text[0].isdigit() and not vague and self.rng.random() < 0.12
        return [Segment("約"), time] if about else [time]

    def _slot_time_form(self, request: Request) -> list[Segment]:
        """A time counted from the stay, an operation, an event or another time."""
        return [self._time(self._time_form(f"{request.name}_form"), request)]

    slot_later = slot_stay = slot_pod = slot_since = slot_daypart = _slot_time_form

    def slot_clock(self, request: Request) -> list[Segment]:
        hour = self.rng.randint(8, 19) if request.view == "day" else self.rng.randrange(24)
        minute = self.rng.choice((0, 0, 5, 10, 15, 20, 30, 30, 40, 45, 50, 55))
        return [self._time(self._clock(hour, minute, "time_form"), request)]

    def slot_hour(self, request: Request) -> list[Segment]:
        """A time of day as the record's tables write it, each later than the last."""
        hour, minute = self.rng.randint(9, 16), self.rng.choice((0, 0, 15, 30, 30, 45))
        if request.view != "day":
            self._minutes += self.rng.choice((5, 10, 15, 20, 30, 45, 60, 90, 120))
            hour, minute = divmod(self._minutes % 1440, 60)
        return [Segment(self._clock(hour, minute, "clock_form"), "TIME")]

    def _clock(self, hour: int, minute: int, block: str) -> str:
        parts = {
            "h": str(hour),
            "hh": f"{hour:02}",
            "mi": f"{minute:02}",
            "minutes": f"{minute}分" if minute else "",
            "h12": str(hour % 12 or 12),
            "half": "午前" if hour < 12 else "午後",
            "am": "AM" if hour < 12 else "PM",
            "day_part": "早朝" if hour < 8 else "朝" if hour < 12 else "昼" if hour < 15 else "夜",
        }
        with self.with_parts(parts):
            return self.text(block)

    def slot_t(self, request: Request) -> list[Segment]:
        """A time as in the template; Ｎ is a number below ten, Ｍ a larger one."""
        return [self._time(self._literal(request.view), request)]

    def _time(self, text: str, request: Request) -> Segment:
        option = self._option(request.style)
        if text.endswith(("頃", "目", "朝", "日", "夜", "晩", "方", "中")):
            option = option.replace("頃", "").replace("ごろ", "")
        return Segment(text + option, "TIME")

    def _literal(self, text: str) -> str:
        """The text of a template, with numbers for Ｎ and Ｍ and the writer's word for months."""
        text = text.replace("Ｎ", str(self.rng.randint(2, 9)))
        text = text.replace("Ｍ", str(self.rng.randint(10, 40)))
        return text.replace("か月", self.text("months"))

    def _time_form(self, block: str) -> str:
        number, days = self.rng.randint(1, 8), self.rng.randint(2, 21)
        parts = {
            "n": str(number),
            "m": str(number + 1),
            "k": KANJI_DIGITS[number],
            "t": str(self.rng.choice((10, 15, 20, 25, 30, 40))),
            "kt": self.rng.choice(("十", "二十", "三十")),
            "s": str(days),
            "ks": KANJI_DIGITS[days % 9 + 1],
            "か月": self.text("months"),
        }
        with self.with_parts(parts):
            return self.text(block)

    # -- ages -----------------------------------------------------------------------------------

    def _age(self, block: str, years: int, days: int = 0, *, decades: bool = True) -> str:
        parts = {
            "years": str(years),
            "kanji_years": in_kanji(years) if years < 100 else str(years),
            "decade": str(years // 10 * 10),
            "half": "前半" if years % 10 < 5 else "後半",
            "days": str(max(days, 1)),
            "count": str((days - years * 365) // 31 if years else days // 30),
        }
        variants = ["decades"] if decades and 20 <= years else []
        with self.with_parts(parts, *variants):
            return self.text(block)

    def is_decades(self) -> bool:
        """Whether the age to be written may be a decade: 50代."""
        return "decades" in self.variants

    def slot_age(self, request: Request) -> list[Segment]:
        """The patient's age; view `num` is the number of years alone, `plain` never a decade."""
        days, years = (self.today - self._birth).days, self.age_of(self.patient)
        if request.view == "digits" or (request.view == "num" and 2 <= years):
            return [Segment(str(years), "AGE" if request.view == "num" else None)]
        if years < 1:
            unit = "days" if days < 35 else "months"
            return [Segment(self._age(f"age_form.{unit}", 0, days), "AGE")]
        if years < 7 and 31 <= days - years * 365 and self.rng.random() < 0.5:
            return [Segment(self._age("age_form.child", years, days), "AGE")]
        return [Segment(self._age("age_form", years, decades=request.view != "plain"), "AGE")]

    def slot_ageat(self, request: Request) -> list[Segment]:
        """An age that the patient had: 40歳頃から; `{ageat.adult}` as an adult."""
        age = self.age_of(self.patient)
        if age < 4:
            months = self.rng.randint(1, max(2, age * 12))
            after = self.rng.choice(("", "時", "頃", "より"))
            return [Segment(f"生後{months}{self.text('months')}{after}", "AGE")]
        youngest = min(20, age - 1) if request.view == "adult" else 3
        text = self._age("past_age", self.rng.randint(youngest, age - 1))
        if request.style:
            return [Segment(text + self._option(request.style), "AGE")]
        endings = {"": 4.0, "より": 1.0} if "代" in text else {"": 3.0, "時": 6.0, "頃": 3.0}
        return [Segment(text + self.draw(endings), "AGE")]

    def slot_ageof(self, request: Request) -> list[Segment]:
        """The age of a relative."""
        years = max(self.age_of(self.person(Request("relative", request.number))), 1)
        return [Segment(f"{years}{self.text('years_mark')}", "AGE")]

    def slot_a(self, request: Request) -> list[Segment]:
        """An age as in the template; Ｎ and Ｍ are numbers."""
        text = self._literal(request.view.replace("Ｍ", str(self.rng.randint(30, 92))))
        return [Segment(text.replace("歳", self.text("years_mark")), "AGE")]


def _form_and_option(style: str) -> tuple[str, str]:
    """Split "md_since" but not "md_wd", a form of its own."""
    form, _, more = style.partition("_")
    return (style, "") if more in ("wd", "clock") else (form, more)
