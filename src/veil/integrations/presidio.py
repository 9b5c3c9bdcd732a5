"""Presidio: a recognizer that detects with Veil, and an operator that replaces with Veil.

Needs the extra "presidio". Nothing is downloaded: Presidio's NLP engine without a model is enough.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.api import Veil
from veil.core.document import Document, Span, Spans, prefer_longest
from veil.core.errors import InputError, require
from veil.core.labels import VEIL, scheme
from veil.core.toml import read_toml
from veil.languages import LANGUAGES, language_codes
from veil.replace.base import DAYS, Case
from veil.replace.dates import DateShifter
from veil.replace.policy import KEEP, Policy, load_policy
from veil.replace.secret import Key, Secret
from veil.serve.presidio import entity_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

analyzer: Any = require("presidio_analyzer", extra="presidio")
engines: Any = require("presidio_analyzer.nlp_engine", extra="presidio")
anonymizer: Any = require("presidio_anonymizer", extra="presidio")
entities: Any = require("presidio_anonymizer.entities", extra="presidio")
operators: Any = require("presidio_anonymizer.operators", extra="presidio")

OPERATOR = "veil"
_PARAMETERS = ("language", "policy", "key", "patient")


@cache
def _labels() -> Mapping[str, str]:
    return read_toml(Path(__file__).with_name("entities.toml"))


def label_of(entity: str) -> str:
    """Return Veil's label for an entity type, which may be a label itself."""
    if entity in _labels():
        return _labels()[entity]
    return entity if entity in scheme(VEIL).labels else "OTHER"


class VeilRecognizer(analyzer.EntityRecognizer):  # type: ignore[misc]
    """Finds identifying spans in one language with Veil.

    Results have entity types of Presidio, or Veil's labels with `veil_labels`. The other options
    are those of `veil.Veil`. A text that cannot be processed raises a `veil.RecordError`.
    """

    def __init__(
        self,
        supported_language: str,
        *,
        name: str = "VeilRecognizer",
        veil_labels: bool = False,
        **options: Any,
    ) -> None:
        LANGUAGES.get(supported_language)  # raises an error that lists the known languages
        self._veil = Veil(supported_language, **options)
        self._type = (lambda label: label) if veil_labels else entity_type
        supported = sorted({self._type(label) for label in scheme(VEIL).labels})
        super().__init__(supported, name=name, supported_language=supported_language)

    def load(self) -> None:
        """Load nothing: models and rules are loaded with the first text."""

    def analyze(self, text: str, entities: Sequence[str], nlp_artifacts: Any = None) -> list[Any]:
        """Return the results of Veil for a text, with the wanted entity types."""
        del nlp_artifacts
        found = ((self._type(span.label), span) for span in self._veil.detect(text))
        return [self._result(entity, span) for entity, span in found if entity in entities]

    def _result(self, entity: str, span: Span) -> Any:
        result = analyzer.RecognizerResult
        explanation = analyzer.AnalysisExplanation(
            recognizer=self.name,
            original_score=span.score,
            pattern_name=span.source or None,
            textual_explanation=f"Identified as {span.label} by Veil",
        )
        metadata = {
            result.RECOGNIZER_NAME_KEY: self.name,
            result.RECOGNIZER_IDENTIFIER_KEY: self.id,
        }
        return result(entity, span.start, span.end, span.score, explanation, metadata)


def analyzer_engine(languages: Sequence[str] = (), **options: Any) -> Any:
    """Return an `AnalyzerEngine` with only Veil's recognizers, for the given or all languages.

    It loads no spaCy model. The options are those of `VeilRecognizer`.
    """
    codes = list(languages or language_codes())
    registry = analyzer.RecognizerRegistry(
        [VeilRecognizer(code, **options) for code in codes], supported_languages=codes
    )
    engine = engines.NoOpNlpEngine([{"lang_code": code, "model_name": "none"} for code in codes])
    return analyzer.AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=codes)


class _Replacements(dict[tuple[str, str], str]):
    """The replacements of a document by label and text, hidden in its repr."""

    def __repr__(self) -> str:
        return f"{len(self)} replacements"


class VeilOperator(operators.Operator):  # type: ignore[misc]
    """Replaces an entity by a policy of Veil: the operator "veil".

    Its parameters are made by `veil_operator`.
    """

    def operate(self, text: str, params: Mapping[str, Any] | None = None) -> str:
        """Return the replacement of an entity."""
        given = dict(params or {})
        label = label_of(given.get("entity_type", ""))
        known: str | None = given.get("replacements", {}).get((label, text))
        if known is not None or not text:
            return known or text
        doc = Document("entity", text, given["language"])
        (new,) = _replaced(doc, [Span(0, len(text), label)], given)
        # A single entity has no number.
        is_numbered = re.fullmatch(rf"\[{re.escape(label)}-1\]", new)
        return f"[{label}]" if is_numbered else new

    def validate(self, params: Mapping[str, Any] | None = None) -> None:
        """Raise an error for parameters that cannot be used."""
        given = dict(params or {})
        for name in given:
            if name not in (*_PARAMETERS, "entity_type", "replacements"):
                known = ", ".join(_PARAMETERS)
                raise InputError(f"operator veil: unknown parameter '{name}'; known: {known}")
        if not isinstance(given.get("key"), Key):
            raise InputError("operator veil: the parameter 'key' must be a veil.Key")
        LANGUAGES.get(str(given.get("language")))
        if not isinstance(given.get("patient", ""), str):
            raise InputError("operator veil: the parameter 'patient' must be a string")
        _policy(given.get("policy", "surrogate"))

    def operator_name(self) -> str:
        """Return the name of the operator."""
        return OPERATOR

    def operator_type(self) -> Any:
        """Return that it anonymizes."""
        return operators.OperatorType.Anonymize


def veil_operator(
    language: str,
    *,
    key: Key | str | Path,
    patient: str = "",
    policy: str = "surrogate",
    text: str = "",
    results: Sequence[Any] = (),
) -> Any:
    """Return the `OperatorConfig` of the operator "veil".

    Entities of one `patient` have the same surrogates and the same date shift with the same `key`,
    which is a key or its file. Without a patient each text has different surrogates.
    Presidio gives an operator one entity at a time. With the `text` and the `results` of the
    analyzer, entities of the text are replaced together, so that "Mr. Hale" gets the surname of
    "John Hale", and tags are numbered.
    """
    made = key if isinstance(key, Key) else Key.read(Path(key))
    params: dict[str, Any] = {"language": language, "key": made, "policy": policy}
    params["patient"] = patient or (made.own_patient(text) if text else "")
    VeilOperator().validate(params)
    if results:
        doc = Document("text", text, language)
        spans = [Span(each.start, each.end, label_of(each.entity_type)) for each in results]
        kept, _ = prefer_longest(spans)
        params["replacements"] = _Replacements(
            ((span.label, text[span.start : span.end]), new)
            for span, new in zip(kept, _replaced(doc, kept, params), strict=True)
        )
    return entities.OperatorConfig(OPERATOR, params)


def _replaced(doc: Document, spans: Sequence[Span], params: Mapping[str, Any]) -> list[str]:
    """Return the replacements of disjoint spans of a document, in their order."""
    secret = Secret(params["key"], params.get("patient") or doc.text)
    case = Case(doc, Spans(doc, spans), secret)
    policy = _policy(params.get("policy", "surrogate"))
    shifter = policy.replacer("DATE")
    if isinstance(shifter, DateShifter):
        case.memory[DAYS] = shifter.days(case)
    found = []
    for span in spans:
        action, replacer = policy.choose(span.label)
        is_kept = action.name == KEEP
        found.append(doc.text[span.start : span.end] if is_kept else replacer.replace(case, span))
    return found


def anonymizer_engine() -> Any:
    """Return an `AnonymizerEngine` that has the operator "veil"."""
    engine = anonymizer.AnonymizerEngine()
    engine.add_anonymizer(VeilOperator)
    return engine


@cache
def _policy(name: str) -> Policy:
    return load_policy(name)
