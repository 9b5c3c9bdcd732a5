"""HL7 v2 messages: which fields are taken out, and what stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from veil import Document, RecordError, mask_files
from veil.io import FORMATS, Item, TableOptions, find_format
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable

HL7 = FORMATS.get("hl7")
SAMPLE = Path(__file__).parents[3] / "examples" / "formats" / "report.hl7"
HEADER = "MSH|^~\\&|LAB|A|EHR|B|20240312||ORU^R01|m1|P|2.5.1"
PID = "PID|1||4711^^^A^MR||Lindgren^Anna||19480312|F"


def write(file: Path, *segments: str, end: str = "\r", encoding: str = "utf-8") -> Path:
    file.write_bytes("".join(f"{each}{end}" for each in segments).encode(encoding))
    return file


def outcomes(file: Path) -> tuple[list[Item], list[RecordError]]:
    items: list[Item] = []
    errors: list[RecordError] = []
    for each in HL7.items(file, TableOptions()):
        if isinstance(each, RecordError):
            errors.append(each)
        else:
            items.append(each)
    return items, errors


def documents(file: Path) -> dict[str, Document]:
    items, _ = outcomes(file)
    return {doc.id.partition(":")[2]: doc for item in items for doc in item.documents}


def rewritten(file: Path, change: Callable[[Document], str]) -> bytes:
    items, _ = outcomes(file)
    target = file.with_suffix(".out")
    with HL7.writer(file, target, TableOptions()) as writer:
        for item in items:
            writer.write(item, [change(doc) for doc in item.documents])
    return target.read_bytes()


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_any_line_end_is_kept(end: str, tmp_path: Path) -> None:
    """Segments may end as files of any system do, and end so again."""
    file = write(tmp_path / "a.hl7", HEADER, PID, "NTE|1||Anna\\T\\Bo", end=end)
    assert documents(file)["NTE-3"].text == "Anna&Bo"
    assert rewritten(file, lambda doc: doc.text) == file.read_bytes()


def test_people_become_known_values(tmp_path: Path) -> None:
    """What PID, NK1 and PV1 say is known for the free text of the message."""
    file = write(
        tmp_path / "a.hl7",
        HEADER,
        "PID|1||4711^^^A^MR~480312-1234^^^B^SS||Lindgren^Anna^M~山田^花子~ヤマダ^ハナコ||19480312|F|||"
        "Storgatan 5^^Lund^^22222||070-123",
        "NK1|1|Berg&&von^Erik",
        "PV1|1|I|||||77^Okafor^Grace^^^Dr",
        "NTE|1||Seen.",
    )
    found = documents(file)
    assert found["PID-5.1"].meta["whole"] == "PATIENT"
    assert found["PID-5.1"].meta["part"] == "last"
    assert found["PID-3[2].1"].meta["whole"] == "SSN"
    assert {doc.meta["patient"] for doc in found.values()} == {"4711"}
    known = found["NTE-3"].meta["known"]
    assert known["names"] == ["Anna M Lindgren", "山田 花子"]
    assert known["readings"] == ["ヤマダ ハナコ"]
    assert known["relatives"] == ["Erik Berg"]
    assert known["doctors"] == ["Grace Okafor"]
    assert known["birth_dates"] == ["1948-03-12"]
    assert known["national_ids"] == ["480312-1234"]
    assert known["addresses"] == ["Storgatan 5"]
    assert known["phones"] == ["070-123"]


def test_lines_of_a_report_are_one_text(tmp_path: Path) -> None:
    """OBX and NTE segments one after the other are read together, as are line breaks inside."""
    file = write(
        tmp_path / "a.hl7",
        HEADER,
        PID,
        "OBX|1|TX|9^Report^L||Seen with Anna~Maria",
        "OBX|2|TX|9^Report^L||Lindgren.\\.br\\Well \\H\\now\\N\\.",
        "NTE|1||First",
        "NTE|2||Second",
        "OBX|3|TX|8^Other^L||Third",
    )
    found = documents(file)
    assert found["OBX-5"].text == "Seen with Anna\nMaria\nLindgren.\nWell now."
    assert found["NTE-3"].text == "First\nSecond"
    assert found["OBX[3]-5"].text == "Third"
    again = rewritten(file, lambda doc: doc.text.replace("Anna\nMaria\nLindgren", "Eva\nAnn\nEk"))
    assert b"||Seen with Eva~Ann\rOBX|2" in again
    assert b"||Ek.\\.br\\Well \\H\\now\\N\\.\r" in again


def test_new_text_is_escaped(tmp_path: Path) -> None:
    """Delimiters in a new text are written as escapes, those of the message."""
    file = tmp_path / "a.hl7"
    file.write_bytes(b"MSH#*%!?#LAB#A#EHR#B#20240312##ORU*R01#m1#P#2.5\rNTE#1##a!S!b & c^d|e\r")
    found = documents(file)
    assert found["NTE-3"].text == "a*b & c^d|e"
    again = rewritten(file, lambda doc: "x#y!z*" if doc.id.endswith("NTE-3") else doc.text)
    assert again.endswith(b"NTE#1##x!F!y!E!z!S!\r")


@pytest.mark.parametrize(
    ("new", "written"),
    [("19501102", "19501102103000+0100"), ("1950", "1950"), ("[DATE]", ""), ("1950-11", "195011")],
)
def test_only_timestamps_stand_where_one_must(new: str, written: str, tmp_path: Path) -> None:
    """A time stays with a full date; a date that HL7 cannot hold is left empty."""
    file = write(tmp_path / "a.hl7", HEADER, PID, "EVN|A01|20240311103000+0100")
    again = rewritten(file, lambda doc: new if "EVN-2" in doc.id else doc.text)
    assert f"EVN|A01|{written}\r".encode() in again


@pytest.mark.parametrize(
    ("segment", "left"),
    [
        ("ZPI|1|Anna Lindgren", ""),
        ("XYZ|1|Anna Lindgren", ""),
        ("NTE|1||Note||||||Anna^Lindgren", "NTE|1||Note||||||\r"),
        ("NK1|1|Berg^Erik^^^^^^^^^^^^^^^^^^^^Anna", "NK1|1|Berg^Erik^^^^^^^^^^^^^^^^^^^^\r"),
        ("OBX|1|QQ|9^x^L||Anna", "OBX|1|QQ|9^x^L||\r"),
        (
            "OBX|1|ED|9^x^L||^application^pdf^Base64^QW5uYQ==",
            "OBX|1|ED|9^x^L||^application^pdf^Base64^\r",
        ),
        ("QPD|Q1|7|@PID.5.1^Lindgren", "QPD|Q1|7|^\r"),
    ],
)
def test_what_hl7_does_not_define_is_left_out(segment: str, left: str, tmp_path: Path) -> None:
    """Local segments, undefined fields and data that cannot be searched go, and are reported."""
    file = write(tmp_path / "a.hl7", HEADER, PID, segment)
    _, errors = outcomes(file)
    assert len(errors) == 1
    assert "left out: " in str(errors[0])
    assert "Anna" not in str(errors[0])
    again = rewritten(file, lambda doc: doc.text)
    assert again == f"{HEADER}\r{PID}\r{left}".encode()


def test_names_in_codes_are_replaced(tmp_path: Path) -> None:
    """A code or number of a known person is an identifier wherever it stands."""
    file = write(
        tmp_path / "a.hl7", HEADER, PID, "OBX|1|CWE|9^x^L||LINDGREN^^L", "FT1|1||4711|||||||4711"
    )
    found = documents(file)
    assert found["OBX-5.1"].meta["whole"] == "PATIENT"
    assert found["FT1-10"].meta["whole"] == "MEDICALRECORD"


@pytest.mark.parametrize(
    ("charset", "encoding", "name"),
    [
        ("8859/1", "latin-1", "Sjöberg"),
        ("UNICODE UTF-8", "utf-8", "Sjöberg"),
        ("~ISO IR87", "iso2022_jp", "山田"),
        ("ASCII", "ascii", "Berg"),
    ],
)
def test_character_set_of_the_header_counts(
    charset: str, encoding: str, name: str, tmp_path: Path
) -> None:
    """A message is read and written in the character set of MSH-18."""
    segments = (f"{HEADER}||||||{charset}", f"PID|1||1||{name}^A", f"NTE|1||Om {name}.")
    file = write(tmp_path / "a.hl7", *segments, encoding=encoding)
    assert documents(file)["PID-5.1"].text == name
    assert rewritten(file, lambda doc: doc.text) == file.read_bytes()
    assert rewritten(file, lambda doc: doc.text.replace(name, "Ek")) == file.read_bytes().replace(
        name.encode(encoding), b"Ek"
    )


def test_japanese_message_is_masked(tmp_path: Path) -> None:
    """Kanji, their reading and an address in one component agree in fields and free text."""
    segments = (
        f"{HEADER}||||||~ISO IR87||ISO 2022-1994",
        "PID|1||12345||山田^太郎~ヤマダ^タロウ||19480312|M|||^^新宿区^東京都^160-0023^JPN^^西新宿2-8-1",
        "NTE|1||山田太郎さんは来院。やまださんは西新宿2-8-1に住む。",
    )
    file = write(tmp_path / "a.hl7", *segments, encoding="iso2022_jp")
    assert documents(file)["PID-11.8"].meta["whole"] == "STREET"
    mask_files(file, tmp_path / "b.hl7", policy="surrogate", key=Key(bytes(32)))
    text = (tmp_path / "b.hl7").read_bytes().decode("iso2022_jp")
    family, given = text.split("PID|")[1].split("|")[4].partition("~")[0].split("^")
    assert f"{family}{given}さんは来院" in text
    assert not any(word in text for word in ("山田", "太郎", "ヤマダ", "やまだ", "西新宿"))
    assert text.split("\r")[0].endswith("~ISO IR87||ISO 2022-1994")


def test_surrogates_fit_the_character_set(tmp_path: Path) -> None:
    """A message in ASCII gets surrogates that ASCII can hold."""
    segments = (f"{HEADER}||||||ASCII", "PID|1||1||Lindgren^Bjorn", "NTE|1||Bjorn Lindgren came.")
    file = write(tmp_path / "a.hl7", *segments, encoding="ascii")
    assert documents(file)["PID-5.1"].meta["encoding"] == "ascii"
    mask_files(file, tmp_path / "b.hl7", policy="surrogate", key=Key(bytes(32)), lang="sv")
    assert (tmp_path / "b.hl7").read_bytes().isascii()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (f"{HEADER}||||||8859/1\rPID|1||1||Sjöberg\r".encode(), "may be in another encoding"),
        (f"{HEADER}||||||BIG-5\rPID|1||1||x\r".encode(), "character set"),
        (f"{HEADER}\rPID|1||1||Sjöberg\r".encode("latin-1"), "not UTF-8"),
        (f"{HEADER}\rPID|1||1||x\r".encode("utf-16"), "NUL"),
        (f"{HEADER}\rAnna Lindgren\r".encode(), "not a segment"),
        (f"{HEADER}\rPID|1||1||\\M2442\\\r".encode(), "escape"),
        (f"{HEADER}\rPID|1||1||\\XFF\\\r".encode(), "escape"),
        (f"PID|1||1||Lindgren\r{HEADER}\r".encode(), "not a message"),
        (b"MSH|^^~&|LAB\r", "delimiters"),
    ],
)
def test_malformed_messages_are_withheld(data: bytes, reason: str, tmp_path: Path) -> None:
    """A message that cannot be read with certainty is withheld, with the line and no text."""
    file = tmp_path / "a.hl7"
    file.write_bytes(data)
    _, errors = outcomes(file)
    assert reason in str(errors[0])
    assert not any(word in str(errors[0]) for word in ("Anna", "Lindgren", "berg"))


def test_two_patients_of_a_message_are_apart(tmp_path: Path) -> None:
    """In a message about several patients each has known values of their own."""
    file = write(tmp_path / "a.hl7", HEADER, PID, "NTE|1||One", "PID|2||4712||Ek^Bo", "NTE|1||Two")
    found = documents(file)
    assert found["NTE-3"].meta["known"]["names"] == ["Anna Lindgren"]
    assert found["NTE[2]-3"].meta["known"]["names"] == ["Bo Ek"]
    assert found["NTE[2]-3"].meta["patient"] == "4712"


@pytest.mark.parametrize("suffix", [".hl7", ".txt", ""])
def test_messages_are_recognised(suffix: str, tmp_path: Path) -> None:
    """A file of messages is recognised by its header, in an MLLP frame too."""
    assert find_format(write(tmp_path / f"a{suffix}", HEADER, PID)) is HL7
    assert find_format(write(tmp_path / f"b{suffix}", f"\x0b{HEADER}", PID)) is HL7


@pytest.mark.parametrize(
    ("given", "left"),
    [("120-150", "120-150"), ("<5,0", "<5,0"), ("as for Anna", "X"), ("555-0142", "X")],
)
def test_a_reference_range_of_small_numbers_is_kept(given: str, left: str, tmp_path: Path) -> None:
    """The range is no text to search; anything else in its field is."""
    file = write(tmp_path / "a.hl7", HEADER, PID, f"OBX|1|NM|9^x^L||7|g/L|{given}")
    again = rewritten(file, lambda doc: "X" if "OBX-7" in doc.id else doc.text)
    assert f"|g/L|{left}\r".encode() in again


def test_sample_is_masked_for_another_reader(tmp_path: Path) -> None:
    """The masked sample has other people, and to another program every other field is the same."""
    hl7: Any = pytest.importorskip("hl7")
    result = mask_files(
        SAMPLE, tmp_path / "masked.hl7", policy="surrogate", key=Key(bytes(range(32))), lang="en"
    )
    assert result.summary.tally.records == 1
    before, after = (
        hl7.parse(file.read_bytes().decode()) for file in (SAMPLE, tmp_path / "masked.hl7")
    )
    text = str(after)
    for word in ("Lindgren", "Anna", "Erik", "Okafor", "4711899", "555-0142", "Harbour", "0312"):
        assert word not in text
    family, given = (str(after.segment("PID")[5][0][part]) for part in (0, 1))
    assert f"{given} {family} wants a copy by post." in text
    assert [str(each[0]) for each in after] == [str(each[0]) for each in before]
    changed = {
        (str(old[0]), number)
        for old, new in zip(before, after, strict=True)
        for number, (left, right) in enumerate(zip(old, new, strict=True))
        if str(left) != str(right)
    }
    assert changed == {
        *(("MSH", number) for number in (4, 6, 7)),
        *(("PID", number) for number in (3, 5, 7, 11, 13)),
        *(("NK1", number) for number in (2, 5)),
        *(("PV1", number) for number in (3, 7, 19)),
        *(("OBR", number) for number in (2, 3, 7, 16)),
        *(("OBX", number) for number in (5, 14)),
        ("NTE", 3),
    }
