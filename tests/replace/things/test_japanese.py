from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.replace.things.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


PREFECTURE = "|".join(words("ja", "prefectures"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "〒371-1340 群馬県桐生市元野町1番地の30",
            rf"〒\d{{3}}-\d{{4}} (?:{PREFECTURE})\w+?市\w+町\d番地の\d\d",
        ),
        (
            "富山県高岡市南梅七丁目26番3号",
            rf"(?:{PREFECTURE})\w+?市\w+?[一二三四五六八九]丁目\d\d番\d号",
        ),
        ("大阪市北区谷西３-２４-１９", r"\w+?市\w+?区\w+[０-９]-[０-９]{2}-[０-９]{2}"),
        ("秋田県仙北郡美郷町魚台5-26", rf"(?:{PREFECTURE})\w+?郡\w+?町\w+台\d-\d\d"),
        ("緑町2-1 旭ハイツ109号室", r"\w+町\d-\d \w+ハイツ\d{3}号室"),
        ("高崎市", r"\w+市"),
        ("群馬県", PREFECTURE),
        ("越谷駅前", r"(?!越谷)\w+駅前"),
        ("茨木市場", r"(?!茨木)\w+市場"),
        ("ソウル", r"(?!ソウル)\w+"),
    ],
)
def test_an_address_is_replaced_part_by_part(swap: Swap, text: str, expected: str) -> None:
    """Each part becomes another of its kind, and nothing of the old names is left."""
    for number in range(10):
        new = swap(text, "LOCATION", "ja", patient=f"p{number}")
        assert new != text
        assert re.fullmatch(expected, new)
        for name in ("群馬", "桐生", "高岡", "大阪", "仙北", "美郷", "旭ハイツ"):
            assert name not in text or name not in new


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("市立小牧病院", "HOSPITAL", r"市立(?!小牧)\w+病院"),
        ("小牧市立病院", "HOSPITAL", r"(?!小牧)\w+市立病院"),
        ("沖縄県立中央病院", "HOSPITAL", r"(?!沖縄)\w+県立中央病院"),
        ("医療法人社団桐葉会唐沢病院", "HOSPITAL", r"医療法人社団(?!桐葉)\w+会(?!唐沢)\w+病院"),
        ("くすのき総合病院", "HOSPITAL", r"(?!くすのき)[ぁ-ん]+総合病院"),
        ("大岩皮膚科ｸﾘﾆｯｸ", "HOSPITAL", r"(?!大岩)\w+皮膚科クリニック"),
        ("筑紫大学佐賀病院", "HOSPITAL", r"(?!筑紫)\w+大学(?!佐賀)\w+病院"),
        ("A病院", "HOSPITAL", r"[B-Z]病院"),
        ("株式会社栂野運輸", "ORGANIZATION", r"株式会社(?!栂野)\w+運輸"),
        ("㈱星野電機", "ORGANIZATION", r"㈱(?!星野)\w+電機"),
        ("訪問看護ステーション長寿", "ORGANIZATION", r"訪問看護ステーション(?!長寿)\w+"),
        ("7階南病棟", "DEPARTMENT", r"[1-689]階南病棟"),
        ("９Ｃ病棟", "DEPARTMENT", r"(?!９Ｃ)[１-９][Ａ-Ｚ]病棟"),
        ("循環器内科", "DEPARTMENT", r"(?!循環器)\w+科"),
        ("950号室", "ROOM", r"(?!950)\d{3}号室"),
    ],
)
def test_an_institution_keeps_its_kind(swap: Swap, text: str, label: str, expected: str) -> None:
    """What an institution is stays in Japanese names, too, wherever it stands in them."""
    for number in range(10):
        assert re.fullmatch(expected, swap(text, label, "ja", patient=f"p{number}"))


def test_labels_of_parts_are_one_address(swap_all: SwapAll) -> None:
    """Prefecture, city and street with labels of their own are replaced like a whole address."""
    state, city, street = swap_all("[STATE|神奈川県][CITY|横浜市][STREET|西区緑町3-1]", "ja")
    assert state in words("ja", "prefectures")
    assert city.removesuffix("市") in words("ja", "large_cities")
    assert re.fullmatch(r"\w+区\w+町\d-\d", street)
