"""Veil finds and removes what could identify people in clinical free text."""

from typing import TYPE_CHECKING, Any

from veil.core.document import Document, Record, Sentence, Span, Spans, Token
from veil.core.errors import InputError, RecordError, UnknownNameError, VeilError

if TYPE_CHECKING:
    from veil.api import Pipeline, mask

__version__ = "0.1.0"

__all__ = [
    "Document",
    "InputError",
    "Pipeline",
    "Record",
    "RecordError",
    "Sentence",
    "Span",
    "Spans",
    "Token",
    "UnknownNameError",
    "VeilError",
    "__version__",
    "mask",
]


def __getattr__(name: str) -> Any:
    # What needs models and rules is imported when it is first asked for: `import veil` stays light.
    if name in ("Pipeline", "mask"):
        from veil import api

        return getattr(api, name)
    raise AttributeError(f"module 'veil' has no attribute '{name}'")


def __dir__() -> list[str]:
    return list(__all__)
