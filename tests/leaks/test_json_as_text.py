"""JSON whose beginning is damaged is refused, not masked as plain text: its escapes hide names."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from veil.core.errors import InputError
from veil.io import find_format

if TYPE_CHECKING:
    from pathlib import Path

RECORD = {"id": "1", "text": "患者：山田太郎、63歳男性。メール：yamada.taro@example.jp"}
LINE = json.dumps(RECORD)
BUNDLE = json.dumps({"resourceType": "Bundle", "entry": [{"resource": RECORD}]}, indent=2)


@pytest.mark.parametrize(
    "text",
    [
        f"null\n{LINE}\n",
        f"x{LINE[1:]}\n{LINE}\n",
        f"\n\n17\n{LINE}",
        f"x{BUNDLE[1:]}",
        f"A note.\n{LINE}\n",
    ],
)
def test_damaged_json_is_not_masked_as_text(tmp_path: Path, text: str) -> None:
    """Standard input, and a file without a suffix, of which the first line is no object."""
    file = tmp_path / "notes"
    file.write_text(text)
    with pytest.raises(InputError, match="not a format"):
        find_format(file)
    done = subprocess.run(
        [sys.executable, "-m", "veil", "mask", "-", "-o", "-", "--workers", "1"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "yamada" not in done.stderr


def test_braces_and_quotes_in_notes_are_text(tmp_path: Path) -> None:
    """A note may hold braces and quoted words."""
    file = tmp_path / "note"
    file.write_text('Mr. Hale {sic} said "pain": 5 of 10. [1] {"unclear"}')
    assert find_format(file).name == "text"
