"""Records as people like to see them: highlighted in the terminal and as an offline page."""

from veil.render.highlight import html_record, segments, terminal_record
from veil.render.page import html_page

__all__ = ["html_page", "html_record", "segments", "terminal_record"]
