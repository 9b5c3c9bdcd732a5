"""Mask a folder that fills up, each row exactly once.

    python examples/spark_streaming.py incoming/ masked/ checkpoint/ my.key

Notes arrive as Parquet files in `incoming/`. Each run masks those that are new, and ends. Spark
keeps in `checkpoint/` what is done: a run that was lost continues, and no row is masked twice.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import veil.spark
from veil.spark.session import open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "note_id long, person_id string, note_text string"


def mask_new_files(
    session: SparkSession, incoming: str, masked: str, checkpoint: str, key_file: str
) -> None:
    """Mask the files that have arrived since the last run."""
    notes = session.readStream.schema(SCHEMA).parquet(incoming)
    result = veil.spark.mask(
        notes, text="note_text", id="note_id", patient="person_id", key=key_file
    )
    query = (
        result.writeStream.format("parquet")
        .option("path", masked)
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    mask_new_files(open_session("local[*]"), *sys.argv[1:])
