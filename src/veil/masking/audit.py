"""Checks masked output: whether it is unchanged, and what a random sample proves."""

from __future__ import annotations

import hashlib
import json
import random
import re
from dataclasses import dataclass, replace
from pathlib import PurePath
from string import Formatter
from typing import TYPE_CHECKING, Any

from veil.core.document import Record, Span
from veil.core.errors import InputError, RecordError, printable
from veil.core.labels import SCHEMES, scheme
from veil.io import files_below, find_format, hidden_below
from veil.io.base import TableOptions
from veil.masking.plan import KEYED, REPORT, Plan, hash_file, hash_input
from veil.masking.report import CONFIDENCE, largest_leak, seal_line
from veil.render import record_view, render_page, terminal_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.core.document import Document
    from veil.replace.secret import Key


OLD_REPORT = (
    "the report was written by an earlier version of Veil and contains the plain SHA-256 of every "
    "input file, which can confirm guesses about the input; do not share it, and mask again"
)


@dataclass(frozen=True)
class MaskedOutput:
    """The output of a run and its report."""

    path: Path
    report: Mapping[str, Any]

    @classmethod
    def open(cls, path: Path) -> MaskedOutput:
        """Read the report of an output folder or file."""
        file = path / f"{REPORT}.json" if path.is_dir() else _beside(path, ".json")
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
        if not file.is_file():
            raise InputError(f"{path}: no report of `veil mask` there ({file.name})")
        try:
            report = json.loads(file.read_text("utf-8"))
            needed = {key: report[key] for key in _NEEDED}
            # Reports of earlier versions lack these.
            needed["clinical_values"] = report.get("clinical_values")
            needed["rename"] = report.get("rename", False)
            unsure = report.get("unsure_spans", report["review"].get("spans", ()))
            needed["review"] = {**report["review"], "spans": unsure}
            needed["rescan"] = report.get("rescan", True)
            needed["detection"] = report.get("detection", {})
            needed["withheld"] = report.get("withheld", [])
            _check_report(needed)
            return cls(path, needed)
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror}") from None
        except (ValueError, LookupError, TypeError, AttributeError):
            raise InputError(f"{file}: is not a report of `veil mask`, or is damaged") from None

    @property
    def folder(self) -> Path:
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def options(self) -> TableOptions:
        """The columns of texts and ids in tables, as in the run."""
        return TableOptions.from_data(self.report["columns"]).of_output()

    @property
    def run_options(self) -> TableOptions:
        """The columns of texts and ids in the input of the run."""
        return TableOptions.from_data(self.report["columns"])

    @property
    def has_keyed_inputs(self) -> bool:
        """Whether only the owner of the key can check which inputs were masked."""
        return bool(self.report["seal"].get("inputs") == KEYED)

    def files(self) -> Iterator[str]:
        """Yield the paths of the files that were written."""
        return (file["path"] for file in self.report["files"] if file["output"])


def _check_report(report: Mapping[str, Any]) -> None:
    """Raise an error if something is missing that is needed later."""
    TableOptions.from_data(report["columns"])
    for action in (report["policy"]["default"], *report["policy"]["labels"].values()):
        _ = action["action"]
    for span in report["review"]["spans"]:
        _ = [span[key] for key in ("file", "record", "start", "end", "label", "score")]
    if report["clinical_values"] is not None:
        for value in report["clinical_values"]["listed"]:
            _ = [value[key] for key in ("file", "record", "start", "end", "label", "rule")]
        _ = report["clinical_values"]["found"], report["clinical_values"]["changed"]
    for file in report["files"]:
        _ = [file[key] for key in ("path", "input", "output")]
    _ = report["sample"]["size"], report["seal"]["files"], report["seal"]["digest"]
    _ = report["key"]["fingerprint"]


_NEEDED = ("policy", "columns", "review", "sample", "seal", "files", "key")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}.{REPORT}{suffix}")


def check_seal(output: MaskedOutput) -> list[str]:
    """Return what has changed since the end of the run; nothing if the seal holds."""
    problems = []
    digest = hashlib.sha256()
    for file in output.report["files"]:
        digest.update(seal_line(file))
        path = output.folder / file["path"]
        if file["output"] is None:
            if path.exists():
                problems.append(f"{file['path']}: was withheld, but exists")
        elif not path.is_file():
            problems.append(f"{file['path']}: is missing")
        elif hash_file(path) != file["output"]:
            problems.append(f"{file['path']}: was changed")
    if digest.hexdigest() != output.report["seal"]["digest"]:
        problems.append("the report's list of files was changed")
    if output.path.is_dir():
        known = {file["path"] for file in output.report["files"]}
        known |= {f"{REPORT}.json", f"{REPORT}.html"}
        for path in (*files_below(output.path, ""), *hidden_below(output.path)):
            name = path.relative_to(output.path).as_posix()
            if name not in known:
                problems.append(f"{name}: does not belong to this run")
    return problems


def check_inputs(output: MaskedOutput, sources: Sequence[Path], key: Key) -> list[str]:
    """Return the inputs that differ from those that were masked; needs the key of the run."""
    if not output.has_keyed_inputs:
        raise InputError(f"{output.path}: {OLD_REPORT}")
    if key.fingerprint != output.report["key"]["fingerprint"]:
        raise InputError(f"{output.path}: was masked with another key; give the key of the run")
    alone = None if output.path.is_dir() else output.path.name
    expected = {file["path"]: file["input"] for file in output.report["files"]}
    problems = []
    plan = Plan(tuple(sources), output.folder, alone)
    for file in (plan.renamed(key) if output.report.get("rename") else plan).files():
        name = str(file.source)
        if file.path not in expected:
            problems.append(f"{name}: was not masked in this run")
        elif (digest := expected.pop(file.path)) is None:
            problems.append(f"{name}: could not be read when the run was made")
        elif not file.source.is_file() or hash_input(key, file.path, file.source) != digest:
            problems.append(f"{name}: is not the file that was masked")
    problems += [f"{path}: its input is missing" for path in expected]
    return problems


@dataclass(frozen=True)
class Drawn:
    """A masked record in a sample: its file and its texts."""

    file: str
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class Sample:
    """Records drawn at random from an output; the same seed draws the same ones."""

    records: tuple[Drawn, ...]
    population: int
    seed: int


def draw_sample(output: MaskedOutput, size: int, *, seed: int | None = None) -> Sample:
    """Draw records without replacement, with equal probability, in the order of the output."""
    if seed is None:
        seed = random.SystemRandom().randrange(1_000_000)
    chance = random.Random(seed)  # noqa: S311 - the draw is repeatable, not secret
    kept: list[tuple[int, Drawn]] = []
    population = 0
    for record in _records(output):
        population += 1
        if len(kept) < size:
            kept.append((population, record))
        elif (index := chance.randrange(population)) < size:
            kept[index] = (population, record)
    kept.sort(key=lambda pair: pair[0])
    return Sample(tuple(record for _, record in kept), population, seed)


def _records(output: MaskedOutput) -> Iterator[Drawn]:
    for name in output.files():
        file = output.folder / name
        for item in find_format(file).items(
            file, output.options, name=name.removesuffix(file.suffix)
        ):
            if isinstance(item, RecordError):
                raise InputError(f"{file}: cannot be read as it was written: {item.reason}")
            if item.documents and not item.repeat:
                yield Drawn(name, item.documents)


REDACTED = "REDACTED"
_NOTICE = "This page contains text of masked records: protect it like the output."
_TAGS = ("[{label}-{number}]", "[{label}]")
_DOUBTFUL = "not-sure"


def sample_page(output: MaskedOutput, sample: Sample) -> Iterator[str]:
    """Yield a page with the records, with replacements marked where they are recognisable."""
    find = Replaced(output.report)
    records = (
        record_view(_marked(drawn, doc, find)) for drawn in sample.records for doc in _texts(drawn)
    )
    title = f"Sample of {output.path.name}: {len(sample.records):,} of {sample.population:,}"
    return render_page(
        "records", title=title, notice=_NOTICE, paragraphs=meaning(sample), records=records
    )


def sample_text(sample: Sample) -> Iterator[str]:
    """Yield the records as text."""
    for line in meaning(sample):
        yield f"{line}\n"
    for drawn in sample.records:
        for doc in _texts(drawn):
            yield f"\n== {_title(drawn, doc)}\n\n"
            yield terminal_record(Record.of(doc), colour=False).rstrip("\n") + "\n"


def meaning(sample: Sample) -> list[str]:
    """What the sample proves, in words."""
    read = len(sample.records)
    if not read:
        return ["The output contains no record."]
    bound = largest_leak(sample.population, read)
    return [
        f"{read:,} of {sample.population:,} records, drawn at random with the seed {sample.seed}.",
        "Read them and mark every record in which a person can still be identified. If there is "
        f"none, at most {bound:.2%} of all records are such, with {CONFIDENCE:.0%} confidence.",
    ]


def _texts(drawn: Drawn) -> Iterable[Document]:
    return (doc for doc in drawn.documents if doc.text)


def _title(drawn: Drawn, doc: Document) -> str:
    alone = PurePath(drawn.file).with_suffix("").as_posix() == doc.id
    return printable(drawn.file if alone else f"{drawn.file}: {doc.id}")


def _marked(drawn: Drawn, doc: Document, find: Replaced) -> Record:
    spans = [span for span in find(drawn, doc) if span.end <= len(doc.text)]
    return Record.of(replace(doc, id=_title(drawn, doc)), spans)


class Replaced:
    """Finds replacements: tags and bars by their form, unsure spans by the report."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        policy = report["policy"]
        actions = [policy["default"], *policy["labels"].values()]
        forms = dict.fromkeys(filter(None, map(_form, actions)))
        self._pattern = re.compile("|".join(forms)) if forms else None
        self._unsure: dict[tuple[str, str], list[Span]] = {}
        for each in report["review"]["spans"]:
            span = Span(each["start"], each["end"], each["label"], each["score"], _DOUBTFUL)
            self._unsure.setdefault((each["file"], each["record"]), []).append(span)

    def __call__(self, drawn: Drawn, doc: Document) -> Iterator[Span]:
        yield from self._unsure.get((drawn.file, doc.id), [])
        if self._pattern:
            for match in self._pattern.finditer(doc.text):
                label = _LABEL.search(match[0])
                yield Span(*match.span(), label[0] if label else REDACTED)


_LABEL = re.compile(
    "|".join(
        sorted(
            sorted({each for name in SCHEMES for each in scheme(name).labels}),
            key=len,
            reverse=True,
        )
    )
)


def _form(action: Mapping[str, Any]) -> str | None:
    """A pattern for what an action writes, if that can be recognised in a text."""
    name = action["action"]
    if name == "redact":
        return f"{re.escape(action.get('character', '█'))}+"
    if name == "hash":
        return rf"(?:{_LABEL.pattern})-[0-9a-f]{{{action.get('length', 12)}}}"
    if name == "tag":
        given = action.get("form") or _TAGS[0 if action.get("numbered", True) else 1]
        return "".join(
            re.escape(text)
            + {"label": f"(?:{_LABEL.pattern})", "number": r"\d+"}.get(field or "", "")
            for text, field, _, _ in Formatter().parse(given)
        )
    return None
