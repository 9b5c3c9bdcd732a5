"""Tests for veil.features.vectors."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING

import numpy as np
import pytest

from veil.core.errors import InputError
from veil.features.vectors import read_vectors

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "words.vec"


@pytest.mark.parametrize(
    "content",
    [
        "casa 1 -0.5\nEva 2.5e-1 0\n",
        "2 2\ncasa 1 -0.5 \nEva 0.25 0 \n",
        "2 2\r\ncasa\t1 -0.5\r\nEva 0.25 0",
        "\ufeff2 2\ncasa 1 -0.5\nEva 0.25 0\n",
        "\ufeffcasa 1 -0.5\nEva 0.25 0\n",
    ],
    ids=["no heading", "fastText's blank at the end", "tabs and CRLF", "BOM", "BOM, no heading"],
)
def test_words_and_numbers(file: Path, content: str) -> None:
    """All variants of the format give the same words and numbers."""
    file.write_bytes(content.encode())
    vectors = read_vectors(file)
    assert dict(vectors.words) == {"casa": 0, "Eva": 1}
    assert vectors.values.dtype == np.float16
    assert vectors.values.tolist() == [[1, -0.5], [0.25, 0]]


def test_looked_up_as_it_is_then_in_lower_case(file: Path) -> None:
    """A word has its own vector, else that of its lower case, else zeros."""
    file.write_text("rosa 1\nRosa 2\nåsa 3\n", "utf-8")
    words = ["Rosa", "ROSA", "rosa", "Åsa", "asa", ""]
    assert read_vectors(file).rows(words).ravel().tolist() == [2, 1, 1, 3, 0, 0]


def test_the_first_words_only(file: Path) -> None:
    """No more words than asked for are read; nothing after them is looked at."""
    file.write_text("9 1\na 1\nb 2\nnot a vector\n", "utf-8")
    assert list(read_vectors(file, most=2).words) == ["a", "b"]


def test_what_no_token_can_be_is_left_out(file: Path) -> None:
    """A word with a no-break space or a separator within is no error and not kept."""
    file.write_text("a\u00a0b 1\na\x1fb 2\n\u00a0 3\nc 4\n", "utf-8")
    vectors = read_vectors(file)
    assert dict(vectors.words) == {"c": 0}
    assert vectors.values.tolist() == [[4]]


def test_a_word_that_comes_twice_keeps_its_first_vector(file: Path) -> None:
    """Later vectors of the same word are left out."""
    file.write_text("a 1\na 2\nb 3\n", "utf-8")
    assert read_vectors(file).rows(["a", "b"]).ravel().tolist() == [1, 3]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1 2\nb 1\n", "line 2: 1 numbers instead of 2"),
        (b"2 2\na 1 2\nNew York 1 2\n", "line 3: 3 numbers instead of 2; a line is a word without"),
        (b"a 1 2\n\nb 1 2\n", "line 2: 0 numbers"),
        (b"alone\n", "line 1: 0 numbers instead of 1"),
        (b"a 1 2\nb 1 x\n", "line 2: something else than numbers"),
        (b"a 1 2\nb 1 nan\n", "line 2: a number that is infinite, undefined"),
        (b"a 1 2\nb 1 1e9\n", "line 2: a number that is infinite, undefined or too large"),
        (b"1 1\nse\xf1or 1\n", "line 2: not UTF-8"),
        (b"3 1\na 1\nb 2\n", "line 3: the file ends here, but its first line tells of 3 words"),
        (b"", "no word vector in this file"),
    ],
)
def test_what_is_wrong_is_said_with_the_line(file: Path, content: bytes, message: str) -> None:
    """Every mistake names the file and the line."""
    file.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_vectors(file)
    assert str(file) in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder, or nothing at all, is an error that names it."""
    for path in (tmp_path, tmp_path / "absent.vec"):
        with pytest.raises(InputError, match="cannot be read"):
            read_vectors(path)


def test_a_compressed_file(tmp_path: Path) -> None:
    """A file that ends in .xz is decompressed; one that is none is an error that names it."""
    path = tmp_path / "words.vec.xz"
    path.write_bytes(lzma.compress(b"casa 1 -0.5\n"))
    assert read_vectors(path).rows(["casa"]).tolist() == [[1, -0.5]]
    for content in (b"casa 1 -0.5\n", path.read_bytes()[:-9]):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"words\.vec\.xz: no xz file"):
            read_vectors(path)
