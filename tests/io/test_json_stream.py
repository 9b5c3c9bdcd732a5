from __future__ import annotations

import io
from pathlib import Path

import pytest

from veil import RecordError
from veil.io import json_raw
from veil.io.json_raw import JsonStream


def stream(text: str | bytes) -> JsonStream:
    data = text.encode("utf-8") if isinstance(text, str) else text
    return JsonStream(io.BytesIO(data), Path("b.json"))


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1000])
def test_pieces_come_as_they_are_written(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blanks, signs and values are the same however the file is cut, and numbers are whole."""
    monkeypatch.setattr(json_raw, "_CHUNK", chunk)
    source = stream(' [ "å\\n\\"]" ,\n 1234.5e6 , {"a": [true, "😀"]}]\n ')
    parts = [source.blank(), source.sign("["), source.blank()]
    parts += [source.value()[0], source.blank(), source.sign(","), source.blank()]
    parts += [source.value()[0], source.blank(), source.sign(","), source.blank()]
    assert source.line == 2
    raw, value = source.value()
    assert raw == '{"a": [true, "😀"]}'
    assert (value.start, value.end) == (0, len(raw))
    parts += [raw, source.rest()]
    assert "".join(parts) == ' [ "å\\n\\"]" ,\n 1234.5e6 , {"a": [true, "😀"]}]\n '


def test_number_at_the_end() -> None:
    """A number that ends with the file is whole."""
    assert stream("12").value()[0] == "12"


def test_errors_name_the_line() -> None:
    """What is no JSON is named by file and line."""
    source = stream("\n\n[x]")
    source.blank()
    source.sign("[")
    with pytest.raises(RecordError, match=r"b\.json, line 3: not JSON"):
        source.value()


@pytest.mark.parametrize("chunk", [1, 2, 1000])
def test_other_encodings_are_named_by_their_byte(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte that is no UTF-8 is counted from the start, however the file is cut."""
    monkeypatch.setattr(json_raw, "_CHUNK", chunk)
    with pytest.raises(RecordError, match=r"byte 6: not UTF-8"):
        stream(b'["\xc3\xa5\xc3\xa5\xff"]').rest()


def test_endless_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that nobody closes does not fill the memory."""
    monkeypatch.setattr(json_raw, "_LONGEST_VALUE", 1000)
    monkeypatch.setattr(json_raw, "_CHUNK", 100)
    with pytest.raises(RecordError, match="a value of more than 1000 characters"):
        stream('"' + "x" * 10_000).value()
