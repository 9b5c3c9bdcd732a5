"""Inputs in formats of documents and messages: HL7, CDA, DOCX, HTML and RTF."""

from __future__ import annotations

import html
import io
import re
import zipfile
from itertools import pairwise
from typing import TYPE_CHECKING

from tools.fuzz.inputs import broken, file_name, note_of, plant_of, value_of
from tools.fuzz.plants import LANGUAGES, digits, surname, word

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tools.fuzz.inputs import Case

# Characters that XML, RTF and messages do not allow.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_BREAKS = re.compile("[\u2028\u2029\x85\x0b\x0c\x1c]")


def _clean(text: str) -> str:
    return _CONTROLS.sub(" ", _BREAKS.sub("\n", text))


class _Person:
    """A patient whose values must all be masked."""

    def __init__(self, rng: random.Random, case: Case) -> None:
        self.family = value_of(case, "PATIENT", surname(rng))
        self.given = value_of(case, "PATIENT", surname(rng))
        self.number = value_of(case, "MEDICALRECORD", digits(rng, 9))
        self.phone = value_of(case, "PHONE", digits(rng, 10))
        self.mail = f"{value_of(case, 'EMAIL', word(rng))}@example.org"
        self.street = f"12 {value_of(case, 'STREET', surname(rng))} Street"
        self.doctor = value_of(case, "DOCTOR", surname(rng))


def _hl7(rng: random.Random, case: Case) -> None:
    """A batch of messages, with local segments if the case is not whole."""
    signs = rng.choice(("|^~\\&", "|^~\\&", "|^~\\&", "#*%!?"))
    end = rng.choice(("\r", "\r", "\n", "\r\n"))
    is_framed = rng.random() < 0.3
    messages = []
    for number in range(case.size):
        language = rng.choice(LANGUAGES)
        segments = _message(rng, case, language, f"r{case.number}-{number}", signs)
        if not case.is_whole and rng.random() < 0.4:
            plant = _escaped(plant_of(rng, case, language).sentence, signs)
            extra = rng.choice(("ZPI|1|{}", "NTE|9||x||||||{}", "OBX|9|ED|1^x^L||^a^b^Base64^{}"))
            segments.append(_in_signs(extra, signs).format(plant))
        message = "".join(f"{each}{end}" for each in segments)
        messages.append(f"\x0b{message}\x1c\r" if is_framed else message)
    if rng.random() < 0.3:
        header = _in_signs("HS|^~\\&|LAB", signs)
        messages = [f"F{header}{end}B{header}{end}", *messages, f"BTS{signs[0]}1{end}FTS{end}"]
    data = "".join(messages).encode("utf-8", "replace")
    case.files[file_name(rng, "batch", rng.choice((".hl7", ".hl7", ".er7")))] = broken(
        rng, case, data
    )


def _message(rng: random.Random, case: Case, language: str, name: str, signs: str) -> list[str]:
    person = _Person(rng, case)
    lines = _clean(note_of(rng, case, language).text)
    if rng.random() < 0.5:
        texts = [f"OBX|1|FT|1^Note^L||{_escaped(lines, signs)}"]
    else:
        texts = [
            f"OBX|{place}|TX|1^Note^L||{_escaped(line, signs)}"
            for place, line in enumerate(re.split(r"[\r\n]+", lines), start=1)
        ]
    rows = [
        f"MSH|^~\\&|LAB|A|EHR|B|20240312||ORU^R01|{name}|P|2.5.1",
        f"PID|1||{person.number}^^^A^MR||{person.family}^{person.given}||19500305|F|||"
        f"{person.street}^^X^^12345||{person.phone}~{person.mail}",
        f"PV1|1|I|||||7^{person.doctor}^A",
        "OBX|0|NM|718-7^Hemoglobin^LN||118|g/L",
        *texts,
        f"NTE|1||{_escaped(_clean(plant_of(rng, case, language).sentence), signs)}",
        f"NTE|2||{person.given} {person.family}",
    ]
    made = [_in_signs(rows[0], signs), *rows[1:]]
    if signs != "|^~\\&":
        table = str.maketrans("|^~\\&", signs)
        made = [row if place in _texts_at(rows) else row.translate(table)
                for place, row in enumerate(made)]  # fmt: skip
        made = [_in_signs(row, signs) if place in _texts_at(rows) else row
                for place, row in enumerate(made)]  # fmt: skip
    named = f"{signs[0] * 7}{language}" if rng.random() < 0.5 else ""
    return [f"{made[0]}{named}", *made[1:]]


def _texts_at(rows: list[str]) -> set[int]:
    return {place for place, row in enumerate(rows) if row.startswith(("OBX", "NTE|1"))}


def _in_signs(row: str, signs: str) -> str:
    """A row of a message with other delimiters; the last part, a text, has them already."""
    if signs == "|^~\\&":
        return row
    head, separator, text = row.rpartition("||")
    table = str.maketrans("|^~\\&", signs)
    return f"{head}{separator}".translate(table) + (text if separator else row.translate(table))


def _escaped(text: str, signs: str) -> str:
    escape = signs[3]
    codes = dict(zip(signs, "FSRET", strict=True))
    made = "".join(f"{escape}{codes[sign]}{escape}" if sign in codes else sign for sign in text)
    return re.sub(r"\r\n|\r|\n", lambda _: f"{escape}.br{escape}", made)


def _cda(rng: random.Random, case: Case) -> None:
    """Documents, one per file, with local elements and comments if the case is not whole."""
    for number in range(case.size):
        language, person = rng.choice(LANGUAGES), _Person(rng, case)
        sections = "".join(
            f"<component><section><title>Note</title><text>{_narrative(rng, case, language)}</text>"
            "</section></component>"
            for _ in range(rng.randint(1, 2))
        )
        extra = ""
        if not case.is_whole and rng.random() < 0.4:
            plant = html.escape(_clean(plant_of(rng, case, language).sentence))
            kinds = ("<ssn>{}</ssn>", '<x:a xmlns:x="urn:x" b="{}"/>', "<!-- {} -->")
            extra = rng.choice(kinds).format(plant.replace("--", ""))
        data = (
            f'<?xml version="1.0" encoding="UTF-8"?><ClinicalDocument xmlns="urn:hl7-org:v3">'
            f'<languageCode code="{language}"/><recordTarget><patientRole>'
            f'<id root="1.2.3" extension="{person.number}"/><addr><streetAddressLine>'
            f'{person.street}</streetAddressLine></addr><telecom value="tel:{person.phone}"/>'
            f'<telecom value="mailto:{person.mail}"/><patient><name><given>{person.given}</given>'
            f"<family>{person.family}</family></name></patient></patientRole></recordTarget>"
            f"<author><assignedAuthor><assignedPerson><name>{person.doctor}</name>"
            f"</assignedPerson></assignedAuthor></author>{extra}"
            f"<component><structuredBody>{sections}</structuredBody></component>"
            "</ClinicalDocument>"
        ).encode()
        case.files[file_name(rng, f"document-{number}", ".xml")] = broken(rng, case, data, 0.3)


def _narrative(rng: random.Random, case: Case, language: str) -> str:
    """A narrative whose paragraphs are the lines of a note."""
    text = _clean(note_of(rng, case, language).text)
    lines = (html.escape(line, quote=False) for line in re.split(r"[\r\n]+", text))
    return "".join(f"<paragraph>{line}</paragraph>" for line in lines)


_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _docx(rng: random.Random, case: Case) -> None:
    """Word files, with names split over runs, and macros or broken parts if not whole."""
    for number in range(case.size):
        language = rng.choice(LANGUAGES)
        lines = re.split(r"[\r\n]+", _clean(note_of(rng, case, language).text))
        body = "".join(f"<w:p>{_runs(rng, line)}</w:p>" for line in lines)
        author = value_of(case, "NAME", surname(rng))
        header = f"<w:p>{_runs(rng, _clean(plant_of(rng, case, language).sentence))}</w:p>"
        parts: dict[str, str] = {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>',
            "word/header1.xml": f'<w:hdr xmlns:w="{_W}">{header}</w:hdr>',
            "docProps/core.xml": f"<core><creator>{author}</creator></core>",
        }
        if not case.is_whole and rng.random() < 0.4:
            plant = html.escape(_clean(plant_of(rng, case, language).sentence))
            more = (
                ("word/vbaProject.bin", plant),
                ("word/embeddings/a.bin", plant),
                ("word/media/a.png", plant),
                ("word/header2.xml", f"<w:hdr>{plant}"),
                ("customXml/item1.xml", f"<!-- {plant.replace('--', '')} --><a><b/></a>"),
                ("word/people.xml", f'<p xmlns:w="{_W}"><q w:author="{author}"/></p>'),
            )
            parts.update([rng.choice(more)])
        data = io.BytesIO()
        kind = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
        with zipfile.ZipFile(data, "w", kind) as package:
            for name, text in parts.items():
                package.writestr(zipfile.ZipInfo(name), text.encode(), kind)
        case.files[file_name(rng, f"letter-{number}", ".docx")] = broken(
            rng, case, data.getvalue(), 0.2
        )


_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _xlsx(rng: random.Random, case: Case) -> None:
    """A workbook with names and numbers in columns, and traces of them elsewhere if not whole."""
    case.options += ["--text-column", "note", "--id-column", "id", "--column", "name=PATIENT"]
    case.options += ["--column", "mrn=MEDICALRECORD"]
    strings: list[str] = []
    rows = [["id", "name", "mrn", "dose", "note"]]
    for number in range(case.size):
        name = value_of(case, "NAME", surname(rng))
        mrn = value_of(case, "MEDICALRECORD", digits(rng, 9))
        note = _clean(note_of(rng, case, rng.choice(LANGUAGES)).text)
        rows.append([f"r{case.number}-{number}", name, mrn, str(number), note])
    table = "".join(_sheet_row(rng, number, row, strings) for number, row in enumerate(rows, 1))
    after = ""
    parts: dict[str, str] = {}
    if not case.is_whole:
        plant = html.escape(_clean(plant_of(rng, case).sentence))
        after = rng.choice(
            (
                f"<headerFooter><oddHeader>{plant}</oddHeader></headerFooter>",
                f'<autoFilter ref="A1:E9"><filterColumn colId="1"><filters><filter val="{plant}"/>'
                "</filters></filterColumn></autoFilter>",
                f"<!-- {plant.replace('--', '')} -->",
                "",
            )
        )
        more = (
            ("xl/comments1.xml", f'<comments xmlns="{_S}"><text><t>{plant}</t></text></comments>'),
            ("xl/pivotCache/pivotCacheRecords1.xml", f"<a>{plant}</a>"),
            ("xl/externalLinks/externalLink1.xml", f"<a>{plant}</a>"),
            ("xl/vbaProject.bin", plant),
            ("docProps/custom.xml", f"<Properties><v>{plant}</v></Properties>"),
            ("xl/theme/theme1.xml", "<a/>"),
        )
        parts.update([rng.choice(more)])
    shared = "".join(f"<si><t>{html.escape(each, quote=False)}</t></si>" for each in strings)
    author = value_of(case, "NAME", surname(rng))
    parts |= {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{_R}"><sheets>'
        '<sheet name="notes" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" Type="a/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_S}"><sheetData>{table}</sheetData>'
        f"{after}</worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{_S}">{shared}</sst>',
        "docProps/core.xml": f"<core><creator>{author}</creator></core>",
    }
    data = io.BytesIO()
    kind = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(data, "w", kind) as package:
        for name, text in parts.items():
            package.writestr(zipfile.ZipInfo(name), text.encode(), kind)
    case.files[file_name(rng, "export", ".xlsx")] = broken(rng, case, data.getvalue(), 0.2)


def _sheet_row(rng: random.Random, number: int, cells: list[str], strings: list[str]) -> str:
    """A row whose cells are shared strings, inline strings or numbers."""
    written = []
    for column, cell in enumerate(cells):
        place = f"{'ABCDE'[column]}{number}"
        text = html.escape(cell, quote=False)
        if cell.isascii() and cell.isdigit() and not cell.startswith("0") and rng.random() < 0.7:
            written.append(f'<c r="{place}"><v>{cell}</v></c>')
        elif rng.random() < 0.5:
            written.append(f'<c r="{place}" t="s"><v>{len(strings)}</v></c>')
            strings.append(cell)
        else:
            written.append(f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>')
    return f'<row r="{number}">{"".join(written)}</row>'


def _runs(rng: random.Random, line: str) -> str:
    """A line in one or several runs; references of XML stay whole."""
    pieces = re.findall(r"&\w+;|.", html.escape(line, quote=False))
    cuts = sorted(rng.choices(range(len(pieces) + 1), k=rng.choice((0, 0, 2, 5))))
    bounds = [0, *cuts, len(pieces)]
    return "".join(
        f'<w:r><w:t xml:space="preserve">{"".join(pieces[start:end])}</w:t></w:r>'
        for start, end in pairwise(bounds)
    )


def _html(rng: random.Random, case: Case) -> None:
    """Pages, with comments and programs if the case is not whole."""
    for number in range(case.size):
        language = rng.choice(LANGUAGES)
        lines = re.split(r"[\r\n]+", _clean(note_of(rng, case, language).text))
        body = "".join(f"<p>{html.escape(line, quote=False)}</p>\n" for line in lines)
        plant = html.escape(_clean(plant_of(rng, case, language).sentence))
        extra = f'<meta charset="utf-8"><p>{plant}</p>'
        if not case.is_whole and rng.random() < 0.5:
            kinds = ("<!-- {} -->", "<script>x('{}')</script>", "<style>/* {} */</style>")
            extra = f'<meta charset="utf-8">{rng.choice(kinds).format(plant)}'
        data = f"<!DOCTYPE html><html><head>{extra}</head><body>{body}</body></html>".encode()
        case.files[file_name(rng, f"page-{number}", ".html")] = broken(rng, case, data, 0.3)


def _rtf(rng: random.Random, case: Case) -> None:
    """RTF files, with unknown groups if the case is not whole."""
    for number in range(case.size):
        language = rng.choice(LANGUAGES)
        lines = re.split(r"[\r\n]+", _clean(note_of(rng, case, language).text))
        body = "\n".join(f"{_rtf_text(line)}\\par" for line in lines)
        author = value_of(case, "NAME", surname(rng))
        extra = ""
        if not case.is_whole and rng.random() < 0.5:
            plant = _rtf_text(_clean(plant_of(rng, case, language).sentence))
            extra = rng.choice(
                ("{{\\*\\local {}}}", "{{\\pict {}}}", "{{\\*\\datastore {}}}")
            ).format(plant)
        text = f"{{\\rtf1\\ansi\\ansicpg1252{{\\info{{\\author {author}}}}}{extra}\n{body}}}"
        case.files[file_name(rng, f"letter-{number}", ".rtf")] = broken(
            rng, case, text.encode("ascii"), 0.3
        )


def _rtf_text(text: str) -> str:
    def letter(sign: str) -> str:
        if sign in "\\{}":
            return f"\\{sign}"
        if sign == "\t":
            return "\\tab "
        if " " <= sign <= "~":
            return sign
        units = memoryview(sign.encode("utf-16-le")).cast("H")
        return "".join(f"\\u{unit - 0x10000 if unit > 0x7FFF else unit}?" for unit in units)

    return "".join(map(letter, text))


MAKERS: dict[str, Callable[[random.Random, Case], None]] = {
    "hl7": _hl7,
    "cda": _cda,
    "docx": _docx,
    "xlsx": _xlsx,
    "html": _html,
    "rtf": _rtf,
}
