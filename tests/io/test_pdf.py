"""PDF: the text is extracted and masked to a text file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from veil import InputError, RecordError, mask_files
from veil.io import FORMATS, Item, TableOptions, find_format, masked_name
from veil.replace.secret import Key

pypdf: Any = pytest.importorskip("pypdf")
PDF = FORMATS.get("pdf")
SAMPLE = Path(__file__).parents[2] / "examples" / "formats" / "letter.pdf"


def read(file: Path) -> str:
    (item,) = PDF.items(file, TableOptions())
    assert isinstance(item, Item)
    (doc,) = item.documents
    return doc.text


def changed(folder: Path, change: Any) -> Path:
    writer = pypdf.PdfWriter(clone_from=SAMPLE)
    change(writer)
    file = folder / "a.pdf"
    writer.write(file)
    return file


def test_all_pages_are_read() -> None:
    """The text of all pages is one text, with a form feed between them."""
    text = read(SAMPLE)
    assert text.count("\f") == 1
    assert "Mrs. Anna Lindgren, born March 12, 1948" in text.partition("\f")[0]
    assert "record 4711899" in text.partition("\f")[2]


def test_sample_is_masked_to_text(tmp_path: Path) -> None:
    """In a folder the text of letter.pdf is letter.pdf.txt; no PDF is written."""
    key = Key(bytes(range(32)))
    mask_files(SAMPLE, f"{tmp_path}/out/", policy="surrogate", key=key, lang="en")
    assert {file.name for file in (tmp_path / "out").iterdir() if "report" not in file.name} == {
        "letter.pdf.txt"
    }
    text = (tmp_path / "out" / "letter.pdf.txt").read_text("utf-8")
    assert "118 g/L" in text
    for word in ("Lindgren", "Anna", "Erik", "Okafor", "4711899", "555-0187", "Harbour"):
        assert word not in text


def test_output_is_no_pdf(tmp_path: Path) -> None:
    """A text is not written under the name of a PDF, nor over that of another file."""
    with pytest.raises(InputError, match=r"name the output letter\.pdf\.txt"):
        mask_files(SAMPLE, tmp_path / "masked.pdf", lang="en")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "letter.pdf").write_bytes(SAMPLE.read_bytes())
    (folder / "letter.pdf.txt").write_text("Anna", "utf-8")
    with pytest.raises(InputError, match="would both become"):
        mask_files(folder, tmp_path / "out", lang="en")
    assert masked_name("a/b.PDF") == "a/b.PDF.txt"
    assert masked_name("a.txt") == "a.txt"


def test_encrypted_files_are_withheld(tmp_path: Path) -> None:
    """An encrypted PDF is withheld, even if it opens without a password."""
    file = changed(tmp_path, lambda writer: writer.encrypt("", "x", algorithm="RC4-128"))
    with pytest.raises(RecordError, match="encrypted PDF"):
        read(file)


def test_scans_are_withheld(tmp_path: Path) -> None:
    """A page with a picture and no text is a scan, which would be lost without a word."""

    def add(writer: Any) -> None:
        page = writer.add_blank_page(100, 100)
        image = pypdf.generic.StreamObject()
        image.update({pypdf.generic.NameObject("/Subtype"): pypdf.generic.NameObject("/Image")})
        objects = pypdf.generic.DictionaryObject(
            {pypdf.generic.NameObject("/Im1"): writer._add_object(image)}
        )
        page[pypdf.generic.NameObject("/Resources")] = pypdf.generic.DictionaryObject(
            {pypdf.generic.NameObject("/XObject"): objects}
        )

    with pytest.raises(RecordError, match="page 3 has a picture but no text"):
        read(changed(tmp_path, add))


def test_blank_pages_are_read(tmp_path: Path) -> None:
    """An empty page is no scan; a file of nothing else has no text."""
    file = changed(tmp_path, lambda writer: writer.add_blank_page(100, 100))
    assert read(file).endswith("\f")
    blank = pypdf.PdfWriter()
    blank.add_blank_page(100, 100)
    blank.write(tmp_path / "b.pdf")
    with pytest.raises(RecordError, match="without text"):
        read(tmp_path / "b.pdf")


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\nAnna", b"Anna"])
def test_damaged_files_are_withheld(data: bytes, tmp_path: Path) -> None:
    """What pypdf cannot read is withheld, without a word of it in the message."""
    file = tmp_path / "a.pdf"
    file.write_bytes(data)
    with pytest.raises(RecordError, match="damaged PDF") as caught:
        read(file)
    assert "Anna" not in str(caught.value)


def test_files_are_recognised(tmp_path: Path) -> None:
    """A PDF is recognised by its beginning where its name does not say so."""
    bare = tmp_path / "letter"
    bare.write_bytes(SAMPLE.read_bytes())
    assert find_format(bare) is PDF
