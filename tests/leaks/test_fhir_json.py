"""FHIR that was mutated: what is written is JSON, with all entries that were not withheld."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veil import RecordError
from veil.io import FORMATS, TableOptions, json_raw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil import Document

OPTIONS = TableOptions()
PLANTED = "Zebrowski"
KNOWN = (
    "name text family given value system url valueString valueBase64Binary contentType data size"
    " hash birthDate _birthDate _given identifier telecom address line extension div photo subject"
    " reference display code coding note signature rank entry resource contained resourceType"
    " position event period start valueQuantity onsetAge"
).split()
KEYS = st.one_of(
    st.sampled_from(KNOWN),
    st.sampled_from(['a"b', "a\\", "new\nline", "\u2028", "ssn", PLANTED, "", "Name", '_"']),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, -0.0, 1e5, 20190305103000, 123456789, 93]),
    st.sampled_from(
        [
            "",
            PLANTED,
            f"{PLANTED} was here",
            "2019-03-05",
            "03/05/1919",
            "text/plain",
            "text/html; charset=utf-16",
            "QW5uYQ==",
            "12 kB",
            "<div>Anna<b/></div>",
            "http://hl7.org/fhir/StructureDefinition/geolocation",
            "Patient?name=Anna&family=Berg",
            "Patient",
            '"',
            "\\",
            "\u2028\U0001f600",
        ]
    ),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=12,
)
MEMBERS = st.dictionaries(KEYS, VALUES, max_size=6)
RESOURCES = st.builds(
    lambda kind, members: {"resourceType": kind, **members},
    st.sampled_from(["Patient", "Observation", "Binary", "DocumentReference", "Location"]),
    MEMBERS.map(lambda members: {k: v for k, v in members.items() if k != "resourceType"}),
)
ENTRIES = st.one_of(
    st.builds(lambda resource, more: {**more, "resource": resource}, RESOURCES, MEMBERS),
    MEMBERS,
    SCALARS,
)
INDENTS = st.sampled_from([None, 0, 1, "\t"])
SEPARATORS = st.sampled_from([(",", ":"), (" , ", " : "), (",\r\n", ":\n"), (", ", ": ")])
# What masking makes of a text: nothing, a tag, a part, a quotation mark, the text itself.
CHANGES = st.sampled_from(["", "[TAG]", None, '"', "\\", "2020"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for all examples, whose files need not survive a loss of power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield tmp_path_factory.mktemp("fhir")


def rewritten(
    folder: Path, format_name: str, data: bytes, new: str | None, withheld: set[int]
) -> tuple[str, int]:
    """The text of a file without the items of some numbers, and how many entries were written."""
    file_format = FORMATS.get(format_name)
    source, target = folder / "a.json", folder / "b.json"
    source.write_bytes(data)
    target.unlink(missing_ok=True)
    written = 0

    def changed(doc: Document) -> str:
        return doc.text if new is None else new

    with file_format.writer(source, target, OPTIONS) as writer:
        for number, item in enumerate(file_format.items(source, OPTIONS)):
            if number in withheld or isinstance(item, RecordError):
                continue
            try:
                writer.write(item, [changed(doc) for doc in item.documents])
            except RecordError:
                continue
            written += number > 0
    return (target.read_text("utf-8") if target.exists() else ""), written


@given(
    entries=st.lists(ENTRIES, max_size=4),
    frame=st.tuples(MEMBERS, MEMBERS),
    indent=INDENTS,
    separators=SEPARATORS,
    new=CHANGES,
    withheld=st.sets(st.integers(0, 4), max_size=3),
)
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_bundle_stays_json(
    folder: Path,
    entries: list[Any],
    frame: tuple[dict[str, Any], dict[str, Any]],
    indent: Any,
    separators: tuple[str, str],
    new: str | None,
    withheld: set[int],
) -> None:
    """Whatever is in a bundle and is withheld of it, the output is JSON with all other entries."""
    before, after = frame
    bundle = {**before, "resourceType": "Bundle", "entry": entries}
    bundle |= {key: value for key, value in after.items() if key not in bundle}
    data = json.dumps(bundle, indent=indent, separators=separators).encode()
    text, written = rewritten(folder, "fhir", data, new, withheld)
    if text:
        assert len(json.loads(text).get("entry", [])) == written
    else:
        assert written == 0


@given(
    resources=st.lists(RESOURCES, min_size=1, max_size=3),
    separators=st.sampled_from([(",", ":"), (" , ", " : ")]),
    new=CHANGES,
)
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_lines_stay_json(
    folder: Path, resources: list[Any], separators: tuple[str, str], new: str | None
) -> None:
    """Every line of NDJSON that is written is JSON."""
    lines = [json.dumps(resource, separators=separators) for resource in resources]
    text, _ = rewritten(folder, "fhir-ndjson", "\n".join(lines).encode(), new, set())
    for line in text.split("\n"):
        if line:
            assert isinstance(json.loads(line), dict)


CUT = json.dumps(
    {
        "resourceType": "Bundle",
        "total": 2.5,
        "entry": [{"resource": {"resourceType": "Basic", "comment": PLANTED}}] * 2,
    }
).encode()


@pytest.mark.parametrize("cut", range(0, len(CUT), 5))
def test_cut_off_bundle_gives_nothing(folder: Path, cut: int) -> None:
    """A bundle that ends too early is refused, wherever that is."""
    with pytest.raises(RecordError) as caught:
        rewritten(folder, "fhir", CUT[:cut], None, set())
    assert PLANTED not in str(caught.value)


@pytest.mark.parametrize("chunk", range(1, 8))
def test_numbers_at_the_end_of_a_chunk(
    folder: Path, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that is read in two pieces is one number, and the bundle is JSON."""
    monkeypatch.setattr(json_raw, "_CHUNK", chunk)
    data = b'{"total":12.5,"rank":-0.25E+10,"resourceType":"Bundle","entry":[]}'
    assert rewritten(folder, "fhir", data, None, set()) == (data.decode(), 0)
