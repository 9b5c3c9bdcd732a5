"""Veil as a part of other tools; each of them is imported only by its own module."""
