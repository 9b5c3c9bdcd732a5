"""Swedish dummy records, from Sweden and sometimes from Finland.

Most slots are patterns in `slots.txt`; this module has those that need rules: names by origin and
generation, dates with prepositions, ages, and numbers with check digits.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.core.numbers import iban_check_digits, luhn_digit
from veil.languages import read_language_toml
from veil.lexicons import lexicon
from veil.synth.patterns import word_pairs, words
from veil.synth.people import Relation, draw_given, draw_surname
from veil.synth.scenario import Request, Scenario, by_four, plain_letters, respelled
from veil.synth.segments import Segment, text_of

if TYPE_CHECKING:
    from datetime import date
    from random import Random

    from veil.core.document import Part
    from veil.synth.people import Person, Profile, Sex
    from veil.synth.scenario import Parts

_LANGUAGE = "sv"
_SWEDISH, _ANYWHERE, _FINNISH = "swedish", "anywhere", "finnish"
# The years in which the given names of an older generation went out of use.
_OLD, _MIDDLE = 1955, 1988
# The share of writers who abbreviate nothing, frequent words, or many words.
_HASTE = {"none": 55, "some": 33, "great": 12}
_FINNISH_CHECK = "0123456789ABCDEFHJKLMNPRSTUVWXY"


def genitive(name: str) -> str:
    """Lunds, Borås, EKS."""
    if name[-1:] in "sxzSXZ.":
        return name
    return f"{name}S" if name.isupper() and 2 < len(name) else f"{name}s"


def definite(word: str) -> str:
    """The definite form: dottern, modern, maken."""
    irregular = word_pairs(_LANGUAGE, "definite_forms")
    if word in irregular:
        return irregular[word][0]
    return f"{word}n" if word.endswith(("a", "e", "o", "u", "er", "or")) else f"{word}en"


@cache
def _named_relations() -> dict[str, Relation]:
    tables = read_language_toml(_LANGUAGE, "synth/words.toml")["named_relations"]
    return {role: Relation(**table) for role, table in tables.items()}


class People(Scenario):
    """Names by origin and generation, and how records write them."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._origin_of: dict[str, str] = {}

    def make_person(self, role: str) -> Person:
        person = super().make_person(role)
        kin = _named_relations().get(role)
        if kin:
            age = timedelta(days=self.rng.uniform(*kin.years_older) * 365)
            person = replace(person, sex=kin.sex, relation=kin.word, birth=self.patient.birth - age)
            if self.rng.random() < 0.7:
                person = replace(person, surname=self.patient.surname)
        if role == "midwife":
            person = replace(person, sex="female")
        count = 1 if self.rng.random() < 0.78 else 2
        given = tuple(self._given_name(person) for _ in range(count))
        return replace(person, given=given)

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        """None; `make_person` adds given names that suit the surname and the year of birth."""
        return ()

    def _given_name(self, person: Person) -> str:
        rng, sex, year = self.rng, person.sex, person.birth.year
        origin = self._origin_of.get(person.surname, _SWEDISH)
        if origin == _ANYWHERE or rng.random() < 0.06:
            return draw_given(rng, _LANGUAGE, sex)
        if origin != _SWEDISH and rng.random() < 0.85:
            return self.word(f"{origin}_{sex}")
        if year < _MIDDLE and rng.random() < 0.06:
            return "-".join(self.word(f"compound_{sex}_{end}") for end in ("heads", "tails"))
        generation = "old" if year < _OLD else "mid" if year < _MIDDLE else "young"
        return self.word(f"given_{sex}_{generation}")

    def draw_surname(self) -> str:
        """A surname; its origin determines the given names."""
        origin = self.word("origins")
        if self.has_trait("finland") and self.rng.random() < 0.3:
            origin = _FINNISH
        surname = self._surname(origin)
        self._origin_of.setdefault(surname, origin)
        return surname

    def _surname(self, origin: str) -> str:
        if origin == _ANYWHERE:
            return draw_surname(self.rng, _LANGUAGE)
        if origin != _SWEDISH:
            return self.word(f"{origin}_surnames")
        surname = self.text("swedish_surname")
        joiner = self.draw({"-": 5, " ": 4, "": 91})
        return surname + joiner + self.text("swedish_surname") if joiner else surname

    def slot_composed_surname(self, request: Request) -> list[Segment]:
        """Lindström, but not "Strandstrand", nor three equal letters as in "Hallling"."""
        head, tail = self.word("surname_heads"), self.word("surname_tails")
        twice = head.lower() == tail or head.endswith(tail[0] * 2)
        return [Segment(head + ("berg" if twice else tail))]

    def slot_patronymic(self, request: Request) -> list[Segment]:
        father = self.word("given_male_old").split("-")[0]
        return [Segment(f"{father}son" if father.endswith("s") else f"{father}sson")]

    # -- how names are written ------------------------------------------------------------------

    def mention(self, request: Request, person: Person | None = None) -> list[Segment]:
        """A mention of a person; the style `gen` is the genitive."""
        segments = super().mention(request, person)
        if request.style == "gen":
            last = max(i for i, segment in enumerate(segments) if segment.label)
            segments[last] = replace(segments[last], text=genitive(segments[last].text))
        return segments

    def name_parts(self, person: Person) -> Parts:
        first, *others = person.given
        code = (plain_letters(first)[:1] + plain_letters(person.surname)[:2]).upper()
        initial = "-".join(part[0] for part in first.split("-"))
        return {
            **super().name_parts(person),
            "all": " ".join(person.given),
            "first_mi": lambda: f"{first} {others[0][0]}{self.rng.choice(('', '.'))}",
            "f": first[0].upper(),
            "l": person.surname.split()[-1][0].upper(),
            "initial": f"{initial}.",
            "bare_initial": initial,
            "code": code,
            "small_code": code.lower(),
            "short_code": code[:2],
        }

    def slot_given(self, request: Request) -> list[Segment]:
        """A part of the given names of the current person, as a span."""
        return self._part_of_name(request, "first")

    def slot_family(self, request: Request) -> list[Segment]:
        """A part of the surname of the current person, as a span."""
        return self._part_of_name(request, "last")

    def _part_of_name(self, request: Request, part: Part) -> list[Segment]:
        person = self._named_person or self.patient
        return [Segment(text_of(self.slot(request.view)), person.label, part)]

    def nickname(self, person: Person) -> str:
        first = person.given[0]
        return word_pairs(_LANGUAGE, "nicknames").get(first, (first,))[0]

    def slot_title_form(self, request: Request) -> list[Segment]:
        """The title of the current person, often abbreviated: öl, ssk."""
        title = (self._named_person or self.patient).title
        return [Segment(self.rng.choice(word_pairs(_LANGUAGE, "title_forms").get(title, (title,))))]

    def slot_maiden(self, request: Request) -> list[Segment]:
        """A former surname of the patient."""
        return self.kept("maiden", lambda: [Segment(self.draw_surname(), "PATIENT", "last")])

    def slot_job(self, request: Request) -> list[Segment]:
        """The title of a staff member in the form used after a name: `{job.doctor2}`."""
        return [Segment(self.person_of(request.view).title)]

    def slot_kin(self, request: Request) -> list[Segment]:
        """The relation of a relative: dotter, with view `def` dottern, `gen` dotterns."""
        word = self.person(Request("relative", request.number)).relation
        forms = {"def": definite(word), "gen": f"{definite(word)}s"}
        return [Segment(forms.get(request.view, word))]

    def is_nicknamed(self) -> bool:
        return (self._named_person or self.patient).given[0] in word_pairs(_LANGUAGE, "nicknames")


class Times(People):
    """Dates with their prepositions, and ages."""

    def write_date(self, day: date, style: str) -> list[Segment]:
        """Write a date, which is "full" if the style has the day, the month and the year."""
        part: Part = "full" if style in words(_LANGUAGE, "full_dates") else "partial"
        return [replace(segment, part=part) for segment in super().write_date(day, style)]

    def date_parts(self, day: date) -> Parts:
        def entry(name: str, number: int) -> str:
            return words(_LANGUAGE, name)[number - 1]

        week, decade = day.isocalendar().week, day.year // 10 * 10
        return {
            **super().date_parts(day),
            "short_month": entry("short_months", day.month),
            "next_month": entry("months", day.month % 12 + 1),
            "next_short_month": entry("short_months", day.month % 12 + 1),
            "wd": entry("short_weekdays", day.isoweekday()),
            "ordinal": f"{day.day}:{'a' if day.day in (1, 2, 21, 22, 31) else 'e'}",
            "ordinal_word": entry("ordinals", day.day),
            "first_day": str(min(day.day, 26)),
            "last_day": str(min(day.day, 26) + 2),
            "week": str(week),
            "next_week": str(min(week + 1, 53)),
            "season": entry("seasons", day.month),
            "next_yy": f"{(day.year + 1) % 100:02}",
            "later_year": lambda: str(day.year + self.rng.randint(1, 4)),
            "short_decade": str(decade if 2000 <= decade else decade % 100),
            "holiday": lambda: self._holiday(day),
        }

    def _holiday(self, day: date) -> str:
        """A holiday of the month, or the date in months without one."""
        holidays = word_pairs(_LANGUAGE, "holidays").get(str(day.month))
        if not holidays:
            return f"{day.day} {words(_LANGUAGE, 'months')[day.month - 1]}"
        return self.rng.choice(holidays) + self.rng.choice(("", "", "", f" {day.year}"))

    def _prose_style(self, request: Request) -> str:
        block = f"prose_date.{request.view.rstrip('23')}"
        return request.style or self.text(block if self.has_block(block) else "prose_date")

    def _with_lead(self, day: date, style: str) -> list[Segment]:
        lead = self.text(f"lead.{style}") if self.has_block(f"lead.{style}") else ""
        return [Segment(lead), *self.write_date(day, style)]

    def slot_when(self, request: Request) -> list[Segment]:
        """A date in prose with its preposition: "i mars", "den 3 maj", "2012"."""
        return self._with_lead(self.date(request), self._prose_style(request))

    def slot_since(self, request: Request) -> list[Segment]:
        """A date after "sedan", without a preposition except in "sedan i måndags"."""
        style = self._prose_style(request)
        style = word_pairs(_LANGUAGE, "since_styles").get(style, (style,))[0]
        write = self._with_lead if style == "weekday_past" else self.write_date
        return [Segment("sedan "), *write(self.date(request), style)]

    def slot_period(self, request: Request) -> list[Segment]:
        """From admission to discharge: two dates with a dash or a word between them."""
        style = request.style or self.text("period_style")
        first, last = (
            self.write_date(self._dates[name], style) for name in ("admission", "discharge")
        )
        return [*first, Segment(self.text("period_mark")), *last]

    # -- ages -----------------------------------------------------------------------------------

    def slot_age(self, request: Request) -> list[Segment]:
        """The patient's age: `years` 73 år, `adj` 73-årig, `the` 73-åriga, `noun` 73-åring.

        `num` is 73, `at` 73 års (ålder), `about` 70-årsåldern.
        """
        return self._age(self.patient, request.view or "years")

    def slot_relage(self, request: Request) -> list[Segment]:
        """The age of a relative, with the same views."""
        return self._age(self.person(Request("relative", request.number)), request.view or "years")

    def _age(self, person: Person, view: str) -> list[Segment]:
        years, days = self.age_of(person), max((self.today - person.birth).days, 1)
        if days < 14:
            count, unit, short = days, "dagar" if 1 < days else "dag", "dygn"
        elif days < 84:
            count, unit, short = days // 7, "veckor", "v"
        else:
            count, unit, short = int(days / 30.44), "månader", "mån"
        step = 10 if 20 <= years else 5
        variants = ["baby"] * (years < 2) + ["months"] * (short == "mån" and 13 <= count)
        parts = {
            "years": str(years),
            "years_in_words": _in_words(years) if 20 <= years < 100 else f"{years}-",
            "round_years": str(years // step * step),
            "count": str(count),
            "unit": unit,
            "short_unit": short,
            "further_months": str(count - 12),
        }
        with self.with_parts(parts, *variants):
            return self.expand(f"age_form.{view}")

    def is_months(self) -> bool:
        """Whether the age to be written is 13 months or more."""
        return "months" in self.variants

    def slot_ages(self, request: Request) -> list[Segment]:
        """The ages of children: 3, 5 och 8 år."""
        ages = sorted(self.rng.sample(range(2, 18), self.rng.randint(2, 3)))
        segments = [
            segment for age in ages[:-1] for segment in (Segment(", "), Segment(str(age), "AGE"))
        ][1:]
        between = self.rng.choice((" och ", " och ", " o ", " resp ", " & "))
        return [*segments, Segment(between), Segment(f"{ages[-1]} år", "AGE")]

    def slot_someage(self, request: Request) -> list[Segment]:
        """An age between two others: `{someage.40_70}` 55 år, with style `at` 55 års."""
        unit = "års" if request.style == "at" else "år"
        return [Segment(f"{self.between(request)} {unit}", "AGE")]

    def slot_who(self, request: Request) -> list[Segment]:
        """The patient at the start of a sentence: 73-årig kvinna, kvinna född -52.

        The sentence continues; at the end of a sentence the view is `end`.
        """
        with self.with_parts({"comma": "" if request.view == "end" else ","}):
            return self.expand("who_form")


def _in_words(years: int) -> str:
    tens, ones = divmod(years, 10)
    word = words(_LANGUAGE, "tens")[tens - 1]
    return word + words(_LANGUAGE, "ones")[ones - 1] if ones else word


class SwedishScenario(Times):
    """All slots of the Swedish templates."""

    language: ClassVar[str] = _LANGUAGE
    decimal_point: ClassVar[str] = ","

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._haste = self.draw(_HASTE)

    def spelled(self, text: str) -> str:
        """Writers who abbreviate use the same abbreviations throughout."""
        if self._haste == "none":
            return text
        lists = ("short_forms",) if self._haste == "some" else ("shorter_forms", "short_forms")
        return respelled(_LANGUAGE, text, *lists)

    # -- places ---------------------------------------------------------------------------------

    def view_gen(self, text: str) -> str:
        return text if text.endswith(("s", "x", "z")) else f"{text}s"

    def view_municipality(self, text: str) -> str:
        return f"{self.view_gen(text)} kommun"

    def view_plain(self, text: str) -> str:
        return plain_letters(text)

    def view_short(self, text: str) -> str:
        """The everyday name of a hospital: the capitals of its name, or its only word."""
        parts = [word for word in text.replace(":", " ").split() if word not in ("i", "t", "ta")]
        if len(parts) == 1:
            return parts[0]
        letters = "".join(word[0].upper() for word in parts)
        return f"{letters[:-1]}US" if parts[-1] == "universitetssjukhus" else letters[:3]

    def slot_composed_place(self, request: Request) -> list[Segment]:
        """A place that may not exist: Hägertorp."""
        head, tail = self.word("place_heads"), self.word("place_tails")
        return [Segment(head.removesuffix(tail[0]) + tail)]

    def slot_smaller_place(self, request: Request) -> list[Segment]:
        return [Segment(self.rng.choice(_smaller_places()))]

    def slot_lexicon_country(self, request: Request) -> list[Segment]:
        return [Segment(self.rng.choice(_countries()))]

    def slot_ward_by_number(self, request: Request) -> list[Segment]:
        """52:an, if the ward has only a number."""
        number = text_of(self.expand("ward.number", request.number))
        return [Segment(f"{number}:an" if number.isdecimal() else f"avd {number}")]

    # -- numbers --------------------------------------------------------------------------------

    def slot_ssn(self, request: Request) -> list[Segment]:
        """A personal number, the same throughout; views `long`, `short`, `relative`, `mother`."""
        role = request.view if request.view in ("relative", "mother") else "patient"
        person = self.person(Request(role, request.number))
        number = self.kept(
            f"ssn.{role}{request.number}", lambda: [Segment(self._personal_number(person))]
        )[0].text
        return [Segment(self._written_number(number, request.view), "SSN")]

    def _personal_number(self, person: Person) -> str:
        """YYYYMMDD-NNNC, sometimes of another kind: coordination, reserve, Finnish."""
        birth, male = person.birth, person.sex == "male"
        kind = self.rng.random()
        if self.has_trait("finland"):
            serial = self.rng.randrange(2, 900) // 2 * 2 + male
            check = _FINNISH_CHECK[int(f"{birth:%d%m%y}{serial:03}") % 31]
            return f"{birth:%d%m%y}{'A' if 2000 <= birth.year else '-'}{serial:03}{check}"
        if person.label == "PATIENT" and kind < 0.03:
            form = self.rng.choice(("A999", "AA99", "999R", "999999"))
            start = f"99{birth.year}" if form == "999999" else f"{birth:%Y%m%d}-"
            return start + self.fill(form)
        day = birth.day + (60 if kind < 0.07 else 0)
        digits = f"{birth:%y%m}{day:02}{self.digits(2, first='0123456789')}"
        digits += self.rng.choice("13579" if male else "02468")
        return f"{birth.year // 100}{digits[:6]}-{digits[6:]}{luhn_digit(digits)}"

    def _written_number(self, number: str, view: str) -> str:
        """The whole number, or without its century or its hyphen."""
        if len(number) != 13 or number[8] != "-" or view == "long":
            return number
        short = number[2:]
        if 100 <= self.today.year - int(number[:4]):
            short = short.replace("-", "+")
        if view == "short":
            return short
        return self.draw(
            {
                number: 42,
                short: 34,
                number.replace("-", ""): 10,
                short.replace("-", ""): 4,
                short.replace("-", " "): 4,
                f"{number[:8]} {number[9:]}": 3,
                f"{number[:2]} {short}": 3,
            }
        )

    def slot_telephone(self, request: Request) -> list[Segment]:
        """A telephone number: view `mobile` or `line`."""
        mobile = request.view == "mobile"
        if self.has_trait("finland"):
            area, digits = "40" if mobile else "2", self.digits(7)
            grouped = f"{digits[:3]} {digits[3:]}"
        else:
            area = self.word("mobile_codes" if mobile else "area_codes")
            shorter = 0 if mobile or area == "8" else self.rng.randint(0, 1)
            digits = self.digits(8 if area == "8" else 9 - len(area) - shorter)
            grouped = _grouped(digits)
        with self.with_parts({"area": area, "digits": digits, "grouped": grouped}):
            return self.expand("telephone_form")

    def account_parts(self, person: Person) -> Parts:
        parts = super().account_parts(person)
        first, last = plain_letters(person.given[0]), plain_letters(person.surname)
        return {**parts, "small_code": first[:1] + last[:2], "start": first[:3] + last[:3]}

    def slot_iban(self, request: Request) -> list[Segment]:
        country, count = ("FI", 14) if self.has_trait("finland") else ("SE", 20)
        number = self.digits(count)
        return [Segment(by_four(f"{country}{iban_check_digits(country, number)}{number}"))]


def _grouped(digits: str) -> str:
    """Return digits in the groups of telephone books: 123 45 67, 12 34 56, 123 45."""
    if len(digits) == 8:
        return f"{digits[:3]} {digits[3:6]} {digits[6:]}"
    first = 3 if len(digits) % 2 else 2
    pairs = (digits[start : start + 2] for start in range(first, len(digits), 2))
    return " ".join((digits[:first], *pairs))


@cache
def _smaller_places() -> tuple[str, ...]:
    """Return the places of the lexicon that look Swedish; it has towns from all over the world."""
    tails = tuple(tail for tail in words(_LANGUAGE, "place_tails") if 2 < len(tail))
    return tuple(place for place in lexicon(_LANGUAGE, "city") if place.endswith(tails))


@cache
def _countries() -> tuple[str, ...]:
    return tuple(name for name in lexicon(_LANGUAGE, "country") if name[:1].isupper())


SCENARIO = SwedishScenario
