"""The memory of the learning module: how often a word was annotated, and as what."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from veil.detect.names.modules import NamePart, State

_FORMAT = "veil-name-memory"
_VERSION = 1
_FIRST, _LAST = 0, 1


class NameMemory:
    """Counts of annotated words, folded, for one language.

    It contains names of people. It stays in this process unless you `save` it; protect that file as
    you protect the records. `order` lists the modules that annotated the words: those before the
    learning one.
    """

    def __init__(self, language: str, order: str = "") -> None:
        self.language = language
        self.order = order
        self._counts: dict[str, list[int]] = {}
        self._learnt: dict[int, dict[str, NamePart]] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def __repr__(self) -> str:
        return f"NameMemory({self.language!r}, {self.order!r}, {len(self)} words)"

    def add(self, state: State) -> None:
        """Count the annotated words of a record."""
        self._learnt.clear()
        for index, name in state.names.items():
            counts = self._counts.setdefault(state.words.key(index), [0, 0])
            counts[_FIRST if name.part == "first" else _LAST] += 1

    def merge(self, other: NameMemory) -> None:
        """Add the counts of other records, annotated by the same modules."""
        if (other.language, other.order) != (self.language, self.order):
            raise InputError("memories of different languages or modules cannot be added up")
        self._learnt.clear()
        for word, more in other._counts.items():
            counts = self._counts.setdefault(word, [0, 0])
            counts[_FIRST] += more[_FIRST]
            counts[_LAST] += more[_LAST]

    def learnt(self, at_least: int) -> dict[str, NamePart]:
        """The words annotated at least so often, each as its more frequent part; first in a tie."""
        if at_least not in self._learnt:
            self._learnt[at_least] = {
                word: "first" if last <= first else "last"
                for word, (first, last) in self._counts.items()
                if at_least <= first + last
            }
        return self._learnt[at_least]

    def save(self, path: Path) -> None:
        """Write the counts, names included, to a file that only its owner can read."""
        data = {
            "format": _FORMAT,
            "version": _VERSION,
            "language": self.language,
            "order": self.order,
            "words": dict(sorted(self._counts.items())),
        }
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=".veil-", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(data, file, ensure_ascii=False, indent=0)
            os.replace(part, path)  # noqa: PTH105
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part)  # noqa: PTH108
            raise

    @classmethod
    def load(cls, path: Path) -> NameMemory:
        """Read the file that `save` wrote; an error says what is wrong and shows no word."""
        try:
            data = json.loads(path.read_bytes())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except ValueError:
            raise InputError(f"{path}: not a memory of names: no JSON") from None
        problem = _problem(data)
        if problem is not None:
            raise InputError(f"{path}: not a memory of names: {problem}")
        memory = cls(data["language"], data["order"])
        memory._counts = data["words"]
        return memory


def _problem(data: Any) -> str | None:
    """What is wrong with the content of a file, or None."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        return f"'format' is not {_FORMAT}"
    if data.get("version") != _VERSION:
        return f"'version' is not {_VERSION}; make it anew with this version of Veil"
    if not all(isinstance(data.get(key), str) for key in ("language", "order")):
        return "'language' and 'order' must be words"
    words: Mapping[str, Any] | Any = data.get("words")
    if not isinstance(words, dict) or not all(map(_are_counts, words.values())):
        return "'words' must give two counts for each word"
    return None


def _are_counts(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(type(count) is int and 0 <= count for count in value)
    )
