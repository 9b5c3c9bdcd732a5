"""Templates of notes: text files written by hand, expanded at random.

    # a comment
    == note
    DISCHARGE SUMMARY
    Name: {patient.full}  MRN: {mrn}
    <course>

    == course 2-3
    Admitted [on|] {date.admission} with {~symptom}.
    {patient.titled} was seen by {doctor}.
    @female Last period two weeks ago.
    Wound dry, no fever.

    == ~symptom
    chest pain
    a fall at home

`== NAME` opens a block. A block `note` is a whole layout, line by line; a file may hold several. In
other blocks every line is an alternative: one is taken, or with `2-3` two or three in their order,
put together by spaces; with `lines 2-3` each on a line of its own; with `glued` without anything
between; with `shuffled` in any order. Neither blocks nor lists give a record the same line again
while there are others. What may stand in a line says `veil.synth.grammar`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Protocol

from veil.core.errors import InputError, UnknownNameError
from veil.synth.grammar import Choice, Option, Pick, Slot, Text, Use, named, parse
from veil.synth.pieces import Piece, capitalised

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from random import Random

    from veil.synth.grammar import Node

_HEAD = re.compile(r"== *(~?[\w-]+)((?: +[\w-]+)*) *")
_COUNT = re.compile(r"(\d+)(?:-(\d+))?")
_NOTE = "note"


class World(Protocol):
    """What a template asks of the record that it is written for."""

    def slot(self, name: str) -> list[Piece]:
        """The value of a slot; an error for one that is not known."""

    def holds(self, trait: str) -> bool:
        """Whether the record has a trait; an error for one that is not known."""

    def spelled(self, text: str) -> str:
        """Plain text as the author of the record writes it."""


@dataclass(frozen=True)
class Block:
    """Alternatives, and how many of them are taken and how they are put together."""

    options: tuple[Option, ...] = field(repr=False)
    fewest: int = 1
    most: int = 1
    joiner: str = " "
    shuffled: bool = False
    conditional: bool = False


@dataclass(frozen=True)
class Templates:
    """The notes of one kind with the blocks that they use."""

    kind: str
    notes: tuple[Option, ...] = field(repr=False)
    blocks: Mapping[str, Block] = field(repr=False)

    def expand(self, world: World, rng: Random) -> list[Piece]:
        """Write one note."""
        conditional = any(note.trait for note in self.notes)
        return _Writer(self, world, rng).write(Choice(self.notes, conditional))

    def expand_block(self, name: str, world: World, rng: Random) -> list[Piece]:
        """Write what one block gives."""
        if name not in self.blocks:
            raise UnknownNameError("block", name, self.blocks)
        return _Writer(self, world, rng).write(Use(name))


def read_templates(file: Path, shared: Mapping[str, Block]) -> Templates:
    """Read the templates of one kind of note, which may use shared blocks."""
    notes, own = _parse(file)
    if not notes:
        raise InputError(f"{file}: no block 'note'; a kind of note needs at least one")
    blocks = {**shared, **own}
    _check_names(file, notes, blocks)
    return Templates(file.stem, tuple(notes), blocks)


def read_blocks(file: Path) -> dict[str, Block]:
    """Read blocks that several kinds of notes share."""
    return _parse(file)[1]


def _check_names(file: Path, notes: Sequence[Option], blocks: Mapping[str, Block]) -> None:
    """Refuse names of blocks that are not there, and blocks that hold each other."""
    uses = {name: set(named(block.options)) for name, block in blocks.items()}
    for where, names in [(_NOTE, set(named(notes))), *uses.items()]:
        for name in sorted(names - blocks.keys()):
            raise InputError(f"{file}: the block '{where}' uses '{name}', which does not exist")
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        circle = ", ".join(error.args[1])
        raise InputError(f"{file}: blocks that hold each other: {circle}") from None


@dataclass(frozen=True)
class _Section:
    """A head with its line number, and the numbered lines under it."""

    number: int
    name: str
    options: Sequence[str]
    body: list[tuple[int, str]] = field(default_factory=list, repr=False)


def _sections(file: Path) -> list[_Section]:
    sections: list[_Section] = []
    for number, line in enumerate(file.read_text("utf-8").split("\n"), start=1):
        if line.startswith("#"):
            continue
        head = _HEAD.fullmatch(line)
        if head:
            sections.append(_Section(number, head[1], head[2].split()))
        elif sections:
            sections[-1].body.append((number, line))
        elif line.strip():
            raise InputError(f"{file}, line {number}: text before the first block")
    return sections


def _parse(file: Path) -> tuple[list[Option], dict[str, Block]]:
    notes: list[Option] = []
    blocks: dict[str, Block] = {}
    for section in _sections(file):
        if section.name == _NOTE:
            whole = "\n".join(line for _, line in section.body).strip("\n") + "\n"
            notes += _options(file, [(section.number, whole)])
            continue
        alternatives = _options(file, [each for each in section.body if each[1].strip()])
        place = f"{file}, line {section.number}"
        if section.name in blocks or not alternatives:
            problem = "comes twice" if section.name in blocks else "is empty"
            raise InputError(f"{place}: the block '{section.name}' {problem}")
        blocks[section.name] = _block(place, alternatives, section.options)
    return notes, blocks


def _options(file: Path, lines: Iterable[tuple[int, str]]) -> list[Option]:
    made = []
    for number, line in lines:
        try:
            made.append(parse(line))
        except ValueError as error:
            raise InputError(f"{file}, line {number}: {error}") from None
    return made


def _block(place: str, alternatives: Sequence[Option], options: Sequence[str]) -> Block:
    fewest = most = 1
    joiner, shuffled = " ", False
    for option in options:
        count = _COUNT.fullmatch(option)
        if count:
            fewest, most = int(count[1]), int(count[2] or count[1])
        elif option == "lines":
            joiner = "\n"
        elif option == "glued":
            joiner = ""
        elif option == "shuffled":
            shuffled = True
        else:
            raise InputError(f"{place}: unknown option '{option}' of a block")
    conditional = any(each.trait for each in alternatives)
    return Block(tuple(alternatives), fewest, most, joiner, shuffled, conditional)


class _Writer:
    """Expands one note; remembers which lines were used."""

    def __init__(self, templates: Templates, world: World, rng: Random) -> None:
        self._blocks = templates.blocks
        self._world = world
        self._rng = rng
        self._unused: dict[str, list[Option]] = {}
        self._used: dict[str, set[int]] = {}

    def write(self, *nodes: Node) -> list[Piece]:
        pieces: list[Piece] = []
        self._add(nodes, pieces)
        return pieces

    def _add(self, nodes: Iterable[Node], pieces: list[Piece]) -> None:
        for node in nodes:
            if isinstance(node, Text):
                pieces.append(Piece(self._world.spelled(node.text)))
            elif isinstance(node, Slot | Pick):
                value = (
                    self._world.slot(node.name)
                    if isinstance(node, Slot)
                    else self.write(*self._unused_line(node.name))
                )
                pieces += capitalised(value) if node.capital else value
            elif isinstance(node, Choice):
                fitting = self._fitting(node)
                if fitting:
                    self._add(self._rng.choice(fitting).nodes, pieces)
            else:
                self._add_block(node.name, pieces)

    def _add_block(self, name: str, pieces: list[Piece]) -> None:
        """Write lines of a block, those first that the note has not had yet."""
        block = self._blocks[name]
        options = self._fitting(block)
        count = min(self._rng.randint(block.fewest, block.most), len(options))
        used = self._used.setdefault(name, set())
        fresh: Sequence[int] = [number for number in range(len(options)) if number not in used]
        if len(fresh) < count:
            used.clear()
            fresh = range(len(options))
        chosen = self._rng.sample(fresh, count)
        used.update(chosen)
        if not block.shuffled:
            chosen.sort()
        for place, number in enumerate(chosen):
            if place:
                pieces.append(Piece(block.joiner))
            self._add(options[number].nodes, pieces)

    def _unused_line(self, name: str) -> tuple[Node, ...]:
        unused = self._unused.get(name)
        if not unused:
            unused = self._unused[name] = list(self._fitting(self._blocks[f"~{name}"]))
        if not unused:
            return ()
        place = self._rng.randrange(len(unused))
        unused[place], unused[-1] = unused[-1], unused[place]
        return unused.pop().nodes

    def _fitting(self, node: Choice | Block) -> Sequence[Option]:
        """The alternatives that are there for this world."""
        if not node.conditional:
            return node.options
        return [
            option
            for option in node.options
            if not option.trait or self._world.holds(option.trait) == option.wanted
        ]
