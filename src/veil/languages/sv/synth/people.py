"""People of Swedish dummy records: names, relations, titles."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.core.errors import InputError
from veil.lexicons.folding import fold, without_diacritics
from veil.synth.people import Person, Relation, Sex, draw_given, draw_surname
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import BaseWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from random import Random

    from veil.synth.people import Person, Profile
    from veil.synth.world import Request

    View = Callable[[Person, Random], list[Piece]]

RELATIONS = (
    Relation("dotter", "female", (-32, -20)),
    Relation("dotter", "female", (-28, -19)),
    Relation("son", "male", (-32, -20)),
    Relation("son", "male", (-28, -19)),
    Relation("mor", "female", (20, 33)),
    Relation("mamma", "female", (20, 38)),
    Relation("far", "male", (21, 36)),
    Relation("pappa", "male", (22, 40)),
    Relation("hustru", "female", (-6, 3), of_adults=True, of_sex="male"),
    Relation("fru", "female", (-8, 3), of_adults=True, of_sex="male"),
    Relation("maka", "female", (-8, 3), of_adults=True, of_sex="male"),
    Relation("make", "male", (-3, 8), of_adults=True, of_sex="female"),
    Relation("man", "male", (-3, 8), of_adults=True, of_sex="female"),
    Relation("sambo", "male", (-4, 6), of_adults=True, of_sex="female"),
    Relation("sambo", "female", (-6, 4), of_adults=True, of_sex="male"),
    Relation("särbo", "male", (-4, 6), of_adults=True, of_sex="female"),
    Relation("syster", "female", (-5, 8)),
    Relation("bror", "male", (-5, 8)),
    Relation("svärdotter", "female", (-34, -20)),
    Relation("svärson", "male", (-34, -20)),
    Relation("barnbarn", "female", (-58, -45)),
    Relation("mormor", "female", (42, 62)),
    Relation("morfar", "male", (44, 64)),
    Relation("farmor", "female", (42, 62)),
    Relation("moster", "female", (14, 36)),
    Relation("faster", "female", (14, 36)),
    Relation("farbror", "male", (14, 36)),
    Relation("kusin", "female", (-6, 6), of_adults=True),
    Relation("systerdotter", "female", (-34, -18)),
    Relation("brorson", "male", (-34, -18)),
    Relation("granne", "female", (-10, 10), of_adults=True),
    Relation("väninna", "female", (-10, 10), of_adults=True, of_sex="female"),
    Relation("god man", "male", (-20, 10), of_adults=True),
    Relation("kontaktperson", "female", (-20, 10), of_adults=True),
)
# Relatives whose sex and age a template names itself: "storasyster {sister.first}".
NAMED_RELATIONS = {
    "mother": Relation("mor", "female", (20, 40)),
    "father": Relation("far", "male", (20, 45)),
    "sister": Relation("syster", "female", (1, 7)),
    "brother": Relation("bror", "male", (1, 7)),
    "grandmother": Relation("mormor", "female", (42, 64)),
}
_DEFINITE = {
    "mor": "modern",
    "far": "fadern",
    "bror": "brodern",
    "farbror": "farbrodern",
    "god man": "gode mannen",
    "dotter": "dottern",
    "son": "sonen",
    "mormor": "mormodern",
    "morfar": "morfadern",
    "farmor": "farmodern",
    "barnbarn": "barnbarnet",
    "man": "maken",
    "kontaktperson": "kontaktpersonen",
}


def definite(word: str) -> str:
    """The definite form: dottern, modern, maken."""
    if word in _DEFINITE:
        return _DEFINITE[word]
    if word.endswith(("er", "or")):
        return f"{word}n"
    return f"{word}n" if word.endswith(("a", "e", "o", "u")) else f"{word}en"


# What the staff of each role are, and how often.
TITLES: Mapping[str, Mapping[str, float]] = {
    "doctor": {
        "överläkare": 20,
        "biträdande överläkare": 5,
        "specialistläkare": 15,
        "ST-läkare": 20,
        "underläkare": 11,
        "AT-läkare": 9,
        "BT-läkare": 3,
        "distriktsläkare": 8,
        "leg läkare": 6,
        "specialist i allmänmedicin": 2,
        "läkare": 4,
        "docent": 2,
        "klinikchef": 1,
        "professor": 1,
    },
    "nurse": {
        "sjuksköterska": 34,
        "undersköterska": 22,
        "distriktssköterska": 12,
        "specialistsjuksköterska": 6,
        "kontaktsjuksköterska": 5,
        "skötare": 4,
        "sjukvårdsbiträde": 2,
        "leg sjuksköterska": 10,
        "chefssjuksköterska": 2,
        "hälsovårdare": 1,
    },
    "midwife": {"barnmorska": 1},
    "therapist": {
        "fysioterapeut": 30,
        "arbetsterapeut": 25,
        "sjukgymnast": 10,
        "dietist": 10,
        "logoped": 10,
        "leg fysioterapeut": 6,
        "leg arbetsterapeut": 5,
    },
    "counsellor": {
        "kurator": 40,
        "psykolog": 30,
        "PTP-psykolog": 4,
        "socionom": 4,
        "leg psykolog": 8,
        "samtalsterapeut": 4,
        "hälso- och sjukvårdskurator": 4,
        "psykoterapeut": 5,
    },
    "officer": {
        "handläggare": 30,
        "socialsekreterare": 20,
        "biståndshandläggare": 15,
        "biståndsbedömare": 8,
        "enhetschef": 8,
        "boendestödjare": 6,
        "arbetskonsulent": 3,
        "rektor": 4,
        "skolsköterska": 4,
        "diakon": 2,
        "advokat": 2,
        "koordinator": 4,
    },
}

_WRITINGS = {
    "överläkare": ("öl", "öl", "överläkare", "ÖL", "Öl", "överläk"),
    "biträdande överläkare": ("bitr öl", "biträdande överläkare", "bitr. öl", "bÖL"),
    "specialistläkare": ("specialistläkare", "spec läk", "spec.läk.", "specialist"),
    "ST-läkare": ("ST-läkare", "ST-läk", "ST läk", "ST", "st-läk"),
    "underläkare": ("ul", "underläkare", "UL", "u-läk", "vik ul"),
    "AT-läkare": ("AT-läkare", "AT-läk", "AT", "at-läk"),
    "BT-läkare": ("BT-läkare", "BT-läk", "BT"),
    "distriktsläkare": ("distriktsläkare", "dl", "DL", "distr.läk", "husläkare", "familjeläkare"),
    "leg läkare": ("leg läk", "läk", "leg läkare", "leg.läk.", "läkare"),
    "läkare": ("läk", "läkare", "läkaren", "bakjour", "primärjour", "jourläkare", "avd läk", "PAL"),
    "sjuksköterska": ("ssk", "ssk", "sjuksköterska", "Ssk", "syster", "SSK", "sköterska"),
    "undersköterska": ("usk", "usk", "undersköterska", "Usk", "USK"),
    "distriktssköterska": ("dsk", "distriktssköterska", "DSK", "distriktsköterska", "distr.ssk"),
    "specialistsjuksköterska": ("spec.ssk", "specialistsjuksköterska", "ssk", "IVA-ssk"),
    "kontaktsjuksköterska": ("kontakt-ssk", "kontaktsjuksköterska", "kssk", "kontaktsköterska"),
    "leg sjuksköterska": ("leg ssk", "ssk", "leg. sjuksköterska"),
    "chefssjuksköterska": ("chefssjuksköterska", "chefssköterska", "vårdenhetschef"),
    "barnmorska": ("barnmorska", "bm", "BM", "barnmorskan", "bmsk"),
    "fysioterapeut": ("fysioterapeut", "fys.ter", "FT", "ft", "fysioterapeuten", "sjukgymnast"),
    "arbetsterapeut": ("arbetsterapeut", "AT", "arb.ter.", "arbetsterapeuten"),
    "leg fysioterapeut": ("leg fysioterapeut", "leg. fysioterapeut"),
    "leg psykolog": ("psykolog", "leg psykolog", "psykologen"),
    "kurator": ("kurator", "kuratorn", "kur"),
    "hälso- och sjukvårdskurator": ("kurator", "h&s-kurator"),
    "handläggare": ("handläggare", "handl", "handläggaren"),
    "socialsekreterare": ("socialsekreterare", "soc.sekr.", "socsekr", "soc sekr"),
}
_DOCTOR = ("dr", "dr", "Dr", "dr", "doktor", "Dr", "dr.", "d:r", "DR")


def title_before(person: Person, role: str, rng: Random) -> str:
    """What stands before the name: dr, öl, ssk, fru."""
    if role == "patient":
        kind = rng.random()
        if kind < 0.45:
            return rng.choice(("pat", "patienten", "pat", "Pat"))
        return rng.choice(
            ("fru", "Fru", "fröken") if person.sex == "female" else ("herr", "Herr", "hr")
        )
    if role == "doctor" and rng.random() < 0.45:
        return rng.choice(_DOCTOR)
    return rng.choice(_WRITINGS.get(person.title, (person.title,)))


def name_pieces(person: Person, view: str, rng: Random, *, genitive: bool = False) -> list[Piece]:
    """A person's name in one view; the last of its pieces takes the genitive."""
    if view not in _NAME_VIEWS:
        raise InputError(
            f"unknown view '{view}' of a name; known: {', '.join(sorted(_NAME_VIEWS))}"
        )
    pieces = _NAME_VIEWS[view](person, rng)
    if genitive:
        pieces[-1] = replace(pieces[-1], text=_genitive(pieces[-1].text))
    return pieces


def plain_letters(text: str) -> str:
    """A name as it stands in addresses on the net: small, without accents, spaces and marks."""
    return "".join(c for c in without_diacritics(fold(text)) if c.isascii() and c.isalnum())


def signature_code(person: Person) -> str:
    """The letters with which somebody signs: AEK for Anna Ek."""
    first, last = plain_letters(person.given[0]).upper(), plain_letters(person.surname).upper()
    return (first[:1] + last[:2]) or "X"


def _genitive(name: str) -> str:
    if name[-1:] in "sxzSXZ.":
        return name
    return f"{name}S" if name.isupper() and 2 < len(name) else f"{name}s"


def _first(person: Person, text: str) -> Piece:
    return Piece(text, person.label, "first")


def _last(person: Person, text: str) -> Piece:
    return Piece(text, person.label, "last")


def _given_alone(person: Person, rng: Random) -> list[Piece]:
    return [_first(person, person.given[0])]


def _surname_alone(person: Person, rng: Random) -> list[Piece]:
    return [_last(person, person.surname)]


def _full(person: Person, rng: Random) -> list[Piece]:
    return [_first(person, person.given[0]), Piece(" "), _last(person, person.surname)]


def _whole(person: Person, rng: Random) -> list[Piece]:
    """With all given names."""
    return [_first(person, " ".join(person.given)), Piece(" "), _last(person, person.surname)]


def _middle_initial(person: Person, rng: Random) -> list[Piece]:
    if len(person.given) == 1:
        return _full(person, rng)
    given = f"{person.given[0]} {person.given[1][0]}{rng.choice(('', '.'))}"
    return [_first(person, given), Piece(" "), _last(person, person.surname)]


def _last_first(person: Person, rng: Random) -> list[Piece]:
    between = rng.choice((", ", ", ", ", ", " ", ","))
    given = rng.choice((person.given[0], " ".join(person.given)))
    return [_last(person, person.surname), Piece(between), _first(person, given)]


def _capitals(person: Person, rng: Random) -> list[Piece]:
    pieces = rng.choice((_full, _last_first, _last_first, _whole))(person, rng)
    if rng.random() < 0.25:
        return [
            replace(piece, text=piece.text.upper()) if piece.part == "last" else piece
            for piece in pieces
        ]
    return [replace(piece, text=piece.text.upper()) for piece in pieces]


def _initials(person: Person, rng: Random) -> list[Piece]:
    letters = (person.given[0][0].upper(), person.surname.split()[-1][0].upper())
    return [Piece(rng.choice(("{}{}", "{}.{}.", "{}.{}", "{} {}")).format(*letters), person.label)]


def _initial_last(person: Person, rng: Random) -> list[Piece]:
    initial = "-".join(part[0] for part in person.given[0].split("-"))
    dot, between = rng.choice(((".", " "), ("", " "), (".", " "), (".", "")))
    return [_first(person, initial + dot), Piece(between), _last(person, person.surname)]


def _first_initial(person: Person, rng: Random) -> list[Piece]:
    initial = person.surname.split()[-1][0].upper()
    return [_first(person, person.given[0]), Piece(" "), _last(person, initial)]


def _nickname(person: Person, rng: Random) -> list[Piece]:
    return [_first(person, _nicknames().get(person.given[0], person.given[0]))]


def _nickname_aside(person: Person, rng: Random) -> list[Piece]:
    """Lars "Lasse" Ek."""
    nickname = _nicknames().get(person.given[0])
    if nickname is None:
        return _full(person, rng)
    left, right = rng.choice((('"', '"'), ("(", ")"), ("”", "”"), ("'", "'")))
    return [
        _first(person, person.given[0]),
        Piece(f" {left}"),
        _first(person, nickname),
        Piece(f"{right} "),
        _last(person, person.surname),
    ]


def _code(person: Person, rng: Random) -> list[Piece]:
    code = signature_code(person)
    return [Piece(rng.choice((code, code, code, code.lower(), code[:2])), person.label)]


_NAME_VIEWS: dict[str, View] = {
    "first": _given_alone,
    "last": _surname_alone,
    "full": _full,
    "whole": _whole,
    "middle": _middle_initial,
    "last_first": _last_first,
    "caps": _capitals,
    "initials": _initials,
    "f_last": _initial_last,
    "first_l": _first_initial,
    "nick": _nickname,
    "nick_aside": _nickname_aside,
    "code": _code,
}


@cache
def _nicknames() -> dict[str, str]:
    return {
        name: nickname for name, _, nickname in (e.partition("=") for e in words("sv", "nicknames"))
    }


_LANGUAGE = "sv"
_SWEDISH = "swedish"
_ANYWHERE = "anywhere"
_FINNISH = "finnish"
# Where families come from. Lists made by hand, but for those of anywhere: these are the lexicons'.
_ORIGINS = {
    _SWEDISH: 0.60,
    _ANYWHERE: 0.14,
    _FINNISH: 0.04,
    "arabic": 0.05,
    "balkan": 0.03,
    "persian": 0.025,
    "turkish": 0.025,
    "somali": 0.025,
    "polish": 0.025,
    "asian": 0.02,
    "african": 0.02,
    "german": 0.02,
}
# How often a Swedish surname is a frequent one, put together, or has a particle; else it is made of
# the father's name.
_FREQUENT, _COMPOSED, _PARTICLE = 0.5, 0.88, 0.92
# The years in which names of an older generation went out of use.
_OLD, _MIDDLE = 1955, 1988

_VIEWS: Mapping[str, Mapping[str, float]] = {
    "patient": {
        "full": 30,
        "first": 34,
        "titled": 10,
        "last": 7,
        "nick": 6,
        "first_l": 4,
        "f_last": 4,
        "whole": 5,
    },
    # In place of "patienten".
    "mention": {"first": 55, "full": 27, "titled": 8, "last": 6, "nick": 4},
    "relative": {"first": 50, "full": 36, "nick": 8, "first_l": 3, "f_last": 3},
    "other": {"full": 55, "first": 30, "first_l": 15},
    "doctor": {"titled": 42, "titled_full": 24, "full": 14, "last": 9, "f_last": 5, "after": 6},
    "nurse": {"titled": 38, "titled_full": 24, "full": 14, "first": 16, "first_l": 4, "after": 4},
    "staff": {"titled": 30, "titled_full": 40, "full": 14, "first": 8, "f_last": 2, "after": 6},
}


class PeopleSlots(BaseWorld):
    """Patients, relatives and staff, with the words that stand for them."""

    roles: ClassVar[Mapping[str, str]] = {
        "patient": "PATIENT",
        "relative": "PATIENT",
        "other": "PATIENT",
        **dict.fromkeys(NAMED_RELATIONS, "PATIENT"),
        "doctor": "DOCTOR",
        "nurse": "DOCTOR",
        "midwife": "DOCTOR",
        "therapist": "DOCTOR",
        "counsellor": "DOCTOR",
        "officer": "DOCTOR",
        "colleague": "DOCTOR",
    }
    relations: ClassVar[tuple[Relation, ...]] = RELATIONS

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._origin_of: dict[str, str] = {}
        self._finland = rng.random() < 0.06

    # -- who they are ---------------------------------------------------------------------------

    def make_person(self, role: str) -> Person:
        person = super().make_person(role)
        kin = NAMED_RELATIONS.get(role)
        if kin:
            age = timedelta(days=self.rng.uniform(*kin.years_older) * 365)
            person = replace(person, sex=kin.sex, relation=kin.word, birth=self.patient.birth - age)
            if self.rng.random() < 0.7:
                person = replace(person, surname=self.patient.surname)
        if role == "midwife":
            person = replace(person, sex="female")
        origin = self._origin_of.get(person.surname, _SWEDISH)
        return replace(person, given=self._given_names(person.sex, person.birth, origin))

    def draw_surname(self) -> str:
        """A surname; a record remembers its origin, so that the given names go with it."""
        origin = self.draw(_ORIGINS)
        if self.is_finland() and self.rng.random() < 0.3:
            origin = _FINNISH
        surname = self._surname(origin)
        self._origin_of.setdefault(surname, origin)
        return surname

    def draw_title(self, role: str, sex: Sex) -> str:
        titles = TITLES.get(role)
        return self.draw(titles) if titles else ""

    def is_infant(self) -> bool:
        return self.age_of(self.patient) < 1

    def is_toddler(self) -> bool:
        return self.age_of(self.patient) < 6

    def is_pupil(self) -> bool:
        return 6 <= self.age_of(self.patient)

    def is_finland(self) -> bool:
        """Whether the record comes from Swedish-speaking Finland."""
        return self._finland

    def _surname(self, origin: str) -> str:
        rng = self.rng
        if origin == _ANYWHERE:
            return draw_surname(rng, _LANGUAGE)
        if origin != _SWEDISH:
            return rng.choice(words(_LANGUAGE, f"{origin}_surnames"))
        surname = self.swedish_surname()
        kind = rng.random()
        if kind < 0.05:
            return f"{surname}-{self.swedish_surname()}"
        return f"{surname} {self.swedish_surname()}" if kind < 0.09 else surname

    def swedish_surname(self) -> str:
        """A frequent surname, or one that is put together: Lindström, Vretvik, von Essen."""
        rng = self.rng
        kind = rng.random()
        if kind < _FREQUENT:
            return rng.choice(words(_LANGUAGE, "surnames"))
        if kind < _COMPOSED:
            head, tail = (
                rng.choice(words(_LANGUAGE, f"surname_{end}")) for end in ("heads", "tails")
            )
            # No "Strandstrand", and no three letters of a kind as in "Hallling".
            if head.lower() != tail and not head.endswith(tail[0] * 2):
                return head + tail
            return f"{head}berg"
        if kind < _PARTICLE:
            return rng.choice(words(_LANGUAGE, "particle_surnames"))
        father = rng.choice(words(_LANGUAGE, "given_male_old")).split("-")[0]
        return f"{father}son" if father.endswith("s") else f"{father}sson"

    def _given_names(self, sex: Sex, birth: date, origin: str) -> tuple[str, ...]:
        count = 1 if self.rng.random() < 0.78 else 2
        return tuple(self._given_name(sex, birth, origin) for _ in range(count))

    def _given_name(self, sex: Sex, birth: date, origin: str) -> str:
        rng = self.rng
        if origin == _ANYWHERE or rng.random() < 0.06:
            return draw_given(rng, _LANGUAGE, sex)
        if origin != _SWEDISH and rng.random() < 0.85:
            return rng.choice(words(_LANGUAGE, f"{origin}_{sex}"))
        if birth.year < _MIDDLE and rng.random() < 0.06:
            heads = words(_LANGUAGE, f"compound_{sex}_heads")
            tails = words(_LANGUAGE, f"compound_{sex}_tails")
            return f"{rng.choice(heads)}-{rng.choice(tails)}"
        generation = "old" if birth.year < _OLD else "mid" if birth.year < _MIDDLE else "young"
        return rng.choice(words(_LANGUAGE, f"given_{sex}_{generation}"))

    # -- how they are written -------------------------------------------------------------------

    def _named(self, request: Request) -> list[Piece]:
        """A person in one view; the style `gen` is the genitive."""
        person = self.person(request)
        view = request.view
        if view in ("", "mention"):
            view = self.draw(_views(view or request.name))
        if view == "titled" and request.name == "patient" and self.is_child():
            view = "first"
        if view in ("titled", "titled_full"):
            title = title_before(person, request.name, self.rng)
            inner = "full" if view == "titled_full" else self._usual_name(request.name)
            return [Piece(f"{title} "), *self._written(person, inner, request)]
        if view == "after":
            name = self._written(person, "full", request)
            return [*name, Piece(f"{self.rng.choice((', ', ', ', ' ', ' / '))}{person.title}")]
        return self._written(person, view, request)

    def _usual_name(self, role: str) -> str:
        """Physicians and patients are known by the surname after a title, others by the first."""
        usual = "last" if role in ("doctor", "patient") else "first"
        other = "first" if usual == "last" else "last"
        return usual if self.rng.random() < 0.85 else other

    def _written(self, person: Person, view: str, request: Request) -> list[Piece]:
        return name_pieces(person, view, self.rng, genitive=request.style == "gen")

    slot_patient = slot_relative = slot_other = slot_doctor = slot_nurse = _named
    slot_mother = slot_father = slot_sister = slot_brother = slot_grandmother = _named
    slot_midwife = slot_therapist = slot_counsellor = slot_officer = slot_colleague = _named

    def slot_maiden(self, request: Request) -> list[Piece]:
        """A surname that the patient had before."""
        return self.kept("maiden", lambda: [Piece(self.draw_surname(), "PATIENT", "last")])

    def slot_job(self, request: Request) -> list[Piece]:
        """The title of somebody of the staff, as it stands after a name: `{job.doctor2}`."""
        return [Piece(self.person(_of_role(request)).title)]

    # -- words for them -------------------------------------------------------------------------

    def slot_kin(self, request: Request) -> list[Piece]:
        """What the relative is to the patient: dotter, with view `def` dottern, `gen` dotterns."""
        word = self.person(replace(request, name="relative", view="")).relation
        if request.view in ("def", "gen"):
            word = definite(word)
        if request.view == "gen":
            word += "s"
        return [Piece(word)]

    def slot_he(self, request: Request) -> list[Piece]:
        return [Piece(self._by_sex(request, "hon", "han"))]

    def slot_him(self, request: Request) -> list[Piece]:
        return [Piece(self._by_sex(request, "henne", "honom"))]

    def slot_his(self, request: Request) -> list[Piece]:
        return [Piece(self._by_sex(request, "hennes", "hans"))]

    def slot_man(self, request: Request) -> list[Piece]:
        """kvinna or man, flicka or pojke; with view `def` kvinnan."""
        child = self.is_child()
        if request.view == "def":
            female, male = ("flickan", "pojken") if child else ("kvinnan", "mannen")
        else:
            female, male = ("flicka", "pojke") if child else ("kvinna", "man")
        return [Piece(self._by_sex(replace(request, view=""), female, male))]

    def _by_sex(self, request: Request, female: str, male: str) -> str:
        """A word by the sex of the patient, or by that of the person in the view."""
        person = self.person(_of_role(request)) if request.view else self.patient
        return female if person.sex == "female" else male


def _views(role: str) -> Mapping[str, float]:
    """How often a role is written in which view where a template does not say."""
    return _VIEWS["relative" if role in NAMED_RELATIONS else role if role in _VIEWS else "staff"]


def _of_role(request: Request) -> Request:
    """The request for the person that a view names: doctor, doctor2, relative."""
    role = request.view.rstrip("0123456789")
    return replace(request, name=role, number=request.view.removeprefix(role), view="")
