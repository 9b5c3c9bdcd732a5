"""Writing dummy records of a language: kinds of notes, worlds, house styles, one seed."""

from __future__ import annotations

import random
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from veil.core.errors import UnknownNameError
from veil.languages import language_folder, language_part
from veil.synth.people import Profile
from veil.synth.pieces import joined, record_of
from veil.synth.styles import dress, styles_of
from veil.synth.template import read_blocks, read_templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.core.document import Record
    from veil.synth.template import Templates
    from veil.synth.world import BaseWorld

LANGUAGES = ("en", "es", "ja", "sv")
# Kinds of notes that are about children or women; all others are about adults of any age.
PROFILES = {
    "newborn": Profile(youngest=0, oldest=27),
    "obstetrics": Profile(youngest=17 * 365, oldest=46 * 365, sex="female"),
    "paediatrics": Profile(youngest=20, oldest=16 * 365),
}
_SHARED = "shared.txt"


def kinds(language: str) -> list[str]:
    """The kinds of notes that a language has."""
    return sorted(templates_of(language))


@cache
def templates_of(language: str) -> dict[str, Templates]:
    """The templates of a language by kind of note."""
    if language not in LANGUAGES:
        raise UnknownNameError("language", language, LANGUAGES)
    folder = language_folder(language) / "synth"
    shared = read_blocks(folder / _SHARED)
    files = sorted(file for file in folder.glob("*.txt") if file.name != _SHARED)
    return {file.stem: read_templates(file, shared) for file in files}


@cache
def world_of(language: str) -> type[BaseWorld]:
    """The world that a language's records are about."""
    own: type[BaseWorld] | None = getattr(language_part(language, "synth"), "World", None)
    made: type[BaseWorld] = own or import_module(f"veil.synth.worlds.{language}").World
    return made


def dummy_records(
    language: str, count: int, *, seed: int = 0, only: Sequence[str] = ()
) -> Iterator[Record]:
    """Yield dummy records with gold spans in Veil's scheme.

    The same seed gives the same records, and a record does not depend on how many there are. `only`
    names kinds of notes; without, all take turns.
    """
    templates = templates_of(language)
    for kind in only:
        if kind not in templates:
            raise UnknownNameError("kind of note", kind, templates)
    chosen = [templates[kind] for kind in only or sorted(templates)]
    for number in range(count):
        template = chosen[number % len(chosen)]
        name = template.kind
        rng = random.Random(f"{seed}/{language}/{name}/{number}")  # noqa: S311 - no secret
        world = world_of(language)(rng, profile=PROFILES.get(name))
        pieces = joined(template.expand(world, rng), names=language != "sv")
        dressed = dress(pieces, rng, styles_of(language))
        yield record_of(f"{name}-{number:05}", dressed, language=language, kind=name)
