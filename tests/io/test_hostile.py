"""Files made to harm: none may read other files, expand, or hang."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from veil import InputError, RecordError
from veil.io import ReadLog, read

if TYPE_CHECKING:
    from pathlib import Path

LAUGHS = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "ha">' for n in range(12)
)
DOCTYPES = {
    "billion laughs": f"<!DOCTYPE x [{LAUGHS}]>",
    "external entity": '<!DOCTYPE x [<!ENTITY l11 SYSTEM "SECRET">]>',
    "external subset": '<!DOCTYPE x SYSTEM "SECRET">',
    "parameter entity": '<!DOCTYPE x [<!ENTITY % p SYSTEM "SECRET"> %p;]>',
}
BODIES = {
    "i2b2-2014": "<x><TEXT>&l11;</TEXT><TAGS/></x>",
    "i2b2-2006": '<ROOT><RECORD ID="1"><TEXT>&l11;</TEXT></RECORD></ROOT>',
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("doctype", DOCTYPES.values(), ids=DOCTYPES.keys())
def test_declarations_are_refused(name: str, doctype: str, tmp_path: Path) -> None:
    """A document type or entity is refused with its line, before anything is expanded or opened."""
    secret = tmp_path / "secret.dtd"
    secret.write_text("Zebrowski", "utf-8")
    prolog = '<?xml version="1.0"?>\n' + doctype.replace("SECRET", secret.as_uri())
    (tmp_path / "a.xml").write_text(f"{prolog}\n{BODIES[name]}", "utf-8")
    log = ReadLog()
    assert list(read(tmp_path, format=name, log=log)) == []
    assert [problem.line for problem in log.problems] == [2]
    assert "DOCTYPE" in log.problems[0].reason
    assert "Zebrowski" not in str(log.problems)


def test_deep_nesting_is_harmless(tmp_path: Path) -> None:
    """Elements nested a hundred thousand deep are passed over."""
    deep = "<b>" * 100_000 + "</b>" * 100_000
    (tmp_path / "a.xml").write_text(f"<x><TEXT>a</TEXT><TAGS>{deep}</TAGS></x>", "utf-8")
    (record,) = read(tmp_path, format="i2b2-2014")
    assert record.document.text == "a"


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("i2b2-2014", '<x><TEXT>a</TEXT><TAGS><NAME x="%s"/></TAGS></x>'),
        ("i2b2-2006", '<RECORD ID="1" x="%s"><TEXT>a</TEXT></RECORD>'),
    ],
)
def test_huge_attribute_is_harmless(name: str, source: str, tmp_path: Path) -> None:
    """An attribute of fifty megabytes is read in passing."""
    (tmp_path / "a.xml").write_bytes((source % ("x" * 50_000_000)).encode())
    assert [record.document.text for record in read(tmp_path, format=name)] == ["a"]


@pytest.mark.parametrize(
    "body",
    [
        "<PHI" + " " * 500_000,
        "<PHI " + "a" * 500_000,
        '<PHI a="' * 50_000,
        "<PHI a" + "= " * 200_000,
        '<PHI TYPE="X">' * 50_000,
        "</PHI>" * 50_000,
        "&" * 500_000 + "<PHI>",
        "</TEXT>" * 100_000 + "<PHI>",
        "<RECORD " * 50_000,
    ],
    ids=range(9),
)
def test_endless_tags_of_2006_are_refused(body: str, tmp_path: Path) -> None:
    """Broken tags, however many or long, end in an error in linear time."""
    (tmp_path / "a.xml").write_text(f'<RECORD ID="1"><TEXT>{body}</TEXT></RECORD>', "utf-8")
    with pytest.raises(RecordError):
        list(read(tmp_path, format="i2b2-2006"))


@pytest.mark.parametrize(
    "body",
    [
        "<c " * 100_000,
        "<c" + " " * 500_000,
        '<c a="' * 50_000,
        "<doc " + " " * 500_000,
        "<" * 500_000,
    ],
    ids=range(5),
)
def test_endless_tags_of_mednlp_are_text(body: str, tmp_path: Path) -> None:
    """What never becomes a tag is text, found out in linear time."""
    (tmp_path / "a.txt").write_text(body, "utf-8")
    (record,) = read(tmp_path, format="mednlp")
    assert record.document.text == body


HOSTILE = {
    "a.rtf": ["{\\rtf1 " + "{\\b x}" * 50_000 + "}", "{\\rtf1" + "\\u1?" * 50_000 + "}"],
    "a.html": [
        "<style>" + "a:" * 50_000 + "</style>x",
        "<style>" + "a" * 200_000 + "</style>x",
        "<p " + "a=b " * 20_000 + ">x",
        "<!--" * 20_000 + "x",
        "<" * 20_000,
    ],
    "a.xml": [
        '<ClinicalDocument xmlns="urn:hl7-org:v3"><title '
        + " ".join(f'a{n}="Anna b"' for n in range(5_000))
        + "/></ClinicalDocument>",
        '<ClinicalDocument xmlns="urn:hl7-org:v3">'
        + "<title>a b</title>" * 20_000
        + "</ClinicalDocument>",
    ],
    "a.hl7": [
        "MSH|^~\\&|A\rNTE|1||" + "\\" * 100_000 + "\r",
        "MSH|^~\\&|A\rPID|1||" + "^" * 20_000 + "\r",
        "MSH|^~\\&|A\rPID|1||||||||" + "~" * 20_000 + "\r",
    ],
}


@pytest.mark.parametrize(
    ("name", "content"),
    [(name, content) for name, contents in HOSTILE.items() for content in contents],
    ids=[f"{name}-{n}" for name, contents in HOSTILE.items() for n in range(len(contents))],
)
def test_long_documents_take_linear_time(name: str, content: str, tmp_path: Path) -> None:
    """Repetitions that would make a careless pattern or loop quadratic are read or withheld."""
    file = tmp_path / name
    file.write_text(content, "utf-8")
    log = ReadLog()
    with contextlib.suppress(InputError):  # a file without a record
        list(read(file, log=log))
    assert not any("a b" in str(problem) for problem in log.problems)
