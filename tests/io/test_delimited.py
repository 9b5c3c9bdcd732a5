from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import InputError, RecordError
from veil.io import TableOptions

if TYPE_CHECKING:
    from tests.io.conftest import Rewrite

    from veil import Document

NOTE = TableOptions(("note",))


def eva(doc: Document) -> str:
    return doc.text.replace("Anna", "Eva")


def test_only_changed_cells_change(rewrite: Rewrite) -> None:
    """Cells of other columns and unchanged texts stay to the byte, needless quotes included."""
    data = (
        'id,"note",ward\r\n'
        '1,"Anna said ""no"", twice",  "B 2 \r\n'
        '"2","no name","a ""quoted"" ward"\r\n'
        "3,Anna,\r\n"
    )
    assert rewrite("csv", data, eva, options=NOTE).text == data.replace("Anna", "Eva")


def test_cells_over_lines(rewrite: Rewrite) -> None:
    """A cell in quotes may hold line ends of any kind and doubled quotes at its edges."""
    data = 'note,id\n"""Anna""\r\nis\n""ill""",1\n"\n",2\n'
    written = rewrite("csv", data, eva, options=NOTE)
    assert written.texts == {"notes-2": '"Anna"\r\nis\n"ill"', "notes-5": "\n"}
    assert written.text == data.replace("Anna", "Eva")


@pytest.mark.parametrize(
    ("new", "cell"),
    [
        ("Eva, Lund", '"Eva, Lund"'),
        ('"Eva"', '"""Eva"""'),
        ("Eva\nLund", '"Eva\nLund"'),
        ("Eva\rLund", '"Eva\rLund"'),
        ('Eva "x"', 'Eva "x"'),
        ("", ""),
        ("Eva; Lund", "Eva; Lund"),
    ],
)
def test_new_text_is_quoted_where_it_must(rewrite: Rewrite, new: str, cell: str) -> None:
    """A cell that had no quotes gets some if its new text needs them."""
    written = rewrite("csv", "id,note\n1,Anna\n", lambda _: new, options=NOTE)
    assert written.text == f"id,note\n1,{cell}\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_found(rewrite: Rewrite, delimiter: str) -> None:
    """The header tells the delimiter, even if cells hold others."""
    data = "id,note,x\n1,Anna a.b,\n".replace(",", delimiter)
    written = rewrite("csv", data, eva, options=NOTE)
    assert written.text == data.replace("Anna", "Eva")


def test_delimiter_is_the_one_of_the_wanted_columns(rewrite: Rewrite) -> None:
    """A header in which another sign is more frequent is read with that of the named columns."""
    data = "id;note;a,b,c,d\n1;Anna;x\n"
    written = rewrite("csv", data, eva, options=NOTE)
    assert written.text == data.replace("Anna", "Eva")


def test_mark_and_old_line_ends(rewrite: Rewrite) -> None:
    """A byte order mark stays, and in a file without line feeds a carriage return ends a row."""
    data = '\ufeff"note",id\rAnna,1\r"Anna\rBerg",2\r'
    written = rewrite("csv", data, eva, options=NOTE)
    assert written.texts == {"notes-2": "Anna", "notes-3": "Anna\rBerg"}
    assert written.text == data.replace("Anna", "Eva")


def test_tabs(rewrite: Rewrite) -> None:
    """TSV has tabs alone; commas in it are text."""
    data = "id\tnote\n1\tAnna, ill\n"
    written = rewrite("tsv", data, eva, options=NOTE)
    assert written.texts == {"notes-2": "Anna, ill"}
    assert written.text == data.replace("Anna", "Eva")


def test_ids_patients_and_several_texts(rewrite: Rewrite) -> None:
    """Rows give ids and patients; texts of a row share its patient, and empty cells are none."""
    written = rewrite(
        "csv",
        "nr,who,a,b\nn1,p1,x,y\nn1,,z,\n,,u,v\n",
        options=TableOptions(("b", "a"), "nr", "who"),
    )
    assert written.texts == {
        "n1:b": "y",
        "n1:a": "x",
        "n1#3": "z",
        "notes-4:b": "v",
        "notes-4:a": "u",
    }
    assert [doc.meta.get("patient") for doc in written.documents.values()] == [
        "p1",
        "p1",
        None,
        "notes-4",
        "notes-4",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (TableOptions(), r"choose which of the 3 columns contain texts"),
        (TableOptions(("text",)), r"no column 'text'; none of its 3 columns has that name"),
        (TableOptions(("ID ",)), r"no column 'ID '; column 1 of 3 differs only in case"),
        (TableOptions(("id",), "nr"), r"no column 'nr'"),
        (TableOptions(("id",), None, "who"), r"no column 'who'"),
        (TableOptions(("note",)), r"the column 'note' occurs 2 times"),
    ],
)
def test_columns_must_be_there(rewrite: Rewrite, options: TableOptions, message: str) -> None:
    """A column that is missing, not named or there twice is an error that says so."""
    with pytest.raises(InputError, match=message):
        rewrite("csv", "id,note,note\n1,a,b\n", options=options)


@pytest.mark.parametrize("options", [NOTE, TableOptions()])
def test_a_first_line_that_is_a_record_is_not_repeated(
    rewrite: Rewrite, options: TableOptions
) -> None:
    """The message about a table without a header holds none of its cells."""
    with pytest.raises(InputError) as caught:
        rewrite("csv", "1,Zebrowski,1948-03-12,Mår bra\n", options=options)
    assert "Zebrowski" not in str(caught.value)
    assert "1948" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        (TableOptions(("note",), "note"), "--id-column"),
        (TableOptions(("id", "note"), "id", "note"), "--id-column"),
        (TableOptions(("note",), "id", "note"), "--patient-column"),
    ],
)
def test_a_text_is_no_id(rewrite: Rewrite, options: TableOptions, option: str) -> None:
    """A column of texts would stand in the report as ids: it is refused."""
    with pytest.raises(InputError, match=f"holds texts; {option} must be another one"):
        rewrite("csv", "id,note\n1,a\n", options=options)


@pytest.mark.parametrize("data", ["", "\n", "\ufeff"])
def test_no_header(rewrite: Rewrite, data: str) -> None:
    """A file without a header is an error."""
    with pytest.raises(InputError, match="no header"):
        rewrite("csv", data, options=NOTE)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"2,Zebrowski, ill\n", "3 cells where the header has 2"),
        (b"2\n", "1 cells where the header has 2"),
        (b"2,Zebrowski \xff\n", "not UTF-8"),
        (b"2,Zebrow\0ski\n", "a NUL byte"),
    ],
)
def test_bad_rows_are_withheld(rewrite: Rewrite, row: bytes, reason: str) -> None:
    """A row with a cell too many could hide text in another column: it is left out."""
    written = rewrite("csv", b"id,note\n1,a\n" + row + b"3,b\n", options=NOTE)
    assert written.data == b"id,note\n1,a\n3,b\n"
    (error,) = written.errors
    assert (error.line, reason in error.reason) == (3, True)
    assert "Zebrowski" not in str(error)


@pytest.mark.parametrize(
    ("rest", "line", "reason"),
    [
        ('2,"Zebrowski" ill\n3,b\n', 3, "text after a closing quote"),
        ('2,"Zebrowski\n"3,b\n', 4, "text after a closing quote"),
        ('2,"Zebrowski\n3,b\n', 3, "not closed"),
    ],
)
def test_broken_quotes_end_the_file(rewrite: Rewrite, rest: str, line: int, reason: str) -> None:
    """Reading stops at a wrong quote, because it is unknown what is text after it."""
    with pytest.raises(RecordError, match=reason) as caught:
        rewrite("csv", f"id,note\n1,a\n{rest}", options=NOTE)
    assert caught.value.line == line
    assert "Zebrowski" not in str(caught.value)


def test_blank_rows_stay(rewrite: Rewrite) -> None:
    """Empty lines between rows and a missing last line end are kept."""
    data = "id,note\n\n1,a\n\r\n2,b"
    assert rewrite("csv", data, options=NOTE).text == data
