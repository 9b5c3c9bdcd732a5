from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from veil import Document, InputError
from veil.bench.process import ALL, DETECTION, REPLACEMENT, StageClock
from veil.bench.speed import PEERS, masking_benchmark, rule_benchmark
from veil.bench.tables import Report, Table
from veil.core import native

DOCS = [Document("note", "Dr. Okafor saw Mr. Hale on 3/5/2019.")]


def test_table_as_text_and_as_json() -> None:
    """Cells are rounded in the text only, and an empty cell stays empty."""
    table = Table("speed", ("new", "known"), {"rules": (1234.56, None), "model": (0.126, 12.34)})
    report = Report("two rows", [table])
    assert [line.split() for line in str(report).splitlines()] == [
        ["two", "rows"],
        [],
        ["speed", "new", "known"],
        ["rules", "1,235"],
        ["model", "0.13", "12.3"],
    ]
    assert report.to_json() == {
        "about": "two rows",
        "speed": {
            "rules": {"new": 1234.56, "known": None},
            "model": {"new": 0.126, "known": 12.34},
        },
    }


def _work(seconds: float) -> None:
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass


def test_clock_counts_for_the_innermost_stage() -> None:
    """All CPU time is counted, and that of a module in the table for its stage."""
    begun = time.process_time()
    with StageClock({__name__: "here", "none": "nowhere"}, rest="rest") as clock:
        _work(0.1)
    taken = time.process_time() - begun
    assert clock.seconds["nowhere"] == 0
    assert 0.05 < clock.seconds["here"]
    assert clock.seconds["here"] <= sum(clock.seconds.values()) <= taken


def test_masking_is_measured_on_both_paths() -> None:
    """The steps of masking have a number for each path that there is."""
    (table,) = masking_benchmark(DOCS, language="en", policy="tag").tables
    paths = ("compiled", "pure", "ratio") if native.CORE else ("pure",)
    assert table.columns == paths
    steps = {name: cells for name, cells in table.rows.items() if name in (DETECTION, ALL)}
    assert len(steps) == 2
    assert all(0 < (cell or 0) for cells in steps.values() for cell in cells)
    assert table.rows["characters per span"][0] == 12
    assert REPLACEMENT in table.rows


def test_rules_are_measured_one_by_one() -> None:
    """The slowest of the patterns that are searched for are named."""
    together, alone = rule_benchmark(DOCS, "en").tables
    assert together.rows["characters per CPU second"][0]
    assert alone.rows


def _presidio_modules(models: list[str]) -> dict[str, Any]:
    provider = SimpleNamespace(create_engine=lambda: None)
    analyzer = SimpleNamespace(analyze=lambda text, language: [text, language])
    return {
        "presidio_analyzer": SimpleNamespace(AnalyzerEngine=lambda **_: analyzer),
        "presidio_analyzer.nlp_engine": SimpleNamespace(NlpEngineProvider=lambda **_: provider),
        "spacy.util": SimpleNamespace(get_installed_models=lambda: models),
    }


def test_presidio_has_the_largest_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the spaCy models of the language, the largest is used."""
    modules = _presidio_modules(["en_core_web_sm", "sv_core_news_lg", "en_core_web_lg"])
    monkeypatch.setattr("veil.bench.speed.import_module", modules.__getitem__)
    name, analyse = PEERS["presidio"]("en")
    assert name == "presidio, en_core_web_lg"
    assert analyse("text") == ["text", "en"]
    with pytest.raises(InputError, match="no spaCy model for 'ja'"):
        PEERS["presidio"]("ja")


def test_presidio_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, an error says how to install it."""

    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("veil.bench.speed.import_module", absent)
    with pytest.raises(InputError, match="pip install presidio-analyzer"):
        PEERS["presidio"]("en")
