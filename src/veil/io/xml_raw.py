"""XML with the offsets of its parts in the source.

expat checks that a source is well-formed, with document types, entities and the network disabled.
The tree is then built from the same characters, so that texts and attributes can be replaced while
everything else is unchanged.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from veil.core.encodings import CharsetError, Decoded, declared_encoding, decode_checked

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "\ufeff"
_DEEPEST = 200
_PIECE = re.compile(
    r"(?P<comment><!--.*?-->)|(?P<cdata><!\[CDATA\[(?P<data>.*?)\]\]>)|(?P<instruction><\?.*?\?>)"
    r"|(?P<tag><(?P<close>/?)(?P<name>[^\s/>]+)(?P<rest>(?:\"[^\"]*\"|'[^']*'|[^\"'>])*?)(?P<empty>/?)>)"
    r"|(?P<text>[^<]+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DECLARED = re.compile(
    rb"<\?xml[^>]*?\sencoding\s*=\s*[\"'](?P<name>[A-Za-z][\w.:\-]*)[\"'][^>]*\?>", re.ASCII
)
_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,9})|#x([0-9a-fA-F]{1,8}));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
# Characters that XML 1.0 does not allow.
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({'"': "&quot;", "'": "&#39;", "\t": "&#9;", "\n": "&#10;"})


class XmlError(ValueError):
    """The reason why Veil cannot read a source as XML; the message quotes none of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """An attribute; `start` and `end` are the offsets of its value without the quotes."""

    name: str
    value: str = field(repr=False)
    start: int
    end: int
    extent: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class XmlText:
    """A piece of text, or of CDATA without its delimiters."""

    value: str = field(repr=False)
    start: int
    end: int
    is_cdata: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """A comment or a processing instruction."""

    start: int
    end: int
    is_comment: bool


@dataclass(slots=True, eq=False)
class XmlElement:
    """An element: its namespace and local name, attributes and content, and its offsets.

    `inner` is where the content begins and ends.
    """

    namespace: str
    name: str
    start: int
    end: int = 0
    inner: tuple[int, int] = (0, 0)
    attributes: dict[str, Attribute] = field(default_factory=dict, repr=False)
    content: list[XmlElement | XmlText | Aside] = field(default_factory=list, repr=False)

    @property
    def elements(self) -> Iterator[XmlElement]:
        return (each for each in self.content if isinstance(each, XmlElement))

    @property
    def text(self) -> str:
        """All text inside the element."""
        return "".join(
            each.value if isinstance(each, XmlText) else each.text
            for each in self.content
            if not isinstance(each, Aside)
        )

    def get(self, name: str) -> str:
        """The value of an attribute, by its local name or `{namespace}name`; empty if absent."""
        found = self.attributes.get(name)
        return found.value if found else ""

    def walk(self) -> Iterator[XmlElement]:
        """Yield the element and all below it, in the order of the source."""
        yield self
        for each in self.elements:
            yield from each.walk()


@dataclass(frozen=True)
class XmlSource:
    """A document: its text without a byte order mark, its root, and what surrounds the root."""

    text: str = field(repr=False)
    root: XmlElement
    asides: tuple[Aside, ...]


def decode_xml(data: bytes) -> Decoded:
    """Decode an XML file by its byte order mark or its declaration, else as UTF-8."""
    declared = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8).lstrip())
    name = declared["name"].decode() if declared else "utf-8"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = "utf-16"
    try:
        return decode_checked(data, declared_encoding(name))
    except CharsetError as error:
        raise XmlError(f"XML {error}") from None


def parse_xml(text: str) -> XmlSource:
    """Parse a document; one that is not well-formed, or declares a document type, is an error."""
    check_xml(text)
    root: XmlElement | None = None
    stack: list[XmlElement] = []
    scopes: list[dict[str, str]] = [{"xml": "http://www.w3.org/XML/1998/namespace"}]
    asides: list[Aside] = []
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup
        start, end = piece.span()
        if piece["text"] is not None:
            if stack:
                stack[-1].content.append(XmlText(unescape(piece["text"]), start, end))
        elif piece["cdata"] is not None:
            inside = piece.span("data")
            stack[-1].content.append(XmlText(piece["data"], *inside, is_cdata=True))
        elif piece["tag"] is None:
            aside = Aside(start, end, kind == "comment")
            asides.append(aside)
            if stack:
                stack[-1].content.append(aside)
        elif piece["close"]:
            element = stack.pop()
            scopes.pop()
            element.inner = (element.inner[0], start)
            element.end = end
        else:
            element, scope = _element(piece, scopes[-1])
            if stack:
                stack[-1].content.append(element)
            root = root or element
            if not piece["empty"]:
                stack.append(element)
                scopes.append(scope)
                if len(stack) > _DEEPEST:
                    raise XmlError(f"elements nested deeper than {_DEEPEST}")
    if root is None:
        raise XmlError("XML without an element")
    return XmlSource(text, root, tuple(asides))


def _element(piece: re.Match[str], scope: dict[str, str]) -> tuple[XmlElement, dict[str, str]]:
    """The element of a start tag, and the namespaces inside it."""
    offset = piece.start("rest")
    raw = [
        (each, each[2] if each[2] is not None else each[3], 2 if each[2] is not None else 3)
        for each in _ATTRIBUTE.finditer(piece["rest"])
    ]
    declared = {
        each[1].partition(":")[2]: unescape(value)
        for each, value, _ in raw
        if each[1] == "xmlns" or each[1].startswith("xmlns:")
    }
    inside = {**scope, **declared}
    prefix, _, local = piece["name"].rpartition(":")
    element = XmlElement(inside.get(prefix, ""), local, piece.start(), piece.end())
    element.inner = (piece.end(), piece.end())
    for each, value, group in raw:
        own_prefix, _, own_name = each[1].rpartition(":")
        namespace = inside.get(own_prefix, own_prefix) if own_prefix else ""
        is_declaration = each[1] == "xmlns" or own_prefix == "xmlns"
        key = each[1] if is_declaration or not namespace else f"{{{namespace}}}{own_name}"
        element.attributes[key] = Attribute(
            key,
            unescape(value),
            offset + each.start(group),
            offset + each.end(group),
            (offset + each.start(), offset + each.end()),
        )
    return element, inside


def check_xml(text: str) -> None:
    """Raise an error for XML that is not well-formed, or declares a document type or entity."""
    if text.startswith(MARK):
        raise XmlError("XML with two byte order marks")
    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        raise XmlError(f"XML that is not well-formed at line {error.lineno}") from None
    except UnicodeEncodeError:
        raise XmlError("XML with a lone surrogate, which is not a character") from None


def _refuse(*_: object) -> int:
    raise XmlError("XML with a document type or an entity, which Veil does not read")


def unescape(text: str) -> str:
    """Resolve the references of XML."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _NAMED[name]
    return chr(int(decimal) if decimal else int(hexadecimal, 16))


def write_text(new: str) -> str:
    """A text as the content of an element; characters that XML lacks become blanks."""
    return _ILLEGAL.sub(" ", new).translate(_IN_TEXT)


def write_attribute(new: str) -> str:
    """A text as the value of an attribute, for quotes of either kind."""
    return _ILLEGAL.sub(" ", new).translate(_IN_ATTRIBUTE)


def write_cdata(new: str) -> str:
    """A text inside CDATA, without the sequence that ends CDATA."""
    return _ILLEGAL.sub(" ", new).replace("]]>", "]] >")
