"""Columns with a role: cells that are identifiers as a whole, hashed and dropped columns."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from veil import InputError, io
from veil.core.document import HASH, KNOWN, PART, PATIENT, WHOLE
from veil.io import FORMATS, Item, TableOptions
from veil.io.columns import Role, known_values, table_options

if TYPE_CHECKING:
    from pathlib import Path

ROWS: list[dict[str, Any]] = [
    {"id": "1", "pid": "a", "name": "Ek, Bo", "dob": "1950-11-02", "photo": "x", "note": "Bo Ek."},
    {"id": "2", "pid": "a", "name": "Ek, Bo", "dob": "", "photo": "y", "note": "Bo."},
    {"id": "3", "pid": "b", "name": "Åsa Ö", "dob": "1951-01-01", "photo": "z", "note": ""},
]
OPTIONS = TableOptions(
    ("note",), "id", "pid", (("name", "PATIENT"), ("dob", "DATE")), hashed=(), dropped=("photo",)
)


def write_csv(file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, ROWS[0])
        writer.writeheader()
        writer.writerows(ROWS)


def write_jsonl(file: Path) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), "utf-8")


def write_parquet(file: Path) -> None:
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    dates = [row["dob"] or None for row in ROWS]
    table = arrow.Table.from_pylist(ROWS)
    days = arrow.array(dates).cast(arrow.date32())
    parquet.write_table(table.set_column(3, "dob", days), file)


def read_back(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".csv":
        with file.open(encoding="utf-8", newline="") as source:
            return list(csv.DictReader(source))
    if file.suffix == ".parquet":
        parquet: Any = pytest.importorskip("pyarrow.parquet")
        rows: list[dict[str, Any]] = parquet.read_table(file).to_pylist()
        return [{key: value or "" for key, value in row.items()} for row in rows]
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


WRITERS = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}


def items_of(file: Path, name: str, options: TableOptions = OPTIONS) -> list[Item]:
    items = [item for item in FORMATS.get(name).items(file, options) if isinstance(item, Item)]
    return [item for item in items if item.is_record]


@pytest.mark.parametrize("name", WRITERS)
def test_cells_with_a_role_are_documents(tmp_path: Path, name: str) -> None:
    """A cell with a role is an identifier as a whole, and a known value for the note of its row."""
    file = tmp_path / f"a.{name}"
    WRITERS[name](file)
    first, second, third = items_of(file, name)
    assert [(doc.id, doc.text, doc.meta.get(WHOLE)) for doc in first.documents] == [
        ("1", "Bo Ek.", None),
        ("1:name", "Ek, Bo", "PATIENT"),
        ("1:dob", "1950-11-02", "DATE"),
    ]
    assert first.documents[0].meta[KNOWN] == {"names": ["Ek, Bo"], "birth_dates": ["1950-11-02"]}
    assert {doc.meta[PATIENT] for doc in first.documents} == {"a"}
    assert [doc.id for doc in second.documents] == ["2", "2:name"]
    assert [doc.id for doc in third.documents] == ["3:name", "3:dob"] or name != "csv"


@pytest.mark.parametrize("name", WRITERS)
def test_cells_are_replaced_and_columns_dropped(tmp_path: Path, name: str) -> None:
    """New values stand in their cells, a dropped column is gone, and all else is as it was."""
    file, target = tmp_path / f"a.{name}", tmp_path / f"b.{name}"
    WRITERS[name](file)
    with FORMATS.get(name).writer(file, target, OPTIONS) as writer:
        for item in FORMATS.get(name).items(file, OPTIONS):
            assert isinstance(item, Item)
            writer.write(
                item, [f"<{doc.id}>" if WHOLE in doc.meta else doc.text for doc in item.documents]
            )
    rows = read_back(target)
    assert rows == [
        {
            **{key: value for key, value in row.items() if key != "photo"},
            "name": f"<{row['id']}:name>",
            "dob": f"<{row['id']}:dob>" if row["dob"] else "",
        }
        for row in ROWS
    ]


def test_every_column_but_one_can_be_dropped(tmp_path: Path) -> None:
    """Dropping the first and the last columns leaves rows with the right delimiters."""
    file, target = tmp_path / "a.csv", tmp_path / "b.csv"
    write_csv(file)
    options = TableOptions(("name",), dropped=("id", "pid", "dob", "photo", "note"))
    with FORMATS.get("csv").writer(file, target, options) as writer:
        for item in FORMATS.get("csv").items(file, options):
            assert isinstance(item, Item)
            writer.write(item, [doc.text for doc in item.documents])
    assert target.read_text("utf-8") == 'name\n"Ek, Bo"\n"Ek, Bo"\nÅsa Ö\n'


def test_hashed_cells_and_parts(tmp_path: Path) -> None:
    """A hashed column and the parts of names are marked for masking."""
    file = tmp_path / "a.csv"
    write_csv(file)
    options = table_options(
        text_columns=["note"], hash_columns=["pid"], columns={"name": "PATIENT:last"}
    )
    documents = {doc.id: doc for doc in items_of(file, "csv", options)[0].documents}
    assert documents["a-2:pid"].meta[HASH] is True
    assert documents["a-2:name"].meta[PART] == "last"
    assert documents["a-2"].meta[KNOWN]["last_names"] == ["Ek, Bo"]


def test_numbers_in_json_become_strings(tmp_path: Path) -> None:
    """A number with a role is read as it is written, and replaced by a string."""
    file, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    file.write_text('{"text": "a", "mrn": 17.0, "x": null}\n', "utf-8")
    options = TableOptions(roles=(("mrn", "MEDICALRECORD"), ("x", "SSN")))
    (item,) = items_of(file, "jsonl", options)
    assert [doc.text for doc in item.documents] == ["a", "17.0"]
    with FORMATS.get("jsonl").writer(file, target, options) as writer:
        writer.write(item, ["a", "[ID]"])
    assert target.read_text("utf-8") == '{"text": "a", "mrn": "[ID]", "x": null}\n'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": {"name": "NOBODY"}}, "'NOBODY' is not a label"),
        ({"columns": {"name": "PATIENT:middle"}}, "the part of a name is first or last"),
        ({"columns": {"name": "PATIENT"}, "drop_columns": ["name"]}, "for two purposes"),
        ({"preset": "nothing"}, "unknown preset 'nothing'; known: omop, mimic"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    """Options that contradict each other or name nothing are refused before a file is read."""
    with pytest.raises(InputError, match=message):
        table_options(**options)


def test_masked_column_cannot_hold_ids(tmp_path: Path) -> None:
    """Reports name records by their ids, so that a column of ids cannot be masked."""
    file = tmp_path / "a.csv"
    write_csv(file)
    with pytest.raises(InputError, match="--id-column must be another one"):
        list(FORMATS.get("csv").items(file, TableOptions(("note",), "id", hashed=("id",))))


def test_columns_file(tmp_path: Path) -> None:
    """A TOML file names columns of all kinds; options count before it."""
    file = tmp_path / "columns.toml"
    file.write_text(
        'text = ["note"]\nid = "id"\npatient = "pid"\nhash = ["mrn"]\ndrop = ["photo"]\n'
        '[roles]\nname = "PATIENT"\ndob = "DATE"\n'
    )
    assert table_options(columns_file=file, columns={"dob": "AGE"}, id_column="nr") == TableOptions(
        ("note",),
        "nr",
        "pid",
        (("name", "PATIENT"), ("dob", "AGE")),
        hashed=("mrn",),
        dropped=("photo",),
    )
    for wrong, message in (
        ("texts = []", "unknown key 'texts'"),
        ('text = "note"', "text must be an array of strings"),
        ("[roles]\nname = 1", "roles must be a table of strings"),
    ):
        file.write_text(wrong)
        with pytest.raises(InputError, match=message):
            table_options(columns_file=file)


@pytest.mark.parametrize(
    ("role", "cell", "expected"),
    [
        ("PATIENT", "Bo Ek", {"names": ["Bo Ek"]}),
        ("PATIENT:first", "Bo", {"first_names": ["Bo"]}),
        ("DATE", "1950-11-02", {"birth_dates": ["1950-11-02"]}),
        ("DATE", "2/11/1950", {"birth_dates": ["2/11/1950"]}),
        ("DATE", "1950-02-31", {}),
        ("DATE", "soon", {}),
        ("SEX", "F", {}),
        ("PATIENT", "x" * 300, {}),
    ],
)
def test_known_values(role: str, cell: str, expected: dict[str, list[str]]) -> None:
    """The cells of a row are known values under the fields of their labels, if they can be."""
    assert known_values({"c": cell}, {"c": Role.of(role)}) == expected


@pytest.mark.parametrize(
    ("preset", "header", "texts", "roles"),
    [
        (
            "omop",
            "note_id,person_id,note_date,note_title,note_text,provider_id",
            ["note_text", "note_title"],
            ["note_date"],
        ),
        ("omop", "note_nlp_id,note_id,snippet,lexical_variant", ["snippet", "lexical_variant"], []),
        (
            "mimic",
            "ROW_ID,SUBJECT_ID,HADM_ID,CHARTDATE,CHARTTIME,DESCRIPTION,TEXT",
            ["TEXT", "DESCRIPTION"],
            ["CHARTDATE", "CHARTTIME"],
        ),
        ("mimic", "note_id,subject_id,charttime,text", ["text"], ["charttime"]),
    ],
)
def test_presets(
    tmp_path: Path, preset: str, header: str, texts: list[str], roles: list[str]
) -> None:
    """A preset finds the columns of its tables, whatever their case."""
    file = tmp_path / "a.csv"
    names = header.split(",")
    file.write_text(f"{header}\n{','.join(f'2020-01-0{n + 1}' for n in range(len(names)))}\n")
    (item,) = items_of(file, "csv", table_options(preset=preset))
    columns = [doc.id.partition(":")[2] or texts[0] for doc in item.documents]
    assert columns == [*texts, *roles]
    assert item.documents[0].id.startswith("2020-01-01")


def test_preset_of_another_table(tmp_path: Path) -> None:
    """A table without the columns of a preset is refused."""
    file = tmp_path / "a.csv"
    write_csv(file)
    with pytest.raises(InputError, match="no table of the preset mimic"):
        list(io.read(file, options=table_options(preset="mimic")))
