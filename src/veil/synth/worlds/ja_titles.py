"""How Japanese records address people: titles of those who treat, honorifics, usual forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


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
