"""Rules: patterns as data, for every language, with examples beside each."""

from veil.detect.rules.detector import RuleDetector, RuleMatch, check_own_rules
from veil.detect.rules.loading import load_rules, only
from veil.detect.rules.rule import Examples, Rule, unmarked

__all__ = [
    "Examples",
    "Rule",
    "RuleDetector",
    "RuleMatch",
    "check_own_rules",
    "load_rules",
    "only",
    "unmarked",
]
