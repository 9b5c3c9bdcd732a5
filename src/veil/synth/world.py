"""Old names of `veil.synth.scenario`, until all languages use the new ones."""

from veil.synth.scenario import Request
from veil.synth.scenario import Scenario as BaseWorld

__all__ = ["BaseWorld", "Request"]
