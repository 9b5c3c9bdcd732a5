"""Old name of `veil.synth.patterns`, until all languages use the new one."""

from veil.synth.patterns import words

__all__ = ["words"]
