"""Texts made of runs in a source, where new texts are put back and everything else is unchanged.

A run is a piece of text in the source: between two tags, in a field of a message, or in a part of a
paragraph. Runs that are read together form one text, with breaks where the source breaks the line.
A new text is divided among the runs by aligning it with the old text. All of the new text is
written, and nothing of the old text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.io.alignment import Alignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Run:
    """A piece of text in a source: its source form, its text, and how to write a new text."""

    __slots__ = ("raw", "text", "write")

    def __init__(self, raw: str, text: str, write: Callable[[str], str]) -> None:
        self.raw = raw
        self.text = text
        self.write = write

    def written(self, new: str) -> str:
        return self.raw if new == self.text else self.write(new)


class RunText:
    """A text made of runs and of breaks between them."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._starts: list[int] = []
        self._breaks: list[str] = []  # the break in the text after each run
        self._texts: list[str] = []
        self._length = 0

    def __bool__(self) -> bool:
        return bool(self.runs)

    @property
    def text(self) -> str:
        """The text, without a break after the last run."""
        texts = self._texts[:-1] if self.runs and self._breaks[-1] else self._texts
        return "".join(texts)

    def add(self, run: Run) -> Run:
        self._starts.append(self._length)
        self.runs.append(run)
        self._texts.append(run.text)
        self._length += len(run.text)
        self._breaks.append("")
        return run

    def extend(self, other: RunText) -> None:
        """Add the runs of another text with its breaks."""
        for run, mark in zip(other.runs, other._breaks, strict=True):
            self.add(run)
            if mark:
                self.part(mark)

    def part(self, mark: str = "\n") -> None:
        """Add a break before the next run; of several breaks one stays, preferably a line break."""
        if not self.runs or self._breaks[-1] == "\n":
            return
        if self._breaks[-1]:
            self._texts.pop()
            self._length -= 1
        elif self._texts[-1].rstrip(" \t").endswith("\n"):
            return
        self._breaks[-1] = mark
        self._texts.append(mark)
        self._length += 1

    def shares(self, new: str) -> Iterator[str]:
        """Yield the piece of a new text for each run: the complete text without the breaks."""
        old = self.text
        if new == old:
            yield from (run.text for run in self.runs)
            return
        if len(self.runs) == 1:
            yield new
            return
        alignment = Alignment(old, new)
        starts = [alignment.end(start) for start in self._starts]
        starts[:1] = [0]
        for start, end, after in zip(starts, [*starts[1:], len(new)], self._breaks, strict=True):
            yield new[start:end].removesuffix(after) if after else new[start:end]


class Woven:
    """A source as unchanged pieces and runs of texts, in the order of the source."""

    def __init__(self, pieces: Sequence[str | Run], texts: Sequence[RunText]) -> None:
        self.pieces = pieces
        self.texts = texts

    def render(self, texts: Sequence[str]) -> str:
        """The source with new texts."""
        shares = {
            id(run): share
            for text, new in zip(self.texts, texts, strict=True)
            for run, share in zip(text.runs, text.shares(new), strict=True)
        }
        return "".join(
            piece
            if isinstance(piece, str)
            else piece.written(shares[id(piece)])
            if id(piece) in shares
            else piece.raw
            for piece in self.pieces
        )


class Canvas:
    """Collects the changes of a source: runs with their texts, and what is removed."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._slots: list[tuple[int, int, Run | str]] = []

    def run(self, start: int, end: int, text: str, write: Callable[[str], str]) -> Run:
        """A run of the source between two offsets."""
        made = Run(self.source[start:end], text, write)
        self._slots.append((start, end, made))
        return made

    def replace(self, start: int, end: int, new: str = "") -> None:
        """Replace a piece of the source, whatever the new texts are."""
        self._slots.append((start, end, new))

    def woven(self, texts: Sequence[RunText]) -> Woven:
        """The source with its runs, without those inside replaced pieces."""
        pieces: list[str | Run] = []
        position = 0
        for start, end, what in sorted(self._slots, key=lambda slot: (slot[0], -slot[1])):
            if start < position:
                continue
            pieces += [self.source[position:start], what]
            position = end
        pieces.append(self.source[position:])
        return Woven(pieces, texts)
