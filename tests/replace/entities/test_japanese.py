from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.replace.entities.language import rows, words

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
        ("B-308号室", "LOCATION", r"[A-Z]-\d{3}号室"),
        ("加治木訪問入浴", "ORGANIZATION", r"(?!加治木)\w{2}訪問入浴"),
        ("桐生市介護保険課", "ORGANIZATION", r"(?!桐生)\w+市介護保険課"),
        ("諸岡電装健康保険組合", "ORGANIZATION", r"(?!諸岡)\w{2}電装健康保険組合"),
        ("金沢清瀬川病院", "HOSPITAL", r"(?!金沢)\w+病院"),
        ("グループホームひだまり桐生", "ORGANIZATION", r"グループホーム[ぁ-ん]+(?!桐生)\w+"),
        ("四国ライフケア(株)", "ORGANIZATION", r"(?!四国)\w+ライフケア\(株\)"),
        ("中国精機株式会社", "ORGANIZATION", r"(?!中国)[一-龠]+精機株式会社"),
        ("NPO法人ともしび 自立支援ホーム", "ORGANIZATION", r"NPO法人[ぁ-ん]+ 自立支援ホーム"),
        ("鹿児島中央駅", "LOCATION", r"(?!鹿児島)\w+中央駅"),
        ("姫島", "LOCATION", r"(?!姫)\w+島"),
        ("中央道", "LOCATION", r"(?!中央)\w+道"),
        ("小倉駅", "LOCATION", rf"(?:{'|'.join(words('ja', 'cities'))})駅"),
        ("葵区健康支援課", "ORGANIZATION", r"(?!葵)\w+区健康支援課"),
        ("奈良西署", "ORGANIZATION", r"(?!奈良)\w+西署"),
        ("刑一発第318号", "IDNUM", r"(?!刑一発)\w{3}第\d{3}号"),
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


def _prefecture_of(city: str) -> str:
    for kind, listed in (("cities", "prefectures"), ("large_cities", "large_prefectures")):
        for prefecture, cities in zip(words("ja", listed), rows("ja", kind), strict=True):
            if city.removesuffix("市") in cities:
                return prefecture
    raise AssertionError("no city of the lists")


@pytest.mark.parametrize("city", ["石川県金沢市", "石川県小松市", "東京都町田市", "福岡県福岡市"])
def test_a_city_lies_in_the_prefecture_before_it(swap: Swap, city: str) -> None:
    """The new city is one of the new prefecture, which is not the old one."""
    for number in range(10):
        new = swap(f"{city}緑町3-1", "LOCATION", "ja", patient=f"p{number}")
        match = re.match(rf"({PREFECTURE})(.+?市)(?!市)", new)
        assert match is not None
        assert match[1] == _prefecture_of(match[2]) != city[:3]


def test_towns_of_a_prefecture_stay_together_and_apart(swap_all: SwapAll) -> None:
    """A town is the same with its prefecture and alone; no two towns become one."""
    whole, alone, other, unlisted = swap_all(
        "[LOCATION|石川県金沢市]、[LOCATION|金沢]、[LOCATION|小松市]、[LOCATION|石川県能美市]", "ja"
    )
    assert whole.endswith(f"{alone}市")
    assert _prefecture_of(other) == _prefecture_of(alone)
    assert len({alone, other.removesuffix("市"), unlisted.removesuffix("市")[-len(alone) :]}) == 3


def test_wards_of_tokyo_get_a_city(swap: Swap) -> None:
    """No other prefecture has wards without a city above them."""
    new = swap("東京都品川区旗の台1-2", "LOCATION", "ja")
    assert re.match(rf"(?!東京)({PREFECTURE})\w+?市\w+?区", new)


def test_a_town_without_its_kind_is_a_town(swap: Swap) -> None:
    """A place that no list has becomes a town that there is."""
    assert swap("阿久根", "LOCATION", "ja") in words("ja", "cities")


def test_a_quarter_behind_a_city_is_no_township(swap: Swap) -> None:
    """池田町 in 三好市 becomes a quarter, although there are townships of that name."""
    for number in range(10):
        new = swap("徳島県三好市池田町", "LOCATION", "ja", patient=f"p{number}")
        assert not new.endswith(words("ja", "townships"))
