from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from veil import Document
from veil.masking.mapping import MappingReader, MappingWriter
from veil.replace.base import Edit, Masked, apply_edits

PHRASE = "four plain words here"
# Surrogates too: a text in memory may hold what no file can.
TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@st.composite
def masked_texts(draw: st.DrawFn) -> tuple[str, Masked]:
    """A text and what masking made of it, with any edits that are sorted and disjoint."""
    text = draw(TEXT)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    edits = tuple(
        Edit(start, end, text[start:end], draw(TEXT), "NAME", "surrogate")
        for start, end in zip(places[::2], places[1::2], strict=False)
        if start < end
    )
    return text, Masked(Document("r", apply_edits(text, edits)), edits)


@given(st.dictionaries(TEXT, masked_texts(), max_size=5))
def test_what_was_masked_is_revealed(records: dict[str, tuple[str, Masked]]) -> None:
    """Whatever was replaced by whatever, every original comes back under its id."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "map")
        with MappingWriter(path, PHRASE, log_n=1) as writer:
            for record, (_, masked) in records.items():
                writer.add(record, masked)
        with MappingReader(path, PHRASE) as reader:
            assert reader.count == len(records)
            for record, (text, masked) in records.items():
                assert reader.original(masked.document.text, record=record) == text
