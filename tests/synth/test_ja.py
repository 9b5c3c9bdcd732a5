"""Japanese dummy records: people, numbers and days that agree, in notes that differ."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from veil.core.checks import CHECKS
from veil.core.errors import InputError
from veil.languages.ja.eras import in_kanji
from veil.languages.ja.kana import half_width, katakana
from veil.languages.ja.synth import JapaneseScenario, styles
from veil.languages.ja.synth.dates import date_forms, write_day
from veil.languages.ja.synth.people import latin
from veil.synth.notes import PROFILES, dummy_records, kinds, templates_of
from veil.synth.scenario import Request
from veil.synth.segments import Segment, build_record

if TYPE_CHECKING:
    from veil.core.document import Record
    from veil.synth.styles import Style

SEEDS = range(200)
# What MedNLP and Veil's extension of it tag, as finely as Japanese records tell them apart.
LABELS = {
    *("PATIENT", "DOCTOR", "USERNAME", "PROFESSION", "RELATIVE", "AGE", "SEX", "DATE", "TIME"),
    *("HOSPITAL", "DEPARTMENT", "ROOM", "ORGANIZATION", "LOCATION", "COUNTRY", "ZIP"),
    *("PHONE", "FAX", "EMAIL", "URL", "IPADDR"),
    *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "IDNUM"),
    "BIOID",
}
SENTENCE = re.compile(r"[^。．\n]{3,}")
HONORIFIC = re.compile(r"(?:様|さん|さま|先生|医師|看護師|ちゃん|くん|殿|Dr\.?|Ns\.?)$")
OPTION = re.compile(r"(?:より(?!も)|から|まで|以降|頃)")


@cache
def records(count: int, seed: int = 0) -> tuple[Record, ...]:
    return tuple(dummy_records("ja", count, seed=seed))


def scenario(seed: int, kind: str = "") -> JapaneseScenario:
    return JapaneseScenario(Random(seed), profile=PROFILES.get(kind))  # noqa: S311 - no secret


def text(pieces: list[Segment]) -> str:
    return "".join(piece.text for piece in pieces)


def hiragana(kana: str) -> str:
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in kana)


def labelled(pieces: list[Segment], *labels: str) -> list[str]:
    return [piece.text for piece in pieces if piece.label in labels]


def span_texts(record: Record, *labels: str) -> list[str]:
    return [
        record.document.text[span.start : span.end] for span in record.spans if span.label in labels
    ]


def test_kinds() -> None:
    """There are kinds of notes for every part of care, each with several layouts."""
    assert {"discharge", "nursing", "paediatrics", "newborn", "obstetrics"} <= set(kinds("ja"))
    assert 25 <= len(kinds("ja"))
    assert all(3 <= len(templates.notes) for templates in templates_of("ja").values())


@pytest.mark.parametrize("kind", kinds("ja"))
def test_every_kind_is_written_for_fifty_seeds(kind: str) -> None:
    """Every layout finds its slots and blocks, and leaves no sign of the grammar behind."""
    made = [next(dummy_records("ja", 1, seed=seed, only=[kind])) for seed in range(50)]
    assert any(record.spans for record in made)
    for record in made:
        assert not re.search(r"[{}ＮＭ]日|[{}]|<[a-z-]+>", record.document.text)


def test_the_same_seed_gives_the_same_records() -> None:
    """A record depends on the seed and its number, not on how many are asked for."""
    assert list(dummy_records("ja", 8, seed=3)) == list(dummy_records("ja", 20, seed=3))[:8]
    assert list(dummy_records("ja", 8, seed=3)) != list(dummy_records("ja", 8, seed=4))


def test_every_label_of_the_guideline_occurs() -> None:
    """Three hundred records hold each label, and no other."""
    assert {span.label for record in records(600)[:300] for span in record.spans} == LABELS


def test_records_differ() -> None:
    """Five hundred records hold thousands of different sentences, names and hospitals."""
    sentences: set[str] = set()
    names: set[str] = set()
    hospitals: set[str] = set()
    for record in records(600)[:500]:
        sentences.update(match[0].strip() for match in SENTENCE.finditer(record.document.text))
        names.update(span_texts(record, "PATIENT", "DOCTOR"))
        hospitals.update(span_texts(record, "HOSPITAL"))
    assert 7_000 < len(sentences)
    assert 1_800 < len(names)
    assert 350 < len(hospitals)


def test_most_sentences_identify_nobody() -> None:
    """At least half of the sentences hold no span."""
    bare = total = 0
    for record in records(600)[:200]:
        for match in SENTENCE.finditer(record.document.text):
            total += 1
            bare += not any(
                span.start < match.end() and match.start() < span.end for span in record.spans
            )
    assert total / 2 <= bare


def test_spans_follow_the_guideline() -> None:
    """Honorifics stay out of names, suffixes in ages, and option words in times."""
    for record in records(600):
        whole = record.document.text
        for span in record.spans:
            covered = whole[span.start : span.end]
            assert covered == covered.strip()
            if span.label in ("PATIENT", "DOCTOR"):
                assert not HONORIFIC.search(covered)
            if span.label in ("DATE", "TIME"):
                assert not OPTION.match(whole, span.end)
            if span.label == "LOCATION":
                assert "\n" not in covered


def test_a_day_and_its_hour_are_one_span() -> None:
    """The words that say when belong together, and so does what follows them."""
    pieces = [
        Segment("入院は"),
        Segment("2019/3/5", "DATE"),
        Segment(" "),
        Segment("10:30", "TIME"),
        Segment("より絶食。"),
        Segment("翌日", "TIME"),
        Segment("まで様子をみた"),
        Segment("。"),
        Segment("8:00", "TIME"),
        Segment(" "),
        Segment("9:00", "TIME"),
    ]
    made = styles.whole_times(pieces, Random(0))  # noqa: S311 - no secret
    assert labelled(made, "DATE") == ["2019/3/5 10:30より"]
    assert labelled(made, "TIME") == ["翌日まで", "8:00", "9:00"]
    assert text(made) == text(pieces)


@pytest.mark.parametrize(
    ("slot", "check"),
    [("mynumber", "jp-my-number"), ("insurer", "jp-hokenja"), ("card", "card"), ("ip", "ipv4")],
)
def test_numbers_are_valid(slot: str, check: str) -> None:
    """Numbers that have check digits pass them."""
    for seed in SEEDS:
        assert all(CHECKS.get(check)(each.text) for each in scenario(seed).slot(slot) if each.label)


def test_numbers_of_recipients_pass_luhn() -> None:
    """Public funds and those who receive them have numbers with a check digit."""
    for seed in SEEDS:
        for slot in ("fund", "recipient"):
            assert CHECKS.get("luhn")(text(scenario(seed).slot(slot)))


def test_the_patient_is_one_person() -> None:
    """Name, reading and mail address agree, however they are written."""
    for seed in SEEDS:
        made = scenario(seed)
        last, first = text(made.slot("patient.last")), text(made.slot("patient.first"))
        full = text(made.slot("patient.spaced"))
        assert last in full
        assert first in full
        reading = unicodedata.normalize("NFKC", text(made.slot("patient.kana")))
        handle = re.split("[@＠]", text(made.slot("mail")))[0]
        names = [re.sub("[ -]", "", each).lower() for each in made.latin_names(made.patient)]
        assert any(name in handle for name in names)
        if not made.is_foreign():
            assert [latin(hiragana(each)) for each in reading.split()] == names[::-1]


def test_ages_fit_births() -> None:
    """The age in years is that of the patient on the day of the record."""
    for seed in SEEDS:
        made = scenario(seed)
        age = text(made.slot("age.num"))
        born = made.date(Request("date", view="birth"))
        whole_years = (made.today.year, made.today.month, made.today.day)
        assert int(age) == whole_years[0] - born.year - (whole_years[1:] < (born.month, born.day))


@pytest.mark.parametrize(("kind", "oldest"), [("newborn", 0), ("paediatrics", 16)])
def test_children_are_young(kind: str, oldest: int) -> None:
    """Newborns are days old, children have ages of their own writings, and parents are older."""
    for seed in SEEDS:
        made = scenario(seed, kind)
        assert made.age_of(made.patient) <= oldest
        assert re.search("日|月|歳|才", text(made.slot("age")))
        mother = made.person(Request("mother"))
        assert 19 <= made.age_of(mother) - made.age_of(made.patient)
        assert mother.surname == made.patient.surname


def test_days_are_in_order() -> None:
    """Births come before what was, and admissions before discharges."""
    for seed in SEEDS:
        made = scenario(seed)

        def day(view: str, made: JapaneseScenario = made) -> date:
            return made.date(Request("date", view=view))

        assert day("birth") <= day("past") <= day("recent") <= day("admission")
        assert day("admission") <= day("surgery") <= day("discharge") < day("next")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{y}年{m}月{d}日", "2019年5月1日"),
        ("{era}{ey}年{m}月{d}日", "令和元年5月1日"),
        ("{E}{en}.{m}.{d}", "R1.5.1"),
        ("{era}{ek}年{mk}月{dk}日", "令和元年五月一日"),
        ("{yk}年", "二〇一九年"),
        ("{x}年{m}月", "X-2年5月"),
    ],
)
def test_writings_of_a_day(pattern: str, expected: str) -> None:
    """The first day of an era is of its first year, and masked years count from the record's."""
    assert write_day(date(2019, 5, 1), pattern, today=date(2021, 1, 1)) == expected


def test_eras_begin_on_their_day() -> None:
    """The day before a new era is the last of the old one."""
    today = date(2020, 1, 1)
    assert write_day(date(2019, 4, 30), "{era}{ey}", today=today) == "平成31"
    assert write_day(date(1989, 1, 7), "{era}{ey}", today=today) == "昭和64"
    assert write_day(date(1989, 1, 8), "{era}{ey}", today=today) == "平成元"


def test_dates_have_every_form() -> None:
    """Every form of dates can write every day."""
    for form in date_forms():
        for unit in ("day", "month", "year"):
            assert write_day(date(1975, 11, 30), form[unit], today=date(2020, 1, 1))


def test_kanji_numbers() -> None:
    """Numbers below one hundred have their tens."""
    assert [in_kanji(n) for n in (3, 10, 11, 20, 31)] == ["三", "十", "十一", "二十", "三十一"]


def test_readings() -> None:
    """A reading is the same in katakana, in half width and in Latin letters."""
    assert katakana("はっとり") == "ハットリ"
    assert half_width("ガーゼ") == "ｶﾞｰｾﾞ"
    assert unicodedata.normalize("NFKC", half_width("パップ")) == "パップ"
    assert [latin(each) for each in ("きょうこ", "はっとり", "じゅんいち")] == [
        *("kyoko", "hattori", "junichi")
    ]


def test_names_of_many_kinds() -> None:
    """Names are of kanji, kana and Latin letters, with old characters and from abroad."""
    names = [name for record in records(600) for name in span_texts(record, "PATIENT", "DOCTOR")]
    for pattern in (
        "[髙﨑邉齋濱澤]",
        "[ァ-ヴ]{2,}[・　 ]",
        "[ｦ-ﾝ]",
        "[A-Z][a-z]+",
        "^[ぁ-ん]+$",
        "^.$",
    ):
        assert any(re.search(pattern, name) for name in names), pattern


def test_addresses_lie_in_one_prefecture() -> None:
    """The patient's town is one of the prefecture that the address names."""
    for seed in SEEDS:
        made = scenario(seed)
        address = text(made.slot("address.plain"))
        assert made.home in address
        assert address.startswith((made.prefecture.name, made.home))
        assert text(made.slot("address.zip")).endswith(address)


def test_hospitals_keep_their_names() -> None:
    """A hospital is called the same throughout a record."""
    for seed in SEEDS:
        made = scenario(seed)
        assert made.slot("hospital2") == made.slot("hospital2")
        assert labelled(made.slot("here"), "HOSPITAL")


def test_literals_are_labelled() -> None:
    """Words that a template has are spans, with numbers for the signs that stand for them."""
    made = scenario(1)
    assert made.slot("rel.妻") == [Segment("妻", "RELATIVE")]
    assert made.slot("h.前医") == [Segment("前医", "HOSPITAL")]
    assert re.fullmatch(r"入院\d日目(?:より|から|以降)", text(made.slot("t.入院Ｎ日目/since")))


@pytest.mark.parametrize("slot", ["patient.shoe", "date.today/odd", "ago.fortnight"])
def test_unknown_views_are_refused(slot: str) -> None:
    """A slip in a template is an error that names it."""
    with pytest.raises(InputError, match=slot.split(".")[1].split("/")[-1]):
        scenario(1).slot(slot)


NOTE = [
    Segment("【氏名】"),
    Segment("山田　太郎", "PATIENT"),
    Segment("様　入院："),
    Segment("2019/3/5", "DATE"),
    Segment("\n血圧120/80、体温36.5℃。モニター装着。\nメール："),
    Segment("taro@example.jp", "EMAIL"),
    Segment("。\n"),
]


@pytest.mark.parametrize("style", [style for style, _ in styles.STYLES])
def test_every_style_keeps_the_spans(style: Style) -> None:
    """A style never drops or adds a labelled piece, and mail addresses stay as they are."""
    for seed in range(20):
        made = style(NOTE, Random(seed))  # noqa: S311 - no secret
        record = build_record("r", made, language="ja", kind="note")
        assert [span.label for span in record.spans] == ["PATIENT", "DATE", "EMAIL"]
        assert span_texts(record, "EMAIL") == ["taro@example.jp"]


def test_styles_change_the_text() -> None:
    """Widths, marks and headings are those of other keyboards and systems."""

    def dressed(style: Style, seed: int = 0) -> str:
        return text(style(NOTE, Random(seed)))  # noqa: S311 - no secret

    assert "２０１９" in dressed(styles.wide_digits)
    assert "ﾓﾆﾀｰ" in dressed(styles.narrow_kana)
    assert "　" not in dressed(styles.narrow_blanks).replace("山田　太郎", "")
    assert "。\n" not in dressed(styles.no_last_stop).removesuffix("。\n")
    assert any("【" not in dressed(styles.other_headings, seed) for seed in range(5))
    assert any("、" not in dressed(styles.other_punctuation, seed) for seed in range(5))
