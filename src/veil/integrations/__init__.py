"""Veil in other tools; each tool is imported only by its own module."""
