"""Templates: what is written in the files, and what comes out of them."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from veil.core.errors import InputError, UnknownNameError
from veil.synth.patterns import parse, random_form, read_blocks, read_templates
from veil.synth.segments import Segment, merge_segments

if TYPE_CHECKING:
    from pathlib import Path


class Somebody:
    """A world with one name, one trait and a habit of writing "pt"."""

    def slot(self, name: str) -> list[Segment]:
        return [Segment(f"{name}!", "NAME")]

    def has_trait(self, trait: str) -> bool:
        return trait == "old"

    def spelled(self, text: str) -> str:
        return text.replace("patient", "pt")


def expanded(folder: Path, source: str, *, seed: int = 0) -> str:
    file = folder / "kind.txt"
    file.write_text(source, "utf-8")
    rng = Random(seed)  # noqa: S311 - no secret
    pieces = read_templates(file, {}).expand(Somebody(), rng)
    return "".join(piece.text for piece in merge_segments(pieces))


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("plain words", "plain words\n"),
        ("the patient", "the pt\n"),
        ("a {slot.x} b", "a slot.x! b\n"),
        ("{Slot}", "Slot!\n"),
        ("[one|one]", "one\n"),
        ("[[a|a]b|ab]", "ab\n"),
        (r"\[x\] \{y\} \#", "[x] {y} #\n"),
        (r"a\nb\tc", "a\nb\tc\n"),
        ("left | right", "left | right\n"),
        ("[@old yes|@young no]", "yes\n"),
        ("[@!old no|@!young yes]", "yes\n"),
        ("[*0 never|*3 always]", "always\n"),
        ("{SLOT}", "SLOT!\n"),
        ("{#[X]-[Y]}", "X-Y\n"),
        ("seen [by us|].", None),
    ],
)
def test_a_line_is_written_by_its_grammar(tmp_path: Path, line: str, written: str | None) -> None:
    """Slots, choices, traits, escapes and empty alternatives come out as the grammar says."""
    made = expanded(tmp_path, f"== note\n{line}\n")
    if written is None:
        assert made in ("seen by us.\n", "seen.\n")
    else:
        assert made == written


def test_a_whole_layout_may_have_a_trait(tmp_path: Path) -> None:
    """A note for other worlds is not written for this one."""
    source = "== note\n@young no\n\n== note\n@old yes\n"
    assert {expanded(tmp_path, source, seed=seed) for seed in range(20)} == {"yes\n"}


def test_blocks_give_some_of_their_lines(tmp_path: Path) -> None:
    """The head of a block sets the number, the order and the separator of its lines."""
    source = "== note\n<a>/<b>/<c>\n\n== a 2\n1\n2\n\n== b lines 2\n1\n2\n\n== c glued 2\n1\n2\n"
    assert expanded(tmp_path, source) == "1 2/1\n2/12\n"


def test_shuffled_blocks_change_the_order(tmp_path: Path) -> None:
    """Lines of a shuffled block stand in any order."""
    source = "== note\n<a>\n\n== a 3 shuffled\n1\n2\n3\n"
    assert 3 < len({expanded(tmp_path, source, seed=seed) for seed in range(60)})


def test_no_line_comes_twice_while_there_are_others(tmp_path: Path) -> None:
    """Lists and blocks are used up before they begin again."""
    source = "== note\n{~x}{~x}{~x} <a><a><a>\n\n== ~x\n1\n2\n3\n\n== a\n4\n5\n6\n"
    for seed in range(20):
        lists, blocks = expanded(tmp_path, source, seed=seed).split()
        assert (sorted(lists), sorted(blocks)) == (["1", "2", "3"], ["4", "5", "6"])


def test_lines_of_other_worlds_are_left_out(tmp_path: Path) -> None:
    """A block counts only the lines that are there for the world."""
    source = "== note\n<a>\n\n== a 3\n@young no\n@old yes\n@!old no\nalways\n"
    assert expanded(tmp_path, source) == "yes always\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("text\n== note\nx\n", "line 1: text before the first block"),
        ("== a\nx\n", "no block 'note'"),
        ("== note\n[x\n", "line 1: a bracket that is not closed"),
        ("== note\nx]\n", "line 1: a closing bracket without an opening one"),
        ("== note\n<a>\n", "the block 'note' uses 'a', which does not exist"),
        ("== note\n{~a}\n", "the block 'note' uses '~a', which does not exist"),
        ("== note\nx\n== a\n1\n== a\n2\n", "line 5: the block 'a' comes twice"),
        ("== note\nx\n== a\n\n", "line 3: the block 'a' is empty"),
        ("== note\nx\n== a often\n1\n", "line 3: unknown option 'often'"),
        ("== note\nx\n== a\n<b>\n== b\n<a>\n", "blocks that contain each other"),
    ],
)
def test_mistakes_are_told_when_a_file_is_read(tmp_path: Path, source: str, message: str) -> None:
    """What is wrong with a template is said with its place, before a record is written."""
    with pytest.raises(InputError) as told:
        expanded(tmp_path, source)
    assert message in str(told.value)


def test_shared_blocks_can_be_replaced(tmp_path: Path) -> None:
    """A kind of note uses the shared blocks, and its own of the same name instead of them."""
    shared, own = tmp_path / "shared.txt", tmp_path / "own.txt"
    shared.write_text("== a\nshared\n\n== b\nshared\n", "utf-8")
    own.write_text("== note\n<a> <b>\n\n== b\nown\n", "utf-8")
    templates = read_templates(own, read_blocks(shared))
    rng = Random(0)  # noqa: S311 - no secret
    assert "".join(each.text for each in templates.expand(Somebody(), rng)) == "shared own\n"
    assert "".join(e.text for e in templates.expand_block("b", Somebody(), rng)) == "own"
    with pytest.raises(UnknownNameError):
        templates.expand_block("c", Somebody(), rng)


def test_parsing_keeps_what_is_no_grammar() -> None:
    """Angles and braces that name nothing are text."""
    assert len(parse("SpO2 < 90 {} <>").nodes) == 1


@pytest.mark.parametrize(
    ("pieces", "written"),
    [
        ([Segment("seen "), Segment("."), Segment(" ")], "seen. "),
        ([Segment("a "), Segment(" b")], "a b"),
        ([Segment("wide   "), Segment(" b")], "wide    b"),
    ],
)
def test_empty_alternatives_leave_no_space(pieces: list[Segment], written: str) -> None:
    """Plain neighbours become one piece, without the space that an empty alternative leaves."""
    (made,) = merge_segments(pieces)
    assert made.text == written


@pytest.mark.parametrize(
    ("form", "filled"),
    [("99/9", r"\d\d/\d"), ("A1", r"[A-Z][1-9]"), ("2[KM]B", r"[2-9][KM][^AEIOU\W\d]")],
)
def test_forms_of_numbers(form: str, filled: str) -> None:
    """Digits and capitals of a form stand for classes of characters."""
    for seed in range(30):
        assert re.fullmatch(filled, random_form(form, Random(seed)))  # noqa: S311 - no secret
