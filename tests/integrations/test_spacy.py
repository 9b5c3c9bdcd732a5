"""The component of spaCy, in blank pipelines: no model is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.requirements import needs

import veil

try:
    import spacy

    from veil.integrations import spacy as component  # noqa: F401 - adds the factory "veil"
except (ImportError, veil.InputError):
    pytestmark = pytest.mark.usefixtures("spacy_is_installed")

if TYPE_CHECKING:
    from pathlib import Path

RULES: dict[str, Any] = {"model": "rules"}
HALE = "Mr. John Hale was seen on 3/5/2019."
TEXTS = {
    "en": HALE,
    "es": "Paciente: María García López, nacida el 12/03/1948 en Toledo.",
    "sv": "Anna Lindgren söker den 12/4-23.",
}


@pytest.fixture(scope="module")
def spacy_is_installed() -> None:
    needs("spaCy is not installed")


def pipeline(blank: str = "en", **config: Any) -> Any:
    nlp = spacy.blank(blank)
    nlp.add_pipe("veil", config={**RULES, **config})
    return nlp


@pytest.mark.parametrize("lang", TEXTS)
def test_spans_are_those_of_veil(lang: str) -> None:
    """Spans have the labels and the exact offsets that Veil finds, in the pipeline's language."""
    text = TEXTS[lang]
    doc = pipeline(lang)(text)
    expected = tuple(veil.Veil(lang, model="rules").detect(text))
    assert expected
    assert doc._.veil_spans == expected
    found = doc.spans["veil"]
    assert [span.label_ for span in found] == [span.label for span in expected]
    for span, own in zip(found, expected, strict=True):
        assert span.start_char <= own.start
        assert own.end <= span.end_char
        assert (span._.veil_score, span._.veil_source) == (own.score, own.source)
    assert text == doc.text


def test_offsets_inside_tokens() -> None:
    """A span of spaCy covers whole tokens; the extension has the offsets in the text."""
    text = "🙂 phone(555-123-4567)x"
    doc = pipeline()(text)
    (own,) = doc._.veil_spans
    assert text[own.start : own.end] == "555-123-4567"
    assert "555-123-4567" in doc.spans["veil"][0].text


def test_a_language_of_the_text() -> None:
    """In a pipeline without a language, the language of each text is identified or given."""
    nlp = pipeline("xx")
    assert [span.label for span in nlp(HALE)._.veil_spans] == ["PATIENT", "DATE"]
    text = "患者は山田太郎様、令和3年5月6日に来院。"
    found = pipeline("xx", lang="ja")(text)._.veil_spans
    assert "山田太郎" in [text[span.start : span.end] for span in found]


def test_entities() -> None:
    """Entities of other components stay unless Veil finds something there."""
    nlp = spacy.blank("en")
    ruler: Any = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(
        [{"label": "VERB", "pattern": "seen"}, {"label": "WRONG", "pattern": "Hale was"}]
    )
    nlp.add_pipe("veil", config={**RULES, "set_ents": True})
    ents = [(ent.text, ent.label_) for ent in nlp(HALE).ents]
    assert ents == [("John Hale", "PATIENT"), ("seen", "VERB"), ("3/5/2019", "DATE")]


def test_masked_texts(tmp_path: Path) -> None:
    """With a key the texts of a patient are masked as `veil.Veil` masks them."""
    key = tmp_path / "my.key"
    key.write_text("a key for the tests of spaCy")
    nlp = pipeline(mask=True, policy="surrogate", key_file=str(key))
    doc = nlp.make_doc(HALE)
    doc._.veil_patient = "17"
    own = veil.Veil("en", policy="surrogate", key=key, model="rules")
    assert nlp(doc)._.veil_masked == own.mask(HALE, patient="17").text
    assert pipeline()(HALE)._.veil_masked is None


def test_batches() -> None:
    """Documents in batches have the spans that they have one by one, in order."""
    nlp = pipeline()
    texts = [HALE, "", "No finding.", TEXTS["es"]] * 3
    found = [doc._.veil_spans for doc in nlp.pipe(texts, batch_size=5)]
    assert found == [nlp(text)._.veil_spans for text in texts]


def test_texts_that_cannot_be_processed() -> None:
    """An error is raised or given to the handler; a document that failed has no spans at all."""
    french = "Le patient est venu avec sa femme pour une douleur de la jambe gauche depuis hier."
    nlp = pipeline("xx")
    with pytest.raises(veil.RecordError, match="French"):
        nlp(french)
    with pytest.raises(veil.RecordError, match="French"):
        list(nlp.pipe([HALE, french]))
    errors: list[str] = []
    nlp.set_error_handler(lambda name, pipe, docs, error: errors.append(str(error)))
    assert [doc.text for doc in nlp.pipe([french, HALE])] == [HALE]
    assert nlp(french)._.veil_spans is None
    assert len(errors) == 2
    assert "femme" not in str(errors)


def test_pipelines_are_saved(tmp_path: Path) -> None:
    """A pipeline with the component can be saved and loaded, with its configuration."""
    pipeline(spans_key="phi").to_disk(tmp_path / "model")
    doc = spacy.load(tmp_path / "model")(HALE)
    assert [span.text for span in doc.spans["phi"]] == ["John Hale", "3/5/2019"]


def test_unknown_options_are_refused() -> None:
    """An unknown policy or option is an error when the component is added."""
    with pytest.raises(veil.VeilError, match="unknown policy"):
        pipeline(policy="none such")
    with pytest.raises(Exception, match="none_such"):
        pipeline(none_such=1)
