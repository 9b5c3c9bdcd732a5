"""Show the sample records in four languages: in the terminal and as a page under out/."""

from __future__ import annotations

import sys
from pathlib import Path

from veil import formats
from veil.render import html_page, html_record, terminal_record

EXAMPLES = Path(__file__).parent
PAGE = EXAMPLES.parent / "out" / "demo.html"
LANGUAGES = {"en": "English", "es": "Spanish", "sv": "Swedish", "ja": "Japanese"}


def main() -> None:
    sections = []
    for code, name in LANGUAGES.items():
        for record in formats.read(EXAMPLES / code):
            shown = terminal_record(record, colour=sys.stdout.isatty())
            sys.stdout.write(f"── {name}: {record.id} ──\n{shown}\n")
            sections.append(html_record(record))
    with formats.whole_file(PAGE) as file:
        for piece in html_page("Veil: sample records in four languages", sections):
            file.write(piece.encode("utf-8"))
    sys.stdout.write(f"The same as a page: {PAGE}\n")


if __name__ == "__main__":
    main()
