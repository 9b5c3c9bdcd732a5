"""Tests for veil.detect.linear.tagger."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil.detect.crf import LinearDetector
from veil.detect.linear.chain import calibrate
from veil.detect.linear.tagger import Tagger, batches

if TYPE_CHECKING:
    from veil.core.document import Record
    from veil.detect.crf import LinearRecipe
    from veil.detect.linear.model import LinearModel

TEXTS = st.text(
    st.one_of(
        st.sampled_from("Ana Pérez .:@/-\r\n\t019\x00\u3000\u200b😀𝒜ßİ山é\u0301\ud800"),
        st.characters(),
    ),
    max_size=60,
)
EDGES = ["", " ", "\n", "\n\n\n", "\r\n", " \t\u3000\n \n", "a", "\x00", ":", "@", "\x1f\x1c", "😀"]


@pytest.fixture(scope="module")
def model(toy_detector: LinearDetector) -> LinearModel:
    return toy_detector.model


@pytest.fixture(scope="module")
def tagger(model: LinearModel) -> Tagger:
    return Tagger(model)


@pytest.fixture(scope="module")
def texts(new_toy_records: list[Record]) -> list[str]:
    whole = [record.document.text for record in new_toy_records]
    return [*EDGES, *whole, *(text.replace("\n", " ") for text in whole), *EDGES]


def naive_scores(tagger: Tagger, texts: list[str]) -> np.ndarray:
    """The weights of all features of each word, added up one by one."""
    model = tagger.model
    stream = tagger.stream(texts)
    scores = np.zeros((len(stream.words), len(model.tagset)))
    for row, features in zip(scores, model.space.matrix(stream), strict=True):
        for feature in features:
            row += model.weights[feature]
    return scores


@given(texts=st.lists(TEXTS, max_size=4))
@settings(max_examples=60, deadline=None)
def test_scores_are_sums_of_weights(tagger: Tagger, texts: list[str]) -> None:
    """The tables give the scores that the features of each word have, whatever the text."""
    stream = tagger.stream(texts)
    found = tagger.scores(stream)[stream.words]
    assert found == pytest.approx(naive_scores(tagger, texts), abs=1e-3)


def test_scores_of_records_are_sums_of_weights(tagger: Tagger, texts: list[str]) -> None:
    """The same for records with all that the model knows."""
    stream = tagger.stream(texts)
    found = tagger.scores(stream)[stream.words]
    assert found == pytest.approx(naive_scores(tagger, texts), abs=1e-3)


@given(text=TEXTS, before=TEXTS, after=TEXTS)
@settings(max_examples=60, deadline=None)
def test_neighbours_in_a_batch_change_nothing(
    tagger: Tagger, text: str, before: str, after: str
) -> None:
    """A text has the same scores, to the last bit, whatever is tagged beside it."""
    alone = tagger.stream([text])
    beside = tagger.stream([before, text, after])
    within = slice(*beside.bounds[1])
    scores = tagger.scores(beside)[within]
    expected = tagger.scores(alone)[slice(*alone.bounds[0])]
    words = ~alone.breaks[slice(*alone.bounds[0])]
    assert scores[words].tobytes() == expected[words].tobytes()


def test_one_by_one_and_in_any_order(model: LinearModel, texts: list[str]) -> None:
    """Texts get the same spans in one batch, alone, and in another order."""
    together = Tagger(model).tag(texts)
    assert sum(map(len, together)) > 100
    alone = Tagger(model)
    assert [alone.tag([text])[0] for text in texts] == together
    order = list(range(len(texts)))
    random.Random(1).shuffle(order)  # noqa: S311
    shuffled = Tagger(model).tag([texts[index] for index in order])
    assert shuffled == [together[index] for index in order]


def test_probabilities_do_not_depend_on_the_batch(model: LinearModel, texts: list[str]) -> None:
    """A span has the same probability, digit for digit, alone and in a batch."""
    together = Tagger(model).tag(texts, outside=-1.0, probabilities=True)
    tagger = Tagger(model)
    alone = [tagger.tag([text], outside=-1.0, probabilities=True)[0] for text in texts]
    assert alone == together
    assert all(0 <= span[3] <= 1 for spans in together for span in spans)


def test_forgetting_forms_changes_nothing(
    model: LinearModel, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same spans when the table of forms is emptied between texts."""
    expected = Tagger(model).tag(texts)
    monkeypatch.setattr("veil.features.stream._MOST_FORMS", 30)
    tagger = Tagger(model)
    assert [tagger.tag([text])[0] for text in texts] == expected
    assert tagger.tag(texts) == expected
    assert tagger._table.generation > 10


def test_more_forms_than_there_is_room_at_first(model: LinearModel) -> None:
    """A text with very many forms is tagged as its parts are."""
    many = "".join(f"w{number}x " for number in range(9000)) + "\nNombre: Ana Pérez."
    tagger = Tagger(model)
    spans = tagger.tag([many])[0]
    assert len(tagger._table.numbers) > 8192
    assert spans[-1][:2] == (many.index("Ana"), many.index("Pérez") + 5)


def test_small_batches(
    model: LinearModel, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same spans when texts are cut into many batches."""
    expected = Tagger(model).tag(texts)
    monkeypatch.setattr("veil.detect.linear.tagger._CHARACTERS_AT_ONCE", 100)
    assert Tagger(model).tag(texts) == expected


def test_batches_keep_order_and_bound() -> None:
    """Batches hold all texts in order; only a long text alone is larger than the bound."""
    texts = ["a" * 150_000, "", "b" * 900_000, *["c" * 1000] * 900, *[""] * 200_000]
    parts = batches(texts)
    assert [text for part in parts for text in part] == texts
    assert all(len(part) == 1 or sum(map(len, part)) <= 100_000 for part in parts)
    assert max(map(len, parts)) <= 100_000
    assert batches([]) == []


@pytest.mark.parametrize("text", EDGES)
def test_texts_without_words_have_no_spans(tagger: Tagger, text: str) -> None:
    """An empty text, white space and lone marks are tagged without an error."""
    assert tagger.tag([text], probabilities=True) == [[]]


def test_no_text(tagger: Tagger) -> None:
    """No texts have no spans."""
    assert tagger.tag([]) == []


@pytest.mark.parametrize("filler", ["", "😀𝒜 ", "\x00", "\r\n\r\n", "\u3000\u200b ", "\ud800 "])
def test_offsets_are_code_points(tagger: Tagger, filler: str) -> None:
    """Offsets fit the text after characters of any width and any line end."""
    text = f"{filler}\nNombre: Ana García\r\nIngreso: 3/4/2010\n{filler}"
    spans = tagger.tag([text])[0]
    assert [(text[start:end], label) for start, end, label, _ in spans] == [
        ("Ana García", "NAME"),
        ("3/4/2010", "DATE"),
    ]


def test_outside_turns_the_balance(tagger: Tagger, texts: list[str]) -> None:
    """The lower the score of O, the more characters are covered."""

    def covered(outside: float) -> int:
        found = tagger.tag(texts, outside=outside)
        return sum(end - start for spans in found for start, end, _, _ in spans)

    amounts = [covered(outside) for outside in (1000.0, 2.0, 0.0, -2.0, -1000.0)]
    assert amounts[0] == 0
    assert amounts == sorted(amounts)
    assert amounts[-1] >= sum(len("".join(text.split())) for text in texts)


def test_a_very_long_line(tagger: Tagger) -> None:
    """A line of a hundred thousand tokens is tagged, also when all of it is in question."""
    text = "Nombre: Ana Pérez " + "dolor , " * 50_000
    assert tagger.tag([text], probabilities=True)[0][0][:2] == (8, 17)
    part = text[:120_000]
    covered = tagger.tag([part, "Nombre: Luis Ruiz"], outside=-1000, probabilities=True)
    assert covered[0][-1][1] == len(part.rstrip())


def test_threads_may_share_a_tagger(model: LinearModel, texts: list[str]) -> None:
    """Threads that tag with one tagger at once each get their own spans."""
    tagger = Tagger(model)
    expected = Tagger(model).tag(texts)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: tagger.tag([text])[0], texts * 3))
    assert found == expected * 3


def test_many_short_texts(tagger: Tagger) -> None:
    """Memory does not grow with the number of texts times that of words."""
    tagger.tag([" ".join(f"w{number}" for number in range(20_000))])
    assert len(tagger.tag(["Ana"] * 30_000)) == 30_000


def test_calibrate_is_safe_at_the_ends() -> None:
    """Certain and impossible stay probabilities, and order is kept."""
    chances = np.array([0.0, 1e-9, 0.5, 1 - 1e-9, 1.0], np.float32)
    assert calibrate(chances, (1.0, 0.0)) == pytest.approx(chances, abs=1e-5)
    steep = calibrate(chances, (50.0, 1.0))
    assert (np.diff(steep) >= 0).all()
    assert ((0 <= steep) & (steep <= 1)).all()


def test_stages_are_timed(model: LinearModel, texts: list[str]) -> None:
    """The seconds of each stage add up as texts are tagged."""
    tagger = Tagger(model)
    tagger.tag(texts)
    assert set(tagger.seconds) == {"tokens", "scores", "search", "spans"}
    assert all(0 < seconds for seconds in tagger.seconds.values())


def test_sentences_as_sequences(toy_recipe: LinearRecipe, toy_records: list[Record]) -> None:
    """A model of sentences finds the same whether texts come alone or together."""
    detector = LinearDetector.fit(replace(toy_recipe, sequences="sentences"), toy_records)
    texts = [*EDGES, *(record.document.text for record in toy_records[:20])]
    together = detector.tagger.tag(texts)
    assert sum(map(len, together)) >= 60
    alone = Tagger(detector.model)
    assert [alone.tag([text])[0] for text in texts] == together
    assert naive_scores(alone, texts) == pytest.approx(
        alone.scores(stream := alone.stream(texts))[stream.words], abs=1e-3
    )


def test_a_view_remembers_nothing_of_the_other_model(
    model: LinearModel, toy_detector: LinearDetector
) -> None:
    """What was computed with one model's forms is not taken for another's."""
    stream = Tagger(model).stream(["Nombre: Ana\n"])
    stream.memo["seen"] = True
    view = toy_detector.tagger.view(stream)
    assert view.memo == {}
    assert stream.memo == {"seen": True}
