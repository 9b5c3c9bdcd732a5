from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest

from veil.detect.names import AS_PUBLISHED
from veil.evaluate.match import Counts
from veil.learn.name_study import (
    Study,
    all_orders,
    influences,
    run_orders,
)
from veil.learn.name_study_report import format_study, study_csv, study_page

if TYPE_CHECKING:
    from veil import Record
    from veil.learn.name_study import Group


def study_of(scores: dict[str, Counts]) -> Study:
    orders: dict[str, dict[Group, Counts]] = {
        order: {"total": counts} for order, counts in scores.items()
    }
    return Study("sv", records=1, words=100, names=10, has_parts=False, orders=orders)


def test_influence_is_with_minus_without() -> None:
    """The mean and range over pairs that differ by the module; pairs without finds are left out."""
    study = study_of(
        {
            "C": Counts(fn=10),
            "D": Counts(tp=5, fp=5, fn=5),
            "CD": Counts(tp=4, fp=1, fn=6),
            "DC": Counts(tp=5, fp=5, fn=5),
        }
    )
    (common,) = influences(study, "total")
    assert (common.code, common.pairs, common.unchanged) == ("C", 2, 1)
    assert common.precision.mean == pytest.approx(0.15)
    assert (common.precision.low, common.precision.high) == pytest.approx((0.0, 0.3))
    assert (common.recall.low, common.recall.high) == pytest.approx((-0.1, 0.0))


def test_terminal_names_best_and_worst(notes: list[Record]) -> None:
    """All 64 orders, the extremes of each group and the influence of each module are shown."""
    shown = format_study(run_orders(notes, "sv", all_orders("TCDL")))
    assert shown.startswith("64 orders of T (titles), C (common words), D (dictionaries), L (learn")
    assert "over 3 records in 'sv'" in shown
    assert shown.count("highest F") == shown.count("lowest recall") == 3
    assert "First names: with a module minus without" in shown


def test_figures_of_the_paper(notes: list[Record]) -> None:
    """With the settings of the paper, its stated scores stand beside the measured ones."""
    study = run_orders(notes, "sv", all_orders("TCDL"), options=AS_PUBLISHED)
    shown = format_study(study)
    assert "given female 2,930 (2,930); given male 2,742 (2,742); surname 34,894 (34,894)" in shown
    (line,) = re.findall("^Figure 1: First and last names +TCD.*", shown, re.MULTILINE)
    assert line.split()[-7:-3] == ["TCD", "45.43", "62.53", "52.62"]
    page = study_page(study, title="Orders")
    for number, group in enumerate(["First and last names", "First names", "Last names"], start=1):
        assert f"Figure {number}: {group}" in page
    assert page.count(">published<") == 9
    plain = study_page(run_orders(notes, "sv", all_orders("TCDL")), title="Orders")
    assert ">published<" not in plain


def test_gold_without_parts_is_said() -> None:
    """A total without parts is explained."""
    shown = format_study(study_of({"D": Counts(1, 2, 3)}))
    assert "does not tell first from last names" in shown
    assert "highest F" not in shown


def test_equals_are_named_by_the_simplest() -> None:
    """The shortest order with the best score is named; orders without finds are left out."""
    best = Counts(tp=5, fn=5)
    shown = format_study(study_of({"CDL": best, "D": best, "C": Counts(fn=10)}))
    assert [line.split()[2] for line in shown.splitlines() if "est F" in line] == ["D", "D"]


def test_csv_has_every_order_and_group(notes: list[Record]) -> None:
    """A line for each order and group, with counts and scores."""
    rows = list(csv.DictReader(io.StringIO(study_csv(run_orders(notes, "sv", ["T", "TCD"])))))
    assert [(row["order"], row["names"]) for row in rows if row["order"] == "T"] == [
        ("T", "total"),
        ("T", "first"),
        ("T", "last"),
    ]
    assert rows[0]["tp"] == "5"
    assert float(rows[0]["recall"]) == pytest.approx(5 / 6, abs=1e-6)


@pytest.mark.parametrize("orders", [all_orders("TCDL"), ["TCD"], ["C"]])
def test_page_is_whole_and_loads_nothing(notes: list[Record], orders: list[str]) -> None:
    """The page holds each order, no text of a record, and refers to nothing outside."""
    page = study_page(run_orders(notes, "sv", orders), title="Orders <on> notes")
    assert "Orders &lt;on&gt; notes" in page
    assert all(f'<th scope="row">{order}</th>' in page for order in orders)
    assert page.count("<svg") == page.count("</svg>")
    assert not any(
        word in page for word in ("http:", "https:", "src=", "url(", "<script", "Kanelbulle")
    )


def test_page_has_the_figures(notes: list[Record]) -> None:
    """For each group of names: bars, all orders by recall and precision, and influences."""
    page = study_page(run_orders(notes, "sv", all_orders("TCDL")), title="Orders")
    assert page.count("<svg") == 9
    assert page.count('aria-label="Precision, recall and F"') == 3
