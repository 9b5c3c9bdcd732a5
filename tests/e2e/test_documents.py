"""Documents, pages and messages: every command reads what can be masked."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from veil import io
from veil.cli import main

SAMPLES = Path(__file__).parents[2] / "examples" / "formats"
FILES = sorted(file.name for file in SAMPLES.iterdir() if file.suffix != ".xlsx")
NAMES = ("Lindgren", "Okafor", "Harbour")


@pytest.mark.parametrize("name", FILES)
def test_every_command_reads_documents(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What can be masked can be searched, converted, evaluated and shown."""
    source, found = str(SAMPLES / name), str(tmp_path / "found.jsonl")
    assert main(["detect", source, "-o", found, "--lang", "en", "-q"]) == 0
    records = [json.loads(line) for line in Path(found).read_text("utf-8").splitlines()]
    quoted = [
        record["text"][span["start"] : span["end"]]
        for record in records
        for span in record["spans"]
    ]
    assert any("Lindgren" in each for each in quoted)
    brat = tmp_path / "brat"
    assert main(["convert", found, str(brat), "--to", "brat", "-q"]) == 0
    assert len(list(io.read(brat))) == len(records)
    assert main(["convert", source, str(tmp_path / "own.jsonl"), "--to", "jsonl", "-q"]) == 0
    assert main(["evaluate", found, found]) == 0
    capsys.readouterr()
    assert main(["show", source]) == 0
    assert "Lindgren" in capsys.readouterr().out


def test_masked_documents_are_revealed(tmp_path: Path) -> None:
    """With its mapping every masked document gets its texts back, in its form."""
    secret = tmp_path / "pass"
    secret.write_text("correct horse battery\n", "utf-8")
    inputs, mapping = tmp_path / "in", str(tmp_path / "mapping")
    inputs.mkdir()
    for name in FILES:
        shutil.copy(SAMPLES / name, inputs / name)
    opened = ["--mapping", mapping, "--passphrase-file", str(secret), "-q"]
    masked, back = str(tmp_path / "masked"), str(tmp_path / "back")
    arguments = ["--policy", "surrogate", "--lang", "en"]
    assert main(["mask", str(inputs), "-o", masked, *arguments, *opened]) == 0
    everything = b"".join(file.read_bytes() for file in Path(masked).rglob("*") if file.is_file())
    assert not any(name.encode() in everything for name in NAMES)
    assert main(["reveal", masked, "-o", back, *opened]) == 0
    for name in FILES:
        own = SAMPLES / name
        again = Path(back, io.masked_name(name))
        texts = [
            sorted(record.document.text.strip() for record in io.read(file))
            for file in (own, again)
        ]
        if own.suffix == ".html":  # a comment was removed for good
            texts = [[text.replace("\n", "") for text in each] for each in texts]
        assert texts[0] == texts[1]


@pytest.mark.parametrize("name", ["letter.docx", "letter.rtf", "clinic-note.html"])
def test_libreoffice_reads_the_result(name: str, tmp_path: Path) -> None:
    """LibreOffice opens masked documents and shows the masked text."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")
    masked = tmp_path / name
    main(["mask", str(SAMPLES / name), "-o", str(masked), "--policy", "surrogate", "--lang", "en"])
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    subprocess.run(
        [program, profile, "--headless", "--convert-to", "txt:Text", "--outdir", tmp_path, masked],
        check=True,
        capture_output=True,
        timeout=180,
    )
    text = masked.with_suffix(".txt").read_text("utf-8", errors="replace")
    assert "118" in text
    assert not any(word in text for word in NAMES)
