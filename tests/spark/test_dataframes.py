"""DataFrames of Spark are masked as files are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest
from pyarrow import parquet
from tests.detect.test_two_stage import RECIPE, make_record
from tests.spark.conftest import KEY, NAME, NUMBER, Logs

import veil
from veil import InputError
from veil.detect.names import NameModules
from veil.detect.two_stage import TwoStageDetector

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

COLUMNS = {"name": "PATIENT", "ward": "hash"}
OPTIONS: dict[str, Any] = {
    "text": "note_text",
    "id": "note_id",
    "patient": "person_id",
    "columns": COLUMNS,
    "model": "rules",
}


@pytest.fixture
def frame(spark: SparkSession, notes: pyarrow.Table) -> DataFrame:
    return spark.createDataFrame(notes).repartition(3)


def masked_by_files(
    notes: pyarrow.Table, folder: Path, key: Path, **options: Any
) -> dict[int, dict[str, Any]]:
    """The rows that `veil mask` writes, by their ids."""
    parquet.write_table(notes, folder / "notes.parquet")
    veil.mask_files(
        folder / "notes.parquet",
        folder / "masked.parquet",
        policy="surrogate",
        key=key,
        text_columns=["note_text"],
        id_column="note_id",
        patient_column="person_id",
        columns={"name": "PATIENT"},
        hash_columns=["ward"],
        model="rules",
        **options,
    )
    rows = parquet.read_table(folder / "masked.parquet").to_pylist()
    return {row["note_id"]: row for row in rows}


def by_id(frame: DataFrame) -> dict[int, dict[str, Any]]:
    rows = [row.asDict() for row in frame.collect()]
    assert len({row["note_id"] for row in rows}) == len(rows)
    return {row["note_id"]: row for row in rows}


def without_status(rows: dict[int, dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """The rows that were masked, as they were written to a file."""
    return {
        number: {name: value for name, value in row.items() if not name.startswith("veil_")}
        for number, row in rows.items()
        if row["veil_status"] == "masked"
    }


def test_rows_are_those_of_veil_mask(
    frame: DataFrame, notes: pyarrow.Table, tmp_path: Path, key_file: Path
) -> None:
    """The same rows, key and options give the same values in a file and in any partitions."""
    from veil import spark as veil_spark

    expected = masked_by_files(notes, tmp_path, key_file)
    masked = veil_spark.mask(frame, key=key_file, **OPTIONS)
    assert masked.columns == [*frame.columns, "veil_status", "veil_reason"]
    rows = by_id(masked)
    assert len(rows) == notes.num_rows
    assert without_status(rows) == expected
    # The German note; as elsewhere, nothing of it is passed through.
    assert {number: row["veil_reason"] for number, row in rows.items() if row["veil_reason"]} == {
        114: rows[114]["veil_reason"]
    }
    assert rows[114]["veil_status"] == "withheld"
    assert rows[114]["note_text"] is rows[114]["name"] is rows[114]["ward"] is None
    assert rows[104]["note_text"] is None
    assert rows[109]["note_text"] == ""
    in_one = by_id(veil_spark.mask(frame.coalesce(1), key=key_file, **OPTIONS))
    assert in_one == rows


def test_two_passes_are_those_of_veil_mask(
    frame: DataFrame, notes: pyarrow.Table, tmp_path: Path, key_file: Path
) -> None:
    """What is certain in several rows is found in all partitions, as in a file."""
    from veil import spark as veil_spark

    more = [f"Seen by Dr. Trelawny on {day} May." for day in range(1, 6)] + ["asks for Trelawny"]
    count = len(more)
    notes = notes.slice(0, count).set_column(2, "note_text", [more])
    expected = masked_by_files(notes, tmp_path, key_file, two_pass=True)
    assert not any("Trelawny" in row["note_text"] for row in expected.values())
    table = frame.sparkSession.createDataFrame(notes).repartition(3)
    masked = veil_spark.mask(table, key=key_file, two_pass=True, **OPTIONS)
    assert without_status(by_id(masked)) == expected


def test_spans_are_those_of_detect(frame: DataFrame, notes: pyarrow.Table) -> None:
    """The spans of a row are an array of structs, with the offsets that `detect` gives."""
    from veil import spark as veil_spark

    found = by_id(veil_spark.detect(frame, text="note_text", id="note_id", model="rules"))
    own = veil.Veil(model="rules")
    for row in notes.to_pylist():
        if row["note_id"] in (104, 109, 114):
            continue
        spans = [(span.start, span.end, span.label) for span in own.detect(row["note_text"])]
        assert spans
        assert [(s.start, s.end, s.label) for s in found[row["note_id"]]["spans"]] == spans
    assert found[114]["spans"] is None


def test_the_learning_module_learns_from_all_partitions(spark: SparkSession) -> None:
    """What carlsson-2010's learning module counts in partitions is what it counts in one place."""
    from veil import spark as veil_spark

    texts = [
        "Patienten Karin Lindmark kom idag.",
        "Lindmark mår bra, säger Karin Lindmark.",
        "Karin Lindmark ringde om Svensson.",
        "Doktor Lindmark har opererat knäet.",
    ]
    table = pyarrow.table({"id": list(range(len(texts))), "text": texts})
    rows = spark.createDataFrame(table).repartition(3)
    found = veil_spark.detect(rows, text="text", id="id", language="sv", order="TCDL")
    docs = [veil.Document(str(number), text) for number, text in enumerate(texts)]
    learnt = NameModules("sv", "TCDL").learn(docs)
    expected = NameModules("sv", "TCDL", memory=learnt).detect_many(docs)
    found_in = {row["id"]: row["spans"] for row in found.collect()}
    assert any(expected)
    for number, spans in enumerate(expected):
        assert [(s.start, s.end, s.label) for s in found_in[number]] == [
            (span.start, span.end, span.label) for span in spans
        ]


def test_majorities_are_those_of_all_partitions(spark: SparkSession, tmp_path: Path) -> None:
    """A two-stage model sees the majorities of all rows, as if it had the corpus at once."""
    from veil import spark as veil_spark

    notes = [make_record(number) for number in range(40)]
    TwoStageDetector.fit(replace(RECIPE, scheme="veil"), notes[:30]).save(tmp_path / "model")
    docs = [record.document for record in notes[30:]]
    detector = TwoStageDetector.load(tmp_path / "model", corpus=docs)
    table = pyarrow.table({"id": [doc.id for doc in docs], "text": [doc.text for doc in docs]})
    found = veil_spark.detect(
        spark.createDataFrame(table).repartition(3),
        text="text",
        id="id",
        language="en",
        model=str(tmp_path / "model"),
        corpus=True,
    )
    rows = {row["id"]: row["spans"] for row in found.collect()}
    for doc, spans in zip(docs, detector.detect_many(docs), strict=True):
        assert [(s.start, s.end, s.label, s.score) for s in rows[doc.id]] == [
            (span.start, span.end, span.label, span.score) for span in spans
        ]


def test_the_key_can_stay_on_the_workers(frame: DataFrame, key_file: Path) -> None:
    """Workers that read the key themselves give the same result."""
    from veil import spark as veil_spark

    some = frame.where("note_id < 104")
    sent = by_id(veil_spark.mask(some, key=key_file, **OPTIONS))
    assert by_id(veil_spark.mask(some, worker_key_file=str(key_file), **OPTIONS)) == sent
    with pytest.raises(InputError, match="not both"):
        veil_spark.mask(some, key=key_file, worker_key_file=key_file, **OPTIONS)


def test_what_is_wrong_is_said(frame: DataFrame, key_file: Path) -> None:
    """A missing id or column is an error at once, and a missing key one of the job."""
    from veil import spark as veil_spark

    with pytest.raises(InputError, match="give id"):
        veil_spark.mask(frame, text="note_text", key=key_file)
    with pytest.raises(InputError, match="no column 'body'"):
        veil_spark.mask(frame, text="body", id="note_id", key=key_file)
    masked = veil_spark.mask(frame, worker_key_file="/no/such/key", **OPTIONS)
    with pytest.raises(Exception, match="the key cannot be read"):
        masked.collect()


def test_a_huge_text_is_masked(spark: SparkSession, key_file: Path) -> None:
    """A text that is longer than a batch is masked, beside short ones."""
    from veil import spark as veil_spark

    long = "Dr. Hale saw the patient. " * 12_000
    table = pyarrow.table({"note_id": [1, 2], "note_text": [long, "Dr. Hale"]})
    options = {**OPTIONS, "columns": {}, "patient": None, "policy": "tag", "language": "en"}
    masked = by_id(veil_spark.mask(spark.createDataFrame(table), key=key_file, **options))
    assert "Hale" not in masked[1]["note_text"]
    assert masked[1]["note_text"].count("[DOCTOR-1]") == 12_000
    assert masked[2]["note_text"] == "Dr. [DOCTOR-1]"


def test_nothing_secret_is_shown(
    frame: DataFrame, key_file: Path, logs: Logs, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither the key nor a text stands in a plan, log, event log or error."""
    from veil import spark as veil_spark

    masked = veil_spark.mask(frame, key=key_file, **OPTIONS)
    masked.explain("extended")
    plan = capfd.readouterr().out
    assert "veil_mask" in plan
    assert masked.count() == 20
    broken = veil_spark.mask(frame, worker_key_file="/no/such/key", **OPTIONS)
    with pytest.raises(Exception, match="the key cannot be read") as raised:
        broken.collect()
    written = logs.read()
    assert "SparkListenerJobStart" in written
    assert "PythonRunner" in written
    for secret in (KEY.decode(), KEY.hex(), NAME, NAME.split()[1], NUMBER):
        assert secret not in plan
        assert secret not in written
        assert secret not in str(raised.value)
