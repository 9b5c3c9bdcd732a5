"""Output for people: HTML pages that work offline, and tables and records for the terminal."""

from veil.render.highlight import record_view, segments, terminal_record
from veil.render.page import NO_TEXT_NOTICE, RECORDS_NOTICE, render_page, share_text
from veil.render.terminal import text_table

__all__ = [
    "NO_TEXT_NOTICE",
    "RECORDS_NOTICE",
    "record_view",
    "render_page",
    "segments",
    "share_text",
    "terminal_record",
    "text_table",
]
