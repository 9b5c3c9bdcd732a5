"""The examples on the page about formats."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from veil.io import FORMATS, detect_formats, names, read

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^### (\S+)\n[^`#]*^```\w*\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
SUFFIX = {"conll": ".conll", "mednlp": ".txt", "tagged": ".txt", "jsonl": ".jsonl"}


def test_page_lists_every_format() -> None:
    """Each registered format has a section of its own."""
    assert sorted(re.findall(r"^### (\S+)$", PAGE, re.MULTILINE)) == sorted(names())


@pytest.mark.parametrize("name", ["conll", "i2b2-2006", "i2b2-2014", "jsonl", "mednlp", "tagged"])
def test_example_is_read(name: str, tmp_path: Path) -> None:
    """The example of a format is recognised and read, with spans."""
    file = tmp_path / f"note{SUFFIX.get(name, '.xml')}"
    file.write_text(EXAMPLES[name], "utf-8")
    assert detect_formats(file) == [FORMATS.get(name)]
    (record,) = read(file)
    assert record.spans


def test_example_of_brat_is_read(tmp_path: Path) -> None:
    """The example of annotations fits a text beside it."""
    (tmp_path / "note.txt").write_text("Anna Berg, 63", "utf-8")
    (tmp_path / "note.ann").write_text(EXAMPLES["brat"], "utf-8")
    (record,) = read(tmp_path)
    assert [span.part for span in record.spans] == ["full", None]
