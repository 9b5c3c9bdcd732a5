"""The short way to use Veil: `veil.mask(text)`, and `veil.Pipeline` for many texts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.document import PATIENT, Document
from veil.detect.assembly import default_pipeline, load_pipeline, rules_pipeline
from veil.masking.masker import Masker
from veil.models import find_model
from veil.replace.policy import Policy, load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.core.document import Spans
    from veil.core.errors import RecordError
    from veil.detect.assembly import Recall
    from veil.replace.base import Masked

RULES = "rules"
"""As a model: the rules alone."""


class Pipeline:
    """Finds and masks what identifies people; made once, used for any number of texts and threads.

    `lang` is the language of the texts, found from each text without; a text in a language that
    Veil does not know raises an error, or is treated as `assume_language`. `policy` is the name of
    a bundled policy or the path of a file. `key` is a key or the path of its file: with it the same
    patient's stand-ins agree in all runs. `model` is a folder, the name of an installed model, or
    "rules". `recall`, `known` and `own_rules` are as for `veil detect`.
    """

    def __init__(
        self,
        lang: str | None = None,
        *,
        policy: str | Path | Policy = "tag",
        key: Key | str | Path | None = None,
        model: str | Path | None = None,
        recall: Recall | None = None,
        known: str | Path | None = None,
        own_rules: str | Path | None = None,
        rescan: bool = True,
        assume_language: str | None = None,
    ) -> None:
        table = None if known is None else Path(known)
        rules = None if own_rules is None else Path(own_rules)
        if model is None:
            detecting = default_pipeline(
                lang,
                recall=recall,
                known=table,
                own_rules=rules,
                assume_language=assume_language,
            )
        elif model == RULES:
            detecting = rules_pipeline(
                lang, known=table, own_rules=rules, assume_language=assume_language
            )
        else:
            detecting = load_pipeline(
                find_model(model),
                language=lang,
                recall=recall,
                rules=True,
                known=table,
                own_rules=rules,
            )
        self._masker = Masker(
            detecting,
            policy if isinstance(policy, Policy) else load_policy(policy),
            key=key if isinstance(key, Key) or key is None else Key.read(Path(key)),
            rescan=rescan,
        )

    def detect(self, text: str | Document) -> Spans:
        """Return what identifies somebody in a text; raise an error where it cannot be told."""
        return self._masker.pipeline.detect(_document(text))

    def mask(self, text: str, *, patient: str = "") -> str:
        """Return the text masked; raise an error rather than a text that is not clean.

        Texts of one `patient` get the same stand-ins and the same shift of dates. A text without a
        patient is a patient of its own: only the same text, with the same key, is masked alike.
        """
        return self._masker.mask(_document(text, patient)).document.text

    def mask_documents(self, docs: Iterable[Document]) -> Iterator[Masked | RecordError]:
        """Yield each document masked with its edits, or the error for which it is withheld."""
        return self._masker.mask_many(docs)


def mask(
    text: str,
    lang: str | None = None,
    policy: str = "tag",
    *,
    key: str | Path | None = None,
    patient: str = "",
    assume_language: str | None = None,
) -> str:
    """Return a text masked by a policy; the language is found from it unless it is given."""
    return _pipeline(lang, policy, key, assume_language).mask(text, patient=patient)


@lru_cache(maxsize=8)
def _pipeline(
    lang: str | None, policy: str, key: str | Path | None, assume_language: str | None
) -> Pipeline:
    return Pipeline(lang, policy=policy, key=key, assume_language=assume_language)


def _document(text: str | Document, patient: str = "") -> Document:
    if isinstance(text, Document):
        return text
    if not isinstance(text, str):
        raise TypeError(f"a text is a str, not {type(text).__name__}")
    return Document("text", text, meta={PATIENT: patient} if patient else {})
