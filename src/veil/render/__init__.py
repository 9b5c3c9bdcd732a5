"""Output for people: HTML pages that work offline, and tables and records for the terminal."""

from veil.render.highlight import families_of, record_view, segments, terminal_record
from veil.render.page import (
    INVENTED_NOTICE,
    NO_TEXT_NOTICE,
    RECORDS_NOTICE,
    render_page,
    share_text,
)
from veil.render.terminal import text_table

__all__ = [
    "INVENTED_NOTICE",
    "NO_TEXT_NOTICE",
    "RECORDS_NOTICE",
    "families_of",
    "record_view",
    "render_page",
    "segments",
    "share_text",
    "terminal_record",
    "text_table",
]
