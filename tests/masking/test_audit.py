from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from veil import InputError, changed_values
from veil.masking.audit import MaskedOutput, check_seal, draw_sample, sample_page, sample_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.masking.conftest import Mask

    from veil.masking.run import MaskJob


@pytest.fixture
def masked(notes: Path, tmp_path: Path, mask: Mask) -> Path:
    """The six notes, masked."""
    mask(notes)
    return tmp_path / "masked"


def test_the_seal_holds_until_something_is_changed(bad_note: Path, masked: Path) -> None:
    """Changed, missing, added and withheld files and a changed list of files are reported."""
    assert check_seal(MaskedOutput.open(masked)) == []
    (masked / "ward-0" / "note-0.txt").write_text("changed")
    (masked / "ward-1" / "note-1.txt").unlink()
    (masked / "ward-1" / "other.txt").write_text("new")
    (masked / "ward-0" / "note-2.txt").write_text("came back")
    assert check_seal(MaskedOutput.open(masked)) == [
        "ward-0/note-0.txt: was changed",
        "ward-0/note-2.txt: was withheld, but exists",
        "ward-1/note-1.txt: is missing",
        "ward-1/other.txt: does not belong to this run",
    ]
    report = masked / "veil-report.json"
    data = json.loads(report.read_text("utf-8"))
    del data["files"][0]
    report.write_text(json.dumps(data), "utf-8")
    assert "the report's list of files was changed" in check_seal(MaskedOutput.open(masked))


def test_a_sample_is_drawn_without_putting_back(masked: Path) -> None:
    """The same seed draws the same records, another one others; no record comes twice."""
    output = MaskedOutput.open(masked)
    sample = draw_sample(output, 3, seed=7)
    assert sample == draw_sample(output, 3, seed=7)
    assert sample.population == 6
    files = [drawn.file for drawn in sample.records]
    assert files == sorted(set(files))
    drawn = {each.file for seed in range(30) for each in draw_sample(output, 3, seed=seed).records}
    assert len(drawn) == 6
    assert len(draw_sample(output, 99).records) == 6


def test_every_record_has_the_same_chance(masked: Path) -> None:
    """Over many seeds each of six records is drawn about as often as the others."""
    output = MaskedOutput.open(masked)
    counts: dict[str, int] = {}
    for seed in range(600):
        for drawn in draw_sample(output, 2, seed=seed).records:
            counts[drawn.file] = counts.get(drawn.file, 0) + 1
    assert all(150 < count < 250 for count in counts.values())


def test_records_of_tables_are_drawn_by_their_columns(
    tmp_path: Path, mask: Mask, job: MaskJob
) -> None:
    """A table is read with the columns that the run was told."""
    source = tmp_path / "notes.csv"
    source.write_text("pid,note\n1,Okafor\n2,Hale\n3,nobody\n")
    options = replace(job.options, text_columns=("note",), id_column="pid")
    mask(source, tmp_path / "masked.csv", given=replace(job, options=options))
    output = MaskedOutput.open(tmp_path / "masked.csv")
    sample = draw_sample(output, 9, seed=1)
    texts = [doc.text for drawn in sample.records for doc in drawn.documents]
    assert texts == ["[PATIENT-1]", "[DOCTOR-1]", "nobody"]
    assert check_seal(output) == []


def test_the_page_marks_what_was_replaced(masked: Path) -> None:
    """Tags are marked by their label, unsure spans say so, and the bound is told."""
    output = MaskedOutput.open(masked)
    page = "".join(sample_page(output, draw_sample(output, 2, seed=1)))
    assert page.count('<mark class="name" title=') == 4
    assert page.count('<mark class="location" title="CITY') == 2
    assert "not-sure 0.50" in page
    assert "2 of 6 records, drawn at random with the seed 1." in page
    assert "at most 66.67% of all records are such" in page


@pytest.mark.parametrize(
    ("policy", "marks"),
    [
        ('default = "redact"', 4),
        ('default = { action = "redact", character = "*", length = 3 }', 4),
        ('default = "hash"', 4),
        (
            'default = { action = "tag", scheme = "mednlp", numbered = false, form = "<{label}>" }',
            4,
        ),
    ],
)
def test_forms_of_replacements_are_known(
    policy: str, marks: int, notes: Path, tmp_path: Path, mask: Mask, job: MaskJob
) -> None:
    """Bars, codes and tags of other forms are marked, too."""
    file = tmp_path / "mine.toml"
    file.write_text(policy + "\n")
    mask(notes, given=replace(job, policy=file))
    output = MaskedOutput.open(tmp_path / "masked")
    page = "".join(sample_page(output, draw_sample(output, 1, seed=1)))
    assert page.count('" title=') == marks  # the marks of the legend have none


def test_the_sample_as_text(masked: Path) -> None:
    """The text names each record's file and shows it."""
    output = MaskedOutput.open(masked)
    text = "".join(sample_text(draw_sample(output, 6, seed=1)))
    assert text.count("== ward-") == 6
    assert "Dr. [DOCTOR-1] saw Mr. [PATIENT-1]" in text


@pytest.mark.parametrize(
    "keys", [("sample", "size"), ("seal", "digest"), ("policy", "labels"), ("files", 0, "path")]
)
def test_a_report_that_lacks_something_is_told(masked: Path, keys: tuple[str | int, ...]) -> None:
    """A report that is not whole is refused when it is read, not in the middle of an audit."""
    file = masked / "veil-report.json"
    report = json.loads(file.read_text("utf-8"))
    part = report
    for key in keys[:-1]:
        part = part[key]
    del part[keys[-1]]
    file.write_text(json.dumps(report), "utf-8")
    with pytest.raises(InputError, match=r"veil-report.json: is not a report of `veil mask`, or"):
        MaskedOutput.open(masked)


def test_what_is_no_output_is_told(tmp_path: Path) -> None:
    """A folder without a report, with a broken one, and no folder at all."""
    with pytest.raises(InputError, match="no such file or folder"):
        MaskedOutput.open(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no report of `veil mask` there"):
        MaskedOutput.open(tmp_path)
    (tmp_path / "veil-report.json").write_text('{"veil": 1}')
    with pytest.raises(InputError, match="or is damaged"):
        MaskedOutput.open(tmp_path)


def test_changed_values_are_read_from_the_report(masked: Path) -> None:
    """Values that a replacement changed are listed; a report without a count is refused."""
    assert changed_values(masked).found == changed_values(masked).changed == 0
    report = masked / "veil-report.json"
    data = json.loads(report.read_text("utf-8"))
    where = {"file": "ward-0/note-0.txt", "record": "note-0", "start": 3, "end": 9}
    data["clinical_values"] = {
        "found": 7,
        "changed": 1,
        "listed": [{**where, "label": "DATE", "rule": "en/score"}],
    }
    report.write_text(json.dumps(data), "utf-8")
    values = changed_values(masked)
    assert (values.found, values.changed) == (7, 1)
    assert values.listed == (("ward-0/note-0.txt", "note-0", 3, 9, "DATE", "en/score"),)
    del data["clinical_values"]
    report.write_text(json.dumps(data), "utf-8")
    with pytest.raises(InputError, match="did not count values"):
        changed_values(masked)
