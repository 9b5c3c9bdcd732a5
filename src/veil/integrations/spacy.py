"""spaCy: the pipeline component "veil", which marks identifying spans.

    nlp = spacy.blank("en")
    nlp.add_pipe("veil")

The component sets `doc.spans["veil"]` or `doc.ents`, and the extension `doc._.veil_spans`. spaCy's
spans consist of whole tokens, so they are wider if an identifier ends inside a token. The extension
has the exact offsets. Needs the extra "spacy".
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.api import MaskedText, Veil
from veil.core.document import PATIENT, Document
from veil.core.errors import RecordError, require
from veil.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from veil.core.document import Span

spacy_language: Any = require("spacy.language", extra="spacy")
spacy_tokens: Any = require("spacy.tokens", extra="spacy")
spacy_util: Any = require("spacy.util", extra="spacy")

NAME = "veil"
SPANS, MASKED, PATIENT_OF, SCORE, SOURCE = (
    "veil_spans",
    "veil_masked",
    "veil_patient",
    "veil_score",
    "veil_source",
)


class VeilComponent:
    """Finds identifying spans in spaCy documents and, with `mask`, masks their texts.

    `doc._.veil_spans` are the spans with exact offsets, and `doc._.veil_masked` is the masked text.
    Both are None if the document was not processed. A document that cannot be processed is given to
    spaCy's error handler, which raises the error unless it is replaced.
    """

    def __init__(
        self, veil: Veil, *, name: str = NAME, spans_key: str, set_ents: bool, mask: bool
    ) -> None:
        self.name = name
        self._veil = veil
        self._spans_key = spans_key
        self._set_ents = set_ents
        self._mask = mask
        self._on_error: Callable[..., Any] = spacy_util.raise_error
        for extension, default in ((SPANS, None), (MASKED, None), (PATIENT_OF, "")):
            if not spacy_tokens.Doc.has_extension(extension):
                spacy_tokens.Doc.set_extension(extension, default=default)
        for extension in (SCORE, SOURCE):
            if not spacy_tokens.Span.has_extension(extension):
                spacy_tokens.Span.set_extension(extension, default=None)

    def __call__(self, doc: Any) -> Any:
        """Mark one document."""
        (outcome,) = self._outcomes([doc])
        if isinstance(outcome, RecordError):
            raise outcome
        return self._marked(doc, outcome)

    def pipe(self, stream: Iterable[Any], *, batch_size: int = 128) -> Iterator[Any]:
        """Mark documents in batches; one that fails is left out if the error handler returns."""
        for docs in spacy_util.minibatch(stream, batch_size):
            for doc, outcome in zip(docs, self._outcomes(docs), strict=True):
                if isinstance(outcome, RecordError):
                    self._on_error(self.name, self, [doc], outcome)
                else:
                    yield self._marked(doc, outcome)

    def set_error_handler(self, handler: Callable[..., Any]) -> None:
        """Set the callback for documents that cannot be processed."""
        self._on_error = handler

    def get_error_handler(self) -> Callable[..., Any]:
        """Return the callback for documents that cannot be processed."""
        return self._on_error

    def _outcomes(
        self, docs: Sequence[Any]
    ) -> Iterator[tuple[tuple[Span, ...], str | None] | RecordError]:
        records = [
            Document(
                f"document {number}",
                doc.text,
                meta={PATIENT: doc._.veil_patient} if doc._.veil_patient else {},
            )
            for number, doc in enumerate(docs, start=1)
        ]
        results = self._veil.mask_many(records) if self._mask else self._veil.detect_many(records)
        for result in results:
            if isinstance(result, RecordError):
                yield result
            elif isinstance(result, MaskedText):
                yield result.spans, result.text
            else:
                yield tuple(result), None

    def _marked(self, doc: Any, outcome: tuple[tuple[Span, ...], str | None]) -> Any:
        found, masked = outcome
        doc._.veil_spans = found
        if masked is not None:
            doc._.veil_masked = masked
        spans = [
            doc.char_span(span.start, span.end, label=span.label, alignment_mode="expand")
            for span in found
        ]
        for span, own in zip(spans, found, strict=True):
            span._.veil_score, span._.veil_source = own.score, own.source
        if self._set_ents:
            # Spans of Veil win over other entities, which do not protect a person.
            own_tokens = {token.i for span in spans for token in span}
            others = [ent for ent in doc.ents if not own_tokens & {token.i for token in ent}]
            doc.set_ents(spacy_util.filter_spans(chain(spans, others)))
        else:
            doc.spans[self._spans_key] = spans
        return doc


def make_component(
    nlp: Any,
    name: str,
    lang: str | None,
    spans_key: str,
    set_ents: bool,
    mask: bool,
    policy: str,
    key_file: str | None,
    model: str | None,
    recall: float | str | None,
    assume_language: str | None,
) -> VeilComponent:
    """Create the component; `lang` defaults to that of the pipeline, or is identified.

    A key is given as a file, because the configuration is saved with the pipeline.
    """
    own = nlp.lang if nlp.lang in LANGUAGES else None
    options: dict[str, Any] = {"model": model, "recall": recall, "assume_language": assume_language}
    key = Path(key_file) if key_file else None
    veil = Veil(lang or own, policy=policy, key=key, **options)
    return VeilComponent(veil, name=name, spans_key=spans_key, set_ents=set_ents, mask=mask)


spacy_language.Language.factory(
    NAME,
    default_config={
        "lang": None,
        "spans_key": NAME,
        "set_ents": False,
        "mask": False,
        "policy": "tag",
        "key_file": None,
        "model": None,
        "recall": None,
        "assume_language": None,
    },
    assigns=["doc._.veil_spans"],
    func=make_component,
)
