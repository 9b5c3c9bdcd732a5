from __future__ import annotations

import tempfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veil import Document, InputError, Record, Span
from veil.io import ReadLog, read, write
from veil.io.conll import tokenise

if TYPE_CHECKING:
    from veil.core.document import Part

PARTS: list[Part | None] = [None, "first", "last", "full", "partial"]
LABELS = st.sampled_from(["NAME", "DATE", "LOCATION-OTHER", "ID_SUJETO", "Ålder"])
ANY_TEXT = st.text(max_size=80)
NASTY_TEXT = st.lists(
    st.sampled_from(
        [
            *("a", "é", "1", " ", "\t", "\r", "\n", "&", "<", ">", '"', "'", ";", "\\"),
            *("\u00a0", "\u3000", "\ufeff", "\u0301", "\u2028", "\x85", "𠮷", "山"),
            *("]]>", "<PHI", "&amp;", "</PHI>", "<a>", "-DOCSTART-", "</TEXT>", "</RECORD>"),
        ]
    ),
    max_size=25,
).map("".join)
XML_CHARACTERS = st.characters(
    codec="utf-8", exclude_categories=["Cs", "Cc"], include_characters="\t\n\r\x7f\x85"
).filter(lambda char: char not in "\ufffe\uffff")
XML_TEXT = st.text(XML_CHARACTERS, max_size=80)


@st.composite
def records(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> Record:
    """A text with disjoint spans, some of them adjacent."""
    text = draw(texts)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [
        Span(start, end, draw(LABELS), part=draw(st.sampled_from(PARTS)))
        for start, end in pairwise(cuts)
        if draw(st.booleans())
    ]
    return Record.of(Document("r1", text), spans)


def round_trip(record: Record, name: str) -> Record:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        write([record], path, format=name)
        (back,) = read(path, format=name)
    return back


def trimmed(record: Record) -> Record:
    """The record with its spans trimmed; spans of white space alone are dropped."""
    text = record.document.text
    spans = []
    for span in record.spans:
        inside = text[span.start : span.end]
        if inside.strip():
            start = span.start + len(inside) - len(inside.lstrip())
            end = span.end - len(inside) + len(inside.rstrip())
            spans.append(Span(start, end, span.label, part=span.part))
    return Record.of(record.document, spans)


@pytest.mark.parametrize("name", ["jsonl", "brat"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.differing_executors])
@given(record=records(ANY_TEXT | NASTY_TEXT))
def test_any_text_and_spans_round_trip(name: str, record: Record) -> None:
    """Any text with any disjoint spans comes back the same."""
    assert round_trip(record, name) == record


@settings(max_examples=100)
@given(record=records(ANY_TEXT | NASTY_TEXT))
def test_conll_round_trips_spans_of_tokens(record: Record) -> None:
    """Any text comes back from conll, with spans that begin and end in tokens."""
    record = trimmed(record)
    assert round_trip(record, "conll") == record


@pytest.mark.parametrize("name", ["i2b2-2006", "i2b2-2014"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.differing_executors])
@given(record=records(XML_TEXT | NASTY_TEXT))
def test_xml_round_trips_what_xml_can_hold(name: str, record: Record) -> None:
    """Any text of XML characters with any disjoint spans comes back the same."""
    assert round_trip(record, name) == record


@given(text=ANY_TEXT | NASTY_TEXT)
def test_tokens_cover_all_but_white_space(text: str) -> None:
    """Tokens are sorted and disjoint, hold no white space, and leave out nothing else."""
    tokens = list(tokenise(text))
    covered = [offset for start, end in tokens for offset in range(start, end)]
    assert covered == [offset for offset, char in enumerate(text) if not char.isspace()]


@pytest.mark.parametrize(
    "name", ["text", "brat", "i2b2-2006", "i2b2-2014", "conll", "mednlp", "tagged", "jsonl"]
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.differing_executors])
@given(
    data=st.binary(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                *(b"<RECORD ID='1'>", b"<TEXT>", b"</TEXT>", b"</RECORD>", b'<PHI TYPE="X">'),
                *(b"</PHI>", b"<PHI ", b"<a>", b"</a>", b'<doc id="1">', b"</doc>", b"&lt;"),
                *(b"-DOCSTART-", b"\t", b"\n", b"B-X", b"O", b'{"id":"1","text":"x"', b"}"),
                *(b"&", b"<", b"x", b"\xff", b"&#0;"),
            ]
        ),
        max_size=20,
    ).map(b"".join)
)
def test_no_file_breaks_a_reader(name: str, data: bytes) -> None:
    """Whatever bytes a file has, a lenient reader gives records and problems, never a crash."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "file.txt")
        file.write_bytes(data)
        log = ReadLog()
        with suppress(InputError):  # a file with neither
            for record in read(file, format=name, log=log):
                assert all(span.end <= len(record.document.text) for span in record.spans)
