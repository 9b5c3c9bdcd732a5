"""Masked and revealed JSON lines are escaped as they were."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.cli.main import main
from veil.io import FORMATS, Item, TableOptions
from veil.io.json_raw import escapes_of, quoted_with
from veil.masking.mapping import MappingEntry
from veil.replace.base import Masked

if TYPE_CHECKING:
    from pathlib import Path

PHRASE = "four words and more"
LINES = [
    r'{"id": "1", "text": "\u00c5sa Berg called. Dr. \u00c5sa Berg\u00e9n, \u5c71\u7530."}',
    r'{"id": "2", "text": "\u00C5SA sees Dr. Berg\u00E9n and Mr. Hale."}',
    '{"id": "3", "text": "Dr. Bergén sees Mr. Hale. Fever 38°C."}',
    r'{"id": "4", "text": "See http:\/\/example.org\/x, Mr. Hale, 1\/2 tablet.\r\n\tOK"}',
    r'{"id": "5", "by": "\u00c5", "text": "Mr. Hale \"the\" \\ second \ud83d\ude00."}',
    r'{"id": "6", "by": "\u00c5", "text": "Dr. Bergén sees Mr. Hale."}',
    r'{"id": "7", "text": "Mr. Hale: a\u2028b å \u0041b."}',
    r'{"id": "8", "text": "Nothing found here \/ at all, \u00e5."}',
]


@pytest.mark.parametrize("policy", ["tag", "surrogate"])
def test_revealed_lines_are_the_same_to_the_byte(
    policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was escaped in the original is escaped again, and nothing else."""
    monkeypatch.setenv("VEIL_PASSPHRASE", PHRASE)
    source, masked = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    mapping, revealed = tmp_path / "a.map", tmp_path / "c.jsonl"
    source.write_bytes("".join(f"{line}\n" for line in LINES).encode())
    command = ["mask", str(source), "-o", str(masked), "--policy", policy, "--lang", "en"]
    assert main([*command, "--mapping", str(mapping), "--workers", "1"]) == 0
    assert b"Hale" not in masked.read_bytes()
    assert main(["reveal", str(masked), "--mapping", str(mapping), "-o", str(revealed)]) == 0
    assert revealed.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("line", LINES)
def test_untouched_parts_stay_as_they_are_written(line: str, tmp_path: Path) -> None:
    """A replacement in a string changes nothing else of the line."""
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    source.write_text(line, "utf-8")
    file_format, options = FORMATS.get("jsonl"), TableOptions()
    (item,) = file_format.items(source, options)
    assert isinstance(item, Item)
    with file_format.writer(source, target, options) as writer:
        writer.write(item, [doc.text.replace("Hale", "[X]") for doc in item.documents])
    assert target.read_text("utf-8") == line.replace("Hale", "[X]")


def test_mixed_escapes_stay_at_their_places(tmp_path: Path) -> None:
    """A character that is written in two ways is so again, each where it was."""
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    line = r'{"text": "a/b a\/b \u00e5 \u00E5 Hale \u0061/b \/ end"}'
    source.write_text(line, "utf-8")
    file_format, options = FORMATS.get("jsonl"), TableOptions()
    (item,) = file_format.items(source, options)
    assert isinstance(item, Item)
    with file_format.writer(source, target, options) as writer:
        writer.write(item, [doc.text.replace("Hale", "å/") for doc in item.documents])
    written = target.read_text("utf-8")
    before, after = line.split("Hale")
    assert written.startswith(before)
    assert written.endswith(after)
    assert json.loads(written)["text"] == "a/b a/b å å å/ a/b / end"


@pytest.mark.parametrize("line", LINES)
def test_escapes_lead_back(line: str) -> None:
    """A string is the same when it is written with its own escapes."""
    raw = line[line.index('"text": ') + 8 : -1]
    assert quoted_with(json.loads(raw), escapes_of(raw)) == raw


def test_mappings_without_escapes_are_read() -> None:
    """An entry that was written without escapes leads back to its text."""
    entry = MappingEntry.of("r", Masked(Document("r", "x"), ()))
    assert MappingEntry.from_bytes(entry.to_bytes()) == entry
    assert b"escapes" not in entry.to_bytes()
    styled = MappingEntry.of("r", Masked(Document("r", "x", meta={"escapes": {"": "u"}}), ()))
    assert MappingEntry.from_bytes(styled.to_bytes()).escapes == {"": "u"}
