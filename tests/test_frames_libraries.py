"""Data frames of pandas and polars: everything but the masked cells stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import needs

import veil
from veil.frames import REASON, STATUS, FrameMasker, FrameOptions

try:
    import pandas
    import polars
except ImportError:
    pytestmark = pytest.mark.usefixtures("pandas_and_polars")

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def pandas_and_polars() -> None:
    needs("pandas and polars are not installed")


KEY = veil.Key(b"a key for the tests of data frames")
TEXTS = [
    "Mr. John Hale was seen by Dr. Okafor on 3/5/2019.",
    "Dr. Okafor called John Hale in Toledo on 4/6/2019.",
    "No complaint. BP 120/80.",
    "",
    "Anna 🙂 Ek, phone 555-123-4567.",
]
NAMES = ["Hale, John", "Okafor", " ", ""]
OPTIONS: dict[str, Any] = {
    "text": "note",
    "id": "id",
    "patient": "pid",
    "language": "en",
    "model": "rules",
    "key": KEY,
    "columns": {"name": "PATIENT", "born": "DATE", "mrn": "hash", "secret": "drop"},
}
MASKER = FrameMasker(FrameOptions(**OPTIONS))
"""The rows of a table, each of them masked by its own content alone."""

rows = st.lists(
    st.fixed_dictionaries(
        {
            "note": st.none() | st.sampled_from(TEXTS),
            "pid": st.none() | st.sampled_from("ab"),
            "name": st.none() | st.sampled_from(NAMES),
            "mrn": st.none() | st.integers(1, 99),
            "secret": st.just("x"),
        }
    ),
    max_size=6,
)
string_types = st.sampled_from(["object", "string", "str", "category", "arrow", "dictionary"])
indexes = st.sampled_from(["range", "repeated", "strings", "two levels", "dates"])


def expected(data: list[dict[str, Any]]) -> pyarrow.Table:
    """What the core makes of the same rows."""
    table = pyarrow.table(
        {
            "id": pyarrow.array(range(len(data)), pyarrow.int64()),
            "note": pyarrow.array([row["note"] for row in data], pyarrow.string()),
            "pid": pyarrow.array([row["pid"] for row in data], pyarrow.string()),
            "name": pyarrow.array([row["name"] for row in data], pyarrow.string()),
            "born": pyarrow.array([row["mrn"] for row in data], pyarrow.date32()),
            "mrn": pyarrow.array([row["mrn"] for row in data], pyarrow.int64()),
            "secret": pyarrow.array([row["secret"] for row in data], pyarrow.string()),
        }
    )
    return MASKER.mask(table)


def pandas_column(values: list[Any], kind: str) -> Any:
    if kind == "arrow":
        return pandas.array(values, dtype=pandas.ArrowDtype(pyarrow.string()))
    if kind == "dictionary":
        made = pyarrow.array(values, pyarrow.string()).dictionary_encode()
        return pandas.arrays.ArrowExtensionArray(made)
    if kind == "object":  # both kinds of null in one column
        nulls = iter([None, float("nan")] * len(values))
        values = [next(nulls) if value is None else value for value in values]
    return pandas.Series(values, dtype=kind).array


def pandas_index(kind: str, count: int) -> Any:
    if kind == "two levels":
        levels = [(n // 2, str(n)) for n in range(count)]
        return pandas.MultiIndex.from_tuples(levels, names=["a", "b"])
    return {
        "range": lambda: pandas.RangeIndex(5, 5 + count),
        "repeated": lambda: pandas.Index([n // 2 for n in range(count)], name="n"),
        "strings": lambda: pandas.Index([str(count - n) for n in range(count)], dtype=object),
        "dates": lambda: pandas.date_range("2020-01-01", periods=count, name="day"),
    }[kind]()


def pandas_frame(data: list[dict[str, Any]], kind: str, index: str) -> Any:
    born = pyarrow.array([row["mrn"] for row in data], pyarrow.date32())
    return pandas.DataFrame(
        {
            "other": pandas.Series([object() for _ in data], dtype=object).array,
            "id": pandas.array(range(len(data)), dtype="int64"),
            "note": pandas_column([row["note"] for row in data], kind),
            7: pandas.array([1.5] * len(data), dtype="float64"),
            "pid": pandas_column([row["pid"] for row in data], kind),
            "name": pandas_column([row["name"] for row in data], kind),
            "born": pandas.array(born.to_pylist(), dtype=pandas.ArrowDtype(pyarrow.date32())),
            "mrn": pandas.array([row["mrn"] for row in data], dtype="Int64"),
            "secret": ["x"] * len(data),
        },
        index=pandas_index(index, len(data)),
    )


def is_same_null(one: object, other: object) -> bool:
    return one is other or (one != one and other != other)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=rows, kind=string_types, index=indexes)
def test_pandas(data: list[dict[str, Any]], kind: str, index: str) -> None:
    """Index, order, types, nulls and other columns stay; cells are masked as the core does."""
    frame = pandas_frame(data, kind, index)
    before = frame.copy()
    masked = veil.mask_frame(frame, **OPTIONS)
    pandas.testing.assert_frame_equal(frame, before)
    assert list(masked.columns) == [*(n for n in frame.columns if n != "secret"), STATUS, REASON]
    pandas.testing.assert_index_equal(masked.index, frame.index)
    same = ["other", "id", 7, "pid"]
    pandas.testing.assert_frame_equal(masked[same], frame[same])
    wanted = expected(data)
    for name in ("note", "name", "born", "mrn"):
        new = [None if pandas.isna(value) else value for value in masked[name]]
        assert new == wanted[name].to_pylist()
    for name in ("note", "name"):
        if kind not in ("category", "dictionary"):
            assert masked[name].dtype == frame[name].dtype
        else:
            assert type(masked[name].dtype) is type(frame[name].dtype)
        pairs = zip(masked[name], frame[name], strict=True)
        assert all(is_same_null(new, old) for new, old in pairs if pandas.isna(old))
    assert list(masked[STATUS]) == ["masked"] * len(data)


def polars_frame(data: list[dict[str, Any]], kind: Any) -> Any:
    names = {row[name] for row in data for name in ("note", "pid", "name")} - {None}
    dtype = polars.Enum(sorted(names)) if kind == polars.Enum else kind

    def strings(name: str) -> Any:
        return polars.Series(name, [row[name] for row in data], polars.String).cast(dtype)

    numbers = polars.Series("mrn", [row["mrn"] for row in data], polars.Int64)
    return polars.DataFrame(
        [
            polars.Series("other", [[1, 2]] * len(data), polars.List(polars.Int8)),
            polars.Series("id", range(len(data)), polars.Int64),
            *(strings(name) for name in ("note", "pid", "name")),
            numbers.cast(polars.Int32).cast(polars.Date).alias("born"),
            numbers,
            polars.Series("secret", ["x"] * len(data), polars.String),
        ]
    )


@settings(max_examples=30, deadline=None, derandomize=True)
@given(data=rows, kind=st.sampled_from(["String", "Categorical", "Enum"]))
def test_polars(data: list[dict[str, Any]], kind: str) -> None:
    """Order, types, nulls and other columns stay; cells are masked as the core does."""
    frame = polars_frame(data, getattr(polars, kind))
    before = frame.clone()
    masked = veil.mask_frame(frame, **OPTIONS)
    assert frame.equals(before)
    assert masked.columns == [*(name for name in frame.columns if name != "secret"), STATUS, REASON]
    same = ["other", "id", "pid"]
    assert masked.select(same).equals(frame.select(same))
    assert masked.select(same).schema == frame.select(same).schema
    wanted = expected(data)
    for name in ("note", "name", "born", "mrn"):
        assert masked.get_column(name).to_list() == wanted[name].to_pylist()
    assert masked.schema["note"] == getattr(polars, kind)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_frames_equal_files(tmp_path: Path, suffix: str) -> None:
    """A masked frame is what `veil mask` writes for the same table, with any number of workers."""
    data = [
        {"note": TEXTS[n % 3], "pid": "ab"[n % 2], "name": NAMES[n % 2], "mrn": n, "secret": "x"}
        for n in range(300)
    ]
    frame = polars_frame(data, polars.String).drop("other")
    source, target = tmp_path / f"notes.{suffix}", tmp_path / f"masked.{suffix}"
    getattr(frame, f"write_{suffix}")(source)
    veil.mask_files(
        source,
        target,
        text_columns=["note"],
        id_column="id",
        patient_column="pid",
        columns={"name": "PATIENT", "born": "DATE"},
        hash_columns=["mrn"],
        drop_columns=["secret"],
        policy="surrogate",
        key=KEY,
        lang="en",
        model="rules",
        report=False,
    )
    for workers in (1, 2, 3):
        masked = veil.mask_frame(frame, workers=workers, **OPTIONS).drop(STATUS, REASON)
        mine = tmp_path / f"mine.{suffix}"
        if suffix == "csv":
            masked.write_csv(mine)
            assert mine.read_bytes() == target.read_bytes()
        else:
            assert masked.equals(polars.read_parquet(target))


def test_half_a_surrogate_pair_is_withheld() -> None:
    """A row of pandas with a string that Arrow cannot hold is withheld, and the others are not."""
    frame = pandas.DataFrame({"note": pandas.Series([TEXTS[0], "Hale \ud800"], dtype=object)})
    masked = veil.mask_frame(frame, text="note", language="en", model="rules", key=KEY)
    assert list(masked[STATUS]) == ["masked", "withheld"]
    assert masked["note"][1] is None
    assert "lone surrogate" in masked[REASON][1]
    found = veil.detect_frame(frame, text="note", language="en", model="rules", key=KEY)
    assert found["spans"][1] is None
    assert found["spans"][0]


def test_spans_of_frames() -> None:
    """Spans are the same in all libraries, beside the ids and the index of the frame."""
    data = [{"note": text, "pid": "a", "name": None, "mrn": 1, "secret": ""} for text in TEXTS]
    frame = polars_frame(data, polars.String)
    spans = veil.detect_frame(frame, **OPTIONS)
    assert spans.columns == ["id", "spans", STATUS, REASON]
    first = spans["spans"].to_list()[0]
    assert any(TEXTS[0][span["start"] : span["end"]] == "3/5/2019" for span in first)
    other = pandas_frame(data, "object", "repeated")
    found = veil.detect_frame(other, **OPTIONS)
    assert list(found["spans"]) == spans["spans"].to_list()
    pandas.testing.assert_index_equal(found.index, other.index)
    assert list(found.columns) == ["id", "spans", STATUS, REASON]


def test_two_passes_over_a_frame() -> None:
    """With two passes a name that is certain in several rows is found in the others."""
    notes = [f"Dr. Zuckerblum came on day {n}." for n in range(4)] + ["Zuckerblum agrees."]
    frame = pandas.DataFrame({"note": notes})
    options: dict[str, Any] = {"text": "note", "language": "en", "model": "rules", "key": KEY}
    once = veil.mask_frame(frame, policy="tag", **options)
    twice = veil.mask_frame(frame, policy="tag", two_pass=True, **options)
    assert "Zuckerblum" in once["note"][4]
    assert "Zuckerblum" not in twice["note"][4]


@pytest.mark.parametrize(
    ("values", "message"),
    [(["a", 7], "not strings"), ([1, 2], "no strings"), ([b"a", b"b"], "no strings")],
)
def test_texts_are_strings(values: list[Any], message: str) -> None:
    """A column of texts with other values is refused, and the message quotes none of them."""
    frame = pandas.DataFrame({"note": pandas.Series(values, dtype=object)})
    with pytest.raises(veil.InputError, match=message) as caught:
        veil.mask_frame(frame, text="note", language="en", model="rules")
    assert "7" not in str(caught.value)


def test_ids_of_several_types() -> None:
    """Ids and patients may be objects of several types: they count as they are written."""
    frame = pandas.DataFrame({"note": TEXTS[:2], "pid": pandas.Series([1, "1"], dtype=object)})
    masked = veil.mask_frame(
        frame, text="note", patient="pid", language="en", model="rules", key=KEY
    )
    assert list(masked["pid"]) == [1, "1"]
    assert list(masked[STATUS]) == ["masked", "masked"]


@pytest.mark.parametrize("frame", ["lazy", "list"])
def test_other_objects_are_refused(frame: str) -> None:
    """What is no data frame is refused, with a hint for lazy frames."""
    made: Any = polars.LazyFrame({"note": TEXTS}) if frame == "lazy" else [TEXTS]
    with pytest.raises(veil.InputError, match="collect"):
        veil.mask_frame(made, text="note")
