"""Inserts identities into real clinical text that has none, in plausible places.

Real text has words and layouts that no generator produces. It gets a header and a signature from
the language's shared blocks (`header`, `signature`), sentences about people (`sentence`), and
sometimes the patient's name in place of a match of `patient_mention` in words.toml. `silver`
returns the dates and ages of the text itself, for example found by rules.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from veil.languages import read_language_toml
from veil.synth.notes import scenario_of, templates_of
from veil.synth.segments import Segment, build_record, merge_segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from veil.core.document import Document, Record, Span
    from veil.synth.patterns import Templates
    from veil.synth.scenario import Scenario

    Silver = Callable[[Document], Sequence[Span]]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=。)|\n")
_NAMED = 0.35
_SENTENCES = 0.12


def inject(
    docs: Iterable[Document], language: str, *, silver: Silver, seed: int = 0
) -> Iterator[Record]:
    """Yield each document with an invented identity."""
    templates = next(iter(templates_of(language).values()))
    for doc in docs:
        rng = random.Random(f"{seed}/{doc.id}")  # noqa: S311 - no secret
        scenario = scenario_of(language)(rng)
        segments = _with_people(doc, silver(doc), language, templates, scenario, rng)
        named = merge_segments(segments)
        yield build_record(doc.id, named, language=language, kind="injected")


def _with_people(
    doc: Document,
    spans: Sequence[Span],
    language: str,
    templates: Templates,
    scenario: Scenario,
    rng: random.Random,
) -> list[Segment]:
    def block(name: str) -> list[Segment]:
        return templates.expand_block(name, scenario, rng) if name in templates.blocks else []

    segments: list[Segment] = []
    if rng.random() < 0.7:
        segments += [*block("header"), Segment("\n")]
    position = 0
    changes = _changes(doc.text, spans, language, scenario, block, rng)
    for start, end, made in sorted(changes, key=lambda change: change[:2]):
        if position <= start:
            segments += [Segment(doc.text[position:start]), *made]
            position = end
    segments.append(Segment(doc.text[position:]))
    if rng.random() < 0.6:
        segments += [Segment("\n"), *block("signature"), Segment("\n")]
    return segments


def _changes(
    text: str,
    spans: Sequence[Span],
    language: str,
    scenario: Scenario,
    block: Callable[[str], list[Segment]],
    rng: random.Random,
) -> Iterator[tuple[int, int, list[Segment]]]:
    """Yield the changes of the text: its own spans, the patient's name, inserted sentences."""
    for span in spans:
        segment = Segment(text[span.start : span.end], span.label, span.part)
        yield span.start, span.end, [segment]
    patient = read_language_toml(language, "synth/words.toml").get("patient_mention", "$^")
    for mention in re.finditer(patient, text):
        if rng.random() < _NAMED:
            yield mention.start(), mention.end(), scenario.slot("patient.mention")
    for boundary in _SENTENCE_END.finditer(text):
        if rng.random() < _SENTENCES:
            start = boundary.end()
            yield start, start, [*block("sentence"), Segment(scenario.sentence_space)]
