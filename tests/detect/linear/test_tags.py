"""Tests for veil.detect.linear.tags."""

from __future__ import annotations

import numpy as np
import pytest

from veil.core.document import Span
from veil.detect.linear.tags import TagSet
from veil.features.forms import Resources
from veil.features.stream import FormTable, Stream, build_stream
from veil.languages import language

TAGSET = TagSet(["DATE", "NAME"])


def stream_of(*texts: str, sentences: bool = False) -> Stream:
    spanish = language("es")
    return build_stream(
        texts,
        [spanish.tokens(text) for text in texts],
        FormTable({}, Resources("es")),
        sentences=[spanish.sentences(text) for text in texts] if sentences else None,
    )


def decoded(stream: Stream, tags: np.ndarray) -> list[tuple[int, int, int, str]]:
    return [
        (doc, int(stream.start[first]), int(stream.end[last]), label)
        for doc, first, last, label in TAGSET.runs(stream, tags)
    ]


def test_numbers_of_tags() -> None:
    """O is 0; each label has an odd number to begin with and the next to go on."""
    assert TAGSET.tags == ("O", "B-DATE", "I-DATE", "B-NAME", "I-NAME")
    assert [TAGSET.numbers[tag] for tag in TAGSET.tags] == list(range(len(TAGSET)))


@pytest.mark.parametrize("sentences", [False, True])
def test_round_trip(sentences: bool) -> None:
    """Spans that fit the tokens come back as they were, neighbours of one label apart."""
    texts = ("Ana Pérez López vio a Luis.\nEl 3/4/2019 y el 5 de mayo.", "", "Zoë", "Sin nadie.")
    spans = [
        [Span(0, 9, "NAME"), Span(10, 15, "NAME"), Span(22, 26, "NAME"), Span(31, 39, "DATE")],
        [],
        [Span(0, 3, "NAME")],
        [],
    ]
    stream = stream_of(*texts, sentences=sentences)
    assert decoded(stream, TAGSET.encode(stream, spans)) == [
        (doc, *span.key) for doc, doc_spans in enumerate(spans) for span in doc_spans
    ]


def test_tokens_cut_by_a_span_are_inside() -> None:
    """A span that begins or ends in a token covers the token: nothing of it stays in sight."""
    stream = stream_of("Sr. Garcíaabc xyz")
    tags = TAGSET.encode(stream, [[Span(6, 15, "NAME")]])
    assert decoded(stream, tags) == [(0, 4, 17, "NAME")]


def test_a_span_of_white_space_has_no_token() -> None:
    """A span without a token tags nothing."""
    stream = stream_of("Ana  Pérez")
    assert not TAGSET.encode(stream, [[Span(3, 5, "NAME")]]).any()


def test_unknown_labels_are_outside() -> None:
    """A label that the tag set lacks is O."""
    stream = stream_of("Ana")
    assert not TAGSET.encode(stream, [[Span(0, 3, "PLACE")]]).any()


def test_a_span_over_a_line_end_comes_back_in_parts() -> None:
    """Lines are tagged apart, so that one part stands on each; the line end itself is O."""
    stream = stream_of("Ana\nPérez López.")
    tags = TAGSET.encode(stream, [[Span(0, 9, "NAME")]])
    assert not tags[stream.breaks].any()
    assert decoded(stream, tags) == [(0, 0, 3, "NAME"), (0, 4, 9, "NAME")]


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("I-NAME I-NAME O", [(0, 2, "NAME")]),
        ("O I-NAME O", [(1, 2, "NAME")]),
        ("B-DATE I-NAME I-NAME", [(0, 1, "DATE"), (1, 3, "NAME")]),
        ("B-NAME B-NAME I-NAME", [(0, 1, "NAME"), (1, 3, "NAME")]),
        ("B-NAME O I-NAME", [(0, 1, "NAME"), (2, 3, "NAME")]),
        ("I-NAME I-DATE I-NAME", [(0, 1, "NAME"), (1, 2, "DATE"), (2, 3, "NAME")]),
    ],
)
def test_inside_without_begin_begins(tags: str, spans: list[tuple[int, int, str]]) -> None:
    """An I- that goes on nothing of its label begins a span (cotik-2019)."""
    stream = stream_of("a b c")
    numbers = np.zeros(len(stream), np.int16)
    numbers[stream.words] = [TAGSET.numbers[tag] for tag in tags.split()]
    first = int(stream.words[0])
    found = TAGSET.runs(stream, numbers)
    assert [(a - first, b - first + 1, label) for _, a, b, label in found] == spans


def test_no_tag_no_run() -> None:
    """A stream of O has no span."""
    stream = stream_of("a b c")
    assert TAGSET.runs(stream, np.zeros(len(stream), np.int16)) == []
