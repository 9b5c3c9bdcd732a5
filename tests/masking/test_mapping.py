"""Mappings: originals come back, and nothing else does."""

from __future__ import annotations

import contextlib
import resource
import sys
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.core.errors import InputError, RecordError
from veil.masking.mapping import OPENED, MappingReader, MappingWriter
from veil.replace.base import Edit, Masked, apply_edits

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PHRASE = "four plain words here"

NOTES = {
    "english": ("Mr. Okafor was seen by Dr. Hale.", {"Okafor": "[PATIENT]", "Hale": "[DOCTOR]"}),
    "spanish": ("Paciente: Ana Ruiz, de Lugo.", {"Ana Ruiz": "Eva Mora", "Lugo": "Soria"}),
    "swedish": ("Pat Åsa Öhman, 73 år.", {"Åsa Öhman": "", "73 år": "70-79 år"}),
    "japanese": ("患者：山田太郎、63歳。", {"山田太郎": "佐藤一郎", "63歳": "█"}),
    "nothing": ("BP 120/80.", {}),
}


def masked(text: str, replacements: dict[str, str]) -> Masked:
    edits = []
    for old, new in replacements.items():
        start = text.index(old)
        edits.append(Edit(start, start + len(old), old, new, "NAME", "tag"))
    return Masked(Document("", apply_edits(text, edits)), tuple(edits))


MASKED = {name: masked(*note) for name, note in NOTES.items()}


def write(path: Path, names: Iterable[str] = NOTES, *, resume: bool = False) -> None:
    with MappingWriter(path, PHRASE, resume=resume, log_n=4) as mapping:
        for name in names:
            mapping.add(name, MASKED[name])


def originals(path: Path) -> dict[str, str]:
    """The originals of all notes that a mapping holds."""
    found = {}
    with MappingReader(path, PHRASE) as mapping:
        for name, note in MASKED.items():
            with contextlib.suppress(RecordError):
                found[name] = mapping.original(note.document.text)
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.map"


def test_originals_come_back(path: Path) -> None:
    """Every masked text leads back to what it was, whatever was put in and taken out."""
    write(path)
    assert originals(path) == {name: text for name, (text, _) in NOTES.items()}


def test_nothing_can_be_read_without_the_passphrase(path: Path) -> None:
    """Neither ids nor originals stand in the file, and others of the machine cannot open it."""
    write(path)
    data = path.read_bytes()
    for name, (_, replacements) in NOTES.items():
        for word in (name, *replacements):
            assert word.encode() not in data
    assert path.stat().st_mode & 0o077 == 0


def test_sizes_say_nothing_of_short_texts(tmp_path: Path) -> None:
    """Records with one name each take the same space, however long it is."""
    sizes = set()
    for name in ("Li", "Bartholomew Featherstonehaugh"):
        with MappingWriter(tmp_path / name, PHRASE, log_n=4) as mapping:
            mapping.add("note", masked(f"Seen: {name}", {name: "[PATIENT]"}))
        sizes.add((tmp_path / name).stat().st_size)
    assert len(sizes) == 1


def test_equal_runs_give_different_bytes(tmp_path: Path) -> None:
    """Two mappings of the same records share nothing that could be compared."""
    for name in "ab":
        write(tmp_path / name, ["english"])
    (_, one), (_, other) = (frames(tmp_path / name) for name in "ab")
    sealed = [frame[9:] for frame in (*one, *other)]
    pieces = [{each[at : at + 8] for at in range(len(each) - 8)} for each in sealed]
    assert not pieces[0] & pieces[2]


def test_a_wrong_passphrase(path: Path) -> None:
    """A wrong passphrase is said to be one, for reading and for going on."""
    write(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="wrong passphrase"):
        MappingReader(path, PHRASE + ".")
    with pytest.raises(InputError, match="wrong passphrase"):
        MappingWriter(path, PHRASE + ".", resume=True)
    assert path.read_bytes() == before


def test_a_passphrase_is_the_same_on_every_keyboard(path: Path) -> None:
    """An accent may be a character of its own or not."""
    with MappingWriter(path, "cuatro palabras más", log_n=4) as mapping:
        mapping.add("english", MASKED["english"])
    with MappingReader(path, "cuatro palabras ma\u0301s") as reader:
        assert reader.count == 1


def test_a_short_passphrase_is_refused(path: Path) -> None:
    """A mapping that could be guessed is not begun."""
    with pytest.raises(InputError, match="at least 12 characters"):
        MappingWriter(path, "secret")
    assert not path.exists()


def test_a_mapping_is_never_overwritten(path: Path) -> None:
    """An existing file is an error, and stays as it was."""
    write(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="exists already"):
        MappingWriter(path, PHRASE)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"id,name\n1,Ann\n", b"VEILMAP\n"])
def test_what_is_no_mapping(content: bytes, path: Path) -> None:
    """A file of another kind, or a mapping's first bytes alone, cannot be read."""
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"is not a mapping of Veil|truncated in its first bytes"):
        MappingReader(path, PHRASE)


def test_another_file_is_not_gone_on_with(path: Path) -> None:
    """A file that is no mapping is not taken for one that was just begun."""
    path.write_bytes(b"id,name\n")
    with pytest.raises(InputError, match="is not a mapping of Veil"):
        MappingWriter(path, PHRASE, resume=True)
    assert path.read_bytes() == b"id,name\n"


def test_a_later_version_is_named(path: Path) -> None:
    """A mapping of a version to come is refused by its number."""
    write(path)
    data = bytearray(path.read_bytes())
    data[8] = 2
    path.write_bytes(data)
    with pytest.raises(InputError, match="version 2"):
        MappingReader(path, PHRASE)


def test_any_damaged_byte_is_noticed(path: Path) -> None:
    """One bit changed anywhere is an error, never another text and never a traceback."""
    write(path, ["english", "spanish"])
    data = bytearray(path.read_bytes())
    for place in range(0, len(data), 7):
        data[place] ^= 4
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"notes\.map: "):
            MappingReader(path, PHRASE)
        data[place] ^= 4


def test_damage_is_not_taken_for_a_torn_entry(path: Path) -> None:
    """Going on in a damaged file is refused: what follows the damage would be lost."""
    write(path)
    data = bytearray(path.read_bytes())
    for place in range(OPENED, len(data), 5):
        data[place] ^= 128
        path.write_bytes(data)
        with pytest.raises(InputError, match="damaged"):
            MappingWriter(path, PHRASE, resume=True)
        assert path.read_bytes() == data
        data[place] ^= 128


def test_a_file_cut_anywhere_is_noticed(path: Path) -> None:
    """A mapping without its end is an error, also where it ends after a whole entry."""
    write(path, ["english", "spanish"])
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"truncated|not a mapping"):
            MappingReader(path, PHRASE)


def frames(path: Path) -> tuple[bytes, list[bytes]]:
    """The start of a mapping and its frames; entries of short notes are of one size."""
    data = path.read_bytes()
    closing = 9 + 12 + 16
    entry = closing + 256
    places = range(OPENED, len(data) - closing, entry)
    return data[:OPENED], [*(data[place : place + entry] for place in places), data[-closing:]]


@pytest.mark.parametrize(
    "order", [(1, 0, 2, 3), (0, 2, 3), (1, 2, 3), (0, 1, 1, 2, 3), (0, 1, 3), (0, 1, 2, 3, 2)]
)
def test_entries_keep_their_places(order: tuple[int, ...], path: Path) -> None:
    """Entries that were exchanged, taken out, doubled or added behind the end are noticed."""
    write(path, ["english", "spanish", "swedish"])
    start, parts = frames(path)
    assert len(parts) == 4
    path.write_bytes(start + b"".join(parts[number] for number in order))
    with pytest.raises(InputError, match="damaged"):
        MappingReader(path, PHRASE)


def test_entries_of_another_mapping_do_not_fit(tmp_path: Path, path: Path) -> None:
    """An entry of another file with the same passphrase is noticed."""
    write(path, ["english"])
    write(tmp_path / "other.map", ["spanish"])
    start, _ = frames(path)
    _, others = frames(tmp_path / "other.map")
    path.write_bytes(start + b"".join(others))
    with pytest.raises(InputError, match="damaged at entry 1"):
        MappingReader(path, PHRASE)


def test_a_changed_text_is_not_revealed(path: Path) -> None:
    """A masked text that is not as it was written has no original."""
    write(path)
    with MappingReader(path, PHRASE) as mapping:
        text = MASKED["english"].document.text
        with pytest.raises(RecordError, match="record english: its text is not in this mapping"):
            mapping.original(text + " ", record="english")
        with pytest.raises(RecordError, match="record other: is not in this mapping"):
            mapping.edits("other")


def test_the_text_leads_back_under_any_name(path: Path) -> None:
    """A file that was renamed is revealed: its text is known."""
    write(path)
    with MappingReader(path, PHRASE) as mapping:
        assert (
            mapping.original(MASKED["english"].document.text, record="renamed")
            == (NOTES["english"][0])
        )


def test_texts_that_became_the_same(path: Path) -> None:
    """If masking made texts equal, the id selects the original; otherwise it is an error."""
    with MappingWriter(path, PHRASE, log_n=4) as mapping:
        mapping.add("a", masked("Seen: Ann", {"Ann": "X"}))
        mapping.add("b", masked("Seen: Bo", {"Bo": "X"}))
        mapping.add("c", masked("Seen: Cy", {"Cy": "X"}))
        mapping.add("c", masked("Seen: Di", {"Di": "X"}))
        mapping.add("c", masked("Called: Di", {"Di": "X"}))
    with MappingReader(path, PHRASE) as reader:
        assert reader.original("Seen: X", record="a") == "Seen: Ann"
        assert reader.original("Seen: X", record="b") == "Seen: Bo"
        assert reader.original("Called: X") == "Called: Di"
        for unclear in ("c", "d", None):
            with pytest.raises(RecordError, match="several texts were masked to this one"):
                reader.original("Seen: X", record=unclear)
        assert [edit.old for edits in reader.edits("c") for edit in edits] == ["Cy", "Di", "Di"]


def test_nothing_of_a_text_in_a_repr(path: Path) -> None:
    """What a log or a traceback may show holds no original."""
    write(path)
    with MappingReader(path, PHRASE) as mapping:
        assert "Okafor" not in repr(mapping.edits("english"))


class StopError(Exception):
    """What stops a run in these tests."""


def write_and_stop(path: Path, name: str) -> None:
    with (
        contextlib.suppress(StopError),
        MappingWriter(path, PHRASE, resume=True, log_n=4) as mapping,
    ):
        mapping.add(name, MASKED[name])
        raise StopError


def test_a_run_that_was_stopped_goes_on(path: Path) -> None:
    """What was added before a stop is there after it; until it is closed it cannot be read."""
    write_and_stop(path, "english")
    with pytest.raises(InputError, match="truncated after entry 1"):
        MappingReader(path, PHRASE)
    with MappingWriter(path, PHRASE, resume=True) as mapping:
        assert mapping.count == 1
        mapping.add("spanish", MASKED["spanish"])
        assert mapping.flush() == 2
    assert list(originals(path)) == ["english", "spanish"]


def test_a_torn_entry_is_dropped_when_going_on(path: Path) -> None:
    """Wherever a run was killed, whole entries stay, and it can be gone on with."""
    write(path, ["english", "spanish"])
    data = path.read_bytes()
    start, parts = frames(path)
    ends = [len(start) + sum(map(len, parts[:number])) for number in range(3)]
    for size in range(0, len(data) + 1, 3):
        path.write_bytes(data[:size])
        whole = max(0, sum(end <= size for end in ends) - 1)
        with MappingWriter(path, PHRASE, resume=True, log_n=4) as mapping:
            assert mapping.count == whole
            mapping.add("swedish", MASKED["swedish"])
        assert list(originals(path)) == [*["english", "spanish"][:whole], "swedish"]


def test_going_on_after_the_end(path: Path) -> None:
    """A closed mapping is opened again; a record that comes again is still revealed."""
    write(path, ["english", "spanish"])
    write(path, ["spanish", "swedish"], resume=True)
    assert list(originals(path)) == ["english", "spanish", "swedish"]


def test_going_on_with_nothing(path: Path) -> None:
    """Where a run was stopped before its mapping was begun, it is begun."""
    write(path, ["english"], resume=True)
    assert list(originals(path)) == ["english"]


def test_an_entry_written_again_shares_no_nonce(path: Path) -> None:
    """An entry in the place of a torn one is sealed with another nonce: a copy says nothing."""
    nonces = set()
    for name in ("english", "spanish", "swedish"):
        write_and_stop(path, name)
        data = path.read_bytes()
        nonces.add(data[OPENED + 9 : OPENED + 21])
        path.write_bytes(data[:-1])
    assert len(nonces) == 3


def test_a_full_disk_is_a_clear_error(path: Path) -> None:
    """A file that can grow no more is named; what is whole stays, and can be gone on with."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with MappingWriter(path, PHRASE, log_n=4) as mapping:
            mapping.add("english", MASKED["english"])
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 99, hard))
            mapping.add("spanish", MASKED["spanish"])
    except InputError as error:
        message = str(error)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert message.startswith(f"{path}: the mapping cannot be written: ")
    write(path, ["swedish"], resume=True)
    assert list(originals(path)) == ["english", "swedish"]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A path that cannot be a file is a clear error for writing and reading."""
    with pytest.raises(InputError, match=r"exists already|cannot be written"):
        MappingWriter(tmp_path, PHRASE, log_n=4)
    with pytest.raises(InputError, match="cannot be read"):
        MappingReader(tmp_path, PHRASE)


def test_without_the_library(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra's package the error says how to install it."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.kdf.scrypt", None)
    with pytest.raises(InputError, match=r"veil-deid\[mapping\]"):
        MappingWriter(path, PHRASE)
    assert not path.exists()
