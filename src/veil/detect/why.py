"""Why a stretch of text was found or missed: by the rules, by the model, and in joining them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from veil.core.document import Document, Record, Span
from veil.core.errors import InputError, RecordError
from veil.core.labels import VEIL, convert_to_veil, scheme
from veil.core.toml import read_toml
from veil.detect.assembly import ByLanguage, InVeilLabels, default_pipeline, high_bias
from veil.detect.crf import LinearDetector, windows
from veil.detect.hybrid import HybridDetector
from veil.detect.linear.explain import Candidate, explain_at, explain_silence, merged
from veil.detect.lists import DenyList
from veil.detect.pipeline import document_views
from veil.detect.repeats import SOURCE as REPEATS
from veil.detect.rules import RuleDetector
from veil.features.wording import in_lists, lists_of
from veil.languages import has_spaces
from veil.lexicons import Mark, is_ordinary, word_marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.core.view import View
    from veil.detect.base import Detector
    from veil.detect.linear.explain import Reason
    from veil.detect.pipeline import DetectionPipeline
    from veil.detect.rules import Rule, RuleMatch

FOUND, PARTLY = "found", "partly found"
VALUE, SHIELD, SILENCE, ALLOWED = "clinical value", "shield", "model's silence", "allow list"
THRESHOLD, UNSEEN = "threshold", "unseen"
"""Why a stretch was missed; `FOUND` and `PARTLY` are not reasons for a miss."""

_MOST_WORDS = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NAMES = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME | Mark.CITY | Mark.REGION).value


@dataclass(frozen=True)
class Why:
    """Why a stretch of a document was found or missed.

    `span` is the span found there, if any. `causes` are the constants above, the strongest first.
    `candidates` are the labels that came closest, in Veil's labels, `bias` is the threshold of the
    model, and `found_at` the highest bias at which it finds something there. `sentences` describe
    all of this; `reasons` are the features for the closest label (or for that found) against the
    next.
    """

    start: int
    end: int
    span: Span | None
    causes: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    bias: float | None
    found_at: float | None
    sentences: tuple[str, ...]
    reasons: tuple[Reason, ...]

    def to_data(self, *, top: int = 8) -> dict[str, Any]:
        """The explanation as JSON data, with the strongest features in words."""
        span = self.span
        return {
            "span": None if span is None else {"start": span.start, "end": span.end},
            "label": None if span is None else span.label,
            "score": None if span is None else span.score,
            "causes": list(self.causes),
            "candidates": [each._asdict() for each in self.candidates],
            "bias": self.bias,
            "found_at": self.found_at,
            "sentences": list(self.sentences),
            "features": [
                {"text": reason.text, "weight": round(reason.margin, 3)}
                for reason in merged(self.reasons)[:top]
            ],
        }


@cache
def _default() -> DetectionPipeline:
    return default_pipeline()


def explain_missed(
    document: Document, start: int, end: int, *, pipeline: DetectionPipeline | None = None
) -> Why:
    """Explain why a stretch of a document was missed, or found, if it was.

    Without a pipeline, Veil's own model and rules are used. A document that would be withheld
    raises the error that withholds it.
    """
    if not 0 <= start < end <= len(document.text):
        raise InputError(
            f"{document.id}: {start}:{end} is no stretch of a text of {len(document.text):,} "
            "characters; give a start and a larger end"
        )
    pipeline = _default() if pipeline is None else pipeline
    (outcome,) = pipeline.detect_batch([document])
    if isinstance(outcome, RecordError):
        raise outcome
    return _Explainer(pipeline, outcome).explain(start, end)


def explain_found(record: Record, pipeline: DetectionPipeline) -> list[Why]:
    """Explain each span that a pipeline found in a record."""
    explainer = _Explainer(pipeline, record)
    return [explainer.explain(span.start, span.end) for span in record.spans]


class _Explainer:
    """Explains stretches of one document whose spans are known."""

    def __init__(self, pipeline: DetectionPipeline, record: Record) -> None:
        self.record = record
        self.doc = record.document
        self.language = self.doc.language or ""
        self.pipeline = pipeline
        self.linear, self.rules, self.labels = parts_of(pipeline, self.language)
        views = document_views(self.doc)
        self._view: View | None = views[0] if views else None
        self._text = self._view.text if self._view else self.doc.text

    def explain(self, start: int, end: int) -> Why:
        under = [span for span in self.record.spans if span.start < end and start < span.end]
        left = _uncovered(self.doc.text, start, end, under)
        if left is None:
            return self._found(start, end, under[0])
        why = self._missed(start, end, left)
        if not under:
            return why
        shown = ", ".join(f"{span.label} {span.start}-{span.end}" for span in under)
        sentences = (f"A part of it was found ({shown}).", *why.sentences)
        return replace(why, span=under[0], causes=(PARTLY, *why.causes), sentences=sentences)

    def _seen(self, start: int, end: int) -> tuple[int, int]:
        """Map a stretch to the text that detectors see; empty if they do not see it."""
        return self._view.to_view(start, end) if self._view else (start, end)

    def _windowed(self, start: int, end: int) -> tuple[str, int, int]:
        """The part of a long text that the model sees, and the stretch in it."""
        first, last = self._seen(start, end)
        cuts = windows(self._text)
        window = next((each for each in cuts if first < each.last), cuts[-1])
        return self._text[window.start : window.end], first - window.start, last - window.start

    # Found -------------------------------------------------------------------------------------

    def _found(self, start: int, end: int, span: Span) -> Why:
        sentences = [f"It was found as {span.label}, with the score {span.score:.2f}."]
        source, _, name = span.source.partition(":")
        reasons: tuple[Reason, ...] = ()
        explained = None
        if self.linear:
            explained = explain_at(self.linear, *self._windowed(span.start, span.end))
        if self.rules and source == self.rules.name:
            sentences.append(f"The rule {_described(self.rules, name)} found it.")
        elif source == REPEATS:
            sentences.append("It is the same as a name or number that was found elsewhere.")
        elif source == DenyList.name:
            sentences.append("It is a term of the list of what is always masked.")
        elif source == "known":
            sentences.append("It is known of the patient.")
        elif self.linear and source == self.linear.name and explained:
            second = self._in_veil(explained.runner_up, start, end)
            sentences.append(
                f"The model {source} found it. Next came {second}, {explained.margin:.1f} behind."
            )
        elif source:
            sentences.append(f"The detector {source} found it.")
        if explained:
            reasons = explained.reasons
        return Why(start, end, span, (FOUND,), (), None, None, tuple(sentences), reasons)

    # Missed ------------------------------------------------------------------------------------

    def _missed(self, start: int, end: int, left: tuple[int, int]) -> Why:
        causes: list[str] = []
        sentences: list[str] = []
        for cause, sentence in (*self._by_values(start, end), *self._by_rules(start, end)):
            causes.append(cause)
            sentences.append(sentence)
        candidates: tuple[Candidate, ...] = ()
        bias = found_at = None
        reasons: tuple[Reason, ...] = ()
        silence = None
        if self.linear:
            silence = explain_silence(self.linear, *self._windowed(*left))
        if self.linear and silence:
            bias, found_at, reasons = silence.bias, silence.found_at, silence.reasons
            named: dict[str, Candidate] = {}
            for each in silence.candidates:
                label = self._in_veil(each.label, start, end)
                named.setdefault(label, each._replace(label=label))
            candidates = tuple(named.values())
            cause, said = _by_model(self.linear, candidates, bias, found_at)
            causes += [cause] if found_at is not None or not causes else []
            sentences += said
        elif not self.linear:
            causes += [] if causes else [UNSEEN]
            sentences.append("No model was used, and no rule finds it.")
        sentences += self._by_lexicons(start, end)
        if found_at is None:
            sentences.append(
                "To mask it in every record, write it into a list and give --deny FILE, or write "
                "a rule (--own-rules FOLDER)."
            )
        return Why(
            *(start, end, None, tuple(dict.fromkeys(causes)), candidates, bias, found_at),
            tuple(sentences),
            reasons,
        )

    def _by_values(self, start: int, end: int) -> Iterator[tuple[str, str]]:
        for value in self.record.values:
            if value.start < end and start < value.end:
                name = value.source.partition(":")[2]
                rule = _described(self.rules, name) if self.rules else name
                yield (
                    VALUE,
                    f"It lies in a clinical value, which is never masked: the rule {rule} "
                    f"recognises {value.start}-{value.end}.",
                )

    def _by_rules(self, start: int, end: int) -> Iterator[tuple[str, str]]:
        if self.rules is None:
            return
        first, last = self._seen(start, end)
        in_value = any(each.start < end and start < each.end for each in self.record.values)
        for match in _distinct(self.rules.matches(self._text)):
            hit = match.hit
            if last <= hit.start or hit.end <= first or match.rule.label == "VALUE":
                continue
            found = f"The rule {_described(self.rules, match.rule.name)} found {hit.label}"
            if match.shield:
                shield = _described(self.rules, match.shield.name)
                yield SHIELD, f"{found}, but the rule {shield} keeps such text readable."
            elif self._is_allowed(hit.start, hit.end):
                yield ALLOWED, f"{found}, but it is a term of the list of what stays readable."
            elif self.linear and not in_value:
                yield (
                    SILENCE,
                    f"{found}, but the model {self.linear.name}, which was trained on this label, "
                    "finds nothing there, even with a lower threshold.",
                )

    def _is_allowed(self, start: int, end: int) -> bool:
        allow = self.pipeline.allow
        doc = replace(self.doc, text=self._text)
        return allow is not None and not allow.without_allowed(doc, [Span(start, end, "OTHER")])

    def _by_lexicons(self, start: int, end: int) -> Iterator[str]:
        text = self.doc.text[start:end]
        words = _WORD.findall(text) if has_spaces(self.language) else [text.strip()]
        words = [word for word in words if any(map(str.isalpha, word))]
        marks, ordinary = word_marks(self.language), is_ordinary(self.language)
        unlisted = []
        for word in list(dict.fromkeys(words))[:_MOST_WORDS]:
            found = marks(word)
            names = lists_of(found)
            if names:
                yield f"'{word}' is {in_lists(names)}."
            elif ordinary(word):
                yield f"'{word}' is an ordinary word."
            if not found & _NAMES:
                unlisted.append(f"'{word}'")
        if unlisted:
            yield f"No list of names or places has {' or '.join(unlisted)}."

    def _in_veil(self, label: str, start: int, end: int) -> str:
        """Veil's name for a label of the model; "O" is not an identifier."""
        if label == "O":
            return "no identifier"
        if self.labels in (VEIL, None):
            return label
        span = Span(start, end, label)
        (converted,) = convert_to_veil(self.doc, [span], scheme(self.labels or VEIL))
        return converted.label


def _by_model(
    linear: LinearDetector,
    candidates: Sequence[Candidate],
    bias: float,
    found_at: float | None,
) -> tuple[str, list[str]]:
    """The cause and the sentences about a stretch that a model missed."""
    best = candidates[0]
    others = ", ".join(f"{each.label} {_chance(each.probability)}" for each in candidates[1:])
    also = f" (then {others})" if others else ""
    said = [
        f"For the model {linear.name}, {best.label} came closest, with a probability of "
        f"{_chance(best.probability)}{also}. Its score is {best.gap:.1f} lower than that of no "
        f"identifier, at the threshold in use (bias {bias:g})."
    ]
    settings = linear.model.settings
    high = high_bias(settings.outside, settings.dial)
    if found_at is None:
        lowest = min((each for each, _ in settings.dial), default=None)
        if lowest is not None and lowest < bias:
            said.append(f"No lower threshold that was measured finds it (down to {lowest:g}).")
        return UNSEEN, said
    if high is not None and high <= found_at and high < bias:
        said.append(f"A lower threshold finds it: --recall high, or --bias {found_at:g}.")
    else:
        said.append(f"A lower threshold finds it: --bias {found_at:g}; --recall high does not.")
    return THRESHOLD, said


def _chance(probability: float) -> str:
    return "below 0.1 %" if probability < 0.001 else f"{100 * probability:.1f} %"


def _uncovered(text: str, start: int, end: int, spans: Sequence[Span]) -> tuple[int, int] | None:
    """The longest stretch with a letter or digit that no span covers; None if there is none."""
    covered = sorted((span.start, span.end) for span in spans)
    gaps, position = [], start
    for first, last in covered:
        gaps.append((position, first))
        position = max(position, last)
    gaps.append((position, end))
    open_gaps = [gap for gap in gaps if any(map(str.isalnum, text[slice(*gap)]))]
    if not open_gaps:
        return None if spans else (start, end)
    return max(open_gaps, key=lambda gap: gap[1] - gap[0])


def _distinct(matches: Sequence[RuleMatch]) -> list[RuleMatch]:
    """The matches without repeats of the same rule, stretch and label."""
    return list({(each.rule.name, each.hit): each for each in matches}.values())


def parts_of(
    pipeline: DetectionPipeline, language: str
) -> tuple[LinearDetector | None, RuleDetector | None, str | None]:
    """The linear model and the rules of a pipeline for a language, and the model's scheme."""
    linear: LinearDetector | None = None
    rules: RuleDetector | None = None
    labels: str | None = None
    for detector in pipeline.detectors:
        each: Detector = detector
        if isinstance(detector, ByLanguage):
            each = detector.of_language(language)
        if isinstance(each, InVeilLabels):
            labels, each = each.source, each.detector
        if isinstance(each, HybridDetector):
            rules = next((own for own in each.others if isinstance(own, RuleDetector)), rules)
            if isinstance(each.learned, LinearDetector):
                linear, labels = each.learned, each.labels
        elif isinstance(each, LinearDetector):
            linear = each
            labels = labels or each.model.settings.scheme
    return linear, rules, labels


def _described(rules: RuleDetector, name: str) -> str:
    """A rule's name and description."""
    rule = next((each for each in rules.rules if each.name == name), None)
    about = _about(rule) if rule else ""
    return f"'{name}' ({about.rstrip('.')})" if about else f"'{name}'"


def _about(rule: Rule) -> str:
    return (
        "" if rule.file is None else _texts_about(rule.file).get(rule.name.rpartition("/")[2], "")
    )


@cache
def _texts_about(file: Path) -> dict[str, str]:
    """The description of each rule in a file."""
    return {
        each["name"]: each["about"]
        for each in read_toml(file).get("rule", ())
        if "name" in each and "about" in each
    }
