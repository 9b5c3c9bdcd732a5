"""Veil finds and removes what could identify people in clinical free text."""

from veil.core.document import Document, Record, Sentence, Span, Spans, Token
from veil.core.errors import InputError, RecordError, UnknownNameError, VeilError

__version__ = "0.1.0"

__all__ = [
    "Document",
    "InputError",
    "Record",
    "RecordError",
    "Sentence",
    "Span",
    "Spans",
    "Token",
    "UnknownNameError",
    "VeilError",
    "__version__",
]
