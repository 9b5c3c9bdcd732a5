from __future__ import annotations

import re
from pathlib import Path

from veil import Document
from veil.detect.known import KnownTable
from veil.detect.known.values import field_of

PAGE = (Path(__file__).parents[3] / "docs" / "known.md").read_text("utf-8")


def test_the_table_of_the_page_can_be_read(tmp_path: Path) -> None:
    """The sample table is one."""
    path = tmp_path / "patients.csv"
    (sample,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    path.write_text(sample, "utf-8")
    table = KnownTable.read(path)
    known = table(Document("note-1", ""))
    assert known is not None
    assert known.doctors == ("Maj Ek", "Per Ås")
    assert table.unasked == ["note-2"]


def test_columns_of_the_page_are_columns() -> None:
    """Each name in the table of columns is one that can be read."""
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    others = [name.strip() for row in rows for name in re.split(r"[,:]", row.split("|")[3])]
    assert 10 < len(rows)
    fields = {field_of(name) for name in names}
    assert len(fields) == len(names)
    assert {field_of(name) for name in others if re.fullmatch(r"\w+", name)} <= fields
