from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, RecordError, Span
from veil.io import ReadLog, read, write

if TYPE_CHECKING:
    from pathlib import Path


def read_source(folder: Path, source: str, log: ReadLog | None = None) -> list[Record]:
    (folder / "a.jsonl").write_bytes(source.encode())
    return list(read(folder, format="jsonl", log=log))


def test_everything_is_kept(tmp_path: Path) -> None:
    """Language, meta, score, source and part come back."""
    span = Span(0, 4, "NAME", score=0.25, source="rules:title", part="first")
    document = Document("r1", "Anna\u2028Berg", "sv", {"ward": [1, {"x": None}]})
    record = Record.of(document, [span, Span(0, 2, "ID")])
    write([record], tmp_path / "a.jsonl", format="jsonl")
    log = ReadLog()
    assert list(read(tmp_path, format="jsonl", log=log)) == [record]
    assert dict(log.notes) == {"annotations that overlap a longer one, set aside": 1}


def test_what_is_written(tmp_path: Path) -> None:
    """One line of plain UTF-8 a record, with what is not given left out."""
    record = Record.of(Document("r1", "Åsa\n"), [Span(0, 3, "NAME")])
    write([record], tmp_path / "a.jsonl", format="jsonl")
    assert (tmp_path / "a.jsonl").read_text("utf-8") == (
        '{"id": "r1", "text": "Åsa\\n", "language": null, '
        '"spans": [{"start": 0, "end": 3, "label": "NAME"}]}\n'
    )


def test_smallest_record(tmp_path: Path) -> None:
    """Id and text are enough; a byte order mark and blank lines do no harm."""
    assert read_source(tmp_path, '\ufeff{"id": "1", "text": "x"}\r\n\n') == [
        Record.of(Document("1", "x"))
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"text": "x"}', '"id" is required'),
        ('{"id": 1, "text": "x"}', '"id" is required'),
        ('{"id": "1"}', '"text" is required'),
        ('{"id": "1", "text": "x", "labels": []}', "key 3 of 3 is unknown; known: id, text"),
        ('{"id": "1", "text": "x", "Anna Berg": []}', "key 3 of 3 is unknown"),
        ('{"id": "1", "text": "x", "language": 1}', '"language"'),
        ('{"id": "1", "text": "x", "meta": []}', '"meta"'),
        ('{"id": "1", "text": "x", "spans": {}}', '"spans"'),
        ('{"id": "1", "text": "x", "spans": [1]}', "must be an object"),
        (
            '{"id": "1", "text": "x", "spans": [{"start": 0, "end": 2, "label": "A"}]}',
            "offsets outside the text",
        ),
        (
            '{"id": "1", "text": "x", "spans": [{"start": 1, "end": 0, "label": "A"}]}',
            "offsets outside the text",
        ),
        ('{"id": "1", "text": "x", "spans": [{"start": 0, "end": true, "label": "A"}]}', "whole"),
        ('{"id": "1", "text": "x", "spans": [{"start": 0.0, "end": 1, "label": "A"}]}', "whole"),
        ('{"id": "1", "text": "x", "spans": [{"start": 0, "end": 1}]}', '"label"'),
        (
            '{"id": "1", "text": "x", "spans": [{"start": 0, "end": 1, "tag": "A"}]}',
            "key 3 of 3 in a span is unknown",
        ),
        ('{"id": "1", "text": "\\ud83d"}', "surrogate"),
        ('{"id": "1", "text": "x", "meta": {"a": ["\\udc00"]}}', "surrogate"),
        ('{"id": "1", "text": "x", "meta": {"a": NaN}}', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        (f'{{"id": "1", "text": "x", "meta": {{"a": {"9" * 5000}}}}}', "not JSON"),
    ],
)
def test_malformed_line_is_located(line: str, reason: str, tmp_path: Path) -> None:
    """A bad line is left out with its number and the reason; the lines around it are read."""
    log = ReadLog()
    good = '{"id": "%s", "text": "x"}\n'
    records = read_source(tmp_path, f"{good % 'a'}\n{line}\n{good % 'b'}", log)
    assert [record.id for record in records] == ["a", "b"]
    (problem,) = log.problems
    assert (problem.path, problem.line) == (tmp_path / "a.jsonl", 3)
    assert reason in problem.reason
    assert "Anna" not in str(problem)


@pytest.mark.parametrize(
    "values", [{"score": True}, {"score": "1"}, {"source": 1}, {"part": "middle"}, {"part": []}]
)
def test_malformed_span(values: dict[str, object], tmp_path: Path) -> None:
    """A wrong value in a span is named by its key."""
    span = {"start": 0, "end": 1, "label": "A", **values}
    with pytest.raises(RecordError, match=f'"{next(iter(values))}" of a span'):
        read_source(tmp_path, json.dumps({"id": "1", "text": "x", "spans": [span]}))


def test_surrogate_pair_is_a_character(tmp_path: Path) -> None:
    """An escaped surrogate pair is one character."""
    (record,) = read_source(tmp_path, '{"id": "1", "text": "\\ud83d\\ude00"}')
    assert record.document.text == "😀"


def test_second_id_is_located(tmp_path: Path) -> None:
    """The second record of an id is an error with its line."""
    log = ReadLog()
    line = '{"id": "1", "text": "x"}\n'
    assert len(read_source(tmp_path, line * 2, log)) == 1
    assert (log.problems[0].record, log.problems[0].line) == ("1", 2)


def test_meta_without_form_in_json(tmp_path: Path) -> None:
    """Meta that JSON cannot hold is an error of the record, and nothing is written."""
    with pytest.raises(RecordError, match="record r1: its meta"):
        write(
            [Record.of(Document("r1", "x", meta={"a": object()}))],
            tmp_path / "a.jsonl",
            format="jsonl",
        )
    assert list(tmp_path.iterdir()) == []
