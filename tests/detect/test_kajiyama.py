"""The rule-based method of kajiyama-2018: every word of its rules, and what it leaves alone."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.detect.rules import unmarked
from veil.languages.base import read_language_toml
from veil.languages.ja import JapaneseLanguage
from veil.languages.ja.kajiyama import KajiyamaRules

if TYPE_CHECKING:
    from pathlib import Path

RULES = KajiyamaRules()


def found(text: str, label: str) -> list[str]:
    """What the rules mark with a label, in the order of the text."""
    spans = sorted(RULES.detect(Document("x", text)), key=lambda span: span.start)
    return [text[span.start : span.end] for span in spans if span.label == label]


@pytest.mark.parametrize(
    "word",
    (
        "一昨年 昨年 先月 先週 昨日 今年 今月 今週 今日 本日 来年 来月 来週 翌日 再来週 明後日 "
        "同年 同月 同日 翌年 翌朝 前日 未明 その後"
    ).split(),
)
def test_time_words(word: str) -> None:
    """Each word of table 1's main column is a time."""
    assert found(f"{word}、発熱した。", "TIME") == [word]


@pytest.mark.parametrize("unit", ["年", "月", "週間", "日", "時", "分"])
@pytest.mark.parametrize("number", ["12", "１２", "十二"])
def test_numbers_with_unit(unit: str, number: str) -> None:
    """A number in half width, full width or kanji with a unit of table 1 is a time."""
    assert found(f"治療は{number}{unit}、続けた。", "TIME") == [f"{number}{unit}"]


@pytest.mark.parametrize(
    "word", "翌 前 入院前 入院後 来院から 午前 午後 発症から 発症してから 治療してから".split()
)
def test_options_before_time(word: str) -> None:
    """Each word of table 1's first column is part of the time that it precedes."""
    assert found(f"患者は、{word}3日、安静とした。", "TIME") == [f"{word}3日"]


@pytest.mark.parametrize(
    "word",
    (
        "より まで 前半 後半 ～ 以上 以下 から 時 頃 ごろ ころ 上旬 中旬 下旬 春 夏 秋 冬 朝 昼 夕 "
        "晩 早朝 明朝 以前 以降 夕刻 ほど"
    ).split(),
)
def test_options_after_time(word: str) -> None:
    """Each word of table 1's last column is part of the time that it follows."""
    assert found(f"発症は、同年{word}、発熱した。", "TIME") == [f"同年{word}"]


def test_every_combination_of_table_1() -> None:
    """Any option before, any time and any option after it are one span, however they are cut."""
    words = {
        name: value.split() for name, value in read_language_toml("ja", "kajiyama.toml").items()
    }
    times = [*words["time_words"], *(f"12{unit}" for unit in words["time_units"])]
    after = ["", *words["after_time"], *words["last_after_time"]]
    combinations = ["".join(each) for each in product(["", *words["before_time"]], times, after)]
    assert len(combinations) == 11 * 31 * 33
    texts = [f"患者は、{each}、発熱した。" for each in combinations]
    wrong = [
        each
        for each, text in zip(combinations, texts, strict=True)
        if found(text, "TIME") != [each]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("marked", "why"),
    [
        ("[[平成23年3月5日より]]咳が出た。", "the parts of a date are one"),
        ("[[令和元年9月]]に手術。", "the first year of an era"),
        ("[[3月5日から]][[3月10日まで]]入院した。", "a time is over after から"),
        ("[[昭和50年代後半]]に発症。", "a decade"),
        ("[[3月5日午後2時頃]]に転倒。", "an option in the middle"),
        ("[[2010/03]]に初診、[[3/15]]に退院。", "numbers with a slash"),
        ("[[2010/03/15]]に手術。", "a whole date with slashes"),
        ("[[２０１０／０３]]に初診。", "full width with a slash"),
        ("[[十月十日]]に退院。", "a month that ipadic holds as one word"),
        ("[[3年前から]]高血圧。", "前 follows a number although the table puts it first"),
        ("[[12月頃]]、発熱した。", "月頃 is one word of the analyser"),
        ("[[同年頃から]]咳が出た。", "and so is 年頃"),
        ("年頃の娘がいる。", "a word without a number before it"),
        ("[[3日]]朝食を食べた。", "an option that only begins the next word"),
        ("手術は3時間で終了。", "時 is not a word of its own in 時間"),
        ("3/5に退院。", "one digit after the slash is not in the paper"),
        ("血圧は120/80であった。", "three digits before the slash"),
        ("一般に予後は良い。", "一 is no number here"),
        ("一時的に解熱し、十分な効果を得た。", "words, not one o'clock or ten minutes"),
    ],
)
def test_times(marked: str, why: str) -> None:
    """Times in a row and their options are one span, other numbers are none."""
    text, places = unmarked(marked)
    assert found(text, "TIME") == [text[start:end] for start, end in places], why


@pytest.mark.parametrize(
    "age", ["63歳", "６３才", "六十三歳", "60代", "60歳代", "70才代", "63歳時", "40歳頃から"]
)
def test_ages(age: str) -> None:
    """A number with 歳, 才 or 代 and the words after it is an age, not a time."""
    text = f"症例は{age}、健診で指摘された。"
    assert found(text, "AGE") == [age]
    assert found(text, "TIME") == []


@pytest.mark.parametrize(
    "word",
    (
        "より まで 前半 後半 以上 以下 時 頃 ごろ ころ から 前半から 後半から 頃から ごろから "
        "ころから"
    ).split(),
)
def test_options_after_age(word: str) -> None:
    """Each word that the paper names is part of the age that it follows."""
    assert found(f"喫煙は20歳{word}、毎日。", "AGE") == [f"20歳{word}"]


@pytest.mark.parametrize(
    ("text", "hospitals"),
    [
        ("近医から当院へ紹介され、同院に戻った。", ["近医", "当院", "同院"]),
        ("●●病院に入院。", ["●●病院"]),
        ("○クリニック、▲医院、■病院を受診。", ["○クリニック", "▲医院", "■病院"]),
        ("国立がんセンター中央病院へ転院。", ["国立がんセンター中央病院"]),
        ("順天堂医院を受診。", ["順天堂医院"]),
        ("翌日山田病院を受診。", ["山田病院"]),
        ("A病院からB医院へ。", ["A病院", "B医院"]),
        ("近くの病院へ行った。", []),
        ("病院を嫌う。", []),
        ("そのようなことのため病院へ。", []),
    ],
)
def test_hospitals(text: str, hospitals: list[str]) -> None:
    """Words for hospitals, and nouns or masks before 病院, クリニック or 医院."""
    assert found(text, "HOSPITAL") == hospitals


def test_sexes() -> None:
    """Sexes are the six words of the paper, as words of their own."""
    text = "70歳の男性と女性。 a woman, men, women and a man. human, 男児"
    assert found(text, "SEX") == ["男性", "女性", "woman", "men", "women", "man"]


def test_no_persons() -> None:
    """The paper has no rules for persons; nothing but its four labels is found."""
    text = "氏名：山田太郎。主治医は戸田先生。63歳、男性。昨日、近医を受診。"
    spans = RULES.detect(Document("x", text))
    assert {span.label for span in spans} == {"AGE", "SEX", "TIME", "HOSPITAL"}
    assert {span.source for span in spans} == {
        f"kajiyama-2018:{label}" for label in ("age", "sex", "time", "hospital")
    }


def test_many_documents() -> None:
    """Many documents give what each gives alone; an empty one gives nothing."""
    docs = [Document("a", "63歳、女性"), Document("b", ""), Document("c", "翌日より\n当院")]
    assert RULES.detect_many(docs) == [RULES.detect(doc) for doc in docs]
    assert RULES.detect(docs[1]) == []


def test_user_dictionary(tmp_path: Path) -> None:
    """Words of a user dictionary join the analysis, as the paper's authors did with theirs."""
    words = tmp_path / "words.txt"
    words.write_text("にしだ\n", "utf-8")
    text = "後ににしだクリニックへ"
    rules = KajiyamaRules(language=JapaneseLanguage(user_dictionary=words))
    (span,) = rules.detect(Document("x", text))
    assert text[span.start : span.end] == "にしだクリニック"
