from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.core.errors import InputError
from veil.detect.names import NameMemory, NameModules, NameOptions

if TYPE_CHECKING:
    from pathlib import Path

    from tests.detect.names.conftest import Find

NOTES = ("ssk Kanelbulle ringde.", "Ringde ssk Kanelbulle.", "Kanelbulles man. kanelbulle till")
DOCS = [Document(str(number), text) for number, text in enumerate(NOTES)]


def names(detector: NameModules, docs: list[Document]) -> list[list[str]]:
    return [
        [f"{doc.text[span.start : span.end]}/{span.part}" for span in spans]
        for doc, spans in zip(docs, detector.detect_many(docs), strict=True)
    ]


def test_two_annotations_make_a_name(find: Find) -> None:
    """A word annotated twice is a name everywhere, as the part that it was."""
    assert names(NameModules("sv", "TL"), DOCS) == [
        ["Kanelbulle/first"],
        ["Kanelbulle/first"],
        ["Kanelbulles/first"],
    ]
    assert names(NameModules("sv", "TL"), DOCS[1:]) == [["Kanelbulle/first"], []]


def test_genitives_in_variants_of_a_language() -> None:
    """A variant of Swedish knows the Swedish genitive too."""
    assert names(NameModules("sv-words", "TL"), DOCS)[2] == ["Kanelbulles/first"]


def test_source_names_the_module(find: Find) -> None:
    """What was learnt says so."""
    assert find("dr Kanelbulle, dr Kanelbulle, Kanelbulle", "TL")[-1] == "Kanelbulle/last/L"


def test_nothing_is_learnt_from_later_modules(find: Find) -> None:
    """As the first module it does nothing."""
    text = "dr Kanelbulle, dr Kanelbulle, Kanelbulle"
    assert find(text, "LT") == find(text, "T")


def test_common_words_are_passed_over_unless_asked_for(find: Find) -> None:
    """A common word that was annotated beside titles stays common elsewhere."""
    text = "ssk Hon, ssk Hon. Hon mår bra."
    assert find(text, "TCL") == find(text, "T")
    options = NameOptions(learn_common=True)
    assert find(text, "TCL", options=options)[-1] == "Hon/first/L"


def test_how_often_can_be_set(find: Find) -> None:
    """From one annotation on, or only from three."""
    text = "dr Kanelbulle. Kanelbulle, Kanelbulle"
    assert len(find(text, "TL", options=NameOptions(at_least=1))) == 3
    assert len(find(text, "TL")) == 1


def test_two_passes_do_not_depend_on_batches() -> None:
    """With a memory each document gives the same alone as together, and the memory stays."""
    memory = NameModules("sv", "TL").learn(iter(DOCS))
    detector = NameModules("sv", "TL", memory=memory)
    together = detector.detect_many(DOCS)
    assert together == [detector.detect(doc) for doc in DOCS]
    assert together == NameModules("sv", "TL").detect_many(DOCS)
    assert len(memory) == 1


def test_one_pass_learns_as_it_goes() -> None:
    """What came before is known later, in the memory that the user keeps."""
    memory = NameMemory("sv", "T")
    detector = NameModules("sv", "TL", memory=memory)
    found = [names_of for doc in reversed(DOCS) for names_of in detector.detect_and_learn([doc])]
    assert [len(spans) for spans in found] == [0, 1, 1]
    assert [len(spans) for spans in detector.detect_and_learn([DOCS[2]])] == [1]


def test_learning_on_the_way_needs_a_memory() -> None:
    """Without a memory to keep, the call is an error."""
    with pytest.raises(InputError, match="with a memory"):
        NameModules("sv", "TL").detect_and_learn(DOCS)


@pytest.mark.parametrize(
    ("language", "order", "reason"),
    [
        ("sv", "TD", "no learning module"),
        ("sv", "TDL", "made for 'sv' by 'T'.*learns from 'TD'"),
        ("en", "TL", "made for 'sv'"),
    ],
)
def test_memory_of_another_order_is_refused(language: str, order: str, reason: str) -> None:
    """A memory goes with its language and the modules that filled it."""
    with pytest.raises(InputError, match=reason):
        NameModules(language, order, memory=NameMemory("sv", "T"))


def test_memory_is_kept_in_a_private_file(tmp_path: Path) -> None:
    """A saved memory loads unchanged; other users cannot read it; its repr shows no name."""
    memory = NameModules("sv", "TL").learn(DOCS)
    file = tmp_path / "memory.json"
    memory.save(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "kanelbulle" in file.read_text("utf-8")
    loaded = NameMemory.load(file)
    assert names(NameModules("sv", "TL", memory=loaded), DOCS[2:]) == [["Kanelbulles/first"]]
    assert repr(loaded) == "NameMemory('sv', 'T', 1 words)"
    loaded.save(file)
    assert NameMemory.load(file).learnt(2) == memory.learnt(2)
    assert [each.name for each in tmp_path.iterdir()] == ["memory.json"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("Kanelbulle", "no JSON"),
        ("[]", "'format'"),
        ('{"format": "veil-name-memory", "version": 9}', "'version' is not 1"),
        ('{"format": "veil-name-memory", "version": 1, "language": 1, "order": ""}', "'language'"),
        (
            '{"format": "veil-name-memory", "version": 1, "language": "sv", "order": "T", '
            '"words": {"kanelbulle": [1, -1]}}',
            "two counts",
        ),
    ],
)
def test_a_broken_memory_is_an_error(content: str, reason: str, tmp_path: Path) -> None:
    """The error names the file and the fault, and shows no word of it."""
    file = tmp_path / "memory.json"
    file.write_text(content, "utf-8")
    with pytest.raises(InputError, match=rf"memory\.json: .*{reason}") as caught:
        NameMemory.load(file)
    assert "anelbulle" not in str(caught.value)


def test_a_missing_memory_is_an_error(tmp_path: Path) -> None:
    """A file that is not there is named."""
    with pytest.raises(InputError, match=r"nowhere\.json: cannot be read"):
        NameMemory.load(tmp_path / "nowhere.json")
