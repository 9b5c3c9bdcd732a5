"""Mask the sample records in four languages: in the terminal, and as a page under out/."""

from __future__ import annotations

import shlex
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil import Document, Record, Span, Veil, io, mask_files
from veil.render import INVENTED_NOTICE, families_of, record_view, render_page, terminal_record
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.render.highlight import RecordView

EXAMPLES = Path(__file__).parent
OUT = EXAMPLES.parent / "out"
PAGE = OUT / "demo.html"
LANGUAGES = {"en": "English", "es": "Spanish", "sv": "Swedish", "ja": "Japanese"}
# Nothing is secret here, and the demo is to look the same every time.
KEY = Key(b"the key of the demo, no secret")
STAGES = {
    "original": ("Original", "with what was found"),
    "tag": ("Tags", "policy tag: labels, numbered by person and place"),
    "surrogate": ("Surrogates", "policy surrogate: invented names, shifted dates"),
}


def stages(code: str) -> Iterator[dict[str, Record]]:
    """Each sample record of a language as it is, tagged, and with surrogates."""
    veils = {policy: Veil(code, policy=policy, key=KEY) for policy in ("tag", "surrogate")}
    for record in io.read(EXAMPLES / code):
        doc = Document(record.id, record.document.text, code)
        found = {"original": Record(doc, veils["tag"].detect(doc))}
        for policy, veil in veils.items():
            masked = veil.mask(doc)
            spans = [
                Span(start, end, edit.label)
                for edit, (start, end) in zip(masked.edits, masked.new_offsets, strict=True)
            ]
            found[policy] = Record.of(replace(doc, text=masked.text), spans)
        yield found


def write_page(languages: list[tuple[str, str, list[dict[str, Any]]]]) -> None:
    """Write the records as a page, each three times side by side."""
    views: list[RecordView] = [
        view for _, _, notes in languages for note in notes for *_, view in note["columns"]
    ]
    with io.whole_file(PAGE) as file:
        for piece in render_page(
            "demo",
            title="Veil: clinical notes in four languages, masked",
            notice=INVENTED_NOTICE,
            lead="Each note three times: as it is, with tags, and with surrogates.",
            shown_families=families_of(views),
            sections=[(code, name) for code, name, _ in languages],
            languages=languages,
        ):
            file.write(piece.encode("utf-8"))


def write_files() -> tuple[Path, Path]:
    """Write the texts of the records to a folder, mask it, and return both folders."""
    notes, masked = OUT / "demo-notes", OUT / "demo-masked"
    for code in LANGUAGES:
        for record in io.read(EXAMPLES / code):
            with io.whole_file(notes / code / f"{Path(record.id).name}.txt") as file:
                file.write(record.document.text.encode("utf-8"))
    mask_files(notes, masked, policy="surrogate", key=KEY, overwrite=True)
    return notes, masked


def main() -> None:
    languages = []
    for code, name in LANGUAGES.items():
        notes = []
        for found in stages(code):
            for stage, record in found.items():
                shown = terminal_record(record, colour=sys.stdout.isatty())
                sys.stdout.write(f"── {name}, {record.id}: {stage} ──\n{shown}\n")
            columns = [
                (stage, *STAGES[stage], record_view(record)) for stage, record in found.items()
            ]
            notes.append({"title": found["original"].id, "columns": columns})
        languages.append((code, name, notes))
    write_page(languages)
    originals, masked = write_files()
    veil = Path(sys.executable).with_name("veil")
    review = [str(veil), "review", str(masked), "--original", str(originals)]
    sys.stdout.write(f"The same as a page:      {PAGE}\n")
    sys.stdout.write(f"The report of the run:   {masked / 'veil-report.html'}\n")
    sys.stdout.write(f"Review it in a browser:  {shlex.join(review)}\n")
    if sys.stdout.isatty():
        webbrowser.open(PAGE.as_uri())


if __name__ == "__main__":
    main()
