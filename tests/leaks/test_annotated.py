"""Annotated files quote the text that they annotate: none of it may be left when it is masked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil.cli.main import main
from veil.io import read

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Dr. Anna Okafor saw Mr. John Hale on 3/18/2001."
FILES = {
    "i2b2-2014": {
        "a.xml": '<?xml version="1.0"?>\n<!-- Okafor -->\n<deIdi2b2 by="Okafor">\n'
        f"<TEXT><![CDATA[{TEXT}]]></TEXT>\n<TAGS>\n"
        '<NAME id="Okafor" start="4" end="15" text="Anna Okafor" TYPE="DOCTOR" comment="Hale" />\n'
        '<NAME id="P1" start="24" end="33" text="John Hale" TYPE="Hale" comment="" />\n'
        '<SMOKER id="S0" status="as Hale said" />\n</TAGS>\n</deIdi2b2>\n'
    },
    "i2b2-2006": {
        "a.xml": '<ROOT><!-- Okafor -->\n<RECORD ID="1" BY="Okafor">\n<TEXT>'
        'Dr. <PHI TYPE="DOCTOR" NOTE="Okafor">Anna Okafor</PHI> saw Mr. '
        '<PHI TYPE="Hale">John Hale</PHI> on <PHI TYPE="DATE">3/18</PHI>/2001.'
        "</TEXT>\n</RECORD></ROOT>\n"
    },
    "brat": {
        "a.txt": TEXT,
        "a.ann": "T1\tDOCTOR 4 15\tAnna Okafor\n#1\tAnnotatorNotes T1\tOkafor, as Hale said\n"
        "T2\tHale 24 33\tJohn Hale\nR1\tHale Arg1:T1 Arg2:T2\nA1\tOkafor T1\n",
    },
    "conll": {
        "a.conll": "Dr.\tX\tO\nAnna\tOkafor\tB-DOCTOR\nOkafor\tOkafor\tI-DOCTOR\nsaw\tX\tO\n"
        "Mr.\tX\tO\nJohn\tX\tB-Hale\nHale\tX\tI-Hale\n"
    },
    "mednlp": {
        "a.txt": '<doc id="1">Dr. <p>Anna Okafor</p> saw Mr. <c who="Okafor">John Hale</c> on '
        "<t>3/18/2001</t>.</doc>\n"
    },
    "tagged": {
        "a.txt": "=== one\nDr. <DOCTOR>Anna Okafor</DOCTOR> saw Mr. <PATIENT>John Hale</PATIENT>.\n"
        "=== two\nMr. John Hale came on <DATE>3/18/2001</DATE>.\n"
    },
}


@pytest.mark.parametrize("policy", ["tag", "redact", "surrogate"])
@pytest.mark.parametrize("name", FILES)
def test_no_original_is_left_in_an_annotated_file(name: str, policy: str, tmp_path: Path) -> None:
    """No name, date or note of the input is in any byte of the output, and it can be read again."""
    folder, output = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for file, content in FILES[name].items():
        (folder / file).write_text(content, "utf-8")
    command = ["mask", str(folder), "-o", str(output), "--rules-only", "--lang", "en"]
    assert main([*command, "--policy", policy, "--workers", "1", "-q"]) == 0
    written = {file.name: file.read_bytes() for file in output.iterdir()}
    assert FILES[name].keys() <= written.keys()
    for data in written.values():
        for original in (b"Okafor", b"Hale", b"Anna", b"John", b"3/18"):
            assert original not in data
    records = list(read(output, format=name))
    assert [record.id for record in records] == [each.id for each in read(folder, format=name)]
    assert any(record.spans for record in records)


def test_masked_annotations_are_counted_once_and_come_back(tmp_path: Path) -> None:
    """Texts of brat are one record with their annotations, and a mapping restores both."""
    folder, output, back = tmp_path / "in", tmp_path / "out", tmp_path / "back"
    folder.mkdir()
    (folder / "a.txt").write_text(TEXT, "utf-8")
    (folder / "a.ann").write_text("T1\tDOCTOR 4 15\tAnna Okafor\n", "utf-8")
    secret = tmp_path / "secret"
    secret.write_text("open sesame, please", "utf-8")
    mapping = ["--mapping", str(tmp_path / "way.back"), "--passphrase-file", str(secret)]
    command = ["mask", str(folder), "-o", str(output), "--rules-only", "--lang", "en", "-q"]
    assert main([*command, *mapping]) == 0
    report = json.loads((output / "veil-report.json").read_text("utf-8"))
    assert report["records"]["masked"] == 1
    reveal = ["reveal", str(output), "-o", str(back), "--mapping", str(tmp_path / "way.back")]
    assert main([*reveal, "--passphrase-file", str(secret), "-q"]) == 0
    assert (back / "a.txt").read_text("utf-8") == TEXT
    assert (back / "a.ann").read_text("utf-8") == "T1\tDOCTOR 4 15\tAnna Okafor\n"
