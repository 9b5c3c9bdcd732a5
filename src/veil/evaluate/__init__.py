"""Scores of predicted against gold annotations: the public names."""

from veil.evaluate.counts import Counts, Macro, Scores
from veil.evaluate.errors import Error, ErrorAnalysis, analyse
from veil.evaluate.i2b2 import I2b2Scores, score_i2b2
from veil.evaluate.meddocan import MeddocanScores, score_meddocan
from veil.evaluate.pairing import Pair, Pairing, pair_records
from veil.evaluate.report import html_report
from veil.evaluate.significance import Difference, Interval, difference, differences, intervals
from veil.evaluate.summary import Evaluation, Protection, evaluate
from veil.evaluate.tables import (
    LabelScores,
    NameScores,
    TwoWayScores,
    score_families,
    score_labels,
    score_names,
    score_two_way,
)
from veil.evaluate.terminal import format_summary

__all__ = [
    "Counts",
    "Difference",
    "Error",
    "ErrorAnalysis",
    "Evaluation",
    "I2b2Scores",
    "Interval",
    "LabelScores",
    "Macro",
    "MeddocanScores",
    "NameScores",
    "Pair",
    "Pairing",
    "Protection",
    "Scores",
    "TwoWayScores",
    "analyse",
    "difference",
    "differences",
    "evaluate",
    "format_summary",
    "html_report",
    "intervals",
    "pair_records",
    "score_families",
    "score_i2b2",
    "score_labels",
    "score_meddocan",
    "score_names",
    "score_two_way",
]
