"""Everything at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from veil.evaluate import evaluate, format_summary

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

    from veil.core.document import Record
    from veil.evaluate import Evaluation

SPANS = ((0, 8, "PATIENT"), (10, 12, "AGE"), (22, 26, "CITY"), (32, 35, "DOCTOR"), (46, 54, "DATE"))


@pytest.fixture
def gold(record: MakeRecord) -> list[Record]:
    return [record(*SPANS, name="a"), record(*SPANS[:3], name="b"), record(*SPANS[3:], name="c")]


@pytest.fixture
def perturbed(record: MakeRecord) -> list[Record]:
    """One wrong type, one end off by one, one miss; 'c' is lacking and 'd' unknown to gold."""
    one = [
        (0, 8, "DOCTOR"),
        (10, 12, "AGE"),
        (22, 27, "CITY"),
        (32, 35, "DOCTOR"),
        (46, 54, "DATE"),
    ]
    two = [(0, 8, "PATIENT"), (10, 12, "AGE")]
    return [record(*one, name="a"), record(*two, name="b"), record(name="d")]


@pytest.fixture
def evaluation(gold: list[Record], perturbed: list[Record]) -> Evaluation:
    return evaluate(gold, perturbed, sentences={"a": 3, "b": 2}, baseline=gold)


def test_a_perfect_system_scores_one_everywhere(gold: list[Record]) -> None:
    """All metrics of gold against itself are 1.0, and nothing leaks."""
    found = evaluate(gold, gold)
    assert found.i2b2.hipaa is not None
    for levels in (found.i2b2.all, found.i2b2.hipaa):
        for scores in (levels.strict, levels.relaxed, levels.token):
            assert scores.micro.f1 == 1.0
            assert (scores.macro.precision, scores.macro.recall, scores.macro.f1) == (1.0, 1.0, 1.0)
            assert (scores.macro.precision_sd, scores.macro.recall_sd) == (0.0, 0.0)
    for scores in (
        found.meddocan.subtask1,
        found.meddocan.subtask2_strict,
        found.meddocan.subtask2_merged,
    ):
        assert scores.micro.f1 == 1.0
    assert (found.two_way.instance.f1, found.two_way.token.f1) == (1.0, 1.0)
    for row in (*found.labels, *found.families):
        assert (row.strict.f1, row.relaxed.f1, row.token.f1) == (1.0, 1.0, 1.0)
    for metric, interval in found.protection.metrics.items():
        assert interval.value == (0.0 if metric.endswith("leak") else 1.0)
    assert found.protection.leaking == ()
    assert found.analysis.errors == ()


def test_a_perturbed_copy_scores_as_counted_by_hand(evaluation: Evaluation) -> None:
    """Of eight gold annotations seven are predicted, five of them exactly."""
    strict = evaluation.i2b2.all.strict
    assert (strict.micro.tp, strict.micro.fp, strict.micro.fn) == (5, 2, 3)
    assert strict.macro.precision == (3 / 5 + 1) / 2
    assert strict.macro.recall == pytest.approx((3 / 5 + 2 / 3) / 2)
    relaxed = evaluation.i2b2.all.relaxed.micro
    assert (relaxed.tp, relaxed.fp, relaxed.fn) == (6, 1, 2)
    # Tokens in 'a': Ana and Ruiz with a wrong type; 45, Lugo, Paz, 3, 4, 2019 right.
    # In 'b': Ana, Ruiz and 45 right, Lugo missing.
    token = evaluation.i2b2.all.token.micro
    assert (token.tp, token.fp, token.fn) == (9, 2, 3)
    assert evaluation.i2b2.hipaa is not None
    hipaa = evaluation.i2b2.hipaa.strict.micro
    assert (hipaa.tp, hipaa.fp, hipaa.fn) == (4, 1, 3)
    assert evaluation.meddocan.leak == 3 / 5
    strict2, merged = evaluation.meddocan.subtask2_strict.micro, evaluation.meddocan.subtask2_merged
    assert (strict2.tp, strict2.fp, strict2.fn) == (6, 1, 2)
    # 'Ana Ruiz' and '45' join in both documents, to one hit more in each.
    assert (merged.micro.tp, merged.micro.fp, merged.micro.fn) == (8, 1, 2)
    assert evaluation.protection.totals.leaked_spans == 1
    assert evaluation.protection.leaking == (("b", 1),)
    assert evaluation.protection.metrics["document leak"].value == 0.5
    assert evaluation.analysis.by_kind() == {"missing": 1, "extent": 1, "type": 1, "spurious": 0}


def test_missing_documents_are_named(evaluation: Evaluation) -> None:
    """What one side lacks is not scored, and the ids are kept for a warning."""
    assert evaluation.documents == 2
    assert evaluation.missing_predictions == ("c",)
    assert evaluation.missing_gold == ("d",)


def test_the_scheme_is_guessed(evaluation: Evaluation, record: MakeRecord) -> None:
    """Known labels give families and HIPAA scores; unknown ones are scored all the same."""
    assert evaluation.scheme == "veil"
    assert [row.label for row in evaluation.families] == ["AGE", "DATE", "LOCATION", "NAME"]
    strange = evaluate([record((0, 8, "MOON"))], [record((0, 8, "MOON"))])
    assert (strange.scheme, strange.i2b2.hipaa, strange.families) == (None, None, ())
    assert strange.i2b2.all.strict.micro.f1 == 1.0


def test_no_documents_in_common_is_no_failure(record: MakeRecord) -> None:
    """All scores are zero, and the ids say why."""
    found = evaluate([record(name="a")], [record(name="b")])
    assert found.documents == 0
    assert found.i2b2.all.strict.micro.f1 == 0.0
    assert "not scored" in format_summary(found)


def test_json_holds_numbers_and_no_text(evaluation: Evaluation) -> None:
    """The scores survive JSON, and no word of the records is in it."""
    written = json.dumps(evaluation.to_json())
    read = json.loads(written)
    strict = read["i2b2"]["all"]["strict"]["micro"]
    assert (strict["tp"], strict["fp"], strict["fn"], strict["recall"]) == (5, 2, 3, 5 / 8)
    assert read["protection"]["metrics"]["document leak"]["value"] == 0.5
    assert read["analysis"]["errors"][0] == {
        "document": "a",
        "kind": "type",
        "gold": {"start": 0, "end": 8, "label": "PATIENT"},
        "predicted": {"start": 0, "end": 8, "label": "DOCTOR"},
        "leak": False,
        "extent": None,
    }
    for word in ("Ana", "Ruiz", "Lugo", "Paz", "2019", "vive"):
        assert word not in written


def test_json_does_not_depend_on_the_hash_seed() -> None:
    """Two processes with different hash seeds write the same bytes."""
    code = """
import json
from veil.core.document import Document, Record, Span
from veil.evaluate import evaluate
doc = Document("one", "x" * 400)
spans = [Span(10 * n, 10 * n + 5, f"LABEL{n % 7}") for n in range(40)]
others = [Span(10 * n, 10 * n + 5 - n % 2, f"LABEL{n % 5}") for n in range(1, 38)]
print(json.dumps(evaluate([Record.of(doc, spans)], [Record.of(doc, others)]).to_json()))
"""
    written = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(written) == 1


def test_the_summary_shows_the_scores_as_the_scripts_print_them(evaluation: Evaluation) -> None:
    """Four significant digits: 5/7, 5/8 and 2/3 in the strict row."""
    summary = format_summary(evaluation)
    strict = next(line for line in summary.splitlines() if line.startswith("  strict"))
    assert strict.split()[1:4] == ["0.7143", "0.625", "0.6667"]
    assert "leak (missed a sentence)     0.6" in summary
    assert "1 of 2" in summary
    assert "Lugo" not in summary


def test_the_summary_compares_with_the_baseline(evaluation: Evaluation) -> None:
    """The baseline's value, this system's and the change stand side by side."""
    comparison = format_summary(evaluation).partition("baseline")[2]
    line = next(line for line in comparison.splitlines() if line.startswith("strict f1"))
    assert line.split()[2:5] == ["1.0000", "0.6667", "-0.3333"]
