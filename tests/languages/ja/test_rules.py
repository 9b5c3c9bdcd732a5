"""How far names, institutions and addresses reach in text without spaces."""

from __future__ import annotations

import pytest

from veil.detect.rules import unmarked
from veil.detect.rules.adjustments import adjustment


def adjusted(name: str, matched: str, text: str) -> str | None:
    """What a function makes of the first occurrence of a string in a text."""
    start = text.index(matched)
    bounds = adjustment(name, "ja")(text, start, start + len(matched))
    return None if bounds is None else text[bounds[0] : bounds[1]]


@pytest.mark.parametrize(
    ("text", "honorific", "name"),
    [
        ("主治医田中先生に", "先生", "田中"),
        ("外科部長の小山田先生", "先生", "小山田"),
        ("井上 誠一郎 殿", "殿", "井上 誠一郎"),
        ("鎌田キヨ 様", "様", "鎌田キヨ"),
        ("佐藤ゆき子さん", "さん", "佐藤ゆき子"),
        ("ジョン・スミスさん", "さん", "ジョン・スミス"),
        ("T.K.氏", "氏", "T.K."),
        ("本日の小鳥遊さん", "さん", "小鳥遊"),
        ("蕎麦屋さん", "さん", None),
        ("看護師さん", "さん", None),
        ("たくさん", "さん", None),
    ],
)
def test_person_before(text: str, honorific: str, name: str | None) -> None:
    """The name before an honorific begins where the words before it end."""
    assert adjusted("ja-before", honorific, text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("佐藤様", "佐藤"),
        ("乾癬様", None),
        ("AIH様", None),
        ("Yamada様", "Yamada"),
        ("纐纈様", None),
    ],
)
def test_known_person_before(text: str, name: str | None) -> None:
    """Where the honorific may be another word, the lists must hold the name."""
    assert adjusted("ja-known-before", "様", text) == name


@pytest.mark.parametrize(
    ("value", "trusted", "known"),
    [
        ("榊原　多恵子　ID：1", "榊原　多恵子", "榊原　多恵子"),
        ("纐纈", "纐纈", None),
        ("林", "林", None),
        ("未記入", None, None),
        ("全身麻酔", None, None),
        ("田中が診察", "田中", "田中"),
        ("田中内科", None, None),
        ("N. Tachibana", "N. Tachibana", "N. Tachibana"),
        ("ヘルパー", None, None),
        ("生年月日：", None, None),
    ],
)
def test_person_after(value: str, trusted: str | None, known: str | None) -> None:
    """Behind a colon a name may be any; elsewhere the lists must hold it."""
    assert adjusted("ja-named", value, value) == trusted
    assert adjusted("ja-name", value, value) == known


@pytest.mark.parametrize(
    "marked",
    [
        "昨日[[東京中央病院]]を受診",
        "後に[[にしだクリニック]]へ",
        "3月[[山田医院]]を受診",
        "[[国立がん研究センター中央病院]]へ",
        "昨日[[光が丘クリニック]]を",
        "[[医療法人社団 慈生会 平松記念病院]]より",
        "[[スキンクリニック池袋院]]に",
        "近くの病院へ",
        "新しいクリニックへ",
        "慌てて病院へ",
        "紹介病院へ",
    ],
)
def test_institutions(marked: str) -> None:
    """The name of an institution begins behind particles and words of time."""
    text, places = unmarked(marked)
    head = next(word for word in ("クリニック", "病院", "医院") if word in text)
    expected = text[slice(*places[0])] if places else None
    start = text.rindex(head)
    bounds = adjustment("ja-institution", "ja")(text, start, start + len(head))
    assert (None if bounds is None else text[slice(*bounds)]) == expected


@pytest.mark.parametrize(
    ("text", "head", "name"),
    [
        ("グループホームさくらに", "グループホーム", "グループホームさくら"),
        ("株式会社山田製作所に", "株式会社", "株式会社山田製作所"),
        ("特養「ひまわり」より", "特養", "特養「ひまわり」"),
        ("グループホーム入所を", "グループホーム", None),
        ("株式会社に", "株式会社", None),
    ],
)
def test_names_behind_heads(text: str, head: str, name: str | None) -> None:
    """A name behind its head ends where a particle or a verb begins."""
    assert adjusted("ja-named-behind", head, text) == name


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("東京都新宿区西新宿2-8-1 に住む", "東京都新宿区西新宿2-8-1"),
        ("東京都在住", "東京都"),
        ("東京都港区芝1丁目2番3号 コーポ芝201号室", "東京都港区芝1丁目2番3号 コーポ芝201号室"),
    ],
)
def test_addresses(text: str, address: str) -> None:
    """An address reaches from the prefecture to the number of the flat."""
    assert adjusted("ja-address", "東京都", text) == address


def test_full_names() -> None:
    """A full name of the lists needs no context; other runs of kanji are none."""
    assert adjusted("ja-full-name", "斎藤次郎", "斎藤次郎は退院") == "斎藤次郎"
    assert adjusted("ja-full-name", "中心静脈", "中心静脈栄養") is None
    assert adjusted("ja-full-name", "Taro Yamada", "Taro Yamada") == "Taro Yamada"
