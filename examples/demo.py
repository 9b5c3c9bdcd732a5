"""Mask the sample records in four languages: in the terminal and as a page under out/."""

from __future__ import annotations

import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veil import Document, Record, Span, Veil, io
from veil.render import record_view, render_page, terminal_record
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parent
PAGE = EXAMPLES.parent / "out" / "demo.html"
LANGUAGES = {"en": "English", "es": "Spanish", "sv": "Swedish", "ja": "Japanese"}
# Nothing is secret here, and the demo is to look the same every time.
KEY = Key(b"the key of the demo, no secret")


def stages(code: str) -> Iterator[tuple[str, Record]]:
    """Each sample record of a language as it was found, tagged, and with stand-ins."""
    veils = {policy: Veil(code, policy=policy, key=KEY) for policy in ("tag", "surrogate")}
    for record in io.read(EXAMPLES / code):
        doc = Document(record.id, record.document.text, code)
        yield "found", Record(doc, veils["tag"].detect(doc))
        for policy, veil in veils.items():
            masked = veil.mask(doc)
            spans = [
                Span(start, end, edit.label)
                for edit, (start, end) in zip(masked.edits, masked.new_offsets, strict=True)
            ]
            yield policy, Record.of(replace(doc, text=masked.text), spans)


def main() -> None:
    views = []
    for code, name in LANGUAGES.items():
        for stage, record in stages(code):
            shown = terminal_record(record, colour=sys.stdout.isatty())
            sys.stdout.write(f"── {name}, {record.id}: {stage} ──\n{shown}\n")
            titled = replace(record.document, id=f"{name}, {record.id}: {stage}")
            views.append(record_view(replace(record, document=titled)))
    with io.whole_file(PAGE) as file:
        title = "Veil: sample records in four languages, masked"
        for piece in render_page("records", title=title, paragraphs=(), records=views):
            file.write(piece.encode("utf-8"))
    sys.stdout.write(f"The same as a page: {PAGE}\n")
    if sys.stdout.isatty():
        webbrowser.open(PAGE.as_uri())


if __name__ == "__main__":
    main()
