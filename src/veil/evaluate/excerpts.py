"""The surroundings of an error with the gold and the predicted characters marked, as HTML."""

from __future__ import annotations

import html
import re
from itertools import groupby
from typing import TYPE_CHECKING

from veil.evaluate.tally import cover

if TYPE_CHECKING:
    from veil.core.document import Record
    from veil.evaluate.errors import Error

_CONTEXT = 60
_LONGEST = 400
_LINE_BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# What HTML or UTF-8 cannot hold.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_MARKS = {
    (True, True): ("both", "identifying, and found"),
    (True, False): ("gold", "identifying, not found"),
    (False, True): ("predicted", "found, but not identifying"),
}


class Excerpts:
    """Makes excerpts of one document; gold is underlined, predicted is shaded."""

    def __init__(self, gold: Record, predicted: Record) -> None:
        self._text = gold.document.text
        self._gold = cover(gold.document, gold.annotations)
        self._predicted = cover(gold.document, predicted.annotations)

    def around(self, error: Error) -> str:
        """Return the error with sixty characters on either side, escaped."""
        start = max(0, error.start - _CONTEXT)
        end = min(len(self._text), error.end + _CONTEXT, start + _LONGEST)
        parts = ["… " if start > 0 else ""]
        for (gold, predicted, focus), positions in groupby(
            range(start, end), lambda position: self._state(position, error)
        ):
            stretch = list(positions)
            shown = show(self._text[stretch[0] : stretch[-1] + 1])
            if gold or predicted:
                name, title = _MARKS[gold, predicted]
                near = "" if focus else " near"
                shown = f'<mark class="{name}{near}" title="{title}">{shown}</mark>'
            parts.append(shown)
        parts.append(" …" if end < len(self._text) else "")
        return "".join(parts)

    def _state(self, position: int, error: Error) -> tuple[bool, bool, bool]:
        focus = any(
            span.start <= position < span.end for span in (error.gold, error.predicted) if span
        )
        return bool(self._gold[position]), bool(self._predicted[position]), focus


def show(text: str) -> str:
    """Escape text for HTML, with a visible sign for line breaks and what cannot be shown."""
    escaped = html.escape(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))
    return _LINE_BREAK.sub('<i class="break">↵</i> ', escaped)
