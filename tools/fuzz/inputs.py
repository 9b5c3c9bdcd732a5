"""Inputs of a case: files of every format with planted identifiers, whole or broken."""

from __future__ import annotations

import base64
import gzip
import html
import io
import json
import random
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tools.fuzz.notes import Note, break_bytes, make_note
from tools.fuzz.plants import LANGUAGES, Plant, bare, digits, plant, surname, us_ssn, word

from veil.replace.policy import policies

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = (
    *("text", "stdin", "jsonl", "csv", "tsv", "parquet", "fhir-ndjson", "fhir"),
    *("hl7", "cda", "docx", "xlsx", "html", "rtf"),
    "folder",
)
_BOM = b"\xef\xbb\xbf"
_STRANGE_NAMES = (
    *("a b", "å", "カルテ", "x'y", 'x"y', "x;y", "-rf", "a\nb", "a\x1b[31mb", "a\tb", "a\rb"),
    *("%s", "a\u202eb", "b\udcff", "a&b<c>", "\u200b", "n" * 180, "con", "{x}", "a#b", "a:b", "~"),
)
_STRANGE_IDS = (
    *("../../etc/x", "a/b", "a\\b", "a\nb", "a\x1b[2Jb", "\u202e", "", " ", "=1+1", "'--", "%n"),
    *("é", "日本", "x" * 500, "\x00", "null", "0", "-1", "1e5"),
)


@dataclass
class Case:
    """The input of a run and its options.

    `files` are relative names and their bytes; lone surrogates in a name are bytes that are not
    UTF-8. `known` are names of a table of known patients, by `record` or `patient` and an id.
    `is_whole` means that every record is valid in its format, `is_shared` that there are also files
    of other formats.
    """

    seed: int
    number: int
    format: str
    size: int
    policy: str
    files: dict[str, bytes] = field(default_factory=dict)
    options: list[str] = field(default_factory=list)
    plants: list[Plant] = field(default_factory=list)
    known: dict[tuple[str, str], str] = field(default_factory=dict)
    is_whole: bool = True
    is_shared: bool = False
    workers: int = 1
    is_killed: bool = False
    has_mapping: bool = False
    batch: int | None = None

    @property
    def name(self) -> str:
        return f"{self.seed}:{self.number}"


def make_case(seed: int, number: int) -> Case:
    """Make a case; the same seed and number give the same case."""
    rng = random.Random(f"{seed}/{number}")  # noqa: S311 - no secret
    case = Case(
        seed,
        number,
        FORMATS[number % len(FORMATS)],
        size=rng.randint(4, 30),
        policy=rng.choice(policies()),
        is_whole=rng.random() < 0.45,
        is_killed=rng.random() < 0.04,
        has_mapping=rng.random() < 0.1,
        workers=2 if rng.random() < 0.01 else 1,
        batch=rng.choice((None, None, 1_000)),
    )
    if case.is_killed:
        case.batch = 500
    if rng.random() < 0.05:
        case.options.append("--no-rescan")
    _MAKERS[case.format](rng, case)
    return case


def note_of(
    rng: random.Random,
    case: Case,
    language: str | None = None,
    *,
    record: str = "",
    patient: str = "",
) -> Note:
    """A note whose plants count; one with an id may hold a name of a known patient."""
    note = make_note(rng, language, known=bool(record or patient))
    case.plants += note.plants
    if note.known:
        case.known["record" if record else "patient", record or patient] = note.known
    return note


def plant_of(rng: random.Random, case: Case, language: str = "en") -> Plant:
    made = plant(rng, language)
    case.plants.append(made)
    return made


def value_of(case: Case, label: str, value: str) -> str:
    """A value on its own that must be replaced."""
    case.plants.append(bare(label, value))
    return value


def broken(rng: random.Random, case: Case, data: bytes, chance: float = 0.6) -> bytes:
    """The bytes of a file, broken if the case is not whole."""
    if case.is_whole or chance < rng.random():
        return data
    kind = rng.random()
    if kind < 0.8:
        return break_bytes(rng, data, case.plants)
    whole: tuple[Callable[[bytes], bytes], ...] = (
        lambda data: _BOM + data,
        lambda data: _BOM + _BOM + data,
        lambda data: data.rstrip(b"\r\n"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\r"),
        lambda data: data.replace(b"\n", "\u2028".encode()),
        lambda data: data.decode(errors="replace").encode("utf-16"),
        lambda data: data.decode(errors="replace").encode("utf-16-le"),
        lambda data: data.decode(errors="replace").encode("latin-1", "replace"),
        lambda data: data.decode(errors="replace").encode("shift_jis", "replace"),
        gzip.compress,
        lambda data: data + data,
        lambda _: b"",
        lambda data: b"\n" + data,
        lambda data: data + b"\x1a",
    )
    return rng.choice(whole)(data)


def file_name(rng: random.Random, stem: str, suffix: str) -> str:
    if rng.random() < 0.1:
        stem = f"{stem}{rng.choice(_STRANGE_NAMES)}"
    if rng.random() < 0.1:
        stem = f"{rng.choice(('sub', 'sub/deep', 'ward å'))}/{stem}"
    return f"{stem}{suffix}"


def _text_files(rng: random.Random, case: Case) -> None:
    """A folder of texts; some have names or contents that cannot be masked."""
    language = rng.choice((None, *LANGUAGES))
    if language and not case.is_shared and rng.random() < 0.5:
        case.options += ["--lang", language]
    _detect_encoding(rng, case)
    with_known = not case.is_shared and "auto" not in case.options and rng.random() < 0.3
    for number in range(case.size):
        stem = f"note-{number}"
        note = note_of(rng, case, language, record=stem if with_known else "")
        name = f"{stem}.txt"
        if not note.known:
            name = file_name(rng, stem, rng.choice((".txt", ".txt", ".txt", ".text", "")))
        if not case.is_whole and not note.known and rng.random() < 0.1:
            name = rng.choice((f".{stem}.txt", f"{stem}.xyz", f"{stem}.txt.gz", f"{stem}.html"))
        case.files[name] = broken(rng, case, note.text.encode(), 0.3)


def _standard_input(rng: random.Random, case: Case) -> None:
    """One file for standard input: a text, or any other kind."""
    kind = rng.choice(("text", "text", "text", "jsonl", "csv", "parquet", "fhir-ndjson", "fhir"))
    if kind != "text":
        _MAKERS[kind](rng, case)
        first = next(iter(case.files))
        case.files = {first: case.files[first]}
        return
    texts = [note_of(rng, case, "en").text for _ in range(case.size)]
    beginning = rng.choice(("", "", "", "[1] ", "{", "<html>", "<?xml ?>", "PAR1", "\ufeff", "\n"))
    case.files["stdin.txt"] = broken(rng, case, (beginning + "\n".join(texts)).encode(), 0.3)


def _ids(rng: random.Random, case: Case) -> list[str]:
    ids = [f"r{case.number}-{number}" for number in range(case.size)]
    if not case.is_whole:
        for place in range(len(ids)):
            if rng.random() < 0.1:
                ids[place] = rng.choice((*_STRANGE_IDS, ids[0]))
    return ids


def _json_lines(rng: random.Random, case: Case) -> None:
    key = "text" if case.is_shared else rng.choice(("text", "text", "note"))
    if key != "text":
        case.options += ["--text-column", key]
    with_known = not case.is_shared and rng.random() < 0.3
    lines = []
    ids = _ids(rng, case)
    for name in ids:
        is_plain = name.startswith("r") and ids.count(name) == 1
        note = note_of(rng, case, record=name if with_known and is_plain else "")
        record: dict[str, Any] = {"id": name, key: note.text, "ward": "B2", "n": 1.0}
        if rng.random() < 0.3:
            record["language"] = note.language
        if rng.random() < 0.3:
            record["patient"] = f"p{rng.randint(1, 5)}"
        if rng.random() < 0.3:
            record["spans"] = [
                {"start": 0, "end": 1, "label": "NAME", "text": each.value} for each in note.plants
            ]
        if rng.random() < 0.3:
            known = value_of(case, "PATIENT", surname(rng))
            record["meta"] = {"known": {"name": known}, "source": 1}
            record[key] += f"\n{known}\n"
        line = json.dumps(record, ensure_ascii=rng.random() < 0.5)
        lines.append(line if case.is_whole else _broken_line(rng, case, record, line, key))
    end = rng.choice(("\n", "\n", "\n", "\r\n"))
    data = (end.join(lines) + rng.choice((end, end, ""))).encode("utf-8", "surrogatepass")
    name = file_name(rng, "notes", rng.choice((".jsonl", ".jsonl", ".ndjson", ".json")))
    case.files[name] = broken(rng, case, data)


def _broken_line(
    rng: random.Random, case: Case, record: dict[str, Any], line: str, key: str
) -> str:
    """A line of JSON that is often invalid in one of many lines."""
    if 0.4 < rng.random():
        return line
    text = json.dumps(record.get(key, ""))
    # A record that loses its id loses its known values.
    other_id = "number" if ("record", record.get("id")) in case.known else "id"
    choices: tuple[Callable[[], str], ...] = (
        lambda: line[:-1] + f', "{key}": {text}}}',
        lambda: line[:-1] + f', "{key[:-1]}\\u{ord(key[-1]):04x}": {text}}}',
        lambda: json.dumps({**record, key: [record.get(key)]}),
        lambda: json.dumps({**record, key: {"a": record.get(key)}}),
        lambda: json.dumps({**record, key: None}),
        lambda: json.dumps({**record, key: 17}),
        lambda: json.dumps({**record, other_id: rng.choice((None, 5, [1], {}, True, 1.5))}),
        lambda: json.dumps({"meta": rng.choice((None, 5, [1], "x", {"known": 5})), **record}),
        lambda: json.dumps({**record, "language": rng.choice((None, 5, "xx", "fr"))}),
        lambda: json.dumps([record]),
        lambda: text,
        lambda: line + line,
        lambda: line + ",",
        lambda: line.replace("\\n", "\n"),
        lambda: line.replace('"', "'"),
        lambda: line[:-1],
        lambda: line.replace(": ", "\t:\r "),
        lambda: json.dumps({**record, key: str(record.get(key)) + "\udc80 \ud83d"}),
        lambda: json.dumps({**record, key: str(record.get(key)) + "\x00"}),
        lambda: line[:-1] + ', "deep": ' + "[" * 3000 + "]" * 3000 + "}",
        lambda: line[:-1] + ', "big": ' + "9" * 5000 + ', "exp": 1e99999}',
        lambda: line[:-1] + ', "nan": NaN}',
        lambda: json.dumps({"outer": record}),
        lambda: line.replace("/", "\\/"),
        lambda: "",
        lambda: "\ufeff" + line,
        lambda: "null",
    )
    return rng.choice(choices)()


def _csv(rng: random.Random, case: Case) -> None:
    _delimited(rng, case, rng.choice((",", ",", ",", ";", "\t", "|")), ".csv")


def _tsv(rng: random.Random, case: Case) -> None:
    _delimited(rng, case, "\t", ".tsv")


def _delimited(rng: random.Random, case: Case, delimiter: str, suffix: str) -> None:
    with_roles = rng.random() < 0.5
    columns = ["id", "patient", "note", "plan", "ward", *(["family", "mrn"] if with_roles else [])]
    rng.shuffle(columns)
    if with_roles:
        case.options += ["--column", "family=PATIENT:last", "--hash-column", "mrn"]
    _detect_encoding(rng, case)
    case.options += ["--text-column", "note", "--text-column", "plan", "--id-column", "id"]
    with_known = rng.random() < 0.3
    if with_known or rng.random() < 0.5:
        case.options += ["--patient-column", "patient"]
    rows = [columns]
    for number, name in enumerate(_ids(rng, case)):
        patient = f"p{number}" if with_known else f"p{rng.randint(1, 5)}"
        cells = {
            "id": name,
            "patient": patient,
            "note": note_of(rng, case, patient=patient if with_known else "").text,
            "plan": "" if rng.random() < 0.5 else note_of(rng, case).text,
            "ward": "B2",
        }
        if with_roles:
            cells["family"] = value_of(case, "PATIENT", surname(rng))
            cells["mrn"] = value_of(case, "MEDICALRECORD", digits(rng, 9))
        rows.append([cells[column] for column in columns])
    end = rng.choice(("\n", "\n", "\r\n", "\r\n", "\r"))
    if not case.is_whole and rng.random() < 0.5:
        rows, end = _broken_rows(rng, case, rows, end)
    data = end.join(_row(rng, row, delimiter) for row in rows)
    data += rng.choice((end, end, ""))
    if not case.is_whole and rng.random() < 0.1:
        data = _broken_quotes(rng, data)
    encoded = rng.choice((b"", b"", b"", _BOM)) + data.encode("utf-8", "surrogatepass")
    case.files[file_name(rng, "notes", suffix)] = broken(rng, case, encoded, 0.4)


def _detect_encoding(rng: random.Random, case: Case) -> None:
    """Sometimes detect the encoding: broken files may look like any encoding."""
    if not case.is_whole and not case.is_shared and rng.random() < 0.3:
        case.options += ["--encoding", "auto"]


def _row(rng: random.Random, cells: list[str], delimiter: str) -> str:
    all_quoted = rng.random() < 0.3
    return delimiter.join(
        '"' + cell.replace('"', '""') + '"'
        if all_quoted or any(mark in cell for mark in (delimiter, '"', "\r", "\n"))
        else cell
        for cell in cells
    )


def _broken_rows(
    rng: random.Random, case: Case, rows: list[list[str]], end: str
) -> tuple[list[list[str]], str]:
    """Broken rows, mainly the first one."""
    header, *others = rows
    for _ in range(rng.randint(1, 2)):
        kind = rng.randrange(11)
        row = rng.choice(others)
        if kind == 0:
            header = [*header, plant_of(rng, case).sentence]
            others = [[*each, "x"] for each in others]
        elif kind == 1:
            return others, end
        elif kind == 2:
            header = [
                name.replace("note", rng.choice(("Note", "note ", "nota"))) for name in header
            ]
        elif kind == 3:
            header = [*header, "note"]
            others = [[*each, plant_of(rng, case).sentence] for each in others]
        elif kind == 4:
            return [["", *[""] * (len(header) - 1)], header, *others], end
        elif kind == 5:
            return [[plant_of(rng, case).sentence], header, *others], end
        elif kind == 6:
            row.append(plant_of(rng, case).sentence)
        elif kind == 7:
            row.pop()
        elif kind == 8:
            others.insert(rng.randrange(len(others)), [])
        elif kind == 9:
            end = rng.choice(("\u2028", "\x85", "\n\r", "\x0b", "\r\r\n"))
        else:
            return [header], end
    return [header, *others], end


def _broken_quotes(rng: random.Random, data: str) -> str:
    """An extra or missing quote, outside planted identifiers, which contain none."""
    places = [place for place, letter in enumerate(data) if letter == '"']
    if not places:
        return data + '"'
    place = rng.choice(places)
    return data[:place] + rng.choice(("", '""', '" ')) + data[place + 1 :]


def _parquet(rng: random.Random, case: Case) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    case.options += ["--text-column", "note", "--id-column", "id"]
    ids = [name.replace("\0", "") for name in _ids(rng, case)]
    texts: list[str | None] = [note_of(rng, case).text for _ in ids]
    if rng.random() < 0.3:
        texts = [None if rng.random() < 0.3 else text for text in texts]
    if rng.random() < 0.1:  # more rows than are read at once, with the later ones empty
        ids += [f"empty-{number}" for number in range(4200)]
        texts += [None] * 4200
    kinds = (arrow.string(), arrow.large_string(), arrow.dictionary(arrow.int32(), arrow.string()))
    kind = rng.choice((*kinds, kinds[2]))
    if not case.is_whole and rng.random() < 0.1:
        kind = arrow.binary()
    table = arrow.table(
        {
            "id": arrow.array(ids),
            "note": arrow.array(texts).cast(kind),
            "n": arrow.array(range(len(ids))),
            "nested": arrow.array([{"a": [1, 2]}] * len(ids)),
        }
    )
    if rng.random() < 0.15:
        sentence = plant_of(rng, case).sentence
        table = table.replace_schema_metadata({"source": sentence, "pandas": "{}"})
    target = io.BytesIO()
    parquet.write_table(
        table,
        target,
        row_group_size=rng.choice((5, 10_000)),
        compression=rng.choice(("none", "none", "snappy", "zstd", "gzip")),
        use_dictionary=rng.random() < 0.8,
        store_schema=rng.random() < 0.8,
    )
    name = file_name(rng, "notes", rng.choice((".parquet", ".pq")))
    case.files[name] = broken(rng, case, target.getvalue(), 0.2)


def _fhir_lines(rng: random.Random, case: Case) -> None:
    resources = _resources(rng, case)
    lines = [json.dumps(each, ensure_ascii=rng.random() < 0.5) for each in resources]
    if not case.is_whole:
        pairs = zip(resources, lines, strict=True)
        lines = [_broken_line(rng, case, each, line, "language") for each, line in pairs]
    data = ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
    case.files[file_name(rng, "export", ".ndjson")] = broken(rng, case, data, 0.5)


def _fhir_bundle(rng: random.Random, case: Case) -> None:
    entries: list[Any] = [
        {"fullUrl": f"urn:uuid:{each['id']}", "resource": each} for each in _resources(rng, case)
    ]
    bundle: dict[str, Any] = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    if not case.is_whole and rng.random() < 0.4:
        place = rng.randrange(len(entries))
        entries[place] = rng.choice((None, 5, "x", [], [entries[place]], {"resource": None}))
    if rng.random() < 0.3:
        bundle = {"entry": bundle.pop("entry"), **bundle, "total": len(entries)}
    if rng.random() < 0.1:
        bundle["entry"] = [{"fullUrl": "urn:uuid:inner", "resource": {**bundle}}]
    if rng.random() < 0.1:
        bundle = entries[0]["resource"] if isinstance(entries[0], dict) else bundle
    indent = rng.choice((None, 0, 2))
    data = json.dumps(bundle, ensure_ascii=rng.random() < 0.5, indent=indent).encode()
    case.files[file_name(rng, "bundle", ".json")] = broken(rng, case, data, 0.15)


def _resources(rng: random.Random, case: Case) -> list[dict[str, Any]]:
    patients = [f"patient-{number}" for number in range(max(1, case.size // 4))]
    made = [_patient(rng, case, name) for name in patients]
    makers = (_observation, _document, _condition, _practitioner, _questionnaire, _binary)
    while len(made) < case.size:
        language = rng.choice(LANGUAGES)
        resource = rng.choice(makers)(rng, case, language)
        resource.update(id=f"res-{len(made)}", language=language)
        if resource["resourceType"] not in ("Practitioner", "Binary"):
            resource["subject"] = {"reference": f"Patient/{rng.choice(patients)}"}
        if not case.is_whole and rng.random() < 0.3:
            _add_unknown(rng, case, resource)
        made.append(resource)
    rng.shuffle(made)
    return made


def _patient(rng: random.Random, case: Case, name: str) -> dict[str, Any]:
    family, given = value_of(case, "PATIENT", surname(rng)), value_of(case, "PATIENT", surname(rng))
    number, phone = (
        value_of(case, "IDNUM", digits(rng, 9)),
        value_of(case, "PHONE", digits(rng, 10)),
    )
    mail = value_of(case, "EMAIL", word(rng))
    street, code = value_of(case, "STREET", surname(rng)), value_of(case, "ZIP", digits(rng, 9))
    patient: dict[str, Any] = {
        "resourceType": "Patient",
        "id": name,
        "language": "en",
        "name": [{"family": family, "given": [given]}],
        "telecom": [
            {"system": "phone", "value": phone},
            {"system": "email", "value": f"{mail}@example.org"},
        ],
        "identifier": [{"system": "urn:oid:1.2.3", "value": number}],
        "address": [{"line": [f"12 {street} Street"], "postalCode": code}],
        "birthDate": "1950-03-05",
        "gender": "female",
    }
    if case.is_whole:
        return patient
    changes: tuple[Callable[[], Any], ...] = (
        lambda: patient.update(identifier=[{"value": int(f"1{number}")}]),
        lambda: patient.update(telecom=[{"system": "phone", "value": int(f"1{phone}")}]),
        lambda: patient.update(address=[{"postalCode": int(f"1{code}")}]),
        lambda: patient.update(
            birthDate=value_of(case, "DATE", f"0{digits(rng, 1)}/05/19{digits(rng, 2)}")
        ),
        lambda: patient.update(
            birthDate=value_of(case, "DATE", f"19{digits(rng, 2)}0305103{digits(rng, 3)}")
        ),
        lambda: patient.update(name=[{"family": [family]}]),
        lambda: patient.update(name=[{"family": family, "given": given}]),
        lambda: patient.update(name=[{"family": family, "given": {"value": given}}]),
        lambda: patient.update(name=f"{given} {family}"),
        lambda: patient.update(name={"family": family, "given": [given]}),
        lambda: patient.update(name=[f"{given} {family}"]),
        lambda: patient.update(name=[{"text": f"{given} {family}", "full": family}]),
        lambda: patient.update(telecom=phone),
        lambda: patient.update(telecom=[phone, int(f"1{phone}")]),
        lambda: patient.update(telecom={"value": f"{mail}@example.org"}),
        lambda: patient.update(identifier=number),
        lambda: patient.update(identifier=[number]),
        lambda: patient.update(address=f"12 {street} Street, {code}"),
        lambda: patient.update(address=[{"street": f"12 {street} Street", "zip": code}]),
        lambda: patient.update(Name=[{"family": family}], NAME=family),
        lambda: patient.update(birthDate=[1950, 3, 5]),
        lambda: patient.update(contact=[{"name": {"family": family}, "telecom": phone}]),
        lambda: patient.update(extension=[{"url": "x", "valueString": f"Mr. {family}"}]),
        lambda: patient.update(extension=[{"url": "x", "valueInteger": int(f"1{number}")}]),
        lambda: patient.update(_birthDate={"extension": [{"url": "x", "valueString": family}]}),
        lambda: patient.update(
            photo=[{"contentType": "image/png", "data": "AAAA", "title": family}]
        ),
        lambda: patient.update(contained=[{"resourceType": "Person", "name": {"text": family}}]),
        lambda: patient.update(fhir_comments=[f"Mr. {family}"]),
    )
    for change in rng.sample(changes, k=rng.randint(0, 2)):
        change()
    if rng.random() < 0.3:
        _add_unknown(rng, case, patient)
    return patient


def _add_unknown(rng: random.Random, case: Case, resource: dict[str, Any]) -> None:
    """Give a resource an element that FHIR does not define."""
    ssn, mail = (
        value_of(case, "SSN", us_ssn(rng)),
        f"{value_of(case, 'EMAIL', word(rng))}@example.org",
    )
    sentence = plant_of(rng, case, resource["language"]).sentence
    choices: tuple[Callable[[], Any], ...] = (
        lambda: resource.update(ssn=ssn),
        lambda: resource.update(socialSecurityNumber=[ssn]),
        lambda: resource.update(email=mail),
        lambda: resource.update(contactInfo={"mails": [{"address": mail}]}),
        lambda: resource.update(freeText=f"{note_of(rng, case, resource['language']).text}"),
        lambda: resource.update(comments_=[sentence]),
        lambda: resource.update({sentence: True}),
        lambda: resource.update({"x": {mail: "y"}}),
        lambda: resource.update(text=sentence),
        lambda: resource.update(meta={"source": "x", "tag": [{"code": "a"}], "remark": sentence}),
    )
    for choice in rng.sample(choices, k=rng.randint(1, 2)):
        choice()


def _observation(rng: random.Random, case: Case, language: str) -> dict[str, Any]:
    doctor = value_of(case, "DOCTOR", surname(rng))
    return {
        "resourceType": "Observation",
        "status": "final",
        "code": {"text": "finding", "coding": [{"system": "http://loinc.org", "code": "8480-6"}]},
        "valueString": note_of(rng, case, language).text,
        "note": [{"text": note_of(rng, case, language).text, "time": "2014-03-05T10:30:00Z"}],
        "performer": [{"reference": "Practitioner/x", "display": f"Dr. {doctor}"}],
        "effectiveDateTime": rng.choice(("2014-03-05", "2014", "2014-03-05T10:30:00+01:00")),
        "component": [{"valueQuantity": {"value": 1.50, "unit": "mg"}}],
    }


def _condition(rng: random.Random, case: Case, language: str) -> dict[str, Any]:
    text = html.escape(note_of(rng, case, language).text, quote=rng.random() < 0.5)
    text = "".join(each if each.isprintable() or each in "\n\t\r" else "\n" for each in text)
    if rng.random() < 0.3:
        text = "".join(f"&#{ord(each)};" if 127 < ord(each) else each for each in text)
    div = f'<div xmlns="http://www.w3.org/1999/xhtml"><p title="x">{text}</p></div>'
    if not case.is_whole and rng.random() < 0.2:
        div = rng.choice((div[:-6], div.replace("</p>", ""), text, f"<p>{div}", f"{div}<br>"))
    return {
        "resourceType": "Condition",
        "text": {"status": "generated", "div": div},
        "code": {"text": plant_of(rng, case, language).sentence},
        "recordedDate": "2014-03-05",
    }


_CHARSETS = ("utf-8", "iso-8859-1", "utf-16", "utf-16-le", "shift_jis", "euc-jp", "windows-1252")


def _encoding_of(rng: random.Random, text: str) -> str:
    """An encoding that has all characters of a text."""
    encoding = rng.choice(_CHARSETS)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "utf-8"
    return encoding


def _attachment(rng: random.Random, case: Case, language: str) -> dict[str, Any]:
    text = note_of(rng, case, language).text
    encoding = label = "utf-8" if rng.random() < 0.6 else _encoding_of(rng, text)
    if not case.is_whole and rng.random() < 0.6:
        label = rng.choice((*_CHARSETS, "us-ascii", "x-unknown", "utf-7", "rot13"))
    kind = rng.choice(("text/plain", "text/plain", "text/markdown", "text/html", "text/csv"))
    if kind == "text/html":
        text = f"<html><body><p>{html.escape(text)}</p></body></html>"
    data = base64.b64encode(text.encode(encoding)).decode()
    if not case.is_whole and rng.random() < 0.1:
        data = rng.choice((data[:-1], f" {data}\n", f"{data}=", data.replace("+", "-"), "%%"))
        kind = rng.choice((kind, "application/pdf", "text", "TEXT/PLAIN", "application/json"))
    plain = label == "utf-8" and rng.random() < 0.5
    return {
        "contentType": kind if plain else f"{kind}; charset={label}",
        "data": data,
        "size": len(data),
        "title": plant_of(rng, case, language).sentence,
    }


def _document(rng: random.Random, case: Case, language: str) -> dict[str, Any]:
    return {
        "resourceType": "DocumentReference",
        "status": "current",
        "description": plant_of(rng, case, language).sentence,
        "content": [{"attachment": _attachment(rng, case, language)}],
    }


def _binary(rng: random.Random, case: Case, language: str) -> dict[str, Any]:
    made = _attachment(rng, case, language)
    return {"resourceType": "Binary", "contentType": made["contentType"], "data": made["data"]}


def _practitioner(rng: random.Random, case: Case, language: str) -> dict[str, Any]:
    return {
        "resourceType": "Practitioner",
        "name": [{"family": value_of(case, "DOCTOR", surname(rng)), "prefix": ["Dr."]}],
        "telecom": [{"system": "phone", "value": value_of(case, "PHONE", digits(rng, 10))}],
        "identifier": [{"value": value_of(case, "LICENSE", digits(rng, 9))}],
    }


def _questionnaire(rng: random.Random, case: Case, language: str) -> dict[str, Any]:
    item: dict[str, Any] = {"linkId": "1", "text": plant_of(rng, case, language).sentence}
    for depth in range(rng.choice((1, 3, 20 if case.is_whole else 60))):
        answer = {"valueString": plant_of(rng, case, language).sentence} if depth % 20 == 0 else {}
        item = {"linkId": f"{depth}", "answer": [{**answer, "item": [item]}]}
    return {"resourceType": "QuestionnaireResponse", "status": "completed", "item": [item]}


def _folder(rng: random.Random, case: Case) -> None:
    """A folder with files of several kinds, each with a share of the records."""
    kinds = rng.sample(
        ("text", "jsonl", "fhir-ndjson", "fhir", "hl7", "cda", "docx", "html", "rtf"),
        k=rng.randint(2, 4),
    )
    size = case.size
    case.size = max(1, size // len(kinds))
    case.is_shared = True
    files: dict[str, bytes] = {}
    for kind in kinds:
        case.files = {}
        _MAKERS[kind](rng, case)
        files.update({f"{kind}/{name}": data for name, data in case.files.items()})
    case.files, case.size = files, size


def _document_files(name: str, rng: random.Random, case: Case) -> None:
    from tools.fuzz.documents import MAKERS  # which uses this module

    MAKERS[name](rng, case)


_DOCUMENTS = ("hl7", "cda", "docx", "xlsx", "html", "rtf")
_MAKERS: dict[str, Callable[[random.Random, Case], None]] = {
    "text": _text_files,
    "stdin": _standard_input,
    "jsonl": _json_lines,
    "csv": _csv,
    "tsv": _tsv,
    "parquet": _parquet,
    "fhir-ndjson": _fhir_lines,
    "fhir": _fhir_bundle,
    "folder": _folder,
    **{name: partial(_document_files, name) for name in _DOCUMENTS},
}
