"""Looking at masked output again: is it what was written, and what does a random sample tell?"""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, RecordError
from veil.io import files_below, find_format, hidden_below
from veil.io.base import TableOptions
from veil.masking.hashing import KEYED, hash_file, hash_input
from veil.masking.plan import REPORT, Plan
from veil.masking.report import seal_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.core.document import Document
    from veil.io.base import Format
    from veil.replace.secret import Key


OLD_REPORT = (
    "the report is of an earlier version of Veil and holds the plain SHA-256 of every input file, "
    "with which guesses about the input can be confirmed; do not share it, and mask the input again"
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
            _check_report(needed)
            return cls(path, needed)
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror}") from None
        except (ValueError, LookupError, TypeError, AttributeError):
            raise InputError(f"{file}: is no report of `veil mask`, or damaged") from None

    @property
    def folder(self) -> Path:
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def options(self) -> TableOptions:
        """Where texts and ids stand in tables, as the run was told."""
        return _options(self.report["columns"])

    @property
    def has_keyed_inputs(self) -> bool:
        """Whether only the owner of the key can tell from the report which inputs were masked."""
        return bool(self.report["seal"].get("inputs") == KEYED)

    def files(self) -> Iterator[str]:
        """Yield the paths of the files that were written."""
        return (file["path"] for file in self.report["files"] if file["output"])


def _check_report(report: Mapping[str, Any]) -> None:
    """Raise an error where something is missing that is asked for later."""
    _options(report["columns"])
    for action in (report["policy"]["default"], *report["policy"]["labels"].values()):
        _ = action["action"]
    for span in report["review"]["spans"]:
        _ = [span[key] for key in ("file", "record", "start", "end", "label", "score")]
    for file in report["files"]:
        _ = [file[key] for key in ("path", "input", "output")]
    _ = report["sample"]["size"], report["seal"]["files"], report["seal"]["digest"]
    _ = report["key"]["fingerprint"]


def _options(columns: Mapping[str, Any]) -> TableOptions:
    return TableOptions(**{**columns, "text_columns": tuple(columns.get("text_columns", ()))})


_NEEDED = ("policy", "columns", "review", "sample", "seal", "files", "key")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}.{REPORT}{suffix}")


def check_seal(output: MaskedOutput) -> list[str]:
    """What is not as it was when the run ended; nothing if the seal holds."""
    problems = []
    digest = hashlib.sha256()
    for file in output.report["files"]:
        digest.update(seal_line(file))
        place = output.folder / file["path"]
        if file["output"] is None:
            if place.exists():
                problems.append(f"{file['path']}: was withheld, but is there")
        elif not place.is_file():
            problems.append(f"{file['path']}: is missing")
        elif hash_file(place) != file["output"]:
            problems.append(f"{file['path']}: was changed")
    if digest.hexdigest() != output.report["seal"]["digest"]:
        problems.append("the report's list of files was changed")
    if output.path.is_dir():
        known = {file["path"] for file in output.report["files"]}
        known |= {f"{REPORT}.json", f"{REPORT}.html"}
        for path in (*files_below(output.path, ""), *hidden_below(output.path)):
            name = path.relative_to(output.path).as_posix()
            if name not in known:
                problems.append(f"{name}: is not of this run")
    return problems


def check_inputs(output: MaskedOutput, sources: Sequence[Path], key: Key) -> list[str]:
    """Which inputs are not those that were masked; nothing if all are, with the key of the run."""
    if not output.has_keyed_inputs:
        raise InputError(f"{output.path}: {OLD_REPORT}")
    if key.fingerprint != output.report["key"]["fingerprint"]:
        raise InputError(f"{output.path}: was masked with another key; give that of the run")
    alone = None if output.path.is_dir() else output.path.name
    expected = {file["path"]: file["input"] for file in output.report["files"]}
    problems = []
    for file in Plan(tuple(sources), output.folder, alone).files():
        name = str(file.source)
        if file.place not in expected:
            problems.append(f"{name}: was not masked in this run")
        elif (digest := expected.pop(file.place)) is None:
            problems.append(f"{name}: could not be read when the run was made")
        elif not file.source.is_file() or hash_input(key, file.place, file.source) != digest:
            problems.append(f"{name}: is not the file that was masked")
    problems += [f"{place}: its input is missing" for place in expected]
    return problems


@dataclass(frozen=True)
class Drawn:
    """A masked record that was drawn: its file and its texts."""

    file: str
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class Sample:
    """Records drawn at random of all that an output holds; the seed draws the same ones again."""

    records: tuple[Drawn, ...]
    population: int
    seed: int


def draw_sample(
    output: MaskedOutput,
    size: int,
    *,
    seed: int | None = None,
    find: Callable[[Path], Format] = find_format,
) -> Sample:
    """Draw records without putting back, each with the same chance, in the order of the output."""
    if seed is None:
        seed = random.SystemRandom().randrange(1_000_000)
    chance = random.Random(seed)  # noqa: S311 - nobody must guess it, but a person repeat it
    kept: list[tuple[int, Drawn]] = []
    population = 0
    for record in _records(output, find):
        population += 1
        if len(kept) < size:
            kept.append((population, record))
        elif (place := chance.randrange(population)) < size:
            kept[place] = (population, record)
    kept.sort(key=lambda pair: pair[0])
    return Sample(tuple(record for _, record in kept), population, seed)


def _records(output: MaskedOutput, find: Callable[[Path], Format]) -> Iterator[Drawn]:
    for name in output.files():
        file = output.folder / name
        for item in find(file).items(file, output.options, name=name.removesuffix(file.suffix)):
            if isinstance(item, RecordError):
                raise InputError(f"{file}: cannot be read as it was written: {item.reason}")
            if item.documents and not item.repeat:
                yield Drawn(name, item.documents)
