"""What the institutions of all worlds have in common."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Institution:
    """A name, what people shorten it to, and its initials."""

    full: str
    short: str
    initials: str
