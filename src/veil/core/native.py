"""The compiled core, if it is installed and enabled.

Code with a compiled twin reads `CORE` when its objects are made, and takes the pure Python path if
it is None. Both give the same results; the compiled one is faster. It is absent if there was no C
compiler when Veil was installed; the environment variable `VEIL_PURE=1` selects the pure path.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def _load() -> ModuleType | None:
    if os.environ.get("VEIL_PURE", "0") not in ("", "0"):
        return None
    try:
        return import_module("veil._native")
    except ImportError:
        return None


CORE = _load()
