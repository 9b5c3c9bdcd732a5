"""What every format keeps to when a file is rewritten with new texts."""

from __future__ import annotations

import base64
import html
import json
import tracemalloc
import zipfile
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest

from veil import Document, InputError, Record, RecordError, Span, io
from veil.core.encodings import public_name
from veil.io import FORMATS, Format, Item, TableOptions, find_format
from veil.io.annotated import AnnotatedFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

# A PDF is masked to a text file, and has tests of its own.
NAMES = [each.name for each in FORMATS if not each.masked_suffix]
EVERY = pytest.mark.parametrize("name", NAMES)
# Formats with one record a file.
ONE = ("text", "brat", "i2b2-2014", "cda", "docx", "html", "rtf")
MANY = pytest.mark.parametrize("name", [name for name in NAMES if name not in ONE])
WITH_PATIENTS = pytest.mark.parametrize(
    "name", ["jsonl", "csv", "tsv", "parquet", "fhir", "fhir-ndjson", "hl7", "xlsx"]
)
# A file of this format is made to be typed, and read as a whole.
# A workbook shares its strings among all sheets.
AS_A_WHOLE = (*ONE, "tagged", "xlsx")
IN_PARTS = pytest.mark.parametrize("name", [name for name in NAMES if name not in AS_A_WHOLE])
RESUMABLE = pytest.mark.parametrize("name", [each.name for each in FORMATS if each.resumable])
OPTIONS = TableOptions(("text", "more"), "id", "patient")
PLAIN = TableOptions()
TEXTS = [
    "Anna Berg, 63",
    'she said "no", then; left',
    " two\nlines \r\nAnna\t",
    '<b>Anna</b> &amp; \\u0041 {"a": [1]}',
    "Åsa 山田 😀 e\u0301",
]


def options_of(name: str) -> TableOptions:
    return OPTIONS if name in ("jsonl", "csv", "tsv", "parquet", "xlsx") else PLAIN


def rows(texts: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {"id": f"r{n}", "patient": f"p{n % 2}", "dose": 1.5 + n, "text": text, "more": f"Anna {n}"}
        for n, text in enumerate(texts)
    ]


def resources(texts: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {
            "resourceType": "DocumentReference",
            "id": f"r{n}",
            "subject": {"reference": f"Patient/p{n % 2}", "display": "Anna Berg"},
            "date": "2020-01-02T03:04:05Z",
            "text": {"status": "additional", "div": f"<div><p>Anna</p>{n}</div>"},
            "content": [
                {
                    "attachment": {
                        "contentType": "text/plain",
                        "data": base64.b64encode(text.encode()).decode(),
                        "size": len(text.encode()),
                    }
                }
            ],
        }
        for n, text in enumerate(texts)
    ]


def write_delimited(file: Path, texts: Iterable[str], delimiter: str) -> None:
    def cell(value: object) -> str:
        return '"' + str(value).replace('"', '""') + '"' if isinstance(value, str) else str(value)

    with file.open("w", encoding="utf-8", newline="") as target:
        target.write(delimiter.join(["id", "patient", "dose", "text", "more"]) + "\r\n")
        for row in rows(texts):
            target.write(delimiter.join(map(cell, row.values())) + "\r\n")


def write_text(file: Path, texts: Iterable[str]) -> None:
    file.write_bytes("\n".join(texts).encode())


def write_parquet(file: Path, texts: Iterable[str]) -> None:
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(rows(texts)), file, row_group_size=2)


def write_xlsx(file: Path, texts: Iterable[str]) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["id", "patient", "dose", "text", "more"])
    for row in rows(texts):
        book.active.append(list(row.values()))
    book.save(file)


def write_bundle(file: Path, texts: Iterable[str]) -> None:
    entries = [{"resource": each} for each in resources(texts)]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    file.write_text(json.dumps(bundle, indent=1, ensure_ascii=False), "utf-8")


def write_lines(file: Path, values: Iterable[dict[str, Any]]) -> None:
    lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in values)
    file.write_text("".join(lines), "utf-8")


def write_hl7(file: Path, texts: Iterable[str]) -> None:
    """A batch in MLLP frames, with the name of the patient and a free text in each message."""
    codes = {"\\": "E", "|": "F", "^": "S", "~": "R", "&": "T", "\r": "X0D", "\n": ".br"}
    escapes = str.maketrans({sign: f"\\{code}\\" for sign, code in codes.items()})
    with file.open("w", encoding="utf-8", newline="") as target:
        target.write("FHS|^~\\&|LAB\rBHS|^~\\&|LAB\r")
        for n, text in enumerate(texts):
            target.write(f"\x0bMSH|^~\\&|LAB||EHR||20200102||ORU^R01|r{n}|P|2.5.1\r")
            target.write(f"PID|1||p{n % 2}^^^A^MR||Berg^Anna||19480312|F\r")
            target.write(
                f"OBX|1|FT|1^Note^L||{text.translate(escapes)}\rNTE|1||Anna Berg {n}\r\x1c\r"
            )
        target.write("BTS|5\rFTS|1\r")


def write_cda(file: Path, texts: Iterable[str]) -> None:
    """A document with a section for each text."""
    sections = "".join(
        f"<component><section><title>Anna {n}</title><text><paragraph>{html.escape(text)}"
        f"</paragraph><content>Anna</content>  Berg</text></section></component>"
        for n, text in enumerate(texts)
    )
    file.write_bytes(
        '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole><patient><name>'
        "<given>Anna</given> <family>Berg</family></name></patient></patientRole></recordTarget>"
        f"<component><structuredBody>{sections}</structuredBody></component>"
        "</ClinicalDocument>\n".encode()
    )


def write_docx(file: Path, texts: Iterable[str]) -> None:
    """A Word file with a paragraph for each text, in two runs."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    paragraphs = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{html.escape(text)}</w:t></w:r>'
        "<w:r><w:t> An</w:t></w:r><w:r><w:t>na Berg</w:t></w:r></w:p>"
        for text in texts
    )
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{space}"><w:body>{paragraphs}</w:body></w:document>',
        )
        package.writestr("docProps/core.xml", "<core><creator>Anna Berg</creator></core>")


def write_html(file: Path, texts: Iterable[str]) -> None:
    paragraphs = "".join(f"<p>{html.escape(text)} <b>Anna</b> Berg</p>\r\n" for text in texts)
    file.write_bytes(f'<html><title>Anna</title><p id="Anna Berg">{paragraphs}</html>'.encode())


def write_rtf(file: Path, texts: Iterable[str]) -> None:
    """A document with a line for each text, in which half a name is bold."""

    def letter(sign: str) -> str:
        units = memoryview(sign.encode("utf-16-le")).cast("H")
        codes = "".join(f"\\u{unit - 0x10000 if unit > 0x7FFF else unit}?" for unit in units)
        return f"\\{sign}" if sign in "\\{}" else sign if " " <= sign <= "~" else codes

    lines = "".join(f"{''.join(map(letter, text))} {{\\b An}}na\\par\n" for text in texts)
    file.write_text(
        f"{{\\rtf1\\ansi\\ansicpg65001{{\\info{{\\author Anna Berg}}}}{lines}}}", "ascii"
    )


def annotated(texts: Iterable[str]) -> list[Record]:
    return [
        Record.of(Document(f"r{n}", f"{text}\n"), [Span(0, 4, "LOCATION")])
        for n, text in enumerate(texts)
    ]


def write_annotated(name: str, file: Path, texts: list[str]) -> None:
    """Write records to one file; of the formats with one record a file the texts are joined."""
    if name in ("brat", "i2b2-2014"):
        (only,) = annotated(["\n".join(texts)])
        io.write(
            [replace(only, document=replace(only.document, id=file.stem))], file.parent, format=name
        )
    elif name in ("mednlp", "tagged"):
        before, after = ('<doc id="{}">', "</doc>\n") if name == "mednlp" else ("=== {}\n", "")
        file_format = FORMATS.get(name)
        assert isinstance(file_format, AnnotatedFormat)
        with file.open("w", encoding="utf-8", newline="") as target:
            for each in annotated(texts):
                target.write(before.format(each.id) + file_format.render(each) + after)
    else:
        io.write(annotated(texts), file, format=name)


SOURCES: dict[str, tuple[str, Callable[[Path, list[str]], None]]] = {
    "text": ("a.txt", write_text),
    "jsonl": ("a.jsonl", lambda file, texts: write_lines(file, rows(texts))),
    "csv": ("a.csv", lambda file, texts: write_delimited(file, texts, ";")),
    "tsv": ("a.tsv", lambda file, texts: write_delimited(file, texts, "\t")),
    "parquet": ("a.parquet", write_parquet),
    "xlsx": ("a.xlsx", write_xlsx),
    "fhir-ndjson": ("a.ndjson", lambda file, texts: write_lines(file, resources(texts))),
    "fhir": ("a.json", write_bundle),
    "cda": ("a.xml", write_cda),
    "docx": ("a.docx", write_docx),
    "hl7": ("a.hl7", write_hl7),
    "html": ("a.html", write_html),
    "rtf": ("a.rtf", write_rtf),
    "brat": ("a.ann", partial(write_annotated, "brat")),
    "conll": ("a.conll", partial(write_annotated, "conll")),
    "i2b2-2006": ("a.xml", partial(write_annotated, "i2b2-2006")),
    "i2b2-2014": ("a.xml", partial(write_annotated, "i2b2-2014")),
    "mednlp": ("a.txt", partial(write_annotated, "mednlp")),
    "tagged": ("a.txt", partial(write_annotated, "tagged")),
}


def source_of(name: str, folder: Path, texts: list[str] | None = None) -> Path:
    file_name, write = SOURCES[name]
    file = folder / file_name
    write(file, TEXTS if texts is None else texts)
    return file


def target_of(source: Path, folder: str = "out") -> Path:
    """Return a file of the same name in another folder."""
    target = source.parent / folder / source.name
    target.parent.mkdir()
    return target


def read_items(file_format: Format, file: Path) -> list[Item]:
    items = []
    for item in file_format.items(file, options_of(file_format.name)):
        assert not isinstance(item, RecordError)
        items.append(item)
    return items


def write(
    file_format: Format,
    source: Path,
    target: Path,
    items: list[Item],
    *,
    change: Callable[[Document], str] = lambda doc: doc.text,
    resume: bool = False,
) -> int:
    """Write items with their texts changed; return the size."""
    if file_format.name == "brat":
        text = "".join(change(doc) for item in items for doc in item.documents)
        target.with_suffix(".txt").write_bytes(text.encode())
    with file_format.writer(source, target, options_of(file_format.name), resume=resume) as writer:
        for item in items:
            writer.write(item, [change(doc) for doc in item.documents])
        return writer.flush()


def content(file: Path) -> object:
    """The bytes of a file; of Parquet the table, of a zip archive the parts."""
    if file.suffix == ".parquet":
        parquet: Any = pytest.importorskip("pyarrow.parquet")
        table = parquet.read_table(file)
        return (str(table.schema), table.schema.metadata, table.to_pylist())
    if file.suffix == ".xlsx":  # without properties, which are emptied
        with ZipFile(file) as package:
            return {name: package.read(name) for name in package.namelist() if "xl/" in name}
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as package:
            return [(name, package.read(name)) for name in package.namelist()]
    return file.read_bytes()


def eva(doc: Document) -> str:
    return doc.text.replace("Anna", "Eva")


@EVERY
def test_same_texts_give_the_same_file(name: str, tmp_path: Path) -> None:
    """A file whose texts are put back as they were is the same file."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    target = target_of(source)
    write(file_format, source, target, read_items(file_format, source))
    assert content(target) == content(source)


@EVERY
def test_new_texts_are_read_again(name: str, tmp_path: Path) -> None:
    """What is written is what is read from the new file, under the same ids."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    items = read_items(file_format, source)
    target = target_of(source)
    write(file_format, source, target, items, change=eva)
    again = read_items(file_format, target)
    assert {doc.id: doc.text for item in again for doc in item.documents} == {
        doc.id: eva(doc) for item in items for doc in item.documents
    }


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "cp932", "euc_jp", "auto"])
@pytest.mark.parametrize("name", [each.name for each in FORMATS if each.is_text])
def test_other_encodings(name: str, encoding: str, tmp_path: Path) -> None:
    """A file in another encoding has the same documents, and is written again as it was."""
    file_format = FORMATS.get(name)
    is_western = encoding in ("cp1252", "auto")
    words = "Anna Åberg söker för värk." if is_western else "患者は山田太郎さん。東京に住む。"
    source = source_of(name, tmp_path, [words, f"Anna {words}"])
    codec = "cp1252" if encoding == "auto" else encoding
    options = replace(options_of(name), encoding=encoding)
    expected = [item.documents for item in read_items(file_format, source)]
    for file in tmp_path.iterdir():
        text = file.read_bytes().decode()
        if name.startswith("i2b2"):
            text = text.replace("UTF-8", public_name(codec))
        mark = "\ufeff" if codec.startswith("utf-16") and name.startswith("i2b2") else ""
        file.write_bytes((mark + text).encode(codec))
    items = list(file_format.items(source, options))
    assert [item.documents for item in items if isinstance(item, Item)] == expected
    target = target_of(source)
    with file_format.writer(source, target, options) as writer:
        for item in items:
            assert isinstance(item, Item)
            writer.write(item, [doc.text for doc in item.documents])
    assert target.read_bytes() == source.read_bytes()


@EVERY
def test_ids_differ_within_a_file(name: str, tmp_path: Path) -> None:
    """No two documents of a file have one id, even if its rows do."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    if name not in (*ONE, "parquet", "xlsx"):
        source.write_text(source.read_text("utf-8").replace("r3", "r1"), "utf-8")
    items = read_items(file_format, source)
    ids = [doc.id for item in items for doc in item.documents]
    assert len(set(ids)) == len(ids)


@EVERY
def test_reading_again_gives_the_same(name: str, tmp_path: Path) -> None:
    """Items come in the same order with the same documents whenever a file is read."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    first, second = ([item.documents for item in read_items(file_format, source)] for _ in range(2))
    assert first == second


@MANY
def test_withheld_item_leaves_the_others(name: str, tmp_path: Path) -> None:
    """An item that is not written is missing, and all others are there."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    items = read_items(file_format, source)
    for withheld in range(len(items)):
        target = target_of(source, f"out{withheld}")
        kept = [item for number, item in enumerate(items) if number != withheld]
        write(file_format, source, target, kept)
        left = [item.documents for item in read_items(file_format, target)]
        assert [docs for docs in left if docs] == [
            item.documents for item in kept if item.documents
        ]


@RESUMABLE
def test_resumed_file_is_the_same(name: str, tmp_path: Path) -> None:
    """A file that was cut off after any item and gone on with is the same to the byte."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    items = read_items(file_format, source)
    whole = tmp_path / f"whole{source.suffix}"
    write(file_format, source, whole, items, change=eva)
    for count in range(len(items) + 1):
        target = tmp_path / f"out{count}{source.suffix}"
        size = write(file_format, source, target, items[:count], change=eva)
        assert size == target.stat().st_size
        with target.open("ab") as file:  # half an item, which the run cuts off before it goes on
            file.write(b"half")
            file.truncate(size)
        write(file_format, source, target, items[count:], change=eva, resume=True)
        assert target.read_bytes() == whole.read_bytes()


@WITH_PATIENTS
def test_patients_are_told(name: str, tmp_path: Path) -> None:
    """Documents name their patient where the file does."""
    file_format = FORMATS.get(name)
    items = read_items(file_format, source_of(name, tmp_path))
    patients = {doc.meta["patient"] for item in items for doc in item.documents}
    assert patients == {"p0", "p1"}


@EVERY
def test_errors_name_the_place_and_no_text(name: str, tmp_path: Path) -> None:
    """Errors name the file and, if it has several lines, the line."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    broken = source.read_bytes().replace(b"Anna 1", b"Zebrowski \xff")
    broken = broken.replace(b"Anna Berg", b"Zebrowski\xff").replace(b"PAR1", b"PARX")
    broken = broken.replace(b"Anna<", b"Zebrowski\xff<").replace(b"Anna\t", b"Zebrowski\xff\t")
    broken = broken.replace(b"\tAnna\n", b"\tZebrowski\xff\n")
    source.write_bytes(broken[: len(broken) // 2] if name == "xlsx" else broken)
    errors: list[Exception] = []
    try:
        for item in file_format.items(source, options_of(name)):
            if isinstance(item, RecordError):
                errors.append(item)
    except (InputError, RecordError) as error:
        errors.append(error)
    assert errors
    for each in errors:
        assert source.name in str(each)
        assert "Zebrowski" not in str(each)
        if name in ("jsonl", "csv", "tsv", "fhir-ndjson"):
            assert isinstance(each, RecordError)
            assert each.line is not None


@EVERY
def test_missing_file_is_an_input_error(name: str, tmp_path: Path) -> None:
    """A file that is not there is an error with its name."""
    if name == "parquet":
        pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match=r"gone\.x"):
        list(FORMATS.get(name).items(tmp_path / "gone.x", options_of(name)))


@MANY
def test_lone_surrogates_are_refused(name: str, tmp_path: Path) -> None:
    """A text that no file can hold is an error, and nothing of the item is written."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    items = [item for item in read_items(file_format, source) if item.documents]
    target = target_of(source)
    with file_format.writer(source, target, options_of(name)) as writer:
        writer.write(items[0], [doc.text for doc in items[0].documents])
        size = writer.flush()
        with pytest.raises(RecordError):
            writer.write(items[1], [doc.text + "\ud800" for doc in items[1].documents])
        assert writer.flush() == size


@IN_PARTS
def test_memory_does_not_grow_with_the_file(name: str, tmp_path: Path) -> None:
    """A file far larger than the memory in use is read and written item by item."""
    file_format = FORMATS.get(name)
    size, count = 100_000, 60
    source = source_of(name, tmp_path, [f"{n:05}" * (size // 5) for n in range(count)])
    target = target_of(source)
    options = options_of(name)
    tracemalloc.start()
    try:
        with file_format.writer(source, target, options) as writer:
            for item in file_format.items(source, options):
                assert isinstance(item, Item)
                writer.write(item, [doc.text + "." for doc in item.documents])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size * count < target.stat().st_size or name == "parquet"
    assert peak < size * count / 2


@EVERY
def test_formats_are_found(name: str, tmp_path: Path) -> None:
    """What a format reads is recognised as its own, and so is what it writes."""
    file_format = FORMATS.get(name)
    source = source_of(name, tmp_path)
    target = target_of(source)
    write(file_format, source, target, read_items(file_format, source), change=eva)
    assert find_format(source) is file_format
    assert find_format(target) is file_format


@EVERY
def test_repr_shows_no_text(name: str, tmp_path: Path) -> None:
    """An item says nothing of what it holds."""
    file_format = FORMATS.get(name)
    items = read_items(file_format, source_of(name, tmp_path))
    assert "Anna" not in repr([(item, item.payload) for item in items])


@EVERY
def test_about_is_one_line(name: str) -> None:
    """Every format says in one line what it is."""
    file_format = FORMATS.get(name)
    assert file_format.name == name
    assert 0 < len(file_format.about) < 100
    assert "\n" not in file_format.about
