from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, RecordError, Span
from veil.io import ReadLog, read, write

if TYPE_CHECKING:
    from pathlib import Path


def wrap(body: str, *, record: str = "1") -> str:
    return f'<RECORD ID="{record}">\n<TEXT>{body}</TEXT>\n</RECORD>\n'


def read_source(folder: Path, source: str, log: ReadLog | None = None) -> list[Record]:
    (folder / "a.xml").write_bytes(source.encode())
    return list(read(folder / "a.xml", format="i2b2-2006", log=log))


def read_body(folder: Path, body: str) -> Record:
    (record,) = read_source(folder, f"<ROOT>\n{wrap(body)}</ROOT>\n")
    return record


def test_record_of_the_challenge(tmp_path: Path) -> None:
    """Text is exact from <TEXT> on, and a tag may hold line breaks."""
    record = read_body(
        tmp_path,
        '\n<PHI TYPE="ID">294</PHI> <PHI TYPE="HOSPITAL">DH</PHI>\n'
        'call <PHI TYPE="PHONE">\n503</PHI> now\n',
    )
    assert record.document == Document("1", "\n294 DH\ncall \n503 now\n")
    assert [span.key for span in record.spans] == [
        (1, 4, "ID"),
        (5, 7, "HOSPITAL"),
        (13, 17, "PHONE"),
    ]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("BP &lt; 120 &amp; stable&#13;&#x41;", "BP < 120 & stable\rA"),
        ("BP < 120 &amp; stable", "BP < 120 &amp; stable"),
        ("R&D &lt; 3", "R&D &lt; 3"),
        ("&unknown;", "&unknown;"),
        ("a\r\nb\rc", "a\r\nb\rc"),
        ('&<PHI TYPE="ID">amp;</PHI>', "&amp;"),
    ],
)
def test_dialect_is_decided_by_the_record(body: str, text: str, tmp_path: Path) -> None:
    """References are resolved only where nothing in the record is unescaped."""
    assert read_body(tmp_path, body).document.text == text


def test_dialects_side_by_side(tmp_path: Path) -> None:
    """A literal record does not change how its neighbour is read."""
    records = read_source(tmp_path, wrap("a &lt; b") + wrap("a < b &lt;", record="2"))
    assert [record.document.text for record in records] == ["a < b", "a < b &lt;"]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ('a\n<PHI TYPE="ID">1<PHI TYPE="ID">2</PHI></PHI>', 4),
        ('a\n<PHI TYPE="ID">1', 4),
        ("a\n1</PHI>", 4),
        ("a\n<PHI TYPE=ID>1</PHI>", 4),
        ("a\n<PHI>1</PHI>", 4),
        ('a\n<PHI TYPE="ID" PART="middle">1</PHI>', 4),
        ("&#0;", 2),
        ("&#xD800;", 2),
        ("&#1114112;", 2),
    ],
)
def test_malformed_record_is_located(body: str, line: int, tmp_path: Path) -> None:
    """Wrong tags and references are errors with record and line, and the next record is read."""
    log = ReadLog()
    records = read_source(tmp_path, f"<ROOT>\n{wrap(body)}{wrap('x', record='2')}</ROOT>", log)
    assert [record.id for record in records] == ["2"]
    (problem,) = log.problems
    assert (problem.record, problem.line) == ("1", line)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<RECORD>\n<TEXT>a</TEXT>\n</RECORD>\n", "no ID"),
        ("<RECORD ID=1>\n<TEXT>a</TEXT>\n</RECORD>\n", "begins with"),
        ('<RECORD ID="1">\na\n</RECORD>\n', "begins with"),
        ('<RECORD ID="1">\n<TEXT>a\n</RECORD>\n', "ends with"),
        ('<RECORD ID="1">\n<TEXT>a</TEXT>\n', "no </RECORD>"),
        ("<TEXT>a</TEXT>\n</RECORD>\n", "neither a RECORD"),
        ("Anna\n", "neither a RECORD"),
    ],
)
def test_broken_frame_is_located(source: str, reason: str, tmp_path: Path) -> None:
    """A record without its frame is an error with its line, and the records around it are read."""
    log = ReadLog()
    around = [wrap("x", record="before"), source, wrap("y", record="after")]
    records = read_source(tmp_path, "".join(around), log)
    assert [record.id for record in records] == ["before", "after"]
    (problem,) = log.problems
    assert problem.line == 4
    assert reason in problem.reason


def test_last_record_not_closed(tmp_path: Path) -> None:
    """A file cut off in a record gives an error for it, and the records before."""
    log = ReadLog()
    source = wrap("x") + '<RECORD ID="2">\n<TEXT>Anna'
    assert [record.id for record in read_source(tmp_path, source, log)] == ["1"]
    assert [(problem.line, problem.reason) for problem in log.problems] == [
        (4, "no </RECORD> for this RECORD")
    ]


def test_bad_bytes_cost_one_record(tmp_path: Path) -> None:
    """A record that is not UTF-8 is left out with its byte and line; the next is read."""
    first, second = wrap("Åre\n€ x").encode(), wrap("y", record="2").encode()
    (tmp_path / "a.xml").write_bytes(first.replace("€".encode(), b"\x80") + second)
    log = ReadLog()
    assert [record.id for record in read(tmp_path, format="i2b2-2006", log=log)] == ["2"]
    assert (log.problems[0].line, log.problems[0].byte) == (3, first.index(b"\xe2"))


def test_empty_tags_are_noted(tmp_path: Path) -> None:
    """A tag around nothing protects nothing; it is left out with a note."""
    log = ReadLog()
    (record,) = read_source(tmp_path, wrap('a<PHI TYPE="ID"></PHI><PHI TYPE="ID"/>b'), log)
    assert (record.document.text, tuple(record.spans)) == ("ab", ())
    assert dict(log.notes) == {"PHI tags without text, left out": 2}


def test_records_longer_than_a_chunk(tmp_path: Path) -> None:
    """Records are whole wherever the chunks of reading cut them."""
    texts = [f"{number} " + "å" * (97_001 + number) for number in range(12)]
    records = [
        Record.of(Document(str(n), text), [Span(0, 1, "ID")]) for n, text in enumerate(texts)
    ]
    write(records, tmp_path / "a.xml", format="i2b2-2006")
    assert list(read(tmp_path, format="i2b2-2006")) == records


def test_endless_record_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that never closes its record is given up before it fills the memory."""
    monkeypatch.setattr("veil.io.files._LONGEST_PIECE", 1 << 20)
    with pytest.raises(RecordError, match="no </RECORD> within 1048576 bytes"):
        read_source(tmp_path, '<RECORD ID="1"><TEXT>' + "x" * (3 << 20))


def test_what_is_written(tmp_path: Path) -> None:
    """The escaped dialect is written, with the part as an attribute."""
    record = Record.of(Document('a"b', "A&B <\r"), [Span(0, 3, "NAME", part="last")])
    write([record], tmp_path / "a.xml", format="i2b2-2006")
    assert (tmp_path / "a.xml").read_text("utf-8") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n<RECORD ID="a&quot;b">\n'
        '<TEXT><PHI TYPE="NAME" PART="last">A&amp;B</PHI> &lt;&#13;</TEXT>\n</RECORD>\n</ROOT>\n'
    )
    assert list(read(tmp_path, format="i2b2-2006")) == [record]


def test_id_and_label_that_xml_cannot_hold(tmp_path: Path) -> None:
    """Ids and labels with control characters are refused."""
    for record in (
        Record.of(Document("a\x01", "x")),
        Record.of(Document("a", "x"), [Span(0, 1, "A\x01")]),
    ):
        with pytest.raises(RecordError, match="cannot be written in XML"):
            write([record], tmp_path / "a.xml", format="i2b2-2006")
