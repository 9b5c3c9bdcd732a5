"""Ages in Spanish, whose unit belongs to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.pieces import Piece
from veil.synth.world import Request
from veil.synth.worlds.es_mentions import People

if TYPE_CHECKING:
    from datetime import date

_ONES = (
    *"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce".split(),
    *"quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós".split(),
    *"veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve".split(),
)
_TENS = ". . . treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_DECADES = {40: "cuadragenari", 50: "quincuagenari", 60: "sexagenari", 70: "septuagenari",
            80: "octogenari", 90: "nonagenari"}  # fmt: skip
_ORDINALS = {30: "cuarta", 40: "quinta", 50: "sexta", 60: "séptima", 70: "octava", 80: "novena"}


class Ages(People):
    """Slots `{age}` (`{age.mother}` is somebody else's), `{agesex}`, `{weight}`, `{height}`."""

    def slot_age(self, request: Request) -> list[Piece]:
        """The patient's age: in a sentence, in a field, short, or as a decade."""
        if request.view == "field":
            return [Piece(self._age_in_field(), "AGE")]
        if request.view == "short":
            return [Piece(self._short_age(), "AGE")]
        if request.view == "decade":
            return self._decade()
        if "_" in request.view:
            return [Piece(self._other_age(request), "AGE")]
        if request.view:
            role = request.view.rstrip("0123456789")
            person = self.somebody(Request(role, request.view.removeprefix(role)))
            return [Piece(self._age_on(person.birth), "AGE")]
        return [Piece(self._age_on(self.patient.birth), "AGE")]

    def _other_age(self, request: Request) -> str:
        """The age at which something was, or of somebody else; the style is its unit."""
        number = self.between(request)
        if 1 < number and self.rng.random() < 0.2:
            return f"{in_words(number)} {request.style or 'años'}"
        return f"{number} {request.style or 'años'}"

    def slot_agesex(self, request: Request) -> list[Piece]:
        """How a note begins: mujer de 72 años, varón 72a, 72 años/M, paciente de 3 meses."""
        age = self.slot_age(request)
        short = Piece(self._short_age(), "AGE")
        return self.rng.choice(
            (
                [*self.slot_man(request), Piece(" de "), *age],
                [*self.slot_man(request), Piece(" de "), *age],
                [*self.slot_man(request), Piece(" de "), *age, Piece(" de edad")],
                [Piece("paciente "), *self.slot_man(request), Piece(" de "), *age],
                [Piece("paciente de "), *age],
                [Piece("paciente de sexo "), *self.slot_masculine(request), Piece(" de "), *age],
                [*self.slot_man(request), Piece(", "), *age],
                [*self.slot_man(request), Piece(" "), short],
                [*age, Piece(", "), *self.slot_man(request)],
                [short, Piece(self.rng.choice(("/", " ", ", "))), *self.slot_sign(request)],
                [Piece("pac. "), *self.slot_man(request), Piece(" "), short],
            )
        )

    def slot_weight(self, request: Request) -> list[Piece]:
        """What somebody of the patient's age may weigh, the same throughout."""
        grams = self.kept("weight", lambda: [Piece(str(self._grams()))])[0].text
        if int(grams) < 6000 and self.rng.random() < 0.5:
            return [Piece(f"{int(grams):,} g".replace(",", "."))]
        tenths = int(grams) // 100
        point = self.country.decimal_point
        return [Piece(f"{tenths // 10}{f'{point}{tenths % 10}' if tenths < 400 else ''} kg")]

    def _grams(self) -> int:
        years = (self.today - self.patient.birth).days / 365.25
        if years < 1:
            usual = 3300 + 6700 * years**0.7
        elif years < 14:
            usual = 8000 + 2200 * years
        else:
            usual = self.rng.uniform(48_000, 98_000)
        return int(usual * self.rng.uniform(0.85, 1.15))

    def slot_height(self, request: Request) -> list[Piece]:
        """What somebody of the patient's age may measure."""
        years = (self.today - self.patient.birth).days / 365.25
        if years < 2:
            usual = 50 + 18 * years
        elif years < 15:
            usual = 75 + 6.2 * years
        else:
            usual = self.rng.uniform(154, 186)
        centimetres = int(usual * self.rng.uniform(0.96, 1.04))
        return self.kept("height", lambda: [Piece(f"{centimetres} cm")])

    def _age_on(self, born: date) -> str:
        """An age as it is told: years, or months, weeks, days of small children."""
        days = max((self.today - born).days, 0)
        rng = self.rng
        if days < 2:
            return self._of(rng.randint(3, 47), "hora", words_too=False)
        if days < 21:
            return self._of(days, "día")
        if days < 75:
            return self._of(days // 7, "semana")
        if days < 730:
            return self._months(int(days / 30.44))
        years, months = int(days / 365.25), int(days % 365.25 / 30.44)
        if days < 2190 and months and rng.random() < 0.4:
            return f"{years} años{rng.choice((' y ', ' ', ' y '))}{self._of(months, 'mes')}"
        return self._of(years, "año")

    def _months(self, months: int) -> str:
        if 12 < months and self.rng.random() < 0.3:
            return f"1 año y {self._of(months - 12, 'mes')}"
        half = " y medio" if self.rng.random() < 0.12 else ""
        return f"{self._of(months, 'mes')}{half}"

    def _of(self, number: int, unit: str, *, words_too: bool = True) -> str:
        if number != 1:
            unit = f"{unit}es" if unit == "mes" else f"{unit}s"
        worded = words_too and number < 100 and self.rng.random() < (0.04 if 20 < number else 0.12)
        if not worded:
            return f"{number} {unit}"
        return f"{in_words(number, feminine=unit.startswith(('semana', 'hora')))} {unit}"

    def _short_age(self) -> str:
        days = (self.today - self.patient.birth).days
        if days < 60:
            return f"{max(days, 1)}{self.rng.choice(('d', ' d', ' días'))}"
        if days < 730:
            return f"{int(days / 30.44)}{self.rng.choice(('m', ' m', ' meses'))}"
        unit = self.rng.choice(("a", " a", "a.", " a.", " años", " AÑOS"))
        return f"{self.age_of(self.patient)}{unit}"

    def _age_in_field(self) -> str:
        days = (self.today - self.patient.birth).days
        if days < 730:
            return self._age_on(self.patient.birth)
        unit = self.rng.choice((" años", " años", " años", "", "", " a", "a", " AÑOS"))
        return f"{self.age_of(self.patient)}{unit}"

    def _decade(self) -> list[Piece]:
        tens = self.age_of(self.patient) // 10 * 10
        if tens in _ORDINALS and self.rng.random() < 0.3:
            return [
                Piece("en la "),
                Piece(f"{_ORDINALS[tens]} década", "AGE"),
                Piece(" de la vida"),
            ]
        if tens in _DECADES:
            return [Piece(_DECADES[tens] + ("a" if self.is_female() else "o"), "AGE")]
        return [Piece("de "), Piece(self._age_on(self.patient.birth), "AGE")]


def in_words(number: int, *, feminine: bool = False) -> str:
    """A number below a hundred in words, as it stands before a noun."""
    tens, ones = divmod(number, 10)
    word = _ONES[number] if number < len(_ONES) else f"{_TENS[tens]} y {_ONES[ones]}"
    if number == 21 and not feminine:
        return "veintiún"
    if word.endswith("uno"):
        return f"{word[:-1]}a" if feminine else word[:-1]
    return word.removesuffix(" y cero")
