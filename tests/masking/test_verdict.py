from __future__ import annotations

import re
import shlex
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from veil.cli.parser import make_parser
from veil.core.toml import write_toml
from veil.masking.journal import Tally
from veil.masking.report import used_models
from veil.masking.verdict import count_reasons, overall_leak, verdict_lines, verdict_of, with_paths

if TYPE_CHECKING:
    from pathlib import Path

    from tests.masking.conftest import Mask, ReadReport

    from veil.masking.run import MaskJob


def leak(share: float, found: int, **more: Any) -> dict[str, Any]:
    """The expected leak of a language, with bounds of half and double the share."""
    shares = {"share": share, "low": share / 2, "high": 2 * share}
    return {"spans_found": found, **shares, "character_precision": 0.96, **more}


def head(**changes: Any) -> dict[str, Any]:
    """The head of a report as far as a verdict needs it."""
    high = leak(0.01, 990, character_precision=0.9)
    return {
        "records": {"masked": 50, "withheld": 0, "files_withheld": 0},
        "detection": {},
        "leak": {"languages": {"xx": leak(0.04, 960, with_high_recall=high)}},
        "clinical_values": {"found": 30, "changed": 0},
        "review": {"found": 0},
        "sample": {"size": 45, "bounds_share": 0.01, "confidence": 0.95},
        **changes,
    }


def steps(**changes: Any) -> list[str]:
    found = verdict_of(head(**changes), {})["next"]
    return [" | ".join(step.values()) for step in found]


def test_high_recall_is_advised_with_what_it_brings_and_costs() -> None:
    """Both shares come from the models' cards and from the spans of this run."""
    first, second = steps()
    assert first == (
        "--recall high lowers the expected share of missed identifiers from 4 to 1 %, and masks "
        "more harmless text: precision 90 % instead of 96 %. | --recall high --overwrite"
    )
    assert second.startswith("Read 45 records drawn at random.")
    assert second.endswith("| veil review MASKED --original ORIGINAL --order sample")


@pytest.mark.parametrize(
    "changes",
    [
        {"detection": {"recall": "high"}},
        {"detection": {"bias": -3.0}},
        {"leak": {"languages": {"xx": leak(0.04, 960, with_high_recall=None)}}},
        {"leak": {"languages": {"xx": leak(0.04, 960, with_high_recall=leak(0.05, 960))}}},
        {"leak": {"languages": {"xx": None}}},
    ],
    ids=["used already", "own bias", "not measured", "no better", "no model"],
)
def test_high_recall_is_not_advised_without_a_measured_gain(changes: dict[str, Any]) -> None:
    """The first step is then to read a sample."""
    (only,) = steps(**changes)
    assert only.startswith("Read 45 records")


def test_unsure_spans_and_changed_values_have_their_commands() -> None:
    """Each leads to where a person looks at them."""
    found = steps(review={"found": 7}, clinical_values={"found": 30, "changed": 2})
    assert found[-2].endswith("| veil review MASKED --original ORIGINAL --order uncertain")
    assert found[-1].endswith("2 clinical values that were changed. | veil audit MASKED --values")


def test_withheld_records_come_first_with_their_reasons() -> None:
    """The most frequent reasons are named, the others counted."""
    reasons = {"withheld: torn": 5, "b": 3, "c": 2, "d": 1}
    empty = {"masked": 0, "withheld": 9, "files_withheld": 2}
    found = verdict_of(head(records=empty), reasons)
    assert found["withheld"] == 11
    (only,) = found["next"]
    assert only["text"].startswith(
        "11 records or files were withheld: torn (5); b (3); c (2); other reasons (1)."
    )


def test_rules_alone_are_not_measured() -> None:
    """After a run with the rules alone, the verdict says that its leak is not measured."""
    first, _ = steps(detection={"rules_only": True}, leak={"languages": {"xx": None}})
    assert "leak is not measured" in first


def test_languages_are_added_up() -> None:
    """The overall share is that of all missed spans; unmeasured languages are named."""
    found = overall_leak({"aa": leak(0.04, 960), "bb": leak(0.02, 98), "": None})
    assert found
    assert found["missed"] == 42.0
    assert found["share"] == pytest.approx(42 / (960 + 98 + 42), abs=1e-6)
    assert found["low"] < found["share"] < found["high"]
    assert found["unmeasured"] == ["unknown"]
    assert overall_leak({"aa": None}) is None
    without_bound = overall_leak({"aa": {**leak(0.5, 1), "high": 1.0}})
    assert without_bound
    assert (without_bound["high"], without_bound["missed_high"]) == (1.0, None)


def test_reasons_beyond_a_hundred_are_counted_together() -> None:
    """Reasons with numbers of lines do not fill the memory."""
    counts = count_reasons(f"line {number}" for number in range(1000))
    assert len(counts) == 101
    assert counts["other reasons"] == 900


def test_paths_are_quoted_for_the_shell() -> None:
    """A command can be copied as it is, with several inputs and blanks in names."""
    command = "veil review MASKED --original ORIGINAL --order sample"
    assert with_paths(command, "my out", ["a b", "c"]) == (
        "veil review 'my out' --original 'a b' --original c --order sample"
    )


def test_terminal_shows_two_steps_with_commands() -> None:
    """The leak with its interval, then the first two steps that can be copied."""
    verdict = verdict_of(head(review={"found": 7}), {"torn": 1})
    lines = list(verdict_lines(verdict, "masked/", ["notes/"]))
    assert lines[0] == (
        "expected leak: 4 % of identifiers are missed, about 40 spans; 95 % interval 2 to 8 %"
    )
    assert lines[2].endswith("again with --recall high --overwrite")
    assert lines[4].strip() == "veil review masked/ --original notes/ --order sample"
    assert len(lines) == 5


def test_only_models_of_the_languages_are_named(job: MaskJob) -> None:
    """A model whose language no record has was not used; a named model always was."""
    models = [{"name": "a", "language": "aa"}, {"name": "b", "language": "bb"}]
    tally = Tally(languages=Counter({"aa": 3, "bb": 0}))
    assert used_models(models, tally, job.detection) == models[:1]
    named = replace(job.detection, settings={"model": "b"})
    assert used_models(models, tally, named) == models


def test_the_page_begins_with_the_verdict(
    bad_note: Path,
    notes: Path,
    tmp_path: Path,
    mask: Mask,
    job: MaskJob,
    read_report: ReadReport,
) -> None:
    """JSON and page say first what was masked and withheld, what may leak, and what to do."""
    folder = tmp_path / "veil-xx"
    folder.mkdir()
    measured = [
        {"data": "d", "how": how, "records": 9, "spans": 1000, "leaked_spans": leaked}
        for how, leaked in (("model and rules", 39), ("the same, recall high", 12))
    ]
    settings = {"name": "veil-xx", "kind": "crf", "language": "en", "card": {"measured": measured}}
    write_toml(folder / "model.toml", settings)
    detection = replace(job.detection, models=(folder,))
    summary = mask(notes, given=replace(job, detection=detection))
    report = read_report(tmp_path / "masked")
    assert next(iter(report)) == "verdict"
    assert summary.verdict == report["verdict"]
    assert (report["verdict"]["masked"], report["verdict"]["withheld"]) == (5, 1)
    advice = report["verdict"]["next"][1]["text"]
    assert "from 3.9 to 1.2 %" in advice
    page = (tmp_path / "masked" / "veil-report.html").read_text("utf-8")
    text = re.sub(r"<[^>]+>", "", page[page.index("<h1>") :])
    first = [text.index(each) for each in ("5 records were masked", "3.9\xa0%", "Clinical values")]
    assert first == sorted(first) < [text.index("What to do next", first[-1])]
    assert "veil review masked --original ORIGINAL --order sample" in page


def test_commands_of_the_verdict_exist() -> None:
    """What people are told to copy is understood by the command line."""
    verdict = verdict_of(
        head(review={"found": 7}, clinical_values={"found": 9, "changed": 2}), {"torn": 1}
    )
    commands = [step["command"] for step in verdict["next"] if "command" in step]
    assert len(commands) == 3
    for command in commands:
        program, name, *arguments = shlex.split(with_paths(command, "my out", ["notes", "more"]))
        assert program == "veil"
        make_parser([name], used=name).parse_args([name, *arguments])
    (options,) = [step["options"] for step in verdict["next"] if "options" in step]
    make_parser(["mask"], used="mask").parse_args(["mask", "x", "-o", "y", *options.split()])
