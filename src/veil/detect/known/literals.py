"""Known strings that are found as they are, but for case: mails, addresses of sites, user names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.entities import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)


class Literal(NamedTuple):
    """A string to be found."""

    value: str
    label: str
    what: str


class LiteralIndex:
    """Finds strings at their first words."""

    def __init__(self, literals: Iterable[Literal]) -> None:
        self._by_first: dict[str, list[Literal]] = {}
        for literal in literals:
            value = _SCHEME.sub("", literal.value).lower().rstrip("/")
            pieces = pieces_of(value)
            if pieces and value[0].isalnum():
                entry = literal._replace(value=value)
                self._by_first.setdefault(pieces[0], []).append(entry)

    def begins(self, key: str) -> bool:
        """Whether a folded token may begin a known string."""
        return key in self._by_first

    def find(self, text: str, start: int, key: str) -> Iterator[Span]:
        """Yield the known strings that begin at a token."""
        for literal in self._by_first.get(key, ()):
            end = start + len(literal.value)
            if text[start:end].lower() == literal.value and not text[end : end + 1].isalnum():
                yield Span(start, end, literal.label, 1.0, f"known:{literal.what}")
