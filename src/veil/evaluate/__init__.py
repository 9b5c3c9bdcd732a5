"""Scores of predicted against gold annotations: the public names."""

from veil.evaluate.report import html_report
from veil.evaluate.summary import Evaluation, evaluate
from veil.evaluate.terminal import format_summary

__all__ = ["Evaluation", "evaluate", "format_summary", "html_report"]
