"""The texts of a Word file: paragraphs with their runs, properties, and removed parts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import PART, PATIENT, ROW, WHOLE, Document
from veil.core.errors import RecordError
from veil.core.toml import read_toml
from veil.io.base import Item, row_of, with_context
from veil.io.docx.formats import LINKS
from veil.io.fhir.walk import is_code
from veil.io.files import reading
from veil.io.package import CONTENT_TYPES, Package, blank_picture
from veil.io.weave import Canvas, RunText, Woven
from veil.io.xml_raw import XmlElement, XmlText, write_attribute, write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from veil.core.encodings import Decoded
    from veil.io.base import Source
    from veil.io.package import Part
    from veil.io.xml_raw import Attribute

_WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_DRAWING = (
    "http://schemas.openxmlformats.org/drawingml/2006/main",
    "http://purl.oclc.org/ooxml/drawingml/main",
)
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MAIN = re.compile(r"word/(?:document\d*|glossary/document)\.xml")
_TEXT_PARTS = re.compile(
    r"word/(?:glossary/)?(?:document|header|footer|footnotes|endnotes|comments)\d*\.xml"
)
# Parts of layout only: their texts are names of fonts, styles and colours.
_FORM_PARTS = re.compile(
    r"word/(?:glossary/)?(?:styles|stylesWithEffects|fontTable|numbering|webSettings|theme/theme\d*"
    r"|theme/_rels/.*|commentsExtended|commentsIds|commentsExtensible)\.xml"
)
_PICTURES = re.compile(
    r".*\.(?:png|jpe?g|jpe|jfif|gif|bmp|tiff?|emf|wmf|emz|wmz|svg|wdp|ico|pct|pict|heic|webp)",
    re.IGNORECASE,
)
_FONTS = re.compile(r"word/fonts/[^/]+\.(?:odttf|ttf|otf|fntdata)")
_XML = re.compile(r".*\.(?:xml|rels|vml)", re.IGNORECASE)
_TIME = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?P<rest>T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?")
_NUMBER = re.compile(r"[-+]?\d{1,5}(?:[.,]\d+)?%?|true|false", re.IGNORECASE)
_LINK = re.compile(r"(?P<scheme>mailto|tel|https?|ftp|file|sms):", re.IGNORECASE)
_NOWHERE = "Normal.dotm"  # the default template of Word
_LINKS = {"mailto": "EMAIL", "tel": "PHONE", "sms": "PHONE"}
# Names that Word assigns: Picture 3, _GoBack, _Toc12.
_GIVEN_NAME = re.compile(
    r"_GoBack|(?:_Toc|_Ref|_Hlk|OLE_LINK)\d+|ProductID"
    r"|(?:Picture|Image|Text Box|TextBox|Group|Shape|Rectangle|Line|Straight Connector|Diagram"
    r"|Chart|Object|Table|Bild|Grafik|Textruta|Grupp|Imagen|Cuadro de texto|Grupo|図|グループ化"
    r"|テキスト ボックス)[ _]?\d+"
)
_VALUES = frozenset({"val", "value", "displayText"})
_WORD_INSIDE = re.compile(r"\w")
# The code of a field without words of the author: PAGE, DATE \@ d.M.yyyy.
_PLAIN_FIELD = re.compile(r"(?:\s*[A-Z]+\d*(?:\s+\\[*@#a-z]\s*[\w.\-]*)*\s*)+")
_FIELD = re.compile(r"\s*\\?([A-Za-z]+)")


@dataclass(frozen=True)
class _Tables:
    searched: frozenset[str]
    named: frozenset[str]
    authored: frozenset[str]
    usual: frozenset[str]
    whole: Mapping[str, str]
    properties: Mapping[str, str]
    removed: frozenset[str]
    refused: frozenset[str]


@cache
def _tables() -> _Tables:
    data = read_toml(Path(__file__).with_name("parts.toml"))
    return _Tables(
        frozenset(data["searched"]),
        frozenset(data["named"]),
        frozenset(data["authored"]),
        frozenset(data["usual"]),
        data["whole"],
        data["properties"],
        frozenset(data["removed"]["names"]),
        frozenset(data["fields"]["refused"]),
    )


def read_document(source: Source) -> Iterator[Item | RecordError]:
    """Yield the item of a Word file, and an error for the parts that were left out."""
    file = source.file
    with reading(file), Package(file, links=LINKS) as package:
        if not any(map(_MAIN.fullmatch, package.names)):
            raise package.error("an office file without a Word document")
        left_out: Counter[str] = Counter()
        parts: list[_PartTexts] = []
        blanks: dict[str, bytes] = {}
        for name in sorted(package.names, key=_order):
            if _XML.fullmatch(name) and name != CONTENT_TYPES:
                if not _FORM_PARTS.fullmatch(name):
                    walk = _PartWalk(package.xml(name), package)
                    walk.walk()
                    left_out += walk.left_out
                    parts.append(walk.result())
            elif _PICTURES.fullmatch(name):
                blanks[name] = blank_picture(name)
                left_out["picture(s)"] += package.read(name) != blanks[name]
            elif not _FONTS.fullmatch(name) and name != CONTENT_TYPES:
                blanks[name] = b""
                left_out["embedded file(s)"] += bool(package.read(name))
        yield Item(with_context(_documents(source.id, parts)), _Payload(tuple(parts), blanks))
    left_out = +left_out
    if left_out:
        what = ", ".join(f"{count} {name}" for name, count in sorted(left_out.items()))
        yield RecordError(f"left out: {what}", record=source.id, path=file)


def _order(name: str) -> tuple[bool, bool, str]:
    """The body first, then the other parts with text, then the rest."""
    return not _MAIN.fullmatch(name), not _TEXT_PARTS.fullmatch(name), name


class _Found(NamedTuple):
    text: RunText
    name: str
    label: str = ""
    part: str = ""


@dataclass(frozen=True)
class _PartTexts:
    """A part with its texts."""

    name: str
    decoded: Decoded = field(repr=False)
    woven: Woven = field(repr=False)
    found: tuple[_Found, ...] = field(repr=False)
    altered: bool

    def render(self, texts: Sequence[str]) -> bytes:
        new = self.woven.render(texts)
        return self.decoded.mark + new.encode(self.decoded.encoding, "xmlcharrefreplace")


@dataclass(frozen=True)
class _Payload:
    """The parts of a file, and the bytes that replace pictures and embedded files."""

    texts: tuple[_PartTexts, ...]
    blanks: Mapping[str, bytes] = field(repr=False)

    def parts(self, new: Sequence[str]) -> dict[str, bytes]:
        changed = dict(self.blanks)
        position = 0
        for part in self.texts:
            end = position + len(part.found)
            texts = new[position:end]
            if part.altered or any(
                found.text.text != text for found, text in zip(part.found, texts, strict=True)
            ):
                changed[part.name] = part.render(texts)
            position = end
        return changed


def _documents(name: str, parts: Sequence[_PartTexts]) -> Iterator[Document]:
    row = row_of(found.text.text for part in parts for found in part.found)
    counts: Counter[str] = Counter()
    for part in parts:
        stem = part.name.removeprefix("word/").rpartition(".")[0]
        for found in part.found:
            path = f"{stem}{found.name}"
            counts[path] += 1
            own = f"{name}:{path}{f'[{counts[path]}]' if counts[path] > 1 else ''}"
            is_body = path == "document" and counts[path] == 1
            meta: dict[str, Any] = {PATIENT: name, ROW: row}
            if found.label:
                meta[WHOLE] = found.label
                if found.part:
                    meta[PART] = found.part
            yield Document(name if is_body else own, found.text.text, None, meta)


class _PartWalk:
    """Walks through an XML part and collects its texts."""

    def __init__(self, part: Part, package: Package) -> None:
        self._part = part
        self._package = package
        self._tables = _tables()
        self._canvas = Canvas(part.xml.text)
        self._found: list[_Found] = []
        self._altered = False
        self.left_out: Counter[str] = Counter()
        self._body = RunText()
        self._others = RunText()
        self._is_data = part.name.lower().startswith("customxml/item")
        self._is_property = part.name.startswith("docProps/")

    def result(self) -> _PartTexts:
        found = [_Found(self._body, "")] if self._body.text.strip() else []
        if self._others.text.strip():
            found.append(_Found(self._others, ".other"))
        found += self._found
        woven = self._canvas.woven([each.text for each in found])
        return _PartTexts(self._part.name, self._part.decoded, woven, tuple(found), self._altered)

    def walk(self) -> None:
        for aside in self._part.xml.asides:
            if aside.is_comment:
                self._canvas.replace(aside.start, aside.end)
                self._altered = True
        if self._part.name.endswith(".rels"):
            self._relationships()
        else:
            self._element(self._part.xml.root, self._body)

    def _relationships(self) -> None:
        """Mask external targets; internal targets are paths of parts."""
        for each in self._part.xml.root.elements:
            target = each.attributes.get("Target")
            if each.get("TargetMode") != "External" or target is None:
                continue
            if each.get("Type").rpartition("/")[2] != "hyperlink":
                if target.value != _NOWHERE:
                    self._canvas.replace(target.start, target.end, _NOWHERE)
                    self._altered = True
                continue
            link = _LINK.match(target.value)
            scheme = link["scheme"].lower() if link else ""
            label = _LINKS.get(scheme, "URL")
            start = len(link[0]) if link and label != "URL" else 0
            # References in the value would shift the offset; links have them after the scheme.
            self._slot(target.start + start, target.end, target.value[start:], ".link", label)

    def _element(self, element: XmlElement, text: RunText, mark: str = "\n") -> None:
        """Add the texts of an element; `mark` separates them from the next text."""
        if element.name in self._tables.removed and not self._is_data:
            self._remove(element, "embedded object(s) or data")
            return
        self._attributes(element)
        if self._is_property and not any(element.elements):
            self._property(element)
            return
        if element.name == "p" and element.namespace in (*_WORD, *_DRAWING):
            self._paragraph(element, text, mark)
            return
        last = max(element.elements, key=lambda each: each.start, default=None)
        for each in element.content:
            if isinstance(each, XmlElement):
                ends_cell = element.name == "tc" and each is last
                self._element(each, text, "\t" if ends_cell else "\n")
                if each.name in ("tr", "comment", "footnote", "endnote", "txbxContent"):
                    text.part()
            elif isinstance(each, XmlText) and each.value.strip():
                self._loose(element, each)

    def _remove(self, element: XmlElement, what: str) -> None:
        self._canvas.replace(element.start, element.end)
        self._altered = True
        self.left_out[what] += 1

    def _loose(self, element: XmlElement, each: XmlText) -> None:
        """Add a text outside paragraphs; short numbers are kept."""
        if element.name in ("t", "delText", "instrText", "delInstrText"):
            self._run(element, self._others)
        elif not _NUMBER.fullmatch(each.value.strip()) and not (
            element.name in ("f", "formatCode", "formula") and not self._is_data
        ):
            self._others.add(self._canvas.run(each.start, each.end, each.value, write_text))
        self._others.part()

    def _paragraph(self, paragraph: XmlElement, text: RunText, mark: str) -> None:
        """Add a paragraph as one line with all its runs, followed by the texts beside them."""
        inline = _Inline(RunText(), RunText(), RunText(), [])
        self._runs(paragraph, inline)
        self._attributes_below(paragraph)
        for each in inline.deleted:
            self._deleted(each, inline)
        text.extend(inline.text)
        text.part(mark)
        for beside in (inline.beside, inline.codes):
            if beside.text.strip() and not _PLAIN_FIELD.fullmatch(beside.text):
                text.extend(beside)
                text.part()
        for box in self._boxes(paragraph):
            self._element(box, text)
            text.part()

    def _boxes(self, element: XmlElement) -> Iterator[XmlElement]:
        """The text boxes of a paragraph, without nested ones."""
        for each in element.elements:
            if each.name == "txbxContent" or (
                each.name == "p" and each.namespace in (*_WORD, *_DRAWING)
            ):
                yield each
            else:
                yield from self._boxes(each)

    def _attributes_below(self, element: XmlElement) -> None:
        for each in element.elements:
            if each.name in self._tables.removed:
                self._remove(each, "embedded object(s) or data")
                continue
            self._attributes(each)
            if each.name != "txbxContent" and each.name != "p":
                self._attributes_below(each)

    def _runs(self, element: XmlElement, inline: _Inline) -> None:
        for each in element.elements:
            name = each.name
            if name in ("t", "delText"):
                run = self._run(each, inline.text) if not inline.is_aside else None
                if run is None:
                    self._run(each, inline.beside)
            elif name in ("instrText", "delInstrText"):
                self._check_field(each)
                self._run(each, inline.codes)
            elif name == "fldSimple":
                self._check_field(each)
                self._runs(each, inline)
            elif name in ("tab", "ptab") and element.name == "r":
                inline.text.part("\t")
            elif name in ("br", "cr"):
                inline.text.part()
            elif name in ("del", "moveFrom") and any(each.elements):
                before = len(inline.text.text)
                inline.deleted.append(_Deleted(each, before))
            elif name == "rt":  # the reading above a word
                inline.beside.part()
                self._runs(each, inline._replace(is_aside=True))
                inline.beside.part()
            elif name not in ("txbxContent", "p", *self._tables.removed):
                self._runs(each, inline)

    def _deleted(self, deleted: _Deleted, inline: _Inline) -> None:
        """Add deleted text that is still in the file; inside a word it is emptied."""
        around = inline.text.text
        before = around[deleted.offset - 1 : deleted.offset]
        after = around[deleted.offset : deleted.offset + 1]
        pieces = [
            each for each in deleted.element.walk() if each.name in ("t", "delText") and each.text
        ]
        old = "".join(each.text for each in pieces)
        is_partial = bool(old) and (
            (_WORD_INSIDE.match(before) and _WORD_INSIDE.match(old))
            or (_WORD_INSIDE.match(after) and _WORD_INSIDE.match(old[-1]))
        )
        inline.beside.part()
        for each in pieces:
            if is_partial:
                self._canvas.replace(*each.inner)
                self._altered = True
            else:
                self._run(each, inline.beside)
        inline.beside.part()

    def _check_field(self, element: XmlElement) -> None:
        code = element.text if element.name != "fldSimple" else _instruction(element)
        match = _FIELD.match(code)
        if match and match[1].upper() in self._tables.refused:
            raise self._package.error(
                "a field that includes an external file; replace it by its result first"
            )

    def _run(self, element: XmlElement, text: RunText) -> bool:
        """Add the text of a run, which keeps leading and trailing blanks when it is written."""
        if not element.text:
            return False
        source = self._part.xml.text
        tag = source[element.start : element.inner[0]]
        keeps = _SPACE in element.attributes or element.name == "v"
        needs_space = element.namespace in _WORD and not keeps

        def write(new: str) -> str:
            opening = f'{tag[:-1]} xml:space="preserve">' if needs_space else tag
            return f"{opening}{write_text(new)}{source[element.inner[1] : element.end]}"

        text.add(self._canvas.run(element.start, element.end, element.text, write))
        return True

    def _attributes(self, element: XmlElement) -> None:
        for key, attribute in element.attributes.items():
            name = key.rpartition("}")[2]
            value = attribute.value
            if not value.strip() or name.startswith("xmlns"):
                continue
            if name in self._tables.whole and element.name != "permStart":
                self._take(attribute, f".{name}", self._tables.whole[name])
            elif name in ("date", "fullDate", "dateUtc") and _TIME.fullmatch(value):
                self._date(attribute, name)
            elif (
                name in self._tables.searched
                or (name == "name" and element.name in self._tables.named)
                or (self._is_data and not is_code(value.strip()) and not key.startswith("xmlns"))
                or (name in _VALUES and self._is_authored(element, value))
            ):
                self._searched(element, attribute)

    def _is_authored(self, element: XmlElement, value: str) -> bool:
        """Whether the author chose a value: by its element, or because it has several words."""
        if element.name in self._tables.authored:
            return True
        return " " in value.strip() and value not in self._tables.usual

    def _searched(self, element: XmlElement, attribute: Attribute) -> None:
        value = attribute.value
        if element.name in self._tables.named and _GIVEN_NAME.fullmatch(value):
            return
        if re.fullmatch(r"\{[0-9A-Fa-f\-]{36}\}", value) or value.startswith("http://schemas."):
            return
        if _PLAIN_FIELD.fullmatch(value):
            return
        self._take(attribute, f".{attribute.name.rpartition('}')[2]}")

    def _property(self, element: XmlElement) -> None:
        """A property of the file."""
        value = element.text
        if not value.strip():
            return
        treatment = self._tables.properties.get(element.name, "text")
        if treatment == "DATE":
            match = _TIME.fullmatch(value.strip())
            date = RunText()
            rest = match["rest"] or "" if match else ""
            source = self._part.xml.text
            start, end = (
                source[element.start : element.inner[0]],
                source[element.inner[1] : element.end],
            )

            def write(new: str) -> str:
                return f"{start}{new}{rest}{end}" if _TIME.fullmatch(new) else ""

            shown = match["date"] if match else value
            date.add(self._canvas.run(element.start, element.end, shown, write))
            self._found.append(_Found(date, f".{element.name}", "DATE"))
        elif treatment != "keep" and not _NUMBER.fullmatch(value.strip()):
            label = treatment if treatment != "text" else ""
            text = RunText()
            text.add(self._canvas.run(*element.inner, value, write_text))
            self._found.append(_Found(text, f".{element.name}", label))

    def _date(self, attribute: Attribute, name: str) -> None:
        match = _TIME.fullmatch(attribute.value)
        rest = (match["rest"] or "") if match else ""
        quoted = self._part.xml.text[attribute.extent[0] : attribute.start]

        def write(new: str) -> str:
            closing = quoted[-1]
            return f"{quoted}{new}{rest}{closing}" if _TIME.fullmatch(new) else ""

        text = RunText()
        shown = match["date"] if match else attribute.value
        text.add(self._canvas.run(*attribute.extent, shown, write))
        self._found.append(_Found(text, f".{name}", "DATE"))

    def _take(self, attribute: Attribute, name: str, label: str = "") -> None:
        self._slot(attribute.start, attribute.end, attribute.value, name, label)

    def _slot(
        self,
        start: int,
        end: int,
        value: str,
        name: str,
        label: str = "",
        write: Callable[[str], str] = write_attribute,
    ) -> None:
        text = RunText()
        text.add(self._canvas.run(start, end, value, write))
        self._found.append(_Found(text, name, label))


class _Deleted(NamedTuple):
    """Deleted text, and its position in the paragraph."""

    element: XmlElement
    offset: int


class _Inline(NamedTuple):
    """The texts of a paragraph: its runs, the texts beside them, and the codes of fields."""

    text: RunText
    beside: RunText
    codes: RunText
    deleted: list[_Deleted]
    is_aside: bool = False


def _instruction(element: XmlElement) -> str:
    return next(
        (
            each.value
            for key, each in element.attributes.items()
            if key.rpartition("}")[2] == "instr"
        ),
        "",
    )
