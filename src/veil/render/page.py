"""A self-contained HTML page: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from veil.core.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NOTICE = "This page contains text of the records. Keep it as the records are kept."


def html_page(title: str, sections: Iterable[str], *, notice: str = NOTICE) -> Iterator[str]:
    """Yield a page piece by piece, so that a large folder needs no large memory."""
    title = printable(title)
    style = resources.files("veil.render").joinpath("page.css").read_text("utf-8")
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<header><h1>{escape(title)}</h1><p class="notice">{escape(notice)}</p></header>\n<main>\n'
    )
    for section in sections:
        yield section + "\n"
    yield "</main>\n</body>\n</html>\n"
