"""The experiments of cotik-2019, kajiyama-2018 and carlsson-2010 on a few dummy records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, Span, io
from veil.core.labels import VEIL, Converter, scheme
from veil.evaluate.match import Counts, Pair
from veil.files.reproduction import reproduce_files
from veil.learn.experiments import confusion_rows, worst_labels
from veil.learn.reproduce import Material, Reproduction, paper, reproduce, split_sources
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Record

DOC = Document("x", "a" * 1000)


def pair(gold: str, predicted: str) -> Pair:
    """Annotations of one character each, at the same offsets: a label is a letter, "-" is none."""
    spans = [
        tuple(Span(at, at + 1, label) for at, label in enumerate(labels) if label != "-")
        for labels in (gold, predicted)
    ]
    return Pair(DOC, *spans)


def test_worst_labels_have_enough_cases() -> None:
    """Of the labels with enough gold annotations those with the lowest F1 come first."""
    pairs = [pair("AAAABBBBC", "AAA-BB---")]
    assert worst_labels(pairs, fewest=2) == [("B", Counts(2, 0, 2)), ("A", Counts(3, 0, 1))]
    assert worst_labels(pairs, fewest=2, most=1) == [("B", Counts(2, 0, 2))]
    assert worst_labels(pairs) == []
    assert worst_labels(pairs, named=("C", "A", "D")) == [
        ("A", Counts(3, 0, 1)),
        ("C", Counts(0, 0, 1)),
    ]


def test_confusions_are_shares_of_gold() -> None:
    """Two of four B were called A, and right labels are no confusion."""
    rows = {row.row: row.values for row in confusion_rows([pair("AABBBB", "ABAABB")])}
    assert rows == {"B as A": (0.5,), "A as B": (0.5,)}


def test_confusions_that_the_paper_names_are_measured() -> None:
    """Named confusions come first, and one that does not occur has the value 0."""
    found = confusion_rows([pair("AABBBB", "ABAABB")], named=("A as C", "A as B"))
    assert [(row.row, row.values) for row in found] == [
        ("A as C", (0.0,)),
        ("A as B", (0.5,)),
        ("B as A", (0.5,)),
    ]


def records(name: str, count: int) -> list[Record]:
    converter = Converter(scheme(VEIL), scheme(paper(name).scheme))
    made = dummy_records(paper(name).language, count, seed=3)
    return [converter.convert_record(record) for record in made]


def rows(found: Reproduction, name: str) -> dict[str, tuple[float | None, ...]]:
    (table,) = (each for each in found.tables if each.name == name)
    return {row.name: row.measured for row in table.rows}


def test_cotik_2019_has_its_tables() -> None:
    """Table 1 has both systems at three levels; merged spans match at least as often."""
    made = records("cotik-2019", 16)
    material = Material(made[:8], made[8:], "dummies", is_dummy=True)
    found = reproduce("cotik-2019", material, fast=True)
    table = rows(found, "Table 1")
    assert len(table) == 6
    for run in ("Window", "CRF"):
        strict, extents = table[f"1 {run}"], table[f"2 strict {run}"]
        assert strict[2] is not None
        assert extents[2] is not None
        assert strict[2] <= extents[2]
        assert strict[3] is not None
    assert table["2 merged CRF"][3] is None


def test_carlsson_2010_has_its_figures(notes: list[Record]) -> None:
    """Each figure has the modules alone and the orders of the paper; nothing is trained."""
    found = reproduce("carlsson-2010", Material(notes, [], "notes", is_dummy=False))
    assert [table.name for table in found.tables] == ["Figure 1", "Figure 2", "Figure 3"]
    assert {"D", "T", "TCD", "TLD"} <= rows(found, "Figure 1").keys()
    precision, recall, f1 = rows(found, "Figure 3")["T"]
    assert (precision, recall) == (1.0, 0.5)
    assert f1 == pytest.approx(2 / 3)


def test_sources_of_kajiyama_2018_are_subfolders(tmp_path: Path) -> None:
    """A corpus of two folders has two sources; one folder alone is an error."""
    made = records("kajiyama-2018", 4)
    for number, name in enumerate(("mednlp", "own")):
        io.write(made[2 * number : 2 * number + 2], tmp_path / "both" / name, format="brat")
    io.write(made, tmp_path / "one", format="brat")
    with pytest.raises(InputError, match="compares 2 sources"):
        reproduce_files("kajiyama-2018", tmp_path / "one", fast=True)
    numbered = [
        type(record)(Document(f"{1 + at // 2}/{record.id}", record.document.text), record.spans)
        for at, record in enumerate(made)
    ]
    found = split_sources(paper("kajiyama-2018"), numbered)
    assert {name: len(own) for name, own in found.items()} == {"MedNLP-1": 2, "dummy EHRs": 2}
