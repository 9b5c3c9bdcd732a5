"""The grammar of a template's text: what stands between plain words, read once.

`<name>` is a block, `{slot}` a value of the record's world, `{~name}` a line of a list; with a
capital (`{He}`, `{~Symptom}`) it begins a sentence. `[a|b|]` is a choice, which may hold others.
An alternative that begins with `@trait ` or `@!trait ` is there only for worlds that have the
trait, or have it not. A backslash keeps the next character as it is, but `\\n` is a line break and
`\\t` a tab.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r"\\(.)|\{(~?)([^{}\s]+)\}|<([\w-]+)>|([\[|\]])", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}
_TRAIT = re.compile(r"@(!?)(\w+) ")


@dataclass(frozen=True, slots=True)
class Text:
    """Words as they stand."""

    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A value of the world."""

    name: str
    capital: bool


@dataclass(frozen=True, slots=True)
class Pick:
    """A line of a list that the record has not had yet."""

    name: str
    capital: bool


@dataclass(frozen=True, slots=True)
class Use:
    """What a block gives."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several alternatives; `conditional` where some are not there for every world."""

    options: tuple[Option, ...]
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An alternative: a line of a block, a part of a choice, a whole note."""

    nodes: tuple[Node, ...]
    trait: str = ""
    wanted: bool = True


Node = Text | Slot | Pick | Use | Choice


def parse(text: str) -> Option:
    """Read a line or a note; a ValueError says what is wrong with it."""
    option, end = _option(text, 0, inside=False)
    if end < len(text):
        raise ValueError("a bracket that closes nothing; write \\] for the character")
    return option


def named(options: Sequence[Option]) -> Iterator[str]:
    """The names of the blocks and lists that alternatives refer to."""
    for option in options:
        for node in option.nodes:
            if isinstance(node, Use):
                yield node.name
            elif isinstance(node, Pick):
                yield f"~{node.name}"
            elif isinstance(node, Choice):
                yield from named(node.options)


def _option(text: str, position: int, *, inside: bool) -> tuple[Option, int]:
    """Read to the end, or inside a bracket to its next | or ]; tell where that is."""
    trait = _TRAIT.match(text, position)
    if trait:
        position = trait.end()
    nodes: list[Node] = []
    plain = ""
    while True:
        token = _TOKEN.search(text, position)
        plain += text[position : token.start() if token else len(text)]
        literal, is_list, slot, block, bracket = token.groups() if token else (None,) * 5
        if literal is not None or (bracket == "|" and not inside):
            plain += _ESCAPED.get(literal, literal) if literal else "|"
        else:
            if plain:
                nodes.append(Text(plain))
                plain = ""
            if token is None or bracket in ("|", "]"):
                break
            if slot is not None:
                name = slot[0].lower() + slot[1:]
                nodes.append((Pick if is_list else Slot)(name, name != slot))
            elif block is not None:
                nodes.append(Use(block))
        if token is None:
            break
        position = token.end()
        if bracket == "[":
            choice, position = _choice(text, position)
            nodes.append(choice)
    if inside and token is None:
        raise ValueError("a bracket that is not closed; write \\[ for the character")
    made = Option(tuple(nodes), trait[2], not trait[1]) if trait else Option(tuple(nodes))
    return made, token.start() if token else len(text)


def _choice(text: str, position: int) -> tuple[Choice, int]:
    options = []
    while True:
        option, end = _option(text, position, inside=True)
        options.append(option)
        position = end + 1
        if text[end] == "]":
            return Choice(tuple(options), any(each.trait for each in options)), position
