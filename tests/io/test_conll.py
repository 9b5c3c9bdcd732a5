from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, RecordError, Span
from veil.io import ReadLog, detect_formats, read, write
from veil.io.conll import tokenise

if TYPE_CHECKING:
    from pathlib import Path


def read_source(folder: Path, source: str, log: ReadLog | None = None) -> list[Record]:
    (folder / "news.conll").write_bytes(source.encode())
    return list(read(folder, format="conll", log=log))


def labelled(record: Record) -> list[tuple[str, str]]:
    return [(record.document.text[s.start : s.end], s.label) for s in record.spans]


def test_what_is_written(tmp_path: Path) -> None:
    """Word, tag, offsets and white space; a blank line where the text breaks the line."""
    spans = [
        Span(2, 6, "NAME", part="first"),
        Span(7, 11, "NAME", part="last"),
        Span(13, 15, "AGE"),
    ]
    record = Record.of(Document("r 1", "\n Anna Berg\n\n63", "sv"), spans)
    write([record], tmp_path / "a.conll", format="conll")
    assert (tmp_path / "a.conll").read_text("utf-8") == (
        '-DOCSTART-\tO\tr 1\t"\\n "\tsv\n\n'
        'Anna\tB-NAME+first\t2-6\t" "\n'
        'Berg\tB-NAME+last\t7-11\t"\\n\\n"\n\n'
        '63\tB-AGE\t13-15\t""\n\n'
    )
    assert list(read(tmp_path, format="conll")) == [record]


def test_span_is_cut_to_its_tokens(tmp_path: Path) -> None:
    """White space at the border of a span has no line, and is left out of it."""
    record = Record.of(Document("r", "a  Anna \n b"), [Span(1, 10, "NAME")])
    write([record], tmp_path / "a.conll", format="conll")
    assert [span.key for span in next(read(tmp_path, format="conll")).spans] == [(3, 7, "NAME")]


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        ([Span(1, 2, "NAME")], "span 1-2 is white space"),
        ([Span(0, 1, "NAME"), Span(1, 2, "AGE"), Span(2, 3, "ID")], "span 1-2 is white space"),
        ([Span(3, 4, "NAME")], "span 3-4 is white space"),
        ([Span(0, 1, "A B")], "cannot be an IOB tag"),
        ([Span(0, 1, "")], "cannot be an IOB tag"),
        ([Span(0, 1, "NAME+first")], "cannot be an IOB tag"),
    ],
)
def test_spans_that_have_no_line(spans: list[Span], reason: str, tmp_path: Path) -> None:
    """A span of white space alone, or with a label that would be misread, is refused."""
    with pytest.raises(RecordError, match=f"record r: .*{reason}"):
        write([Record.of(Document("r", "a b "), spans)], tmp_path / "a.conll", format="conll")


def test_id_with_a_tab_is_refused(tmp_path: Path) -> None:
    """An id that would break the columns is refused."""
    with pytest.raises(RecordError, match="tab or line break"):
        write([Record.of(Document("a\tb", "x"))], tmp_path / "a.conll", format="conll")


def test_columns_of_conll_2003(tmp_path: Path) -> None:
    """First column the word, last the tag; IOB1 and IOB2; documents without id are numbered."""
    first, second = read_source(
        tmp_path,
        "-DOCSTART- -X- -X- O\n\nEU NNP I-NP I-ORG\nrejects VBZ I-VP O\nJohn NNP I-NP I-PER\n"
        "Smith NNP I-NP I-PER\nAnna NNP I-NP B-PER\n\nBerg NNP I-NP I-PER\n\n"
        "-DOCSTART- -X- -X- O\n\nRome NNP I-NP B-LOC\n",
    )
    assert first.document == Document("news-1", "EU rejects John Smith Anna\nBerg")
    assert labelled(first) == [
        ("EU", "ORG"),
        ("John Smith", "PER"),
        ("Anna", "PER"),
        ("Berg", "PER"),
    ]
    assert (second.id, labelled(second)) == ("news-2", [("Rome", "LOC")])


def test_bare_labels(tmp_path: Path) -> None:
    """Equal bare labels that follow each other are one span; O and 0 are outside."""
    (record,) = read_source(
        tmp_path, "Anna\tPER\nBerg\tPER\nUppsala\tLOC\ni\t0\nvida\tO\nBo\tPER\n\nEk\tPER\n"
    )
    assert record.document == Document("news", "Anna Berg Uppsala i vida Bo\nEk")
    assert labelled(record) == [
        ("Anna Berg", "PER"),
        ("Uppsala", "LOC"),
        ("Bo", "PER"),
        ("Ek", "PER"),
    ]


def test_no_break_space_is_part_of_a_word(tmp_path: Path) -> None:
    """Columns are split at tabs, or at plain spaces where there is no tab; nowhere else."""
    (record,) = read_source(tmp_path, "10\u00a0000 O\r\n\r\nNew York\tB-LOC\r\n")
    assert record.document.text == "10\u00a0000\nNew York"
    assert labelled(record) == [("New York", "LOC")]


def test_our_columns_without_docstart(tmp_path: Path) -> None:
    """Four columns are read without loss even where the line with the id is gone."""
    (record,) = read_source(tmp_path, 'Anna\tB-NAME\t0-4\t""\n,\tO\t4-5\t"\\u00a0"\n')
    assert record.document == Document("news", "Anna,\u00a0")
    assert labelled(record) == [("Anna", "NAME")]


@pytest.mark.parametrize(
    "line",
    [
        "Anna",
        "Anna\tB-",
        "\tO",
        "-DOCSTART-\tO\tr2\tnot JSON\t",
        'Anna\tO\t5-9\t" "',
        "Anna\tO",
        'Anna\tO\t1-5\t"text"',
        'Anna\tO\t1-5\t"\\ud800"',
        'Anna\tO\t1-5\t"\\x"',
        'Anna\tO\t1-4\t" "',
    ],
)
def test_malformed_line_costs_its_document(line: str, tmp_path: Path) -> None:
    """The document with a bad line is left out, with the line; the others are read."""
    log = ReadLog()
    ours = (
        '-DOCSTART-\tO\tbad\t""\t\n\nx\tO\t0-1\t""\n' if line != "\tO" else "-DOCSTART-\tO\nx\tO\n"
    )
    before = '-DOCSTART-\tO\tfirst\t""\t\n\nx\tO\t0-1\t""\n\n'
    after = 'y\tO\t1-2\t""\n-DOCSTART-\tO\tlast\t""\t\n\nx\tO\t0-1\t""\n'
    records = read_source(tmp_path, f"{before}{ours}{line}\n{after}", log)
    number = f"{before}{ours}".count("\n") + 1
    assert [problem.line for problem in log.problems] == [number]
    expected = ["first", "bad", "last"] if line.startswith("-DOC") else ["first", "last"]
    assert [record.id for record in records] == expected


@pytest.mark.parametrize(
    ("bad", "reason", "byte"),
    [
        (b"Anna", "fewer than two columns", None),
        (b"Anna\tB-", "a tag without label", None),
        (b"\xe5\tO", "not UTF-8 here", 23),
    ],
)
def test_malformed_line_costs_its_sentence(
    bad: bytes, reason: str, byte: int | None, tmp_path: Path
) -> None:
    """In a file without -DOCSTART- the sentence is left out, with its line; the others are read."""
    before, after = b"Bo\tPER\nmade\tO\n\nhello\tO\n", b"\nEk\tPER\n\n\nAnna\tPER\nhere\tO\n"
    (tmp_path / "news.conll").write_bytes(before + bad + after)
    log = ReadLog()
    (record,) = read(tmp_path, format="conll", log=log)
    assert record.document == Document("news", "Bo made\nAnna here")
    assert labelled(record) == [("Bo", "PER"), ("Anna", "PER")]
    (problem,) = log.problems
    assert (problem.line, problem.byte) == (5, byte)
    assert problem.reason.startswith(reason)
    assert problem.reason.endswith("this sentence is left out")
    with pytest.raises(RecordError, match="line 5"):
        list(read(tmp_path, format="conll", log=ReadLog(strict=True)))


@pytest.mark.parametrize(
    "source",
    [
        "Anna\nBo\tPER\n\nEk\tPER\n",
        'Anna\tO\t0-4\t" "\n\nBo\tO\n\nEk\tO\t5-7\t""\n',
    ],
)
def test_malformed_line_costs_the_file(source: str, tmp_path: Path) -> None:
    """A bad first sentence, or a gap in our own offsets, leaves nothing that can be trusted."""
    log = ReadLog()
    assert read_source(tmp_path, source, log) == []
    (problem,) = log.problems
    assert problem.reason.endswith("this document is left out")


def test_last_sentence_may_be_malformed(tmp_path: Path) -> None:
    """A file that is cut off in its last line keeps all sentences before."""
    log = ReadLog()
    (record,) = read_source(tmp_path, "Bo\tPER\n\nEk\tPER\nAn", log)
    assert labelled(record) == [("Bo", "PER")]
    assert record.document.text == "Bo"
    assert [problem.line for problem in log.problems] == [4]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Dr. Å. Öberg-2", ["Dr", ".", "Å", ".", "Öberg", "-", "2"]),
        ("Jose\u0301 x", ["Jose\u0301", "x"]),
        ("田中さんはCTとカルテ3件", ["田中", "さんは", "CT", "と", "カルテ", "3", "件"]),
        ("佐々木𠮷田", ["佐々木𠮷田"]),
        ("a_b\u3000c", ["a", "_", "b", "c"]),
        ("", []),
    ],
)
def test_default_tokens(text: str, tokens: list[str]) -> None:
    """Runs of one script or of digits, and other characters singly."""
    assert [text[start:end] for start, end in tokenise(text)] == tokens


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("Blood group O\n", "text"),
        ("Name\tBERG\nGroup\tO\n", "text"),
        ("Anna\tB-PER\n", "conll"),
        ("i\t0\ndag\t0\nvar\t0\nAnna\tPER\n", "conll"),
        ("EU NNP B-ORG\n. . O\n", "conll"),
    ],
)
def test_detection(source: str, name: str, tmp_path: Path) -> None:
    """A note with a last word in capitals is not taken for columns."""
    (tmp_path / "a.txt").write_text(source, "utf-8")
    assert [each.name for each in detect_formats(tmp_path)] == [name]
