"""Several systems on the same records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.evaluate.compare import (
    Comparison,
    LabelChange,
    SystemOutput,
    compare,
    comparison_page,
    format_comparison,
)

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

PATIENT, CITY, DOCTOR, DATE = (
    (0, 8, "PATIENT"),
    (22, 26, "CITY"),
    (32, 35, "DOCTOR"),
    (46, 54, "DATE"),
)
DOCUMENTS = 20


@pytest.fixture
def compared(record: MakeRecord) -> Comparison:
    """The default misses every town and labels doctors as patients; the other misses dates."""

    def output(name: str, *spans: tuple[int, int, str], size: int | None = None) -> SystemOutput:
        records = [record(*spans, name=str(number)) for number in range(DOCUMENTS)]
        return SystemOutput(name, f"about {name}", "veil", records, 1234.5, size)

    gold = output("gold", PATIENT, CITY, DOCTOR, DATE).records
    return compare(
        gold,
        [
            output("default", PATIENT, (32, 35, "PATIENT"), DATE, size=2_500_000),
            output("other", PATIENT, CITY, DOCTOR),
            output("same", PATIENT, (32, 35, "PATIENT"), DATE),
        ],
        language="es",
        scheme="i2b2-2014",
    )


def test_scores_are_those_of_each_system(compared: Comparison) -> None:
    """Strict F1 and leaking documents follow from what each system has found."""
    default, other, same = compared.systems
    assert default.metrics["strict f1"].value == pytest.approx(2 * 2 / (3 + 4))
    assert other.metrics["strict f1"].value == pytest.approx(2 * 3 / (3 + 4))
    assert other.metrics["character precision"].value == 1.0
    assert other.metrics["character recall"].value == pytest.approx(15 / 23)
    assert same.totals == default.totals
    assert default.totals.leaking_documents == DOCUMENTS
    assert (compared.documents, compared.gold_annotations) == (DOCUMENTS, 4 * DOCUMENTS)


def test_differences_are_tested_against_the_first(compared: Comparison) -> None:
    """A better F1 in every document is significant; equal output has p = 1."""
    default, other, same = compared.systems
    assert default.differences == ()
    better = other.difference("strict f1")
    assert better is not None
    assert better.difference > 0
    assert better.p < 0.05
    assert {each.p for each in same.differences} == {1.0}


def test_errors_are_fixed_and_broken_by_label(compared: Comparison) -> None:
    """A wrong label is a missed doctor and a spurious patient; missed dates are broken."""
    default, other, same = compared.systems
    n = DOCUMENTS
    assert other.changes == (
        LabelChange("CITY", n, n, 0, 0, 0),
        LabelChange("DATE", n, 0, n, 0, 0),
        LabelChange("DOCTOR", n, n, 0, 0, 0),
        LabelChange("PATIENT", n, 0, 0, n, 0),
    )
    assert default.changes == same.changes == ()
    # Fixed less broken is the change in all strict errors.
    for system in (other, same):
        before = default.totals.strict_fp + default.totals.strict_fn
        after = system.totals.strict_fp + system.totals.strict_fn
        assert sum(each.fixed - each.broken for each in system.changes) == before - after


def test_only_documents_of_all_systems_count(record: MakeRecord) -> None:
    """A system that withholds its hardest document gains nothing by that."""
    gold = [record(PATIENT, name="easy"), record(PATIENT, CITY, name="hard")]
    easy = [record(PATIENT, name="easy")]
    outputs = [
        SystemOutput("default", "", "veil", gold, 1.0),
        SystemOutput("other", "", "veil", easy, 1.0),
    ]
    found = compare(gold, outputs, language="es", scheme="i2b2-2014")
    assert found.documents == 1
    assert {system.totals.gold_spans for system in found.systems} == {1}
    with pytest.raises(InputError, match="all systems"):
        compare(
            gold,
            [*outputs, SystemOutput("none", "", "veil", [], 1.0)],
            language="es",
            scheme="veil",
        )


def test_terminal_has_both_tables(compared: Comparison) -> None:
    """Each system has a row with its scores, and a column with what it fixes and breaks."""
    lines = format_comparison(compared).splitlines()
    assert next(line for line in lines if line.startswith("default")).split() == [
        *("default", "0.5714", "0.8261", "1.0000", "20", "of", "20", "1,234", "2.5")
    ]
    row = next(line for line in lines if line.startswith("other")).split()
    assert row[1] == "0.8571"
    assert row[2].endswith("*")
    assert row[-1] == "-"
    assert next(line for line in lines if line.startswith("all")).split() == [
        *("all", "80", "+60", "-20", "+0", "-0")
    ]


def test_page_and_json_have_the_numbers_and_no_text(compared: Comparison) -> None:
    """The page shows each system and label; neither page nor JSON has a word of a record."""
    page = comparison_page(compared, title="Systems <b>")
    numbers = json.dumps(compared.to_json())
    for expected in ("Systems &lt;b&gt;", "0.8571", "about other", "No annotation differs.", "-20"):
        assert expected in page
    assert compared.to_json()["systems"][1]["changes"][0]["fixed"] == DOCUMENTS
    for word in ("Ruiz", "Lugo", "Paz"):
        assert word not in page + numbers
