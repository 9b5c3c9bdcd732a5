"""The systems of a language that can be compared, with their results and speed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from veil.bench.process import cpu_seconds
from veil.core.errors import InputError
from veil.core.labels import VEIL
from veil.detect.assembly import HIGH, RULES, DetectionOptions
from veil.learn.recipe import METHODS, method_pipeline
from veil.models import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from veil.core.document import Document
    from veil.detect.pipeline import DetectionPipeline, Outcome
    from veil.models import ModelInfo

DEFAULT = "default"
_RUNS = 3
# A few short records are measured more often, many records less often.
_LEAST_SECONDS, _MOST_SECONDS = 0.2, 3.0


@dataclass(frozen=True)
class System:
    """A way to find identifying spans.

    `scheme` is that of its labels; `size` is that of its model in bytes, None without one.
    """

    name: str
    about: str
    load: Callable[[], DetectionPipeline]
    scheme: str = VEIL
    size: int | None = None


class Run(NamedTuple):
    """A record or an error for each document, and characters per CPU second."""

    outcomes: list[Outcome]
    speed: float


def veil_systems(language: str) -> list[System]:
    """The systems that come with Veil for a language; the first is the default."""
    own = DetectionOptions(lang=language).models()
    if not own:
        return [_rules(DEFAULT, language), *_methods(language)]
    (model,) = own
    default = System(
        DEFAULT,
        _about(model, with_rules=True),
        DetectionOptions(lang=language).load,
        size=model.size,
    )
    at_high_recall = System(
        f"{DEFAULT}, recall {HIGH}",
        f"the same at --recall {HIGH}",
        DetectionOptions(lang=language, recall=HIGH).load,
        size=model.size,
    )
    return [
        default,
        *([at_high_recall] if model.dial else []),
        _rules(RULES, language),
        model_system(model.folder, language),
        *_methods(language),
    ]


def _rules(name: str, language: str) -> System:
    return System(name, "the rules alone", DetectionOptions(lang=language, model=RULES).load)


def _methods(language: str) -> list[System]:
    """Methods of papers that need no training."""
    return [
        System(name, method.about, partial(method_pipeline, name))
        for name, method in ((name, METHODS.get(name)) for name in METHODS.names())
        if method.language == language
    ]


def model_system(
    folder: Path, language: str, *, name: str = "", about: str = "", with_rules: bool = False
) -> System:
    """A model, alone or with the rules of its language, which must be the given one."""
    info = describe(folder)
    if info.language != language:
        raise InputError(f"{folder}: a model for '{info.language}', not for '{language}'")
    if info.scheme is None:
        raise InputError(
            f"{folder}: the model's labels are not in a scheme; train it again with --scheme FILE, "
            "where the file maps them to Veil's labels (see docs/schemes.md)"
        )
    options = DetectionOptions(lang=language, model=folder, with_rules=with_rules)
    return System(
        name or folder.name,
        about or _about(info, with_rules=with_rules),
        options.load,
        VEIL if with_rules else info.scheme,
        info.size,
    )


def _about(model: ModelInfo, *, with_rules: bool) -> str:
    """A description of a model with its training data, to notice a comparison on the same data."""
    kind = f"the model {model.name} ({model.kind}) {'with the rules' if with_rules else 'alone'}"
    data = model.card.get("training", {}).get("data", ())
    return f"{kind}, trained on {', '.join(data)}" if data else kind


def run_system(system: System, docs: Sequence[Document]) -> Run:
    """Detect in documents and measure the speed when all word forms are known.

    The first pass fills the caches that systems share. It is not measured, or the system that runs
    first would pay for them.
    """
    pipeline = system.load()
    outcomes = list(pipeline.detect_many(docs))
    seconds: list[float] = []
    while sum(seconds) < (_MOST_SECONDS if len(seconds) < _RUNS else _LEAST_SECONDS):
        seconds.append(cpu_seconds(lambda: list(pipeline.detect_many(docs))))
    return Run(outcomes, sum(len(doc.text) for doc in docs) / min(seconds))
