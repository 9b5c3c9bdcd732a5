from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.io import find_format

if TYPE_CHECKING:
    from pathlib import Path

RESOURCE = b'{"resourceType": "Patient", "id": "1"}'


@pytest.mark.parametrize(
    ("name", "data", "file_format"),
    [
        ("a.txt", b"Anna", "text"),
        ("a.TXT", RESOURCE, "text"),
        ("note", b"Anna", "text"),
        ("a.csv", b"id,note\n", "csv"),
        ("a.tsv", b"id\tnote\n", "tsv"),
        ("a.tab", b"id\tnote\n", "tsv"),
        ("a.parquet", b"PAR1....", "parquet"),
        ("data", b"PAR1....", "parquet"),
        ("a.jsonl", b'{"text": "a"}\n', "jsonl"),
        ("a.ndjson", b'{"text": "a"}\n', "jsonl"),
        ("part-0.json", b'{"text": "a"}\n{"text": "b"}\n', "jsonl"),
        ("a.jsonl", b'{"text": "' + b"a" * 10_000 + b'"}\n', "jsonl"),
        ("a.ndjson", b"\xef\xbb\xbf" + RESOURCE + b"\n", "fhir-ndjson"),
        ("a.jsonl", RESOURCE, "fhir-ndjson"),
        ("a.json", RESOURCE + b"\n" + RESOURCE, "fhir-ndjson"),
        ("a.json", RESOURCE + b"\n", "fhir"),
        ("a.json", b'\n{\n  "id": "1",\n  "resourceType": "Bundle"\n}', "fhir"),
        ("bundle", b'{\n "resourceType": "Bundle"}', "fhir"),
    ],
)
def test_kinds_of_files(tmp_path: Path, name: str, data: bytes, file_format: str) -> None:
    """The end of the name and the content tell what a file is."""
    file = tmp_path / name
    file.write_bytes(data)
    assert find_format(file).name == file_format


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", b"PNG"),
        ("a.xml", b"<a/>"),
        ("binary", b"\0\1"),
        ("a.json", b'{\n "a": 1\n}'),
        ("a.json", b"[1]"),
        ("a.parquet", b"no"),
        ("a.csv.gz", b"\x1f\x8b"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, data: bytes) -> None:
    """What Veil cannot mask is an error that lists what it can."""
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"known: brat .*parquet \(\.parquet, \.pq\).*text"):
        find_format(file)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """A path that is not a file is an error."""
    with pytest.raises(InputError, match="no such file"):
        find_format(tmp_path / "nowhere.txt")
    with pytest.raises(InputError, match="a folder, not a file"):
        find_format(tmp_path)


def test_what_is_no_file_is_told_without_opening_it(tmp_path: Path) -> None:
    """Links to folders and pipes are errors that say what they are."""
    (tmp_path / "linked.txt").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(InputError, match=r"linked\.txt: a link to a folder, which is not followed"):
        find_format(tmp_path / "linked.txt")
    with pytest.raises(
        InputError, match=r"pipe\.txt: a pipe, socket or device, not a regular file"
    ):
        find_format(tmp_path / "pipe.txt")
