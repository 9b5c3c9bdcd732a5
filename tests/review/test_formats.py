"""Reviews of all kinds of files: tables, resources, messages, and records with annotations."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from veil import io, mask_files
from veil.core.errors import InputError
from veil.replace.secret import Key
from veil.review.files import corrections_of, open_project
from veil.review.source import ReviewSource

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Record
    from veil.review.project import Project

KEY = Key(b"a key of tests, which is no secret.")
TABLE = """id,name,dob,note
1,Anna Ek,1980-02-03,"Anna Ek was seen on 3 May 2021
in Boston 😀"
2,Bo Lind,1970-02-03,Bo Lind felt well.
3,Eva Moor,1971-01-01,
"""
PATIENT = {
    "resourceType": "Patient",
    "id": "x1",
    "name": [{"family": "Ek", "given": ["Anna"]}],
    "birthDate": "1980-02-03",
}
MESSAGE = (
    "MSH|^~\\&|A|B|C|D|20210503||ADT^A01|1|P|2.5\r"
    "PID|1||123456||Ek^Anna||19800203|F\rNTE|1||Anna Ek was seen by Dr. Smith\r"
)
LINES = (
    '{"id": "7", "note": "Anna Ek was seen by Dr. Smith in Boston."}\n'
    '{"id": "8", "note": broken}\n'
    '{"id": "9", "note": "Bo Lind left on 3 May 2021."}\n'
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of many formats, and their masked output."""
    root = tmp_path_factory.mktemp("formats")
    notes = root / "notes"
    notes.mkdir()
    (notes / "table.csv").write_text(TABLE)
    (notes / "patient.json").write_text(json.dumps(PATIENT))
    (notes / "message.hl7").write_text(MESSAGE)
    (notes / "page.html").write_text("<p>Anna Ek came from <b>Boston</b>.</p>")
    (notes / "lines.jsonl").write_text(LINES)
    (notes / "withheld.jsonl").write_text('{"id": "1", "other": "Anna Ek"}\n')
    mask_files(notes, root / "masked", key=KEY, policy="surrogate", **COLUMNS)
    return root


COLUMNS: dict[str, Any] = {
    "text_columns": ["note"],
    "id_column": "id",
    "columns": {"name": "PATIENT", "dob": "DATE"},
}


@pytest.fixture(scope="module")
def project(folder: Path) -> Any:
    made = open_project(ReviewSource(folder / "masked", (folder / "notes",)))
    made.store.register("anna")
    with closing(made.store):
        yield made


def record_of(project: Project, name: str) -> dict[str, Any]:
    (number,) = [row.id for row in project.rows if row.name == name]
    return project.record(number, "anna")


def test_records(project: Project) -> None:
    """A row, a resource and a message are one record each; what was withheld is left out."""
    names = {row.name for row in project.rows}
    assert names >= {"patient.json: 1", "message.hl7: 1", "page.html"}
    assert len([name for name in names if name.startswith("table.csv")]) == 3
    assert len([name for name in names if name.startswith("lines.jsonl")]) == 2


def test_all_texts_of_a_row(project: Project) -> None:
    """The texts of a row stand below each other, and each replacement is found in its own."""
    record = record_of(project, "table.csv: 1")
    assert record["original"] == "Anna Ek was seen on 3 May 2021\nin Boston 😀\nAnna Ek\n1980-02-03"
    marked = {record["original"][s["start"] : s["end"]] for s in record["spans"]}
    assert marked >= {"Anna Ek", "3 May 2021", "1980-02-03"}
    masked = {record["masked"][s["masked_start"] : s["masked_end"]] for s in record["spans"]}
    assert not masked & marked


def test_span_across_texts(project: Project) -> None:
    """A span cannot reach from one cell into the next."""
    record = record_of(project, "table.csv: 2")
    end = record["original"].index("\n") + 4
    body = {"tab": "t", "number": 1, "version": 0, "action": "add", "label": "NAME"}
    with pytest.raises(Exception, match="inside one text"):
        project.decide(record["id"], "anna", {**body, "start": end - 6, "end": end})


def test_mask_table_again(project: Project, folder: Path) -> None:
    """A cell that a reviewer released stays, in its row alone; the leak of a note is masked."""
    record = record_of(project, "table.csv: 2")
    (birth,) = [s["id"] for s in record["spans"] if s["label"] == "DATE"]
    body: dict[str, Any] = {"tab": "m", "number": 1, "version": record["version"]}
    record = project.decide(record["id"], "anna", {**body, "action": "delete", "span": birth})
    start = record["original"].index("well")
    body |= {"number": 2, "version": record["version"], "label": "NAME"}
    project.decide(
        record["id"], "anna", {**body, "action": "add", "start": start, "end": start + 4}
    )
    again = folder / "again"
    corrections = corrections_of(project.store.path)
    mask_files(
        folder / "notes", again, key=KEY, policy="surrogate", corrections=corrections, **COLUMNS
    )
    before = (folder / "masked" / "table.csv").read_text().splitlines()
    after = (again / "table.csv").read_text().splitlines()
    assert before[:3] == after[:3]
    assert before[3] != after[3]
    assert "1970-02-03" in after[3]
    assert "well" not in after[3]
    for name in ("patient.json", "message.hl7", "page.html", "lines.jsonl"):
        assert (again / name).read_bytes() == (folder / "masked" / name).read_bytes()


def test_renamed_files(folder: Path, tmp_path: Path) -> None:
    """Renamed output needs the key of its run; its records then have their keyed names."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Anna Ek.txt").write_text("Anna Ek was seen on 3 May 2021.\n")
    mask_files(notes, tmp_path / "masked", key=KEY, rename=True)
    with pytest.raises(InputError, match="--key-file"):
        open_project(ReviewSource(tmp_path / "masked", (notes,)))
    made = open_project(ReviewSource(tmp_path / "masked", (notes,), key=KEY))
    with closing(made.store):
        (row,) = made.rows
        assert "Anna" not in row.name
        assert made.texts[0].original.startswith("Anna Ek")


def test_other_original(folder: Path, tmp_path: Path) -> None:
    """Records that are not the originals of the output are refused, and no store is left."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text(
        "Anna Ek was seen on 3 May 2021 in Boston and felt very well then.\n"
    )
    mask_files(notes, tmp_path / "masked", key=KEY)
    (notes / "a.txt").write_text("xyz " * 40)
    with pytest.raises(InputError, match=r"a\.txt: is not the masked text"):
        open_project(ReviewSource(tmp_path / "masked", (notes,)))
    assert [each.name for each in tmp_path.iterdir() if "sqlite" in each.name] == []


def test_only_the_sample(tmp_path: Path) -> None:
    """A large output is reviewed by its sample alone; the bound is about all of it."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(30):
        (notes / f"{number:02}.txt").write_text(f"Note {number}: Anna Ek felt well.\n")
    mask_files(notes, tmp_path / "masked", key=KEY)
    source = ReviewSource(tmp_path / "masked", (notes,), sample=10, only_sample=True)
    with closing(open_project(source).store) as store:
        store.register("anna")
    project = open_project(source)  # the same records when it is opened again
    with closing(project.store):
        assert (len(project.rows), project.meta["population"]) == (10, 30)
        for number, row in enumerate(project.rows):
            body = {"tab": "t", "number": number, "version": 0, "action": "done"}
            project.decide(row.id, "anna", body)
        outcome = project.outcome()
        assert (outcome["read"], outcome["population"], outcome["can_sign"]) == (10, 30, True)
        # With 7 of 30 leaking, 10 clean ones have a probability of 3.8 %; with 6, of 6.5 %.
        assert outcome["bound"] == pytest.approx(6 / 30)


def test_annotation_of_annotated_records(small_corpus: list[Record], tmp_path: Path) -> None:
    """Annotated records begin with their annotations and keep the labels of their scheme."""
    io.write(small_corpus[:3], tmp_path / "notes", format="brat")
    project = open_project(ReviewSource(tmp_path / "notes", reading={}))
    with closing(project.store):
        project.store.register("anna")
        record = project.record(0, "anna")
        assert record["masked"] is None
        assert [(s["start"], s["end"], s["label"]) for s in record["spans"]] == [
            (span.start, span.end, span.label) for span in small_corpus[0].spans
        ]
        assert all(s["sources"][0] == "annotation" for s in record["spans"])
        labels = {label["name"] for label in project.describe()["labels"]}
        assert "NOMBRE_SUJETO_ASISTENCIA" in labels
        body = {"tab": "t", "number": 1, "version": 0, "action": "delete", "span": "s1"}
        project.decide(0, "anna", body)
        project.export("brat", tmp_path / "out")
        exported = {each.id: each for each in io.read(tmp_path / "out")}
        first = small_corpus[0]
        assert list(exported[first.id].spans) == list(first.spans[1:])
        with pytest.raises(InputError, match="Veil's labels"):
            project.corrections()


def test_annotation_of_plain_records(tmp_path: Path) -> None:
    """Plain records begin with what is detected; after the review they are annotated records."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "ja.txt").write_text("患者：山田太郎、63歳。\n𠮷田医師が担当。\n")
    project = open_project(ReviewSource(tmp_path / "notes", reading={}))
    with closing(project.store):
        project.store.register("anna")
        record = project.record(0, "anna")
        assert record["language"] == "ja"
        assert "山田太郎" in [record["original"][s["start"] : s["end"]] for s in record["spans"]]
        outcome = project.outcome()
        assert (outcome["can_sign"], outcome["bound"]) == (False, None)
        project.decide(0, "anna", {"tab": "t", "number": 1, "version": 0, "action": "done"})
        assert project.sign("Anna", "", "").payload["outcome"]["read"] == 1
