"""What replacing is about: a record under work, edits, and what makes a replacement.

A replacer is asked for each span that a policy gives to it. It may look at the whole record
(`Case`), which has a source of secret choices, and at nothing else: the same record, policy and key
give the same text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from veil.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from veil.core.document import Document, Span, Spans
    from veil.replace.secret import Secret


@dataclass(frozen=True, slots=True)
class Edit:
    """What stood from `start` to `end` of the original and what stands there now.

    `score` and `source` are those of the span: how sure its finder was, and who that is.
    """

    start: int
    end: int
    old: str = field(repr=False)
    new: str = field(repr=False)
    label: str
    action: str
    score: float = 1.0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Masked:
    """A document after replacement, the edits that lead to it, and what was found and kept."""

    document: Document
    edits: tuple[Edit, ...]
    kept: tuple[Span, ...] = ()

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where in the new text the replacements stand."""
        shift = 0
        found = []
        for edit in self.edits:
            start = edit.start + shift
            found.append((start, start + len(edit.new)))
            shift += len(edit.new) - (edit.end - edit.start)
        return found


LONGEST = 300
"""The longest span for which a stand-in is made. A longer span is no name, place or number; it
becomes its label, because the time to make a stand-in grows with the square of the length."""

DAYS = "days"
"""The key in the memory of a case for the number of days by which its dates are shifted."""


@dataclass(frozen=True)
class Case:
    """One record while it is masked: its text, all that was found in it, and its secret.

    `memory` is for replacers to share what they found out about the record.
    """

    document: Document
    spans: Spans
    secret: Secret
    memory: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def language(self) -> str:
        return self.document.language or "en"

    def text(self, span: Span) -> str:
        return self.document.text[span.start : span.end]

    def is_too_long(self, span: Span) -> bool:
        """Whether a span is longer than anything for which a stand-in is made."""
        return LONGEST < span.end - span.start


class Replacer(Protocol):
    """Makes replacements; `replace` returns the new text of a span (the old one to keep it)."""

    def replace(self, case: Case, span: Span) -> str: ...


REPLACERS: Registry[Callable[[Mapping[str, Any]], Replacer]] = Registry("action")
"""The actions of policies: each makes a replacer from its options."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with its edits made; they are sorted and disjoint."""
    pieces = []
    position = 0
    for edit in edits:
        pieces += [text[position : edit.start], edit.new]
        position = edit.end
    return "".join([*pieces, text[position:]])


def undo_edits(text: str, edits: Iterable[Edit]) -> str:
    """The original from the new text and the edits."""
    pieces = []
    position = shift = 0
    for edit in edits:
        start = edit.start + shift
        pieces += [text[position:start], edit.old]
        position = start + len(edit.new)
        shift += len(edit.new) - len(edit.old)
    return "".join([*pieces, text[position:]])
