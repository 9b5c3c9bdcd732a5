from __future__ import annotations

import re

from veil import Document, Record, Span
from veil.render import record_view, render_page, terminal_record


def shown(*records: Record, title: str = "T") -> str:
    views = [record_view(record) for record in records]
    return "".join(render_page("records", title=title, paragraphs=(), records=views))


RECORD = Record.of(
    Document("r<1>", "Anna <b> & co\x1b[31m, 73", "sv"),
    [Span(0, 4, "FIRST_NAME"), Span(20, 22, "AGE", source="crf", score=0.5)],
)


def test_plain_text_brackets_spans() -> None:
    """Without colours a span stands in brackets with its label."""
    shown = terminal_record(RECORD, colour=False)
    assert shown.startswith("[Anna|FIRST_NAME] <b> & co")
    assert shown.endswith(", [73|AGE]")


def test_text_cannot_drive_the_terminal() -> None:
    """Escape characters of the record are made harmless, in colour as well."""
    assert "\x1b" not in terminal_record(RECORD, colour=False)
    coloured = terminal_record(RECORD, colour=True)
    assert re.sub(r"\x1b\[[\d;]+m", "", coloured).count("\x1b") == 0
    assert "\x1b[31m" not in coloured


def test_blanks_of_other_scripts_stay() -> None:
    """An ideographic space is shown as it is, and a lone carriage return is made visible."""
    record = Record.of(Document("r", "氏名　山田\r\nx\ry"))
    assert terminal_record(record, colour=False) == "氏名　山田\nx�y"


def test_html_escapes_text_and_marks_families() -> None:
    """Text and ids are escaped, and marks carry the family of their label."""
    section = shown(RECORD)
    assert ">r&lt;1&gt;</h2>" in section
    assert "&lt;b&gt; &amp; co" in section
    assert '<mark class="name" title="FIRST_NAME · 0-4">Anna' in section
    assert 'lang="sv"' in section
    assert "crf 0.50" in section


def test_strange_labels_are_shown_too() -> None:
    """A label of no scheme is marked as other."""
    record = Record.of(Document("r", "Rex"), [Span(0, 3, "DOG")])
    assert 'class="other"' in shown(record)


def test_page_is_self_contained() -> None:
    """The page names no address and says that it holds text of records."""
    page = shown(RECORD, title="T<")
    assert "http:" not in page
    assert "https:" not in page
    assert "src=" not in page
    assert "<title>T&lt;</title>" in page
    assert "contains text of the records" in page
