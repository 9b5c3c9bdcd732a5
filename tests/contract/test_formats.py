"""What every format keeps to when records are written and read."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, Record, RecordError, Span
from veil.io import FORMATS, Format, ReadLog, read, writable_names, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVERY = pytest.mark.parametrize("name", writable_names())
SINGLE_FILE = {"jsonl", "conll", "i2b2-2006"}
SUFFIX = {
    "brat": ".txt",
    "conll": ".conll",
    "i2b2-2006": ".xml",
    "i2b2-2014": ".xml",
    "jsonl": ".jsonl",
    "mednlp": ".txt",
    "tagged": ".txt",
    "text": ".txt",
}
XML = {"i2b2-2006", "i2b2-2014"}
# Labels that every format can hold.
NASTY = {
    "empty": ("", []),
    "white-space-only": (" \t\n ", []),
    "leading-and-trailing": ("\n\n  Anna Berg \n ", [(4, 13, "LOCATION")]),
    "carriage-returns": ("a\rb\r\nc\n\rAnna\r", [(8, 12, "HOSPITAL")]),
    "byte-order-mark": ("\ufeffAnna\ufeff", [(1, 5, "HOSPITAL")]),
    "no-break-spaces": ("Anna\u00a0Berg\u3000\u2028\u0085 x", [(0, 9, "LOCATION")]),
    "astral": ("😀 𠮷田 😀", [(2, 4, "LOCATION"), (5, 6, "AGE")]),
    "combining": ("Jose\u0301 A\u030a\u0308 e\u0301", [(0, 5, "LOCATION")]),
    "markup": ('BP<120 & "x" \' > ]]> &amp; &#13; <PHI </TEXT ]]]]>>', [(0, 2, "ID")]),
    "adjacent": ("12男性東京", [(0, 2, "AGE"), (2, 4, "HOSPITAL"), (4, 6, "LOCATION")]),
    "one-word-cut": ("Annaberg", [(2, 5, "LOCATION")]),
    "over-lines": ("at Vita\nLinke\r\nBo, MD", [(3, 17, "HOSPITAL")]),
    "tabs": ("a\tb\tc -DOCSTART- \\t \\", [(2, 5, "ID")]),
    "whole": ("x", [(0, 1, "ID")]),
    "zero-width": ("A\u200bB\u200d \u2060", [(0, 3, "ID")]),
    "folder/name.with.dots": ("x y", [(2, 3, "AGE")]),
}


def record(name: str, text: str, spans: list[tuple[int, int, str]]) -> Record:
    return Record.of(Document(name, text), [Span(*span) for span in spans])


def target(name: str, folder: Path) -> Path:
    return folder / f"out{SUFFIX[name]}" if name in SINGLE_FILE else folder / "out"


def what_it_holds(name: str, records: list[Record]) -> dict[str, tuple[str, list[object]]]:
    return {
        each.id: (each.document.text, [] if name == "text" else [s.key for s in each.spans])
        for each in records
    }


@EVERY
def test_round_trip_changes_no_character(name: str, tmp_path: Path) -> None:
    """Text and spans come back as they were, whatever white space or script they hold."""
    records = [record(key, *value) for key, value in NASTY.items()]
    path = target(name, tmp_path)
    assert write(records, path, format=name) == len(records)
    assert what_it_holds(name, list(read(path, format=name))) == what_it_holds(name, records)


@EVERY
@pytest.mark.parametrize("char", ["\0", "\x0c", "\x1f", "\ufffe"])
def test_control_characters_survive_or_are_refused(name: str, char: str, tmp_path: Path) -> None:
    """A character that XML lacks is an error with record and offset there, and kept elsewhere."""
    records = [record("r7", f"ab{char}cd", [(0, 2, "AGE")])]
    path = target(name, tmp_path)
    if name in XML:
        with pytest.raises(RecordError, match=r"record r7: U\+.* at character 2"):
            write(records, path, format=name)
        assert not path.exists()
    else:
        write(records, path, format=name)
        assert what_it_holds(name, list(read(path, format=name))) == what_it_holds(name, records)


@EVERY
def test_lone_surrogate_is_refused(name: str, tmp_path: Path) -> None:
    """Half a surrogate pair is refused by record and offset, and nothing is written."""
    path = target(name, tmp_path)
    with pytest.raises(RecordError, match=r"record r7: .*character 3"):
        write([record("r7", "abc\ud800", [])], path, format=name)
    assert list(tmp_path.iterdir()) == []


@EVERY
def test_empty_folder_is_an_error(name: str, tmp_path: Path) -> None:
    """A folder without files of the format is an input error, not an empty corpus."""
    with pytest.raises(InputError, match="no file of this format"):
        list(read(tmp_path, format=name))


@EVERY
def test_missing_path_is_an_error(name: str, tmp_path: Path) -> None:
    """A path that does not exist is an error when `read` is called, not at the first record."""
    with pytest.raises(InputError, match="no such file or folder"):
        read(tmp_path / "nowhere", format=name)


@EVERY
def test_bytes_that_are_not_utf8_are_located(name: str, tmp_path: Path) -> None:
    """A file in another encoding is withheld with its name and byte, and the others are read."""
    write([record("good", "Anna", [])], tmp_path / f"good{SUFFIX[name]}", format=name)
    bad = tmp_path / f"bad{SUFFIX[name]}"
    bad.write_bytes(b"-DOCSTART-\n\nK\xe5re\tO\n" if name == "conll" else b"K\xe5re Berg\n")
    log = ReadLog()
    records = list(read(tmp_path, format=name, log=log))
    assert [each.id.rpartition("/")[2] for each in records] == ["good"]
    assert [problem.path for problem in log.problems] == [bad]
    assert log.problems[0].byte == (13 if name == "conll" else 1)
    with pytest.raises(RecordError, match="not UTF-8"):
        list(read(tmp_path, format=name))


@EVERY
def test_unreadable_file_is_withheld(name: str, tmp_path: Path) -> None:
    """A file that cannot be opened is reported, and the others are read."""
    write([record("good", "Anna", [])], tmp_path / f"good{SUFFIX[name]}", format=name)
    link = tmp_path / f"broken{SUFFIX[name]}"
    link.symlink_to(tmp_path / "nowhere")
    log = ReadLog()
    assert len(list(read(tmp_path, format=name, log=log))) == 1
    assert [problem.path for problem in log.problems] == [link]


@EVERY
def test_second_record_of_one_id_is_refused(name: str, tmp_path: Path) -> None:
    """Writers refuse an id that comes twice, and leave nothing."""
    with pytest.raises(RecordError, match="record r1: duplicate id"):
        write([record("r1", "a", []), record("r1", "b", [])], target(name, tmp_path), format=name)
    assert list(tmp_path.iterdir()) == []


@EVERY
def test_failing_source_leaves_nothing(name: str, tmp_path: Path) -> None:
    """If the records end in an error half-way, no file is left."""

    def failing() -> Iterator[Record]:
        yield record("r1", "Anna", [])
        raise RecordError("failed", record="r2")

    with pytest.raises(RecordError, match="record r2: failed"):
        write(failing(), target(name, tmp_path), format=name)
    assert list(tmp_path.iterdir()) == []


@EVERY
def test_failing_source_keeps_what_was_there(name: str, tmp_path: Path) -> None:
    """If the records end in an error, files of an earlier run stay as they were."""
    path = target(name, tmp_path)
    write([record("r1", "before", [])], path, format=name)

    def failing() -> Iterator[Record]:
        yield record("r1", "after", [])
        raise RecordError("failed", record="r2")

    with pytest.raises(RecordError, match="record r2: failed"):
        write(failing(), path, format=name)
    assert [each.document.text for each in read(path, format=name)] == ["before"]


@EVERY
def test_memory_does_not_grow_with_the_corpus(name: str, tmp_path: Path) -> None:
    """A corpus far larger than the memory in use is written and read record by record."""
    size, count = 100_000, 40
    path = target(name, tmp_path)

    def corpus() -> Iterator[Record]:
        for number in range(count):
            yield record(f"r{number}", f"{number:05}" * (size // 5), [(0, size // 2, "AGE")])

    tracemalloc.start()
    try:
        assert write(corpus(), path, format=name) == count
        assert sum(len(each.document.text) for each in read(path, format=name)) == size * count
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < size * count / 2


@EVERY
def test_reading_is_lazy(name: str, tmp_path: Path) -> None:
    """The first record comes before the file or folder has been read to its end."""
    path = target(name, tmp_path)
    write((record(f"r{n:02}", "x" * 50_000, []) for n in range(20)), path, format=name)
    last = max(path.iterdir()) if path.is_dir() else path
    with last.open("r+b") as file:
        file.seek(-10_000, 2)
        file.write(b"\xff")
    records = read(path, format=name)
    assert next(records).id == "r00"
    with pytest.raises(RecordError):
        list(records)


@EVERY
def test_folder_target(name: str, tmp_path: Path) -> None:
    """A path that ends with a slash is a folder for every format."""
    write([record("r1", "Anna", [])], f"{tmp_path}/new/", format=name)
    assert [each.document.text for each in read(tmp_path / "new", format=name)] == ["Anna"]


@EVERY
def test_errors_hold_no_text(name: str, tmp_path: Path) -> None:
    """What is said of a bad record never repeats its content."""
    path = tmp_path / f"bad{SUFFIX[name]}"
    path.write_bytes(b'{"id": "x", "Zebrowski": 1\n<PHI>Zebrowski</RECORD>\n<a>Zebrowski\xff</h>\n')
    log = ReadLog()
    assert list(read(path, format=name, log=log)) == []
    assert log.problems
    assert "Zebrowski" not in " ".join(map(str, log.problems)) + str(log.notes)


@pytest.mark.parametrize("name", sorted({*writable_names()} - {"text", "mednlp"}))
def test_parts_survive(name: str, tmp_path: Path) -> None:
    """The part of a name or date is kept by all formats but text and mednlp."""
    spans = [Span(0, 4, "AGE", part="first"), Span(5, 9, "AGE", part="last"), Span(9, 10, "ID")]
    path = target(name, tmp_path)
    write([Record.of(Document("r", "Anna Berg."), spans)], path, format=name)
    assert list(next(read(path, format=name)).spans) == spans


@EVERY
def test_detected_again(name: str, tmp_path: Path) -> None:
    """What a format writes is recognised as that format."""
    path = target(name, tmp_path)
    write([record("r1", "Anna 63 x", [(5, 7, "AGE")])], path, format=name)
    assert [each.document.text for each in read(path)] == ["Anna 63 x"]


@EVERY
def test_files_are_read_one_by_one(name: str, tmp_path: Path) -> None:
    """The files of a folder, each read alone, give the records of the folder once."""
    chosen: Format = FORMATS.get(name)
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        write([record(f"r{number}", "Anna 63", [(5, 7, "AGE")])], folder, format=name)
    alone = [
        each.document.text for file in chosen.files(tmp_path) for each in read(file, format=name)
    ]
    assert alone == ["Anna 63"] * 3


@EVERY
def test_about_is_one_line(name: str) -> None:
    """Every format says in one line what it is."""
    chosen = FORMATS.get(name)
    assert chosen.name == name
    assert 0 < len(chosen.about) < 100
    assert "\n" not in chosen.about
