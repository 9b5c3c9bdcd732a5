from __future__ import annotations

import sys

import pytest

from veil import Document, Spans
from veil.core.numbers import compact
from veil.replace.base import Case
from veil.replace.entities.record import EntityRecord
from veil.replace.secret import Key, Secret


def record_of(text: str) -> EntityRecord:
    """A record in which nothing was found."""
    doc = Document("note", text, "en")
    return EntityRecord(Case(doc, Spans(doc), Secret(Key(b"a key of the tests"), "p1")))


@pytest.mark.parametrize(
    ("text", "core", "expected"),
    [
        ("call 0161 496-0123 now", "1614960123", False),
        ("call 0161 496-0123 now", "1614960124", True),
        ("lot ab-12/34x", "AB1234X", False),
        ("lot ab-12/34x", "AC1234X", True),
        ("12 kg, 345 mg", "12345", False),
        ("ＡＢ１２３４５", "AB12345", False),
        ("room of 20 m² 5123", "25123", False),
        ("room of 20 m 5123", "25123", True),
        ("ward abcde-f", "ABCDEF", False),
        ("ward abcde-f", "ABCDEG", True),
    ],
)
def test_a_long_number_is_new_where_no_writing_of_it_stands(
    text: str, core: str, expected: bool
) -> None:
    """Separators, case, width and what stands between digits do not hide a number."""
    assert record_of(text).is_new_number(core) is expected


@pytest.mark.parametrize(
    ("text", "core", "expected"),
    [
        ("aged 47", "47", False),
        ("(47)", "47", False),
        ("47", "47", False),
        ("147, 470, A47, 47b and 47", "47", False),
        ("147, 470, A47 and 47b", "47", True),
        ("bed x_47_y", "47", False),
        ("bed 7b", "7B", False),
        ("bed 17b", "7B", True),
        ("ベッド４７", "47", True),
        ("４７ 床", "47", False),
    ],
)
def test_a_short_number_is_new_where_it_does_not_stand_by_itself(
    text: str, core: str, expected: bool
) -> None:
    """Short numbers are compared with whole numbers and codes of the text."""
    assert record_of(text).is_new_number(core) is expected


def test_every_sign_that_is_written_out_with_digits_is_known() -> None:
    """A number is not new where signs such as ㎡ or ① make up a part of it."""
    written_out = {
        sign: compact(sign)[-1:]
        for sign in map(chr, range(sys.maxunicode + 1))
        if compact(sign)[-1:] in tuple("0123456789")
    }
    assert {"²", "㎡", "①", "５"} <= written_out.keys()
    assert [
        sign
        for sign, digit in written_out.items()
        if record_of(f"{sign} 98765").is_new_number(f"{digit}98765")
    ] == []
