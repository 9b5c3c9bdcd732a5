"""The text in HTML, to be masked as one text while the tags stay.

markup = Markup("<p>Seen by <b>Anna</b> Berg</p>")
markup.text  # "Seen by Anna Berg"
markup.woven("Seen by Eva Lund")  # "<p>Seen by <b>Eva</b> Lund</p>"
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.carriers.aligning import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE = re.compile(
    r"(?P<comment><!--(?P<remark>.*?)-->)"
    r"|(?P<cdata><!\[CDATA\[(?P<data>.*?)\]\]>)"
    r"|(?P<style><style\b[^>]*>.*?</style\s*>)"
    r"|(?P<open><script\b[^>]*>)(?P<script>.*?)(?=</script\s*>)"
    r"|(?P<tag></?(?P<name>[A-Za-z][\w:-]*)(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*>|<[!?][^<>]*>)"
    r"|(?P<text>[^<]+|<)",
    re.DOTALL | re.IGNORECASE,
)
# Attributes that are read by people or lead to them; the others are form.
_ATTRIBUTE = re.compile(
    r"(?<=\s)(?:title|alt|href|src|summary|abbr|longdesc|cite|content|value|placeholder|label"
    r"|aria-[\w-]+|data-[\w-]+)\s*=\s*"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'>]+))",
    re.IGNORECASE,
)
_EMBEDDED = re.compile(r"\s*data:", re.IGNORECASE)
_CELLS = frozenset({"td", "th"})
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code dfn em font i ins kbd mark q s samp small span strike"
    " strong sub sup tt u var".split()
)


@dataclass(frozen=True, slots=True, repr=False)
class _Run:
    """A stretch of text between tags: how it is written, what it says, and of what kind it is."""

    raw: str
    text: str
    kind: str

    def written(self, new: str) -> str:
        """The run with a new text, so that it ends where it should."""
        if new == self.text:
            return self.raw
        if self.kind == "text":
            return html.escape(new, quote=False)
        if self.kind in ("double", "single"):
            return html.escape(new)
        if self.kind == "bare":
            return f'"{html.escape(new)}"'
        if self.kind == "comment":
            return re.sub("-(?=-|$)", "- ", new)
        if self.kind == "cdata":
            return new.replace("]]>", "]]&gt;")
        return new.replace("</", "<\\/")


@dataclass(repr=False)
class Markup:
    """A piece of HTML or XHTML; where a tag breaks the line, `text` does."""

    source: str
    text: str = field(init=False)
    altered: bool = field(init=False, default=False)
    """Whether something had to be taken out: an image that stands in the text itself."""

    def __post_init__(self) -> None:
        self._between: list[str] = [""]  # the tags before each run, and those at the end
        self._runs: list[_Run] = []
        self._places: list[tuple[int, int]] = []
        self._breaks: list[str] = []  # what stands in the text after each run for tags
        self._texts: list[str] = []
        self._length = 0
        for piece in _PIECE.finditer(self.source):
            self._add(piece)
        if self._runs and self._breaks[-1]:
            self._breaks[-1] = ""
            self._texts.pop()
        self.text = "".join(self._texts)
        self._texts = []

    def woven(self, new: str) -> str:
        """The source with another text between its tags."""
        if new == self.text:
            texts = [run.text for run in self._runs]
        else:
            texts = list(self._shared_out(new))
        pieces = [self._between[0]]
        for run, text, between in zip(self._runs, texts, self._between[1:], strict=True):
            pieces += [run.written(text), between]
        return "".join(pieces)

    def _shared_out(self, new: str) -> Iterator[str]:
        """The pieces of a new text for the runs: all of it, without the breaks."""
        alignment = Alignment(self.text, new)
        starts = [alignment.place(start) for start, _ in self._places]
        starts[:1] = [0]
        for start, end, after in zip(starts, [*starts[1:], len(new)], self._breaks, strict=True):
            yield new[start:end].removesuffix(after) if after else new[start:end]

    def _add(self, piece: re.Match[str]) -> None:
        kind = piece.lastgroup
        raw = piece[0]
        if piece["text"]:
            self._run(_Run(raw, html.unescape(raw), "text"))
        elif piece["comment"]:
            self._enclosed("<!--", _Run(piece["remark"], piece["remark"], "comment"), "-->")
        elif piece["cdata"]:
            self._enclosed("<![CDATA[", _Run(piece["data"], piece["data"], "cdata"), "]]>")
        elif piece["open"]:
            self._enclosed(piece["open"], _Run(piece["script"], piece["script"], "script"), "")
        elif kind == "style":
            self._tag(raw)
        else:
            self._element(raw, (piece["name"] or "").lower())

    def _element(self, raw: str, name: str) -> None:
        """Add a tag, with the attributes that hold text as runs of their own."""
        if name not in _INLINE:
            self._break("\t" if name in _CELLS else "\n")
        position = 0
        for attribute in _ATTRIBUTE.finditer(raw):
            start, end = attribute.span(attribute.lastgroup or "")
            value = html.unescape(raw[start:end])
            if _EMBEDDED.match(value):
                self._tag(raw[position:start] + "#")
                self.altered = True
            elif value.strip() and not value.startswith("#"):
                run = _Run(raw[start:end], value, attribute.lastgroup or "")
                self._enclosed(raw[position:start], run, "")
            else:
                continue
            position = end
        self._tag(raw[position:])

    def _enclosed(self, opening: str, run: _Run, closing: str) -> None:
        """Add a run that stands apart from the text around it."""
        self._tag(opening)
        self._break("\n")
        self._run(run)
        self._tag(closing)
        self._break("\n")

    def _tag(self, raw: str) -> None:
        self._between[-1] += raw

    def _run(self, run: _Run) -> None:
        self._places.append((self._length, self._length + len(run.text)))
        self._runs.append(run)
        self._texts.append(run.text)
        self._length += len(run.text)
        self._breaks.append("")
        self._between.append("")

    def _break(self, mark: str) -> None:
        """Part what follows from what came; one break is enough."""
        if not self._runs or self._breaks[-1] == "\n":
            return
        if self._breaks[-1]:
            self._texts.pop()
            self._length -= 1
        elif self._texts[-1].rstrip(" \t").endswith("\n"):
            return
        self._breaks[-1] = mark
        self._texts.append(mark)
        self._length += 1
