"""HTML pages: the text is masked, the tags stay, and programs and comments go."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from veil import RecordError, mask_files
from veil.io import FORMATS, Item, TableOptions, find_format
from veil.replace.secret import Key

HTML = FORMATS.get("html")
SAMPLE = Path(__file__).parents[2] / "examples" / "formats" / "clinic-note.html"


def rewritten(data: bytes, folder: Path, *pairs: tuple[str, str], encoding: str = "utf-8") -> bytes:
    file, target = folder / "a.html", folder / "b.html"
    file.write_bytes(data)
    options = TableOptions(encoding=encoding)
    (item,) = HTML.items(file, options)
    assert isinstance(item, Item)
    (doc,) = item.documents
    text = doc.text
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    with HTML.writer(file, target, options) as writer:
        writer.write(item, [text])
    return target.read_bytes()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Hi<!-- Anna --></p>", "<p>Hi</p>"),
        ("<p>Hi<!--[if mso]>Anna<![endif]--></p>", "<p>Hi</p>"),
        ("<script src='x.js'>call('Anna')</script>x", "<script src='x.js'></script>x"),
        ("<style>/* Anna */ p { color: red }</style>x", "<style> p { color: red }</style>x"),
        (
            "<style>p:after { content: 'Anna'; color: red } a { b: url(Anna) }</style>x",
            "<style>p:after { color: red } a {}</style>x",
        ),
        ("<style>@import 'Anna.css'; p { c: d }</style>x", "<style> p { c: d }</style>x"),
        (
            "<style>a[rel='x'] { font-family: 'Times New Roman', serif; }</style>x",
            "<style>a[rel='x'] { font-family: 'Times New Roman', serif; }</style>x",
        ),
        ("<p onclick=\"call('Anna')\">x</p>", '<p onclick="#">x</p>'),
        ('<img src="data:image/png;base64,QW5uYQ==">x', '<img src="#">x'),
    ],
)
def test_what_cannot_be_searched_is_taken_out(source: str, expected: str, tmp_path: Path) -> None:
    """Comments, programs and data go; style sheets stay without texts and links."""
    assert rewritten(source.encode(), tmp_path).decode() == expected


@pytest.mark.parametrize(
    "attribute",
    ["title", "alt", "value", "placeholder", "aria-label", "data-name", "content", "href", "id"],
)
def test_attributes_are_searched(attribute: str, tmp_path: Path) -> None:
    """An attribute that may hold a name is masked with the text."""
    source = f'<p class="lead x1" style="color: red" {attribute}="Anna Berg">x</p>'
    again = rewritten(source.encode(), tmp_path, ("Anna Berg", "E&L"))
    assert again.decode() == source.replace("Anna Berg", "E&amp;L")


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="utf-8">', "utf-8"),
        ('<meta charset="windows-1252">', "cp1252"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', "cp1252"),
        ("<META CHARSET=Shift_JIS>", "cp932"),
        ('<?xml version="1.0" encoding="euc-jp"?>', "euc_jp"),
    ],
)
def test_declared_encoding_is_kept(head: str, encoding: str, tmp_path: Path) -> None:
    """A page is read in its encoding and written in it; other letters become references."""
    name = "Sjöberg" if encoding in ("utf-8", "cp1252") else "山田花子"
    data = f"{head}<p>{name} och Anna</p>".encode(encoding)
    assert rewritten(data, tmp_path) == data
    again = rewritten(data, tmp_path, ("Anna", "ǇUcja"))
    lucja = "ǇUcja" if encoding == "utf-8" else "&#455;Ucja"
    assert again == f"{head}<p>{name} och {lucja}</p>".encode(encoding)


def test_named_encoding_counts_without_a_declaration(tmp_path: Path) -> None:
    """A page that declares nothing has the encoding that the user names."""
    data = "<p>Sjöberg</p>".encode("cp1252")
    with pytest.raises(RecordError, match="not UTF-8"):
        rewritten(data, tmp_path)
    again = rewritten(data, tmp_path, ("Sjöberg", "Öberg"), encoding="cp1252")
    assert again == "<p>Öberg</p>".encode("cp1252")


@pytest.mark.parametrize(
    "data",
    [
        '<meta charset="cp1252"><p>Åsa Öberg på Öland</p>'.encode(),
        b'<meta charset="x-anna"><p>Anna</p>',
        b"<p>A\0n\0n\0a\0</p>",
    ],
)
def test_doubtful_encodings_are_withheld(data: bytes, tmp_path: Path) -> None:
    """A page whose encoding is wrong or unknown is withheld, since names would be missed."""
    with pytest.raises(RecordError) as caught:
        rewritten(data, tmp_path)
    assert "Anna" not in str(caught.value)


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.words += [value or "" for _, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_sample_is_masked_for_another_reader(tmp_path: Path) -> None:
    """The masked sample has the same tags for another parser, and other people."""
    masked = tmp_path / "masked.html"
    mask_files(SAMPLE, masked, policy="surrogate", key=Key(bytes(range(32))), lang="en")
    before, after = _Tags(SAMPLE.read_text("utf-8")), _Tags(masked.read_text("utf-8"))
    assert after.tags == before.tags
    text = masked.read_text("utf-8")
    for word in ("Lindgren", "Anna", "Erik", "Okafor", "4711899", "555-0187", "0187", "Harbour"):
        assert word not in text
    assert "td.label { font-weight: bold; color: #036; }" in text
    assert 'class="lead"' in text
    assert "118" in "".join(after.words)


def test_pages_are_recognised(tmp_path: Path) -> None:
    """A page is recognised by its name, or by its beginning."""
    bare = tmp_path / "page"
    bare.write_text("<!DOCTYPE html><html><p>x</p></html>", "utf-8")
    assert find_format(SAMPLE) is HTML
    assert find_format(bare) is HTML
