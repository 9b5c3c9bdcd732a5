"""RTF: the text of groups is masked, control words stay, and other data go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil import Document, RecordError, mask_files
from veil.io import FORMATS, Item, TableOptions, find_format
from veil.io.rtf.documents import _Reader
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable

RTF = FORMATS.get("rtf")
SAMPLE = Path(__file__).parents[2] / "examples" / "formats" / "letter.rtf"
HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}{\f1\fcharset128 Mincho;}"
    r"{\f2\fcharset204 Cyr;}}"
)


def make(folder: Path, body: str) -> Path:
    file = folder / "a.rtf"
    file.write_bytes(f"{HEAD}{body}}}".encode("latin-1"))
    return file


def outcomes(file: Path) -> tuple[Item, list[RecordError]]:
    item, *errors = RTF.items(file, TableOptions())
    assert isinstance(item, Item)
    return item, [each for each in errors if isinstance(each, RecordError)]


def documents(file: Path) -> dict[str, str]:
    return {doc.id: doc.text for doc in outcomes(file)[0].documents}


def rewritten(file: Path, change: Callable[[Document], str]) -> str:
    item, _ = outcomes(file)
    target = file.with_name("b.rtf")
    with RTF.writer(file, target, TableOptions()) as writer:
        writer.write(item, [change(doc) for doc in item.documents])
    return target.read_bytes().decode("latin-1").removeprefix(HEAD).removesuffix("}")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"Anna \b Berg\b0 , 63\par next", "Anna Berg, 63\nnext"),
        (r"{\b Lind}gren", "Lindgren"),
        (r"Bj\'f6rn \u214?berg \u-10179?\u-8704?", "Björn Öberg 😀"),
        (r"\uc2\u214\'3f\'3fberg{\uc0\u229 sa}", "Öbergåsa"),
        (r"{\f1 \'8e\'52\'93\'63\'89\'d4} \'e5", "山田花 å"),
        (r"{\f1 \'83\'5cA \'83\\x}", "ソA ソx"),
        (r"{\f2 \'c8\'e2\'e0\'ed}", "Иван"),
        (r"a\~b\_c\-d\{e\}\\f", "a\u00a0b\u2011cd{e}\\f"),
        ("Lind\r\ngren", "Lindgren"),
        (r"A\tab B\line C\cell D\row E\page F", "A\tB\nC\tD\nE\nF"),
        (r"\lquote x\rquote  \endash  y", "‘x’ – y"),
        (r"Seen{\footnote by Anna} today", "Seen today\nby Anna"),
        (r"{\header Head}{\*\shppict{\shp{\*\shpinst{\shptxt Box}}}}x", "x\nHead\nBox"),
    ],
)
def test_text_is_read_as_it_is_shown(body: str, text: str, tmp_path: Path) -> None:
    """Characters in any writing are letters, and what is beside the body follows it."""
    file = make(tmp_path, body)
    assert documents(file)["a"] == text
    assert rewritten(file, lambda doc: doc.text) == body


@pytest.mark.parametrize(
    ("body", "old", "new", "expected"),
    [
        (r"Mrs {\b Lind}gren came", "Lindgren", "Ek", r"Mrs {\b Ek} came"),
        (r"x \b(Anna)", "(Anna)", "Eva", r"x \b Eva"),
        (r"Anna", "Anna", "Åsa {1}", r"\u197?sa \{1\}"),
        (r"{\uc0 Anna}", "Anna", "Åsa", r"{\uc0 \u197 sa}"),
        (r"Anna", "Anna", "😀", r"\u-10179?\u-8704?"),
        (r"Anna\par Berg", "Anna\nBerg", "[P]", r"[P]\par "),
    ],
)
def test_new_text_is_escaped(body: str, old: str, new: str, expected: str, tmp_path: Path) -> None:
    """New words stand where the old ones stood, written so that any reader shows them."""
    file = make(tmp_path, body)
    assert rewritten(file, lambda doc: doc.text.replace(old, new)) == expected


def test_properties_and_fields_are_apart(tmp_path: Path) -> None:
    """Authors are names as a whole, other properties and codes of fields are searched."""
    file = make(
        tmp_path,
        r"{\info{\author Anna Berg}{\title On Bo}{\creatim\yr2024\mo3\dy12}{\company Clinic}}"
        r'{\field{\*\fldinst HYPERLINK "mailto:a@b.se"}{\fldrslt mail}}{\*\atnauthor Eva}',
    )
    item, errors = outcomes(file)
    assert {doc.id: (doc.text, doc.meta.get("whole")) for doc in item.documents} == {
        "a": ("mail", None),
        "a:author": ("Anna Berg", "NAME"),
        "a:title": ("On Bo", None),
        "a:company": ("Clinic", "HOSPITAL"),
        "a:fldinst": ('HYPERLINK "mailto:a@b.se"', None),
        "a:atnauthor": ("Eva", "NAME"),
    }
    assert errors == []
    assert "2024" not in rewritten(file, lambda doc: doc.text)


def test_groups_that_word_writes_are_known(tmp_path: Path) -> None:
    """Tables, shapes, form fields and themes of Word stay; their texts are searched."""
    body = (
        r"{\*\themedata 504b}{\*\rsidtbl \rsid1}{\*\listtable{\list{\listname ;}}}"
        r"{\*\pnseclvl1\pnucrm{\pntxta .}}{\*\wgrffmtfilter 013f}{\mmathPr\mdefJc1}"
        r"{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\sp{\sn wzDescription}{\sv Anna}}"
        r"{\shptxt Box}}}{\field{\*\fldinst FORMTEXT {\*\formfield{\fftype0{\*\ffname T1}"
        r"{\*\ffdeftext Bo}}}}{\fldrslt Eva}}{\*\userprops{\propname P}\proptype30{\staticval V}}x"
    )
    file = make(tmp_path, body)
    item, errors = outcomes(file)
    assert errors == []
    assert {doc.id.partition(":")[2]: doc.text for doc in item.documents} == {
        "": "Evax\nBox",
        "sv": "Anna",
        "fldinst": "FORMTEXT ",
        "ffname": "T1",
        "ffdeftext": "Bo",
        "propname": "P",
        "staticval": "V",
    }
    assert rewritten(file, lambda doc: doc.text) == body


@pytest.mark.parametrize(
    "body",
    [
        r"{\pict\pngblip 416e6e61}x",
        r"{\object{\*\objdata 416e6e61}}x",
        r"{\*\anything Anna}x",
        r"{\*\anything{\deeper Anna}{\pict 00}}x",
    ],
)
def test_other_data_are_left_out(body: str, tmp_path: Path) -> None:
    """Pictures, objects and groups that Veil does not know go, and are reported."""
    file = make(tmp_path, body)
    _, errors = outcomes(file)
    assert "left out: 1 " in str(errors[0])
    assert rewritten(file, lambda doc: doc.text) == "x"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"Anna", "not RTF"),
        (rb"{\rtf1 Anna", "not closed"),
        (rb"{\rtf1 Anna}}", "extra text after|never opened"),
        (rb"{\rtf1 Anna} Berg", "extra text after"),
        (rb"{\rtf1\ansicpg99 Anna}", "code page"),
        (rb"{\rtf1 \'81 Anna}", "not valid in cp1252"),
        (rb"{\rtf1 \u-10179? Anna}", "surrogate"),
        (b"{\\rtf1" + b"{" * 600 + b"}" * 601, "nested"),
    ],
)
def test_malformed_files_are_withheld(data: bytes, reason: str, tmp_path: Path) -> None:
    """What is no sound RTF is withheld, without a word of it in the message."""
    file = tmp_path / "a.rtf"
    file.write_bytes(data)
    with pytest.raises(RecordError, match=reason) as caught:
        list(RTF.items(file, TableOptions()))
    assert "Anna" not in str(caught.value)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_any_text_is_read_again(text: str) -> None:
    """Whatever is written is read again."""
    reader = _Reader(f"{HEAD}Anna}}")
    reader.read()
    (found,) = reader.result()
    again = _Reader(reader.canvas.woven([found.text]).render([text]))
    again.read()
    read = [each.text.text for each in again.result()]
    assert read == ([text] if text.strip() else [])


def test_sample_is_masked_for_another_reader(tmp_path: Path) -> None:
    """The masked sample has other people for another program, and the same control words."""
    striprtf: Any = pytest.importorskip("striprtf.striprtf")
    masked = tmp_path / "masked.rtf"
    mask_files(SAMPLE, masked, policy="surrogate", key=Key(bytes(range(32))), lang="en")
    raw = masked.read_bytes().decode("ascii")
    text = striprtf.rtf_to_text(raw)
    assert "Discharge letter" in text
    assert "118" in text
    for word in ("Lindgren", "Anna", "Erik", "Okafor", "4711899", "555-0187", "Harbour", "Ek"):
        assert word not in raw.replace("Example", "")
    controls = (r"\trowd", r"\cell", r"\par", r"\b ", r"\i ", r"\field")
    before = SAMPLE.read_bytes().decode("ascii")
    assert [raw.count(each) for each in controls] == [before.count(each) for each in controls]
    assert raw.count("{") == before.count("{") - 1  # without the time of creation


def test_files_are_recognised(tmp_path: Path) -> None:
    """RTF is recognised by its beginning, also where it is called .doc."""
    copy = tmp_path / "letter.doc"
    copy.write_bytes(SAMPLE.read_bytes())
    assert find_format(SAMPLE) is RTF
    assert find_format(copy) is RTF
