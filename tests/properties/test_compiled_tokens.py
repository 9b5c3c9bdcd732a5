"""The compiled tokens and forms against their pure Python twins."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.core import native
from veil.features.forms import Resources
from veil.features.stream import FormTable, Stream, build_stream
from veil.languages import language
from veil.languages.latin import compiled_latin, latin_offsets, latin_pieces

pytestmark = pytest.mark.skipif(native.CORE is None, reason="the compiled core is not there")

CORE = native.CORE
MARKS = "\u0301\u00ad\u200d"
PIECES = [
    *("Mac", "Fitz", "Van", "Del", "se", "en", "A", "AB", "b", "é", "É", "ª", "中", "ǅ", "𝒜"),
    *("1", "12", "123", "1234", "٣", "/", "-", "–", ".", ",", *MARKS, "\x00", "\ud83d"),
    *(" ", "\n", "\r\n", "\t", "\x1f", "\x85", "\u3000"),
]
CODES = [*range(0x10000), *range(0x10000, sys.maxunicode + 1, 17)]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))


def pure_offsets(text: str) -> tuple[list[int], list[int]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "CORE", None)
        return latin_offsets(text)


def assert_cut_alike(text: str) -> None:
    starts, ends = pure_offsets(text)
    assert compiled_latin(CORE).offsets(text) == (starts, ends)
    pieces, places = latin_pieces(text)
    cuts = [
        (start, start + len(piece.rstrip()))
        for piece, start in zip(pieces, places, strict=True)
        if not piece.startswith("\n")
    ]
    assert cuts == list(zip(starts, ends, strict=True))
    assert sum(piece.startswith("\n") for piece in pieces) == text.count("\n")


@given(text=TEXTS)
def test_any_text_is_cut_alike(text: str) -> None:
    """Both paths find the same tokens in any text."""
    assert_cut_alike(text)


@pytest.mark.parametrize(
    "texts",
    [
        product("AabªM\u0301", repeat=6),
        product(PIECES, repeat=3),
        product(["1", "12", "123", "1234", "12345", "/", "-", ","], repeat=5),
        product(["A", "AB", "se", "s", "ers", "Mac", "b", "bc"], repeat=5),
        ((f"a{chr(code)}B", "A\u0301" + chr(code)) for code in CODES),
    ],
    ids=["letters", "pieces", "numbers", "joints", "code points"],
)
def test_all_combinations_are_cut_alike(texts: list[tuple[str, ...]]) -> None:
    """Both paths agree on all short texts of the characters that the pattern tells apart."""
    assert_cut_alike(" ".join(map("".join, texts)))


def stream_of(texts: list[str], tables: list[FormTable], code: str | None) -> list[Stream]:
    cuts = None if code is None else [language(code).offsets(text) for text in texts]
    return [build_stream(texts, cuts, table) for table in tables]


@pytest.mark.parametrize("code", [None, "es-words", "ja"])
@given(batches=st.lists(st.lists(TEXTS, max_size=4), min_size=1, max_size=3))
def test_streams_are_alike(code: str | None, batches: list[list[str]]) -> None:
    """Both paths number the same forms alike, batch after batch, and lay tokens out alike."""
    vocabularies = {"lower": {"b": 2}, "short-shape": {"x": 2, "X": 3}}
    compiled = FormTable(vocabularies, Resources("es"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "CORE", None)
        pure = FormTable(vocabularies, Resources("es"))
    for texts in batches:
        one, other = stream_of(texts, [compiled, pure], code)
        for name in ("form", "start", "end", "doc", "breaks", "line", "first", "last"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        assert one.bounds == other.bounds
        assert compiled.numbers == pure.numbers
        for name in ("values", "cases", "codes", "word_of", "lengths"):
            np.testing.assert_array_equal(getattr(compiled, name), getattr(pure, name))


def test_bad_arguments_are_refused() -> None:
    """Whatever is no list of texts with tokens inside them raises an error."""
    assert CORE is not None
    forms = CORE.Forms(compiled_latin(CORE), 1)
    for texts, cuts in (
        ("a", None),
        ([1], None),
        (["ab"], []),
        (["ab"], [None]),
        (["ab"], [([0], [1, 2])]),
        (["ab"], [([0], [3])]),
        (["ab"], [([-1], [1])]),
        (["ab"], [([1], [0])]),
        (["ab"], [([0, 0], [1, 1])]),
        (["ab"], [(["x"], [1])]),
    ):
        with pytest.raises((TypeError, ValueError)):
            forms.lay_out(texts, cuts, 2)
    with pytest.raises(TypeError):
        CORE.Forms(None, 1)
    with pytest.raises(ValueError, match="256"):
        CORE.Latin(lambda _: b"").offsets("a")


def test_an_interrupted_table_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose description of new forms was interrupted forgets all forms."""
    table = FormTable({"lower": {"ana": 2}}, Resources("es"))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(table, "describe", interrupt)
        with pytest.raises(KeyboardInterrupt):
            build_stream(["Ana"], None, table)
    stream = build_stream(["Ana"], None, table)
    assert stream.column("lower")[stream.words].tolist() == [2]
