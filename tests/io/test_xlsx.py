"""Excel workbooks: cells of named columns change, and nothing else keeps a copy of them."""

from __future__ import annotations

import datetime
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from veil import InputError, RecordError
from veil.cli import main
from veil.core.document import KNOWN, PATIENT, WHOLE
from veil.io import FORMATS, Item
from veil.io.columns import table_options
from veil.io.xlsx.cells import DateStyles

openpyxl: Any = pytest.importorskip("openpyxl")

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

XLSX = FORMATS.get("xlsx")
NOTE = "Anna-Karin Lindgren, född 12/3 1948, söker för hosta. Journal 448812."
OPTIONS = table_options(
    text_columns=["Anteckning"],
    id_column="ID",
    patient_column="Journalnr",
    columns={"Namn": "PATIENT", "Född": "DATE", "Journalnr": "MEDICALRECORD"},
)
ARGUMENTS = (
    *("--text-column", "Anteckning", "--id-column", "ID", "--patient-column", "Journalnr"),
    *("--column", "Namn=PATIENT", "--column", "Född=DATE", "--column", "Journalnr=MEDICALRECORD"),
)
WORDS = ("Lindgren", "Karin", "Zebrowski", "448812", "1948-03-12", "Björn")


def workbook(file: Path) -> Any:
    """A workbook as a hospital exports it, with traces of a patient wherever Excel keeps them."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Export 2023"
    sheet.append(["ID", "Namn", "Född", "Journalnr", "Vikt", "BMI", "Anteckning", "År"])
    rows = [
        (1, "Lindgren, Anna-Karin", datetime.date(1948, 3, 12), 448812, 70.5, NOTE),
        (2, "Björn Ek", datetime.date(1950, 11, 2), 448813, 81, "Björn Ek mår bra."),
    ]
    for number, (*cells, note) in enumerate(rows, start=2):
        formula = f'=IF(B{number}="Lindgren, Anna-Karin",E{number},0)'
        sheet.append([*cells, formula, note, f"=YEAR(C{number})"])
    sheet["B2"].font = openpyxl.styles.Font(bold=True)
    sheet["E2"].fill = openpyxl.styles.PatternFill("solid", fgColor="FFFF00")
    sheet["E3"].number_format = "0.00"
    sheet.column_dimensions["B"].width = 33
    sheet["B2"].comment = openpyxl.comments.Comment("Lindgren ringde", "Zebrowski")
    sheet.oddHeader.center.text = "Anna-Karin Lindgren"
    sheet.auto_filter.ref = "A1:H3"
    sheet.auto_filter.add_filter_column(1, ["Björn Ek"])
    validation = openpyxl.worksheet.datavalidation.DataValidation(
        type="list", formula1='"Lindgren,Ek"'
    )
    sheet.add_data_validation(validation)
    validation.add("B2:B3")
    sheet["A2"].hyperlink = "mailto:anna.lindgren@example.org"
    book.properties.creator = "Zebrowski"
    book.properties.title = "Lindgren"
    name = openpyxl.workbook.defined_name.DefinedName("Lindgren", attr_text="'Export 2023'!$B$2")
    book.defined_names["Lindgren"] = name
    codes = book.create_sheet("Anna Lindgren")
    codes.append(["Journalnr", "Kod"])
    codes.append([448812, "J20"])
    codes.append([448813, "='Export 2023'!A2"])
    book.save(file)
    return book


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "export.xlsx"
    workbook(file)
    return file


def masked(source: Path, *more: str, policy: str = "surrogate") -> Path:
    target = source.with_name("masked.xlsx")
    options = (*ARGUMENTS, "--policy", policy, "--lang", "sv", "-q", *more)
    assert main(["mask", str(source), "-o", str(target), *options]) == 0
    return target


@pytest.mark.parametrize("policy", ["surrogate", "tag", "redact", "gdpr-strict"])
def test_nothing_identifying_is_left_in_any_part(source: Path, policy: str) -> None:
    """No part of the package holds a name: comments, properties, filters, names and lists too."""
    with ZipFile(masked(source, policy=policy)) as package:
        for name in package.namelist():
            data = package.read(name).decode("utf-8", "replace")
            assert not [word for word in WORDS if word in data], name


def test_everything_else_is_unchanged(source: Path) -> None:
    """Other cells, formulas, styles and widths are what they were, to another program too."""
    before = openpyxl.load_workbook(source)
    after = openpyxl.load_workbook(masked(source))
    sheet, other = before.worksheets[0], after.worksheets[0]
    assert other.title == "Export 2023"
    for row in range(1, 4):
        for column in "ABCDEFGH":
            one, two = sheet[f"{column}{row}"], other[f"{column}{row}"]
            assert one.number_format == two.number_format
            assert one.style_id == two.style_id
            if row == 1 or column in "AEH":
                assert one.value == two.value
            elif column != "F":
                assert one.value != two.value
    assert other.column_dimensions["B"].width == 33
    assert before.worksheets[1]["A1"].value == after.worksheets[1]["A1"].value


def test_values_agree_with_the_note(source: Path) -> None:
    """Name, date and number have the surrogates of the note; dates and numbers keep their types."""
    book = openpyxl.load_workbook(masked(source))
    sheet = book.worksheets[0]
    last, first = sheet["B2"].value.split(", ")
    born = sheet["C2"].value
    note = sheet["G2"].value
    assert f"{first} {last}" in note
    assert isinstance(born, datetime.datetime)
    assert f"{born.day}/{born.month} {born.year}" in note
    assert isinstance(sheet["D2"].value, int)
    assert str(sheet["D2"].value) in note
    assert f'B2="{last}, {first}"' in sheet["F2"].value
    codes = book.worksheets[1]
    assert codes["A2"].value == sheet["D2"].value
    assert codes.title == "Sheet2"
    assert codes["B3"].value == "='Export 2023'!A2"


def test_items_of_a_sheet(source: Path) -> None:
    """A row is an item with its text and its cells with a role, which are known for the text."""
    items = [item for item in XLSX.items(source, OPTIONS) if isinstance(item, Item)]
    first = next(item for item in items if item.is_record)
    assert [(doc.id, doc.text, doc.meta.get(WHOLE)) for doc in first.documents[:4]] == [
        ("1", NOTE, None),
        ("1:Namn", "Lindgren, Anna-Karin", "PATIENT"),
        ("1:Född", "1948-03-12", "DATE"),
        ("1:Journalnr", "448812", "MEDICALRECORD"),
    ]
    assert first.documents[0].meta[PATIENT] == "448812"
    assert first.documents[0].meta[KNOWN]["names"] == ["Lindgren, Anna-Karin"]


def test_withheld_row_is_empty(source: Path, tmp_path: Path) -> None:
    """Of a row that is not written no cell is left, and no shared string."""
    target = tmp_path / "out.xlsx"
    with XLSX.writer(source, target, OPTIONS) as writer:
        for item in XLSX.items(source, OPTIONS):
            if isinstance(item, Item) and item.documents[0].id != "1":
                writer.write(item, [doc.text for doc in item.documents])
    sheet = openpyxl.load_workbook(target).worksheets[0]
    assert {cell.value for cell in sheet[2][1:]} == {None}  # the first has a link
    assert sheet["B3"].value == "Björn Ek"
    with ZipFile(target) as package:
        assert not any(NOTE.encode() in package.read(name) for name in package.namelist())


def test_sheet_without_named_columns_is_emptied(tmp_path: Path) -> None:
    """A sheet with none of the named columns is left empty, and reported."""
    book = openpyxl.Workbook()
    book.active.append(["note"])
    book.active.append(["Mr. Hale is well."])
    book.create_sheet("other").append(["Zebrowski"])
    book.save(tmp_path / "a.xlsx")
    options = table_options(text_columns=["note"])
    outcomes = list(XLSX.items(tmp_path / "a.xlsx", options))
    (error,) = [each for each in outcomes if isinstance(each, RecordError)]
    assert "none of the named columns" in error.reason
    with XLSX.writer(tmp_path / "a.xlsx", tmp_path / "b.xlsx", options) as writer:
        for item in outcomes:
            if isinstance(item, Item):
                writer.write(item, [doc.text for doc in item.documents])
    with ZipFile(tmp_path / "b.xlsx") as package:
        assert not any(b"Zebrowski" in package.read(name) for name in package.namelist())
    assert openpyxl.load_workbook(tmp_path / "b.xlsx").worksheets[1].max_row == 1


def test_dropped_column_is_emptied(source: Path) -> None:
    """In a workbook the cells of a dropped column are empty, so that formulas keep their places."""
    sheet = openpyxl.load_workbook(masked(source, "--drop-column", "Vikt")).worksheets[0]
    assert [sheet[f"E{row}"].value for row in (1, 2, 3)] == ["Vikt", None, None]


def test_missing_column(source: Path) -> None:
    """A column that no sheet has is an error."""
    with pytest.raises(InputError, match="no column 'Text'"):
        list(XLSX.items(source, table_options(text_columns=["Text"], columns={"Namn": "PATIENT"})))


def changed(source: Path, change: Callable[[str, bytes], bytes], **more: bytes) -> None:
    """Rewrite the parts of a workbook, and add some."""
    with ZipFile(source) as package:
        parts = {name: change(name, package.read(name)) for name in package.namelist()}
    with ZipFile(source, "w", ZIP_DEFLATED) as package:
        for name, data in {**parts, **more}.items():
            package.writestr(name, data)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("xl/pivotCache/pivotCacheRecords1.xml", "pivot table"),
        ("xl/charts/chart1.xml", "a chart"),
        ("xl/externalLinks/externalLink1.xml", "a link to another workbook"),
        ("xl/connections.xml", "a connection to a database"),
        ("xl/embeddings/a.bin", "an embedded file"),
        ("xl/vbaProject.bin", "macros"),
        ("xl/strange.xml", "a part that Veil does not know"),
    ],
)
def test_copies_of_the_data_are_refused(source: Path, part: str, message: str) -> None:
    """Parts that hold a copy of the data, or that are unknown, withhold the workbook."""
    changed(source, lambda _, data: data, **{part: b"<a/>"})
    with pytest.raises(RecordError, match=message):
        list(XLSX.items(source, OPTIONS))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"<sheetData>", b"<sheetData><!-- x -->", "comments or CDATA"),
        (b"<sheetData>", b"<sheetData", "not well-formed"),
        (b"<worksheet", b"<!DOCTYPE a><worksheet", "document type"),
    ],
)
def test_malformed_sheets_are_withheld(source: Path, old: bytes, new: bytes, message: str) -> None:
    """A sheet that is malformed, or may hide cells, withholds the workbook with a clear message."""

    def change(name: str, data: bytes) -> bytes:
        return data.replace(old, new, 1) if name == "xl/worksheets/sheet1.xml" else data

    changed(source, change)
    with pytest.raises(RecordError, match=message) as caught:
        list(XLSX.items(source, OPTIONS))
    assert not [word for word in WORDS if word in str(caught.value)]


def test_zip_bomb_is_refused(source: Path) -> None:
    """A part that unpacks to far more than the file is refused before it is read."""
    changed(source, lambda _, data: data, **{"xl/theme/theme2.xml": b" " * (1 << 25)})
    with pytest.raises(RecordError, match="too large when unpacked"):
        list(XLSX.items(source, OPTIONS))


@pytest.mark.parametrize("text", ["_x0041_nna", "a\rb", "\x0bform\x0c", "_x005F_x0041_", " x "])
def test_escapes_of_excel(tmp_path: Path, text: str) -> None:
    """Characters that Excel escapes are read, and what is written says the same."""
    file, target = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["note"])
    book.active.append(["Anna"])
    book.save(file)
    options = table_options(text_columns=["note"])
    with XLSX.writer(file, target, options) as writer:
        for item in XLSX.items(file, options):
            assert isinstance(item, Item)
            writer.write(item, [text for _ in item.documents])
    (item,) = [each for each in XLSX.items(target, options) if isinstance(each, Item)]
    assert [doc.text for doc in item.documents] == [text]


@pytest.mark.parametrize(
    ("value", "text"),
    [("17604", "1948-03-12"), ("17604.5", "1948-03-12 12:00:00"), ("x", "x"), ("-1", "-1")],
)
def test_dates(value: str, text: str) -> None:
    """A number in the style of a date is read as a date, and a date is written as its number."""
    dates = DateStyles(frozenset({1}))
    assert dates.text(value, 1) == text
    assert dates.text(value, 0) == value
    if text != value:
        assert dates.serial(text) == value
    assert dates.serial("[DATE-1]") is None


def test_reveal_restores_the_values(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the mapping, every masked cell gets its value and type again."""
    monkeypatch.setenv("VEIL_PASSPHRASE", "a passphrase of the tests")
    mapping, back = tmp_path / "x.map", tmp_path / "back.xlsx"
    target = masked(source, "--mapping", str(mapping))
    columns = [*ARGUMENTS[:4], *ARGUMENTS[6:]]
    main(["reveal", str(target), "-o", str(back), *columns, "--mapping", str(mapping)])
    before, after = (openpyxl.load_workbook(file).worksheets[0] for file in (source, back))
    for row in (2, 3):
        for column in "ABCDEFG":
            assert after[f"{column}{row}"].value == before[f"{column}{row}"].value


def test_libreoffice_reads_the_result(source: Path, tmp_path: Path) -> None:
    """LibreOffice opens a masked workbook, and shows the masked values."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")
    target = masked(source)
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    utf8 = "csv:Text - txt - csv (StarCalc):44,34,76"  # comma, quotation mark, encoding
    subprocess.run(
        [program, profile, "--headless", "--convert-to", utf8, "--outdir", tmp_path, target],
        check=True,
        capture_output=True,
        timeout=180,
    )
    text = (tmp_path / "masked.csv").read_text("utf-8")
    sheet = openpyxl.load_workbook(target).worksheets[0]
    assert sheet["B2"].value in text
    assert not re.search("Lindgren|448812", text)


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def as_excel_writes(file: Path, prefix: str = "") -> None:
    """A workbook with shared strings, rich text, readings, a table and 1904 dates."""
    p = f"{prefix}:" if prefix else ""
    name = f' xmlns{":" + prefix if prefix else ""}="{MAIN}"'
    strings = ["id", "Mr. Hale", "note", "born", "ward", "B2"]
    items = "".join(f"<{p}si><{p}t>{each}</{p}t></{p}si>" for each in strings)
    rich = (
        f"<{p}si><{p}r><{p}t>Anna </{p}t></{p}r><{p}r><{p}rPr><{p}b/></{p}rPr><{p}t>Berg is well."
        f'</{p}t></{p}r><{p}rPh sb="0" eb="4"><{p}t>アンナ</{p}t></{p}rPh></{p}si>'
    )

    def row(number: int, *cells: str) -> str:
        return f'<{p}row r="{number}">{"".join(cells)}</{p}row>'

    def shared(place: str, index: int) -> str:
        return f'<{p}c r="{place}" t="s"><{p}v>{index}</{p}v></{p}c>'

    header = row(1, *(shared(f"{letter}1", index) for index, letter in enumerate("ABCDE")))
    cells = row(
        2,
        f'<{p}c r="A2"><{p}v>7</{p}v></{p}c>',
        f'<{p}c r="B2" t="str"><{p}f>"Zebrowski"&amp;A2</{p}f><{p}v>Zebrowski7</{p}v></{p}c>',
        shared("C2", 6),
        f'<{p}c r="D2" s="1"><{p}v>16142</{p}v></{p}c>',
        shared("E2", 5),
    )
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": "<Relationships/>",
        "xl/workbook.xml": f'<{p}workbook{name} xmlns:r="{RELATIONS}"><{p}workbookPr date1904="1"/>'
        f'<{p}sheets><{p}sheet name="notes" sheetId="1" r:id="rId1"/></{p}sheets>'
        f'<{p}calcPr calcId="1"/></{p}workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" Type="x/worksheet" '
        'Target="/xl/worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f"<{p}worksheet{name}><{p}sheetData>{header}{cells}"
        f"</{p}sheetData></{p}worksheet>",
        "xl/sharedStrings.xml": f"<{p}sst{name}>{items}{rich}</{p}sst>",
        "xl/styles.xml": f'<{p}styleSheet{name}><{p}numFmts count="1"><{p}numFmt numFmtId="164" '
        f'formatCode="yyyy\\-mm\\-dd"/></{p}numFmts><{p}cellXfs count="2"><{p}xf numFmtId="0"/>'
        f'<{p}xf numFmtId="164"/></{p}cellXfs></{p}styleSheet>',
        "xl/tables/table1.xml": f'<{p}table{name} id="1" name="T" displayName="T" ref="A1:E2">'
        f'<{p}tableColumns count="2"><{p}tableColumn id="1" name="id"/>'
        f'<{p}tableColumn id="2" name="Mr. Hale"/></{p}tableColumns></{p}table>',
    }
    with ZipFile(file, "w", ZIP_DEFLATED) as package:
        for part, text in parts.items():
            package.writestr(part, f'<?xml version="1.0" encoding="UTF-8"?>\n{text}')


@pytest.mark.parametrize("prefix", ["", "x"])
def test_workbook_as_excel_writes_it(tmp_path: Path, prefix: str) -> None:
    """Shared and rich strings, readings, table columns and 1904 dates are read and rewritten."""
    file, target = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    as_excel_writes(file, prefix)
    options = table_options(text_columns=["note"], id_column="id", columns={"born": "DATE"})
    new = {
        "Anna Berg is well.": "Eva Lund is well.",
        "1948-03-12": "1950-01-02",
        "Mr. Hale": "Mr. [NAME]",
        "Zebrowski": "[NAME]",
    }
    seen = []
    with XLSX.writer(file, target, options) as writer:
        for item in XLSX.items(file, options):
            assert isinstance(item, Item)
            seen += [doc.text for doc in item.documents]
            writer.write(item, [new[doc.text] for doc in item.documents])
    assert sorted(seen) == sorted(new)
    with ZipFile(target) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    everything = "".join(parts.values())
    assert not [word for word in ("Anna", "アンナ", "Hale", "Zebrowski") if word in everything]
    assert "Eva Lund is well." in parts["xl/worksheets/sheet1.xml"]
    assert 'name="Mr. [NAME]"' in parts["xl/tables/table1.xml"]
    assert ">B2<" in parts["xl/sharedStrings.xml"]
    assert 'fullCalcOnLoad="1"' in parts["xl/workbook.xml"]
    again = [item for item in XLSX.items(target, options) if isinstance(item, Item)]
    texts = [doc.text for item in again if item.is_record for doc in item.documents]
    assert texts[:2] == ["Eva Lund is well.", "1950-01-02"]
