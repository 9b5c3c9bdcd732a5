"""Names by dictionary, title, common words and learning: the modules of carlsson-2010."""

from veil.detect.names.detector import NameModules
from veil.detect.names.memory import NameMemory
from veil.detect.names.options import AS_PUBLISHED, NameOptions

__all__ = ["AS_PUBLISHED", "NameMemory", "NameModules", "NameOptions"]
