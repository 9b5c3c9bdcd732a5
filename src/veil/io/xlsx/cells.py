"""The cells of a sheet in its XML, and how to replace their values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import with_changes
from veil.io.xml_raw import unescape, write_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A row or cell with its attributes and content; some programs write a prefix.
_ROW = re.compile(
    r"<(?P<prefix>(?:\w+:)?)row(?=[\s>/])(?P<attributes>[^>]*?)(?:/>|>(?P<inner>.*?)</(?P=prefix)row>)",
    re.DOTALL,
)
_CELL = re.compile(
    r"<(?P<prefix>(?:\w+:)?)c(?=[\s>/])(?P<attributes>[^>]*?)(?:/>|>(?P<inner>.*?)</(?P=prefix)c>)",
    re.DOTALL,
)
_FORMULA = re.compile(r"<(?:\w+:)?f(?=[\s>/])[^>]*?(?:/>|>(?P<text>.*?)</(?:\w+:)?f>)", re.DOTALL)
_VALUE = re.compile(r"<(?:\w+:)?v(?=[\s>/])[^>]*?(?:/>|>(?P<text>.*?)</(?:\w+:)?v>)", re.DOTALL)
_PHONETIC = re.compile(r"<(?:\w+:)?rPh(?=[\s>/]).*?</(?:\w+:)?rPh>", re.DOTALL)
_TEXT = re.compile(r"<(?:\w+:)?t(?=[\s>/])[^>]*?(?:/>|>(?P<text>.*?)</(?:\w+:)?t>)", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\s*([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_LITERAL = re.compile(r'"(?:[^"]|"")*"')
_LETTERS = re.compile(r"[^\W\d_]{2}")
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
# Attributes of the old value: its type, rich values and phonetic signs.
_OF_THE_VALUE = frozenset({"t", "cm", "vm", "ph"})
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?")
_SAFE_INTEGER = re.compile(r"[1-9]\d{0,14}")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_FIRST_DAY, _FIRST_DAY_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_LAST_SERIAL = 2_958_466


class Cell(NamedTuple):
    """A cell: its offsets in the XML, its column from 0, and its parts."""

    start: int
    end: int
    column: int
    prefix: str
    attributes: tuple[tuple[str, str], ...]
    formula: str
    value: str
    kind: str
    style: int
    inline: str

    @property
    def is_empty(self) -> bool:
        return not (self.formula or self.value or self.inline)

    @property
    def has_formula(self) -> bool:
        return bool(self.formula)

    @property
    def shared_index(self) -> int | None:
        return int(self.value) if self.kind == "s" and self.value.isdecimal() else None

    def literals(self) -> list[tuple[int, int, str]]:
        """The strings with words in the formula, with their offsets in it."""
        found = _FORMULA.match(self.formula)
        if not found or not found["text"]:
            return []
        return [
            (each.start() + 1, each.end() - 1, unescape(each[0][1:-1]).replace('""', '"'))
            for each in _LITERAL.finditer(self.formula, found.start("text"), found.end("text"))
            if _LETTERS.search(each[0])
        ]

    def with_literals(self, edits: Sequence[tuple[int, int, str]]) -> str:
        """The formula with some of its strings replaced."""
        changes = ((start, end, write_text(new.replace('"', '""'))) for start, end, new in edits)
        return with_changes(self.formula, sorted(changes))

    def written(self, inner: str, kind: str | None = None) -> str:
        """The cell with new content."""
        kept = ((name, value) for name, value in self.attributes if name not in _OF_THE_VALUE)
        attributes = "".join(f' {name}="{value}"' for name, value in kept)
        if kind:
            attributes += f' t="{kind}"'
        return f"<{self.prefix}c{attributes}>{inner}</{self.prefix}c>"

    def with_text(self, new: str, *, dates: DateStyles, formula: str = "") -> str:
        """The cell with a new text; it stays a date or number if the text is one."""
        p = self.prefix
        text = write_text(with_escapes(new))
        if self.has_formula:
            return self.written(f"{formula or self.formula}<{p}v>{text}</{p}v>", "str")
        if not self.kind or self.kind == "n":
            number = dates.serial(new) if dates.is_date(self.style) else None
            if number is None and _SAFE_INTEGER.fullmatch(new) and not dates.is_date(self.style):
                number = new
            if number is not None:
                return self.written(f"<{p}v>{number}</{p}v>")
        return self.written(f'<{p}is><{p}t xml:space="preserve">{text}</{p}t></{p}is>', "inlineStr")

    def without_cached_value(self, formula: str = "") -> str:
        """The cell with a formula whose value is computed when the workbook is opened."""
        return self.written(formula or self.formula)


class Row(NamedTuple):
    """A row: its number, its offsets in the XML, those of its cells, and the cells."""

    number: int
    start: int
    end: int
    inner: tuple[int, int]
    cells: tuple[Cell, ...]


def read_rows(xml: str) -> Iterator[Row]:
    """Yield the rows of a sheet."""
    number = 0
    for row in _ROW.finditer(xml):
        attributes = dict(_attributes(row["attributes"]))
        number = int(attributes["r"]) if attributes.get("r", "").isdecimal() else number + 1
        inner = row.span("inner") if row["inner"] is not None else (row.end(), row.end())
        yield Row(number, row.start(), row.end(), inner, tuple(_cells(xml, *inner)))


def _cells(xml: str, start: int, end: int) -> Iterator[Cell]:
    column = -1
    for cell in _CELL.finditer(xml, start, end):
        attributes = tuple(_attributes(cell["attributes"]))
        by_name = dict(attributes)
        place = _PLACE.fullmatch(by_name.get("r", ""))
        column = column_index(place[1]) if place else column + 1
        inner = cell["inner"] or ""
        formula, value = _FORMULA.search(inner), _VALUE.search(inner)
        style = by_name.get("s", "")
        kind = by_name.get("t", "")
        yield Cell(
            cell.start(),
            cell.end(),
            column,
            cell["prefix"],
            attributes,
            formula[0].replace("&quot;", '"') if formula else "",
            without_escapes(unescape(value["text"] or "")) if value else "",
            kind,
            int(style) if style.isdecimal() else 0,
            text_of(inner) if kind == "inlineStr" else "",
        )


def _attributes(written: str) -> Iterator[tuple[str, str]]:
    """Yield attributes with their values in source form."""
    for name, double, single in _ATTRIBUTE.findall(written):
        yield name, double or single.replace('"', "&quot;")


def column_index(letters: str) -> int:
    """The index of a column from 0: 26 for AA."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


def text_of(xml: str) -> str:
    """The text of a string item, with all formatted runs but without its reading."""
    pieces = (unescape(each["text"] or "") for each in _TEXT.finditer(_PHONETIC.sub("", xml)))
    return without_escapes("".join(pieces))


def without_escapes(text: str) -> str:
    """Resolve the escapes of Excel: `_x000D_` is a carriage return."""
    return _ESCAPE.sub(lambda each: chr(int(each[1], 16)), text) if "_x" in text else text


def with_escapes(text: str) -> str:
    """Escape what would read as an escape, and characters that XML lacks."""
    text = _LIKE_AN_ESCAPE.sub("_x005F_", text) if "_x" in text else text
    return _CONTROL.sub(lambda each: f"_x{ord(each[0]):04X}_", text)


@dataclass(frozen=True)
class DateStyles:
    """The cell styles that show a number as a date."""

    styles: frozenset[int] = frozenset()
    since_1904: bool = False

    def is_date(self, style: int) -> bool:
        return style in self.styles

    def text(self, value: str, style: int) -> str:
        """The text of a number: a date as 1948-03-12, any other number in source form."""
        if not self.is_date(style) or not _NUMBER.fullmatch(value):
            return value
        serial = float(value)
        if not 0 < serial < _LAST_SERIAL:
            return value
        moment = self._first + timedelta(seconds=round(serial * 86400))
        return moment.strftime("%Y-%m-%d" if serial == int(serial) else "%Y-%m-%d %H:%M:%S")

    def serial(self, text: str) -> str | None:
        """The number of a date, or None if the text is not a date."""
        found = _ISO.fullmatch(text)
        if not found:
            return None
        try:
            moment = datetime(*(int(part) for part in found.groups() if part))  # type: ignore[arg-type]
        except ValueError:
            return None
        since = moment - self._first
        if since.days < 61 and not self.since_1904:  # Excel counts a 29 February 1900
            return None
        return f"{since.days + since.seconds / 86400:.10f}".rstrip("0").rstrip(".")

    @property
    def _first(self) -> datetime:
        return _FIRST_DAY_1904 if self.since_1904 else _FIRST_DAY


# https://learn.microsoft.com/dotnet/api/documentformat.openxml.spreadsheet.numberingformat
_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_FORMATS = re.compile(r"<(?:\w+:)?numFmt(?=\s)([^>]*?)/?>")
_CELL_STYLES = re.compile(r"<(?:\w+:)?cellXfs(?=[\s>]).*?</(?:\w+:)?cellXfs>", re.DOTALL)
_STYLE = re.compile(r"<(?:\w+:)?xf(?=[\s>/])([^>]*?)/?>")
_NO_CODE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')
_DATE_CODE = re.compile(r"[dmyhs年月日]", re.IGNORECASE)


def date_styles(styles: str, workbook: str) -> DateStyles:
    """Find the styles of dates in the XML of styles and workbook."""
    custom = set()
    for attributes in _FORMATS.findall(styles):
        by_name = dict(_attributes(attributes))
        code = _NO_CODE.sub("", unescape(by_name.get("formatCode", "")))
        if _DATE_CODE.search(code) and "General" not in code:
            custom.add(by_name.get("numFmtId"))
    dates = {*map(str, _BUILT_IN_DATES), *custom}
    found = _CELL_STYLES.search(styles)
    of_cells: Sequence[str] = _STYLE.findall(found[0]) if found else ()
    numbers = (
        number
        for number, attributes in enumerate(of_cells)
        if dict(_attributes(attributes)).get("numFmtId") in dates
    )
    since_1904 = re.search(r'date1904\s*=\s*"(?:1|true)"', workbook) is not None
    return DateStyles(frozenset(numbers), since_1904)
