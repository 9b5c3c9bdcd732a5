"""The report of a masking run as an HTML page, from what the JSON report contains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veil.render import NO_TEXT_NOTICE, render_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def report_page(
    name: str,
    head: Mapping[str, Any],
    withheld: Sequence[Mapping[str, Any]],
    files: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    """Yield the page piece by piece; `withheld` and `files` may be the start of long lists."""
    return render_page(
        "masking_report",
        title=f"Masked: {name}",
        notice=NO_TEXT_NOTICE,
        head=head,
        withheld=withheld,
        files=files,
        made_with=list(_made_with(head)),
    )


def _made_with(head: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    key = head["key"]
    origin = "made for this run and not kept" if key["made_for_this_run"] else "from a key file"
    settings = ", ".join(f"{name} = {value}" for name, value in head["detection"].items())
    yield "Veil", head["veil"]
    yield "started, ended", f"{head['times']['started']}, {head['times']['ended']}"
    yield "key", f"{key['fingerprint']} ({origin})"
    yield "detection", settings or "Veil's defaults"
    yield "masked text searched and scanned again", "yes" if head["rescan"] else "searched only"
    yield "rules and word lists", head["rules"]
    yield from head["given"].items()
    for model in head["models"]:
        for file, digest in model["files"].items():
            yield f"{model['name']}, {file}", digest
