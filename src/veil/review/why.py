"""Why a place of a record was marked, or why it was not, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, RecordError
from veil.detect.base import load_linear
from veil.detect.linear import explain as explaining
from veil.models import find_model
from veil.review.material import MODEL
from veil.review.store import ADDED

if TYPE_CHECKING:
    from veil.core.document import Document, Span
    from veil.detect.crf import LinearDetector
    from veil.detect.linear.explain import Reason
    from veil.review.material import Detectors
    from veil.review.store import ReviewedSpan

_FEATURES = 8


def explain_place(
    detectors: Detectors,
    doc: Document,
    start: int,
    end: int,
    span: ReviewedSpan | None,
    is_audit: bool,
) -> dict[str, Any]:
    """Sentences and the strongest features about a place of a document.

    `span` is the span of the review that lies there, if there is one.
    """
    (outcome,) = detectors.pipeline.detect_batch([doc])
    if isinstance(outcome, RecordError):
        return {"sentences": ["The detectors could not search this text."], "features": []}
    (alone,) = detectors.alone([outcome])
    now = [each for each in outcome.spans if each.start < end and start < each.end]
    sentences = []
    if span is not None and span.state == ADDED:
        sentences.append("A reviewer marked this.")
    elif span is not None:
        was = "was masked" if is_audit else "was marked at the start"
        sentences.append(f"This {was} as {span.first.label if span.first else span.label}.")
    sentences += [_found(each) for each in now] or ["No detector marks this when it is run now."]
    for name, spans in sorted(alone.items()):
        under = [each for each in spans if each.start < end and start < each.end]
        sentences += [_alone(name, each) for each in under] or [
            f"The {name} alone find{'s' * (name == MODEL)} nothing here."
        ]
    detector = _linear(detectors, outcome.document.language)
    reasons: list[Reason] = []
    if detector is not None:
        reasons, more = _reasons(detector, doc, start, end)
        sentences += more
    return {"sentences": sentences, "features": [_feature(each) for each in reasons[:_FEATURES]]}


def _found(span: Span) -> str:
    family, _, rule = span.source.partition(":")
    who = f"the rule {rule}" if rule else f"the model {family}" if family else "a detector"
    if family == "again":
        who = "the search for originals: the same words were masked elsewhere in the record"
    return f"{span.label}, found by {who}, with the score {span.score:.2f}."


def _alone(name: str, span: Span) -> str:
    rule = span.source.partition(":")[2]
    named = f" (rule {rule})" if rule else ""
    return f"The {name} alone {'finds' if name == MODEL else 'find'} {span.label}{named} here."


def _linear(detectors: Detectors, language: str | None) -> LinearDetector | None:
    """The model of a language, if it is one that can be explained."""
    if detectors.rules is None:
        return None
    try:
        model = detectors.options.model
        return load_linear(find_model(f"veil-{language}" if model is None else model))
    except InputError:
        return None


def _reasons(
    detector: LinearDetector, doc: Document, start: int, end: int
) -> tuple[list[Reason], list[str]]:
    for found in explaining.explain(detector, doc):
        if found.span.start < end and start < found.span.end:
            return list(found.reasons), [
                f"The model prefers {found.span.label} to {_other(found.runner_up)} by "
                f"{found.margin:.1f}."
            ]
    silence = getattr(explaining, "explain_silence", None)
    told = silence(detector, doc.text, start, end) if silence else None
    if told is None:
        return [], []
    sentences = [
        f"The model gives {each.label} a probability of {each.probability:.3f} here, "
        f"{each.gap:.1f} behind no span at all."
        for each in told.candidates[:1]
    ]
    if told.found_at is not None:
        sentences.append(
            f"It would be found with --bias {told.found_at:g}; the bias was {told.bias:g}."
        )
    return list(told.reasons), sentences


def _other(label: str) -> str:
    return "no span at all" if label == explaining.OUTSIDE else label


def _feature(reason: Reason) -> dict[str, Any]:
    text = getattr(reason, "text", "") or reason.feature
    return {"text": text, "weight": round(reason.margin, 3)}
