"""Contrast of text on all pages, by WCAG 2.2: 4.5 for text (1.4.3), 3 for graphics (1.4.11)."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import veil.render
from veil.render.charts import cell_opacity, is_strong
from veil.render.highlight import FAMILIES

CSS = (Path(veil.render.__file__).parent / "templates" / "page.css").read_text("utf-8")
Colour = tuple[float, float, float]
TEXT, GRAPHIC = 4.5, 3.0
MODES = ("light", "dark")

FAMILY_COLOURS = tuple(f"--{family.lower()}" for family in FAMILIES)
SURFACES = ("--page", "--card")
WASHES = ("--good-wash", "--bad-wash", "--odd-wash", "--calm-wash")
# What is written in these colours may stand on these: text inherits the colour of its parents.
ON = {
    "--ink": (*SURFACES, *WASHES, *FAMILY_COLOURS, "--hover"),
    "--soft": (*SURFACES, "--hover"),
    "--good": (*SURFACES, "--good-wash"),
    "--bad": (*SURFACES, "--bad-wash"),
    "--odd": (*SURFACES, "--odd-wash"),
    "--calm": (*SURFACES, "--calm-wash"),
    "--page": ("--ink",),
}


@cache
def variables(mode: str) -> dict[str, Colour]:
    """The colours of the style sheet in a mode; those of dark replace those of light."""
    light, _, rest = CSS.partition("prefers-color-scheme: dark")
    dark = rest[: rest.index("* { box-sizing")]
    found = {}
    for text in (light, dark) if mode == "dark" else (light,):
        for name, value in re.findall(r"(--[a-z-]+): (#[0-9a-f]{6});", text):
            found[name] = _colour(value)
    return found


def _colour(value: str) -> Colour:
    red, green, blue = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def luminance(colour: Colour) -> float:
    """The relative luminance of WCAG."""
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(above: Colour, below: Colour, opacity: float) -> Colour:
    """A colour that lets another shine through."""
    red, green, blue = (opacity * a + (1 - opacity) * b for a, b in zip(above, below, strict=True))
    return red, green, blue


def test_ratios_are_those_of_the_standard() -> None:
    """Black on white has 21, equal colours have 1, and #767676 on white just passes."""
    white = _colour("#ffffff")
    assert contrast(_colour("#000000"), white) == pytest.approx(21)
    assert contrast(white, white) == 1
    assert contrast(_colour("#767676"), white) == pytest.approx(4.54, abs=0.01)


PAIRS = [(text, back) for text, backs in ON.items() for back in backs]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("text", "back"), PAIRS, ids=lambda each: each.removeprefix("--"))
def test_text_is_readable(text: str, back: str, mode: str) -> None:
    """Every colour of text on every colour that it may stand on."""
    colours = variables(mode)
    assert TEXT <= contrast(colours[text], colours[back])


@pytest.mark.parametrize("mode", MODES)
def test_rules_with_two_colours_are_readable(mode: str) -> None:
    """A rule that sets text and background sets a readable pair; none is left out above."""
    found = []
    for body in re.findall(r"\{([^{}]*)\}", CSS):
        text = re.search(r"(?<![-\w])color: var\((--[a-z-]+)\)", body)
        back = re.search(r"background(?:-color)?: var\((--[a-z-]+)\)", body)
        if text and back:
            found.append((text[1], back[1]))
    assert len(found) > 4
    colours = variables(mode)
    for text_name, back_name in found:
        assert TEXT <= contrast(colours[text_name], colours[back_name]), (text_name, back_name)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["--good", "--bad", "--odd"])
def test_numbers_of_the_confusion_matrix_are_readable(kind: str, mode: str) -> None:
    """Light cells have the colour of text, strong ones that of text on strong colours."""
    colours = variables(mode)
    for share in (step / 200 for step in range(201)):
        cell = over(colours[kind], colours["--card"], cell_opacity(share))
        ink = colours["--on-strong" if is_strong(share) else "--ink"]
        assert TEXT <= contrast(ink, cell), share


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["--good", "--bad", "--odd", "--calm"])
def test_bars_are_visible(name: str, mode: str) -> None:
    """A bar stands out from its track, and from the page."""
    colours = variables(mode)
    for back in ("--track", *SURFACES):
        assert GRAPHIC <= contrast(colours[name], colours[back]), back


@pytest.mark.parametrize("mode", MODES)
def test_families_differ(mode: str) -> None:
    """No two families of labels have nearly the same colour, and none that of the page."""
    colours = variables(mode)
    names = [*FAMILY_COLOURS, "--card"]
    for one, other in product(names, names):
        if one < other:
            apart = sum((a - b) ** 2 for a, b in zip(colours[one], colours[other], strict=True))
            assert apart**0.5 > 0.055, (one, other)


def test_no_text_is_made_faint() -> None:
    """Opacity would lower the contrast that is tested above."""
    faint = [
        body for body in re.findall(r"\{([^{}]*)\}", CSS) if re.search(r"(?<![-\w])opacity: ", body)
    ]
    assert [body for body in faint if "stroke" not in body] == []


def test_dark_mode_has_every_colour() -> None:
    """A colour that is missing in the dark would be that of the light."""
    light, _, rest = CSS.partition("prefers-color-scheme: dark")
    dark = set(re.findall(r"(--[a-z-]+): ", rest[: rest.index("* { box-sizing")]))
    assert dark == set(re.findall(r"(--[a-z-]+): ", light))
