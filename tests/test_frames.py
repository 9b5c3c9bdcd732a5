"""Data frames: masked like tables in files, whatever library holds them."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pyarrow
import pyarrow.parquet
import pytest

import veil
from veil.frames import REASON, STATUS, FrameMasker, FrameOptions

if TYPE_CHECKING:
    from pathlib import Path

KEY = veil.Key(b"a key for the tests of data frames")
COLUMNS = {"name": "PATIENT", "born": "DATE", "mrn": "hash", "secret": "drop"}
NOTES = [
    "Mr. John Hale was seen by Dr. Okafor on 3/5/2019. MRN 4471823.",
    None,
    "",
    "Dr. Okafor called John Hale in Toledo on 4/6/2019.",
    "No complaint. BP 120/80.",
    "Mr. Hale came with Maria Lugo, phone 555-123-4567. Follow-up on 12/1/2020.",
]
RULES: dict[str, Any] = {"text": "note", "language": "en", "model": "rules", "key": KEY}
NAMED: dict[str, Any] = {**RULES, "id": "id", "patient": "pid", "columns": COLUMNS}


def arrow_table() -> pyarrow.Table:
    """A table with nulls, blank cells and columns of several types."""
    count = len(NOTES)
    return pyarrow.table(
        {
            "id": list(range(10, 10 + count)),
            "note": pyarrow.array(NOTES, pyarrow.large_string()),
            "pid": ["a", "a", "b", "b", None, "a"],
            "name": pyarrow.array(["Hale, John", "Hale, John", None, " ", "Lugo", ""]),
            "born": pyarrow.array([0, 1, None, 20000, 3, 4], pyarrow.date32()),
            "mrn": [4471823, None, 7, 8, 9, 10],
            "secret": ["x"] * count,
            "kind": pyarrow.array(["a", "b", "a", None, "b", "b"]).dictionary_encode(),
            "list": [[1, 2], [], None, [3], [4], [5]],
        }
    )


def masked_file(table: pyarrow.Table, folder: Path, **options: Any) -> pyarrow.Table:
    """The table as `veil mask` writes it."""
    source, target = folder / "notes.parquet", folder / "masked.parquet"
    pyarrow.parquet.write_table(table, source)
    veil.mask_files(
        source,
        target,
        text_columns=["note"],
        columns={"name": "PATIENT", "born": "DATE"},
        hash_columns=["mrn"],
        drop_columns=["secret"],
        report=False,
        overwrite=True,
        **{"key": KEY, "policy": "surrogate", "lang": "en", "model": "rules", **options},
    )
    return pyarrow.parquet.read_table(target)


def without_status(table: pyarrow.Table) -> pyarrow.Table:
    assert table.column_names[-2:] == [STATUS, REASON]
    return table.drop_columns([STATUS, REASON])


@pytest.mark.parametrize("workers", [1, 2])
def test_a_table_is_masked_as_a_file_is(tmp_path: Path, workers: int) -> None:
    """A table of Arrow has the same values and types as the file that `veil mask` writes."""
    table = arrow_table()
    masked = FrameMasker(FrameOptions(**NAMED)).mask(table, workers=workers)
    expected = masked_file(table, tmp_path, id_column="id", patient_column="pid")
    assert without_status(masked).equals(expected)
    assert masked[STATUS].to_pylist() == ["masked"] * len(NOTES)
    assert "Hale" not in str(masked.to_pylist())


def test_rows_without_ids_are_named_as_those_of_a_file(tmp_path: Path) -> None:
    """With the name of the file, rows without an id and a patient get the same surrogates."""
    table = arrow_table()
    options = FrameOptions(**RULES, columns=COLUMNS, name="notes")
    assert without_status(FrameMasker(options).mask(table)).equals(masked_file(table, tmp_path))


def test_rows_do_not_depend_on_tables() -> None:
    """Each row alone is masked as in the whole table."""
    table = arrow_table()
    masker = FrameMasker(FrameOptions(**NAMED))
    alone = [masker.mask(table.slice(row, 1)) for row in range(len(NOTES))]
    assert pyarrow.concat_tables(alone).to_pylist() == masker.mask(table).to_pylist()


def test_a_row_that_cannot_be_masked_is_withheld() -> None:
    """A withheld row has no text and no identifiers; the reason quotes nothing of it."""
    french = "Le patient est venu avec sa femme pour une douleur de la jambe gauche depuis hier."
    table = pyarrow.table({"note": [french, NOTES[0]], "who": ["Durand", "Hale"], "n": [1, 2]})
    options = FrameOptions(text="note", model="rules", key=KEY, columns={"who": "PATIENT"})
    first, second = FrameMasker(options).mask(table).to_pylist()
    assert (first["note"], first["who"], first["n"], first[STATUS]) == (None, None, 1, "withheld")
    assert "French" in first[REASON]
    assert "Durand" not in first[REASON]
    assert second[STATUS] == "masked"
    assert second[REASON] is None
    (withheld, _) = FrameMasker(options).detect(table).to_pylist()
    assert withheld["spans"] is None
    assert withheld[STATUS] == "withheld"


def test_languages_of_rows() -> None:
    """Each row is masked in the language that its column names, or that is identified."""
    notes = ["Anna Lindgren söker den 12/4-23.", "Mr. John Hale was seen on 3/5/2019."]
    table = pyarrow.table({"note": notes, "lang": ["sv", "en"]})
    named = FrameOptions(text="note", key=KEY, model="rules", policy="tag", language_column="lang")
    masked = FrameMasker(named).mask(table)["note"].to_pylist()
    assert "Lindgren" not in masked[0]
    assert "Hale" not in masked[1]
    assert FrameMasker(FrameOptions(**RULES)).mask(table)["lang"].to_pylist() == ["sv", "en"]


def test_spans_of_rows() -> None:
    """Spans have offsets in the texts; a null text has null spans, an empty one an empty list."""
    table = arrow_table()
    found = FrameMasker(FrameOptions(**NAMED)).detect(table)
    assert found.column_names == ["id", "spans", STATUS, REASON]
    rows = found.to_pylist()
    assert rows[1]["spans"] is None
    assert rows[2]["spans"] == []
    texts = [str(NOTES[0])[span["start"] : span["end"]] for span in rows[0]["spans"]]
    assert "3/5/2019" in texts
    assert set(rows[0]["spans"][0]) == {"start", "end", "label", "score", "source"}


def test_two_columns_of_texts() -> None:
    """Each column of texts has spans of its own."""
    table = pyarrow.table({"a": ["Seen on 3/5/2019."], "b": ["No date."]})
    options = FrameOptions(text=["a", "b"], key=KEY, language="en", model="rules")
    (row,) = FrameMasker(options).detect(table).to_pylist()
    assert [span["label"] for span in row["spans_a"]] == ["DATE"]
    assert row["spans_b"] == []


def test_two_passes(tmp_path: Path) -> None:
    """The memory of two passes gives what `veil mask --two-pass` writes."""
    table = arrow_table()
    notes = [f"Dr. Zuckerblum came on day {n}." for n in range(5)] + ["Zuckerblum agrees."]
    table = table.set_column(1, "note", pyarrow.array(notes))
    masker = FrameMasker(FrameOptions(**NAMED))
    counts = masker.count(table.slice(0, 1))
    counts.merge(masker.count(table.slice(1)))
    masked = masker.with_memory(counts).mask(table)
    assert "Zuckerblum" not in str(masked["note"].to_pylist())
    expected = masked_file(table, tmp_path, id_column="id", patient_column="pid", two_pass=True)
    assert without_status(masked).equals(expected)


def test_options_hide_the_key_and_can_be_pickled() -> None:
    """Options and maskers can be sent to workers; no description of them contains the key."""
    options = FrameOptions(**NAMED)
    assert "key" not in repr(options)
    table = arrow_table()
    masker = FrameMasker(options)
    masked = masker.mask(table)
    assert pickle.loads(pickle.dumps(masker)).mask(table).equals(masked)  # noqa: S301


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"text": "nota"}, "no column 'nota'"),
        ({"text": "id", "id": None}, "has no strings"),
        ({"columns": {"name": "NOBODY"}}, "not a label"),
        ({"columns": {"list": "DATE"}}, "lists or structs"),
        ({"columns": {"note": "drop"}}, "two purposes"),
        ({"language_column": "kind"}, "not both"),
        ({"language": None, "language_column": "nothing"}, "no column 'nothing'"),
        ({"policy": "none such"}, "unknown policy"),
        ({"model": "none such"}, "none such"),
    ],
)
def test_wrong_options(wrong: dict[str, Any], message: str) -> None:
    """Options that cannot be used are an error that says what is wrong."""
    with pytest.raises(veil.VeilError, match=message):
        FrameMasker(FrameOptions(**{**NAMED, **wrong})).mask(arrow_table())


def test_a_masked_table_is_not_masked_again() -> None:
    """A table with the columns of a masked one is refused."""
    masker = FrameMasker(FrameOptions(**RULES))
    with pytest.raises(veil.InputError, match="masked already"):
        masker.mask(masker.mask(arrow_table()))
