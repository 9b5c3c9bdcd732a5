"""Labels as inline tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, RecordError, Span
from veil.io import ReadLog, detect_formats, read, write

if TYPE_CHECKING:
    from pathlib import Path


def test_tags_become_spans(tmp_path: Path) -> None:
    """Tags of known labels are taken out and become spans; parts are kept."""
    file = tmp_path / "note.txt"
    file.write_text('Dr. <DOCTOR>Ek</DOCTOR>, <NAME part="first">Bo</NAME>: CRP<5, <HR> 3', "utf-8")
    (record,) = read(tmp_path)
    assert record.document.text == "Dr. Ek, Bo: CRP<5, <HR> 3"
    assert list(record.spans) == [Span(4, 6, "DOCTOR"), Span(8, 10, "NAME", part="first")]


def test_format_is_recognised_by_a_pair_of_tags(tmp_path: Path) -> None:
    """A pair of tags makes the format; a word in brackets does not."""
    file = tmp_path / "note.txt"
    file.write_text("seen <DATE>3/5</DATE>", "utf-8")
    assert [each.name for each in detect_formats(file)] == ["tagged"]
    file.write_text("seen <DATE> at home", "utf-8")
    assert [each.name for each in detect_formats(file)] == ["text"]


def test_a_file_may_hold_several_records(tmp_path: Path) -> None:
    """Each record follows a heading; a broken one is withheld by its name, the others come."""
    (tmp_path / "week.txt").write_text(
        "=== mon\nDr <DOCTOR>Ek</DOCTOR>\n=== tue\nage\n<AGE>5\n=== wed\n<AGE>7</AGE> y\n", "utf-8"
    )
    log = ReadLog()
    records = list(read(tmp_path, format="tagged", log=log))
    assert [(record.id, record.document.text) for record in records] == [
        ("week/mon", "Dr Ek\n"),
        ("week/wed", "7 y\n"),
    ]
    (withheld,) = log.problems
    assert "line 6, record week/tue: a tag is not closed" in str(withheld)


def test_a_text_like_a_heading_is_not_written(tmp_path: Path) -> None:
    """A record that would be read back as another is refused."""
    with pytest.raises(RecordError, match="begins with '=== '"):
        write([Record.of(Document("r", "=== x\ny"), [])], tmp_path / "out", format="tagged")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\n<AGE>5", "line 2, record note: a tag is not closed"),
        ("<AGE>5 <DATE>3</DATE></AGE>", "line 1, record note: a tag inside another"),
        ("5</AGE>", "line 1, record note: </AGE> without <AGE>"),
    ],
)
def test_broken_tags_are_refused(text: str, reason: str, tmp_path: Path) -> None:
    """A record whose tags do not fit is an error that names the line."""
    file = tmp_path / "note.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=reason):
        list(read(file, format="tagged"))


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("see <AGE> x", "DATE", "looks like a tag"),
        ("x", "WEAPON", "the label at 0-1 is not in a scheme of Veil"),
    ],
)
def test_what_tags_cannot_hold_is_refused(
    text: str, label: str, reason: str, tmp_path: Path
) -> None:
    """Text that would be read as a tag and labels that would not are refused by record."""
    record = Record.of(Document("r7", text), [Span(0, 1, label)])
    with pytest.raises(RecordError, match=f"r7.*{reason}"):
        write([record], tmp_path / "out", format="tagged")
