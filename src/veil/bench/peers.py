"""Other systems that are measured beside Veil, if they are installed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    # The name of a system and its model, and the function that analyses a text with it.
    Peer = tuple[str, Callable[[str], object]]


def _presidio(language: str) -> Peer:
    """Presidio with the largest spaCy model of the language that is installed."""
    how = (
        "install it with: pip install presidio-analyzer; then: python -m spacy download MODEL, "
        f"where MODEL is a spaCy model for '{language}', such as en_core_web_lg for English"
    )
    try:
        presidio: Any = import_module("presidio_analyzer")
        engines: Any = import_module("presidio_analyzer.nlp_engine")
        spacy: Any = import_module("spacy.util")
    except ImportError:
        raise InputError(f"presidio is not installed; {how}") from None
    # In alphabetical order the large models (lg) come before the small ones (sm).
    models = sorted(
        name for name in spacy.get_installed_models() if name.startswith(f"{language}_")
    )
    if not models:
        raise InputError(f"presidio has no spaCy model for '{language}'; {how}")
    configuration = {
        "nlp_engine_name": "spacy",
        "models": [{"lang_code": language, "model_name": models[0]}],
    }
    engine = engines.NlpEngineProvider(nlp_configuration=configuration).create_engine()
    analyzer = presidio.AnalyzerEngine(nlp_engine=engine, supported_languages=[language])
    return f"presidio, {models[0]}", lambda text: analyzer.analyze(text, language)


PEERS = {"presidio": _presidio}
"""Functions from the code of a language to another system."""
