"""Libraries that only some tasks need: imported when used, with a message when absent."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from veil.core.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType


def require(module: str, *, extra: str) -> ModuleType:
    """Import a module of an extra, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise InputError(
            f"this needs the package of '{module}'; install it with: "
            f"pip install 'veil-deid[{extra}]'"
        ) from None
