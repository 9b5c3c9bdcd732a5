"""Clinical values in Japanese: what they protect, and whose names they must not."""

from __future__ import annotations

import pytest

from veil import Document
from veil.core.values import VALUE
from veil.detect.rules import RuleDetector, load_rules
from veil.lexicons import lexicon

VALUES = [rule for rule in load_rules("ja") if rule.label == VALUE]


@pytest.mark.parametrize("kind", ["surname", "given_female", "given_male", "city", "country"])
def test_no_name_is_a_value(kind: str) -> None:
    """No surname, given name, town or country of the lists is a clinical value by itself."""
    names = sorted(lexicon("ja", kind))
    detector = RuleDetector("ja", rules=VALUES)
    found = detector.detect_many([Document(name, name) for name in names])
    swallowed = [
        name
        for name, spans in zip(names, found, strict=True)
        if any(span.start == 0 and span.end == len(name) for span in spans)
    ]
    assert swallowed == []


@pytest.mark.parametrize(
    "text",
    [
        "橋本病院の高安先生",
        "斎藤管理栄養士と中村弁護士",
        "田中法子様",
        "腰さん、関さん、骨皮様",
        "Dr. Wagner と Kelly 由美氏",
        "同月23日に退院",
        "3/5回診、3/5本人より",
        "2週間後に再診、4時間前から",
    ],
)
def test_identifiers_are_no_values(text: str) -> None:
    """What looks like a value and identifies somebody or a day is left to the detectors."""
    spans = RuleDetector("ja", rules=VALUES).detect(Document("x", text))
    assert [text[span.start : span.end] for span in spans] == []
