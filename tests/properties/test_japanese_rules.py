"""What holds of the Japanese rules on any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veil import Document
from veil.detect.rules import RuleDetector
from veil.languages.ja.kajiyama import KajiyamaRules

_PIECES = (
    "山田 太郎 髙﨑 さん 様 先生 病院 クリニック 当院 東京都 札幌市 1-2 ３月 5日 歳 平成 23年 "
    "より 頃 の は が を 、 。 ： 氏名 主治医 長男 ID 0312345678 〒 歯科 大学 株式会社 さくら "
    "ヤマダ Yamada 前 後 術後 第 病日 ● ㈱ ﾀﾅｶ ー 々"
).split()
TEXTS = st.lists(st.sampled_from([*_PIECES, " ", "\u3000", "\n", "\ud800", "İ"]), max_size=40).map(
    "".join
) | st.text(max_size=60)
RULES = RuleDetector("ja")
KAJIYAMA = KajiyamaRules()


@given(TEXTS)
def test_spans_lie_in_the_text(text: str) -> None:
    """Every span lies inside the text, and the same text gives the same spans."""
    doc = Document("x", text)
    for detector in (RULES, KAJIYAMA):
        spans = detector.detect(doc)
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert detector.detect(doc) == spans
