"""Formats change texts and nothing else, whatever stands around them."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from hypothesis import assume, given
from hypothesis import strategies as st

from veil import RecordError
from veil.io import FORMATS, TableOptions
from veil.io.alignment import Alignment
from veil.io.json_raw import JsonNumber, Value, parse
from veil.io.markup import Markup

CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
TEXT = st.text(CHARACTERS, max_size=30)
CELL = st.text(st.one_of(st.sampled_from('",;\t|\r\n ab'), CHARACTERS), max_size=12)
JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        TEXT,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=20,
)
WORDS = st.lists(st.sampled_from("Anna Berg in Lund , 63 & < ill".split()), max_size=12)


def rewrite(name: str, data: str, new: list[str] | None, options: TableOptions) -> str:
    """Write a file with its texts, or new ones in their order."""
    file_format = FORMATS.get(name)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "source"), Path(folder, "target")
        source.write_bytes(data.encode("utf-8"))
        left = iter(new or [])
        with file_format.writer(source, target, options) as writer:
            for item in file_format.items(source, options):
                assert not isinstance(item, RecordError)
                texts = [doc.text if new is None else next(left) for doc in item.documents]
                writer.write(item, texts)
        return target.read_bytes().decode("utf-8")


def read_csv(table: str, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table, newline=""), delimiter=delimiter))


@given(
    rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5),
    delimiter=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    line_end=st.sampled_from(["\n", "\r\n"]),
    data=st.data(),
)
def test_tables(
    rows: list[tuple[str, str, str]], delimiter: str, quoting: int, line_end: str, data: Any
) -> None:
    """A table keeps every byte if its texts stay, and every other cell if they change."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(
        buffer,
        delimiter=delimiter,
        quoting=quoting,  # type: ignore[arg-type]
        lineterminator=line_end,
    )
    writer.writerows([("a", "note", "b"), *rows])
    table = buffer.getvalue()
    # The standard library leaves some carriage returns without quotes, and then reads line ends.
    assume(read_csv(table, delimiter) == [["a", "note", "b"], *map(list, rows)])
    options = TableOptions(("note",))
    assert rewrite("csv", table, None, options) == table
    new = [data.draw(CELL) for _, note, _ in rows if note]
    written = rewrite("csv", table, new, options)
    left = iter(new)
    expected = [[a, next(left) if note else "", b] for a, note, b in rows]
    assert read_csv(written, delimiter) == [["a", "note", "b"], *expected]


@given(
    before=st.dictionaries(TEXT, JSON, max_size=3),
    after=st.dictionaries(TEXT, JSON, max_size=3),
    text=TEXT,
    new=TEXT,
    ascii_only=st.booleans(),
)
def test_json_lines(
    before: dict[str, Any], after: dict[str, Any], text: str, new: str, ascii_only: bool
) -> None:
    """An object keeps every byte if its text stays, and every other value if it changes."""
    taken = {"id", "spans", "meta", "patient", "patient_id", "text", "language"}
    value = {key: each for key, each in before.items() if key not in taken}
    value["text"] = text
    value |= {key: each for key, each in after.items() if key not in taken}
    line = json.dumps(value, ensure_ascii=ascii_only) + "\n"
    assert rewrite("jsonl", line, None, TableOptions()) == line
    written = rewrite("jsonl", line, [new], TableOptions())
    assert json.loads(written) == {**value, "text": new}
    assert list(json.loads(written)) == list(value)


@given(value=JSON, indent=st.sampled_from([None, 2]))
def test_json_is_read_as_it_is(value: Any, indent: int | None) -> None:
    """Values are those that the standard library reads, and places are where they are written."""
    text = json.dumps(value, indent=indent)

    def check(found: Value, expected: Any) -> None:
        assert json.loads(text[found.start : found.end]) == expected
        if isinstance(expected, dict):
            assert list(found.members) == list(expected)
            for key, member in found.members.items():
                check(member.value, expected[key])
        elif isinstance(expected, list):
            for each, inner in zip(found.elements, expected, strict=True):
                check(each, inner)
        elif isinstance(expected, str):
            assert found.text == expected
        elif isinstance(expected, int | float) and not isinstance(expected, bool):
            assert isinstance(found.content, JsonNumber)

    check(parse(text), value)


@st.composite
def xhtml(draw: st.DrawFn, depth: int = 3) -> str:
    """Sound XHTML with words between its tags."""
    pieces = []
    for _ in range(draw(st.integers(1, 3))):
        pieces.append(escape(" ".join(draw(WORDS))))
        if depth:
            tag = draw(st.sampled_from(["p", "b", "td", "li", "span"]))
            inner = draw(xhtml(depth - 1))
            pieces.append(f'<{tag} class="x">{inner}</{tag}>')
            pieces.append(draw(st.sampled_from(["", "<br/>", "<!-- Anna -->", "\n  "])))
    return "".join(pieces)


@given(source=xhtml(), new=WORDS)
def test_markup(source: str, new: list[str]) -> None:
    """Markup keeps every byte with its text; with another it is sound and holds all of that."""
    markup = Markup(source)
    assert markup.woven(markup.text) == source
    for text in (" ".join(new), markup.text.replace("Anna", "<Eva> Maria").replace("Lund", "")):
        woven = markup.woven(text)
        ElementTree.fromstring(f"<div>{woven}</div>")  # noqa: S314 - our own
        assert "".join(Markup(woven).text.split()) == "".join(text.split())


@given(source=st.text(st.sampled_from("<>&;\"'=/!-[]pa b\n"), max_size=60))
def test_broken_markup(source: str) -> None:
    """Whatever looks like markup keeps every byte as long as its text stays."""
    markup = Markup(source)
    assert markup.woven(markup.text) == source


@given(old=st.text("ab \n\t,", max_size=60), new=st.text("ab \n\t,", max_size=60))
def test_alignment(old: str, new: str) -> None:
    """Places keep their order and lie inside of the new text; the same text has the same places."""
    alignment = Alignment(old, new)
    places = [alignment.end(place) for place in range(len(old) + 1)]
    assert places == sorted(places)
    assert all(0 <= place <= len(new) for place in places)
    same = Alignment(old, old)
    assert [same.end(place) for place in range(len(old) + 1)] == list(range(len(old) + 1))
