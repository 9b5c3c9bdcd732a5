"""Nothing that was masked is left in any byte of the output folder, whatever the kind of file."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from veil.detect.assembly import default_pipeline
from veil.io import FORMATS, Item, TableOptions, parquet
from veil.masking.plan import make_plan
from veil.masking.run import Detection, MaskJob, run_job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from veil.detect.pipeline import DetectionPipeline

PLANTED = ("Zebrowski", "123-45-6789", "planted7@example.com")
NOTES = [
    "Mr. John Zebrowski was seen today. SSN: 123-45-6789.",
    "The patient feels well and has no complaints.",
    "Please write to planted7@example.com. Mr. Zebrowski agrees.",
    "No fever, no cough. Follow up as needed.",
    "Blood pressure is normal.",
]
WITHHELD = "Mr. John Zebrowski, SSN 123-45-6789\0"


@pytest.fixture(scope="module")
def pipeline() -> DetectionPipeline:
    return default_pipeline()


def write_text(folder: Path) -> None:
    for number, note in enumerate([*NOTES, WITHHELD]):
        (folder / f"{number}.txt").write_text(note, "utf-8")


def write_jsonl(folder: Path) -> None:
    lines = [json.dumps({"id": str(n), "text": note}) for n, note in enumerate(NOTES)]
    lines.append(json.dumps({"id": "x", "text": [WITHHELD]}))
    (folder / "a.jsonl").write_text("\n".join(lines), "utf-8")


def write_delimited(folder: Path, delimiter: str, name: str) -> None:
    rows = [["id", "text", "dose", "Zebrowski, John"]]
    rows += [[str(n), f'"{note}"', "1", "2"] for n, note in enumerate(NOTES)]
    rows.append(["x", f'"{WITHHELD}"', "1", "2", "3"])
    header = delimiter.join(f'"{column}"' for column in rows[0])
    body = "\r\n".join(delimiter.join(row) for row in rows[1:])
    (folder / name).write_bytes(f"{header}\r\n{body}\r\n".encode())


def write_parquet(folder: Path) -> None:
    """One row group in which a batch needs no change, as strings and as a dictionary of them."""
    arrow: Any = pytest.importorskip("pyarrow")
    pq: Any = pytest.importorskip("pyarrow.parquet")
    notes = arrow.array([NOTES[0], NOTES[2], NOTES[0], NOTES[3], NOTES[4], NOTES[1], None])
    nested = arrow.array([{"at": "B2"}] * 7, arrow.struct([arrow.field("at", arrow.string())]))
    place = arrow.field("place", nested.type, metadata={"by": "Zebrowski"})
    schema = arrow.schema([("text", notes.type), place], metadata={"by": "John Zebrowski"})
    coded = arrow.schema([("text", notes.dictionary_encode().type), place], schema.metadata)
    for name, column, each in (
        ("plain.parquet", notes, schema),
        ("coded.parquet", notes.dictionary_encode(), coded),
    ):
        table = arrow.table([column, nested], schema=each)
        pq.write_table(
            table, folder / name, compression="none", write_page_index=True, store_schema=True
        )


def a_resource(number: int, note: str) -> dict[str, Any]:
    return {
        "resourceType": "DocumentReference",
        "id": f"r{number}",
        "subject": {"reference": "Patient/p1", "display": "John Zebrowski"},
        "text": {"status": "additional", "div": f"<div>{note}</div>"},
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain",
                    "data": base64.b64encode(note.encode()).decode(),
                }
            }
        ],
    }


def write_ndjson(folder: Path) -> None:
    lines = [json.dumps(a_resource(n, note)) for n, note in enumerate(NOTES)]
    (folder / "a.ndjson").write_text("\n".join([*lines, f'{{"x": "{PLANTED[0]}"']), "utf-8")


def write_bundle(folder: Path) -> None:
    entries = [{"resource": a_resource(n, note)} for n, note in enumerate(NOTES)]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [*entries, PLANTED[0]]}
    (folder / "a.json").write_text(json.dumps(bundle), "utf-8")


WRITERS: dict[str, Callable[[Path], None]] = {
    "text": write_text,
    "jsonl": write_jsonl,
    "csv": lambda folder: write_delimited(folder, ",", "a.csv"),
    "tsv": lambda folder: write_delimited(folder, "\t", "a.tsv"),
    "parquet": write_parquet,
    "fhir-ndjson": write_ndjson,
    "fhir": write_bundle,
}


def writings(word: str) -> Iterator[bytes]:
    """How a word may stand in a file: in UTF-8, UTF-16, or base64 at any of three offsets."""
    yield word.encode()
    yield word.encode("utf-16-le")
    for before in range(3):
        start, end = (8 * before + 5) // 6, (before + len(word)) * 8 // 6
        yield base64.b64encode(b"\0" * before + word.encode())[start:end]


def leaks(folder: Path) -> list[tuple[str, str]]:
    """Each file below a folder, hidden ones too, with the planted words in its name or bytes."""
    return [
        (file.name, word)
        for file in folder.rglob("*")
        for word in PLANTED
        if word in file.name
        or (file.is_file() and any(each in file.read_bytes() for each in writings(word)))
    ]


@pytest.mark.parametrize("kind", WRITERS)
def test_no_byte_of_the_output_holds_a_planted_word(
    kind: str, tmp_path: Path, pipeline: DetectionPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outputs, reports and all else in the output folder hold no original of a masked text."""
    monkeypatch.setattr(parquet, "_MOST_ROWS", 2)
    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    WRITERS[kind](source)
    assert {word for _, word in leaks(source)} == set(PLANTED)
    options = TableOptions(("text",) if kind in ("csv", "tsv", "parquet") else ())
    job = MaskJob(Detection(lambda: pipeline), options=options)
    summary = run_job(make_plan([source], target), job)
    assert summary.tally.records
    assert leaks(target) == []
    if kind == "parquet":
        pq: Any = pytest.importorskip("pyarrow.parquet")
        for name in ("plain", "coded"):
            tables = [pq.read_table(folder / f"{name}.parquet") for folder in (source, target)]
            assert tables[0].schema.equals(tables[1].schema)
            assert tables[1]["text"].to_pylist()[3:] == [*NOTES[3:], NOTES[1], None]


def test_values_of_withheld_rows_leave_their_dictionaries(tmp_path: Path) -> None:
    """A dictionary of the output holds the values of the rows that were written, in order."""
    arrow: Any = pytest.importorskip("pyarrow")
    pq: Any = pytest.importorskip("pyarrow.parquet")
    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    who = arrow.DictionaryArray.from_arrays([3, None, 0, 1], ["Ek", "Berg", "Lind", "Zebrowski"])
    table = arrow.table({"note": ["a", "b", "c", "d"], "who": who})
    nested = arrow.ListArray.from_arrays([0, 1, 2, 3, 4], who)
    pq.write_table(table.append_column("list", nested), source, compression="none")
    file_format, options = FORMATS.get("parquet"), TableOptions(("note",))
    with file_format.writer(source, target, options) as writer:
        for item in list(file_format.items(source, options))[1:]:
            assert isinstance(item, Item)
            writer.write(item, ["x"])
    assert leaks(target.parent) == [("a.parquet", "Zebrowski")]
    result = pq.read_table(target)
    assert result["who"].to_pylist() == [None, "Ek", "Berg"]
    assert result["who"].chunk(0).dictionary.to_pylist() == ["Ek", "Berg"]
    assert result["list"].to_pylist() == [[None], ["Ek"], ["Berg"]]
