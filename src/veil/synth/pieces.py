"""Old names of `veil.synth.segments`, until all languages use the new ones."""

from veil.synth.segments import Segment as Piece
from veil.synth.segments import build_record as record_of
from veil.synth.segments import merge_segments as joined

__all__ = ["Piece", "joined", "record_of"]
