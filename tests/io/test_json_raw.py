from __future__ import annotations

import pytest

from veil.io.json_raw import (
    JsonError,
    RawEdit,
    apply_edits,
    parse,
    parse_members,
    removals,
)


def test_places_of_values() -> None:
    """Every value knows where it is written, and a string what it says."""
    text = ' {"a" : ["x\\n", 1.50, {"b": null}], "c":true} '
    value = parse(text)
    array = value.get("a")
    assert array is not None
    assert text[array.start : array.end] == '["x\\n", 1.50, {"b": null}]'
    assert [text[each.start : each.end] for each in array.elements] == [
        '"x\\n"',
        "1.50",
        '{"b": null}',
    ]
    assert array.elements[0].text == "x\n"
    assert array.elements[1].text == ""
    assert [text[slice(*member.extent)] for member in value.members.values()] == [
        '"a" : ["x\\n", 1.50, {"b": null}]',
        '"c":true',
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        "{'a':1}",
        "[1,]",
        "[1 2]",
        '"a',
        '"\t"',
        "nul",
        "01",
        "[NaN]",
        "1 2",
        '{"a":1 "b":2}',
        "[" * 100_000,
    ],
)
def test_what_is_no_json(text: str) -> None:
    """What is no JSON, or nested without end, is an error."""
    with pytest.raises(JsonError):
        parse(text)


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', '[{"a":{"b":1,"\\u0062":2}}]'])
def test_a_key_comes_once(text: str) -> None:
    """A key that comes twice is an error, however it is written: one of both would be missed."""
    with pytest.raises(JsonError, match="duplicate key"):
        parse(text)


def test_members_alone() -> None:
    """Values of an object can be passed over as a whole."""
    value = parse_members('{"a": {"b": [1]}, "c": "d"}', 0)
    assert list(value.members) == ["a", "c"]
    assert value.string("c") == "d"
    assert value.get("a").members == {}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("dropped", "expected"),
    [
        ({0}, '{"b": 2, "c":3 }'),
        ({1}, '{ "a":1, "c":3 }'),
        ({2}, '{ "a":1 , "b": 2 }'),
        ({0, 1}, '{"c":3 }'),
        ({1, 2}, '{ "a":1 }'),
        ({0, 2}, '{"b": 2 }'),
        ({0, 1, 2}, "{ }"),
        (set[int](), '{ "a":1 , "b": 2, "c":3 }'),
    ],
)
def test_members_leave_with_their_comma(dropped: set[int], expected: str) -> None:
    """Whichever members leave, what stays is JSON."""
    text = '{ "a":1 , "b": 2, "c":3 }'
    extents = [member.extent for member in parse(text).members.values()]
    result = apply_edits(text, removals(extents, dropped))
    assert result.replace(" ", "") == expected.replace(" ", "")
    assert list(parse(result).members) == [key for n, key in enumerate("abc") if n not in dropped]


def test_edits_in_any_order() -> None:
    """Edits are made at their places, whatever their order; one may insert."""
    edits = [RawEdit(4, 5, "E"), RawEdit(0, 1, "A"), RawEdit(2, 2, "-")]
    assert apply_edits("abcde", edits) == "Ab-cdE"
