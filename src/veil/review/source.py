"""The source of a review: masked output with its originals, or records to be annotated."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.detect.assembly import RULES, DetectionOptions
from veil.masking.audit import MaskedOutput, check_seal
from veil.masking.plan import REPORT
from veil.review.material import AnnotationSource, read_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.replace.secret import Key
    from veil.review.material import PairedRecord, ReviewText

AUDIT, ANNOTATE = "audit", "annotate"
STORE = "veil-review.sqlite"


@dataclass(frozen=True)
class ReviewSource:
    """The source of a review and how to read it: masked output with its originals, or records.

    `originals` are all files and folders that were masked; without them records are annotated.
    `reading` are the reading options for an annotation; `detection` are the detection options, or
    None for those of the run. `sample` is the size of the random sample, by default the one given
    in the report; `only_sample` leaves out all other records.
    """

    path: Path
    originals: tuple[Path, ...] = ()
    key: Key | None = None
    reading: Mapping[str, Any] | None = None
    detection: DetectionOptions | None = None
    sample: int | None = None
    only_sample: bool = False
    double: bool = False

    @property
    def mode(self) -> str:
        return AUDIT if self.originals else ANNOTATE

    def check(self) -> None:
        """Raise an error for missing files, and for masked output without its original."""
        for path in (self.path, *self.originals):
            if not path.exists():
                raise InputError(f"{path}: no such file or folder")
        if not self.originals and (self.path / f"{REPORT}.json").is_file():
            raise InputError(
                f"{self.path}: is the output of `veil mask`; give --original with what was masked"
            )

    def pairs(self) -> Iterator[PairedRecord]:
        """Yield the masked records with their originals."""
        return read_pairs(MaskedOutput.open(self.path), self.originals, self.key)

    def texts(self) -> Iterator[ReviewText]:
        """Yield the texts of all records."""
        if self.originals:
            yield from (pair.text for pair in self.pairs())
        else:
            records = AnnotationSource(self.path, self.reading or {})
            yield from (text for text, _ in records.read())

    def detection_options(self) -> DetectionOptions:
        """The detection options: the chosen ones, or those of the run that made the output."""
        if self.detection is not None or not self.originals:
            return self.detection or DetectionOptions()
        settings = MaskedOutput.open(self.path).report["detection"]
        model = RULES if settings.get("rules_only") else settings.get("model")
        names = ("lang", "assume_language", "recall", "bias", "with_rules", "detectors")
        given = {name: settings[name] for name in names if name in settings}
        return DetectionOptions(model=model, **given)

    def seal_problems(self, seal: str | None) -> list[str]:
        """The differences between the output and its seal, which must be the given one."""
        output = MaskedOutput.open(self.path)
        problems = check_seal(output)
        if output.report["seal"]["digest"] != seal:
            problems.append(f"{self.path}: is not the output that was reviewed")
        return problems

    def default_store(self) -> Path:
        """A path beside the output, not in it, because the seal does not cover the store."""
        path = self.path.resolve()
        return path.with_name(f"{path.name}.{STORE}")


def stored_path(path: Path, store: Path) -> list[str]:
    """The path relative to the store, so that both can be moved together, and the full path."""
    whole = os.fspath(path.resolve())
    beside = os.path.relpath(whole, store.resolve().parent)
    return [each.encode("utf-8", "backslashreplace").decode() for each in (beside, whole)]


def read_path(stored: list[str], store: Path) -> Path:
    """The current path of a file or folder from its paths in the store."""
    beside, whole = stored
    near = store.resolve().parent / beside
    return near if near.exists() else Path(whole)
