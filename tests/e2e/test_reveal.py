"""Going back from masked files, as a user does it: exit codes, messages, files."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.masking.mapping import MappingWriter
from veil.replace.base import Edit, Masked, apply_edits

if TYPE_CHECKING:
    from pathlib import Path

PHRASE = "cuatro palabras y más"
NAMES = ("Okafor", "Ana Ruiz", "Öhman", "山田太郎")
NOTES = {
    "ward/english": "Mr. Okafor was seen.\r\nOkafor left.\r\n",
    "ward/spanish": "Paciente: Ana Ruiz.\n",
    "swedish": "Pat Öhman, 73 år.",
    "japanese": "患者：山田太郎、63歳。\n",
    "nothing": "BP 120/80.\n",
}


def mask(text: str) -> Masked:
    """A text whose names are replaced by a tag."""
    places = sorted(
        (start, start + len(name), name)
        for name in NAMES
        for start in range(len(text))
        if text.startswith(name, start)
    )
    edits = tuple(
        Edit(start, end, name, f"[NAME-{number}]", "NAME", "tag")
        for number, (start, end, name) in enumerate(places, start=1)
    )
    return Masked(Document("", apply_edits(text, edits)), edits)


def veil(*args: object, passphrase: str | None = PHRASE) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if "VEIL" not in name}
    if passphrase is not None:
        environment["VEIL_PASSPHRASE"] = passphrase
    return subprocess.run(
        [sys.executable, "-m", "veil", *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # without a terminal to ask on
    )


@pytest.fixture
def masked(tmp_path: Path) -> Path:
    """A folder of masked notes, as `veil mask` leaves it, beside its mapping `notes.map`."""
    folder = tmp_path / "masked"
    with MappingWriter(tmp_path / "notes.map", PHRASE, log_n=4) as mapping:
        for name, text in NOTES.items():
            done = mask(text)
            file = folder / f"{name}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(done.document.text.encode())
            mapping.add(name, done)
    (folder / "veil-report.json").write_text("{}\n", "utf-8")
    (folder / "veil-report.html").write_text("<!doctype html>\n", "utf-8")
    return folder


@pytest.fixture
def mapping(masked: Path) -> Path:
    return masked.parent / "notes.map"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_a_folder_comes_back(masked: Path, mapping: Path, tmp_path: Path) -> None:
    """Every file of a masked folder is what it was, to the byte, and reports are no records."""
    out = tmp_path / "originals"
    before = contents(masked)
    done = veil("reveal", masked, "--mapping", mapping, "-o", out)
    assert done.returncode == 0, done.stderr
    assert contents(out) == {f"{name}.txt": text.encode() for name, text in NOTES.items()}
    assert contents(masked) == before
    assert f"5 record(s) written to {out}" in done.stderr


def test_changed_and_unknown_files_are_left_out(
    masked: Path, mapping: Path, tmp_path: Path
) -> None:
    """Changed and unknown files are named; all other files are revealed."""
    with (masked / "swedish.txt").open("a", encoding="utf-8") as file:
        file.write(" Hej.")
    (masked / "other.txt").write_text("Seen by [DOCTOR-1].", "utf-8")
    (masked / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    out = tmp_path / "originals"
    done = veil("reveal", masked, "--mapping", mapping, "-o", out)
    assert done.returncode == 1
    assert f"{masked / 'swedish.txt'}, record swedish: its text is not in this" in done.stderr
    assert f"{masked / 'other.txt'}, record other: its text is not in this" in done.stderr
    assert "picture.png" in done.stderr
    assert "3 record(s) left out" in done.stderr
    assert "Hej" not in done.stderr
    assert set(contents(out)) == {f"{name}.txt" for name in NOTES if name != "swedish"}


def test_nothing_is_written_through_a_link(masked: Path, mapping: Path, tmp_path: Path) -> None:
    """A link in the output that leads elsewhere is refused, and what it leads to stays."""
    (masked / "linked").mkdir()
    (masked / "japanese.txt").rename(masked / "linked" / "japanese.txt")
    precious, out = tmp_path / "precious", tmp_path / "originals"
    precious.mkdir()
    out.mkdir()
    (out / "linked").symlink_to(precious)
    done = veil("reveal", masked, "--mapping", mapping, "-o", out, "--overwrite")
    assert done.returncode == 2
    assert "a link in the output" in done.stderr
    assert not any(precious.iterdir())


def test_one_file_under_another_name(masked: Path, mapping: Path, tmp_path: Path) -> None:
    """A single file is found by its text, whatever it is called."""
    renamed = tmp_path / "renamed.txt"
    (masked / "japanese.txt").rename(renamed)
    done = veil("reveal", renamed, "--mapping", mapping, "-o", tmp_path / "back.txt")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "back.txt").read_text("utf-8") == NOTES["japanese"]


def test_json_lines_come_back(tmp_path: Path) -> None:
    """Lines keep their other keys and their order; one that was changed is left out."""
    lines = []
    with MappingWriter(tmp_path / "m", PHRASE, log_n=4) as mapping:
        for name, text in NOTES.items():
            note = mask(text)
            mapping.add(name, note)
            lines.append({"id": name, "text": note.document.text, "ward": [1, {"é": None}]})
    lines[1]["text"] = "Paciente: [NAME-2].\n"
    source = tmp_path / "masked.jsonl"
    source.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8"
    )
    out = tmp_path / "back.jsonl"
    done = veil("reveal", source, "--mapping", tmp_path / "m", "-o", out)
    assert done.returncode == 1
    assert "record ward/spanish: its text is not in this mapping" in done.stderr
    expected = [
        {"id": name, "text": text, "ward": [1, {"é": None}]}
        for name, text in NOTES.items()
        if name != "ward/spanish"
    ]
    assert [json.loads(line) for line in out.read_text("utf-8").splitlines()] == expected


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A masked table of two text columns, of whose rows one was withheld, and its mapping `t`."""
    rows = [
        ("1", "Okafor", "Seen: Okafor"),
        ("3", "Öhman", "BP 120/80"),
        ("4", "Ana Ruiz", "Called; Ana Ruiz"),
    ]
    file = tmp_path / "masked.csv"
    with (
        MappingWriter(tmp_path / "t", PHRASE, log_n=4) as mapping,
        file.open("w", encoding="utf-8", newline="") as target,
    ):
        writer = csv.writer(target)
        writer.writerow(("id", "who", "note"))
        for number, who, note in rows:
            cells = [mask(who), mask(note)]
            for column, cell in zip(("who", "note"), cells, strict=True):
                mapping.add(f"{number}:{column}", cell)
            writer.writerow((number, *(cell.document.text for cell in cells)))
    return file


COLUMNS = ("--text-column", "who", "--text-column", "note")


def test_a_table_as_json_lines(table: Path, tmp_path: Path) -> None:
    """The texts of a table are written with their ids, where its ids tell equal texts apart."""
    out = tmp_path / "back.jsonl"
    call = ("reveal", table, "--mapping", tmp_path / "t", *COLUMNS, "-o", out, "--to", "jsonl")
    done = veil(*call, "--id-column", "id")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {each["id"]: each["text"] for each in found} == {
        "1:who": "Okafor",
        "1:note": "Seen: Okafor",
        "3:who": "Öhman",
        "3:note": "BP 120/80",
        "4:who": "Ana Ruiz",
        "4:note": "Called; Ana Ruiz",
    }


def test_a_table_without_ids(table: Path, tmp_path: Path) -> None:
    """Where lines are the only ids, a text that stands for several people is not revealed."""
    out = tmp_path / "back.csv"
    done = veil("reveal", table, "--mapping", tmp_path / "t", *COLUMNS, "-o", out)
    assert done.returncode == 1
    assert "several texts were masked to this one" in done.stderr
    assert "3 record(s) left out" in done.stderr
    done = veil(
        *("reveal", table, "--mapping", tmp_path / "t", "--text-column", "note"),
        *("-o", out, "--overwrite"),
    )
    assert done.returncode == 0, done.stderr
    with out.open(encoding="utf-8", newline="") as file:
        assert [row[2] for row in csv.reader(file)] == [
            *("note", "Seen: Okafor", "BP 120/80", "Called; Ana Ruiz")
        ]


def test_what_was_replaced_in_a_record(masked: Path, mapping: Path) -> None:
    """A record's replacements are listed by place and label; their texts only if asked for."""
    done = veil("reveal", "--mapping", mapping, "--record", "ward/english")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "4\tNAME\ttag\t(6)\n22\tNAME\ttag\t(6)\n"
    done = veil("reveal", "--mapping", mapping, "--record", "japanese", "--show")
    assert done.stdout == '3\tNAME\ttag\t"山田太郎"\n'
    done = veil("reveal", "--mapping", mapping, "--record", "none")
    assert done.returncode == 2
    assert "record none: is not in this mapping" in done.stderr


def test_a_passphrase_in_a_file(masked: Path, mapping: Path, tmp_path: Path) -> None:
    """The first line of a file is the passphrase, before that of the environment."""
    file = tmp_path / "phrase"
    file.write_text(PHRASE + "\r\nnot this\n", "utf-8")
    call = ("reveal", "--mapping", mapping, "--record", "japanese", "--passphrase-file", file)
    assert veil(*call, passphrase="something else").returncode == 0  # noqa: S106
    file.write_bytes(b"\xff\xfe")
    assert "is not UTF-8" in veil(*call).stderr
    file.write_text("\n", "utf-8")
    assert f"{file}: the passphrase is empty" in veil(*call).stderr
    file.unlink()
    assert f"{file}: the passphrase cannot be read" in veil(*call).stderr


@pytest.mark.parametrize(
    ("passphrase", "message"),
    [
        ("four other words", "wrong passphrase"),
        ("", "VEIL_PASSPHRASE: the passphrase is empty"),
        (None, "cannot ask for the passphrase without a terminal"),
    ],
)
def test_without_the_passphrase(
    passphrase: str | None, message: str, masked: Path, mapping: Path, tmp_path: Path
) -> None:
    """Without the passphrase nothing is written, and nobody waits for ever."""
    out = tmp_path / "originals"
    done = veil("reveal", masked, "--mapping", mapping, "-o", out, passphrase=passphrase)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("cut", "message"), [(slice(None, -5), "truncated after entry 5"), (slice(9), "truncated")]
)
def test_a_mapping_that_is_cut_off(
    cut: slice, message: str, masked: Path, mapping: Path, tmp_path: Path
) -> None:
    """A mapping that is not whole is an error, and nothing is written."""
    mapping.write_bytes(mapping.read_bytes()[cut])
    done = veil("reveal", masked, "--mapping", mapping, "-o", tmp_path / "originals")
    assert done.returncode == 2
    assert f"{mapping}: {message}" in done.stderr
    assert not (tmp_path / "originals").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give MASKED and -o OUT"),
        (("masked",), "-o is missing"),
        (("masked", "-o", "out", "--record", "x"), "--record, with MASKED"),
        (("--record", "x", "-o", "out"), "-o, without MASKED"),
        (("--record", "x", "--to", "jsonl"), "--to, without MASKED"),
        (("masked", "-o", "out", "--show"), "--show, without --record"),
        (("masked", "-o", "masked/out"), "lies inside the input"),
        (("masked", "-o", "new/", "--to", "jsonl"), "give a file with -o"),
        (("masked", "-o", "mapping", "--overwrite"), "might be overwritten"),
        (("masked", "-o", "..", "--overwrite", "--to", "jsonl"), "might be overwritten"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    options: tuple[str, ...], message: str, masked: Path, mapping: Path, tmp_path: Path
) -> None:
    """A call that makes no sense is refused before the passphrase is asked for."""
    places = {"masked": masked, "out": tmp_path / "out", "masked/out": masked / "out"}
    places |= {"mapping": mapping, "..": tmp_path}
    before = mapping.read_bytes()
    call = [places.get(option, option) for option in options]
    done = veil("reveal", *call, "--mapping", mapping, passphrase=None)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "out").exists()
    assert mapping.read_bytes() == before


def test_originals_are_not_overwritten(masked: Path, mapping: Path, tmp_path: Path) -> None:
    """A folder that is not empty is refused unless it may be written into."""
    out = tmp_path / "originals"
    out.mkdir()
    (out / "mine.txt").write_text("mine", "utf-8")
    call = ("reveal", masked, "--mapping", mapping, "-o", out)
    done = veil(*call)
    assert done.returncode == 2
    assert "exists already" in done.stderr
    assert veil(*call, "--overwrite").returncode == 0
    assert len(contents(out)) == len(NOTES) + 1


@pytest.mark.parametrize("policy", ["tag", "surrogate", "redact"])
def test_masking_and_revealing(policy: str, tmp_path: Path) -> None:
    """What `veil mask --mapping` masked comes back to the byte, and so does what it left alone."""
    notes = tmp_path / "notes"
    (notes / "ward").mkdir(parents=True)
    english = "\ufeffMr. Okafor, 45 y/o, was seen by Dr. Hale on 03/05/2019.\r\nMRN: 4471823.\r\n"
    swedish = "Pat Karin Hjelmqvist, 73 år, inkom 2023-03-14. Tel 070-1740605.\n"
    lines = [
        {"id": name, "language": "ja", "text": f"患者：{name}、63歳男性。", "n": [1.50]}
        for name in ("山田太郎", "佐藤花子")
    ]
    (notes / "ward/a.txt").write_bytes(english.encode())
    (notes / "b.txt").write_bytes(swedish.encode())
    (notes / "c.txt").write_bytes(b"BP 120/80 and nothing else in this note.\n")
    (notes / "d.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    masked, back, mapping = tmp_path / "masked", tmp_path / "back", tmp_path / "m"
    call = ("mask", notes, "-o", masked, "--policy", policy, "--workers", "1")
    done = veil(*call, "--mapping", mapping)
    assert done.returncode == 0, done.stderr
    assert b"Okafor" not in (masked / "ward/a.txt").read_bytes()
    done = veil("reveal", masked, "--mapping", mapping, "-o", back)
    assert done.returncode == 0, done.stderr
    assert contents(back) == contents(notes)
