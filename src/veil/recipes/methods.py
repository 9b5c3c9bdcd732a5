"""Recipes that learn nothing: methods of the papers that run as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.registry import Registry
from veil.detect.kajiyama import KajiyamaRules
from veil.detect.names import NameModules
from veil.detect.pipeline import DetectionPipeline

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.detect.base import Detector


@dataclass(frozen=True)
class Method:
    """A detector by the name of its paper; its labels are Veil's."""

    about: str
    language: str
    make: Callable[[], Detector]


METHODS: Registry[Method] = Registry("method")
METHODS.add(
    "carlsson-2010",
    Method(
        "Swedish names by titles, common words and dictionaries, in the paper's best order",
        "sv",
        lambda: NameModules("sv", "TCD"),
    ),
)
METHODS.add(
    "kajiyama-2018-rules",
    Method("Age, hospital, sex and time in Japanese by the paper's rules", "ja", KajiyamaRules),
)


def method_pipeline(name: str) -> DetectionPipeline:
    """Make a pipeline of a method of a paper that learns nothing."""
    method = METHODS.get(name)
    return DetectionPipeline([method.make()], language=method.language)
