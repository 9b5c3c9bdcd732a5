"""Word files: texts over runs, parts beside the body, and what is refused or left out."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from veil import Document, RecordError, mask_files
from veil.io import FORMATS, Item, TableOptions, find_format
from veil.io.package import Package, blank_picture
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DOCX = FORMATS.get("docx")
SAMPLE = Path(__file__).parents[3] / "examples" / "formats" / "letter.docx"
W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
    'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>'
)
RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    "{}</Relationships>"
)


def make(
    folder: Path, body: str = "", parts: Mapping[str, str | bytes] | None = None, **options: Any
) -> Path:
    file = folder / "a.docx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, **options) as package:
        package.writestr("[Content_Types].xml", TYPES)
        package.writestr(
            "word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>"
        )
        for name, data in (parts or {}).items():
            package.writestr(name, data)
    return file


def p(*runs: str) -> str:
    return f"<w:p>{''.join(f'<w:r><w:t>{run}</w:t></w:r>' for run in runs)}</w:p>"


def outcomes(file: Path) -> tuple[Item, list[RecordError]]:
    item, *errors = DOCX.items(file, TableOptions())
    assert isinstance(item, Item)
    return item, [each for each in errors if isinstance(each, RecordError)]


def documents(file: Path) -> dict[str, Document]:
    return {doc.id: doc for doc in outcomes(file)[0].documents}


def rewritten(file: Path, change: Callable[[Document], str]) -> dict[str, str]:
    """The parts of the file with changed texts."""
    item, _ = outcomes(file)
    target = file.with_name("out.docx" if file.name != "out.docx" else "again.docx")
    with DOCX.writer(file, target, TableOptions()) as writer:
        writer.write(item, [change(doc) for doc in item.documents])
    with zipfile.ZipFile(target) as package:
        return {name: package.read(name).decode("utf-8", "replace") for name in package.namelist()}


def test_name_over_runs_is_replaced(tmp_path: Path) -> None:
    """A name in several runs is one word; its surrogate takes the form of the first run."""
    file = make(
        tmp_path,
        "<w:p><w:r><w:t>Mrs </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>Li</w:t></w:r>"
        "<w:r><w:t>nd</w:t></w:r><w:proofErr/><w:r><w:t>gren came</w:t></w:r></w:p>",
    )
    assert documents(file)["a"].text == "Mrs Lindgren came"
    body = rewritten(file, lambda doc: doc.text.replace("Lindgren", "Ek & Co"))["word/document.xml"]
    assert '<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Ek &amp; Co</w:t>' in body
    assert "Li<" not in body
    assert "<w:t>Mrs </w:t>" in body
    root = ElementTree.fromstring(body)  # noqa: S314 - our own
    assert "".join(root.itertext()) == "Mrs Ek & Co came"


def test_lines_and_cells_are_told_apart(tmp_path: Path) -> None:
    """Paragraphs and breaks are lines, cells and tabs are parted by tabs."""
    cells = "".join(f"<w:tc><w:tcPr/>{p(text)}</w:tc>" for text in ("Name", "Anna"))
    file = make(
        tmp_path,
        p("One") + f"<w:tbl><w:tr>{cells}</w:tr><w:tr>{cells}</w:tr></w:tbl>"
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>",
    )
    assert documents(file)["a"].text == "One\nName\tAnna\nName\tAnna\na\tb\nc"


def test_tracked_changes_are_texts(tmp_path: Path) -> None:
    """Inserted text stands in its line, deleted words beside it; parts of words are emptied."""
    author = 'w:author="Grace Okafor" w:date="2024-03-12T10:00:00Z"'
    file = make(
        tmp_path,
        f"<w:p><w:r><w:t>Mrs Lind</w:t></w:r><w:del {author}><w:r><w:delText>blad</w:delText></w:r>"
        f"</w:del><w:ins {author}><w:r><w:t>gren</w:t></w:r></w:ins><w:r><w:t> came. </w:t></w:r>"
        f"<w:del {author}><w:r><w:delText>With Erik.</w:delText></w:r></w:del></w:p>",
    )
    found = documents(file)
    assert found["a"].text == "Mrs Lindgren came. \nWith Erik."
    assert found["a:document.author"].meta["whole"] == "NAME"
    assert found["a:document.date"].meta["whole"] == "DATE"

    def change(doc: Document) -> str:
        new = doc.text.replace("Erik", "Bo").replace("Grace Okafor", "[NAME]")
        return new.replace("2024-03-12", "[DATE]")

    body = rewritten(file, change)["word/document.xml"]
    assert "<w:delText></w:delText>" in body
    assert '<w:delText xml:space="preserve">With Bo.</w:delText>' in body
    assert 'w:author="[NAME]"' in body
    assert "2024" not in body


def test_boxes_fields_and_readings_stand_beside(tmp_path: Path) -> None:
    """Text boxes, codes of fields and readings do not part what is read together."""
    file = make(
        tmp_path,
        f"<w:p><w:r><w:t>An</w:t></w:r><w:r><w:pict><w:txbxContent>{p('Box Berg')}</w:txbxContent>"
        '</w:pict></w:r><w:r><w:instrText>HYPERLINK "mailto:a@b.se"</w:instrText></w:r>'
        "<w:r><w:t>na</w:t></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:ruby><w:rt>"
        "<w:r><w:t>やまだ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>山田</w:t></w:r></w:rubyBase>"
        "</w:ruby></w:r></w:p>",
    )
    text = documents(file)["a"].text
    assert text == 'Anna山田\nやまだ\nHYPERLINK "mailto:a@b.se" PAGE \nBox Berg'


def test_all_parts_are_read(tmp_path: Path) -> None:
    """Headers, notes, comments, properties, custom data and links are texts of their own."""
    core = (
        '<cp:coreProperties xmlns:cp="urn:c" xmlns:dc="urn:d" xmlns:dcterms="urn:t"><dc:creator>'
        "Anna Berg</dc:creator><dc:title>On Bo Ek</dc:title><cp:revision>3</cp:revision>"
        "<dcterms:created>2024-03-12T10:00:00Z</dcterms:created></cp:coreProperties>"
    )
    link = (
        '<Relationship Id="r1" Type="http://x/hyperlink" Target="mailto:a@b.se" '
        'TargetMode="External"/>'
    )
    note = f"<w:footnotes {W}><w:footnote>{p('Anna note')}</w:footnote></w:footnotes>"
    file = make(
        tmp_path,
        p("x") + '<w:p><w:r><w:drawing><wp:docPr name="Picture 1" descr="Anna at home"/><a:p><a:r>'
        "<a:t>Shape Berg</a:t></a:r></a:p></w:drawing></w:r></w:p>",
        {
            "word/header1.xml": f"<w:hdr {W}>{p('Anna head')}</w:hdr>",
            "word/footnotes.xml": note,
            "docProps/core.xml": core,
            "customXml/item1.xml": '<data who="Eva Lund"><n>Anna custom</n></data>',
            "word/_rels/document.xml.rels": RELS.format(link),
            "word/people.xml": f'<w:people {W}><w:person w:author="Grace Okafor"/></w:people>',
            "word/styles.xml": f'<w:styles {W}><w:style w:name="Anna"/></w:styles>',
        },
    )
    found = documents(file)
    assert {name.removeprefix("a:"): doc.text for name, doc in found.items()} == {
        "a": "x\nShape Berg",
        "document.descr": "Anna at home",
        "header1": "Anna head",
        "footnotes": "Anna note",
        "docProps/core.creator": "Anna Berg",
        "docProps/core.title": "On Bo Ek",
        "docProps/core.created": "2024-03-12",
        "customXml/item1.other": "Anna custom",
        "customXml/item1.who": "Eva Lund",
        "_rels/document.xml.link": "a@b.se",
        "people.author": "Grace Okafor",
    }
    assert {doc.meta["patient"] for doc in found.values()} == {"a"}
    parts = rewritten(file, lambda doc: "Zeta" if doc.meta.get("whole") != "DATE" else "[DATE]")
    assert 'Target="mailto:Zeta"' in parts["word/_rels/document.xml.rels"]
    assert "<dc:creator>Zeta</dc:creator>" in parts["docProps/core.xml"]
    assert "created" not in parts["docProps/core.xml"]
    assert "<cp:revision>3</cp:revision>" in parts["docProps/core.xml"]
    for name, part in parts.items():
        assert name == "word/styles.xml" or "Anna" not in part


@pytest.mark.parametrize(
    "element",
    [
        '<w:sdtPr><w:tag w:val="Lindgren"/></w:sdtPr>',
        '<w:sdtPr><w:listItem w:displayText="Anna B" w:value="Lindgren"/></w:sdtPr>',
        '<w:smartTagPr><w:attr w:name="ProductID" w:val="Lindgren"/></w:smartTagPr>',
        '<w:ffData><w:name w:val="Lindgren"/></w:ffData>',
        '<w:tblPr><w:tblDescription w:val="Values of Anna"/></w:tblPr>',
        '<w:bookmarkStart w:name="Lindgren_Anna"/>',
        '<w:bookmarkStart w:name="Lindgren"/>',
        '<w:other w:val="Anna Lindgren"/>',
    ],
)  # fmt: skip
def test_values_of_the_author_are_searched(element: str, tmp_path: Path) -> None:
    """Names in content controls, form fields, smart tags and bookmarks are texts."""
    file = make(tmp_path, p("x") + element + f"<w:p>{element}</w:p>")
    texts = [doc.text for name, doc in documents(file).items() if name != "a"]
    assert len(texts) >= 2
    body = rewritten(file, lambda doc: "Zeta")["word/document.xml"]
    assert "Lindgren" not in body
    assert "Anna" not in body


def test_pictures_and_embedded_files_are_blanked(tmp_path: Path) -> None:
    """A picture may show anything: one pixel stands in its place, and the report says so."""
    parts = {"word/media/image1.png": b"\x89PNGAnna", "word/embeddings/x.xlsx": b"PKAnna"}
    file = make(tmp_path, p("x"), parts)
    _, errors = outcomes(file)
    assert "left out: 1 embedded file(s), 1 picture(s)" in str(errors[0])
    rewritten(file, lambda doc: doc.text)
    with zipfile.ZipFile(tmp_path / "out.docx") as package:
        assert package.read("word/media/image1.png") == blank_picture("x.png")
        assert package.read("word/embeddings/x.xlsx") == b""
    assert outcomes(tmp_path / "out.docx")[1] == []


EXTERNAL = '<Relationship Id="r" Type="http://x/{}" Target="{}" TargetMode="External"/>'


@pytest.mark.parametrize(
    ("body", "parts", "reason"),
    [
        ("", {"word/vbaProject.bin": b"x"}, "macros"),
        ("", {"_xmlsignatures/sig1.xml": "<x/>"}, "signed"),
        ("", {"word/_rels/document.xml.rels": RELS.format(EXTERNAL.format("image", "http://x/a"))},
         "external file"),
        ("", {"word/_rels/x.xml.rels": RELS.format(EXTERNAL.format("oleObject", "x"))},
         "external file"),
        ('<w:p><w:r><w:instrText> INCLUDETEXT "c:\\\\anna.txt" </w:instrText></w:r></w:p>', {},
         "field"),
        ('<w:p><w:fldSimple w:instr="DDEAUTO x y"/></w:p>', {}, "field"),
        ("", {"../x.xml": "<x/>"}, "outside of it"),
        ("<w:p>", {}, "not well-formed"),
        ("", {"word/header1.xml": "<!DOCTYPE x [<!ENTITY a 'Anna'>]><x>&a;</x>"}, "document type"),
        ("", {"word/big.xml": b"<x>" + b" " * (1 << 25) + b"</x>"}, "too large when unpacked"),
    ],
)  # fmt: skip
def test_unsafe_files_are_withheld(
    body: str, parts: Mapping[str, str | bytes], reason: str, tmp_path: Path
) -> None:
    """Macros, references to the outside, bombs and broken parts withhold the whole file."""
    file = make(tmp_path, body, parts)
    with pytest.raises(RecordError, match=reason) as caught:
        list(DOCX.items(file, TableOptions()))
    assert "Anna" not in str(caught.value)
    assert caught.value.path == file


def test_template_of_the_hospital_is_forgotten(tmp_path: Path) -> None:
    """The path of a template names users and servers: the usual template stands in its place."""
    path = "file:///C:\\Users\\anna\\Letter.dotm"
    rels = RELS.format(EXTERNAL.format("attachedTemplate", path))
    file = make(tmp_path, p("x"), {"word/_rels/settings.xml.rels": rels})
    again = rewritten(file, lambda doc: doc.text)["word/_rels/settings.xml.rels"]
    assert 'Target="Normal.dotm"' in again
    assert "anna" not in again
    assert rewritten(tmp_path / "out.docx", lambda doc: doc.text)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "encrypted, or in the older"),
        (b"PK\x03\x04broken", "damaged zip"),
        (b"Anna", "not a zip archive"),
    ],
)
def test_other_bytes_are_withheld(data: bytes, reason: str, tmp_path: Path) -> None:
    """What is no package is withheld with what to do."""
    file = tmp_path / "a.docx"
    file.write_bytes(data)
    with pytest.raises(RecordError, match=reason):
        list(DOCX.items(file, TableOptions()))


def test_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    """Readers differ in which of two parts counts."""
    file = make(tmp_path, p("x"))
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "a") as package:
        package.writestr("word/document.xml", f"<w:document {W}/>")
    with pytest.raises(RecordError, match="two parts of the same name"):
        Package(file)


def test_sample_is_masked_for_another_reader(tmp_path: Path) -> None:
    """The masked sample opens in another program, with other people and the same form."""
    docx: Any = pytest.importorskip("docx")
    masked = tmp_path / "masked.docx"
    key = Key(bytes(range(32)))
    result = mask_files(SAMPLE, masked, policy="surrogate", key=key, lang="en")
    assert result.summary.tally.records == 1
    before, after = docx.Document(SAMPLE), docx.Document(masked)

    def form(document: Any) -> list[tuple[str, list[tuple[Any, Any]]]]:
        return [
            (each.style.name, [(run.bold, run.italic) for run in each.runs])
            for each in document.paragraphs
        ]

    assert form(after) == form(before)
    assert len(after.tables[0].rows) == len(before.tables[0].rows)
    assert after.core_properties.author not in ("", "Grace Okafor")
    with zipfile.ZipFile(SAMPLE) as old, zipfile.ZipFile(masked) as new:
        assert new.namelist() == old.namelist()
        for name in ("word/styles.xml", "word/theme/theme1.xml", "[Content_Types].xml"):
            assert new.read(name) == old.read(name)
        everything = b"".join(map(new.read, new.namelist())).decode("utf-8", "ignore")
    for word in ("Lindgren", "Anna", "Erik", "Okafor", "4711899", "555-0187", "Harbour", "2024"):
        assert word not in everything
    first, family = after.paragraphs[1].runs[1].text.strip(), after.paragraphs[1].runs[2].text
    assert after.tables[0].rows[1].cells[0].text.endswith(family)
    assert f"{first} {family}" in after.sections[0].footer.paragraphs[0].text


def test_files_are_recognised(tmp_path: Path) -> None:
    """A Word file is recognised by its content where its name does not say so."""
    assert find_format(SAMPLE) is DOCX
    bare = tmp_path / "letter"
    bare.write_bytes(SAMPLE.read_bytes())
    assert find_format(bare) is DOCX
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as package:
        package.writestr("a.txt", "x")
    (tmp_path / "other").write_bytes(other.getvalue())
    with pytest.raises(Exception, match="not a format"):
        find_format(tmp_path / "other")
