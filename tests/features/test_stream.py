"""Tests for veil.features.stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from veil.core import tables
from veil.core.document import Span
from veil.features.forms import Resources
from veil.features.stream import (
    PADDING,
    PADS,
    RARE,
    FormTable,
    StoredWords,
    Stream,
    build_stream,
)
from veil.languages import language

if TYPE_CHECKING:
    from pathlib import Path

LOWER = {"ana": 2, "dolor": 3, "\n": 4}


def table() -> FormTable:
    return FormTable({"lower": LOWER}, Resources("es"))


def stream_of(
    *texts: str, sentences: bool = False, forms: FormTable | None = None, code: str = "es"
) -> Stream:
    spoken = language(code)
    return build_stream(
        texts,
        [spoken.tokens(text) for text in texts],
        forms or table(),
        sentences=[spoken.sentences(text) for text in texts] if sentences else None,
    )


def lines_of(stream: Stream) -> list[list[str]]:
    """The words of each line that is not empty."""
    lines = []
    for first, last in zip(stream.first.tolist(), stream.last.tolist(), strict=True):
        text = stream.texts[int(stream.doc[first])]
        words = [text[stream.start[at] : stream.end[at]] for at in range(first, last)]
        if words:
            lines.append(words)
        assert stream.breaks[last]
    return lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        (" \t ", []),
        ("\n\n", []),
        ("Ana", [["Ana"]]),
        ("Ana\nsin dolor", [["Ana"], ["sin", "dolor"]]),
        ("Ana\n\n  sin\n\tdolor\n", [["Ana"], ["sin"], ["dolor"]]),
        ("Ana\r\n\r\nsin\r\n\r\n", [["Ana"], ["sin"]]),
        ("Ana \n sin", [["Ana"], ["sin"]]),
        ("\n Ana", [["Ana"]]),
        ("Ana\rsin\u2028dolor", [["Ana", "sin", "dolor"]]),
    ],
)
def test_lines(text: str, lines: list[list[str]]) -> None:
    """A line ends at each line feed, whatever blanks stand before or after it."""
    assert lines_of(stream_of(text)) == lines
    assert lines_of(stream_of("a\nb", text, "c")) == [["a"], ["b"], *lines, ["c"]]


def test_no_word_is_a_line_end() -> None:
    """Words are the tokens of the texts, in order, and nothing else."""
    texts = ("Ana\n  Pérez \r\n\r\n\tdolor", "", "\n \n", "山\x00")
    stream = stream_of(*texts)
    spoken = language("es")
    expected = [(doc, *token) for doc, text in enumerate(texts) for token in spoken.tokens(text)]
    words = stream.words
    found = zip(stream.doc[words], stream.start[words], stream.end[words], strict=True)
    assert [tuple(map(int, token)) for token in found] == expected


def test_sentences() -> None:
    """With sentences given, each is a sequence with padding around it."""
    stream = stream_of("Ana vino. No hay\ndolor. Fin.", sentences=True)
    assert lines_of(stream) == [
        ["Ana", "vino", "."],
        ["No", "hay", "dolor", "."],
        ["Fin", "."],
    ]
    gaps = np.diff(np.flatnonzero(~stream.breaks)) - 1
    assert set(gaps.tolist()) == {0, PADS}


@pytest.mark.parametrize("sentences", [False, True])
def test_bounds_and_padding(sentences: bool) -> None:
    """Documents lie inside their bounds, with padding as wide as the widest window around them."""
    stream = stream_of("Ana", "", "\n", "dolor. Bien.", sentences=sentences)
    assert stream.bounds[0][0] == PADS
    assert stream.bounds[-1][1] + PADS == len(stream)
    for (_, end), (first, _) in zip(stream.bounds, stream.bounds[1:], strict=False):
        assert first - end == PADS
        assert (stream.form[end:first] == 0).all()
    for doc, (first, end) in enumerate(stream.bounds):
        assert (stream.doc[first:end] == doc).all()
    assert (stream.column("lower")[stream.form == 0] == PADDING).all()


def test_no_documents() -> None:
    """A stream of nothing is padding."""
    stream = stream_of()
    assert len(stream) == PADS
    assert not len(stream.words)


def test_column() -> None:
    """Known values have their ids, others are rare, and a blank behind a word changes nothing."""
    stream = stream_of("Ana dolor Ana\nPérez")
    assert stream.column("lower")[PADS:-PADS].tolist() == [2, 3, 2, 4, RARE]


def test_blanks_are_no_part_of_forms() -> None:
    """The same word before blanks and at an end is one form, in capitals another."""
    forms = table()
    stream = stream_of("Ana  Ana\tANA\nAna", forms=forms)
    first, second, capital, last = stream.form[stream.words].tolist()
    assert first == second == last != capital
    assert forms.word_of[first] == forms.word_of[capital] == forms.word_number("ana")
    assert forms.word_number("dolor") is None


def test_forgetting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past its limit the table begins again, with padding and line end as before."""
    monkeypatch.setattr("veil.features.stream._MOST_FORMS", 5)
    forms = table()
    stream_of("uno dos tres cuatro cinco", forms=forms)
    assert forms.generation == 0
    stream = stream_of("Ana\ndolor", forms=forms)
    assert forms.generation == 1
    assert forms.size == 4
    assert stream.column("lower")[PADS:-PADS].tolist() == [2, 4, 3]
    assert (stream.column("lower")[:PADS] == PADDING).all()


def test_growing() -> None:
    """More forms than there is room for at first keep their values."""
    forms = table()
    text = "Ana " + " ".join(f"w{number}" for number in range(10_000)) + " dolor"
    column = stream_of(text, forms=forms).column("lower")[PADS:-PADS]
    assert (column[0], column[-1]) == (2, 3)
    assert forms.size > 8192


def test_japanese() -> None:
    """Words without blanks between them lie side by side."""
    assert lines_of(stream_of("山田は\n53歳(女性)", code="ja")) == [
        ["山田", "は"],
        ["53", "歳", "(", "女性", ")"],
    ]


@pytest.mark.parametrize("sentences", [False, True])
def test_words_under_spans(sentences: bool) -> None:
    """Spans of all documents find their words, those that they cut included."""
    stream = stream_of("Ana García. Sin dolor", "", "de Luis", sentences=sentences)
    spans = [[Span(0, 3, "A"), Span(1, 6, "A"), Span(16, 21, "A")], [], [Span(2, 3, "A")]]
    found = zip(*(places.tolist() for places in stream.words_under(spans)), strict=True)
    assert list(found) == [(0, 1), (0, 2), (4, 5), (6, 6)]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredWords:
    """Descriptions of a model's words, in a folder of their own."""
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    vocabularies = {"lower": LOWER, "word": {"Ana": 2, "dolor": 3, "\n": 4, "12": 5}}
    words = StoredWords("model", "key", vocabularies, Resources("es"))
    words.table().write()
    return words


def test_stored_words(stored: StoredWords) -> None:
    """Forms are described alike whether or not the descriptions of words are stored."""
    rows = stored.read()
    assert rows is not None
    with_rows = FormTable(stored.vocabularies, stored.resources, rows)
    without = FormTable(stored.vocabularies, stored.resources)
    for text in ("Ana\nANA dolor 12", "ana Dolor\n13 12 García Ana"):
        one, other = stream_of(text, forms=with_rows), stream_of(text, forms=without)
        assert one.form.tolist() == other.form.tolist()
        for name in ("values", "cases", "codes", "word_of", "lengths"):
            np.testing.assert_array_equal(getattr(with_rows, name), getattr(without, name))
        assert with_rows.words == without.words


def test_words_of_other_vocabularies_are_not_read(stored: StoredWords) -> None:
    """Stored descriptions are those of one model with one set of vocabularies."""
    same = (stored.vocabularies, stored.resources)
    assert StoredWords("model", "key", *same).read() is not None
    assert StoredWords("model", "other", *same).read() is None
    assert StoredWords("other", "key", *same).read() is None
    assert StoredWords("model", "key", stored.vocabularies, Resources("sv")).read() is None
