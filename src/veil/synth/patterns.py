"""Patterns: text with slots, choices and weights, in template files and lists of words.

    # a comment
    == note
    DISCHARGE SUMMARY
    Name: {patient.full}  MRN: {mrn}
    <course>

    == course 2-3
    Admitted [on|] {date.admission} with {~symptom}.
    {patient.titled} was seen by {doctor}.
    @female Last period two weeks ago.
    *0.2 Wound dry, no fever.

    == ~symptom
    chest pain
    a fall at home

`== NAME` opens a block. A block `note` is a whole layout, line by line; a file may hold several. In
other blocks every line is an alternative: one is taken, or with `2-3` two or three in their order,
joined by spaces; with `lines 2-3` each on a line of its own; with `glued` without anything between;
with `shuffled` in any order. Neither blocks nor lists give a record the same line again while there
are others.

In a line, `<name>` is a block, `{slot}` a value of the record, `{~name}` a line of a list and
`{#99-AA}` random digits and letters (see `random_form`). `{Slot}` begins with a capital, `{SLOT}`
has only capitals. `[a|b|]` is a choice, which may hold others. An alternative that begins with
`@trait ` or `@!trait ` exists only in records that have, or do not have, the trait; one that begins
with `*3 ` has the weight 3. A backslash keeps the next character, but `\\n` is a line break and
`\\t` a tab.

The file `slots.txt` defines slots: the block `hospital` says what `{hospital}` is, the block
`hospital.short` what `{hospital.short}` is. Options of such a block:

    LABEL     the value is one span with this label
    kept      the value is the same throughout a record
    numbered  the value of a slot with a number, `{phone2}`, is the same throughout a record
    habit     the alternative is the same throughout a record, such as a way of writing dates
    spelled   the value has the spelling of the record's author

Lists of words are in `words.toml`: a string of entries separated by commas or lines, an array of
entries, or a table with the weight of each entry. An entry may be a pattern. Blocks and lists
may have variants: in a record with the variant `us`, `{~plates}` draws from `plates_us`.
"""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass, field, replace
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from veil.core.errors import InputError, UnknownNameError
from veil.languages import read_language_toml
from veil.synth.segments import Segment, capitalised

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from random import Random

_TOKEN = re.compile(r"\\(.)|\{([~#]?)((?<=#)[^{}]+|[^{}\s]+)\}|<([\w.-]+)>|([\[|\]])", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}
_PREFIX = re.compile(r"((?:@!?\w+ )*)(?:\*(\d*\.?\d+) )?")
_HEAD = re.compile(r"== *(~?[\w.-]+)((?: +[\w-]+)*) *")
_COUNT = re.compile(r"(\d+)(?:-(\d+))?")
_LABEL = re.compile(r"[A-Z][A-Z-]+")
_NOTE = "note"
_BLOCK = "<"
_FLAGS = ("shuffled", "kept", "numbered", "habit", "spelled")
_FORM = re.compile(r"\[([^\]]+)\]|[129AB]")
_CHARACTERS = {
    "9": "0123456789",
    "1": "123456789",
    "2": "23456789",
    "A": "ABCDEFGHJKLMNPRSTUVWXYZ",
    "B": "BCDFGHJKLMNPRSTVWXYZ",
}


# -- the grammar of a line ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slot:
    """A value of the record (""), a line of a list ("~"), a form ("#") or a block ("<")."""

    kind: str
    name: str
    case: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An alternative: a line of a block, a part of a choice, or a whole note."""

    nodes: tuple[Node, ...]
    traits: tuple[tuple[str, bool], ...] = ()
    weight: float = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several alternatives, perhaps with conditions and weights."""

    options: tuple[Option, ...]
    conditional: bool
    weighted: bool

    @classmethod
    def of(cls, options: Sequence[Option]) -> Choice:
        conditional = any(each.traits for each in options)
        return cls(tuple(options), conditional, any(each.weight != 1 for each in options))


Node = str | Slot | Choice


@cache
def parse(text: str) -> Option:
    """Parse a line or a note; raise a ValueError with the reason if it is invalid."""
    option, end = _option(text, 0, inside=False)
    if end < len(text):
        raise ValueError("a closing bracket without an opening one; write \\] for the character")
    return option


def _option(text: str, position: int, *, inside: bool) -> tuple[Option, int]:
    """Parse to the end, or inside a bracket to its next | or ]; return the offset of that too."""
    prefix = _PREFIX.match(text, position)
    conditions, weight = (prefix[1], prefix[2]) if prefix else ("", None)
    position = prefix.end() if prefix else position
    traits = tuple((each.lstrip("@!"), "!" not in each) for each in conditions.split())
    nodes: list[Node] = []
    plain = ""
    while True:
        token = _TOKEN.search(text, position)
        plain += text[position : token.start() if token else len(text)]
        literal, kind, slot, block, bracket = token.groups() if token else (None,) * 5
        if literal is not None or (bracket == "|" and not inside):
            plain += _ESCAPED.get(literal, literal) if literal else "|"
        else:
            if plain:
                nodes.append(plain)
                plain = ""
            if token is None or bracket in ("|", "]"):
                break
            if slot is not None:
                nodes.append(_slot(kind or "", slot))
            elif block is not None:
                nodes.append(Slot(_BLOCK, block))
        if token is None:
            break
        position = token.end()
        if bracket == "[":
            choice, position = _choice(text, position)
            nodes.append(choice)
    if inside and token is None:
        raise ValueError("a bracket that is not closed; write \\[ for the character")
    option = Option(tuple(nodes), traits, float(weight or 1))
    return option, token.start() if token else len(text)


def _choice(text: str, position: int) -> tuple[Choice, int]:
    options = []
    while True:
        option, end = _option(text, position, inside=True)
        options.append(option)
        position = end + 1
        if text[end] == "]":
            return Choice.of(options), position


def _slot(kind: str, name: str) -> Slot:
    if kind == "#":
        return Slot(kind, name)
    if name.isupper() and 1 < len(name):
        return Slot(kind, name.lower(), "upper")
    lower = name[0].lower() + name[1:]
    return Slot(kind, lower, "capital" if lower != name else "")


def names_used(options: Iterable[Option]) -> Iterator[str]:
    """Yield the names of the blocks and lists that alternatives refer to."""
    for option in options:
        for node in option.nodes:
            if isinstance(node, Slot) and node.kind in (_BLOCK, "~"):
                yield node.name if node.kind == _BLOCK else f"~{node.name}"
            elif isinstance(node, Choice):
                yield from names_used(node.options)


def random_form(form: str, rng: Random) -> str:
    """Fill a number pattern with random characters.

    9 stands for a digit, 1 for one from 1, 2 for one from 2, A for a letter, B for a consonant and
    [XYZ] for one of these characters; everything else is kept.
    """
    return _FORM.sub(lambda match: rng.choice(match[1] or _CHARACTERS[match[0]]), form)


# -- template files -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """Alternatives, how many of them to draw and how to join them; or a slot (see above)."""

    choice: Choice = field(repr=False)
    fewest: int = 1
    most: int = 1
    joiner: str = " "
    shuffled: bool = False
    label: str | None = None
    kept: bool = False
    numbered: bool = False
    habit: bool = False
    spelled: bool = False


@dataclass(frozen=True)
class Templates:
    """The notes of one kind with the blocks that they use."""

    kind: str
    notes: tuple[Option, ...] = field(repr=False)
    blocks: Mapping[str, Block] = field(repr=False)

    def expand(self, values: Values, rng: Random) -> list[Segment]:
        """Write one note."""
        return _NoteWriter(self.blocks, values, rng).write(Choice.of(self.notes))

    def expand_block(self, name: str, values: Values, rng: Random) -> list[Segment]:
        """Write the text of one block."""
        if name not in self.blocks:
            raise UnknownNameError("block", name, self.blocks)
        return _NoteWriter(self.blocks, values, rng).use(name)


def read_templates(file: Path, shared: Mapping[str, Block]) -> Templates:
    """Read the templates of one kind of note, which may use shared blocks."""
    notes, own = _read(file)
    if not notes:
        raise InputError(f"{file}: no block 'note'; a kind of note needs at least one")
    blocks = {**shared, **own}
    _check_names(file, notes, blocks)
    return Templates(file.stem, tuple(notes), blocks)


def read_blocks(file: Path) -> dict[str, Block]:
    """Read blocks that several kinds of notes share, or slots."""
    return _read(file)[1]


def _check_names(file: Path, notes: Sequence[Option], blocks: Mapping[str, Block]) -> None:
    """Raise an error for names of missing blocks, and for blocks that contain each other."""
    uses = {name: set(names_used(block.choice.options)) for name, block in blocks.items()}
    for where, names in [(_NOTE, set(names_used(notes))), *uses.items()]:
        for name in sorted(names - blocks.keys()):
            raise InputError(f"{file}: the block '{where}' uses '{name}', which does not exist")
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        cycle = ", ".join(error.args[1])
        raise InputError(f"{file}: blocks that contain each other: {cycle}") from None


@dataclass(frozen=True)
class _Section:
    """A heading with its line number, and the numbered lines under it."""

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


def _read(file: Path) -> tuple[list[Option], dict[str, Block]]:
    notes: list[Option] = []
    blocks: dict[str, Block] = {}
    for section in _sections(file):
        if section.name == _NOTE:
            whole = "\n".join(line for _, line in section.body).strip("\n") + "\n"
            notes += _options(file, [(section.number, whole)])
            continue
        alternatives = _options(file, [each for each in section.body if each[1].strip()])
        where = f"{file}, line {section.number}"
        if section.name in blocks or not alternatives:
            problem = "comes twice" if section.name in blocks else "is empty"
            raise InputError(f"{where}: the block '{section.name}' {problem}")
        blocks[section.name] = _block(where, alternatives, section.options)
    return notes, blocks


def _options(file: Path, lines: Iterable[tuple[int, str]]) -> list[Option]:
    options = []
    for number, line in lines:
        try:
            options.append(parse(line))
        except ValueError as error:
            raise InputError(f"{file}, line {number}: {error}") from None
    return options


def _block(where: str, alternatives: Sequence[Option], options: Sequence[str]) -> Block:
    fewest = most = 1
    joiner = " "
    label = None
    for option in options:
        count = _COUNT.fullmatch(option)
        if count:
            fewest, most = int(count[1]), int(count[2] or count[1])
        elif option in ("lines", "glued"):
            joiner = "\n" if option == "lines" else ""
        elif _LABEL.fullmatch(option):
            label = option
        elif option not in _FLAGS:
            raise InputError(f"{where}: unknown option '{option}' of a block")
    flags = {name: name in options for name in _FLAGS}
    return Block(Choice.of(alternatives), fewest, most, joiner, label=label, **flags)


# -- lists of words -------------------------------------------------------------------------------


@dataclass(frozen=True)
class WordList:
    """Entries in the order of the file, optionally with weights."""

    entries: tuple[str, ...]
    cumulated: tuple[float, ...] = ()

    def draw(self, rng: Random) -> str:
        """Return a random entry."""
        if not self.cumulated:
            return rng.choice(self.entries)
        return self.entries[bisect(self.cumulated, rng.random() * self.cumulated[-1])]


@cache
def word_lists(language: str) -> Mapping[str, WordList]:
    """Return the lists of a language by name."""
    made = {}
    for name, value in read_language_toml(language, "synth/words.toml").items():
        if isinstance(value, str):
            entries = (entry.strip() for entry in value.replace("\n", ",").split(","))
            made[name] = WordList(tuple(filter(None, entries)))
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            made[name] = WordList(tuple(value))
        elif isinstance(value, dict) and all(isinstance(v, int | float) for v in value.values()):
            made[name] = WordList(tuple(value), tuple(accumulate(value.values())))
    return made


@cache
def words(language: str, name: str) -> tuple[str, ...]:
    """Return the entries of a list in the order of the file."""
    lists = word_lists(language)
    if name not in lists:
        raise UnknownNameError("list of words", name, lists)
    return lists[name].entries


@cache
def word_pairs(language: str, name: str) -> dict[str, tuple[str, ...]]:
    """Return a list with entries such as "William=Bill" as a mapping to all second halves."""
    pairs: dict[str, tuple[str, ...]] = {}
    for entry in words(language, name):
        first, _, second = entry.partition("=")
        pairs[first] = (*pairs.get(first, ()), second)
    return pairs


# -- expansion ------------------------------------------------------------------------------------


class Values(Protocol):
    """The values of a record that patterns use."""

    def slot(self, name: str) -> list[Segment]:
        """Return the value of a slot; an error for an unknown one."""

    def has_trait(self, trait: str) -> bool:
        """Tell whether the record has a trait; an error for an unknown one."""

    def spelled(self, text: str) -> str:
        """Return plain text in the spelling of the record's author."""


class Writer:
    """Expands patterns, with independent draws."""

    def __init__(self, blocks: Mapping[str, Block], values: Values, rng: Random) -> None:
        self._blocks = blocks
        self._values = values
        self._rng = rng

    def write(self, *nodes: Node) -> list[Segment]:
        """Expand nodes one after the other."""
        segments: list[Segment] = []
        for node in nodes:
            if isinstance(node, str):
                segments.append(Segment(self.plain(node)))
            elif isinstance(node, Slot):
                segments += self._slot(node)
            else:
                possible = self.possible(node)
                if possible:
                    segments += self.write(*possible[self.draw(node, possible)].nodes)
        return segments

    def plain(self, text: str) -> str:
        """Return plain text in the spelling of this writer."""
        return text

    def line(self, name: str) -> Sequence[Node]:
        """Return a line of a list."""
        return self._rng.choice(self.possible(self._blocks[f"~{name}"].choice)).nodes

    def use(self, name: str) -> list[Segment]:
        """Expand a block."""
        return self.write(self._blocks[name].choice)

    def possible(self, choice: Choice) -> Sequence[Option]:
        """Return the alternatives that the record may have."""
        if not choice.conditional:
            return choice.options
        return [
            option
            for option in choice.options
            if all(self._values.has_trait(trait) == wanted for trait, wanted in option.traits)
        ]

    def draw(self, choice: Choice, possible: Sequence[Option]) -> int:
        """Return the index of one of the possible alternatives of a choice."""
        if not choice.weighted:
            return self._rng.choice(range(len(possible)))
        weights = [option.weight for option in possible]
        return self._rng.choices(range(len(possible)), weights)[0]

    def _slot(self, node: Slot) -> list[Segment]:
        if node.kind == "#":
            return [Segment(random_form(node.name, self._rng))]
        if node.kind == _BLOCK:
            return self.use(node.name)
        value = self.write(*self.line(node.name)) if node.kind else self._values.slot(node.name)
        if node.case == "upper":
            return [replace(segment, text=segment.text.upper()) for segment in value]
        return capitalised(value) if node.case else value


class _NoteWriter(Writer):
    """Expands one note; repeats a line only if no other is left."""

    def __init__(self, blocks: Mapping[str, Block], values: Values, rng: Random) -> None:
        super().__init__(blocks, values, rng)
        self._unused: dict[str, list[Option]] = {}
        self._used: dict[str, set[int]] = {}

    def plain(self, text: str) -> str:
        return self._values.spelled(text)

    def use(self, name: str) -> list[Segment]:
        """Write lines of a block, starting with those that the note does not have yet."""
        block = self._blocks[name]
        options = self.possible(block.choice)
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
        segments: list[Segment] = []
        for position, number in enumerate(chosen):
            if position:
                segments.append(Segment(block.joiner))
            segments += self.write(*options[number].nodes)
        return segments

    def line(self, name: str) -> Sequence[Node]:
        unused = self._unused.get(name)
        if not unused:
            unused = self._unused[name] = list(self.possible(self._blocks[f"~{name}"].choice))
        if not unused:
            return ()
        index = self._rng.randrange(len(unused))
        unused[index], unused[-1] = unused[-1], unused[index]
        return unused.pop().nodes
