"""`veil spark`: the output, the report and the seal are those of `veil mask`."""

from __future__ import annotations

import datetime
import io
import json
import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pyarrow
import pytest
from pyarrow import csv, parquet
from tests.spark.conftest import KEY, NAME, NUMBER, Logs, require_spark

import veil
from veil import InputError
from veil.cli import main
from veil.io.base import TableOptions
from veil.masking.plan import PlannedFile

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from veil.masking.run import Progress

OPTIONS: dict[str, Any] = {
    "policy": "surrogate",
    "text_columns": ["note_text"],
    "id_column": "note_id",
    "patient_column": "person_id",
    "columns": {"name": "PATIENT"},
    "model": "rules",
}


@pytest.fixture
def tables(tmp_path: Path, notes: pyarrow.Table) -> Path:
    """Tables of three formats, one of them without a column of texts."""
    folder = tmp_path / "tables"
    (folder / "old").mkdir(parents=True)
    parquet.write_table(notes, folder / "notes.parquet", row_group_size=7)
    parquet.write_table(notes.drop(["note_text"]), folder / "people.parquet")
    csv.write_csv(notes.slice(3), folder / "old" / "notes.csv")
    lines = [json.dumps(row) + "\n" for row in notes.slice(0, 9).to_pylist()]
    (folder / "notes.jsonl").write_text("".join(lines) + "{broken\n")
    return folder


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is long, and a piece has few notes."""
    from veil.spark import files

    monkeypatch.setattr(files, "LONG_FILE", 1)
    monkeypatch.setattr(files, "PIECE_CHARACTERS", 300)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of all files; the times of reports are left out."""
    found = {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
    report = json.loads(found.pop("veil-report.json"))
    found.pop("veil-report.html")
    del report["times"]
    return {**found, "veil-report.json": json.dumps(report).encode()}


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("two_pass", [False, True])
def test_output_and_report_are_those_of_veil_mask(
    spark: SparkSession, tables: Path, tmp_path: Path, key_file: Path, two_pass: bool
) -> None:
    """Files in pieces have the bytes that one process writes; the report and the seal are equal."""
    from veil.spark.files import mask_files_on_spark

    options = {**OPTIONS, "key": key_file, "two_pass": two_pass}
    expected = veil.mask_files(tables, tmp_path / "expected", **options)
    result = mask_files_on_spark(tables, tmp_path / "out", session=spark, **options)
    assert contents(tmp_path / "out") == contents(tmp_path / "expected")
    assert result.summary.tally == expected.summary.tally
    assert result.summary.withheld == expected.summary.withheld
    # The table without texts, the line that is no JSON, and the German note in two files.
    assert len(result.summary.withheld) == 4
    assert veil.audit_files(tmp_path / "out", inputs=[tables], key=key_file).problems == ()


@pytest.mark.usefixtures("in_pieces")
def test_a_lost_run_continues(
    spark: SparkSession,
    tables: Path,
    tmp_path: Path,
    key_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was done before is not masked again, and the result is that of an unbroken run."""
    from veil.spark import files
    from veil.spark.files import mask_files_on_spark
    from veil.spark.session import run_tasks

    masked: list[int] = []

    def count_tasks(session: SparkSession, work: Any, *more: Any) -> list[Any]:
        if work is files.mask_task:
            masked.append(len(more[1]))
        if work is files.join_pieces and len(masked) == 1:
            raise KeyboardInterrupt  # the driver is lost after some tasks
        return run_tasks(session, work, *more)

    monkeypatch.setattr(files, "run_tasks", count_tasks)
    options = {**OPTIONS, "key": key_file}
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        mask_files_on_spark(tables, out, session=spark, **options)
    pieces = sorted((out / ".veil-mask" / "pieces").iterdir())
    lost = pieces[1]
    lost.unlink()
    with pytest.raises(InputError, match="--resume"):
        mask_files_on_spark(tables, out, session=spark, **options)
    with pytest.raises(InputError, match="differs from the interrupted run: the policy"):
        mask_files_on_spark(
            tables, out, session=spark, resume=True, **{**options, "policy": "redact"}
        )
    mask_files_on_spark(tables, out, session=spark, resume=True, **options)
    assert masked[0] > 3
    assert masked[1:] == [1]
    veil.mask_files(tables, tmp_path / "expected", **options)
    assert contents(out) == contents(tmp_path / "expected")


@pytest.mark.usefixtures("in_pieces")
def test_tables_of_omop_are_those_of_veil_mask(
    spark: SparkSession, notes: pyarrow.Table, tmp_path: Path, key_file: Path, examples: Path
) -> None:
    """NOTE and NOTE_NLP of OMOP have the bytes of `veil mask`, whatever the format."""
    from veil import spark as veil_spark
    from veil.spark.files import mask_files_on_spark

    folder = tmp_path / "omop"
    folder.mkdir()
    shutil.copy(examples / "tables" / "note.csv", folder)
    count = notes.num_rows
    days = [datetime.datetime(2019, 3, 1 + number) for number in range(count)]
    note = pyarrow.table(
        {
            "note_id": notes.column("note_id"),
            "person_id": pyarrow.array([number % 4 for number in range(count)], pyarrow.int64()),
            "note_date": pyarrow.array(days, pyarrow.timestamp("us")).cast(pyarrow.date32()),
            "note_datetime": pyarrow.array(days, pyarrow.timestamp("us")),
            "note_type_concept_id": [32817] * count,
            "note_class_concept_id": [0] * count,
            "note_title": [f"Letter of Dr. {NAME.split()[1]}"] * count,
            "note_text": notes.column("note_text"),
            "encoding_concept_id": [0] * count,
            "language_concept_id": [4180186] * count,
            "provider_id": pyarrow.nulls(count, pyarrow.int64()),
            "visit_occurrence_id": list(range(count)),
            "visit_detail_id": pyarrow.nulls(count, pyarrow.int64()),
            "note_source_value": [NUMBER] * count,
            "note_event_id": pyarrow.nulls(count, pyarrow.int64()),
            "note_event_field_concept_id": pyarrow.nulls(count, pyarrow.int64()),
        }
    )
    parquet.write_table(note, folder / "note.parquet", row_group_size=6)
    csv.write_csv(note, folder / "more.csv")
    lines = [json.dumps(row, default=str) + "\n" for row in note.to_pylist()]
    (folder / "note.jsonl").write_text("".join(lines))
    snippet = f"The patient {NAME} was seen and has had pain since he came here."
    nlp = {"note_nlp_id": [1, 2], "snippet": [snippet, None], "lexical_variant": ["pain", None]}
    parquet.write_table(pyarrow.table(nlp), folder / "note_nlp.parquet")
    options: dict[str, Any] = {"preset": "omop", "policy": "surrogate", "model": "rules"}
    expected = veil.mask_files(folder, tmp_path / "expected", key=key_file, **options)
    mask_files_on_spark(folder, tmp_path / "out", session=spark, key=key_file, **options)
    made = contents(tmp_path / "out")
    assert made == contents(tmp_path / "expected")
    assert {"note.parquet", "more.csv", "note.jsonl", "note_nlp.parquet", "note.csv"} < set(made)
    assert expected.summary.tally.records > 3 * count
    written = parquet.read_table(tmp_path / "out" / "note.parquet")
    assert written.schema.names == note.schema.names
    for secret in (NAME, NAME.split()[1], NUMBER):
        assert secret.encode() not in b"".join(made.values())
        assert secret not in str(written.to_pylist())
    rows = veil_spark.mask(spark.createDataFrame(note), key=key_file, **options).collect()
    masked = [row.asDict() for row in rows if row["veil_status"] == "masked"]
    by_id = {row["note_id"]: row for row in written.to_pylist()}
    assert {row["note_id"]: row["note_text"] for row in masked} == {
        number: row["note_text"] for number, row in by_id.items()
    }


ROWS: list[dict[str, Any]] = [
    # Ids that come again, in another piece or in the same, and one as a repeated one is called.
    {"id": ["a", "b", "a", "c", "a#4", ""][number % 6], "text": f'Señor {number}, "Å"\nwell'}
    for number in range(40)
]


def _csv(encoding: str) -> bytes:
    cells = [(row["id"], row["text"].replace('"', '""')) for row in ROWS]
    lines = [f'{name},"{text}",x\r\n' for name, text in cells]
    lines[5] = "too,few\r\n"
    return "".join(["id,text,Hale\r\n", *lines]).encode(encoding)


def _jsonl() -> bytes:
    lines = [json.dumps(row) + "\n" for row in ROWS]
    return "".join([*lines[:9], "\n", "{broken\n", *lines[9:]]).encode()


def _parquet() -> bytes:
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), sink, row_group_size=9)
    return sink.getvalue()


@pytest.mark.parametrize("characters", [1, 30, 100, 390])
@pytest.mark.parametrize(
    ("name", "data", "encoding"),
    [
        ("a.csv", _csv("utf-8-sig"), "utf-8"),
        ("a.csv", _csv("cp1252"), "cp1252"),
        ("a.csv", _csv("utf-16"), "utf-16"),
        ("a.jsonl", _jsonl(), "utf-8"),
        ("a.parquet", _parquet(), "utf-8"),
    ],
)
def test_pieces_are_read_from_where_they_begin(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    data: bytes,
    encoding: str,
    characters: int,
) -> None:
    """Pieces have the items of the whole file, with their ids, and need nothing before them."""
    from veil.io import parquet as parquet_format
    from veil.spark.files import Task, Work, _takes, find_pieces

    monkeypatch.setattr(parquet_format, "_MOST_ROWS", 4)
    source = tmp_path / name
    source.write_bytes(data)
    options = TableOptions(("text",), "id" if name != "a.jsonl" else None, encoding=encoding)
    file = PlannedFile(source, name, name, "a", len(data), 0)
    work = SimpleNamespace(options=options, piece_characters=characters)

    def read(piece: Any) -> list[Any]:
        return [take.item for take in _takes(cast("Work", work), Task(file, piece))]

    whole = read(None)
    assert len({doc.id for item in whole for doc in item.documents}) > len(ROWS) - 2
    pieces = find_pieces(cast("Work", work), Task(file))
    assert 1 < len(pieces) <= len(whole)
    assert [item for piece in pieces for item in read(piece)] == whole
    last = pieces[-1]
    if encoding != "utf-8" or last is None:
        return
    expected = read(last)
    start = data.index(b"\n") + 1  # the names of columns are read again
    end = last.place.offset
    if name == "a.parquet":
        group = parquet.read_metadata(source).row_group(1)
        start, end = 4, group.column(0).dictionary_page_offset
    source.write_bytes(data[:start] + b"?" * (end - start) + data[end:])
    assert read(last) == expected


def test_an_interrupt_ends_the_job(
    spark: SparkSession, tables: Path, tmp_path: Path, key_file: Path
) -> None:
    """An interrupt while tasks run ends them, and the run can continue."""
    from veil.spark.files import mask_files_on_spark

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    options = {**OPTIONS, "key": key_file}
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        mask_files_on_spark(tables, out, session=spark, watch=interrupt, **options)
    mask_files_on_spark(tables, out, session=spark, resume=True, **options)
    veil.mask_files(tables, tmp_path / "expected", **options)
    assert contents(out) == contents(tmp_path / "expected")


def test_what_cannot_run_on_spark_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Other formats, addresses of other storage and a mapping are errors that say what to do."""
    from veil.spark.files import mask_files_on_spark

    (tmp_path / "note.txt").write_text("Dr. Hale")
    out = tmp_path / "out"
    with pytest.raises(InputError, match="use `veil mask`"):
        mask_files_on_spark(tmp_path / "note.txt", out, session=spark)
    with pytest.raises(InputError, match=r"veil\.spark\.mask"):
        mask_files_on_spark("s3a://notes/", out, session=spark)
    with pytest.raises(InputError, match="mapping: not possible"):
        mask_files_on_spark(tmp_path, out, session=spark, mapping=tmp_path / "m")
    assert not out.exists()


def test_files_can_be_shipped(spark: SparkSession, tmp_path: Path) -> None:
    """A worker that does not have a folder of rules uses the copy that came with the job."""
    from veil.detect.assembly import DetectionOptions
    from veil.spark.session import moved, run_tasks, ship

    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "mine.toml").write_text("# mine\n")
    options = DetectionOptions(model="rules", own_rules=str(rules))
    ship(spark, {"own_rules": str(rules), "model": "rules"})
    shutil.rmtree(rules)

    def read(given: DetectionOptions, _: int) -> list[tuple[str, str]]:
        found = moved(given)
        return [(name, (path / "mine.toml").read_text()) for name, path in found.items()]

    assert run_tasks(spark, read, options, [1]) == [[("own_rules", "# mine\n")]]


def test_errors_of_tasks_have_no_text(spark: SparkSession, logs: Logs) -> None:
    """An unforeseen error of a task is reported by its kind, on the driver and in the logs."""
    from veil.spark.session import run_tasks

    def fail(_: None, task: str) -> None:
        raise ValueError(f"cannot read {task}")

    with pytest.raises(InputError, match=r"a task failed \(ValueError\)"):
        run_tasks(spark, fail, None, [f"{NAME} of {NUMBER}"])
    written = logs.read()
    assert "a task failed (ValueError)" in written
    for secret in (NAME, NUMBER, KEY.decode()):
        assert secret not in written


def test_a_worker_keeps_few_pipelines(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is loaded under a token is loaded once, and the oldest is dropped."""
    require_spark()
    from veil.spark import session

    monkeypatch.setattr(session, "_loaded", {})
    made: list[str] = []

    def load(name: str) -> str:
        return session.loaded(name, lambda: made.append(name) or name)  # type: ignore[func-returns-value]

    assert [load(name) for name in ("a", "a", "b", "c", "c")] == ["a", "a", "b", "c", "c"]
    assert made == ["a", "b", "c"]
    load("a")
    assert made == ["a", "b", "c", "a"]


def test_a_row_that_fails_alone_is_withheld(notes: pyarrow.Table) -> None:
    """An unforeseen error withholds the row that causes it, and no other."""
    require_spark()
    from veil import spark as veil_spark
    from veil.frames import FrameMasker, FrameOptions

    frame = FrameMasker(FrameOptions(text="note_text", id="note_id", model="rules"))

    def fails(table: pyarrow.Table) -> pyarrow.Table:
        if NAME in str(table.column("note_text").to_pylist()):
            raise ValueError(f"cannot mask {NAME}")
        return frame.withheld(table, "left out")

    made = veil_spark._one_by_one(notes, fails, frame.withheld).to_pylist()
    reasons = [row["veil_reason"] for row in made]
    assert [row["note_id"] for row in made] == notes.column("note_id").to_pylist()
    expected = [
        "masking failed (ValueError)" if NAME in (text or "") else "left out"
        for text in notes.column("note_text").to_pylist()
    ]
    assert reasons == expected


def test_tables_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are cut by the length of their texts; a long text stands alone."""
    require_spark()
    from veil import spark as veil_spark
    from veil.frames import FrameMasker, FrameOptions

    monkeypatch.setattr(veil_spark, "_BYTES_AT_ONCE", 10)
    frame = FrameMasker(FrameOptions(text="t", id="i", model="rules"))
    texts = ["abc", None, "defg", "é" * 30, "", "x" * 9, "yz"]
    batch = pyarrow.record_batch({"i": list(range(7)), "t": texts})
    cut = [table.column("t").to_pylist() for table in veil_spark._tables(frame, [batch])]
    assert cut == [["abc", None, "defg"], ["é" * 30], ["", "x" * 9], ["yz"]]


def test_settings_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """A setting of Spark without a value is an error."""
    assert main(["spark", "notes/", "-o", "out/", "--conf", "spark.executor.memory"]) == 2
    assert "write NAME=VALUE" in capsys.readouterr().err
