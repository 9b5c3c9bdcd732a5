"""Languages: one folder each, with everything that is specific to the language.

A folder is a package that adds its language to `LANGUAGES`. The folders here are added at import;
those of other packages are added through the entry point group `veil.languages`.
"""

from importlib import import_module
from pkgutil import iter_modules

from veil.languages.base import (
    LANGUAGES,
    Language,
    base_language,
    has_spaces,
    known_language,
    language,
    language_codes,
    language_folder,
    language_part,
    language_with_dictionary,
    read_language_settings,
    read_language_toml,
)
from veil.languages.identification import (
    FALLBACK_LANGUAGE,
    identify,
    identify_scores,
    other_language,
)

for _module in iter_modules(__path__):
    if _module.ispkg:
        import_module(f"{__name__}.{_module.name}")

__all__ = [
    "FALLBACK_LANGUAGE",
    "LANGUAGES",
    "Language",
    "base_language",
    "has_spaces",
    "identify",
    "identify_scores",
    "known_language",
    "language",
    "language_codes",
    "language_folder",
    "language_part",
    "language_with_dictionary",
    "other_language",
    "read_language_settings",
    "read_language_toml",
]
