"""Names by dictionary, title, common words and learning: the modules of carlsson-2010."""

from veil.detect.names.detector import NameModules
from veil.detect.names.forms import AS_PUBLISHED, NameOptions
from veil.detect.names.memory import NameMemory

__all__ = ["AS_PUBLISHED", "NameMemory", "NameModules", "NameOptions"]
