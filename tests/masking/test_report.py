from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import veil
from veil.core.toml import write_toml
from veil.masking.journal import CountedSpan, Tally
from veil.masking.plan import hash_input, keyed_hash
from veil.masking.report import expected_leak, json_pieces

if TYPE_CHECKING:
    from pathlib import Path

    from tests.masking.conftest import Mask, ReadReport

    from veil.masking.run import MaskJob


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_fields_of_the_report(
    bad_note: Path, notes: Path, tmp_path: Path, mask: Mask, job: MaskJob, read_report: ReadReport
) -> None:
    """It tells what was done, by what, to how much, and seals every file."""
    out = tmp_path / "masked"
    mask(notes, given=replace(job, policy="safe-harbor"))
    report = read_report(out)
    assert report["veil"] == veil.__version__
    assert report["policy"]["name"] == "safe-harbor"
    assert report["policy"]["labels"]["STATE"] == {"action": "keep"}
    assert report["policy"]["labels"]["AGE"] == {"action": "generalise", "to": "90+"}
    key = job.key
    assert key
    assert report["key"] == {"fingerprint": key.fingerprint, "made_for_this_run": False}
    assert re.fullmatch("[0-9a-f]{64}", report["rules"])
    assert report["detection"] == {"words": True}
    assert report["records"] == {
        "masked": 5,
        "withheld": 1,
        "files_withheld": 0,
        "characters": 5 * 56,
        "by_language": {"en": 5},
    }
    assert report["spans"] == {
        "found": 20,
        "by_label": {"CITY": 5, "DOCTOR": 5, "MEDICALRECORD": 5, "PATIENT": 5},
        "by_action": {"tag": 20},
        "by_detector": {"words": 20},
    }
    assert report["withheld"] == [
        {
            "file": "ward-0/note-2.txt",
            "record": "ward-0/note-2",
            "reason": "withheld: detector words failed (ValueError)",
        }
    ]
    assert report["sample"]["size"] == 5
    assert report["leak"]["languages"] == {"en": None}
    assert report["seal"]["inputs"] == "hmac-sha256"
    assert report["skipped"] == {"hidden": 0, "listed": []}
    assert report["seal"]["files"] == len(report["files"]) == 6
    for file in report["files"]:
        assert file["input"] == hash_input(key, file["path"], notes / file["path"])
        assert file["input"] != sha256(notes / file["path"])
        if file["path"] == "ward-0/note-2.txt":
            assert file["output"] is None
        else:
            assert file["output"] == sha256(out / file["path"])
            assert (file["bytes"], file["items"]) == ((out / file["path"]).stat().st_size, 1)


def test_places_to_review_are_those_of_the_output(
    notes: Path, tmp_path: Path, mask: Mask, read_report: ReadReport
) -> None:
    """The offsets of unsure spans lead to their replacements in the masked text."""
    mask(notes)
    report = read_report(tmp_path / "masked")
    assert report["review"] == {"score_below": 0.6, "found": 6, "by_label": {"CITY": 6}}
    assert len(report["unsure_spans"]) == 6
    for span in report["unsure_spans"]:
        text = (tmp_path / "masked" / span["file"]).read_text()
        assert text[span["start"] : span["end"]] == "[CITY-1]"
        assert (span["label"], span["score"]) == ("CITY", 0.5)


def test_given_files_and_known_patients_are_written_down(
    notes: Path, tmp_path: Path, mask: Mask, job: MaskJob, read_report: ReadReport
) -> None:
    """A table of known patients is there by a keyed hash, and how many records it knew."""
    table = tmp_path / "known.csv"
    table.write_text("record,name\nward-0/note-0,Ann Other\n")
    detection = replace(
        job.detection, files={"known": table}, is_known=lambda doc: doc.id == "ward-0/note-0"
    )
    mask(notes, given=replace(job, detection=detection))
    report = read_report(tmp_path / "masked")
    assert job.key
    assert report["given"] == {"known": keyed_hash(job.key, "given", "known", sha256(table))}
    assert report["records"]["with_known_values"] == 1


def test_the_page_is_complete_in_itself(notes: Path, tmp_path: Path, mask: Mask) -> None:
    """It loads nothing, runs nothing, and escapes the names of files."""
    (notes / "a<b>&.txt").write_text("Hexenschuss")
    mask(notes)
    page = (tmp_path / "masked" / "veil-report.html").read_text("utf-8")
    assert not re.search(r"https?:|<script|<link|src=|@import|url\(", page)
    assert "a&lt;b&gt;&amp;.txt" in page
    assert "a<b>" not in page
    assert "not measured" in page
    assert page.count("<svg") == page.count("</svg>") > 5


def test_lists_are_written_piece_by_piece() -> None:
    """Head and lists make one JSON object, empty lists too."""
    head = {"a": 1, "b": {"c": "å"}}
    lists: dict[str, list[Any]] = {"empty": [], "full": [{"x": 1}, {"x": "山"}]}
    assert json.loads("".join(json_pieces(head, lists))) == {**head, **lists}


@pytest.fixture
def measured_model(tmp_path: Path) -> Path:
    """The folder of a model that was measured on two sets, twice each."""
    folder = tmp_path / "veil-xx"
    folder.mkdir()

    def entry(data: str, how: str, leaked: int) -> dict[str, Any]:
        return {"data": data, "how": how, "records": 100, "spans": 1000, "leaked_spans": leaked}

    measured = [
        entry("easy", "model and rules", 10),
        entry("hard", "model and rules", 40),
        entry("easy", "the same, recall high", 5),
        entry("hard", "the same, recall high", 20),
    ]
    settings = {"name": "veil-xx", "kind": "crf", "language": "en", "card": {"measured": measured}}
    write_toml(folder / "model.toml", settings)
    return folder


@pytest.mark.parametrize(("recall", "share"), [(None, 0.04), (0.99, 0.04), ("high", 0.02)])
def test_expected_leak(
    recall: float | str | None, share: float, measured_model: Path, job: MaskJob
) -> None:
    """The hardest set at the balance that was chosen counts, with its interval."""
    tally = Tally(records=3)
    tally.languages.update(["en", "en", "sv"])
    tally.spans[CountedSpan("CITY", "tag", "rules", "en")] = 960
    detection = replace(job.detection, models=(measured_model,), settings={"recall": recall})
    leak = expected_leak(tally, detection)["languages"]
    assert leak["sv"] is None
    assert leak["en"]["share"] == share
    assert leak["en"]["measured_on"] == "hard"
    assert leak["en"]["low"] < share < leak["en"]["high"]
    assert leak["en"]["expected_leaks"] == pytest.approx(960 * share / (1 - share), abs=0.1)
    assert leak["en"]["expected_low"] < leak["en"]["expected_leaks"] < leak["en"]["expected_high"]


def test_models_are_written_down_by_their_hashes(
    notes: Path,
    tmp_path: Path,
    mask: Mask,
    job: MaskJob,
    measured_model: Path,
    read_report: ReadReport,
) -> None:
    """The report names each model with the hash of every file, and the page shows its leak."""
    detection = replace(job.detection, models=(measured_model,))
    mask(notes, given=replace(job, detection=detection))
    (model,) = read_report(tmp_path / "masked")["models"]
    assert model == {
        "name": "veil-xx",
        "language": "en",
        "files": {"model.toml": sha256(measured_model / "model.toml")},
    }
    page = (tmp_path / "masked" / "veil-report.html").read_text("utf-8")
    assert " to 5.4\xa0%<" in page
