"""The pages of the service: a text box that is masked live, and the routes with their shapes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import veil
from veil.core.labels import VEIL, family, scheme

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment

_FOLDER = Path(__file__).parent
# The style sheet of all pages of Veil comes first, then the additions of these pages.
_STYLES = (_FOLDER.parents[1] / "render" / "templates" / "page.css", _FOLDER / "serve.css")
_FILES = {
    "page.css": ("text/css; charset=utf-8", _STYLES),
    "serve.js": ("text/javascript; charset=utf-8", (_FOLDER / "serve.js",)),
}


def landing_page(
    notes: Mapping[str, Mapping[str, str]], policies: Sequence[Mapping[str, Any]]
) -> str:
    """The page with the text box."""
    template = _environment().get_template("landing.html")
    labels = {label.partition(":")[0] for label in scheme(VEIL).labels}
    families = {label: family(label).lower() for label in sorted(labels)}
    return template.render(
        version=veil.__version__, notes=notes, policies=policies, families=json.dumps(families)
    )


def api_page(openapi: Mapping[str, Any]) -> str:
    """The page that shows the OpenAPI description."""
    return _environment().get_template("api.html").render(version=veil.__version__, api=openapi)


@cache
def static_file(name: str) -> tuple[str, bytes] | None:
    """The content type and the bytes of a file that the pages load, or None."""
    if name not in _FILES:
        return None
    content_type, files = _FILES[name]
    return content_type, b"\n".join(file.read_bytes() for file in files)


@cache
def _environment() -> Environment:
    from jinja2 import ChainableUndefined, Environment, FileSystemLoader

    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
