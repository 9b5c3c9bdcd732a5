"""Measurements: speed, hostile texts and robustness against unusual spellings."""
