"""The text in HTML, which is masked as one text while the tags stay.

markup = Markup("<p>Seen by <b>Anna</b> Berg</p>")
markup.text  # "Seen by Anna Berg"
markup.woven("Seen by Eva Lund")  # "<p>Seen by <b>Eva</b> Lund</p>"
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from veil.io.weave import Run, RunText, Woven

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE = re.compile(
    # What is not closed extends to the end, as in browsers; searching for an end again and again
    # would take quadratic time.
    r"(?P<comment><!--(?P<remark>.*?)(?P<comment_end>-->|\Z))"
    r"|(?P<cdata><!\[CDATA\[(?P<data>.*?)(?P<cdata_end>\]\]>|\Z))"
    r"|(?P<code><(?P<code_name>script|style)\b(?P<code_rest>[^>]*)(?<!/)>)(?P<program>.*?)"
    r"(?=</(?P=code_name)\s*>|\Z)"
    r"|(?P<tag><(?P<name>/?[A-Za-z][\w:-]*)(?=[\s/>])"
    r"(?P<rest>(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)>)"
    r"|(?P<declaration><[!?][^<>]*>)"
    r"|(?P<text>[^<]+|<)",
    re.DOTALL | re.IGNORECASE,
)
# What follows the name in a tag: attributes, and words that are not attributes.
_ATTRIBUTE = re.compile(
    r"(?P<key>[^\s\"'<>/=]+)\s*=\s*"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'>]+))"
    r"|(?P<loose>[^\s/]+)"
)
# Attributes of layout, not searched if their value is one word; all others are searched.
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
# In a style sheet: comments; rules and declarations; and the signs of texts or links in them.
_STYLE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_STYLE_PART = re.compile(r"[^;{}]+;?")
_STYLE_DATA = re.compile(r"[\"']|\burl\s*\(|@import\b|\bexpression\s*\(", re.IGNORECASE)
_PLAIN_STRINGS = re.compile(
    r"\[[\w-]+[~|^$*]?=[\"'][\w-]{1,20}[\"']\]|(?<![\w-])font(?:-family)?\s*+:[\w\s,.\"'%/-]*+;?+",
    re.ASCII,
)
_CLASSES = re.compile(r"\s*[A-Za-z][A-Za-z_-]{0,30}\d{0,3}(?:\s+[A-Za-z][\w-]{0,30})*\s*", re.ASCII)
_STYLES = re.compile(r"[\w\s:;.,#%()!-]*", re.ASCII)
_CONTENT_TYPE = re.compile(r"\s*[\w/+.-]+\s*;\s*charset\s*=\s*[\w.:-]+\s*", re.ASCII)
_CELLS = frozenset({"td", "th"})
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code dfn em font i ins kbd mark q s samp small span strike"
    " strong sub sup tt u var".split()
)


def _write_comment(new: str) -> str:
    return re.sub("-(?=-|$)", "- ", new)


def _write_text(new: str) -> str:
    return html.escape(new, quote=False)


def _write_cdata(new: str) -> str:
    return new.replace("]]>", "]]&gt;")


def _write_bare(new: str) -> str:
    return f'"{html.escape(new)}"'


class Markup:
    """A piece of HTML or XHTML; `text` has a line break wherever a tag breaks the line.

    Attributes and comments are at the end of `text`, one per line, so that they do not interrupt
    the text. Scripts and style sheets, which cannot be searched for names, are removed. In a whole
    page (`is_page`) comments are removed too, and style sheets stay without comments, strings and
    links.
    """

    def __init__(self, source: str, *, is_page: bool = False) -> None:
        self.source = source
        self.altered = False
        """Whether something was removed: a script, or an image embedded in the text."""
        self._is_page = is_page
        self._pieces: list[str | Run] = []
        self._runs = RunText()
        asides: list[Run] = []
        for piece in _PIECE.finditer(source):
            asides += self._add(piece)
        for aside in asides:
            self._runs.part()
            self._runs.add(aside)
        self.text = self._runs.text

    def woven(self, new: str) -> str:
        """The source with a new text between its tags."""
        return Woven(self._pieces, [self._runs]).render([new])

    def _add(self, piece: re.Match[str]) -> Iterator[Run]:
        """Add a piece of the source; yield what belongs at the end of the text."""
        raw = piece[0]
        if piece["text"]:
            run = Run(raw, html.unescape(raw), _write_text)
            self._pieces.append(run)
            self._runs.add(run)
        elif piece["comment"]:
            if self._is_page:
                self.altered = True
                return
            remark = Run(piece["remark"], piece["remark"], _write_comment)
            self._pieces += ["<!--", remark, piece["comment_end"]]
            yield remark
        elif piece["cdata"]:
            run = Run(piece["data"], piece["data"], _write_cdata)
            self._pieces += ["<![CDATA[", run, piece["cdata_end"]]
            self._runs.part()
            self._runs.add(run)
            self._runs.part()
        elif piece["code"]:
            yield from self._tag(piece["code_name"], piece["code_rest"])
            program, kept = piece["program"], ""
            if self._is_page and piece["code_name"].lower() == "style":
                kept = _bare_styles(program)
                self._pieces.append(kept)
            self.altered |= kept != program
        elif piece["declaration"]:
            if _DECLARATION.fullmatch(raw):
                self._pieces.append(raw)
            else:
                run = Run(raw[2:-1], raw[2:-1], html.escape)
                self._pieces += [raw[:2], run, ">"]
                yield run
        else:
            yield from self._tag(piece["name"], piece["rest"])

    def _tag(self, name: str, rest: str) -> Iterator[Run]:
        """Add a tag, with separate runs for attributes that may contain text."""
        element = name.removeprefix("/").lower()
        if element not in _INLINE:
            self._runs.part("\t" if element in _CELLS else "\n")
        opening, position = f"<{name}", 0
        for attribute in _ATTRIBUTE.finditer(rest):
            kind = attribute.lastgroup or ""
            start, end = attribute.span(kind)
            value = html.unescape(rest[start:end])
            key = attribute["key"] or ""
            if _is_form(key, value, attribute["loose"]) or (
                self._is_page and _is_style(key, value)
            ):
                continue
            opening += rest[position:start]
            position = end
            if _is_code(attribute["key"] or "", value):
                opening += "#"
                self.altered = True
            else:
                write = _write_bare if kind == "bare" else html.escape
                run = Run(rest[start:end], value, write)
                self._pieces += [opening, run]
                opening = ""
                yield run
        self._pieces.append(f"{opening}{rest[position:]}>")


def _bare_styles(styles: str) -> str:
    """A style sheet without comments, texts and links."""
    return _STYLE_PART.sub(_without_data, _STYLE_COMMENT.sub("", styles))


def _without_data(declaration: re.Match[str]) -> str:
    has_data = _STYLE_DATA.search(_PLAIN_STRINGS.sub("", declaration[0]))
    return "" if has_data else declaration[0]


def _is_style(key: str, value: str) -> bool:
    """Whether an attribute of a page describes layout or encoding."""
    if key.lower() == "content":
        return _CONTENT_TYPE.fullmatch(value) is not None
    return (key.lower() == "class" and _CLASSES.fullmatch(value) is not None) or (
        key.lower() == "style" and _STYLES.fullmatch(value) is not None
    )


def _is_code(key: str, value: str) -> bool:
    """Whether an attribute contains a script or an image that was not removed already."""
    return value != "#" and (key.lower().startswith("on") or _EMBEDDED.match(value) is not None)


def _is_form(key: str, value: str, loose: str | None) -> bool:
    """Whether an attribute, or a loose word in a tag, cannot contain a name."""
    if loose is not None:
        return loose.lower() in _BARE_WORDS
    if not value.strip():
        return True
    if _NAMESPACE.fullmatch(key):
        return not re.search(r"\s", value)
    return key.lower() in _FORM and _ONE_WORD.fullmatch(value) is not None
