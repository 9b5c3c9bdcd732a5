"""Mappings: the way back from masked texts, for those who must have it, closed by a passphrase."""

from veil.mapping.entries import Placed
from veil.mapping.reader import MappingReader
from veil.mapping.writer import MappingWriter

__all__ = ["MappingReader", "MappingWriter", "Placed"]
