"""Veil in Python: `veil.mask(text)`, and `veil.Veil` for many texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from veil.core.document import PATIENT, Document, Span
from veil.core.errors import RecordError
from veil.detect.assembly import DetectionOptions
from veil.masking.masker import Masker
from veil.replace.base import new_offsets
from veil.replace.policy import Policy, load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.core.document import Spans
    from veil.detect.assembly import Recall
    from veil.replace.base import Edit, Masked

_ID = "text"


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A masked text.

    `spans` are the detected spans, with offsets in the original text; `edits` are the
    replacements, from which the original can be restored. `id` and `language` are those of the
    document.
    """

    text: str
    spans: tuple[Span, ...]
    edits: tuple[Edit, ...]
    id: str = _ID
    language: str | None = None

    @property
    def new_offsets(self) -> list[tuple[int, int]]:
        """The offsets of the edits in the masked text."""
        return new_offsets(self.edits)

    @classmethod
    def of(cls, masked: Masked) -> MaskedText:
        edited = (
            Span(edit.start, edit.end, edit.label, edit.score, edit.source) for edit in masked.edits
        )
        spans = sorted((*edited, *masked.kept), key=lambda span: span.start)
        doc = masked.document
        return cls(doc.text, tuple(spans), masked.edits, doc.id, doc.language)


class Veil:
    """Finds and masks identifying spans; create it once and use it for any number of texts.

    Threads can share it. It can be pickled, with its options and its key, and loads models and
    rules when it is first used. `policy` is the name of a policy or a TOML file. `key` is a key or
    its file: with the same key the surrogates of a patient are always the same; without one, a new
    key is made. The other options are those of `DetectionOptions`.
    """

    def __init__(
        self,
        lang: str | None = None,
        *,
        policy: str | Path | Policy = "tag",
        key: Key | str | Path | None = None,
        model: str | Path | None = None,
        with_rules: bool = False,
        recall: Recall | None = None,
        bias: float | None = None,
        known: str | Path | None = None,
        own_rules: str | Path | None = None,
        allow: str | Path | None = None,
        deny: str | Path | None = None,
        detectors: Sequence[str] = (),
        rescan: bool = True,
        assume_language: str | None = None,
    ) -> None:
        self.options = DetectionOptions(
            lang=lang,
            model=model,
            with_rules=with_rules,
            recall=recall,
            bias=bias,
            own_rules=own_rules,
            known=known,
            allow=allow,
            deny=deny,
            detectors=tuple(detectors),
            assume_language=assume_language,
        )
        self.options.check()
        self.policy = policy if isinstance(policy, Policy) else load_policy(policy)
        if not isinstance(key, Key):
            key = Key.generate() if key is None else Key.read(Path(key))
        self.key = key
        self.rescan = rescan
        self._lock = Lock()
        self._loaded: Masker | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_lock": None, "_loaded": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = Lock()

    @property
    def _masker(self) -> Masker:
        with self._lock:
            if self._loaded is None:
                pipeline = self.options.load(veil_labels=True)
                self._loaded = Masker(pipeline, self.policy, key=self.key, rescan=self.rescan)
            return self._loaded

    def detect(self, text: str | Document) -> Spans:
        """Return the identifying spans of a text with Veil's labels, or raise an error."""
        return self._masker.pipeline.detect(_document(text))

    def detect_many(self, texts: Iterable[str | Document]) -> Iterator[Spans | RecordError]:
        """Yield the spans of each text, or the error because of which it is withheld, in order."""
        for found in self._masker.pipeline.detect_many(map(_document, texts)):
            yield found if isinstance(found, RecordError) else found.spans

    def mask(self, text: str | Document, patient: str = "") -> MaskedText:
        """Return a masked text; raise an error if the text could not be masked completely.

        Texts of one `patient` get the same surrogates and the same date shift. A text without a
        patient counts as a patient of its own: only an identical text with the same key is masked
        in the same way.
        """
        return MaskedText.of(self._masker.mask(_document(text, patient)))

    def mask_many(self, texts: Iterable[str | Document]) -> Iterator[MaskedText | RecordError]:
        """Yield each masked text, or the error because of which it is withheld, in order.

        The patient of a `Document` is `meta["patient"]`.
        """
        for masked in self._masker.mask_many(map(_document, texts)):
            yield masked if isinstance(masked, RecordError) else MaskedText.of(masked)


def mask(
    text: str,
    lang: str | None = None,
    policy: str | Path = "tag",
    *,
    key: Key | str | Path | None = None,
    patient: str = "",
    assume_language: str | None = None,
) -> str:
    """Mask a text by a policy; the language is identified from the text unless it is given."""
    return _veil(lang, policy, key, assume_language).mask(text, patient).text


@lru_cache(maxsize=8)
def _veil(
    lang: str | None, policy: str | Path, key: Key | str | Path | None, assume_language: str | None
) -> Veil:
    return Veil(lang, policy=policy, key=key, assume_language=assume_language)


def _document(text: str | Document, patient: str = "") -> Document:
    if isinstance(text, Document):
        return text
    if not isinstance(text, str):
        raise TypeError(f"a text must be a str, not {type(text).__name__}")
    return Document(_ID, text, meta={PATIENT: patient} if patient else {})
