"""Ages with their suffix, and words of sex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.pieces import Piece
from veil.synth.worlds.ja_dates import OPTIONS
from veil.synth.worlds.ja_times import Times

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request


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
