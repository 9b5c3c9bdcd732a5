"""Which runs of words are mentions of people, places and organisations."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.context import APOSTROPHES, HYPHENS
from veil.detect.known.entities import Kind
from veil.detect.known.vocabulary import word_key
from veil.detect.known.words import EXACT, INITIAL, INITIALS, MISSPELT, NICKNAME, Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.detect.known.context import Context
    from veil.detect.known.entities import Entity


_PUNCTUATION = frozenset(',."()/&#ºª·・“”') | APOSTROPHES | HYPHENS
_MOST_PUNCTUATION = 3
_MOST_BETWEEN = 5
_MOST_UNKNOWN_NAMES = 2
_LONGEST_STEM = 2
# No mention is longer, and the time for a run grows with its square.
_LONGEST_RUN = 24


class WordMatch(NamedTuple):
    """Tokens of a text that may stand for an entity."""

    first: int
    last: int
    hit: Hit

    def counts_for(self, bit: int) -> bool:
        """Whether it is evidence for an entity, by itself or in context."""
        return bool((self.hit.strong | self.hit.weak) & bit)

    @property
    def is_initial(self) -> bool:
        return self.hit.how in (INITIAL, INITIALS)


class Run(NamedTuple):
    """Consecutive words and the bits of the entities that all of them may stand for."""

    words: list[WordMatch]
    entities: int

    @property
    def candidates(self) -> int:
        """The entities for which a word is evidence; all entities if all words are initials."""
        if all(word.is_initial for word in self.words):
            is_one_letter = len(self.words) == 1 and self.words[0].hit.how == INITIAL
            return 0 if is_one_letter else self.entities
        informative = 0
        for word in self.words:
            informative |= word.hit.strong | word.hit.weak
        return self.entities & informative


def find_runs(context: Context, found: Iterable[WordMatch], people: int) -> Iterator[Run]:
    """Split words in text order into runs; `people` are the bits of the people's entities."""
    words: list[WordMatch] = []
    entities = 0
    for word in found:
        shared = entities & word.hit.entities if len(words) < _LONGEST_RUN else 0
        if shared:
            shared = _joined(context, words, word, shared, people)
        if shared:
            words.append(word)
            entities = shared
            continue
        if words:
            yield Run(words, entities)
        words, entities = [word], word.hit.entities
    if words:
        yield Run(words, entities)


def _joined(
    context: Context, words: list[WordMatch], word: WordMatch, shared: int, people: int
) -> int:
    """The entities that a run and a word share and for which the word belongs to the run."""
    last = words[-1]
    between = context.forms[last.last + 1 : word.first]
    if (
        word.first <= last.last
        or _MOST_BETWEEN < len(between)
        or 1 < context.gap(last.last, word.first).count("\n")
    ):
        return 0
    if word.hit.how == INITIALS:
        shared &= people  # the acronym of a hospital is not part of its name
    if not between:
        return shared
    if len(between) <= _MOST_PUNCTUATION and _PUNCTUATION.issuperset(between):
        if "." in between and not _is_abbreviated(context, last):
            return 0
        if "," in between:
            if not _may_follow_comma(words, word, shared & people):
                shared &= ~people
            if _is_repeated(words, word):
                shared &= people
        return shared
    bridged = shared & people
    return bridged if bridged and _bridges(context, words, word, between) else 0


def _may_follow_comma(words: list[WordMatch], word: WordMatch, bits: int) -> bool:
    """Whether a comma may separate surname and given name: "Lindgren, Anna"."""
    is_given = word.is_initial or bool(word.hit.entities & bits & ~word.hit.surnames)
    return is_given and all(
        other.hit.surnames & bits for other in words if other.is_initial or other.counts_for(bits)
    )


def _is_repeated(words: list[WordMatch], word: WordMatch) -> bool:
    """Whether a run already contains a word; numbers and letters may occur twice."""
    keys = {key for key in word.hit.keys if 1 < len(key) and key.isalpha()}
    return any(not keys.isdisjoint(other.hit.keys) for other in words)


def _is_abbreviated(context: Context, word: WordMatch) -> bool:
    """Whether the full stop after a word may belong to it: "J.", "St.", "Fco."."""
    if not word.hit.strong and not word.hit.weak:
        return True
    return len(context.form(word.last)) <= _LONGEST_STEM or word.hit.how == NICKNAME


def _bridges(context: Context, words: list[WordMatch], word: WordMatch, between: list[str]) -> bool:
    """Whether unknown names stand between two known ones: "Anna Q. Lindgren"."""
    last = words[-1]
    if _is_repeated(words, word):
        return False
    if not last.counts_for(last.hit.entities) or not word.counts_for(word.hit.entities):
        return False
    if not (context.is_capitalised(last.first) and context.is_capitalised(word.first)):
        return False
    if "\n" in context.gap(last.last, word.first):
        return False
    names = 0
    for index, form in enumerate(between):
        if form[0].isupper() and not context.words.is_title(form):
            names += 1
        elif not (
            form in HYPHENS
            or form in context.words.particles
            or (form == "." and 0 < index and len(between[index - 1]) == 1)
        ):
            return False
    return 0 < names <= _MOST_UNKNOWN_NAMES


def trim(context: Context, words: list[WordMatch], entity: Entity, bit: int) -> list[WordMatch]:
    """Remove particles and letters at the ends of a run that belong to the words around it."""
    words = list(words)
    while words and not _may_open(context, words, entity, bit):
        words.pop(0)
    while words and not _may_close(context, words, bit):
        words.pop()
    return words


def _may_open(context: Context, words: list[WordMatch], entity: Entity, bit: int) -> bool:
    word = words[0]
    if word.counts_for(bit) or word.hit.how == INITIALS:
        return not _is_word_beside_name(context, word, words, bit)
    if word.hit.how == MISSPELT:
        return context.is_capitalised(word.first)
    if word.is_initial and (
        _is_dotted(context, word)
        or word_key(context.form(word.first)) not in context.words.one_letter_words
    ):
        return True
    for left, right in pairwise(words):
        if (left.hit.keys[0], right.hit.keys[0]) not in entity.openings:
            return False
        if right.counts_for(bit):
            return True
    return False


def _may_close(context: Context, words: list[WordMatch], bit: int) -> bool:
    word = words[-1]
    if word.counts_for(bit) or word.hit.how == INITIALS:
        return not _is_word_beside_name(context, word, words, bit)
    if word.hit.how == MISSPELT:
        return context.is_capitalised(word.first)
    return word.is_initial and (
        _is_dotted(context, word)
        or context.form(word.first - 1) == ","
        or word_key(context.form(word.last)) not in context.words.one_letter_words
    )


def _is_word_beside_name(
    context: Context, word: WordMatch, words: list[WordMatch], bit: int
) -> bool:
    """Whether a word in lower case beside a capitalised one is not a name: "Dr. May will"."""
    return (
        not word.hit.strong & bit
        and not context.is_capitalised(word.first)
        and any(context.is_capitalised(other.first) for other in words)
        and any(map(context.words.is_word, word.hit.keys))
    )


def _is_dotted(context: Context, word: WordMatch) -> bool:
    """Whether a letter is followed by a full stop, a hyphen or the end of a surname (B-son)."""
    return word.first < word.last or context.form(word.last + 1) in (".", *HYPHENS)


def judge_initials(context: Context, words: list[WordMatch], entity: Entity) -> bool:
    """Whether letters are a person's initials: J.D. without context, JD in context only."""
    if not words or not all(word.is_initial for word in words):
        return False
    letters = "".join(word_key(context.form(word.first)) for word in words)
    if letters not in entity.initials:
        return False
    first, last = words[0].first, words[-1].last
    if _is_in_abbreviation(context, first, last):
        return False
    if len(words) == 1:
        return context.supports_initials(first, last)
    if not all(_is_dotted(context, word) for word in words[:-1]):
        return False
    free = letters not in context.words.abbreviations
    return free or context.supports_initials(first, last)


def _is_in_abbreviation(context: Context, first: int, last: int) -> bool:
    """Whether letters are part of a longer abbreviation with full stops: "A.L.T."."""
    return (context.form(first - 1) == "." and len(context.form(first - 2)) == 1) or (
        context.form(last + 1) == "."
        and len(context.form(last + 2)) == 1
        and context.form(last + 2).isalpha()
        and not context.gap(last + 1, last + 2)
    )


_SCORES = {EXACT: 1.0, NICKNAME: 0.9, MISSPELT: 0.8, INITIALS: 0.7}
_IN_CONTEXT = 0.9
"""The factor for the score of a word that counts because of its context only."""


class KnownMention(NamedTuple):
    """The words of a mention, how it was matched, and its score."""

    words: list[WordMatch]
    how: str
    score: float


def find_mentions(
    context: Context, found: Iterable[WordMatch], entities: Sequence[Entity]
) -> Iterator[Span]:
    """Yield the mentions that are made of these words, which are in text order."""
    people = sum(1 << index for index, entity in enumerate(entities) if entity.kind is Kind.PERSON)
    streets = sum(1 << index for index, entity in enumerate(entities) if entity.kind is Kind.STREET)
    for run in find_runs(context, found, people):
        candidates = run.candidates | (run.entities & streets)
        if candidates:
            span = _settle(context, run, candidates, entities)
            if span is not None:
                yield span


def _settle(context: Context, run: Run, candidates: int, entities: Sequence[Entity]) -> Span | None:
    """Make a span of a run if it is a mention; one of several entities is chosen.

    After a doctor's title a doctor is preferred, if the words match one.
    """
    meant: tuple[Entity, KnownMention] | None = None
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


def _span(context: Context, entity: Entity, mention: KnownMention) -> Span:
    first, last = mention.words[0].first, mention.words[-1].last
    if entity.kind is Kind.PERSON:
        first, last = _with_hyphenated(context, first, last)
    source = f"known:{entity.what}/{mention.how}"
    return Span(context.starts[first], context.ends[last], entity.label, mention.score, source)


def _with_hyphenated(context: Context, first: int, last: int) -> tuple[int, int]:
    """Include the other half of a hyphenated name: Lindgren-Berg."""
    while _is_hyphenated(context, last + 1) and context.is_capitalised(last + 2):
        last += 2
    while _is_hyphenated(context, first - 1) and context.is_capitalised(first - 2):
        first -= 2
    return first, last


def _is_hyphenated(context: Context, index: int) -> bool:
    """Whether a token is a hyphen with tokens directly before and after it."""
    return (
        0 < index < len(context.forms) - 1
        and context.forms[index] in HYPHENS
        and not context.gap(index - 1, index)
        and not context.gap(index, index + 1)
    )


def _judge_person(
    context: Context, words: list[WordMatch], entity: Entity, bit: int
) -> KnownMention | None:
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
        return KnownMention(words, INITIALS, _SCORES[INITIALS]) if initials else None
    informative = {word.hit.keys for word in words if word.counts_for(bit) or word.is_initial}
    if 1 < len(informative) and _are_written_like_names(context, weak):
        return _mention(words, weak)
    if any(context.supports(word) for word in weak):
        return _mention(words, weak, _IN_CONTEXT)
    return None


def _are_written_like_names(context: Context, weak: list[WordMatch]) -> bool:
    if not context.has_capitals or all(context.is_capitalised(word.first) for word in weak):
        return True
    return any(not context.words.is_frequent(key) for word in weak for key in word.hit.keys)


def _judge_street(
    context: Context, words: list[WordMatch], entity: Entity, bit: int
) -> KnownMention | None:
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
        # "the main street" exists in any town.
        return _mention(words, core) if capitalised or not is_words else None
    return None


def _judge_place(
    context: Context, words: list[WordMatch], entity: Entity, bit: int
) -> KnownMention | None:
    words = _without_loose_ends(words, entity)
    if not entity.core <= _elements(words, entity).keys():
        return None
    informative = [word for word in words if word.counts_for(bit)]
    if any(word.hit.strong & bit for word in informative):
        return _mention(words, informative)
    capitalised = all(context.is_capitalised(word.first) for word in informative)
    known_place = any(context.words.is_place(key) for word in informative for key in word.hit.keys)
    if capitalised and (1 < len(words) or known_place):
        return _mention(words, informative)
    if len(words) == 1 and context.supports(words[0]):
        return _mention(words, informative, _IN_CONTEXT)
    return None


def _judge_organisation(
    context: Context, words: list[WordMatch], entity: Entity, bit: int
) -> KnownMention | None:
    if len(words) == 1 and words[0].hit.how == INITIALS:
        return KnownMention(words, INITIALS, _SCORES[INITIALS])
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
    informative = [word for word in core if not context.words.is_word(word.hit.keys[0])]
    if informative and elements.keys() & entity.heads:
        return _mention(words, informative, _IN_CONTEXT)
    return None


def _elements(words: list[WordMatch], entity: Entity) -> dict[int, WordMatch]:
    """The elements of an entity that words stand for."""
    return {
        entity.elements[key]: word
        for word in words
        for key in word.hit.keys
        if key in entity.elements
    }


def _without_loose_ends(words: list[WordMatch], entity: Entity) -> list[WordMatch]:
    """A run from its first to its last significant word, with the particles before the first."""
    informative = entity.core | entity.heads | entity.details
    indexes = [
        index for index, word in enumerate(words) if _elements([word], entity).keys() & informative
    ]
    if not indexes:
        return []
    first = indexes[0]
    while 0 < first and (_key(words[first - 1]), _key(words[first])) in entity.openings:
        first -= 1
    return words[first : indexes[-1] + 1]


def _key(word: WordMatch) -> str:
    return word.hit.keys[0]


def _mention(
    words: list[WordMatch], evidence: list[WordMatch], factor: float = 1.0
) -> KnownMention:
    """Score a mention by its best evidence: exact words, then short forms, then misspellings."""
    how = max((word.hit.how for word in evidence), key=lambda how: _SCORES.get(how, 0.0))
    return KnownMention(words, how, round(_SCORES.get(how, 1.0) * factor, 2))


_JUDGES = {
    Kind.PERSON: _judge_person,
    Kind.STREET: _judge_street,
    Kind.PLACE: _judge_place,
    Kind.ORGANISATION: _judge_organisation,
}
