"""What a detector is, and the kinds that can be trained and kept in a model folder."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from veil.core.errors import InputError, UnknownNameError
from veil.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from veil.core.document import Document, Record, Span
    from veil.detect.crf import LinearDetector, LinearRecipe


class Detector(Protocol):
    """Finds candidate spans, in any order and possibly overlapping; `resolve` settles overlaps."""

    @property
    def name(self) -> str:
        """The detector's name; the `source` of its spans begins with it."""

    def detect(self, doc: Document) -> list[Span]:
        """Return the candidates of one document."""

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        """Return the candidates of each document; faster than one by one."""


DETECTORS: Registry[Callable[[str], Detector]] = Registry("detector", group="veil.detectors")
"""Detectors that are added by name: functions from the code of a language to a detector."""


class TrainedDetector(Detector, Protocol):
    """A detector that learns from records and is kept in a folder."""

    @classmethod
    def fit(
        cls,
        recipe: LinearRecipe,
        records: Sequence[Record],
        *,
        dev: Sequence[Record] = (),
        report: Callable[[int, float], None] | None = None,
    ) -> Self:
        """Learn from records; `dev` calibrates probabilities and the recall dial."""

    @classmethod
    def load(cls, folder: Path, **options: Any) -> Self:
        """Read a model folder."""

    def save(self, folder: Path, *, compact: bool = False) -> None:
        """Write a model folder."""

    def with_recall(self, recall: float) -> Self:
        """The same model, with its threshold set for at least this character recall."""


# The module and class of each kind; imported on first use.
_CLASSES = {
    "crf": ("veil.detect.crf", "LinearDetector"),
    "bilstm-crf": ("veil.detect.crf", "LinearDetector"),
    "window-svm": ("veil.detect.crf", "LinearDetector"),
    "two-stage": ("veil.detect.two_stage", "TwoStageDetector"),
}


def check_kind(kind: str) -> None:
    """Raise an error that lists the known kinds if this is not one."""
    if kind not in _CLASSES:
        raise UnknownNameError("kind of detector", kind, _CLASSES)


def detector_class(kind: str) -> type[TrainedDetector]:
    """The class of a kind of detector."""
    check_kind(kind)
    module, name = _CLASSES[kind]
    return cast("type[TrainedDetector]", getattr(import_module(module), name))


def load_detector(folder: Path, **options: Any) -> TrainedDetector:
    """Load the detector in a model folder, whatever its kind."""
    from veil.detect.linear.model import load_settings

    return detector_class(str(load_settings(folder).get("kind"))).load(folder, **options)


def load_linear(folder: Path, **options: Any) -> LinearDetector:
    """Read a linear model, or raise an error if the model is of another kind."""
    from veil.detect.crf import LinearDetector

    detector = load_detector(folder, **options)
    if not isinstance(detector, LinearDetector):
        raise InputError(f"{folder}: a two-stage model; this needs one of kind crf or window-svm")
    return detector
