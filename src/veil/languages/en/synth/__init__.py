"""The scenario of dummy records."""

from veil.synth.worlds.en import World

SCENARIO = World
