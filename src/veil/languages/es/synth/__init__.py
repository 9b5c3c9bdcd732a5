"""The scenario of dummy records."""

from veil.synth.worlds.es import World

SCENARIO = World
