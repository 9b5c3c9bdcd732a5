"""Which runs of words are mentions of people, places and organisations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.context import HYPHENS
from veil.detect.known.edges import judge_initials, trim
from veil.detect.known.entities import Kind
from veil.detect.known.runs import find_runs
from veil.detect.known.words import EXACT, INITIALS, MISSPELT, NICKNAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.detect.known.context import Context
    from veil.detect.known.entities import Entity
    from veil.detect.known.runs import Found, Run

_SCORES = {EXACT: 1.0, NICKNAME: 0.9, MISSPELT: 0.8, INITIALS: 0.7}
_IN_CONTEXT = 0.9
"""What a score is multiplied by if a word counts for its context alone."""


class Mention(NamedTuple):
    """The words of a mention, how it was found, and how sure that is."""

    words: list[Found]
    how: str
    score: float


def find_mentions(
    context: Context, found: Iterable[Found], entities: Sequence[Entity]
) -> Iterator[Span]:
    """Yield the mentions that words in order of the text make."""
    people = sum(1 << place for place, entity in enumerate(entities) if entity.kind is Kind.PERSON)
    streets = sum(1 << place for place, entity in enumerate(entities) if entity.kind is Kind.STREET)
    for run in find_runs(context, found, people):
        candidates = run.candidates | (run.entities & streets)
        if candidates:
            span = _settle(context, run, candidates, entities)
            if span is not None:
                yield span


def _settle(context: Context, run: Run, candidates: int, entities: Sequence[Entity]) -> Span | None:
    """Make a span of a run if it is a mention; of several entities the first is meant.

    Behind a doctor's title a doctor is, if the words fit one.
    """
    meant: tuple[Entity, Mention] | None = None
    while candidates:
        bit = candidates & -candidates
        candidates ^= bit
        entity = entities[bit.bit_length() - 1]
        if meant is not None and entity.label != "DOCTOR":
            continue
        mention = _JUDGES[entity.kind](context, run.words, entity, bit)
        if mention is None:
            continue
        if entity.label == "DOCTOR":
            meant = entity, mention
            break
        title = context.title_before(mention.words[0].first)
        meant = entity, mention
        if not title or not context.words.is_doctor_title(title):
            break
    return None if meant is None else _span(context, *meant)


def _span(context: Context, entity: Entity, mention: Mention) -> Span:
    first, last = mention.words[0].first, mention.words[-1].last
    if entity.kind is Kind.PERSON:
        first, last = _with_hyphenated(context, first, last)
    source = f"known:{entity.what}/{mention.how}"
    return Span(context.starts[first], context.ends[last], entity.label, mention.score, source)


def _with_hyphenated(context: Context, first: int, last: int) -> tuple[int, int]:
    """Take in the other half of a hyphenated name: Lindgren-Berg."""
    while _is_hyphenated(context, last + 1) and context.is_capitalised(last + 2):
        last += 2
    while _is_hyphenated(context, first - 1) and context.is_capitalised(first - 2):
        first -= 2
    return first, last


def _is_hyphenated(context: Context, place: int) -> bool:
    """Whether a token is a hyphen with a token right before and behind it."""
    return (
        0 < place < len(context.forms) - 1
        and context.forms[place] in HYPHENS
        and not context.gap(place - 1, place)
        and not context.gap(place, place + 1)
    )


def _judge_person(context: Context, words: list[Found], entity: Entity, bit: int) -> Mention | None:
    words = trim(context, words, entity, bit)
    strong = [word for word in words if word.hit.strong & bit]
    if strong:
        if 1 < len(words) or not context.is_medical(words[0].first, words[0].last):
            return _mention(words, strong)
        named = context.is_named(words[0].first, words[0].last)
        return _mention(words, strong, _IN_CONTEXT) if named else None
    weak = [word for word in words if word.hit.weak & bit]
    if not weak:
        initials = judge_initials(context, words, entity)
        return Mention(words, INITIALS, _SCORES[INITIALS]) if initials else None
    telling = {word.hit.keys for word in words if word.counts_for(bit) or word.is_initial}
    if 1 < len(telling) and _are_written_like_names(context, weak):
        return _mention(words, weak)
    if any(context.supports(word) for word in weak):
        return _mention(words, weak, _IN_CONTEXT)
    return None


def _are_written_like_names(context: Context, weak: list[Found]) -> bool:
    if not context.has_capitals or all(context.is_capitalised(word.first) for word in weak):
        return True
    return any(not context.words.is_frequent(key) for word in weak for key in word.hit.keys)


def _judge_street(context: Context, words: list[Found], entity: Entity, bit: int) -> Mention | None:
    words = _without_loose_ends(words, entity)
    elements = _elements(words, entity)
    if not entity.core <= elements.keys():
        return None
    core = [elements[element] for element in sorted(entity.core)]
    capitalised = all(context.is_capitalised(word.first) for word in core)
    is_words = all(context.words.is_word(word.hit.keys[0]) for word in core)
    if any(word.hit.strong & bit for word in core) or elements.keys() & entity.details:
        return _mention(words, core)
    if elements.keys() & entity.heads or 1 < len(core):
        # "the main street" is any town's.
        return _mention(words, core) if capitalised or not is_words else None
    return None


def _judge_place(context: Context, words: list[Found], entity: Entity, bit: int) -> Mention | None:
    words = _without_loose_ends(words, entity)
    if not entity.core <= _elements(words, entity).keys():
        return None
    telling = [word for word in words if word.counts_for(bit)]
    if any(word.hit.strong & bit for word in telling):
        return _mention(words, telling)
    capitalised = all(context.is_capitalised(word.first) for word in telling)
    known_place = any(context.words.is_place(key) for word in telling for key in word.hit.keys)
    if capitalised and (1 < len(words) or known_place):
        return _mention(words, telling)
    if len(words) == 1 and context.supports(words[0]):
        return _mention(words, telling, _IN_CONTEXT)
    return None


def _judge_organisation(
    context: Context, words: list[Found], entity: Entity, bit: int
) -> Mention | None:
    if len(words) == 1 and words[0].hit.how == INITIALS:
        return Mention(words, INITIALS, _SCORES[INITIALS])
    words = _without_loose_ends(words, entity)
    elements = _elements(words, entity)
    core = [word for element, word in elements.items() if element in entity.core]
    if 1 < len(words) and elements.keys() >= set(entity.elements.values()):
        return _mention(words, words)
    if context.has_capitals and not all(context.is_capitalised(word.first) for word in core):
        return None
    if any(word.hit.strong & bit for word in core):
        return _mention(words, core)
    if entity.core <= elements.keys() and 1 < len(words):
        return _mention(words, core)
    telling = [word for word in core if not context.words.is_word(word.hit.keys[0])]
    if telling and elements.keys() & entity.heads:
        return _mention(words, telling, _IN_CONTEXT)
    return None


def _elements(words: list[Found], entity: Entity) -> dict[int, Found]:
    """The elements of an entity that words stand for."""
    return {
        entity.elements[key]: word
        for word in words
        for key in word.hit.keys
        if key in entity.elements
    }


def _without_loose_ends(words: list[Found], entity: Entity) -> list[Found]:
    """A run from the first to the last word that is no mere particle, with what opens the first."""
    telling = entity.core | entity.heads | entity.details
    places = [
        place for place, word in enumerate(words) if _elements([word], entity).keys() & telling
    ]
    if not places:
        return []
    first = places[0]
    while 0 < first and (_key(words[first - 1]), _key(words[first])) in entity.openings:
        first -= 1
    return words[first : places[-1] + 1]


def _key(word: Found) -> str:
    return word.hit.keys[0]


def _mention(words: list[Found], evidence: list[Found], factor: float = 1.0) -> Mention:
    """Judge by the best evidence: an exact word before a short form before a misspelt one."""
    how = max((word.hit.how for word in evidence), key=lambda how: _SCORES.get(how, 0.0))
    return Mention(words, how, round(_SCORES.get(how, 1.0) * factor, 2))


_JUDGES = {
    Kind.PERSON: _judge_person,
    Kind.STREET: _judge_street,
    Kind.PLACE: _judge_place,
    Kind.ORGANISATION: _judge_organisation,
}
