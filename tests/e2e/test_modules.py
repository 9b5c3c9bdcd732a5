"""`veil modules` as a user calls it."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, Span, io

if TYPE_CHECKING:
    from pathlib import Path

_NOTES = (
    "Patienten Anna Hjelmqvist inkom. Bedömd av dr Lindgren, som ringde ssk Karin.",
    "Överläkare Sven Hjelmqvist ser patienten i dag, och Karin hälsar på.",
)


def veil(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "veil", "modules", *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two notes with their names, in brat."""
    folder = tmp_path_factory.mktemp("gold") / "notes"
    records = [
        Record.of(
            Document(f"n{number}", text),
            [
                Span(*found.span(), "FIRST_NAME" if found[1] else "LAST_NAME")
                for found in re.finditer(r"(Anna|Karin|Sven)|Hjelmqvist|Lindgren", text)
            ],
        )
        for number, text in enumerate(_NOTES)
    ]
    io.write(records, folder, format="brat")
    return folder


def test_all_orders(gold: Path, tmp_path: Path) -> None:
    """A table on standard output, a page and a CSV file; the language is found from the text."""
    page, table = tmp_path / "orders.html", tmp_path / "orders.csv"
    done = veil("--corpus", gold, "--all-orders", "--html", page, "--save-table", table)
    assert (done.returncode, done.stderr) == (0, "")
    assert "64 orders" in done.stdout
    assert "in 'sv'" in done.stdout
    assert page.read_text("utf-8").count("<svg") == 9
    assert len(table.read_text("utf-8").splitlines()) == 1 + 3 * 64


def test_fewer_modules(gold: Path) -> None:
    """Two modules have four orders."""
    done = veil("--corpus", gold, "--all-orders", "--modules", "CD", "--lang", "sv")
    assert "4 orders of C (common words), D (dictionaries)" in done.stdout


def test_one_order(gold: Path) -> None:
    """A single order is scored alone."""
    done = veil("--corpus", gold, "--order", "tcd", "--dictionaries", "surname,given_female")
    assert done.returncode == 0
    assert done.stdout.startswith("1 order of T")


def test_as_published(gold: Path) -> None:
    """As in the paper, Karin is lost as a common word without a title."""
    assert veil("--corpus", gold, "--order", "CD", "--as-published").stdout != (
        veil("--corpus", gold, "--order", "CD").stdout
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--order", "TXD"], "unknown module 'X'"),
        (["--all-orders", "--modules", "TT"], "comes twice"),
        (["--order", "D", "--dictionaries", "city"], "unknown dictionary of names 'city'"),
        (["--order", "D", "--label", "WHO"], "no name is annotated"),
        ([], "one of the arguments --all-orders --order is required"),
    ],
)
def test_wrong_calls(gold: Path, options: list[str], reason: str) -> None:
    """What is wrong is said in a line, with exit code 2."""
    done = veil("--corpus", gold, *options)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
