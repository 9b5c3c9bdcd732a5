"""The tables of a workbook: its sheets, the texts of their rows, and writing them back.

Only the cells of named columns and possible copies of them change: unused shared strings and cached
values of formulas are removed, as are comments, properties, filters, headers and footers. Parts
with copies that cannot be searched, such as pivot caches and charts, are errors.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import HASH, PART, PATIENT, WHOLE, Document
from veil.core.errors import InputError, RecordError
from veil.io.base import Item, TableSample
from veil.io.columns import choose_columns, is_harmless_name, roles_of, row_documents, with_preset
from veil.io.files import Ids, reading
from veil.io.json_raw import RawEdit, apply_edits
from veil.io.package import CONTENT_TYPES, Package, blank_picture
from veil.io.xlsx.cells import Cell, DateStyles, Row, date_styles, read_rows, text_of
from veil.io.xml_raw import XmlError, check_xml, decode_xml, unescape, write_attribute, write_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.core.encodings import Decoded
    from veil.io.base import Source, TableOptions
    from veil.io.columns import Columns

_WORKBOOK, _STRINGS, _STYLES = "xl/workbook.xml", "xl/sharedStrings.xml", "xl/styles.xml"
_SHEET_PART = re.compile(r"xl/worksheets/[^/]+\.xml")
_COMMENTS = re.compile(
    r"xl/(?:comments\d*|threadedComments/[^/]+|persons/[^/]+)\.xml|xl/comments/[^/]+\.xml"
)
_PROPERTIES = re.compile(r"docProps/(?:core|app|custom)\.xml")
_TABLE = re.compile(r"xl/tables/[^/]+\.xml")
_DRAWING = re.compile(r"xl/drawings/[^/]+\.(?:xml|vml)|xl/[^/]+\.vml")
_TEXT_OF_DRAWING = re.compile(
    rb"<(?:\w+:)?t>|\bdescr=|\btitle=|\balt=\"[^\"]|\bstring=|<div[^>]*>[^<]*\w"
)
_PICTURE = re.compile(r".*\.(?:png|jpe?g|gif|svg)", re.IGNORECASE)
_RELATIONSHIPS = re.compile(r".*\.rels")
_UNCHANGED = re.compile(
    r"xl/(?:styles|calcChain|metadata|sheetMetadata)\.xml|xl/theme/[^/]+\.xml"
    r"|\[Content_Types\]\.xml"
)
_EMPTIED = re.compile(r"xl/printerSettings/[^/]+|docProps/thumbnail\..*")
# Removed completely: they contain values of filtered or named cells, or notes of the author.
_REMOVED_IN_SHEETS = re.compile(
    r"<(?P<prefix>(?:\w+:)?)(?P<name>filterColumn|headerFooter|customSheetViews|scenarios|extLst"
    r"|protectedRanges|webPublishItems|smartTags)(?=[\s>/])[^>]*?(?:/>|>.*?</(?P=prefix)(?P=name)>)",
    re.DOTALL,
)
_WITH_LITERALS = re.compile(
    r"<(?P<prefix>(?:\w+:)?)(?P<name>dataValidation|cfRule)(?=[\s>/])[^>]*?"
    r"(?:/>|>.*?</(?P=prefix)(?P=name)>)",
    re.DOTALL,
)
_LITERAL = re.compile(r'\s(?:prompt|promptTitle|error|errorTitle|text)="[^"]|>[^<>]*(?:"|&quot;)')
_HYPERLINK = re.compile(r'(<(?:\w+:)?hyperlink\s[^>]*?)\s(?:display|tooltip)="[^"]*"')
_TARGET = re.compile(r'(\sTarget=)"[^"]*"')
_RELATIONSHIP = re.compile(r"<(?:\w+:)?Relationship\s[^>]*?>")
_EXTERNAL = re.compile(r'TargetMode="External"')
_SHEET = re.compile(r"<(?:\w+:)?sheet\s([^>]*?)/?>")
_DEFINED_NAME = re.compile(
    r"<(?P<prefix>(?:\w+:)?)definedName\s(?P<attributes>[^>]*?)>(?P<text>.*?)</(?P=prefix)definedName>",
    re.DOTALL,
)
_CALCULATION = re.compile(r"<(?:\w+:)?calcPr(?=[\s/>])[^>]*?/>")
_NAME_OF = re.compile(r'(?<![\w:])name\s*=\s*"([^"]*)"')
_RELATION_OF = re.compile(r'\br:id\s*=\s*"([^"]*)"|\w+:id\s*=\s*"([^"]*)"')
_STRING_ITEM = re.compile(
    r"<(?P<prefix>(?:\w+:)?)si(?=[\s>/])[^>]*?(?:/>|>(?P<inner>.*?)</(?P=prefix)si>)", re.DOTALL
)
_TABLE_COLUMN = re.compile(r'(<(?:\w+:)?tableColumn\s[^>]*?\bname=)"([^"]*)"')
_ELEMENT_TEXT = re.compile(r">([^<>]+)</")
_TITLES = re.compile(r"<(?P<name>TitlesOfParts|HeadingPairs)>.*?</(?P=name)>", re.DOTALL)
_KEPT_PROPERTIES = re.compile(
    r"<(?:\w+:)?(?:created|modified|Application|AppVersion|DocSecurity|ScaleCrop|LinksUpToDate"
    r"|SharedDoc|HyperlinksChanged)\b"
)
_ATTRIBUTE_OF_PERSON = re.compile(r'(\s(?:displayName|userId|providerId|author)=)"[^"]*"')
_SHEET_DATA = re.compile(
    r"(<(?:\w+:)?sheetData)(?=[\s>/])[^>]*?(?:/>|>.*</(?:\w+:)?sheetData>)", re.DOTALL
)
_MOST_HEADER_ROWS = 20
_NAMES_OF_SHEETS = 0
_STRING = re.compile(r'"(?:[^"]|"")*"')
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class _Slot(NamedTuple):
    """A text of a row and its cell; a string in a formula has offsets in the formula."""

    cell: Cell
    text: str
    column: str = ""
    literal: tuple[int, int] | None = None


class _RowTexts(NamedTuple):
    """A row with its texts, and its cells with a role."""

    row: Row
    texts: tuple[_Slot, ...]
    roles: tuple[_Slot, ...]
    others: tuple[_Slot, ...]
    name: str
    patient: str

    @property
    def slots(self) -> tuple[_Slot, ...]:
        return (*self.texts, *self.roles, *self.others)


class _Place(NamedTuple):
    """The payload of an item: a row of a sheet."""

    sheet: int
    row: int


@dataclass(frozen=True)
class _Sheet:
    """A sheet; `columns` is None if it has none of the columns that the user named."""

    number: int
    part: str
    decoded: Decoded = field(repr=False)
    header: Row | None = None
    names: tuple[str, ...] = field(default=(), repr=False)
    columns: Columns | None = None

    @property
    def xml(self) -> str:
        return self.decoded.text


class _Workbook:
    """An open workbook with its strings, styles and sheets."""

    def __init__(self, package: Package, options: TableOptions | None) -> None:
        self.package = package
        if _WORKBOOK not in package.names:
            raise package.error("an office file without a workbook")
        _check_parts(package)
        self.workbook = self.part(_WORKBOOK)
        self.strings = self._shared_strings()
        styles = self.part(_STYLES).text if _STYLES in package.names else ""
        self.dates: DateStyles = date_styles(styles, self.workbook.text)
        self.parts, self.sheet_names = _sheet_parts(self.workbook.text, self)
        self.sheets = [] if options is None else self._sheets(options)

    def part(self, name: str) -> Decoded:
        """An XML part that is well-formed and has nothing that could hide a cell."""
        try:
            decoded = decode_xml(self.package.read(name))
            check_xml(decoded.text)
        except XmlError as error:
            raise self.package.error(f"a part with {error}") from None
        if "<!--" in decoded.text or "<![CDATA[" in decoded.text:
            raise self.package.error("XML with comments or CDATA, which no office program writes")
        return decoded

    def _shared_strings(self) -> list[str]:
        if _STRINGS not in self.package.names:
            return []
        items = _STRING_ITEM.finditer(self.part(_STRINGS).text)
        return [text_of(each["inner"] or "") for each in items]

    def value(self, cell: Cell) -> str:
        """The value of a cell."""
        if cell.kind == "s":
            index = cell.shared_index
            if index is None or len(self.strings) <= index:
                raise self.package.error("a cell with a string that does not exist")
            return self.strings[index]
        if cell.kind == "inlineStr":
            return cell.inline
        if cell.kind in ("", "n"):
            return self.dates.text(cell.value, cell.style)
        return cell.value

    def _sheets(self, options: TableOptions) -> list[_Sheet]:
        sheets = [
            self._sheet(number, part, options) for number, part in enumerate(self.parts, start=1)
        ]
        named = _named(options)
        found = {name for sheet in sheets for name in sheet.names}
        if options.preset is None:
            for name in named:
                if name not in found:
                    # Raises the same error as for other tables.
                    choose_columns(list(found), options, self.package.file)
        if not any(sheet.columns for sheet in sheets):
            choose_columns(list(found), options, self.package.file)
        return sheets

    def _sheet(self, number: int, part: str, options: TableOptions) -> _Sheet:
        decoded = self.part(part)
        wanted = _named(options)
        best: tuple[int, Row | None, tuple[str, ...]] = (0, None, ())
        for index, row in enumerate(read_rows(decoded.text)):
            if index == _MOST_HEADER_ROWS:
                break
            names = [""] * (max((cell.column for cell in row.cells), default=-1) + 1)
            for cell in row.cells:
                names[cell.column] = self.value(cell)
            own = options
            if options.preset is not None:
                try:
                    own = with_preset(options, names, self.package.file)
                except InputError:
                    continue
                wanted = _named(own)
            count = len(wanted & set(names))
            if best[0] < count:
                best = count, row, tuple(names)
        _, header, found = best
        if header is None:
            return _Sheet(number, part, decoded)
        options = with_preset(options, found, self.package.file)
        columns = choose_columns(found, _present(options, found), self.package.file)
        return _Sheet(number, part, decoded, header, found, columns)

    def rows(self, sheet: _Sheet) -> Iterator[_RowTexts]:
        """Yield the rows of a sheet with their texts, including the header and rows above it."""
        columns, header = sheet.columns, sheet.header
        if columns is None or header is None:
            return
        text_at = {index: name for name, index in columns.texts.items()}
        role_at = {index: name for name, index in columns.roles.items()}
        for row in read_rows(sheet.xml):
            texts, roles, others = [], [], []
            name = patient = ""
            is_header, is_above = row.number == header.number, row.number < header.number
            for cell in row.cells:
                if cell.column in columns.dropped and not is_header and not is_above:
                    continue
                others += [
                    _Slot(cell, literal, literal=(start, end))
                    for start, end, literal in cell.literals()
                    if not is_harmless_name(literal)
                ]
                if cell.is_empty:
                    continue
                value = self.value(cell)
                if cell.column == columns.id and not (is_header or is_above):
                    name = value
                if cell.column == columns.patient and not (is_header or is_above):
                    patient = value
                if not value.strip():
                    continue
                is_outside = len(sheet.names) <= cell.column or not sheet.names[cell.column]
                if is_above or (is_outside and not cell.has_formula):
                    if cell.kind in ("s", "inlineStr", "str"):
                        others.append(_Slot(cell, value))
                elif is_header:
                    if cell.column not in columns.named and not is_harmless_name(value):
                        others.append(_Slot(cell, value))
                elif cell.column in text_at:
                    texts.append(_Slot(cell, value, text_at[cell.column]))
                elif cell.column in role_at:
                    roles.append(_Slot(cell, value, role_at[cell.column]))
            yield _RowTexts(row, tuple(texts), tuple(roles), tuple(others), name, patient)


def read_workbook(source: Source) -> Iterator[Item | RecordError]:
    """Yield the rows of all sheets that have named columns."""
    file, ids = source.file, Ids()
    with reading(file), Package(file) as package:
        book = _Workbook(package, source.options)
        for number, name in enumerate(book.sheet_names, start=1):
            if not _is_harmless_sheet(name):
                doc = Document(f"{source.id}:sheet{number}", name)
                yield Item((doc,), _Place(_NAMES_OF_SHEETS, number), is_record=False)
        for sheet in book.sheets:
            place = f"{sheet.number}." if len(book.sheets) > 1 else ""
            if sheet.columns is None:
                if next(read_rows(sheet.xml), None):
                    reason = "has none of the named columns, and is left empty"
                    yield RecordError(reason, record=f"sheet {sheet.number}", path=file)
                continue
            for found in book.rows(sheet):
                if not found.slots:
                    continue
                number = found.row.number
                name = f"{source.id}-{place}{number}"
                if found.name:
                    name = ids.claim(found.name, number)
                yield _item(found, sheet, name)


def sample_workbook(file: Path, rows: int) -> TableSample:
    """Return the columns of all sheets and their first rows.

    The header is the row with most cells among the first ones. Rows of one sheet have no cells in
    columns of another.
    """
    names: dict[str, None] = {}
    found: list[dict[str, str]] = []
    with reading(file), Package(file) as package:
        book = _Workbook(package, None)
        for part in book.parts:
            table = list(islice(read_rows(book.part(part).text), rows + _MOST_HEADER_ROWS))
            header = max(table[:_MOST_HEADER_ROWS], key=lambda row: len(row.cells), default=None)
            if header is None:
                continue
            own = {cell.column: book.value(cell) for cell in header.cells if not cell.is_empty}
            names.update(dict.fromkeys(own.values()))
            for row in table:
                if header.number < row.number:
                    values = {
                        own[cell.column]: book.value(cell)
                        for cell in row.cells
                        if cell.column in own and not cell.has_formula
                    }
                    found.append(values)
    return TableSample(
        tuple(names), tuple(tuple(row.get(name, "") for name in names) for row in found[:rows])
    )


def _item(found: _RowTexts, sheet: _Sheet, name: str) -> Item:
    columns = sheet.columns
    role_of = columns.role_of if columns else {}
    documents = row_documents(
        name,
        {slot.column: slot.text for slot in found.texts},
        {PATIENT: found.patient} if found.patient else {},
        cells={slot.column: slot.text for slot in found.roles},
        role_of=role_of,
    )
    # Words of a formula belong to the row, so that they get the same surrogates.
    shared = dict(documents[0].meta) if documents else {}
    for key in (WHOLE, PART, HASH):
        shared.pop(key, None)
    others = tuple(
        Document(f"{name}:{slot.cell.column + 1}-{number}", slot.text, None, shared)
        for number, slot in enumerate(found.others, start=1)
    )
    is_record = bool(documents)
    return Item((*documents, *others), _Place(sheet.number, found.row.number), is_record=is_record)


class WorkbookWriter(AbstractContextManager["WorkbookWriter"]):
    """Collects the new texts of rows, and writes the workbook at the end.

    Rows that are not written are left empty.
    """

    def __init__(self, source: Path, target: Path, options: TableOptions) -> None:
        self._source, self._target, self._options = source, target, options
        self._rows: dict[_Place, tuple[str, ...]] = {}
        self._size = 0
        target.unlink(missing_ok=True)

    def write(self, item: Item, texts: Sequence[str]) -> None:
        if any(_has_surrogate(text) for text in texts):
            name = item.documents[0].id if item.documents else None
            raise RecordError("a lone surrogate, which cannot be encoded", record=name)
        self._rows[item.payload] = tuple(texts)

    def flush(self) -> int:
        return self._size

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._rows:
            with Package(self._source) as package:
                parts = _Rewriting(_Workbook(package, self._options), self._rows).parts()
                self._size = package.write(self._target, parts)


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


class _Rewriting:
    """The parts of a workbook with new texts in some cells."""

    def __init__(self, book: _Workbook, rows: dict[_Place, tuple[str, ...]]) -> None:
        self._book = book
        self._rows = rows
        self._used: set[int] = set()
        self._headers: dict[str, str] = {}
        self._formulas: list[str] = []
        self._renamed = {
            name: f"Sheet{number}"
            for number, name in enumerate(book.sheet_names, start=1)
            if not _is_harmless_sheet(name)
            and rows.get(_Place(_NAMES_OF_SHEETS, number)) != (name,)
        }

    def _with_sheets(self, formula: str) -> str:
        """A formula that refers to sheets by their new names."""
        for old, new in self._renamed.items():
            written = write_text(old)
            quoted = written.replace("'", "''")
            formula = formula.replace(f"'{quoted}'!", f"{new}!").replace(f"{written}!", f"{new}!")
        return formula

    def parts(self) -> dict[str, bytes]:
        book = self._book
        parts = {sheet.part: _encoded(sheet.decoded, self._sheet(sheet)) for sheet in book.sheets}
        if _STRINGS in book.package.names:
            parts[_STRINGS] = _encoded(*self._strings())
        parts[_WORKBOOK] = _encoded(book.workbook, self._workbook())
        for name in book.package.names:
            if name not in parts and name != CONTENT_TYPES:
                changed = self._other(name)
                if changed is not None:
                    parts[name] = changed
        return parts

    def _sheet(self, sheet: _Sheet) -> str:
        if sheet.columns is None:
            return _cleaned(_SHEET_DATA.sub(r"\1/>", sheet.xml))
        edits: list[RawEdit] = []
        for found in self._book.rows(sheet):
            texts = self._rows.get(_Place(sheet.number, found.row.number))
            if texts is None and found.slots:
                edits.append(RawEdit(*found.row.inner, ""))
                continue
            edits += self._row(found, texts or (), sheet)
        return _cleaned(apply_edits(sheet.xml, edits))

    def _row(self, found: _RowTexts, texts: Sequence[str], sheet: _Sheet) -> Iterator[RawEdit]:
        """Yield the edits of a row, and note which shared strings it still uses."""
        columns, header = sheet.columns, sheet.header
        new: dict[Cell, str] = {}
        literals: dict[Cell, list[tuple[int, int, str]]] = {}
        for slot, text in zip(found.slots, texts, strict=True):
            if slot.literal is not None:
                literals.setdefault(slot.cell, []).append((*slot.literal, text))
            elif text != slot.text:
                new[slot.cell] = text
                if header and found.row.number == header.number:
                    self._headers[slot.text] = text
        below = header is not None and header.number < found.row.number
        masked = {*columns.texts.values(), *columns.roles.values()} if columns else set()
        for cell in found.row.cells:
            formula = cell.with_literals(literals[cell]) if cell in literals else cell.formula
            formula = self._with_sheets(formula) if formula else ""
            self._formulas.append(formula)
            if columns and below and cell.column in columns.dropped:
                yield RawEdit(cell.start, cell.end, "")
            elif cell in new:
                written = cell.with_text(new[cell], dates=self._book.dates, formula=formula)
                yield RawEdit(cell.start, cell.end, written)
            elif cell.has_formula and cell.column not in masked:
                yield RawEdit(cell.start, cell.end, cell.without_cached_value(formula))
            elif cell.shared_index is not None:
                self._used.add(cell.shared_index)

    def _strings(self) -> tuple[Decoded, str]:
        """The shared strings; unused ones are emptied."""
        decoded = self._book.part(_STRINGS)
        edits = [
            RawEdit(
                each.start(),
                each.end(),
                f"<{each['prefix']}si><{each['prefix']}t/></{each['prefix']}si>",
            )
            for number, each in enumerate(_STRING_ITEM.finditer(decoded.text))
            if number not in self._used
        ]
        return decoded, apply_edits(decoded.text, edits)

    def _workbook(self) -> str:
        """The workbook without unused names; formulas are computed when it is opened."""
        text = _DEFINED_NAME.sub(self._defined_name, self._book.workbook.text)
        text = _SHEET.sub(self._sheet_element, text)
        text = re.sub(r"<(\w+:)?definedNames>\s*</(\w+:)?definedNames>", "", text)
        text = re.sub(r"<((?:\w+:)?)extLst(?=[\s>]).*?</\1extLst>", "", text, flags=re.DOTALL)
        text = re.sub(r"<(?:\w+:)?(?:fileSharing|webPublishing)\s[^>]*?/>", "", text)
        if any(self._formulas):
            found = _CALCULATION.search(text)
            if found and "fullCalcOnLoad" not in found[0]:
                text = text[: found.end() - 2] + ' fullCalcOnLoad="1"' + text[found.end() - 2 :]
        return text

    def _defined_name(self, found: re.Match[str]) -> str:
        name = _NAME_OF.search(found["attributes"])
        if name is None:
            return ""
        if name[1].startswith("_xlnm."):
            return self._with_sheets(found[0])
        word = re.compile(rf"(?<!\w){re.escape(name[1])}(?!\w)")
        is_used = any(word.search(_STRING.sub('""', each)) for each in self._formulas)
        if is_used and not is_harmless_name(unescape(name[1])):
            raise self._book.package.error(
                "a defined name that a formula uses and that may name a person; rename it"
            )
        if not is_used or '"' in unescape(found["text"]):
            return ""
        return self._with_sheets(found[0])

    def _sheet_element(self, found: re.Match[str]) -> str:
        name = _NAME_OF.search(found[0])
        new = self._renamed.get(unescape(name[1])) if name else None
        return _NAME_OF.sub(f'name="{new}"', found[0], count=1) if new else found[0]

    def _other(self, name: str) -> bytes | None:
        """Another part without identifying content, or None if it is unchanged."""
        book = self._book
        if _COMMENTS.fullmatch(name):
            decoded = book.part(name)
            text = _ATTRIBUTE_OF_PERSON.sub(r'\1""', decoded.text)
            return _encoded(decoded, _ELEMENT_TEXT.sub("></", text))
        if _PROPERTIES.fullmatch(name):
            decoded = book.part(name)
            return _encoded(decoded, _without_properties(decoded.text))
        if _TABLE.fullmatch(name):
            decoded = book.part(name)
            text = _TABLE_COLUMN.sub(self._table_column, decoded.text)
            return _encoded(decoded, _cleaned(text))
        if _RELATIONSHIPS.fullmatch(name):
            decoded = book.part(name)
            return _encoded(decoded, _RELATIONSHIP.sub(_inside, decoded.text))
        if _EMPTIED.fullmatch(name):
            return b""
        if _PICTURE.fullmatch(name):
            return blank_picture(name)
        return None

    def _table_column(self, found: re.Match[str]) -> str:
        name = unescape(found[2])
        return f'{found[1]}"{write_attribute(self._headers.get(name, name))}"'


def _inside(relationship: re.Match[str]) -> str:
    """A relationship; an external one loses its target."""
    if not _EXTERNAL.search(relationship[0]):
        return relationship[0]
    return _TARGET.sub(r'\1"about:blank"', relationship[0])


def _without_properties(text: str) -> str:
    text = _TITLES.sub("", text)

    def emptied(found: re.Match[str]) -> str:
        opening = text.rfind("<", 0, found.start() + 1)
        is_kept = _KEPT_PROPERTIES.match(text, opening) is not None
        return found[0] if is_kept else "></"

    return _ELEMENT_TEXT.sub(emptied, text)


def _cleaned(xml: str) -> str:
    """A sheet or table without filters, headers, and rules with words in them."""
    xml = _REMOVED_IN_SHEETS.sub("", xml)
    xml = _WITH_LITERALS.sub(lambda each: "" if _LITERAL.search(each[0]) else each[0], xml)
    for name, inner in (("dataValidations", "dataValidation"), ("conditionalFormatting", "cfRule")):
        xml = re.sub(
            rf"<((?:\w+:)?){name}(?=[\s>])[^>]*>(?P<inner>(?:(?!</\1{name}>).)*)</\1{name}>",
            lambda each, inner=inner: _counted(each, inner),  # type: ignore[misc]
            xml,
            flags=re.DOTALL,
        )
    while _HYPERLINK.search(xml):
        xml = _HYPERLINK.sub(r"\1", xml)
    return xml


def _counted(found: re.Match[str], inner: str) -> str:
    """A group of rules with the correct count, or nothing if no rule is left."""
    count = len(re.findall(rf"<(?:\w+:)?{inner}(?=[\s>/])", found["inner"]))
    return re.sub(r'(\scount=)"\d+"', rf'\1"{count}"', found[0], count=1) if count else ""


def _encoded(decoded: Decoded, text: str) -> bytes:
    return decoded.mark + text.encode(decoded.encoding, "xmlcharrefreplace")


def _named(options: TableOptions) -> set[str]:
    """The columns that the user named."""
    given = (options.id_column, options.patient_column)
    return {*options.text_columns, *roles_of(options), *options.dropped, *filter(None, given)}


def _present(options: TableOptions, names: Sequence[str]) -> TableOptions:
    """The options without columns that a sheet does not have, since sheets differ."""

    def one(name: str | None) -> str | None:
        return name if name in names else None

    return replace(
        options,
        text_columns=tuple(name for name in options.text_columns if name in names),
        roles=tuple(pair for pair in options.roles if pair[0] in names),
        hashed=tuple(name for name in options.hashed if name in names),
        dropped=tuple(name for name in options.dropped if name in names),
        id_column=one(options.id_column),
        patient_column=one(options.patient_column),
    )


def _sheet_parts(workbook: str, book: _Workbook) -> tuple[list[str], list[str]]:
    """The parts and names of the sheets, in the order of the workbook."""
    relations = {}
    rels = "xl/_rels/workbook.xml.rels"
    if rels in book.package.names:
        for found in _RELATIONSHIP.findall(book.part(rels).text):
            own = dict(re.findall(r'(Id|Target)="([^"]*)"', found))
            target = own.get("Target", "")
            path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
            relations[own.get("Id", "")] = path
    parts, names = [], []
    for attributes in _SHEET.findall(workbook):
        relation = _RELATION_OF.search(attributes)
        part = relations.get(relation[1] or relation[2], "") if relation else ""
        if part not in book.package.names or not _SHEET_PART.fullmatch(part):
            raise book.package.error("a sheet that is not a table, such as a chart or a dialog")
        parts.append(part)
        name = _NAME_OF.search(attributes)
        names.append(unescape(name[1]) if name else "")
    return parts, names


def _is_harmless_sheet(name: str) -> bool:
    """Whether the name of a sheet consists of usual words and years."""
    return is_harmless_name(_YEAR.sub("", name))


def _check_parts(package: Package) -> None:
    """Raise an error for parts that may contain a copy of the data, or that are unknown."""
    known = (
        *(_SHEET_PART, _COMMENTS, _PROPERTIES, _TABLE, _PICTURE, _RELATIONSHIPS, _UNCHANGED),
        _EMPTIED,
    )
    for name in package.names:
        if name in (_WORKBOOK, _STRINGS) or any(each.fullmatch(name) for each in known):
            continue
        if _DRAWING.fullmatch(name):
            if _TEXT_OF_DRAWING.search(package.read(name)):
                raise package.error("a drawing with text; remove it first")
            continue
        for part, what in _REFUSED.items():
            if name.startswith(part):
                raise package.error(f"{what}; remove it first")
        raise package.error("a part that Veil does not know; save the workbook without it")


_REFUSED = {
    "xl/pivot": "a pivot table, which contains a copy of the data",
    "xl/slicer": "a slicer, which contains a copy of the data",
    "xl/charts": "a chart, which contains a copy of the data",
    "xl/externalLinks": "a link to another workbook, with a copy of its data",
    "xl/connections": "a connection to a database",
    "xl/queryTables": "a query of a database",
    "xl/embeddings": "an embedded file",
    "xl/revisions": "a history of changes",
    "xl/model": "a data model, which contains a copy of the data",
    "customXml": "embedded data",
}
