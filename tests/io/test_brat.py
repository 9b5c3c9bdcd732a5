from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, RecordError, Span
from veil.io import ReadLog, read, write

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Anna Berg, 63\nUppsala"


def read_one(folder: Path, annotations: str, log: ReadLog | None = None) -> Record:
    (folder / "a.txt").write_bytes(TEXT.encode())
    (folder / "a.ann").write_bytes(annotations.encode())
    (record,) = read(folder, format="brat", log=log)
    return record


def test_spans_and_parts(tmp_path: Path) -> None:
    """T lines are spans and an A line named Part tells the part; all other lines are ignored."""
    record = read_one(
        tmp_path,
        "T1\tNAME 0 4\tAnna\r\nA1\tPart T1 first\nT2\tLOCATION 14 21\tUppsala\n"
        "R1\tOf Arg1:T1 Arg2:T2\nE1\tNAME:T1\n*\tEquiv T1 T2\nN1\tReference T1 x:1\ty\n"
        "#1\tAnnotatorNotes T1\tx\nA2\tNegated T1\n\n",
    )
    assert list(record.spans) == [Span(0, 4, "NAME", part="first"), Span(14, 21, "LOCATION")]


def test_text_without_annotations(tmp_path: Path) -> None:
    """A .txt file without .ann is a record without spans."""
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    (record,) = read(tmp_path, format="brat")
    assert record == Record.of(Document("a", TEXT))


def test_annotations_without_text(tmp_path: Path) -> None:
    """An .ann file without .txt is a record lost, and reported."""
    (tmp_path / "a.ann").write_text("T1\tNAME 0 4\tAnna\n", "utf-8")
    with pytest.raises(RecordError, match=r"no \.txt file"):
        list(read(tmp_path, format="brat"))


def test_annotation_file_names_the_record(tmp_path: Path) -> None:
    """Either file of a record may be given."""
    record = read_one(tmp_path, "T1\tNAME 0 4\tAnna\n")
    assert list(read(tmp_path / "a.ann", format="brat")) == [record]
    assert list(read(tmp_path / "a.txt", format="brat")) == [record]


def test_discontinuous_spans_are_covered(tmp_path: Path) -> None:
    """A span in pieces is read from its first to its last character, and noted."""
    log = ReadLog()
    record = read_one(tmp_path, "T1\tNAME 5 9;0 4\tBerg Anna\n", log)
    assert list(record.spans) == [Span(0, 9, "NAME")]
    assert log.notes["discontinuous spans, read from first to last character"] == 1
    assert len(log.notes) == 1


def test_overlapping_spans(tmp_path: Path) -> None:
    """Of overlapping spans the longest stays; the others are set aside, noted and written again."""
    log = ReadLog()
    record = read_one(tmp_path, "T1\tNAME 0 4\tAnna\nT2\tNAME 0 9\tAnna Berg\n", log)
    assert [span.key for span in record.spans] == [(0, 9, "NAME")]
    assert log.notes["annotations that overlap a longer one, set aside"] == 1
    write([record], tmp_path / "out", format="brat")
    assert list(read(tmp_path / "out", format="brat", log=ReadLog())) == [record]


def test_text_column_that_differs(tmp_path: Path) -> None:
    """A text column unlike the text is counted; a space for a line break is not."""
    log = ReadLog()
    read_one(tmp_path, "T1\tX 11 21\t63 Uppsala\nT2\tNAME 0 4\tAnne\n", log)
    assert dict(log.notes) == {"spans whose text column differs from the text at their offsets": 1}


@pytest.mark.parametrize(
    "line",
    [
        "T2\tNAME 0 99\tAnna",
        "T2\tNAME 4 0\tAnna",
        "T2\tNAME 4 4\t",
        "T2\tNAME -1 4\tAnna",
        "T2\tNAME zero four\tAnna",
        "T2\tNAME 0 4;8\tAnna",
        f"T2\tNAME 0 {'9' * 5000}\tAnna",
        "T2\tNAME 0 4",
        "T2 NAME 0 4 Anna",
        "T1\tNAME 0 4\tAnna",
        "A1\tPart T9 first",
        "Anna Berg",
    ],
)
def test_malformed_line_is_located(line: str, tmp_path: Path) -> None:
    """A line that cannot be right is an error with the .ann file and the line, without its text."""
    with pytest.raises(RecordError) as caught:
        read_one(tmp_path, f"T1\tNAME 0 4\tAnna\n{line}\n")
    assert (caught.value.path, caught.value.line) == (tmp_path / "a.ann", 2)
    assert "Anna" not in str(caught.value)


def test_unknown_part_is_noted(tmp_path: Path) -> None:
    """A Part that Veil does not know is left out with a note."""
    log = ReadLog()
    record = read_one(tmp_path, "T1\tNAME 0 4\tAnna\nA1\tPart T1 middle\n", log)
    assert record.spans[0].part is None
    assert dict(log.notes) == {"Part attributes with an unknown value, left out": 1}


def test_what_is_written(tmp_path: Path) -> None:
    """T lines are numbered in the order of the text, with line breaks as spaces."""
    spans = [Span(14, 21, "LOCATION"), Span(11, 14, "AGE"), Span(0, 9, "NAME", part="full")]
    write([Record.of(Document("a", TEXT), spans)], tmp_path, format="brat")
    assert (tmp_path / "a.txt").read_bytes() == TEXT.encode()
    assert (tmp_path / "a.ann").read_text("utf-8") == (
        "T1\tNAME 0 9\tAnna Berg\nT2\tAGE 11 14\t63 \nT3\tLOCATION 14 21\tUppsala\n"
        "A1\tPart T1 full\n"
    )


@pytest.mark.parametrize("label", ["", "A B", "A\tB"])
def test_label_that_brat_cannot_hold(label: str, tmp_path: Path) -> None:
    """A label with white space is refused."""
    with pytest.raises(RecordError, match="record a: the label at 0-4"):
        write([Record.of(Document("a", TEXT), [Span(0, 4, label)])], tmp_path, format="brat")
