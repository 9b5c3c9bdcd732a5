"""Scores of predicted against gold annotations: the public names."""

from veil.evaluate.errors import Error, ErrorAnalysis, analyse
from veil.evaluate.match import Counts, Macro, Pair, Pairing, Scores, pair_records
from veil.evaluate.metrics import (
    I2b2Scores,
    LabelScores,
    MeddocanScores,
    NameScores,
    TwoWayScores,
    score_families,
    score_i2b2,
    score_labels,
    score_meddocan,
    score_names,
    score_two_way,
)
from veil.evaluate.report import html_report
from veil.evaluate.significance import Difference, Interval, difference, differences, intervals
from veil.evaluate.summary import Evaluation, Protection, evaluate
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
