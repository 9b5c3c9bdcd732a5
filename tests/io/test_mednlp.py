from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, RecordError, Span
from veil.core.labels import scheme
from veil.io import ReadLog, detect_formats, read, write

if TYPE_CHECKING:
    from pathlib import Path


def read_source(folder: Path, source: str, log: ReadLog | None = None) -> list[Record]:
    (folder / "k1.txt").write_bytes(source.encode())
    return list(read(folder, format="mednlp", log=log))


def test_tags(tmp_path: Path) -> None:
    """Tags become spans; every other < and & is text."""
    (record,) = read_source(tmp_path, "<a>63歳</a>の<x>男性</x>。CRP<0.3 & <c and d> &lt;\r\n")
    assert record.document == Document("k1", "63歳の男性。CRP<0.3 & <c and d> &lt;\r\n")
    assert [span.key for span in record.spans] == [(0, 3, "AGE"), (4, 6, "SEX")]


def test_complaints_are_no_phi(tmp_path: Path) -> None:
    """Complaint tags are removed, also around others, and counted."""
    log = ReadLog()
    (record,) = read_source(
        tmp_path, '<c modality="negation"><t>昨日</t>の発熱</c>と<c>咳</c><p></p>', log
    )
    assert record.document.text == "昨日の発熱と咳"
    assert [span.key for span in record.spans] == [(0, 2, "TIME")]
    assert dict(log.notes) == {
        "complaint tags <c>, removed: they mark no PHI": 2,
        "tags without text, left out": 1,
    }


def test_many_records_in_a_file(tmp_path: Path) -> None:
    """Text between doc tags is exact, and white space between docs is not text."""
    source = '\ufeff<doc id="1">\n<p>山田</p> \n</doc>\n\n<doc id="2"></doc>\n'
    records = read_source(tmp_path, source)
    assert records == [
        Record.of(Document("1", "\n山田 \n"), [Span(1, 3, "PERSON")]),
        Record.of(Document("2", "")),
    ]
    assert [each.name for each in detect_formats(tmp_path)] == ["mednlp"]


@pytest.mark.parametrize(
    "source", ["<a>63<x>男</x></a>", "<a>63</x>", "63</a>", "<a>63", 'x<doc id="1">y', "x</doc>"]
)
def test_malformed_tags_are_located(source: str, tmp_path: Path) -> None:
    """Nested, crossed, unclosed or stray tags are errors with record and line."""
    with pytest.raises(RecordError) as caught:
        read_source(tmp_path, f"1\n2\n{source}")
    assert (caught.value.record, caught.value.line) == ("k1", 3)
    assert caught.value.path == tmp_path / "k1.txt"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('<doc id="bad">\n<a>63</doc>\n', 3),
        ('<doc id="bad">\n', 2),
        ("stray\n", 1),
    ],
)
def test_bad_doc_costs_itself(source: str, line: int, tmp_path: Path) -> None:
    """A bad doc, or text outside docs, is reported; the docs around it are read."""
    log = ReadLog()
    records = read_source(tmp_path, f'<doc id="1">a</doc>\n{source}<doc id="2">b</doc>\n', log)
    assert [record.id for record in records] == ["1", "2"]
    (problem,) = log.problems
    assert problem.line is not None
    assert line <= problem.line <= 3


def test_last_doc_not_closed(tmp_path: Path) -> None:
    """A file cut off in a doc gives an error for it."""
    log = ReadLog()
    assert [r.id for r in read_source(tmp_path, '<doc id="1">a</doc>\n<doc id="2">b', log)] == ["1"]
    assert [(problem.record, problem.line) for problem in log.problems] == [("2", 2)]


@pytest.mark.parametrize(
    "tag", ["<a>", "</o>", "<c>", '<c x="y">', "</c>", '<doc id="1">', "</doc>"]
)
def test_text_that_reads_like_a_tag(tag: str, tmp_path: Path) -> None:
    """Text that would be read as a tag is refused with its offset."""
    with pytest.raises(RecordError, match="record r: its text at character 3 looks like a tag"):
        write([Record.of(Document("r", f"ab {tag}"))], tmp_path / "out", format="mednlp")


def test_labels_of_the_scheme_have_tags(tmp_path: Path) -> None:
    """Every label of the scheme can be written, and no other."""
    labels = scheme("mednlp").labels
    text = "x" * len(labels)
    record = Record.of(
        Document("r", text), [Span(n, n + 1, label) for n, label in enumerate(labels)]
    )
    write([record], tmp_path / "out", format="mednlp")
    assert list(read(tmp_path / "out", format="mednlp")) == [record]
    with pytest.raises(RecordError, match=r"label at 0-1 .* --scheme mednlp"):
        write([Record.of(Document("r", text), [Span(0, 1, "DOCTOR")])], tmp_path, format="mednlp")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("<p>One<br>two</p>", "text"),
        ("CRP<0.3 and <a> b", "text"),
        ("<p>山田</p>", "mednlp"),
    ],
)
def test_detection(source: str, name: str, tmp_path: Path) -> None:
    """A pair of tags makes MedNLP of a text, unless it is HTML."""
    (tmp_path / "a.txt").write_text(source, "utf-8")
    assert [each.name for each in detect_formats(tmp_path)] == [name]
