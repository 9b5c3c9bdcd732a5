"""Mappings: the way back from masked texts, for those who must have it, closed by a passphrase."""

from veil.masking.mapping.entries import Placed
from veil.masking.mapping.reader import MappingReader
from veil.masking.mapping.writer import MappingWriter

__all__ = ["MappingReader", "MappingWriter", "Placed"]
