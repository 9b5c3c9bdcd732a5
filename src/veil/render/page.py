"""HTML pages from the templates in `templates/`: one design, self-contained, usable offline."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import veil
from veil.core.errors import printable
from veil.render import charts
from veil.render.highlight import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment, Template
    from markupsafe import Markup

RECORDS_NOTICE = "This page contains text of the records: protect it like the records."
NO_TEXT_NOTICE = "This page contains numbers, labels and file names, but no text of records."
INVENTED_NOTICE = "The people and records on this page are invented."

_LINE_BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Characters that HTML or UTF-8 cannot contain.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def render_page(
    template: str, *, title: str, notice: str = RECORDS_NOTICE, **context: Any
) -> Iterator[str]:
    """Yield a page piece by piece, so that a page of a large folder needs little memory."""
    return _template(template).generate(
        title=printable(title),
        notice=notice,
        confidential=notice not in (NO_TEXT_NOTICE, INVENTED_NOTICE),
        version=veil.__version__,
        **context,
    )


def _template(name: str) -> Template:
    return _environment().get_template(f"{name}.html")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # Autoescaping: text of a record cannot add markup to a page.
    environment = Environment(
        loader=PackageLoader("veil.render"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "cell": _cell,
        "percent": _percent,
        "share": _share,
        "printable": printable,
        "line_breaks": _with_line_breaks,
    }
    environment.globals["families"] = [(name.lower(), each) for name, each in FAMILIES.items()]
    environment.globals |= {
        function.__name__: function
        for function in (
            charts.confusion_matrix,
            charts.influence_ranges,
            charts.learning_curve,
            charts.scatter,
            charts.score_bars,
        )
    }
    return environment


def _cell(value: object) -> object:
    return f"{value:,}" if isinstance(value, int) else value


def share_text(share: float) -> str:
    """A share as text, with two significant digits below one percent: "3.9 %", "0.43 %"."""
    value = round(100 * share, 4)
    if value == round(value):
        return f"{value:.0f} %"
    return f"{value:.1f} %" if 1 <= value else f"{value:.2g} %"


_NO_BREAK = "\N{NO-BREAK SPACE}"


def _share(share: float) -> str:
    return share_text(share).replace(" ", _NO_BREAK)


def _percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f}{_NO_BREAK}%"


def _with_line_breaks(text: str) -> Markup:
    """Escape text, with visible signs for line breaks and characters that HTML forbids."""
    from markupsafe import Markup

    lines = _LINE_BREAK.split(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))
    return Markup('<i class="break">↵</i> ').join(lines)
