"""Papers as data, and their experiments on a few dummy records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil import InputError, UnknownNameError, io
from veil.core.labels import VEIL, Converter, scheme
from veil.files.reproduction import reproduce_files
from veil.learn.recipe import recipe
from veil.learn.reproduce import (
    EXPERIMENTS,
    Material,
    Reproduction,
    Table,
    format_reproduction,
    paper,
    papers,
    reproduce,
    reproduction_page,
)
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from pathlib import Path

    from veil.core.document import Record


def records(name: str, count: int) -> list[Record]:
    converter = Converter(scheme(VEIL), scheme(paper(name).scheme))
    made = dummy_records(paper(name).language, count, seed=3)
    return [converter.convert_record(record) for record in made]


def table(found: Reproduction, name: str) -> Table:
    return next(each for each in found.tables if each.name == name)


def numbers(found: Table, row: str) -> tuple[float | None, ...]:
    return next(each.measured for each in found.rows if each.name == row)


@pytest.mark.parametrize("name", papers())
def test_papers_are_complete(name: str) -> None:
    """Each paper has an experiment, recipes that exist, and rows as long as their tables."""
    made = paper(name)
    assert name in EXPERIMENTS
    assert all(recipe(each).language == made.language for each in made.runs.values())
    assert made.recipe in made.runs.values() or not made.runs
    assert made.deviations()
    for published in made.tables:
        assert {len(row) for row in published.rows.values()} == {len(published.columns)}


@pytest.mark.parametrize("name", papers())
def test_published_scores_fit_each_other(name: str) -> None:
    """F is the harmonic mean of P and R as printed: no number was copied wrongly."""
    for published in paper(name).tables:
        if published.columns[-3:] == ("P", "R", "F"):
            for row in published.rows.values():
                precision, recall, f = (float(cell) for cell in row[-3:])
                expected = 2 * precision * recall / max(precision + recall, 1e-9)
                rounding = 0.011 if published.percent else 1.1e-4
                assert f == pytest.approx(expected, abs=rounding), (published.name, row)


def test_the_published_error_tables_of_wi_deid_2015_fit_each_other() -> None:
    """Columns of table 7 and totals of table 8 sum to the predicted annotations of table 4."""
    rows = {each.name: each.rows for each in paper("wi-deid-2015").tables}
    types, cells, extents = rows["Table 4"], rows["Table 7"], rows["Table 8"]
    for label in (name for name in types if " " not in name):
        column = [int(row[0]) for name, row in cells.items() if name.endswith(f" as {label}")]
        spurious = int(cells[f"{label} spurious"][0])
        extent = int(extents.get(label, (0,))[-1])
        assert sum(column) + spurious + extent == types[label][2]
    missing = sum(int(row[0]) for name, row in cells.items() if name.endswith(" missing"))
    assert missing == rows["Table 6"]["missing error"][0]


def test_an_unknown_paper_lists_the_known_ones() -> None:
    """A mistyped name is answered with the names that exist."""
    with pytest.raises(UnknownNameError, match="wi-deid-2015"):
        paper("wi-deid-2016")


@pytest.fixture(scope="module")
def aramaki() -> Reproduction:
    material = Material(records("aramaki-2006", 12), (), "12 dummy records", is_dummy=True)
    return reproduce("aramaki-2006", material, fast=True)


def test_aramaki_2006_has_its_tables(aramaki: Reproduction) -> None:
    """Table 3 counts gold, tables 4 and 5 have every method and type, measured and published."""
    gold = [span.label for record in records("aramaki-2006", 12) for span in record.annotations]
    assert numbers(table(aramaki, "Table 3"), "DATE") == (gold.count("DATE"),)
    assert [row.name for row in table(aramaki, "Table 4").rows] == list(paper("aramaki-2006").runs)
    for name in ("Table 4", "Table 5"):
        for row in table(aramaki, name).rows:
            assert None not in row.published
            assert None not in row.measured
            assert row.interval is not None
            assert row.interval.low <= row.interval.value <= row.interval.high
    detailed = table(aramaki, "Table 5")
    assert len(detailed.rows) == 5 * (1 + 8)
    # An annotation with the right type has the right offsets too.
    for run in paper("aramaki-2006").runs:
        two_way, typed = numbers(table(aramaki, "Table 4"), run), numbers(detailed, run)
        assert all(a >= b for a, b in zip(two_way, typed, strict=True) if a is not None and b)


def test_every_heading_says_that_records_are_dummies(aramaki: Reproduction) -> None:
    """The heading of every table names the data, so that a copied table names it, too."""
    text = format_reproduction(aramaki)
    headings = [line for line in text.splitlines() if line.startswith("Table ")]
    assert len(headings) == 3
    assert all("DUMMY RECORDS" in line for line in headings)
    assert "97.47" in text
    page = reproduction_page(aramaki)
    assert page.count("DUMMY RECORDS") >= 3
    for sentence in aramaki.deviations:
        assert f"- {sentence}\n" in text
    assert aramaki.deviations[0] == "A fast run: at most 24 records, 2 folds, 25 iterations."


@pytest.fixture(scope="module")
def wi_deid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reproduction, Path]:
    folder = tmp_path_factory.mktemp("wi-deid")
    made = records("wi-deid-2015", 21)
    io.write(made[:14], folder / "corpus" / "training-PHI-Gold-Set1", format="i2b2-2014")
    io.write(made[14:], folder / "corpus" / "testing-PHI-Gold-fixed", format="i2b2-2014")
    result = reproduce_files(
        "wi-deid-2015",
        folder / "corpus",
        fast=True,
        json=folder / "found.json",
        html=folder / "found.html",
    )
    return result.reproduction, folder


def test_wi_deid_2015_on_a_corpus_with_two_parts(wi_deid: tuple[Reproduction, Path]) -> None:
    """Records of the corpus are trained and tested on, and headings say so."""
    found, folder = wi_deid
    assert found.source == "14 records and 7 to test on of corpus"
    text = format_reproduction(found)
    assert "DUMMY" not in text
    assert "Table 3, on your corpus: three runs, micro scores" in text
    assert [each["name"] for each in json.loads((folder / "found.json").read_text())["tables"]] == [
        *(f"Table {number}" for number in range(3, 9)),
        *("Figure 2", "Figure 3"),
    ]
    assert "Figure 3" in (folder / "found.html").read_text("utf-8")


def test_the_tables_of_wi_deid_2015_fit_each_other(wi_deid: tuple[Reproduction, Path]) -> None:
    """Counts by type agree with gold, with the errors and with the figures."""
    found, _ = wi_deid
    made = records("wi-deid-2015", 21)
    labels = [span.label for record in made for span in record.annotations]
    types = table(found, "Table 4")
    trained, gold, system, agreed, precision, recall, _ = numbers(types, "DATE")
    assert trained is not None
    assert gold is not None
    assert system is not None
    assert trained + gold == labels.count("DATE")
    assert precision == pytest.approx((agreed or 0) / system if system else 0)
    assert recall == pytest.approx((agreed or 0) / gold)
    cells = {row.name: row.measured[0] or 0 for row in table(found, "Table 7").rows}
    assert cells["DATE as DATE"] == agreed
    errors = {row.name: row.measured[0] for row in table(found, "Table 6").rows}
    assert errors["missing error"] == sum(
        count for name, count in cells.items() if name.endswith(" missing")
    )
    assert errors["extent error"] == numbers(table(found, "Table 8"), "total")[-1]
    # What the paper counts and did not occur is 0, and totals come last.
    for name in ("Table 7", "Table 8"):
        assert all(None not in row.measured for row in table(found, name).rows)
    assert table(found, "Table 8").rows[-1].name == "total"
    whole = numbers(table(found, "Figure 3"), "Lex+Ort+Dic")[0]
    assert whole == numbers(table(found, "Table 3"), "unofficial run 2, i2b2 strict")[-1]
    assert whole == numbers(table(found, "Table 5"), "total")[1]


def test_a_corpus_without_two_parts_is_an_error(tmp_path: Path) -> None:
    """The message says how the corpus must be arranged."""
    with pytest.raises(InputError, match="names begin with 'train' and 'test'"):
        reproduce_files("wi-deid-2015", tmp_path)


def test_gold_without_annotations_is_an_error() -> None:
    """There is nothing to measure."""
    material = Material([], [], "nothing", is_dummy=False)
    with pytest.raises(InputError, match="no annotated span"):
        reproduce("aramaki-2006", material)
