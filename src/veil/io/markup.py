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

from veil.io.alignment import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE = re.compile(
    r"(?P<comment><!--(?P<remark>.*?)-->)"
    r"|(?P<cdata><!\[CDATA\[(?P<data>.*?)\]\]>)"
    r"|(?P<code><(?P<code_name>script|style)\b(?P<code_rest>[^>]*)(?<!/)>)(?P<program>.*?)"
    r"(?=</(?P=code_name)\s*>)"
    r"|(?P<tag><(?P<name>/?[A-Za-z][\w:-]*)(?=[\s/>])"
    r"(?P<rest>(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)>)"
    r"|(?P<declaration><[!?][^<>]*>)"
    r"|(?P<text>[^<]+|<)",
    re.DOTALL | re.IGNORECASE,
)
# What stands in a tag behind its name: attributes, and words that are none.
_ATTRIBUTE = re.compile(
    r"(?P<key>[^\s\"'<>/=]+)\s*=\s*"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'>]+))"
    r"|(?P<loose>[^\s/]+)"
)
# Attributes whose value is form, as long as it is one word; all others are searched.
_FORM = frozenset(
    "align bgcolor border cellpadding cellspacing charset clear color cols colspan dir frame height"
    " hspace lang nowrap rel rows rowspan rules scope size span start target type valign version"
    " vspace width xml:lang".split()
)
_ONE_WORD = re.compile(r"[\w.#%:+/-]{1,40}")
_NAMESPACE = re.compile(r"xmlns(?::[\w-]+)?", re.IGNORECASE)
_BARE_WORDS = frozenset(
    "checked compact disabled hidden ismap multiple noshade nowrap open readonly required reversed"
    " selected".split()
)
_DECLARATION = re.compile(
    r"<!DOCTYPE\s+html(?:\s+(?:PUBLIC|SYSTEM))?(?:\s*\"(?:-//W3C//DTD [A-Z\d. ]{1,30}//EN"
    r"|http://www\.w3\.org/[\w./-]{1,60}|about:legacy-compat)\")*\s*>"
    r"|<\?xml(?:\s+(?:version|encoding|standalone)\s*=\s*[\"'][\w.-]{1,20}[\"'])*\s*\?>",
    re.IGNORECASE,
)
_EMBEDDED = re.compile(
    r"\s*(?:data|javascript|vbscript)\s*:|.*\burl\s*\(\s*[\"']?\s*data:", re.IGNORECASE | re.DOTALL
)
_CELLS = frozenset({"td", "th"})
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code dfn em font i ins kbd mark q s samp small span strike"
    " strong sub sup tt u var".split()
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
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
        if self.kind == "bare":
            return f'"{html.escape(new)}"'
        if self.kind == "comment":
            return re.sub("-(?=-|$)", "- ", new)
        if self.kind == "cdata":
            return new.replace("]]>", "]]&gt;")
        return html.escape(new)


@dataclass(repr=False)
class Markup:
    """A piece of HTML or XHTML; where a tag breaks the line, `text` does.

    Attributes and comments stand at the end of `text`, a line each, so that they do not part what
    is read together. Programs and style sheets, which nobody can search for names, are taken out.
    """

    source: str
    text: str = field(init=False)
    altered: bool = field(init=False, default=False)
    """Whether something had to be taken out: a program, or an image in the text itself."""

    def __post_init__(self) -> None:
        self._pieces: list[str | _Run] = []  # in the order of the source
        self._runs: list[_Run] = []  # in the order of the text
        self._starts: list[int] = []
        self._breaks: list[str] = []  # what stands in the text after each run for tags
        self._texts: list[str] = []
        self._length = 0
        asides: list[_Run] = []
        for piece in _PIECE.finditer(self.source):
            asides += self._add(piece)
        for aside in asides:
            self._break("\n")
            self._run(aside)
        if self._runs and self._breaks[-1]:
            self._breaks[-1] = ""
            self._texts.pop()
        self.text = "".join(self._texts)
        self._texts = []

    def woven(self, new: str) -> str:
        """The source with another text between its tags."""
        if new == self.text:
            texts = {run: run.text for run in self._runs}
        else:
            texts = dict(zip(self._runs, self._shared_out(new), strict=True))
        return "".join(
            piece if isinstance(piece, str) else piece.written(texts[piece])
            for piece in self._pieces
        )

    def _shared_out(self, new: str) -> Iterator[str]:
        """The pieces of a new text for the runs: all of it, without the breaks."""
        alignment = Alignment(self.text, new)
        starts = [alignment.end(start) for start in self._starts]
        starts[:1] = [0]
        for start, end, after in zip(starts, [*starts[1:], len(new)], self._breaks, strict=True):
            yield new[start:end].removesuffix(after) if after else new[start:end]

    def _add(self, piece: re.Match[str]) -> Iterator[_Run]:
        """Add a piece of the source; yield what is to stand at the end of the text."""
        raw = piece[0]
        if piece["text"]:
            run = _Run(raw, html.unescape(raw), "text")
            self._pieces.append(run)
            self._run(run)
        elif piece["comment"]:
            remark = _Run(piece["remark"], piece["remark"], "comment")
            self._pieces += ["<!--", remark, "-->"]
            yield remark
        elif piece["cdata"]:
            run = _Run(piece["data"], piece["data"], "cdata")
            self._pieces += ["<![CDATA[", run, "]]>"]
            self._break("\n")
            self._run(run)
            self._break("\n")
        elif piece["code"]:
            yield from self._tag(piece["code_name"], piece["code_rest"])
            self.altered |= bool(piece["program"])
        elif piece["declaration"]:
            if _DECLARATION.fullmatch(raw):
                self._pieces.append(raw)
            else:
                run = _Run(raw[2:-1], raw[2:-1], "declaration")
                self._pieces += [raw[:2], run, ">"]
                yield run
        else:
            yield from self._tag(piece["name"], piece["rest"])

    def _tag(self, name: str, rest: str) -> Iterator[_Run]:
        """Add a tag, with the attributes that may hold text as runs of their own."""
        element = name.removeprefix("/").lower()
        if element not in _INLINE:
            self._break("\t" if element in _CELLS else "\n")
        opening, position = f"<{name}", 0
        for attribute in _ATTRIBUTE.finditer(rest):
            kind = attribute.lastgroup or ""
            start, end = attribute.span(kind)
            value = html.unescape(rest[start:end])
            if _is_form(attribute["key"] or "", value, attribute["loose"]):
                continue
            opening += rest[position:start]
            position = end
            if _is_code(attribute["key"] or "", value):
                opening += "#"
                self.altered = True
            else:
                run = _Run(rest[start:end], value, kind)
                self._pieces += [opening, run]
                opening = ""
                yield run
        self._pieces.append(f"{opening}{rest[position:]}>")

    def _run(self, run: _Run) -> None:
        self._starts.append(self._length)
        self._runs.append(run)
        self._texts.append(run.text)
        self._length += len(run.text)
        self._breaks.append("")

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


def _is_code(key: str, value: str) -> bool:
    """Whether an attribute holds a program or an image; what was taken out before is none."""
    return value != "#" and (key.lower().startswith("on") or _EMBEDDED.match(value) is not None)


def _is_form(key: str, value: str, loose: str | None) -> bool:
    """Whether an attribute, or a loose word in a tag, holds nothing that could name somebody."""
    if loose is not None:
        return loose.lower() in _BARE_WORDS
    if not value.strip():
        return True
    if _NAMESPACE.fullmatch(key):
        return not re.search(r"\s", value)
    return key.lower() in _FORM and _ONE_WORD.fullmatch(value) is not None
