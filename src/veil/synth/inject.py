"""Identities put into real clinical text that has none, at places where they are plausible.

Real text brings the words and the layout that no generator has. It gets a header and a signature
from the language's shared blocks (`header`, `signature`), sentences that speak of people
(`sentence`), and the patient's name here and there for "the patient". What the text itself holds of
dates and ages is marked by `silver`: what somebody, such as the rules, finds in it.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from veil.synth.notes import templates_of, world_of
from veil.synth.pieces import Piece, joined, record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from veil.core.document import Document, Record, Span
    from veil.synth.template import Templates
    from veil.synth.world import BaseWorld

    Silver = Callable[[Document], Sequence[Span]]

_PATIENT = {
    "en": re.compile(r"\b[Tt]he patient\b|\b[Pp]t\b\.?"),
    "es": re.compile(r"\b[Ee]l paciente\b|\b[Ll]a paciente\b"),
    "sv": re.compile(r"\b[Pp]atienten\b|\b[Pp]at\b"),
    "ja": re.compile(r"患者(?=[はがのに、])|本人(?=[はがのに、])"),
}
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=。)|\n")
_NAMED = 0.35
_SENTENCES = 0.12


def inject(
    docs: Iterable[Document], language: str, *, silver: Silver, seed: int = 0
) -> Iterator[Record]:
    """Yield each document with an identity of its own in it."""
    templates = next(iter(templates_of(language).values()))
    for doc in docs:
        rng = random.Random(f"{seed}/{doc.id}")  # noqa: S311 - no secret
        world = world_of(language)(rng)
        pieces = _with_people(doc, silver(doc), language, templates, world, rng)
        named = joined(pieces, names=language != "sv")
        yield record_of(doc.id, named, language=language, kind="injected")


def _with_people(
    doc: Document,
    spans: Sequence[Span],
    language: str,
    templates: Templates,
    world: BaseWorld,
    rng: random.Random,
) -> list[Piece]:
    def block(name: str) -> list[Piece]:
        return templates.expand_block(name, world, rng)

    pieces: list[Piece] = []
    if rng.random() < 0.7:
        pieces += [*block("header"), Piece("\n")]
    position = 0
    changes = _changes(doc.text, spans, language, world, block, rng)
    for start, end, made in sorted(changes, key=lambda change: change[:2]):
        if position <= start:
            pieces += [Piece(doc.text[position:start]), *made]
            position = end
    pieces.append(Piece(doc.text[position:]))
    if rng.random() < 0.6:
        pieces += [Piece("\n"), *block("signature"), Piece("\n")]
    return pieces


def _changes(
    text: str,
    spans: Sequence[Span],
    language: str,
    world: BaseWorld,
    block: Callable[[str], list[Piece]],
    rng: random.Random,
) -> Iterator[tuple[int, int, list[Piece]]]:
    """Where the text changes: spans of its own, the patient named, and sentences put in."""
    for span in spans:
        piece = Piece(text[span.start : span.end], span.label, span.part)
        yield span.start, span.end, [piece]
    for mention in _PATIENT[language].finditer(text):
        if rng.random() < _NAMED:
            yield mention.start(), mention.end(), world.slot("patient.mention")
    for place in _SENTENCE_END.finditer(text):
        if rng.random() < _SENTENCES:
            at = place.end()
            space = "" if language == "ja" else " "
            yield at, at, [*block("sentence"), Piece(space)]
