from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from veil.core.errors import InputError, UnknownNameError
from veil.core.labels import VEIL, scheme
from veil.replace.policy import Action, Policy, actions, load_policy, policies

DOCS = Path(__file__).parents[2] / "docs" / "policies.md"
BUNDLED = {"gdpr-strict", "limited-data-set", "mednlp", "redact", "safe-harbor", "surrogate", "tag"}


def own(folder: Path, text: str) -> Path:
    file = folder / "ours.toml"
    file.write_text(text, "utf-8")
    return file


def test_bundled_policies() -> None:
    """The policies that come with Veil can be asked for by name, and say what they do."""
    assert set(policies()) == BUNDLED
    for name in policies():
        policy = load_policy(name)
        assert policy.name == name
        assert policy.about
        assert policy.default.name != "keep"


@pytest.mark.parametrize("name", sorted(BUNDLED))
@pytest.mark.parametrize("label", scheme(VEIL).labels)
def test_every_label_has_a_replacer(name: str, label: str) -> None:
    """No policy leaves a label without an action that exists."""
    policy = load_policy(name)
    assert policy.action(label).name in actions()
    assert callable(policy.replacer(label).replace)


def test_types_follow_their_family(tmp_path: Path) -> None:
    """A label has its own action, else its family's, else the default."""
    policy = load_policy(
        own(
            tmp_path,
            'default = "redact"\n[labels]\nNAME = "tag"\nDOCTOR = "keep"\n'
            'DATE = { action = "generalise", to = "year" }\n',
        )
    )
    assert policy.name == "ours"
    assert policy.action("DOCTOR") == Action("keep")
    assert policy.action("PATIENT") == Action("tag")
    assert policy.action("DATE") == Action("generalise", {"to": "year"})
    assert policy.action("PHONE") == Action("redact")
    assert policy.replacer("PATIENT") is policy.replacer("NAME")
    assert policy.replacer("PHONE") is policy.replacer("OTHER")
    with pytest.raises(UnknownNameError):
        policy.action("NOSUCH")


def test_hipaa_keeps_what_it_may() -> None:
    """Safe Harbor lets states and countries stand, the limited data set towns and dates as well."""
    kept = {
        name: {
            label for label in scheme(VEIL).labels if load_policy(name).action(label).name == "keep"
        }
        for name in ("safe-harbor", "limited-data-set")
    }
    assert kept["safe-harbor"] == {"STATE", "COUNTRY", "SEX", "RELATIVE", "TIME"}
    assert kept["limited-data-set"] == kept["safe-harbor"] | {
        *("CITY", "ZIP", "DATE", "AGE", "PROFESSION")
    }


@pytest.mark.parametrize("name", sorted(BUNDLED))
def test_names_and_numbers_never_stay(name: str) -> None:
    """No bundled policy keeps a name, a street, a contact, a number, or what has no type."""
    families = ("NAME", "CONTACT", "ID")
    policy = load_policy(name)
    for label in ("LOCATION", "STREET", "HOSPITAL", "ORGANIZATION", "OTHER", *families):
        assert policy.action(label).name != "keep"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('default = "tag"\ncolour = "red"', "unknown key 'colour'; known: about, default, labels"),
        ("", "the key 'default' is missing"),
        ('default = "keep"', "the default cannot be 'keep'"),
        ('default = { action = "keep" }', "the default cannot be 'keep'"),
        ('default = "eat"', "default: unknown action 'eat'; known: generalise, hash, keep, redact"),
        ('default = "tag"\n[labels]\nNAMES = "tag"', "unknown label 'NAMES'; known: ACCOUNT, AGE"),
        ('default = "tag"\n[labels]\nAGE = "eat"', "AGE: unknown action 'eat'; known: generalise"),
        ('default = "tag"\n[labels]\nAGE = 3', "AGE: an action must be a name, or a table"),
        (
            'default = "tag"\n[labels]\nAGE = { to = "decade" }',
            "AGE: an action must be a name, or a table",
        ),
        (
            'default = "tag"\n[labels]\nAGE = { action = "redact", length = 0 }',
            "AGE: action 'redact': the option 'length' is empty or 0; leave it out",
        ),
        ('default = { action = "tag", form = "" }', "the option 'form' is empty or 0; leave it"),
        (
            'default = "tag"\n[labels]\nDATE = { action = "shift", days = 0 }',
            "DATE: action 'shift': the option 'days' is empty or 0; leave it out",
        ),
        (
            'default = "tag"\n[labels]\nAGE = { action = "redact", lenght = 3 }',
            "AGE: action 'redact': unknown option 'lenght'; known: character, length",
        ),
        (
            'default = "tag"\n[labels]\nAGE = { action = "generalise", to = "country" }',
            "AGE: unknown value of the option 'to' for this label: 'country'; known: 90+, decade",
        ),
        (
            'default = "tag"\n[labels]\nCITY = { action = "generalise", to = "city" }',
            "CITY: action 'generalise': unknown value of the option 'to': 'city'; known: 90+, co",
        ),
        ('default = "tag"\nlabels = "tag"', "the key 'labels' must be a table"),
        ('default = "tag"\nabout = 3', "the key 'about' must be a string"),
        ('default = "tag', "not TOML"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    """What is unknown or cannot be is an error that names the file and lists what is known."""
    file = own(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_policy(file)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


def test_unknown_policies(tmp_path: Path) -> None:
    """A policy that does not exist is an error that lists the bundled ones, or names the file."""
    with pytest.raises(UnknownNameError, match=r"unknown policy .*'strict'; known: gdpr-strict, "):
        load_policy("strict")
    with pytest.raises(InputError, match=r"none\.toml: cannot be read"):
        load_policy(tmp_path / "none.toml")


def test_default_of_a_policy_made_in_code() -> None:
    """A policy that is not read from a file cannot keep by default either."""
    with pytest.raises(InputError, match="cannot be 'keep'"):
        Policy("mine", Action("keep"), {})


@pytest.mark.parametrize("name", sorted(BUNDLED))
def test_policies_travel_between_processes(name: str) -> None:
    """Workers get the policy as it is."""
    policy = load_policy(name)
    copy = pickle.loads(pickle.dumps(policy))  # noqa: S301 - our own bytes
    assert copy.name == name
    assert [copy.action(label) for label in scheme(VEIL).labels] == [
        policy.action(label) for label in scheme(VEIL).labels
    ]


def test_table_of_the_docs() -> None:
    """docs/policies.md tells of every label what every bundled policy does."""
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in DOCS.read_text("utf-8").splitlines()
        if line.startswith("| `")
    ]
    header = next(
        line for line in DOCS.read_text("utf-8").splitlines() if line.startswith("| label")
    )
    names = [cell.strip().strip("`") for cell in header.strip("|").split("|")][1:]
    assert set(names) == BUNDLED
    table = {row[0]: row[1:] for row in rows if len(row) == len(names) + 1}
    assert set(table) == set(scheme(VEIL).labels)
    for label, cells in table.items():
        assert cells == [in_words(load_policy(name).action(label)) for name in names]


def in_words(action: Action) -> str:
    return str(action.options.get("to", action.name))
