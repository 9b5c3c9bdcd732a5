"""The compiled scores, search and position features against their pure Python twins."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil.core import native
from veil.core.document import Document, Record, Span, Spans
from veil.detect.linear.chain import Transitions, best_tags, tag_probabilities
from veil.detect.linear.layout import rule_column
from veil.detect.linear.model import LinearModel, Settings
from veil.detect.linear.scoring import Scorer
from veil.detect.linear.tagger import _untagged
from veil.detect.linear.tags import TagSet
from veil.detect.linear.training import prepare
from veil.detect.linear.weights import PackedWeights
from veil.detect.neural.network import (
    DIRECTIONS,
    FIRST_CHARACTER,
    GATES,
    WIDTH,
    Characters,
    Matrix,
    Network,
)
from veil.detect.neural.scoring import NetworkScorer, tanh
from veil.features.forms import Resources
from veil.features.groups import Channel
from veil.features.stream import _lines, build_stream
from veil.languages import language

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.features.stream import FormTable, Stream

pytestmark = pytest.mark.skipif(native.CORE is None, reason="the compiled core is not there")

T = TypeVar("T")
SEEDS = st.integers(0, 2**32 - 1)
PIECES = [
    *("Dr", "Ana", "ana", "ANA", "Pérez", "nombre", "patient", ":", ": ", ".", "12", "2024", "5"),
    *("ana.perez@x.es", "@", "/", "enero", "calle", "Mayor", " ", " ", " ", "\n", "\n\n", "山"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
FORMS = ("normal", "short-shape", "suffix3", "marks")
POSITIONS = (
    *("bias", "line-key", "previous-line-key", "next-line-key", "line-start", "line-from-top"),
    *("line-from-bottom", "line-length", "position", "position-from-end", "word-pair"),
    *("line-key-and-position", "field", "field-and-distance", "shape-pair", "shape-triple"),
    *("spaced-shape", "template", "document-memory", "place-in-record", "sentence-start"),
)
LABELS = ("AGE", "DATE", "NAME")


def pure(function: Callable[[], T]) -> T:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "CORE", None)
        return function()


def assert_same(compiled: dict[str, Any], plain: dict[str, Any]) -> None:
    assert compiled.keys() == plain.keys()
    for name, array in compiled.items():
        assert array.dtype == plain[name].dtype, name
        assert array.tolist() == plain[name].tolist(), name


# The chain ------------------------------------------------------------------------------------


def chain_of(rng: np.random.Generator, width: int, *, whole: bool) -> Transitions:
    def numbers(*shape: int) -> Any:
        values = rng.normal(0, 1.5, shape)
        return (np.rint(values) if whole else values).astype(np.float32)

    return Transitions(numbers(width, width), numbers(width), numbers(width))


def pure_chain(chain: Transitions) -> Transitions:
    return Transitions(chain.between, chain.start, chain.end)


def stream_of(rng: np.random.Generator, size: int, width: int, *, whole: bool) -> tuple[Any, Any]:
    """Scores and breaks; whole numbers make ties."""
    scores = rng.normal(0, 2, (size, width))
    scores[:, 0] += rng.choice([0, 3, 6])
    breaks = rng.random(size) < rng.choice([0.0, 0.02, 0.3])
    breaks[[0, -1]] = True
    return (np.rint(scores) if whole else scores).astype(np.float32), breaks


@given(seed=SEEDS, size=st.integers(2, 300), width=st.integers(2, 70), whole=st.booleans())
@settings(max_examples=150, deadline=None)
def test_tags_are_the_same(seed: int, size: int, width: int, *, whole: bool) -> None:
    """Both paths choose the same tags, ties included, for all tokens and about some of them."""
    rng = np.random.default_rng(seed)
    chain = chain_of(rng, width, whole=whole)
    scores, breaks = stream_of(rng, size, width, whole=whole)
    for about in (None, rng.random(size) < 0.1):
        plain = pure(lambda about=about: best_tags(scores, breaks, pure_chain(chain), about))  # type: ignore[misc]
        assert best_tags(scores, breaks, chain, about).tolist() == plain.tolist()


@given(seed=SEEDS, size=st.integers(2, 200), width=st.integers(2, 30))
@settings(max_examples=60, deadline=None)
def test_probabilities_are_the_same(seed: int, size: int, width: int) -> None:
    """Both paths give tags, and O, the same probabilities."""
    rng = np.random.default_rng(seed)
    chain = chain_of(rng, width, whole=False)
    scores, breaks = stream_of(rng, size, width, whole=False)
    tags = best_tags(scores, breaks, chain)
    for calibration in ((1.0, 0.0), (0.7, -0.3), (0.0, 1.0)):
        found = [
            tag_probabilities(scores, breaks, tags, chain, calibration),
            pure(
                lambda own=calibration: tag_probabilities(  # type: ignore[misc]
                    scores, breaks, tags, pure_chain(chain), own
                )
            ),
        ]
        for compiled, own in zip(*found, strict=True):
            assert compiled == pytest.approx(own, abs=1e-12)


@pytest.mark.parametrize("tokens", [1023, 1024, 1025, 1280, 3000])
def test_long_runs_are_the_same(tokens: int) -> None:
    """Runs that are cut into pieces get the same tags and probabilities on both paths."""
    rng = np.random.default_rng(tokens)
    chain = chain_of(rng, 9, whole=False)
    scores = rng.normal(0, 1, (tokens + 2, 9)).astype(np.float32)
    breaks = np.zeros(tokens + 2, bool)
    breaks[[0, -1]] = True
    tags = best_tags(scores, breaks, chain)
    plain = pure_chain(chain)
    assert tags.tolist() == pure(lambda: best_tags(scores, breaks, plain)).tolist()
    calibration = (1.0, 0.0)
    of_core = tag_probabilities(scores, breaks, tags, chain, calibration)
    of_python = pure(lambda: tag_probabilities(scores, breaks, tags, plain, calibration))
    for compiled, own in zip(of_core, of_python, strict=True):
        assert compiled == pytest.approx(own, abs=1e-12)


@pytest.mark.parametrize(
    ("scores", "breaks", "tags"),
    [
        (np.zeros((3, 4), np.float32), [1, 0, 1], [0, 0, 0]),
        (np.zeros((3, 3), np.float64), [1, 0, 1], [0, 0, 0]),
        (np.zeros((3, 3), np.float32), [1, 0, 0], [0, 0, 0]),
        (np.zeros((3, 3), np.float32), [1, 0, 1, 1], [0, 0, 0]),
        (np.zeros((3, 3), np.float32), [1, 0, 1], [0, 3, 0]),
        (np.zeros((3, 3), np.float32), [1, 0, 1], [0, -1, 0]),
        (np.zeros((3, 3), np.float32), [1, 0, 1], [1, 0, 0]),
        (np.zeros((0, 3), np.float32), [], []),
    ],
)
def test_streams_that_do_not_fit_a_chain(scores: Any, breaks: list[int], tags: list[int]) -> None:
    """Arrays of other sizes, and tags that the chain lacks, are refused."""
    core = Transitions.none(3).compiled
    room = np.zeros(len(tags))
    with pytest.raises(ValueError, match=r"."):
        core.probabilities(
            *(scores, np.array(breaks, bool), np.array(tags, np.int16)),
            *(8.0, (1.0, 0.0), room, None, (1024, 256, 64)),
        )


# Features and scores --------------------------------------------------------------------------


@cache
def toy_model(*, packed: bool) -> LinearModel:
    """A model with all features of positions and random weights, a few values without any."""
    texts = [
        "Nombre: Ana Pérez\nCorreo: ana.perez@x.es\n\nDr Ana Mayor, calle Mayor 5. 12 enero 2024\n",
        "patient: ANA 12/5/2024 nombre 山\n: ana ana : 5\n",
    ]
    records = [
        Record(Document(str(i), text), Spans(Document("", ""))) for i, text in enumerate(texts)
    ]
    channels = (
        *(Channel(name, tuple((at,) for at in range(-5, 6))) for name in FORMS),
        *(Channel(name, ((-2,), (0,), (1, 5))) for name in POSITIONS if "line-" not in name),
        *(Channel(name) for name in POSITIONS if "line-" in name),
    )
    space, _, _ = prepare(records, channels, Resources("es"), tokens="es", sequences="lines")
    tagset = TagSet(LABELS)
    rng = np.random.default_rng(0)
    weights = rng.normal(0, 1, (space.size, len(tagset))).astype(np.float32)
    weights[rng.random(weights.shape) < 0.5] = 0
    return LinearModel(
        Settings("toy", "ner", "es", "es", "lines"),
        space,
        tagset,
        PackedWeights.of(weights) if packed else weights,
        chain_of(rng, len(tagset), whole=False),
    )


def stream_for(model: LinearModel, texts: list[str]) -> Stream:
    return build_stream(texts, None, model.space.new_table())


@given(texts=st.lists(TEXTS, max_size=4))
@settings(max_examples=50, deadline=None)
def test_lines_are_the_same(texts: list[str]) -> None:
    """Both paths find the same breaks, documents and lines."""
    table = toy_model(packed=True).space.new_table()
    rows = table.lay_out(texts, None)
    compiled, plain = _lines(table, rows), pure(lambda: _lines(table, rows))
    assert [(each.dtype, each.tolist()) for each in compiled] == [
        (each.dtype, each.tolist()) for each in plain
    ]


@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_ids_are_the_same(texts: list[str]) -> None:
    """Both paths find the same values of all features of positions."""
    space = toy_model(packed=True).space
    stream = stream_for(toy_model(packed=True), texts)
    compiled = space.position_ids(stream)
    stream.memo.clear()

    def plain() -> dict[str, Any]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(space.__dict__, "_compiled", None)
            return space.position_ids(stream)

    assert_same(compiled, pure(plain))


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), packed=st.booleans())
@settings(max_examples=60, deadline=None)
def test_scores_are_the_same(texts: list[str], *, packed: bool) -> None:
    """Both paths add up the same scores, to the last bit."""
    model = toy_model(packed=packed)
    compiled, plain = Scorer(model), pure(lambda: Scorer(model))
    for part in (texts[:1], texts):
        found = [own.scores(build_stream(part, None, own.table)) for own in (compiled, plain)]
        assert (found[0] == found[1]).all()


def test_ids_outside_their_tables() -> None:
    """A stream with numbers of forms or lines that there are not is refused."""
    model = toy_model(packed=True)
    scorer = Scorer(model)
    stream = build_stream(["Ana Pérez\n"], None, scorer.table)
    scores = scorer.scores(stream)
    ids = list(model.space.position_ids(stream).values())
    lines = len(stream.first)
    for array, wrong in ((stream.form, 10**6), (stream.form, -1), (stream.line, 99), (ids[0], -7)):
        right = array[6]
        array[6] = wrong
        with pytest.raises(ValueError, match=r"range"):
            scorer._core.scores(
                stream.form, stream.line, lines, scorer._rows, scorer._known, ids, scores
            )
        if array is not ids[0]:
            with pytest.raises((ValueError, IndexError)):
                model.space.position_ids(stream)
        array[6] = right
    with pytest.raises(ValueError, match=r"sizes"):
        scorer._core.scores(
            stream.form, stream.line, lines, scorer._rows, scorer._known, ids[1:], scores
        )


# Networks -------------------------------------------------------------------------------------

PLACES = (
    "word-pair",
    "line-key",
    "template",
    "line-length",
    "position",
    "document-memory",
    "field",
)
NETWORKS = [(1, 0, 4), (3, 6, 1), (64, 7, 7), (100, 4, 0)]
"""Hidden units, features of positions, and filters over characters."""


@cache
def toy_network(hidden: int, places: int, filters: int) -> Network:
    """A network with random weights for the features of the toy model."""
    space = toy_model(packed=True).space
    tags = len(toy_model(packed=True).tagset)
    rng = np.random.default_rng(hidden)

    def steps(*shape: int) -> Any:
        return rng.integers(-127, 128, shape, np.int8)

    def matrix(rows: int, columns: int) -> Matrix:
        unit = rng.uniform(0.2, 2, columns) / (127 * 127 * np.sqrt(max(1, rows)) / 3)
        return Matrix(steps(rows, columns), unit.astype(np.float32))

    def bias(size: int) -> Any:
        return rng.normal(0, 0.3, size).astype(np.float32)

    known = "Anaerzé12:"
    characters = Characters(
        known,
        steps(len(known) + FIRST_CHARACTER, 5),
        matrix(WIDTH * 5, filters),
        bias(filters),
        0.02,
    )
    own_forms = {name: steps(space.values_of(name), 6) for name in FORMS[:2]}
    own_places = {name: steps(space.values_of(name), 4) for name in PLACES[:places]}
    width = DIRECTIONS * GATES * hidden
    return Network(
        *(5, own_forms, own_places, characters if filters else None, None),
        *(matrix(2 * 6 + filters, width), matrix(4 * places, width), bias(width)),
        (matrix(hidden, GATES * hidden), matrix(hidden, GATES * hidden)),
        *(matrix(DIRECTIONS * hidden, tags), bias(tags)),
    )


def network_scores(scorer: NetworkScorer, table: FormTable, texts: list[str]) -> list[Any]:
    """The scores of the tokens of each text."""
    stream = build_stream(texts, None, table)
    scores = scorer.scores(stream, toy_model(packed=True).space.position_ids(stream))
    return [scores[first:last] for first, last in stream.bounds]


@pytest.mark.parametrize("shape", NETWORKS)
@given(texts=st.lists(TEXTS, min_size=1, max_size=7), window=st.integers(1, 70))
@settings(max_examples=15, deadline=None)
def test_scores_of_networks_are_the_same(
    shape: tuple[int, int, int], texts: list[str], window: int
) -> None:
    """All variants and the pure path give a text the same scores to the last bit, in any batch."""
    network = replace(toy_network(*shape), window=window)
    space = toy_model(packed=True).space
    table = space.new_table()
    plain = pure(lambda: NetworkScorer(network, space, table))
    expected = network_scores(plain, table, texts)
    assert native.CORE
    for variant in range(len(native.CORE.NETWORK_BYTES)):
        scorer = NetworkScorer(network, space, table, variant=variant)
        for number, text in enumerate(texts):
            assert np.array_equal(network_scores(scorer, table, [text])[0], expected[number])
        for own, other in zip(network_scores(scorer, table, texts), expected, strict=True):
            assert np.array_equal(own, other)


def test_network_forgets_forms_with_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the table of forms begins anew, so do the rows of its forms."""
    network, space = toy_network(3, 6, 1), toy_model(packed=True).space
    texts = ["Ana Pérez 12", "calle Mayor 5\n", "nombre: Ana"]
    expected = []
    for text in texts:
        table = space.new_table()
        expected += network_scores(NetworkScorer(network, space, table), table, [text])
    table = space.new_table()
    scorer = NetworkScorer(network, space, table)
    monkeypatch.setattr("veil.features.stream._MOST_FORMS", 2)
    for text, scores in zip(texts, expected, strict=True):
        assert np.array_equal(network_scores(scorer, table, [text])[0], scores)
    assert 1 < table.generation


@pytest.mark.parametrize("places", [0, 6])
def test_large_tables_of_networks(places: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that are multiplied by the weights in part give the same scores as whole ones."""
    network, space = toy_network(3, places, 1), toy_model(packed=True).space
    table = space.new_table()
    texts = ["Ana Pérez 12\n\nnombre: Ana", "", "5"]
    whole = network_scores(NetworkScorer(network, space, table), table, texts)
    monkeypatch.setattr("veil.detect.neural.scoring._SMALL", 0)
    parts = network_scores(NetworkScorer(network, space, table), table, texts)
    assert all(np.array_equal(*pair) for pair in zip(whole, parts, strict=True))


def test_windows_outside_of_a_network() -> None:
    """Forms, rows and windows that there are not, and weights of another size, are refused."""
    network, space = toy_network(3, 6, 1), toy_model(packed=True).space
    table = space.new_table()
    scorer = NetworkScorer(network, space, table)
    stream = build_stream(["Ana Pérez\n"], None, table)
    ids = space.position_ids(stream)
    right = scorer.scores(stream, ids)
    for array, wrong in ((stream.form, 10**6), (stream.form, -1), (ids["template"], 10**6)):
        old = array[6]
        array[6] = wrong
        with pytest.raises(ValueError, match=r"fit"):
            scorer.scores(stream, ids)
        array[6] = old
    stream.bounds[0] = (stream.bounds[0][0], 10**6)
    stream.last[-1] = 10**6
    with pytest.raises(ValueError, match=r"fit"):
        scorer.scores(stream, ids)
    scorer._layers[0] = scorer._layers[0][1:]
    with pytest.raises(ValueError, match=r"fit"):
        scorer.scores(build_stream(["Ana Pérez\n"], None, table), ids)
    assert len(right) == len(stream)


def test_tangent() -> None:
    """The tangent of basic operations is that of the library within the error that it names."""
    x = np.linspace(-12, 12, 100_001, dtype=np.float32)
    assert np.abs(tanh(x) - np.tanh(x.astype(np.float64))).max() < 5e-7


# Spans ----------------------------------------------------------------------------------------


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[list[str], list[list[Span]]]:
    texts = draw(st.lists(TEXTS, min_size=1, max_size=3))
    spans: list[list[Span]] = []
    for text in texts:
        offsets = st.integers(0, len(text))
        cuts = draw(st.lists(st.tuples(offsets, offsets, st.sampled_from(LABELS)), max_size=6))
        spans.append([Span(a, b, label) for a, b, label in cuts if a < b])
    return texts, spans


@given(case=texts_with_spans(), seed=SEEDS)
@settings(max_examples=100, deadline=None)
def test_spans_and_words_are_the_same(case: tuple[list[str], list[list[Span]]], seed: int) -> None:
    """Both paths find the same words under spans, and the same spans of tags."""
    texts, spans = case
    model = toy_model(packed=True)
    stream = stream_for(model, texts)
    assert rule_column(stream, spans).tolist() == pure(lambda: rule_column(stream, spans)).tolist()
    rng = np.random.default_rng(seed)
    tags = rng.choice([0, 0, 1, 2, 3, 4], len(stream)).astype(np.int16)
    tags[stream.breaks] = 0
    marked = _untagged(stream, tags, spans)
    assert marked.tolist() == pure(lambda: _untagged(stream, tags, spans)).tolist()
    for sure in (None, rng.random(len(stream))):
        found = list(model.tagset.spans(stream, tags, sure))
        plain = pure(lambda sure=sure: list(model.tagset.spans(stream, tags, sure)))  # type: ignore[misc]
        assert found == plain


def test_sentences_have_padding_within() -> None:
    """Words under spans are found in streams of sentences, which have padding between them."""
    text = "Ana vino. Luego fue Mayor."
    spoken = language("es")
    table = toy_model(packed=True).space.new_table()
    stream = build_stream([text], [spoken.offsets(text)], table, sentences=[[(0, 9), (10, 26)]])
    spans = [[Span(0, 3, "NAME"), Span(20, 25, "NAME")]]
    assert rule_column(stream, spans).tolist() == pure(lambda: rule_column(stream, spans)).tolist()
