from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import InputError, UnknownNameError
from veil.io import ReadLog, TableOptions, detect_formats, names, read, writable_names, write

if TYPE_CHECKING:
    from pathlib import Path


def test_names() -> None:
    """All formats are registered, and those with spans can be written."""
    readable = {
        "csv",
        "tsv",
        "parquet",
        "fhir",
        "fhir-ndjson",
        "cda",
        "docx",
        "hl7",
        "html",
        "pdf",
        "rtf",
        "xlsx",
    }
    writable = {"brat", "conll", "i2b2-2006", "i2b2-2014", "jsonl", "mednlp", "tagged", "text"}
    assert set(names()) == readable | writable
    assert set(writable_names()) == writable


@pytest.mark.parametrize(
    ("file", "content", "name"),
    [
        ("a.txt", "Anna Berg, 63", "text"),
        ("a.txt", "", "text"),
        ("a.ann", "T1\tNAME 0 4\tAnna\n", "brat"),
        ("a.xml", '<?xml version="1.0"?>\n<ROOT>\n<RECORD ID="1">\n<TEXT>', "i2b2-2006"),
        ("a.xml", '\ufeff<?xml version="1.0"?>\n<deIdi2b2>\n<TEXT><![CDATA[<a>x</a>', "i2b2-2014"),
        ("a.xml", "<root>\n<TEXT><![CDATA[x", "i2b2-2014"),
        ("a.xml", "<a>63歳</a>", "mednlp"),
        ("a.data", '{"id": "1", "text": "<a>63</a>"}\n{"id"', "jsonl"),
        ("a.jsonl", '{"id": "1", "text": "' + "x" * 10_000, "jsonl"),
        ("a.bio", "-DOCSTART- -X- O O\n", "conll"),
        ("a.csv", "a,b\n1,2\n", "csv"),
        ("a.tsv", "a\tb\n1\t2\n", "tsv"),
        ("a.tsv", "Anna\tB-NAME\n", "conll"),
        ("a.json", '{"resourceType": "Patient", "id": "1", "text": {"div": "x"}}', "fhir"),
        ("a.txt", '-DOCSTART-\tO\tr1\t""\t\n', "conll"),
    ],
)
def test_content_decides(file: str, content: str, name: str, tmp_path: Path) -> None:
    """A format is known by what its files begin with, whatever else is in the folder."""
    (tmp_path / file).write_text(content, "utf-8")
    assert [each.name for each in detect_formats(tmp_path / file)] == [name]


def test_folder_of_texts_with_and_without_annotations(tmp_path: Path) -> None:
    """A folder in which some texts have an .ann file is brat."""
    for file in ("a.txt", "b.txt", "b.ann", "annotation.conf"):
        (tmp_path / file).write_text("", "utf-8")
    assert [each.name for each in detect_formats(tmp_path)] == ["brat"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.xml", "<html><p>x</p></html>"),
        ("a.txt", "a\0b"),
        ("a.jsonl", "[" * 100_000),
    ],
)
def test_unknown_content(file: str, content: str, tmp_path: Path) -> None:
    """What is not recognised is an error that lists the formats and tells how to name one."""
    (tmp_path / file).write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"not recognised; give it with --from: .*jsonl"):
        detect_formats(tmp_path / file)


def test_missing_path(tmp_path: Path) -> None:
    """A path that leads nowhere is an error of its own."""
    with pytest.raises(InputError, match="no such file or folder"):
        detect_formats(tmp_path / "nowhere")


def test_unreadable_files_are_passed_over(tmp_path: Path) -> None:
    """A file that cannot be opened does not keep a folder from being recognised."""
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b.jsonl").write_text('{"id": "1", "text": "x"}', "utf-8")
    assert [each.name for each in detect_formats(tmp_path)] == ["jsonl"]


def test_unknown_name(tmp_path: Path) -> None:
    """An unknown format is an error that lists the known ones."""
    with pytest.raises(UnknownNameError, match="unknown format 'word'; known: brat, cda, conll"):
        read(tmp_path, format="word")
    with pytest.raises(UnknownNameError, match="unknown format 'word'"):
        write([], tmp_path, format="word")


@pytest.mark.parametrize("name", writable_names())
def test_target_below_a_file(name: str, tmp_path: Path) -> None:
    """A target that cannot be made is an input error that names it."""
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(InputError, match="file"):
        write([], tmp_path / "file" / "out", format=name)


def test_a_folder_may_mix_formats_that_differ_in_suffix(tmp_path: Path, examples: Path) -> None:
    """Records of brat and XML in one folder are all read."""
    for file in (*(examples / "es").iterdir(), *(examples / "en").iterdir()):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert [record.id for record in read(tmp_path)] == ["riverbend-0417", "informe"]


def test_formats_with_one_suffix_cannot_be_mixed(tmp_path: Path) -> None:
    """CoNLL and MedNLP in .txt files of one folder must be told apart by the user."""
    (tmp_path / "a.txt").write_text("-DOCSTART-\tO\n", "utf-8")
    (tmp_path / "b.txt").write_text("<a>63歳</a>", "utf-8")
    with pytest.raises(InputError, match="--from"):
        read(tmp_path)


def test_unrecognised_xml_beside_others_is_reported(tmp_path: Path, examples: Path) -> None:
    """An XML file of nothing known beside good records is withheld, not passed over."""
    for file in (examples / "es").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "b.xml").write_text("<broken", "utf-8")
    log = ReadLog()
    assert [record.id for record in read(tmp_path, log=log)] == ["informe"]
    assert [problem.path for problem in log.problems] == [tmp_path / "b.xml"]


def test_plain_texts_beside_other_formats_are_read(tmp_path: Path) -> None:
    """Texts beside XML, JSON lines, tables and files without a suffix are not passed over."""
    files = {
        "a.xml": "<root>\n<TEXT><![CDATA[Anna]]></TEXT></root>",
        "b.txt": "plain",
        "c.jsonl": '{"id": "c", "text": "line"}\n',
        "d.csv": "id,note\nd,cell\n",
        "e": "no suffix",
        "f.png": "PNG",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    log = ReadLog()
    options = TableOptions(("note",), "id")
    texts = {each.id: each.document.text for each in read(tmp_path, options=options, log=log)}
    assert texts == {"a": "Anna", "b": "plain", "c": "line", "d": "cell", "e": "no suffix"}
    assert [file.name for file in log.skipped] == ["f.png"]


def test_formats_without_spans_are_not_written(tmp_path: Path) -> None:
    """A format that holds no spans is refused with those that do."""
    with pytest.raises(InputError, match="csv does not store spans; choose one of: brat, conll"):
        write([], tmp_path / "a.csv", format="csv")


def test_messages_and_rtf_beside_texts_are_told_apart(tmp_path: Path) -> None:
    """Files called .txt that are messages or RTF are read as such, beside texts and tags."""
    (tmp_path / "a.txt").write_bytes(b"MSH|^~\\&|LAB|||||||m1\rNTE|1||Anna\r")
    (tmp_path / "b.txt").write_text("plain", "utf-8")
    (tmp_path / "c.txt").write_bytes(b"{\\rtf1 rich}")
    texts = {record.id: record.document.text for record in read(tmp_path)}
    assert texts == {"m1:NTE-3": "Anna", "b": "plain", "c": "rich"}
    (tmp_path / "d.txt").write_text("<DATE>3/5</DATE>", "utf-8")
    (tmp_path / "b.txt").unlink()
    assert [each.name for each in detect_formats(tmp_path)] == ["rtf", "hl7", "tagged"]
