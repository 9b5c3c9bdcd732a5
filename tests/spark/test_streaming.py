"""The example of a folder that fills up."""

from __future__ import annotations

import runpy
from typing import TYPE_CHECKING

from pyarrow import parquet

import veil.spark

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow
    from pyspark.sql import SparkSession


def test_each_row_of_a_folder_that_fills_up_is_masked_once(
    spark: SparkSession, notes: pyarrow.Table, tmp_path: Path, key_file: Path, examples: Path
) -> None:
    """Runs over the same folder mask what is new, and the rows are those of a table."""
    example = runpy.run_path(str(examples / "spark_streaming.py"))
    incoming, masked = tmp_path / "incoming", tmp_path / "masked"
    incoming.mkdir()
    notes = notes.select(["note_id", "person_id", "note_text"])
    folders = [str(folder) for folder in (incoming, masked, tmp_path / "checkpoint")]
    for number, (start, count) in enumerate([(0, 6), (6, 8), (14, 0), (14, 6)]):
        if count:  # the third run finds nothing new
            parquet.write_table(notes.slice(start, count), incoming / f"{number}.parquet")
        example["mask_new_files"](spark, *folders, str(key_file))
        assert spark.read.parquet(str(masked)).count() == start + count
    expected = veil.spark.mask(
        spark.createDataFrame(notes),
        text="note_text",
        id="note_id",
        patient="person_id",
        key=key_file,
    )
    found = spark.read.parquet(str(masked)).select(expected.columns)
    assert sorted(map(str, found.collect())) == sorted(map(str, expected.collect()))
