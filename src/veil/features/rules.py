"""What the rules of a language find, as a feature.

The rules are run where texts are laid out (`veil.detect.linear.layout`).
"""

from __future__ import annotations

from veil.features.columns import column_feature

OUTSIDE = "O"
"""What the column says of a token in which no rule finds anything."""

RULE = "rule"

column_feature(RULE, "the rules of the language")
