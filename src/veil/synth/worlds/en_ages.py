"""Ages and times of day in English, in all their writings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.pieces import Piece
from veil.synth.worlds.en_country import English

if TYPE_CHECKING:
    from veil.synth.world import Request

_OLD = {
    "-year-old": 6,
    " year old": 2,
    " y/o": 2,
    "yo": 1.5,
    " yo": 1.5,
    "-yr-old": 0.5,
    " yr old": 0.7,
    " y.o.": 0.5,
    "y/o": 0.5,
    "-year old": 0.6,
    " y old": 0.2,
    " years old": 0.3,
}
_SHORT_UNITS = {"day": "d", "week": "wk", "month": "mo"}
_WITH_LETTER = ("{}", "{}", " {}", "yo{}", "yo {}", " y/o {}", " y {}", "yr {}", " yo {}")
_IN_FIELDS = ("", "", "", " y", "y", " years", " yrs", "Y", " yo")
_MINUTES = (1, 2, 3, 5, 5, 7, 10, 10, 12, 15, 20, 30, 45)
_ONES = (
    *"zero one two three four five six seven eight nine ten eleven twelve thirteen".split(),
    *"fourteen fifteen sixteen seventeen eighteen nineteen".split(),
)
_TENS = ". . twenty thirty forty fifty sixty seventy eighty ninety".split()


class Ages(English):
    """Slots `{age}`, `{aged}`, `{agesex}`, `{time}`."""

    def age_parts(self) -> tuple[int, str]:
        """The patient's age as it is told: years, or months, weeks, days of small children."""
        days = (self.today - self.patient.birth).days
        if days < 21:
            return max(days, 1), "day"
        if days < 100:
            return days // 7, "week"
        if days < 730:
            return int(days / 30.44), "month"
        return self.age_of(self.patient), "year"

    def slot_age(self, request: Request) -> list[Piece]:
        """The number alone, that of somebody else (`{age.40_70}`), a decade of life, or a field."""
        number, unit = self.age_parts()
        if request.view == "decade":
            tens = max(self.age_of(self.patient) // 10 * 10, 20)
            return [Piece(f"{tens}{self.rng.choice(('s', 's', chr(39) + 's'))}", "AGE")]
        if request.view == "field":
            rest = self.rng.choice(_IN_FIELDS) if unit == "year" else f" {_plural(unit, number)}"
            return [_age(number), Piece(rest)]
        return [_age(self.between(request) if request.view else number)]

    def slot_aged(self, request: Request) -> list[Piece]:
        """The age before a noun: 72-year-old, 72 y/o, 9-month-old."""
        number, unit = self.age_parts()
        if unit == "year":
            rest = self.draw(_OLD)
            worded = rest in ("-year-old", " year old") and self.rng.random() < 0.06
            return [Piece(in_words(number) if worded else str(number), "AGE"), Piece(rest)]
        rest = self.rng.choice(("-{0}-old", "-{0}-old", " {0} old", " {1} old", "-{0} old"))
        return [_age(number), Piece(rest.format(unit, _SHORT_UNITS[unit]))]

    def slot_agesex(self, request: Request) -> list[Piece]:
        """Age and sex as a note begins: 72-year-old woman, 72F, 72 y/o M."""
        number, unit = self.age_parts()
        if unit == "year" and 9 < number and self.rng.random() < 0.35:
            letter = "F" if self.is_female() else "M"
            form = self.rng.choice(_WITH_LETTER)
            return [_age(number), Piece(form.format(letter.lower() if form == "yo{}" else letter))]
        return [*self.slot_aged(request), Piece(" "), *self.slot_man(request)]

    def slot_time(self, request: Request) -> list[Piece]:
        """A time of day, which identifies nobody; later from mention to mention."""
        self.minutes += self.rng.choice(_MINUTES)
        hour, minute = divmod(self.minutes % (24 * 60), 60)
        half = self.rng.choice(("AM", "am") if hour < 12 else ("PM", "pm"))
        written = {
            "24": f"{hour:02}:{minute:02}",
            "12": f"{(hour - 1) % 12 + 1}:{minute:02} {half}",
            "hrs": f"{hour:02}{minute:02} hrs",
            "bare": f"{hour:02}{minute:02}",
        }
        return [Piece(written[self.house_time])]


def in_words(number: int) -> str:
    """A number below a hundred in words."""
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]


def _age(number: int) -> Piece:
    return Piece(str(number), "AGE")


def _plural(unit: str, number: int) -> str:
    return unit if number == 1 else f"{unit}s"
