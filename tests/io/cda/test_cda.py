"""CDA documents: which texts and attributes are taken out, and what stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from veil import Document, RecordError, mask_files
from veil.io import FORMATS, Item, TableOptions, find_format
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable

CDA = FORMATS.get("cda")
SAMPLE = Path(__file__).parents[3] / "examples" / "formats" / "discharge-summary.xml"
START = '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
PERSON = (
    '<recordTarget><patientRole><id root="1.2.3" extension="4711"/><patient><name>'
    '<given>Anna</given><family>Lindgren</family></name><birthTime value="19480312"/></patient>'
    "</patientRole></recordTarget>"
)
END = "</ClinicalDocument>"


def make(folder: Path, inner: str, *, before: str = "", encoding: str = "utf-8") -> Path:
    file = folder / "a.xml"
    file.write_bytes(f"{before}{START}{PERSON}{inner}{END}".encode(encoding))
    return file


def outcomes(file: Path) -> tuple[Item, list[RecordError]]:
    item, *errors = CDA.items(file, TableOptions())
    assert isinstance(item, Item)
    return item, [each for each in errors if isinstance(each, RecordError)]


def documents(file: Path) -> dict[str, Document]:
    item, _ = outcomes(file)
    return {doc.id.partition(":ClinicalDocument.")[2]: doc for doc in item.documents}


def rewritten(file: Path, change: Callable[[Document], str]) -> str:
    item, _ = outcomes(file)
    target = file.with_suffix(".out")
    with CDA.writer(file, target, TableOptions()) as writer:
        writer.write(item, [change(doc) for doc in item.documents])
    return target.read_bytes().decode()


def test_people_become_known_values() -> None:
    """What the header says of people is known for the narrative."""
    item, errors = outcomes(SAMPLE)
    assert errors == []
    narrative = next(doc for doc in item.documents if doc.id.endswith("section.text"))
    known = narrative.meta["known"]
    assert known["names"] == ["Anna Maria Lindgren"]
    assert known["relatives"] == ["Erik Lindgren"]
    assert known["doctors"] == ["Grace Okafor"]
    assert known["hospitals"] == ["Lindhaga Hospital"]
    assert known["national_ids"] == ["078-05-1120"]
    assert narrative.meta["patient"] == "4711899"
    assert narrative.language == "en"  # of its languageCode


def test_narrative_is_one_text(tmp_path: Path) -> None:
    """Blocks are lines, cells are parted, and a name over two elements is one."""
    file = make(
        tmp_path,
        "<component><section><text><paragraph>Mrs <content>Lind</content>gren<br/>well</paragraph>"
        "<table><tr><td>Anna</td><td><![CDATA[<Bo>]]></td></tr></table></text></section></component>",
    )
    assert documents(file)["component.section.text"].text == "Mrs Lindgren\nwell\nAnna\t<Bo>"
    again = rewritten(file, lambda doc: doc.text.replace("Lindgren", "A&B"))
    assert "Mrs <content>A&amp;B</content><br/>well" in again


@pytest.mark.parametrize(
    ("element", "label"),
    [
        ('<telecom value="tel:+46-70-1"/>', "PHONE"),
        ('<telecom value="mailto:a@b.se"/>', "EMAIL"),
        ('<telecom value="070-1"/>', "CONTACT"),
        ("<addr><city>Lund</city></addr>", "CITY"),
        ("<addr>Storgatan 5</addr>", "STREET"),
        ("<custodian><assignedCustodian><representedCustodianOrganization><name>X</name>"
         "</representedCustodianOrganization></assignedCustodian></custodian>", "HOSPITAL"),
        ('<author><assignedAuthor><id extension="7"/></assignedAuthor></author>', "LICENSE"),
        ('<setId extension="7"/>', "IDNUM"),
        ('<effectiveTime><low value="20240101"/></effectiveTime>', "DATE"),
        ('<value xsi:type="TS" value="2024"/>', "DATE"),
        ('<value xsi:type="INT" value="20240101"/>', "DATE"),
        ('<code code="1" displayName="Anna Berg"/>', ""),
        ('<value xsi:type="ST">Anna Berg</value>', ""),
        ("<desc>Anna Berg</desc>", ""),
        ('<id root="Anna Berg"/>', ""),
        ('<code code="LINDGREN"/>', "PATIENT"),
    ],
)  # fmt: skip
def test_elements_and_attributes_have_labels(element: str, label: str, tmp_path: Path) -> None:
    """Identifiers are replaced as a whole, other texts are searched."""
    before = set(documents(make(tmp_path, "")))
    found = documents(make(tmp_path, element))
    (new,) = (doc for name, doc in found.items() if name not in before)
    assert new.meta.get("whole", "") == label


@pytest.mark.parametrize(
    "element",
    [
        '<value xsi:type="PQ" value="118" unit="g/L"/>',
        '<code code="718-7" codeSystem="2.16.840.1.113883.6.1" displayName="Hemoglobin"/>',
        '<templateId root="2.16.840.1.113883.10.20.22.1.8" extension="2015-08-01"/>',
        '<confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/>',
        '<text><reference value="#plan1"/></text>',
    ],
)
def test_structure_is_not_searched(element: str, tmp_path: Path) -> None:
    """Measurements, codes of public terminologies and links inside stay as they are."""
    assert documents(make(tmp_path, element)) == documents(make(tmp_path, ""))


@pytest.mark.parametrize(
    ("new", "written"),
    [
        ("19500101", '<birthTime value="19500101"/>'),
        ("1950", '<birthTime value="1950"/>'),
        ("[DATE]", '<birthTime nullFlavor="MSK"/>'),
    ],
)
def test_masked_dates_stay_valid(new: str, written: str, tmp_path: Path) -> None:
    """A date that CDA cannot hold becomes a null flavor."""
    again = rewritten(make(tmp_path, ""), lambda doc: new if "birthTime" in doc.id else doc.text)
    assert written in again


@pytest.mark.parametrize(
    "inner",
    [
        "<ssn>Anna Lindgren</ssn>",
        '<x:patient xmlns:x="urn:local">Anna Lindgren</x:patient>',
        '<component><nonXMLBody><text mediaType="application/pdf" representation="B64">QW5uYQ=='
        "</text></nonXMLBody></component>",
        "<?note Anna Lindgren?>",
    ],
)
def test_what_cda_does_not_define_is_left_out(inner: str, tmp_path: Path) -> None:
    """Unknown elements, instructions and attachments go, and are reported without their text."""
    file = make(tmp_path, inner)
    _, errors = outcomes(file)
    assert "left out: 1 " in str(errors[0])
    assert "Anna" not in str(errors[0])
    again = rewritten(file, lambda doc: doc.text)
    assert again.count("Anna") == 1
    assert "QW5u" not in again


def test_comments_are_removed(tmp_path: Path) -> None:
    """A comment is no part of the document and may hold anything."""
    file = make(tmp_path, "<!-- Anna -->", before="<!-- Lindgren -->")
    assert rewritten(file, lambda doc: doc.text) == f"{START}{PERSON}{END}"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (f"{START}<x>{END}", "not well-formed at line 1"),
        ("\ufeff\ufeff" + START + END, "byte order mark"),
        (f"<!DOCTYPE x [<!ENTITY a 'Anna'>]>{START}&a;{END}", "document type"),
        (f'<!DOCTYPE x SYSTEM "file:///etc/passwd">{START}{END}', "document type"),
        (f"{START}&Anna;{END}", "not well-formed"),
        (f"{START}{'<component>' * 300}{'</component>' * 300}{END}", "nested"),
        ('<ClinicalDocument xmlns="urn:x">Anna</ClinicalDocument>', "not a ClinicalDocument"),
        (f'<?xml version="1.0" encoding="x-anna"?>{START}{END}', "unknown encoding"),
        (f'<?xml version="1.0" encoding="ISO-8859-1"?>{START}<title>Åsa</title>{END}', "encoding"),
    ],
)  # fmt: skip
def test_malformed_documents_are_withheld(data: str, reason: str, tmp_path: Path) -> None:
    """XML that is not sound, or that refers to anything outside, is withheld as a whole."""
    file = tmp_path / "a.xml"
    file.write_bytes(data.encode())
    with pytest.raises(RecordError, match=reason) as caught:
        list(CDA.items(file, TableOptions()))
    assert "Anna" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "shift_jis"])
def test_declared_encoding_is_kept(encoding: str, tmp_path: Path) -> None:
    """A document is read and written in its encoding; letters that it lacks become references."""
    name = "山田" if encoding == "shift_jis" else "Sjöberg"
    before = f'<?xml version="1.0" encoding="{encoding}"?>'
    file = make(tmp_path, f"<title>{name} {name}s Anna</title>", before=before, encoding=encoding)
    item, _ = outcomes(file)
    target = tmp_path / "out.xml"
    with CDA.writer(file, target, TableOptions()) as writer:
        writer.write(item, [doc.text.replace("Anna", "Łucja") for doc in item.documents])
    if encoding == "shift_jis":  # which expat does not know
        assert f"{name}s &#321;ucja".encode(encoding) in target.read_bytes()
    else:
        root = ElementTree.parse(target).getroot()  # noqa: S314 - our own
        assert root.findtext("{urn:hl7-org:v3}title") == f"{name} {name}s Łucja"


def test_sample_is_masked_for_another_reader(tmp_path: Path) -> None:
    """The masked sample has other people; to another parser only their texts differ."""
    masked = tmp_path / "masked.xml"
    key = Key(bytes(range(32)))
    result = mask_files(SAMPLE, masked, policy="surrogate", key=key)
    assert result.summary.tally.records == 1
    text = masked.read_text("utf-8")
    for word in ("Lindgren", "Anna", "Erik", "Okafor", "4711899", "555-0142", "Harbour", "0312"):
        assert word not in text
    before, after = (
        list(ElementTree.parse(file).getroot().iter())  # noqa: S314 - our own
        for file in (SAMPLE, masked)
    )
    assert [each.tag for each in after] == [each.tag for each in before]
    same = [(old, new) for old, new in zip(before, after, strict=True)]
    changed = {
        name for old, new in same for name in old.attrib if old.attrib[name] != new.attrib.get(name)
    }
    assert changed == {"extension", "value"}
    unchanged = {old.tag.partition("}")[2] for old, new in same if old.attrib == new.attrib}
    assert {"code", "templateId", "value", "typeId"} <= unchanged


def test_documents_are_recognised(tmp_path: Path) -> None:
    """A document is told from other XML by its root."""
    assert find_format(SAMPLE) is CDA
    other = tmp_path / "a.xml"
    other.write_text("<ROOT><RECORD ID='1'><TEXT>x</TEXT></RECORD></ROOT>", "utf-8")
    assert find_format(other) is not CDA
