"""The work of a worker process: detect, mask and explain one text at a time.

Results are JSON, encoded here and not in the process that serves clients, with counts for the
metrics, which contain no text.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import KNOWN, PATIENT, Document, Record
from veil.core.errors import RecordError, VeilError
from veil.core.toml import read_toml
from veil.io.base import Item, Source
from veil.io.fhir.items import BundleText, read_bundle
from veil.masking.masker import Masker
from veil.masking.stream import Done, mask_items
from veil.replace.policy import KEEP, Policy, load_policy, policies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from veil.core.document import Span
    from veil.detect.assembly import DetectionOptions
    from veil.detect.why import Why
    from veil.replace.base import Edit, Masked
    from veil.replace.secret import Key

TEXT_ID = "text"
"""The id of a text without a name, as in `veil.mask`: the same key then gives the same result."""
_BODY = "body"
_EXAMPLES = Path(__file__).parent / "page" / "examples.toml"


class Counts(NamedTuple):
    """The counts that a task adds to the metrics."""

    labels: Mapping[str, int] = {}
    characters: int = 0
    documents: int = 0
    withheld: int = 0


class Answer(NamedTuple):
    """The result of a task as JSON, with its counts."""

    body: bytes
    counts: Counts
    withheld: int = 0


class WithheldError(Exception):
    """A text is withheld; the reason contains no text."""


@dataclass(frozen=True)
class EngineOptions:
    """The options of a worker; `policy` is the default policy of requests."""

    detection: DetectionOptions
    policy: str | Path
    key: Key
    rescan: bool = True
    policies: Mapping[str, Policy] = field(init=False)

    def __post_init__(self) -> None:
        own = load_policy(self.policy)
        offered = {name: load_policy(name) for name in policies()} | {own.name: own}
        object.__setattr__(self, "policies", offered)

    @property
    def default_policy(self) -> str:
        path = Path(self.policy)
        return path.stem if path.suffix == ".toml" else str(self.policy)


class Engine:
    """One pipeline, with a masker for each policy."""

    def __init__(self, options: EngineOptions) -> None:
        self._options = options
        self._pipeline = options.detection.load(veil_labels=True)
        self._maskers = {
            name: Masker(self._pipeline, policy, key=options.key, rescan=options.rescan)
            for name, policy in options.policies.items()
        }
        self._tasks: dict[str, Callable[..., Answer]] = {
            "detect": self.detect,
            "mask": self.mask,
            "explain": self.explain,
            "batch": self.batch,
            "fhir": self.fhir,
            "analyze": self.analyze,
            "anonymize": self.anonymize,
        }

    def warm_up(self) -> None:
        """Load everything that is otherwise loaded at first use, for every language."""
        only = self._pipeline.language
        for code, example in examples().items():
            if only in (None, code):
                for name in dict.fromkeys((self._options.default_policy, "surrogate")):
                    self._maskers[name].mask_batch([Document(TEXT_ID, example["text"], code)])

    def run(self, task: str, options: Mapping[str, Any]) -> Answer:
        """Run one task; raise WithheldError if the text cannot be processed."""
        try:
            return self._tasks[task](**options)
        except RecordError as error:
            reason = error.reason
        except VeilError as error:
            reason = str(error)
        raise WithheldError(reason)

    def detect(self, **request: Any) -> Answer:
        record = self._detected(_document(**request))
        spans = [_span(span) for span in record.spans]
        body = {"language": record.document.language, "spans": spans}
        return Answer(_json(body), _counts(record.document.text, record.spans))

    def mask(self, policy: str, **request: Any) -> Answer:
        body, counts = self._masked(policy, _document(**request))
        return Answer(_json(body), counts)

    def explain(
        self, top: int, start: int | None = None, end: int | None = None, **request: Any
    ) -> Answer:
        from veil.detect.why import explain_found, explain_missed

        record = self._detected(_document(**request))
        found = explain_found(record, self._pipeline)
        spans = [
            {**_span(span), **_reasons(why, top)}
            for span, why in zip(record.spans, found, strict=True)
        ]
        asked = None
        if start is not None and end is not None:
            why = explain_missed(record.document, start, end, pipeline=self._pipeline)
            asked = {"start": start, "end": end, "causes": why.causes, **_reasons(why, top)}
        body = {"language": record.document.language, "spans": spans, "asked": asked}
        return Answer(_json(body), _counts(record.document.text, record.spans))

    def batch(self, action: str, policy: str, lines: Sequence[Mapping[str, Any]]) -> Answer:
        """Process lines one by one, so that a result does not depend on other lines."""
        made: list[bytes] = []
        labels: Counter[str] = Counter()
        characters = failed = 0
        for line in lines:
            if "withheld" in line:
                failed += 1
                made.append(_json(line))
                continue
            own = {key: line[key] for key in ("line", "id") if key in line}
            request = {key: value for key, value in line.items() if key not in own}
            try:
                answer = self.run(
                    action, request | ({"policy": policy} if action == "mask" else {})
                )
            except WithheldError as error:
                failed += 1
                made.append(_json({**own, "withheld": str(error)}))
            except Exception as error:
                failed += 1
                made.append(_json({**own, "withheld": f"failed ({type(error).__name__})"}))
            else:
                labels.update(answer.counts.labels)
                characters += answer.counts.characters
                made.append(_json(own)[:-1] + b"," + answer.body[1:])
        counts = Counts(labels, characters, len(made) - failed, failed)
        return Answer(b"".join(line + b"\n" for line in made), counts, failed)

    def fhir(
        self, data: bytes, policy: str, language: str | None, security_label: str | None
    ) -> Answer:
        """Mask a resource or a bundle; entries and elements that cannot be masked are left out."""
        items: list[Item] = []
        errors = 0
        for outcome in read_bundle(Source(Path(_BODY), _BODY), data):
            if isinstance(outcome, Item):
                items.append(_in_language(outcome, language))
            else:
                errors += 1
                reason = outcome.reason
        writer = BundleText(security_label)
        labels: Counter[str] = Counter()
        texts = [item.documents for item in items]
        for item, result in zip(items, mask_items(self._maskers[policy], texts), strict=True):
            if isinstance(result, Done):
                writer.write(item, result.texts)
                for found, count in result.found.items():
                    labels[found.label] += count
            else:
                errors += 1
                reason = result.reason
        if not writer.has_written:
            raise WithheldError(reason if errors else "no resource")
        characters = sum(len(doc.text) for docs in texts for doc in docs)
        return Answer(writer.text, Counts(labels, characters, 1, errors), errors)

    def analyze(self, texts: Sequence[str], language: str, **options: Any) -> Answer:
        from veil.serve.presidio import analyzed

        records = [self._detected(_document(text, language)) for text in texts]
        body = analyzed(records, **options)
        labels = Counter(span.label for record in records for span in record.spans)
        return Answer(_json(body), Counts(labels, sum(map(len, texts)), len(texts)))

    def anonymize(self, **request: Any) -> Answer:
        from veil.serve.presidio import anonymized

        return Answer(_json(anonymized(**request)), Counts(documents=1))

    def _detected(self, doc: Document) -> Record:
        (outcome,) = self._pipeline.detect_batch([doc])
        if isinstance(outcome, RecordError):
            raise outcome
        return outcome

    def _masked(self, policy: str, doc: Document) -> tuple[dict[str, Any], Counts]:
        masked = self._maskers[policy].mask(doc)
        spans = _masked_spans(masked)
        body = {
            "text": masked.document.text,
            "language": masked.document.language,
            "policy": policy,
            "spans": spans,
        }
        labels = Counter(span["label"] for span in spans)
        return body, Counts(labels, len(doc.text), 1)


@dataclass(frozen=True)
class Catalogue:
    """The lists that the service offers: models, policies, schemes and others."""

    options: EngineOptions

    @cached_property
    def models(self) -> list[dict[str, Any]]:
        return [
            {
                "name": info.name,
                "language": info.language,
                "kind": info.kind,
                "scheme": info.scheme,
                "bytes": info.size,
            }
            for info in self.options.detection.models()
        ]

    @cached_property
    def policies(self) -> list[dict[str, Any]]:
        default = self.options.default_policy
        return [
            {"name": name, "about": policy.about, "default": name == default}
            for name, policy in self.options.policies.items()
        ]

    @cached_property
    def schemes(self) -> list[dict[str, Any]]:
        from veil.core.labels import SCHEMES, scheme

        loaded = map(scheme, SCHEMES)
        return [
            {"name": each.name, "about": each.about, "labels": list(each.labels)} for each in loaded
        ]

    @cached_property
    def languages(self) -> list[str]:
        from veil.languages import language_codes

        only = self.options.detection.lang
        return [only] if only else list(language_codes())


def examples() -> dict[str, dict[str, str]]:
    """A made-up note for each language: its `title` and its `text`."""
    notes: dict[str, dict[str, str]] = read_toml(_EXAMPLES)
    return notes


def _document(
    text: str,
    language: str | None = None,
    patient: str | None = None,
    known: Mapping[str, Any] | None = None,
) -> Document:
    meta: dict[str, Any] = {}
    if patient:
        meta[PATIENT] = patient
    if known:
        meta[KNOWN] = known
    return Document(TEXT_ID, text, language, meta)


def _in_language(item: Item, language: str | None) -> Item:
    """An item in which resources without a language get this one."""
    if language is None:
        return item
    docs = tuple(replace(doc, language=doc.language or language) for doc in item.documents)
    return replace(item, documents=docs)


def _counts(text: str, spans: Iterable[Span]) -> Counts:
    return Counts(Counter(span.label for span in spans), len(text), 1)


def _span(span: Span) -> dict[str, Any]:
    return {
        "start": span.start,
        "end": span.end,
        "label": span.label,
        "score": round(span.score, 4),
        "source": span.source,
    }


def _masked_spans(masked: Masked) -> list[dict[str, Any]]:
    """All spans, including those that the policy keeps, with offsets in both texts."""
    found: list[Edit | Span] = [*masked.edits, *masked.kept]
    shift = 0
    made = []
    for span in sorted(found, key=lambda span: span.start):
        new = getattr(span, "new", None)
        length = span.end - span.start if new is None else len(new)
        start = span.start + shift
        shift += length - (span.end - span.start)
        made.append(
            {
                "start": span.start,
                "end": span.end,
                "label": span.label,
                "score": round(span.score, 4),
                "source": span.source,
                "action": getattr(span, "action", KEEP),
                "replacement": new,
                "new_start": start,
                "new_end": start + length,
            }
        )
    return made


def _reasons(why: Why, top: int) -> dict[str, Any]:
    made = why.to_data(top=top)
    return {"sentences": made["sentences"], "features": made["features"]}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
