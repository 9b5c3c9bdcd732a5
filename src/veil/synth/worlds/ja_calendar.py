"""How Japanese records write days: Western years and eras, in digits and kanji."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

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
