"""Text with tags inside: taking it apart into text and spans, and putting it together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.document import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.core.document import Part, Record


class TaggedText:
    """Collects text and spans while a reader walks over tagged text; tags do not nest."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.empty = 0
        self.open_label: str | None = None
        self._texts: list[str] = []
        self._length = 0
        self._open_at = 0
        self._open_part: Part | None = None

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def add(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)

    def open(self, label: str, part: Part | None = None) -> None:
        self.open_label, self._open_part, self._open_at = label, part, self._length

    def close(self) -> None:
        """End the open span; tags around nothing are counted in `empty`."""
        if self.open_label and self._open_at < self._length:
            self.spans.append(
                Span(self._open_at, self._length, self.open_label, part=self._open_part)
            )
        else:
            self.empty += 1
        self.open_label = None


def render_tagged(
    record: Record,
    tags: Callable[[Span], tuple[str, str]],
    escape: Callable[[str], str] = str,
) -> str:
    """Put the opening and closing tag of each span into the text."""
    text = record.document.text
    output = []
    position = 0
    for span in record.spans:
        opening, closing = tags(span)
        output += [
            escape(text[position : span.start]),
            opening,
            escape(text[span.start : span.end]),
            closing,
        ]
        position = span.end
    output.append(escape(text[position:]))
    return "".join(output)
