from __future__ import annotations

import datetime
import decimal
import sys
from typing import TYPE_CHECKING, Any

import pytest

from veil import Document, InputError, RecordError
from veil.io import FORMATS, TableOptions, parquet

if TYPE_CHECKING:
    from pathlib import Path

pa: Any = pytest.importorskip("pyarrow")
pq: Any = pytest.importorskip("pyarrow.parquet")

PARQUET = FORMATS.get("parquet")
NOTE = TableOptions(("note",))


def a_table(rows: int = 4) -> Any:
    """A table with many types, nulls, and metadata of fields and of itself."""
    schema = pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            pa.field("note", pa.string(), metadata={"about": "the text"}),
            pa.field("plan", pa.large_string()),
            pa.field("kind", pa.dictionary(pa.int32(), pa.string())),
            pa.field("day", pa.date32()),
            pa.field("time", pa.timestamp("ns", tz="Europe/Stockholm")),
            pa.field("dose", pa.decimal128(10, 3)),
            pa.field("list", pa.list_(pa.struct([("x", pa.int8()), ("y", pa.string())]))),
            pa.field("bytes", pa.binary()),
        ],
        metadata={
            "source": "ward B2",
            "pandas": '{"pandas_version": "2.2", "attributes": {"about": "Anna"}}',
        },
    )
    return pa.table(
        {
            "id": list(range(rows)),
            "note": [None if n % 3 == 2 else f"Anna {n}" for n in range(rows)],
            "plan": [f"Anna again {n}" for n in range(rows)],
            "kind": [("Anna", "Bo", None)[n % 3] for n in range(rows)],
            "day": [datetime.date(2020, 1, 1)] * rows,
            "time": [None] * rows,
            "dose": [decimal.Decimal("1.500")] * rows,
            "list": [[{"x": 1, "y": "Anna"}], None, [], [None]][:rows] + [None] * (rows - 4),
            "bytes": [b"\xff"] * rows,
        },
        schema=schema,
    )


def rewrite(source: Path, target: Path, options: TableOptions) -> list[Document]:
    """Write a file with every Anna as Eva; return its documents."""
    documents: list[Document] = []
    with PARQUET.writer(source, target, options) as writer:
        for item in PARQUET.items(source, options):
            assert not isinstance(item, RecordError)
            documents += item.documents
            writer.write(item, [doc.text.replace("Anna", "Eva") for doc in item.documents])
    return documents


def test_other_columns_types_and_nulls_stay(tmp_path: Path) -> None:
    """Only the texts change; nulls stay null, and so do types and what pandas needs to know."""
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(a_table(10), source, compression={"id": "gzip", "note": "zstd"})
    table = pq.read_table(source)
    options = TableOptions(("note", "kind"), "id")
    documents = rewrite(source, target, options)
    assert {doc.id: doc.text for doc in documents if doc.id.startswith("0")} == {
        "0:note": "Anna 0",
        "0:kind": "Anna",
    }
    result = pq.read_table(target)
    assert result.schema.equals(table.schema)
    assert result.schema.metadata == {b"pandas": b'{"pandas_version": "2.2"}'}
    assert result.drop_columns(["note", "kind"]).equals(table.drop_columns(["note", "kind"]))
    for column in ("note", "kind"):
        old = table[column].to_pylist()
        assert result[column].to_pylist() == [each and each.replace("Anna", "Eva") for each in old]
    before, after = (pq.ParquetFile(each).metadata.row_group(0) for each in (source, target))
    assert [before.column(n).compression for n in range(2)] == [
        after.column(n).compression for n in range(2)
    ]


def test_rows_come_in_groups(tmp_path: Path) -> None:
    """Groups of the source stay groups, and large ones are cut so that memory is enough."""
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(a_table(10_000), source, row_group_size=5_000)
    table = pq.read_table(source)
    rewrite(source, target, NOTE)
    metadata = pq.ParquetFile(target).metadata
    groups = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
    assert groups == [4096, 904, 4096, 904]
    assert pq.read_table(target).drop_columns(["note"]).equals(table.drop_columns(["note"]))


def test_long_texts_come_in_small_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are large are fewer at once, whatever their number."""
    monkeypatch.setattr(parquet, "_MOST_BYTES", 35_000)
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    texts = [str(n) * 5_000 for n in range(10, 20)]
    pq.write_table(pa.table({"note": texts}), source, use_dictionary=False)
    rewrite(source, target, NOTE)
    metadata = pq.ParquetFile(target).metadata
    assert [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)] == [3, 3, 3, 1]
    assert pq.read_table(target)["note"].to_pylist() == texts


def test_withheld_rows_are_gone(tmp_path: Path) -> None:
    """Rows that are not written are left out, whole batches of them too."""
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(a_table(12), source, row_group_size=3)
    with PARQUET.writer(source, target, NOTE) as writer:
        for number, item in enumerate(PARQUET.items(source, NOTE)):
            assert not isinstance(item, RecordError)
            if number in (0, 4, 9, 11):
                writer.write(item, [doc.text for doc in item.documents])
    assert pq.read_table(target)["id"].to_pylist() == [0, 4, 9, 11]


def test_every_type_can_be_withheld_and_kept(tmp_path: Path) -> None:
    """Views, of which pyarrow can take no rows, are written like other columns."""
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    columns = {
        "note": pa.array([f"Anna {n}" for n in range(6)], pa.string_view()),
        "text": pa.array(["x", None, "y", "z", "", "u"], pa.string_view()),
        "bytes": pa.array([b"x"] * 6, pa.binary_view()),
    }
    pq.write_table(pa.table(columns), source)
    with PARQUET.writer(source, target, NOTE) as writer:
        for number, item in enumerate(PARQUET.items(source, NOTE)):
            assert not isinstance(item, RecordError)
            if number not in (0, 3):
                writer.write(item, [item.documents[0].text.replace("Anna", "Eva")])
    result = pq.read_table(target)
    assert result.schema == pq.read_table(source).schema
    assert result["note"].to_pylist() == ["Eva 1", "Eva 2", "Eva 4", "Eva 5"]
    assert result["text"].to_pylist() == [None, "y", "", "u"]


def test_empty_table(tmp_path: Path) -> None:
    """A table without rows stays one, with its schema."""
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(a_table().slice(0, 0), source)
    assert rewrite(source, target, NOTE) == []
    schemas = [pq.read_schema(each) for each in (source, target)]
    assert schemas[0].equals(schemas[1])


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("text", r"no column 'text'; none of its \d+ columns has that name"),
        ("day", r"the column 'day' has no strings"),
        ("list", r"the column 'list' has no strings"),
    ],
)
def test_columns_must_hold_text(tmp_path: Path, column: str, message: str) -> None:
    """A column that is missing or holds something else is an error before anything is read."""
    source = tmp_path / "a.parquet"
    pq.write_table(a_table(), source)
    with pytest.raises(InputError, match=message):
        PARQUET.items(source, TableOptions((column,)))


def test_damaged_file(tmp_path: Path) -> None:
    """A file that is no Parquet, or was cut off, is an error with its name."""
    source = tmp_path / "a.parquet"
    pq.write_table(a_table(), source)
    source.write_bytes(source.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"a\.parquet: not Parquet, or damaged"):
        PARQUET.items(source, NOTE)


def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    """A file is read whatever bytes its name is made of, and a damaged one is refused."""
    pq.write_table(a_table(), tmp_path / "a.parquet")
    source = (tmp_path / "a.parquet").rename(tmp_path / "b\udcff.parquet")
    assert len(list(PARQUET.items(source, NOTE))) == 4
    source.write_bytes(source.read_bytes()[:-20] + b"PAR1")
    with pytest.raises(InputError, match="damaged"):
        PARQUET.items(source, NOTE)


def test_interrupted_writing_leaves_nothing(tmp_path: Path) -> None:
    """A file that is not finished is removed: it cannot be gone on with."""
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(a_table(), source)
    items = (item for item in PARQUET.items(source, NOTE) if not isinstance(item, RecordError))
    context = PARQUET.writer(source, target, NOTE)
    context.__enter__().write(next(items), ["x"])
    assert target.exists()
    assert not context.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not target.exists()


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyarrow the error says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"pip install 'veil-deid\[parquet\]'"):
        PARQUET.items(tmp_path / "a.parquet", NOTE)
