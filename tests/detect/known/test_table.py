from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.core.errors import InputError
from veil.detect.known import Known, KnownDetector, KnownTable
from veil.detect.known.values import column_names, field_names, field_of

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, text: str, *, encoding: str = "utf-8") -> Path:
    path = folder / "table.csv"
    path.write_bytes(text.encode(encoding))
    return path


def error_of(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        KnownTable.read(write(folder, text))
    return str(caught.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_table_is_read_in_usual_writings(
    tmp_path: Path, delimiter: str, encoding: str, line_end: str
) -> None:
    """Delimiter, byte order mark and line ends do not matter."""
    rows = [["record", "name", "dob"], ["note-1", "Åsa Ek|Åsa Berg", "1948-03-12"]]
    text = line_end.join(delimiter.join(row) for row in rows) + line_end
    table = KnownTable.read(write(tmp_path, text, encoding=encoding))
    known = table(Document("note-1", ""))
    assert known == Known(names=["Åsa Ek", "Åsa Berg"], birth_dates="1948-03-12")


def test_rows_of_one_key_are_joined(tmp_path: Path) -> None:
    """What several rows say of a record is known together."""
    path = write(tmp_path, "record,name,doctor\na,Ana Ruiz,\na,,Luis Gil\n\nb,Eva Mora,\n")
    table = KnownTable.read(path)
    assert table(Document("a", "")) == Known(names="Ana Ruiz", doctors="Luis Gil")
    assert table(Document("b", "")) == Known(names="Eva Mora")
    assert len(table) == 2


@pytest.mark.parametrize("name", ["patient", "patient_id"])
def test_a_patients_records_share_a_row(tmp_path: Path, name: str) -> None:
    """A row may be found by the patient that a document's meta names, a number too."""
    table = KnownTable.read(write(tmp_path, "patient,name\n17,Ana Ruiz\n"))
    assert table(Document("x", "", meta={name: "17"})) == Known(names="Ana Ruiz")
    assert table(Document("y", "", meta={name: 17})) == Known(names="Ana Ruiz")
    assert table(Document("17", "")) is None


def test_record_and_patient_add_up(tmp_path: Path) -> None:
    """What is known of a record is added to what is known of its patient."""
    text = "record,patient,name,doctor\nnote,,,Luis Gil\n,17,Ana Ruiz,\n"
    table = KnownTable.read(write(tmp_path, text))
    known = table(Document("note", "", meta={"patient": "17"}))
    assert known == Known(names="Ana Ruiz", doctors="Luis Gil")


def test_a_table_tells_which_ids_nobody_asked_for(tmp_path: Path) -> None:
    """Ids of no document are listed in the order of the table."""
    table = KnownTable.read(write(tmp_path, "record,name\nc,A B\na,C D\nb,E F\n"))
    assert table.unasked == ["c", "a", "b"]
    assert table(Document("a", "")) is not None
    assert table(Document("z", "")) is None
    assert table.unasked == ["c", "b"]


@pytest.mark.parametrize(
    ("column", "field"),
    [
        ("Name", "names"),
        ("First Name", "first_names"),
        ("first_name", "first_names"),
        ("Förnamn", "first_names"),
        ("apellidos", "last_names"),
        ("Fecha de nacimiento", "birth_dates"),
        ("Personnummer", "national_ids"),
        ("DNI", "national_ids"),
        ("MRN", "medical_records"),
        ("teléfono", "phones"),
        ("電話番号", "phones"),
        ("氏名", "names"),
        ("フリガナ", "readings"),
        ("zip", "zips"),
        ("E-mail", "emails"),
        ("hospital", "hospitals"),
        ("relatives", "relatives"),
        ("läkare", "doctors"),
        ("id", "ids"),
    ],
)
def test_columns_have_names_in_four_languages(column: str, field: str) -> None:
    """Case, accents, spaces, hyphens and underscores of a column do not matter."""
    assert field_of(column) == field


def test_every_field_has_a_column() -> None:
    """Each field of `Known` can be given in a table, under its own name too."""
    assert {field_of(name) for name in field_names()} == set(field_names())
    assert {field_of(name) for name in column_names()[2:]} == set(field_names())


def test_an_unknown_column_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    """The message tells which column it is, and what it could have been."""
    message = error_of(tmp_path, "record,nmae\na,Ana Ruiz\n")
    assert "table.csv, line 1: column 2 has an unknown name" in message
    assert "known: record, patient, name," in message


@pytest.mark.parametrize("cell", ["Ruiz", "Ana Ruiz", "Ruiz (Ana) +34 600 000 000"])
def test_a_table_without_a_header_shows_no_text(tmp_path: Path, cell: str) -> None:
    """The first row of such a table is taken for columns, and is never quoted."""
    message = error_of(tmp_path, f"record,{cell}\n")
    assert "line 1: column 2 has an unknown name, or the header is missing" in message
    assert "Ruiz" not in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1: no header"),
        ("\n\n", "line 1: no header"),
        ("name,dob\nAna Ruiz,1948-03-12\n", "line 1: no column 'record' or 'patient'"),
        ("record,name\na,Ana Ruiz\n,Eva Mora\n", "line 3: no id of a record or patient"),
        ("record,name\na,Ana Ruiz,x\n", "line 2: 3 cells, the header has 2"),
        ("record,name\na\n", "line 2: 1 cells, the header has 2"),
        ("record,name,dob\na,Ana Ruiz,Ruizday\n", "line 2: birth_dates: a value is no date"),
        ("record,name\na,Ana\0Ruiz\n", "line 2: a NUL character"),
        ('record,name\na,"Ana Ruiz\n', "no CSV: a quote is not closed"),
        (f"record,name\na,{'Ruiz' * 300}\n", "line 2: names: a value is longer than 1000"),
        (f"record,name\na,{'Ruiz' * 50_000}\n", "a cell is huge"),
    ],
)
def test_bad_tables_are_refused_by_line_without_their_text(
    tmp_path: Path, text: str, expected: str
) -> None:
    """A message tells file, line and reason, and quotes no cell."""
    message = error_of(tmp_path, text)
    assert "table.csv" in message
    assert expected in message
    assert "Ruiz" not in message


def test_lines_are_counted_through_quoted_line_breaks(tmp_path: Path) -> None:
    """A cell over two lines does not shift the line of a later error."""
    message = error_of(tmp_path, 'record,name,dob\na,"Ana\nRuiz",\nb,Eva,never\n')
    assert "line 4: birth_dates" in message


def test_many_bad_rows_are_told_in_short(tmp_path: Path) -> None:
    """The first five bad rows are named, the others counted."""
    message = error_of(tmp_path, "record,name\n" + ",x\n" * 12)
    assert message.count("line ") == 5
    assert message.endswith("and 7 more")


def test_files_that_cannot_be_read_are_input_errors(tmp_path: Path) -> None:
    """The errors for a missing file and for another encoding say which it is."""
    with pytest.raises(InputError, match="cannot be read"):
        KnownTable.read(tmp_path / "no.csv")
    with pytest.raises(InputError, match=r"table\.csv, line 2: not UTF-8"):
        KnownTable.read(write(tmp_path, "record,name\na,Åsa\n", encoding="latin-1"))


def test_a_table_is_what_a_detector_takes(tmp_path: Path) -> None:
    """A table gives each document its own people."""
    table = KnownTable.read(write(tmp_path, "record,name\na,Ana Ruiz\nb,Eva Mora\n"))
    detector = KnownDetector("es", known=table)
    docs = [Document(name, "Ruiz y Mora") for name in ("a", "b", "c")]
    found = [[(span.start, span.end) for span in spans] for spans in detector.detect_many(docs)]
    assert found == [[(0, 4)], [(7, 11)], []]
    assert table.unasked == []


def test_reprs_show_no_values(tmp_path: Path) -> None:
    """A repr says how much is known, not what."""
    table = KnownTable.read(write(tmp_path, "record,name,dob\na,Ana Ruiz,1948-03-12\n"))
    assert repr(table) == "KnownTable(1 ids)"
    assert repr(table(Document("a", ""))) == "Known(names: 1, birth_dates: 1)"


def test_parts_of_a_record_have_its_known_values(tmp_path: Path) -> None:
    """A header of a document is about the patient of the document."""
    file = tmp_path / "known.csv"
    file.write_text("record,name\nletter,Anna Berg\n", "utf-8")
    table = KnownTable.read(file)
    header = Document("letter:header1", "Anna", meta={"patient": "letter", "row": ("x",)})
    known = table(header)
    assert known is not None
    assert known.names == ("Anna Berg",)
    assert table(Document("letter:header1", "Anna")) is None
