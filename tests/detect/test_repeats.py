"""What was found once is found everywhere in a record."""

from __future__ import annotations

import pytest

from veil.core.document import Span
from veil.detect.repeats import repeats


def again(language: str, text: str, name: str, label: str = "PATIENT") -> list[str]:
    """What is found again of the first place where a name stands."""
    start = text.index(name)
    span = Span(start, start + len(name), label)
    found = repeats(text, [span], language)
    assert all(each.label == label for each in found)
    return [text[each.start : each.end] for each in sorted(found, key=lambda each: each.start)]


@pytest.mark.parametrize(
    ("language", "text", "name", "expected"),
    [
        ("en", "Mr. Okafor came. Okafor's wife drove.", "Okafor", ["Okafor"]),
        ("en", "Ann Tolliver. TOLLIVER, ANN", "Ann Tolliver", ["TOLLIVER", "ANN"]),
        ("en", "Seen: Joe Marchetti. joe marchetti slept", "Joe Marchetti", ["marchetti"]),
        ("en", "Mrs. Young is well. We saw Young today.", "Young", ["Young"]),
        ("en", "Mrs. Young. A young son. Young and fit.", "Young", []),
        ("en", "Mr. Sharp. Sharp pain at night.", "Sharp", []),
        ("en", "Mr. Sharp. We told Sharp. Sharp's son", "Sharp", ["Sharp", "Sharp"]),
        ("en", "Mr. Savage had savage pain", "Savage", []),
        ("en", "Dr. Parkinson. He has Parkinson disease.", "Parkinson", []),
        ("en", "Ann Boston. Boston was seen", "Ann Boston", ["Boston"]),
        ("en", "Dr. Li. Lisinopril and Li", "Li", []),
        ("en", "Mr. Okafor. scan_Okafor_2.pdf", "Okafor", ["Okafor"]),
        ("es", "Ana Ruiz Soto ... Ruiz Soto, Ana", "Ana Ruiz Soto", ["Ruiz", "Soto", "Ana"]),
        ("sv", "Karin Hjelmqvist. Hjelmqvists dotter", "Karin Hjelmqvist", ["Hjelmqvists"]),
        ("sv", "dr Stark. Stark smärta. Enl Stark ok.", "Stark", ["Stark"]),
        ("ja", "患者：佐々木健一。佐々木健一様に説明。", "佐々木健一", ["佐々木健一"]),
        ("ja", "担当 山田。山田医師が診察。小山田市。山田病院", "山田", ["山田"]),
    ],
)
def test_names(language: str, text: str, name: str, expected: list[str]) -> None:
    """Words of a name are found again where they can only be the name."""
    assert again(language, text, name) == expected


def test_numbers_come_again_as_a_whole() -> None:
    """A number that was found after its key is found without it, but not inside another."""
    text = "MRN: 4471823. Label 4471823, lot 94471823."
    assert again("en", text, "4471823", "MEDICALRECORD") == ["4471823"]


def test_nothing_is_found_inside_a_span() -> None:
    """What another span covers already is left to it."""
    text = "Ruiz, Hospital Ruiz"
    spans = [Span(0, 4, "PATIENT"), Span(6, 19, "HOSPITAL")]
    assert repeats(text, spans, "es") == []
