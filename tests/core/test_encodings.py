"""Encodings: which one a file has, reading it as UTF-8, and letters that an encoding lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil import InputError, RecordError
from veil.core.encodings import (
    AUTO,
    can_hold,
    encoding_name,
    exact_encoding,
    fitted,
    opened,
    public_name,
    read_data,
    written_name,
)

if TYPE_CHECKING:
    from pathlib import Path

SWEDISH = "Anna Åberg söker för värk. Läkaren hör rassel.\nÅterbesök på måndag.\n"
SPANISH = "La paciente María Núñez acudió el día 3. ¿Fiebre? Años: 50. Próxima revisión.\n"
ENGLISH = "The patient’s daughter – a nurse – was called. Temp 38°.\n"
JAPANESE = "患者は山田太郎さん、63歳。東京都の病院を受診した。\n経過は良好である。\n"


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        (SWEDISH, "cp1252", "cp1252"),
        (SWEDISH, "latin-1", "cp1252"),
        (SWEDISH, "cp850", "cp850"),
        (SWEDISH, "mac-roman", "mac-roman"),
        (SPANISH, "cp1252", "cp1252"),
        (SPANISH, "cp850", "cp850"),
        (SPANISH, "mac-roman", "mac-roman"),
        (ENGLISH, "cp1252", "cp1252"),
        (JAPANESE, "cp932", "cp932"),
        (JAPANESE, "euc_jp", "euc_jp"),
        (JAPANESE, "iso2022_jp", "iso2022_jp"),
        (SWEDISH, "utf-16", "utf-16-le"),
        (SWEDISH, "utf-16-be", "utf-16-be"),
        (JAPANESE, "utf-16-le", "utf-16-le"),
        (SPANISH, "utf-32-be", "utf-32-be"),
        (SPANISH, "utf-8-sig", "utf-8"),
        (JAPANESE, "utf-8", "utf-8"),
        ("only ASCII\n", "ascii", "utf-8"),
        ("", "ascii", "utf-8"),
    ],
)
def test_detected_encodings(tmp_path: Path, text: str, encoding: str, expected: str) -> None:
    """The encoding of a note is recognised, and its text is read as UTF-8."""
    file = tmp_path / "note.txt"
    file.write_bytes(text.encode(encoding))
    assert exact_encoding(file, AUTO) == expected
    assert read_data(file, AUTO).decode().removeprefix("\ufeff") == text


@pytest.mark.parametrize(
    ("data", "wanted", "message"),
    [
        (SWEDISH.encode("cp1252"), "cp932", "does not look like text in cp932, but like cp1252"),
        (JAPANESE.encode("cp932"), "cp1252", "does not look like text in cp1252, but like cp932"),
        (SWEDISH.encode(), "cp1252", "does not look like text in cp1252, but like utf-8"),
        (SWEDISH.encode("utf-16"), "cp1252", "begins with a byte order mark of utf-16-le"),
        (SWEDISH.encode("cp1252"), "utf-16", "no text in utf-16"),
        (bytes(range(128, 256)) * 9, AUTO, "its encoding is not recognised"),
    ],
)
def test_wrong_encodings(tmp_path: Path, data: bytes, wanted: str, message: str) -> None:
    """A file that is no text in the given encoding is refused: names in it would not be found."""
    file = tmp_path / "note.txt"
    file.write_bytes(data)
    with pytest.raises(RecordError, match=message):
        opened(file, wanted)


def test_broken_bytes_stay_visible(tmp_path: Path) -> None:
    """Bytes that an encoding lacks become bytes that are no UTF-8: a reader withholds them."""
    file = tmp_path / "note.txt"
    file.write_bytes(JAPANESE.encode("cp932") + b"\x81 " + JAPANESE.encode("cp932"))
    data = read_data(file, "cp932")
    assert b"\xff" in data
    assert data.replace(b"\xff", b"").decode() == f"{JAPANESE} {JAPANESE}"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("latin-1", "iso8859-1"),
        ("Windows-1252", "cp1252"),
        ("Shift_JIS", "cp932"),
        ("sjis", "cp932"),
        ("UTF-8-sig", "utf-8"),
        ("EUC-JP", "euc_jp"),
        ("AUTO", "auto"),
    ],
)
def test_names(name: str, expected: str) -> None:
    """Encodings are known by their usual names."""
    assert encoding_name(name) == expected


@pytest.mark.parametrize("name", ["rot13", "base64", "utf-7", "idna", "cp1251", "no such", ""])
def test_unknown_names(name: str) -> None:
    """An encoding that Veil does not read is an error that lists those it reads."""
    with pytest.raises(InputError, match="known: utf-8, utf-16"):
        encoding_name(name)


def test_auto_is_no_output_encoding() -> None:
    """Nothing can be written in an encoding that is to be detected."""
    assert written_name(None) is None
    with pytest.raises(InputError, match="auto is not an encoding to write"):
        written_name("auto")


def test_public_names() -> None:
    """XML and HTML declare encodings by their registered names."""
    names = [public_name(each) for each in ("cp1252", "iso8859-1", "utf-16-le", "cp932", "ascii")]
    assert names == ["windows-1252", "ISO-8859-1", "UTF-16", "Shift_JIS", "ascii"]


@pytest.mark.parametrize("declared", ['<?xml version="1.0" encoding="{}"?>', "<meta charset={}>"])
def test_declared_encoding(tmp_path: Path, declared: str) -> None:
    """An encoding that XML or HTML declares is preferred to one that is detected."""
    file = tmp_path / "a.xml"
    file.write_bytes((declared.format("iso-8859-15") + f"<a>{SWEDISH}</a>").encode("iso8859-15"))
    assert exact_encoding(file, AUTO) == "iso8859-15"


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("Żak Łukasz", "cp1252", "Zak Lukasz"),
        ("Åsa Öst", "cp1252", "Åsa Öst"),
        ("Åsa Øst", "ascii", "Asa Ost"),
        ("12–14", "iso8859-1", "12-14"),
        ("████", "cp1252", "####"),
        ("山田", "cp1252", None),
        ("𠮷田", "cp932", None),
    ],
)
def test_nearest_letters(text: str, encoding: str, expected: str | None) -> None:
    """A surrogate that an encoding lacks is written in the nearest letters that it has."""
    assert fitted(text, encoding) == expected


@given(st.text(), st.sampled_from(["cp1252", "iso8859-1", "cp932", "euc_jp", "cp850", "ascii"]))
def test_nearest_letters_can_be_written(text: str, encoding: str) -> None:
    """Whatever comes back can be written in the encoding."""
    found = fitted(text, encoding)
    assert found is None or can_hold(found, encoding)
