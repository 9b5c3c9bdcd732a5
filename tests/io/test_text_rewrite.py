from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import RecordError
from veil.io import FORMATS, TableOptions

if TYPE_CHECKING:
    from pathlib import Path

    from tests.io.conftest import Rewrite

OPTIONS = TableOptions()


def test_byte_order_mark_and_line_ends_stay(rewrite: Rewrite) -> None:
    """The mark is no part of the text, and no line end changes where the text does."""
    written = rewrite(
        "text", b"\xef\xbb\xbfAnna\r\nBerg\r\x0c\n", lambda doc: doc.text.replace("Anna", "Eva")
    )
    assert written.texts == {"notes": "Anna\r\nBerg\r\x0c\n"}
    assert written.data == b"\xef\xbb\xbfEva\r\nBerg\r\x0c\n"


def test_empty_file_is_a_document(rewrite: Rewrite) -> None:
    """A file without a character is an empty document and stays one."""
    written = rewrite("text", b"")
    assert written.texts == {"notes": ""}
    assert written.data == b""


def test_withheld_text_leaves_no_file(tmp_path: Path) -> None:
    """If the only item is not written there is no file, not even that of an earlier run."""
    source, target = tmp_path / "a.txt", tmp_path / "out.txt"
    source.write_text("Anna")
    target.write_text("of an earlier run")
    with FORMATS.get("text").writer(source, target, OPTIONS):
        pass
    assert not target.exists()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_refused(tmp_path: Path, encoding: str) -> None:
    """UTF-16 without a mark is UTF-8 with NUL bytes, in which no name would be found."""
    source = tmp_path / "a.txt"
    source.write_bytes("Anna".encode(encoding))
    with pytest.raises(RecordError, match=r"a\.txt, byte [01]: a NUL byte"):
        list(FORMATS.get("text").items(source, OPTIONS))


def test_other_encoding_is_named_by_its_byte(tmp_path: Path) -> None:
    """A byte that is no UTF-8 is counted from the start of the file, mark included."""
    source = tmp_path / "a.txt"
    source.write_bytes(b"\xef\xbb\xbfK\xe5re")
    with pytest.raises(RecordError, match=r"a\.txt, byte 4: not UTF-8"):
        list(FORMATS.get("text").items(source, OPTIONS))
