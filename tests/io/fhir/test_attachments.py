from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.io.fhir.conftest import RewriteResource

MASKED = {
    "extension": [
        {
            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
            "valueCode": "masked",
        }
    ]
}


def coded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def document(**attachment: Any) -> dict[str, Any]:
    return {
        "resourceType": "DocumentReference",
        "id": "d",
        "content": [{"attachment": attachment}],
    }


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [
        ("text/plain", "utf-8"),
        ("text/plain; charset=UTF-8", "utf-8"),
        ("text/plain;charset=iso-8859-1", "latin-1"),
        ('Text/Markdown; charset="shift_jis"', "shift_jis"),
        ("text/plain; charset=windows-1252", "cp1252"),
        ("text/plain; charset=us-ascii", "ascii"),
        ("text/plain; charset=EUC-JP", "euc_jp"),
    ],
)
def test_text_is_masked_with_size_and_hash(
    resource: RewriteResource, kind: str, encoding: str
) -> None:
    """Text in base64 is masked in its own encoding; size and hash are those of the new text."""
    old, new = "Anna: ok".encode(encoding), "Eva: ok".encode(encoding)
    result, written = resource(
        document(contentType=kind, data=coded(old), size=len(old), hash=coded(b"x"))
    )
    assert written.texts == {"DocumentReference/d:content[0].attachment.data": "Anna: ok"}
    assert result["content"][0]["attachment"] == {
        "contentType": kind,
        "data": coded(new),
        "size": len(new),
        "hash": coded(hashlib.sha1(new).digest()),  # noqa: S324 - FHIR says so
    }


def test_html_is_masked_between_its_tags(resource: RewriteResource) -> None:
    """HTML is masked like a narrative."""
    result, written = resource(
        document(contentType="text/html", data=coded(b"<p title='Anna'>Anna &lt; 5<br>x</p>"))
    )
    assert list(written.texts.values()) == ["Anna < 5\nx\nAnna"]
    data = base64.b64decode(result["content"][0]["attachment"]["data"])
    assert data == b"<p title='Eva'>Eva &lt; 5<br>x</p>"


def test_rtf_is_masked_between_its_control_words(resource: RewriteResource) -> None:
    """RTF is masked as one text; its properties and pictures are taken out."""
    source = rb"{\rtf1{\info{\author Anna}}{\header Anna}{\b An}na{\pict 00}\par x}"
    result, written = resource(document(contentType="application/rtf", data=coded(source)))
    assert list(written.texts.values()) == ["Anna\nx\nAnna"]
    data = base64.b64decode(result["content"][0]["attachment"]["data"])
    assert data == rb"{\rtf1{\header Eva}{\b Eva}\par x}"


def test_resource_binary(resource: RewriteResource) -> None:
    """The resource Binary is an attachment, too."""
    result, _ = resource(
        {"resourceType": "Binary", "id": "b", "contentType": "text/plain", "data": coded(b"Anna")}
    )
    assert base64.b64decode(result["data"]) == b"Eva"


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("application/pdf", coded(b"%PDF"), "of type application/pdf"),
        ("text/rtf", coded(b"{\\rtf1 Zebrowski"), "groups are not closed"),
        ("text/rtf", coded(b"Zebrowski"), "not RTF"),
        ("text/xml", coded(b"<a>Zebrowski</a>"), "of type text/xml"),
        ("image/png", coded(b"\x89PNG"), "of type image/png"),
        ("text/plain", coded(b"Zebrowski \xff"), "not valid utf-8"),
        ("text/plain", coded("Zebrowski".encode("utf-16-le")), "not valid utf-8"),
        ("text/plain", "Zebrowski!", "not base64"),
        ("text/plain; charset=Zebrowski", coded(b"a"), "unknown encoding"),
        *(
            (f"text/plain; charset={name}", coded(b"Zebrowski-"), "unknown encoding")
            for name in ("base64", "undefined", "punycode", "idna", "unicode_escape", "cp037")
        ),
        ("text/plain; charset=utf-16", coded(b"Zebrowski"), "not valid utf-16"),
        ("text/plain; charset=utf-16le", coded(b"Zebrowski."), "not valid utf-16-le"),
    ],
)
def test_other_data_are_taken_out(
    resource: RewriteResource, kind: str, data: str, reason: str
) -> None:
    """What cannot be masked is taken out, marked and reported; the rest of the resource stays."""
    result, written = resource(
        document(contentType=kind, size=4, data=data, hash=coded(b"x"), title="note")
    )
    assert result["content"][0]["attachment"] == {
        "contentType": kind,
        "_data": MASKED,
        "title": "note",
    }
    (error,) = written.errors
    assert reason in error.reason
    assert error.record == "DocumentReference/d:content[0].attachment.data"
    assert error.line == 1
    assert "Zebrowski" not in str(error)


def test_type_that_is_none(resource: RewriteResource) -> None:
    """What stands in the place of a type of content may be anything: it is taken out too."""
    result, written = resource(document(contentType="Zebrowski", data=coded(b"a")))
    assert result["content"][0]["attachment"] == {"_contentType": MASKED, "_data": MASKED}
    assert not any("Zebrowski" in str(error) for error in written.errors)


def test_unnamed_bytes_are_taken_out(resource: RewriteResource) -> None:
    """Bytes in an extension are taken out, numbers of a measurement are not."""
    sampled = {"origin": {"value": 0}, "period": 10, "dimensions": 1, "data": "1 2 3"}
    result, written = resource(
        {
            "resourceType": "Observation",
            "extension": [{"url": "http://x.org/e", "valueBase64Binary": "AAAA"}],
            "valueSampledData": sampled,
        }
    )
    assert result["extension"] == [{"url": "http://x.org/e", "_valueBase64Binary": MASKED}]
    assert result["valueSampledData"] == sampled
    assert len(written.errors) == 1


def test_letters_that_the_encoding_lacks(resource: RewriteResource) -> None:
    """A new text that the attachment's encoding cannot hold is an error of the record."""
    data = document(contentType="text/plain; charset=latin-1", data=coded(b"Anna"))
    with pytest.raises(Exception, match="cannot encode the new text"):
        resource(data, lambda _: "山田")
