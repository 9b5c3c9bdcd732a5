"""People of Japanese dummy records: names with readings, relations, titles."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.core.errors import InputError
from veil.lexicons import lexicon
from veil.synth.people import Relation
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import BaseWorld, Request

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from veil.synth.people import Person, Profile, Sex

_TO_KATAKANA = {code: code + 0x60 for code in range(ord("ぁ"), ord("ゖ") + 1)}
# Every half-width character by the full-width one that it stands for.
_HALF = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in range(0xFF61, 0xFF9E)}
_VOICED = {"\u3099": "ﾞ", "\u309a": "ﾟ"}
_ROWS = {
    "": "あいうえお",
    "k": "かきくけこ",
    "s": "さしすせそ",
    "t": "たちつてと",
    "n": "なにぬねの",
    "h": "はひふへほ",
    "m": "まみむめも",
    "r": "らりるれろ",
    "g": "がぎぐげご",
    "z": "ざじずぜぞ",
    "d": "だぢづでど",
    "b": "ばびぶべぼ",
    "p": "ぱぴぷぺぽ",
}
_IRREGULAR = dict(
    zip("しちつふじぢづ", ("shi", "chi", "tsu", "fu", "ji", "ji", "zu"), strict=True)
) | dict(zip("やゆよわをんー", ("ya", "yu", "yo", "wa", "o", "n", ""), strict=True))
_LATIN = {
    **{
        kana: start + vowel
        for start, row in _ROWS.items()
        for kana, vowel in zip(row, "aiueo", strict=True)
    },
    **_IRREGULAR,
}
_SMALL = {"ゃ": "a", "ゅ": "u", "ょ": "o"}
_HISSING = ("sh", "ch", "j")


def katakana(hiragana: str) -> str:
    """さとう is サトウ."""
    return hiragana.translate(_TO_KATAKANA)


def half_width(text: str) -> str:
    """サトウ is ｻﾄｳ, and ガ two characters: ｶﾞ; what has no narrow form stays."""
    made = []
    for character in text:
        if character in _HALF and (character == "ー" or "ァ" <= character):
            made.append(_HALF[character])
            continue
        decomposed = unicodedata.normalize("NFD", character)
        base, marks = decomposed[0], decomposed[1:]
        if base in _HALF and marks and all(mark in _VOICED for mark in marks):
            made.append(_HALF[base] + "".join(_VOICED[mark] for mark in marks))
        else:
            made.append(character)
    return "".join(made)


def latin(hiragana: str) -> str:
    """Small Latin letters by Hepburn's table, long vowels short: さとう is sato."""
    made = ""
    doubled = False
    for kana in hiragana:
        if kana == "っ":
            doubled = True
        elif kana in _SMALL:
            stem = made[:-1]
            made = stem + ("" if stem.endswith(_HISSING) else "y") + _SMALL[kana]
        else:
            sound = _LATIN.get(kana, "")
            if doubled and sound:
                made += "t" if sound.startswith("ch") else sound[0]
                doubled = False
            made += sound
    return made.replace("ou", "o").replace("oo", "o").replace("uu", "u")


_KANJI = re.compile(r"[\u3005\u3400-\u9fff\uf900-\ufaff]+")
# The births before and after which other names are in use.
_OLD, _YOUNG = 1952, 1984


@dataclass(frozen=True)
class Name:
    """A surname or a given name: as it is written, in katakana and in Latin letters."""

    written: str
    kana: str
    latin: str


def surname(rng: Random) -> Name:
    """A frequent surname, a rarer one of the lexicon, or one that may not exist."""
    luck = rng.random()
    if luck < 0.52:
        made = rng.choice(_pairs("surnames"))
    elif luck < 0.88:
        made = rng.choice(_readable_surnames())
    else:
        made = _composed(rng, "surname_heads", "surname_tails")
    return _named(_with_variants(rng, made[0]), made[1])


def given_name(rng: Random, sex: Sex, birth_year: int) -> Name:
    """A given name as people of that age have."""
    luck = rng.random()
    age = "old" if birth_year < _OLD else "young" if _YOUNG <= birth_year else "mid"
    if luck < 0.5:
        return _named(*rng.choice(_pairs(f"{sex}_{age}")))
    if luck < 0.8:
        if sex == "female":
            return _named(*_composed(rng, "female_heads", "female_tails"))
        kind = rng.choice(("kun", "on"))
        return _named(*_composed(rng, f"male_{kind}_heads", f"male_{kind}_tails"))
    written = rng.choice(_lexicon_names(f"given_{sex}", kanji=True))
    kana = rng.choice(_lexicon_names(f"given_{sex}", kanji=False))
    return Name(written, kana, latin(_hiragana(kana)).title())


def foreign_name(rng: Random, sex: Sex) -> tuple[Name, Name]:
    """The surname and the given name of somebody from abroad, in katakana or kanji."""
    if rng.random() < 0.25:
        written, _, kana = rng.choice(words("ja", "chinese_names")).partition("=")
        made = [
            Name(each, reading, latin(_hiragana(reading)).title() or reading)
            for each, reading in zip(written.split(), kana.split(), strict=True)
        ]
        return made[0], made[1]
    last, first = (rng.choice(_pairs(kind)) for kind in ("foreign_surnames", f"foreign_{sex}"))
    return Name(last[0], last[0], last[1]), Name(first[0], first[0], first[1])


def _named(written: str, hiragana: str) -> Name:
    return Name(written, katakana(hiragana), latin(hiragana).title())


def _composed(rng: Random, heads: str, tails: str) -> tuple[str, str]:
    head, tail = rng.choice(_pairs(heads)), rng.choice(_pairs(tails))
    while head[0] == tail[0]:
        tail = rng.choice(_pairs(tails))
    return head[0] + tail[0], head[1] + tail[1]


def _with_variants(rng: Random, written: str) -> str:
    """Now and then a character in its old form: 髙橋, 渡邉."""
    if rng.random() < 0.88:
        return written
    old = [pair for pair in _pairs("variants") if pair[0] in written]
    return written.replace(*rng.choice(old)) if old else written


def _hiragana(kana: str) -> str:
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in kana)


@cache
def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    split = (entry.partition("=") for entry in words("ja", name))
    return tuple((written, reading) for written, _, reading in split)


@cache
def _readable_surnames() -> tuple[tuple[str, str], ...]:
    """The surnames of the lexicon whose characters have readings of their own."""
    heads, tails = dict(_pairs("surname_heads")), dict(_pairs("surname_tails"))
    listed = dict(_pairs("surnames"))
    return tuple(
        (name, heads[name[0]] + tails[name[1]])
        for name in lexicon("ja", "surname")
        if len(name) == 2 and name not in listed and name[0] in heads and name[1] in tails
    )


@cache
def _lexicon_names(kind: str, *, kanji: bool) -> tuple[str, ...]:
    kana = re.compile("[ァ-ヴー]{2,5}")
    wanted = _KANJI if kanji else kana
    return tuple(name for name in lexicon("ja", kind) if wanted.fullmatch(name))


# Kin whom a template asks for by a slot of their own.
KIN: dict[str, Relation] = {
    "mother": Relation("母", "female", (20, 41)),
    "father": Relation("父", "male", (20, 46)),
    "husband": Relation("夫", "male", (-6, 12)),
}
# Words for relatives of whom a record has one.
ONLY_ONE = (
    ("妻", "奥様", "内縁の妻", "夫", "ご主人", "前夫"),
    ("母", "母親", "お母さん"),
    ("父", "父親"),
)


def _kin(word: str, sex: Sex, low: float, high: float) -> Relation:
    return Relation(word, sex, (low, high))


def _of_adults(word: str, sex: Sex, low: float, high: float, of_sex: Sex | None = None) -> Relation:
    return Relation(word, sex, (low, high), of_adults=True, of_sex=of_sex)


RELATIONS: tuple[Relation, ...] = (
    *(_of_adults("妻", "female", -12, 8, "male"),) * 4,
    *(_of_adults("夫", "male", -8, 12, "female"),) * 4,
    *(_of_adults("長男", "male", -40, -20),) * 3,
    *(_of_adults("長女", "female", -40, -19),) * 3,
    *(_of_adults("次男", "male", -42, -22), _of_adults("次女", "female", -42, -21)),
    *(_of_adults("三男", "male", -44, -24), _of_adults("三女", "female", -44, -24)),
    *(_of_adults("息子", "male", -40, -20), _of_adults("娘", "female", -40, -19)),
    *(_of_adults("息子さん", "male", -40, -20), _of_adults("娘さん", "female", -40, -19)),
    *(_of_adults("実弟", "male", -14, -1), _of_adults("嫁", "female", -40, -20)),
    *(_of_adults("娘婿", "male", -40, -18), _of_adults("孫", "male", -62, -42)),
    *(_of_adults("孫娘", "female", -62, -42), _of_adults("姪", "female", -38, -12)),
    *(_of_adults("甥", "male", -38, -12), _of_adults("義妹", "female", -14, 10)),
    *(
        _of_adults("内縁の妻", "female", -14, 8, "male"),
        _of_adults("前夫", "male", -8, 12, "female"),
    ),
    *(
        _of_adults("奥様", "female", -12, 8, "male"),
        _of_adults("ご主人", "male", -8, 12, "female"),
    ),
    *(_kin("母", "female", 19, 40), _kin("父", "male", 20, 44)),
    *(_kin("母親", "female", 19, 40), _kin("父親", "male", 20, 44)),
    *(_kin("お母さん", "female", 19, 40), _kin("母", "female", 19, 40)),
    *(_kin("祖母", "female", 42, 64), _kin("祖父", "male", 44, 66)),
    *(_kin("姉", "female", 1, 14), _kin("妹", "female", -10, -1)),
    *(_kin("兄", "male", 1, 14), _kin("弟", "male", -10, -1)),
    *(
        _kin("叔母", "female", 12, 38),
        _kin("叔父", "male", 12, 38),
        _kin("伯母", "female", 14, 40),
    ),
)


@dataclass(frozen=True)
class Staff:
    """What a profession is called after a name, before one, and in full."""

    after: tuple[str, ...]
    before: tuple[str, ...]


STAFF = {
    "doctor": Staff(
        ("先生", "先生", "先生", "医師", "医師", "医師", "Dr", "Ｄｒ", "DR", "Dr."),
        ("Dr.", "Dr.", "Dr ", "Dr", "Ｄｒ.", "主治医の", "担当医の", "当直の", "主治医", "医師 "),
    ),
    "nurse": Staff(
        ("看護師", "看護師", "Ns", "Ns", "Ns.", "さん", "師長", "主任", "ＮＳ", "看護主任"),
        ("Ns.", "Ns", "Ns ", "看護師 ", "看護師", "担当看護師の", "受け持ち看護師", "夜勤看護師の"),
    ),
    "pharm": Staff(
        ("薬剤師", "薬剤師", "薬剤師", "さん", "Ph"),
        ("薬剤師 ", "薬剤師", "病棟薬剤師の", "担当薬剤師"),
    ),
    "pt": Staff(
        ("PT", "PT", "理学療法士", "療法士", "さん"), ("PT ", "PT", "理学療法士 ", "担当PTの")
    ),
    "ot": Staff(("OT", "OT", "作業療法士", "さん"), ("OT ", "OT", "作業療法士 ", "担当OTの")),
    "st": Staff(("ST", "ST", "言語聴覚士", "さん"), ("ST ", "ST", "言語聴覚士 ", "担当STの")),
    "diet": Staff(
        ("管理栄養士", "管理栄養士", "栄養士", "さん"), ("管理栄養士 ", "管理栄養士", "栄養士の")
    ),
    "msw": Staff(
        ("MSW", "MSW", "ソーシャルワーカー", "相談員", "SW", "さん"),
        ("MSW ", "MSW", "MSWの", "ソーシャルワーカーの", "医療相談員 ", "退院調整看護師 "),
    ),
    "cm": Staff(
        ("ケアマネ", "CM", "ケアマネジャー", "ケアマネージャー", "介護支援専門員", "さん", "氏"),
        ("ケアマネ ", "ケアマネの", "担当ケアマネジャーの", "CM ", "担当ケアマネ "),
    ),
    "medic": Staff(
        ("隊長", "救急救命士", "救急隊員", "隊員", "機関員", "救命士"),
        ("救急隊長 ", "救命士 ", "隊長 "),
    ),
    "midwife": Staff(("助産師", "助産師", "さん"), ("助産師 ", "助産師", "担当助産師の")),
    "engineer": Staff(("臨床工学技士", "ME", "技士", "CE"), ("ME ", "臨床工学技士 ", "担当ME ")),
    "tech": Staff(
        ("技師", "検査技師", "放射線技師", "臨床検査技師"), ("検査技師 ", "技師 ", "放射線技師 ")
    ),
    "psych": Staff(("心理士", "公認心理師", "CP", "さん"), ("心理士 ", "公認心理師 ", "CP ")),
    "visitor": Staff(
        ("看護師", "訪問看護師", "さん", "Ns"), ("訪問看護師 ", "訪問看護師の", "訪看")
    ),
    "carer": Staff(
        ("さん", "ヘルパー", "介護士", "介護福祉士"), ("ヘルパーの", "介護士の", "介護士 ")
    ),
    "public": Staff(("保健師", "保健師", "さん"), ("保健師 ", "保健師の", "担当保健師")),
}


PATIENT_TITLES: Mapping[str, float] = {"様": 9, "さん": 9, "氏": 5, "殿": 0.6, "さま": 0.3}
CHILD_TITLES: Mapping[str, Mapping[str, float]] = {
    "female": {"ちゃん": 10, "さん": 4, "様": 1},
    "male": {"くん": 9, "君": 5, "ちゃん": 3, "さん": 1.5, "様": 1},
}
# How a role is written where the template does not say.
PROSE: Mapping[str, Mapping[str, float]] = {
    "patient": {"titled": 11, "titled_full": 3, "full": 2.2, "last": 1.4, "titled_first": 0.5},
    "child": {"titled_first": 9, "first": 2, "titled_full": 3, "full": 2, "titled": 1.5},
    "relative": {
        "titled_first": 4,
        "titled": 2,
        "titled_full": 4,
        "full": 4,
        "first": 3,
        "last": 0.2,
    },
    "staff": {"after": 10, "before": 4, "after_full": 2.5, "last": 0.8, "full": 0.7},
}
FIELD: Mapping[str, Mapping[str, float]] = {
    "patient": {
        "spaced": 10,
        "full": 5,
        "titled_spaced": 3,
        "titled_full": 1,
        "kana": 1,
        "latin": 0.7,
    },
    "staff": {
        "full": 5,
        "spaced": 5,
        "last": 6,
        "after": 2,
        "after_full": 1.5,
        "latin": 0.3,
        "last_kana": 0.4,
        "full_kana": 0.2,
    },
}


_FOREIGN = 0.04


class People(BaseWorld):
    """Slots of people; a record has one way to space names and one way to read them."""

    language: ClassVar[str] = "ja"
    roles: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("patient", "relative", "other", *KIN), "PATIENT"),
        **dict.fromkeys(STAFF, "DOCTOR"),
    }
    relations: ClassVar[tuple[Relation, ...]] = RELATIONS

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._names: dict[str, Name] = {}
        self._kin_used: set[str] = set()
        self._space = rng.choice(("　", "　", " ", " ", ""))
        self._kana_form = self.draw({"katakana": 7, "half": 2, "hiragana": 1})
        self._abroad = rng.random() < _FOREIGN
        self._title = self.draw(PATIENT_TITLES)

    # -- who they are ---------------------------------------------------------------------------

    def make_person(self, role: str) -> Person:
        person = super().make_person(role)
        if role in KIN:
            kin = KIN[role]
            birth = self._birth - timedelta(days=365 * self.rng.uniform(*kin.years_older))
            person = replace(
                person, sex=kin.sex, birth=birth, relation=kin.word, surname=self.patient.surname
            )
        if self._abroad and (role == "patient" or person.surname):
            last, first = foreign_name(self.rng, person.sex)
            last = self._names.get(person.surname, last)
        else:
            last = self._names.get(person.surname) or surname(self.rng)
            first = given_name(self.rng, person.sex, person.birth.year)
        for name in (last, first):
            self._names.setdefault(name.written, name)
        return replace(person, given=(first.written,), surname=last.written)

    def _draw_relation(self) -> Relation:
        """Nobody has two wives, nor a wife and a husband."""
        for _ in range(8):
            kin = super()._draw_relation()
            role = next((group for group in ONLY_ONE if kin.word in group), (kin.word,))
            if self._kin_used.isdisjoint(role):
                break
        self._kin_used.update(role)
        return kin

    def draw_surname(self) -> str:
        """None; `make_person` names all who do not share the patient's name."""
        return ""

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        return ()

    def is_foreign(self) -> bool:
        return self._abroad

    def is_infant(self) -> bool:
        return (self.today - self._birth).days < 365

    def is_middle(self) -> bool:
        """Of an age at which people work."""
        return 20 <= self.age_of(self.patient) < 67

    # -- slots ----------------------------------------------------------------------------------

    def slot_patient(self, request: Request) -> list[Piece]:
        view = request.view
        if view in ("", "any", "mention"):
            view = self.draw(PROSE["child" if self.is_child() else "patient"])
        elif view == "field":
            view = self.draw(FIELD["patient"])
        return self._called(self.patient, view)

    def slot_mother(self, request: Request) -> list[Piece]:
        """A parent or the husband, by name; `{mother.kin}` is the word, `{mother.age}` the age."""
        person = self.person(request)
        if request.view == "age":
            return [Piece(f"{self.age_of(person)}歳", "AGE")]
        return self.slot_relative(request)

    slot_father = slot_husband = slot_mother

    def slot_relative(self, request: Request) -> list[Piece]:
        person = self.person(request)
        if request.view == "kin":
            return [Piece(person.relation, "RELATIVE")]
        if request.view in ("", "any"):
            return self._called(person, self.draw(PROSE["relative"]))
        view = self.rng.choice(("spaced", "full")) if request.view == "field" else request.view
        return self._called(person, view)

    def slot_kin(self, request: Request) -> list[Piece]:
        """A relative with the word for what they are: 長男の健一さん, 妻（山田和子）."""
        person = self.person(Request("relative", request.number))
        name = self._called(person, self.draw(PROSE["relative"]))
        before, after = self.rng.choice(
            (
                ("の", ""),
                ("の", ""),
                ("", ""),
                ("・", ""),
                ("（", "）"),
                ("(", ")"),
                ("：", ""),
                (" ", ""),
            )
        )
        end = [Piece(after)] if after else []
        return [
            Piece(person.relation, "RELATIVE"),
            *([Piece(before)] if before else []),
            *name,
            *end,
        ]

    def slot_kinafter(self, request: Request) -> list[Piece]:
        """A relative with the word behind the name: 山田 和子（妻）."""
        person = self.person(Request("relative", request.number))
        name = self._called(
            person, self.draw({"full": 3, "spaced": 3, "titled_full": 1, "first": 1})
        )
        before, after = self.rng.choice(
            (("（", "）"), ("（", "）"), ("(", ")"), ("、", ""), ("　", ""))
        )
        end = [Piece(after)] if after else []
        return [*name, Piece(before), Piece(person.relation, "RELATIVE"), *end]

    def slot_other(self, request: Request) -> list[Piece]:
        """Somebody who neither treats the patient nor is kin."""
        view = request.view or self.draw({"titled": 6, "titled_full": 4, "full": 2, "last": 0.5})
        return self._called(self.person(request), view)

    def slot_acquaintance(self, request: Request) -> list[Piece]:
        """The same with the word for what they are: 友人の木村さん."""
        word = self.rng.choice(words("ja", "relation_others"))
        between = self.rng.choice(("の", "の", "の", "・", "（"))
        person = self.slot_other(Request("other", request.number))
        return [Piece(word + between), *person, *([Piece("）")] if between == "（" else [])]

    def _slot_staff(self, request: Request) -> list[Piece]:
        view = request.view
        if view in ("", "any"):
            view = self.draw(PROSE["staff"])
        elif view == "field":
            view = self.draw(FIELD["staff"])
        person = self.person(request)
        staff = STAFF[request.name]
        if view == "before":
            title = self.rng.choice(staff.before)
            end = self.rng.choice(("", staff.after[0])) if title.endswith("の") else ""
            return [Piece(title), self._name(person, person.surname), Piece(end)]
        if view in ("after", "after_full"):
            name = person.surname if view == "after" else self._full(person, "")
            gap = self.rng.choice(("", "", "", "", " ", "　")) if view == "after_full" else ""
            return [self._name(person, name), Piece(gap + self.rng.choice(staff.after))]
        return self._called(person, view)

    slot_doctor = slot_nurse = slot_pharm = slot_pt = slot_ot = slot_st = slot_diet = _slot_staff
    slot_msw = slot_cm = slot_medic = slot_midwife = slot_engineer = slot_tech = _slot_staff
    slot_psych = slot_visitor = slot_carer = slot_public = _slot_staff

    # -- writings -------------------------------------------------------------------------------

    def latin_names(self, person: Person) -> tuple[str, str]:
        """The given name and the surname in Latin letters."""
        return self._names[person.given[0]].latin, self._names[person.surname].latin

    def _name(self, person: Person, text: str) -> Piece:
        return Piece(text, person.label)

    def _full(self, person: Person, space: str) -> str:
        if person.surname.isascii() or "ァ" <= person.surname[0] <= "ヶ":
            between = self.rng.choice(("・", "・", " ", "　"))
            order = self.rng.choice(((0, 1), (1, 0)))
            names = (person.given[0], person.surname)
            return names[order[0]] + between + names[order[1]]
        return person.surname + space + person.given[0]

    def _called(self, person: Person, view: str) -> list[Piece]:
        if view.startswith("titled"):
            rest = {"titled": "last", "titled_full": "prose", "titled_first": "first"}.get(
                view, "spaced"
            )
            gap = self.rng.choice(("", "　", " ")) if view == "titled_spaced" else ""
            return [*self._called(person, rest), Piece(gap + self._honorific(person, view))]
        if view == "pair":
            marks = self.rng.choice((("（", "）"), ("(", ")"), (" ", ""), ("　", "")))
            name = self._name(person, self._full(person, self._space))
            return [name, Piece(marks[0]), *self._called(person, "kana"), Piece(marks[1])]
        return [self._name(person, self._name_form(person, view))]

    def _honorific(self, person: Person, view: str) -> str:
        young = self.age_of(person) < 13
        if person.label == "PATIENT" and (
            young or (view == "titled_first" and self.age_of(person) < 16)
        ):
            return self.draw(CHILD_TITLES[person.sex])
        if person is self.patient:
            return self._title if self.rng.random() < 0.8 else self.draw(PATIENT_TITLES)
        return self.draw({"さん": 12, "様": 5, "氏": 4, "さま": 0.2})

    def _name_form(self, person: Person, view: str) -> str:
        """The name as one run of text."""
        rng = self.rng
        last, first = self._names[person.surname], self._names[person.given[0]]
        if view == "last":
            return person.surname
        if view == "first":
            return person.given[0]
        if view in ("full", "prose"):
            often = 0.25 if view == "full" else 0.1
            return self._full(person, self._space if rng.random() < often else "")
        if view == "spaced":
            return self._full(person, self._space)
        if view in ("kana", "full_kana"):
            return self._in_kana(f"{last.kana}{self._space or ' '}{first.kana}")
        if view == "last_kana":
            return self._in_kana(last.kana)
        if view == "first_kana":
            return self._in_kana(first.kana)
        if view == "latin":
            forms = (f"{last.latin} {first.latin}", f"{first.latin} {last.latin}")
            caps = (f"{last.latin} {first.latin}".upper(), f"{last.latin.upper()} {first.latin}")
            return rng.choice((*forms, *caps, f"{last.latin}, {first.latin}"))
        if view == "initials":
            a, b = last.latin[:1], first.latin[:1]
            return rng.choice((f"{a}.{b}.", f"{a}.{b}", f"{a}・{b}", a, f"{b}.{a}."))
        raise InputError(f"unknown view of a name '{view}'")

    def _in_kana(self, kana: str) -> str:
        if self._kana_form == "half":
            return half_width(kana).replace("　", " ")
        if self._kana_form == "hiragana":
            return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in kana)
        return kana
