from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, RecordError, Span
from veil.io import ReadLog, read, write

if TYPE_CHECKING:
    from pathlib import Path


def read_one(
    folder: Path, tags: str, text: str = "<![CDATA[Anna Berg\n63]]>", log: ReadLog | None = None
) -> Record:
    (folder / "220-01.xml").write_bytes(
        '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n'
        f"<TEXT>{text}</TEXT>\n<TAGS>\n{tags}\n</TAGS>\n</deIdi2b2>\n".encode()
    )
    (record,) = read(folder, format="i2b2-2014", log=log)
    return record


def test_tags_of_the_track(tmp_path: Path) -> None:
    """The label is the TYPE, or the element where there is none."""
    record = read_one(
        tmp_path,
        '<NAME id="P0" start="0" end="9" text="Anna Berg" TYPE="PATIENT" comment="" part="full"/>'
        '<AGE id="P1" start="10" end="12" text="63" comment=""/>',
    )
    assert record.document == Document("220-01", "Anna Berg\n63")
    assert list(record.spans) == [Span(0, 9, "PATIENT", part="full"), Span(10, 12, "AGE")]


def test_other_tags_are_noted(tmp_path: Path) -> None:
    """Tags of risk factors and of the whole record are left out with a note, children and all."""
    log = ReadLog()
    record = read_one(
        tmp_path,
        '<DIABETES id="D0" time="x"/><MEDICATION start="0" end="3"><NAME start="0" end="4"/>'
        '</MEDICATION><PHI id="P0" TYPE="DATE"/><PHI start="10" end="12" TYPE="AGE"/>',
        log=log,
    )
    assert [span.key for span in record.spans] == [(10, 12, "AGE")]
    assert dict(log.notes) == {"tags of the whole record or without PHI, left out": 3}


def test_offsets_count_characters_of_the_parsed_text(tmp_path: Path) -> None:
    """References, CDATA sections and characters beyond the BMP count as the parser gives them."""
    record = read_one(
        tmp_path,
        '<NAME start="3" end="5" text="吉田" TYPE="DOCTOR"/>',
        text="😀&amp;<![CDATA[<]]>吉田<!-- no text -->!",
    )
    assert record.document.text == "😀&<吉田!"
    assert record.document.text[3:5] == "吉田"
    assert [span.key for span in record.spans] == [(3, 5, "DOCTOR")]


def test_text_that_differs_is_noted(tmp_path: Path) -> None:
    """A text attribute that is not the text at the offsets is counted."""
    log = ReadLog()
    read_one(
        tmp_path,
        '<NAME start="0" end="4" text="Anne" TYPE="PATIENT"/>'
        '<NAME start="5" end="12" text="Berg 63" TYPE="PATIENT"/>',
        log=log,
    )
    assert dict(log.notes) == {"tags whose text differs from the text at their offsets": 1}


@pytest.mark.parametrize(
    "tag",
    [
        '<NAME start="0" end="99" TYPE="X"/>',
        '<NAME start="4" end="0" TYPE="X"/>',
        '<NAME start="-1" end="4" TYPE="X"/>',
        '<NAME start="²" end="4" TYPE="X"/>',
        '<NAME start="a" end="b" TYPE="X"/>',
        '<NAME start="0" TYPE="X"/>',
        f'<NAME start="0" end="{"9" * 5000}" TYPE="X"/>',
        '<NAME start="0" end="4" TYPE="X" part="middle"/>',
        '<NAME start="0" end="4" TYPE="X">',
        '<NAME start="0" end="4" TYPE="X" &x;/>',
    ],
)
def test_malformed_tag_is_located(tag: str, tmp_path: Path) -> None:
    """A tag that cannot be right is an error with file and line, without the text."""
    with pytest.raises(RecordError) as caught:
        read_one(tmp_path, f'<AGE start="10" end="12" text="63"/>\n{tag}')
    assert caught.value.path == tmp_path / "220-01.xml"
    assert caught.value.line in (7, 8)
    assert "Anna" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<x><TAGS/></x>", "no TEXT"),
        ("<x><TEXT>a</TEXT><TEXT>b</TEXT></x>", "second TEXT"),
        ("<x><TEXT>a<b>c</b></TEXT></x>", "element inside TEXT"),
        ("<x><TEXT>a</TEXT>", "not well-formed"),
        ("", "not well-formed"),
    ],
)
def test_other_xml_is_refused(source: str, reason: str, tmp_path: Path) -> None:
    """XML of another shape is an error, not a record without text."""
    (tmp_path / "a.xml").write_text(source, "utf-8")
    with pytest.raises(RecordError, match=reason):
        list(read(tmp_path, format="i2b2-2014"))


def test_what_is_written(tmp_path: Path) -> None:
    """The element is the family of the label in any scheme, and line breaks survive."""
    text = "A]]>\rB\n63 x\tq"
    spans = [
        Span(0, 6, "NOMBRE_SUJETO_ASISTENCIA"),
        Span(7, 9, "SEX"),
        Span(9, 11, "FIRST_NAME"),
        Span(11, 13, "NO_SCHEME"),
    ]
    record = Record.of(Document("r", text), spans)
    write([record], tmp_path, format="i2b2-2014")
    assert (tmp_path / "r.xml").read_bytes().decode() == (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n'
        "<TEXT><![CDATA[A]]]]><![CDATA[>]]>&#13;<![CDATA[B\n63 x\tq]]></TEXT>\n<TAGS>\n"
        '<NAME id="P0" start="0" end="6" text="A]]&gt;&#13;B" TYPE="NOMBRE_SUJETO_ASISTENCIA" '
        'comment="" />\n'
        '<OTHER id="P1" start="7" end="9" text="63" TYPE="SEX" comment="" />\n'
        '<NAME id="P2" start="9" end="11" text=" x" TYPE="FIRST_NAME" comment="" />\n'
        '<OTHER id="P3" start="11" end="13" text="&#9;q" TYPE="NO_SCHEME" comment="" />\n'
        "</TAGS>\n</deIdi2b2>\n"
    )
    log = ReadLog(strict=True)
    assert list(read(tmp_path, format="i2b2-2014", log=log)) == [record]
    assert not log.notes
