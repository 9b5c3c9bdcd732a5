"""Veil finds and removes what could identify people in clinical free text."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from veil.core.document import Document, Record, Sentence, Span, Spans, Token
from veil.core.errors import InputError, RecordError, UnknownNameError, VeilError

if TYPE_CHECKING:
    from veil.api import MaskedText, Veil, mask
    from veil.detect.why import explain_missed
    from veil.files.checking import check_files
    from veil.files.comparison import compare_files
    from veil.files.detection import detect_files
    from veil.files.evaluation import evaluate_files
    from veil.files.explanation import explain_files
    from veil.files.records import convert_files, show_files, synth_files
    from veil.files.training import train_files
    from veil.frames import detect_frame, mask_frame
    from veil.masking.files import mask_files
    from veil.masking.inspect import inspect_file
    from veil.masking.masked_files import (
        audit_files,
        changed_values,
        reveal_files,
        reveal_record,
        sample_files,
    )
    from veil.replace.secret import Key

__version__ = "0.1.0"

# Names that need models, rules or formats are imported on first use: `import veil` stays fast.
_LATE = {
    "veil.api": ("MaskedText", "Veil", "mask"),
    "veil.detect.why": ("explain_missed",),
    "veil.files.checking": ("check_files",),
    "veil.files.comparison": ("compare_files",),
    "veil.files.detection": ("detect_files",),
    "veil.files.evaluation": ("evaluate_files",),
    "veil.files.explanation": ("explain_files",),
    "veil.files.records": ("convert_files", "show_files", "synth_files"),
    "veil.files.training": ("train_files",),
    "veil.frames": ("detect_frame", "mask_frame"),
    "veil.masking.files": ("mask_files",),
    "veil.masking.inspect": ("inspect_file",),
    "veil.masking.masked_files": (
        "audit_files",
        "changed_values",
        "reveal_files",
        "reveal_record",
        "sample_files",
    ),
    "veil.replace.secret": ("Key",),
}
_MODULES = {name: module for module, names in _LATE.items() for name in names}

__all__ = [
    "Document",
    "InputError",
    "Key",
    "MaskedText",
    "Record",
    "RecordError",
    "Sentence",
    "Span",
    "Spans",
    "Token",
    "UnknownNameError",
    "Veil",
    "VeilError",
    "__version__",
    "audit_files",
    "changed_values",
    "check_files",
    "compare_files",
    "convert_files",
    "detect_files",
    "detect_frame",
    "evaluate_files",
    "explain_files",
    "explain_missed",
    "inspect_file",
    "mask",
    "mask_files",
    "mask_frame",
    "reveal_files",
    "reveal_record",
    "sample_files",
    "show_files",
    "synth_files",
    "train_files",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'veil' has no attribute '{name}'")


def __dir__() -> list[str]:
    return list(__all__)
