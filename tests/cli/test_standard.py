"""Standard input and output as files: what they are called, what is refused, what is left."""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from veil.cli.standard import ending_in_order, stored_input, written_out
from veil.core.errors import InputError
from veil.io import find_format

if TYPE_CHECKING:
    from pathlib import Path

LINE = b'{"id": "1", "text": "Dr. Hale"}\n'
RESOURCE = b'{"resourceType": "Patient", "id": "p1"}\n'
BUNDLE = b'{\n "resourceType": "Bundle",\n "type": "collection",\n "entry": []\n}\n'


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def give(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("data", "is_table", "name", "kind"),
    [
        (b"Dr. Hale saw him.", False, "stdin.txt", "text"),
        (b"", False, "stdin.txt", "text"),
        (b"[1] Dr. Hale saw him.", False, "stdin.txt", "text"),
        (b"[2019-03-05] Dr. Hale saw him.", False, "stdin.txt", "text"),
        (b"<5 mg, says Dr. Hale.", False, "stdin.txt", "text"),
        (LINE * 2, False, "stdin.json", "jsonl"),
        (b"\xef\xbb\xbf \n" + LINE, True, "stdin.json", "jsonl"),
        (RESOURCE * 2, False, "stdin.json", "fhir-ndjson"),
        (RESOURCE, False, "stdin.json", "fhir"),
        (BUNDLE, False, "stdin.json", "fhir"),
        (BUNDLE.replace(b"\n", b""), False, "stdin.json", "fhir"),
        (b"id,note\n1,Dr. Hale\n", True, "stdin.csv", "csv"),
        (b"PAR1\0\0", True, "stdin.parquet", "parquet"),
        (b"{\\rtf1\nDr. Hale}", False, "stdin.rtf", "rtf"),
        (b"<!DOCTYPE html><p>Dr. Hale", True, "stdin.html", "html"),
        (b"<html><p>Dr. Hale", False, "stdin.html", "html"),
        (b'<?xml version="1.0"?><ClinicalDocument xmlns="x">', False, "stdin.xml", "cda"),
        (b"%PDF-1.4\n", False, "stdin.pdf", "pdf"),
        (b"PK\x03\x04..[Content_Types].xml..word/document.xml", False, "stdin.docx", "docx"),
        (b"MSH|^~\\&|LAB|x", False, "stdin.txt", "hl7"),
    ],
)
def test_the_kind_is_found_from_the_content(
    data: bytes, is_table: bool, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a file with a telling name would be read as, standard input is read as."""
    give(data, monkeypatch)
    with stored_input(is_table=is_table) as file:
        assert file.name == name
        assert find_format(file).name == kind
        assert file.read_bytes() == file.read_bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        b'[{"resourceType": "Patient"}]',
        b'[\n "Dr. Hale"\n]',
        b'[1, {"text": "Dr. Hale"}]',
        b'{\n "note": "Dr. Hale"\n}',
        b" " * 70_000 + b'["Dr. Hale"]',
        b'<?xml version="1.0"?><Patient/>',
        b'\n<Bundle xmlns="http://hl7.org/fhir">',
    ],
)
@pytest.mark.parametrize("is_table", [False, True])
def test_what_is_no_plain_text_is_no_text(
    data: bytes, is_table: bool, monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    """JSON and markup of no known kind are refused, and nothing is left of them."""
    give(data, monkeypatch)
    with pytest.raises(InputError, match="format that Veil cannot read") as raised:
        stored_input(is_table=is_table).__enter__()
    assert "Hale" not in str(raised.value)
    assert not [*temporary.iterdir()]


def test_nothing_of_the_text_has_a_name(monkeypatch: pytest.MonkeyPatch, temporary: Path) -> None:
    """What stands on the disk while it is read is a link, and not even that stays."""
    give(b"Dr. Hale saw him.", monkeypatch)
    with stored_input(is_table=False) as file:
        there = [path for path in temporary.rglob("*") if not path.is_dir()]
        assert there == [file]
        assert file.is_symlink()
    assert not [*temporary.iterdir()]


def test_closed_streams_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing standard input or output is an error that names it."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        stored_input(is_table=False).__enter__()
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InputError, match="standard output is closed"):
        written_out().__enter__()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_in_order(number: signal.Signals, temporary: Path) -> None:
    """What was to be removed at the end is removed, and the exit code names the signal."""
    with pytest.raises(SystemExit) as raised, ending_in_order(), tempfile.TemporaryDirectory():
        os.kill(os.getpid(), number)
    assert raised.value.code == 128 + number
    assert not [*temporary.iterdir()]
    assert signal.getsignal(number) == signal.SIG_DFL


def test_an_ignored_signal_stays_ignored() -> None:
    """A run under nohup outlives its terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending_in_order():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
