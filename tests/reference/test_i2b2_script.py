"""The i2b2 2014 scorer against a second implementation, on many perturbed prediction sets."""

from __future__ import annotations

import random
from functools import cache

import pytest
from tests.reference.i2b2_script import ELEMENTS, Tag, script_scores

from veil.core.document import Document, Record, Span, Spans
from veil.core.labels import scheme
from veil.evaluate.match import Scores, pair_records
from veil.evaluate.metrics import score_i2b2

ELEMENT = {type_: element for element, types in ELEMENTS.items() for type_ in types}
TYPES = sorted(ELEMENT)
SETS = 260


def words(draw: random.Random) -> str:
    """A text of words, numbers and marks, with runs of punctuation and of blanks."""
    pieces = ("Ana", "O'Neil", "3/4/2019", "x5-77", "...", "(617)", "--", "MRN:", "a", "45", ",  ;")
    return " ".join(draw.choice(pieces) for _ in range(40))


@cache
def gold_corpus() -> tuple[tuple[str, tuple[Tag, ...]], ...]:
    """Records whose gold annotations do not overlap; the first begins at offset 0."""
    draw = random.Random(7)  # noqa: S311 - nothing secret
    corpus = []
    for number in range(4):
        text = words(draw)
        tags, position = [], 0
        while position < len(text) - 12 and number < 3:  # the last record has none
            end = position + draw.randint(1, 11)
            kind = draw.choice(TYPES)
            tags.append(Tag(ELEMENT[kind], kind, position, end))
            position = end + draw.randint(0, 9)
        corpus.append((text, tuple(tags)))
    return tuple(corpus)


def perturb(text: str, tags: tuple[Tag, ...], draw: random.Random) -> tuple[Tag, ...]:
    """Drop, move, retype, split and add annotations; write some types in lower case."""
    found: list[Tag] = []
    for tag in tags:
        change = draw.randrange(10)
        if change == 0:
            continue
        if change in {1, 2}:
            tag = tag._replace(
                end=min(len(text), max(tag.start + 1, tag.end + draw.randint(-4, 4)))
            )
        elif change == 3:
            tag = tag._replace(start=max(0, min(tag.end - 1, tag.start + draw.randint(-2, 2))))
        elif change == 4:
            kind = draw.choice(TYPES)
            tag = tag._replace(element=ELEMENT[kind], type=kind)
        elif change == 5 and tag.start + 1 < tag.end:
            middle = draw.randint(tag.start + 1, tag.end - 1)
            found.append(tag._replace(end=middle))
            tag = tag._replace(start=middle)
        elif change == 6:
            tag = tag._replace(type=tag.type.lower())
        found.append(tag)
    for _ in range(draw.randint(0, 3)):
        start, kind = draw.randrange(len(text) - 4), draw.choice(TYPES)
        found.append(Tag(ELEMENT[kind], kind, start, start + draw.randint(1, 4)))
    # Two annotations with one start and near ends: there the script depends on the order of files.
    return tuple({(tag.start, tag.type.upper()): tag for tag in found}.values())


def record(name: str, text: str, tags: tuple[Tag, ...]) -> Record:
    doc = Document(name, text)
    return Record(doc, Spans(doc), tuple(Span(tag.start, tag.end, tag.type) for tag in tags))


def numbers(scores: Scores) -> tuple[float, ...]:
    micro, macro = scores.micro, scores.macro
    return (
        *(micro.precision, micro.recall, micro.f1),
        *(macro.precision, macro.precision_sd, macro.recall, macro.recall_sd, macro.f1),
    )


def veil_scores(gold: list[Record], predicted: list[Record]) -> dict[str, tuple[float, ...]]:
    scores = score_i2b2(pair_records(gold, predicted).pairs, scheme=scheme("i2b2-2014"))
    assert scores.hipaa is not None
    assert scores.binary_hipaa is not None
    found = {}
    for prefix, levels, binary in (
        ("", scores.all, scores.binary),
        ("HIPAA ", scores.hipaa, scores.binary_hipaa),
    ):
        for level in ("strict", "relaxed", "token"):
            found[f"{prefix}{level}"] = numbers(getattr(levels, level))
        for level in ("strict", "token"):
            found[f"binary {prefix}{level}"] = numbers(getattr(binary, level))
    for element in scores.elements:
        for prefix, two in (("", element.all), ("HIPAA ", element.hipaa)):
            found[f"{element.element} {prefix}strict"] = numbers(two.strict)
            found[f"{element.element} {prefix}token"] = numbers(two.token)
    return found


@pytest.mark.parametrize("first", range(0, SETS, 20))
def test_every_number_is_the_scripts(first: int) -> None:
    """Each of 38 evaluations has the script's eight numbers, on 260 sets of predictions."""
    for seed in range(first, first + 20):
        draw = random.Random(seed)  # noqa: S311 - nothing secret
        corpus = [(text, gold, perturb(text, gold, draw)) for text, gold in gold_corpus()]
        names = [str(number) for number in range(len(corpus))]
        gold = [
            record(name, text, tags) for name, (text, tags, _) in zip(names, corpus, strict=True)
        ]
        predicted = [
            record(name, text, tags) for name, (text, _, tags) in zip(names, corpus, strict=True)
        ]
        found = veil_scores(gold, predicted)
        expected = script_scores(corpus)
        assert len(expected) == 38
        assert set(found) <= set(expected)
        for name, values in expected.items():
            # An element that occurs nowhere has no row in Veil; the script prints zeros.
            assert found.get(name, (0.0,) * 8) == pytest.approx(values, abs=1e-12), (seed, name)
