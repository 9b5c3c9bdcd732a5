"""Writes dummy records of a language, with kinds of notes, scenarios and layouts."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

from veil.core.errors import UnknownNameError
from veil.languages import language_codes, language_folder, language_part
from veil.synth.patterns import read_blocks, read_templates
from veil.synth.people import Profile
from veil.synth.scenario import Scenario
from veil.synth.segments import build_record, merge_segments
from veil.synth.styles import apply_styles, styles_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.core.document import Record
    from veil.synth.patterns import Templates

# Kinds of notes that are about children or women; all others are about adults of any age.
PROFILES = {
    "newborn": Profile(youngest=0, oldest=27),
    "obstetrics": Profile(youngest=17 * 365, oldest=46 * 365, sex="female"),
    "paediatrics": Profile(youngest=20, oldest=16 * 365),
}
_SHARED = "shared.txt"
_SLOTS = "slots.txt"


def synth_languages() -> tuple[str, ...]:
    """Return the codes of the languages that have templates of dummy records."""
    return tuple(
        code for code in language_codes() if any((language_folder(code) / "synth").glob("*.txt"))
    )


def kinds(language: str) -> list[str]:
    """Return the kinds of notes that a language has."""
    return sorted(templates_of(language))


@cache
def templates_of(language: str) -> dict[str, Templates]:
    """Return the templates of a language by kind of note."""
    if language not in synth_languages():
        raise UnknownNameError("language", language, synth_languages())
    folder = language_folder(language) / "synth"
    shared = read_blocks(folder / _SHARED) if (folder / _SHARED).is_file() else {}
    files = sorted(file for file in folder.glob("*.txt") if file.name not in (_SHARED, _SLOTS))
    return {file.stem: read_templates(file, shared) for file in files}


@cache
def scenario_of(language: str) -> type[Scenario]:
    """Return the class of a language's scenarios: `SCENARIO` of its part, or the default."""
    own: type[Scenario] | None = getattr(language_part(language, "synth"), "SCENARIO", None)
    return own or type("DefaultScenario", (Scenario,), {"language": language})


def dummy_records(
    language: str, count: int, *, seed: int = 0, only: Sequence[str] = ()
) -> Iterator[Record]:
    """Yield dummy records with gold spans in Veil's scheme.

    The same seed gives the same records, and a record does not depend on their number. `only` names
    kinds of notes; by default all kinds alternate.
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
        scenario = scenario_of(language)(rng, profile=PROFILES.get(name))
        segments = merge_segments(template.expand(scenario, rng))
        styled = apply_styles(segments, rng, styles_of(language))
        yield build_record(f"{name}-{number:05}", styled, language=language, kind=name)
