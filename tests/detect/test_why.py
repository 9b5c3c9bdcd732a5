"""Why something was found or missed: each cause on a text of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import veil
from veil import Document, InputError, RecordError
from veil.detect.assembly import DetectionOptions, default_pipeline, high_bias, load_pipeline
from veil.detect.linear.explain import explain_silence, merged
from veil.detect.why import explain_missed, parts_of

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Record
    from veil.detect.crf import LinearDetector
    from veil.detect.pipeline import DetectionPipeline
    from veil.detect.why import Why


@pytest.fixture(scope="module")
def pipeline() -> DetectionPipeline:
    """Veil's own for every language."""
    return default_pipeline()


def why(pipeline: DetectionPipeline, text: str, part: str, lang: str) -> Why:
    start = text.index(part)
    return explain_missed(Document("r", text, lang), start, start + len(part), pipeline=pipeline)


NAMES = {
    "en": ("Seen by Dr. Harlow today.", "Harlow"),
    "es": ("Paciente: Ana Ruiz, de Lugo.", "Ana Ruiz"),
    "sv": ("Läkare Anna Lindberg ringde.", "Anna Lindberg"),
    "ja": ("患者は山田太郎、45歳男性。", "山田太郎"),
}


@pytest.mark.parametrize("lang", NAMES)
def test_a_threshold_too_high(lang: str) -> None:
    """The closest label comes with its probability, and the bias that is named does find it."""
    text, part = NAMES[lang]
    found = why(load_pipeline(_own(lang), bias=30.0), text, part, lang)
    assert found.span is None
    assert found.causes == ("threshold",)
    assert found.bias == 30.0
    assert found.found_at is not None
    closest = found.candidates[0]
    assert 0.0 < closest.probability < 0.6
    assert closest.gap > 0
    said = " ".join(found.sentences)
    assert f"{closest.label} came closest" in said
    assert f"--recall high, or --bias {found.found_at:g}" in said
    lower = load_pipeline(_own(lang), bias=found.found_at)
    start = text.index(part)
    assert any(
        span.start < start + len(part) and start < span.end
        for span in lower.detect(Document("r", text, lang))
    )
    assert all(not reason.text.startswith(reason.feature) for reason in found.reasons)


def test_a_model_that_is_silent() -> None:
    """A rule found it, but the model, which was trained on its label, did not."""
    text, part = NAMES["en"]
    found = why(default_pipeline("en", bias=30.0), text, part, "en")
    assert found.causes == ("model's silence", "threshold")
    assert found.sentences[0].startswith("The rule 'en/")
    assert "but the model veil-en, which was trained on this label" in found.sentences[0]


def _own(lang: str) -> Path:
    (info,) = DetectionOptions(lang=lang).models()
    return info.folder


@pytest.mark.parametrize(
    ("lang", "text", "part"),
    [
        ("en", "History of Parkinson disease.", "Parkinson"),
        ("es", "Enfermedad de Crohn.", "Crohn"),
        ("sv", "Vikt 80 kg.", "80"),
    ],
)
def test_a_clinical_value(lang: str, text: str, part: str, pipeline: DetectionPipeline) -> None:
    """What lies in a clinical value is named with the rule that recognised it."""
    found = why(pipeline, text, part, lang)
    assert found.causes[0] == "clinical value"
    assert found.sentences[0].startswith(
        f"It lies in a clinical value, which is never masked: the rule '{lang}/"
    )


@pytest.fixture(scope="module")
def own_rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rule for project codes, and a shield that keeps some of them readable."""
    folder = tmp_path_factory.mktemp("rules")
    (folder / "own.toml").write_text(
        """
[[rule]]
name = "project"
label = "IDNUM"
pattern = "PRJ-[A-Z]+"

[[rule]]
name = "harmless-project"
about = "Projects that are published"
shields = "ID"
pattern = "PRJ-OPEN"
""",
        "utf-8",
    )
    return folder


def test_a_shield(own_rules: Path) -> None:
    """The rule that matched and the shield that blocked it are both named."""
    pipeline = DetectionOptions(lang="en", model="rules", own_rules=own_rules).load()
    found = why(pipeline, "Funded by PRJ-OPEN and PRJ-SECRET.", "PRJ-OPEN", "en")
    assert found.causes == ("shield",)
    assert found.sentences[0] == (
        "The rule 'en/project' found IDNUM, but the rule 'en/harmless-project' (Projects that "
        "are published) keeps such text readable."
    )
    other = why(pipeline, "Funded by PRJ-OPEN and PRJ-SECRET.", "PRJ-SECRET", "en")
    assert other.causes == ("found",)
    assert other.sentences[1] == "The rule 'en/project' found it."


def test_the_allow_list(own_rules: Path, tmp_path: Path) -> None:
    """What a rule found and a list of the user keeps readable is said."""
    allow = tmp_path / "allow.txt"
    allow.write_text("PRJ-KNOWN\n")
    options = DetectionOptions(lang="en", model="rules", own_rules=own_rules, allow=allow)
    found = why(options.load(), "Funded by PRJ-KNOWN.", "PRJ-KNOWN", "en")
    assert found.causes == ("allow list",)


@pytest.mark.parametrize(
    ("lang", "text", "part"),
    [
        ("en", "The chest is clear to auscultation bilaterally.", "bilaterally"),
        ("ja", "血圧は正常で、発熱はない。", "正常で"),
        ("sv", "Hjärta och lungor auskulteras utan anmärkning.", "och"),
        ("es", "Auscultación pulmonar normal sin crepitantes.", "sin"),
    ],
)
def test_what_nobody_saw(lang: str, text: str, part: str, pipeline: DetectionPipeline) -> None:
    """Without a rule and with a hopeless score, lists and rules of one's own are proposed."""
    found = why(pipeline, text, part, lang)
    assert found.causes == ("unseen",)
    assert found.found_at is None
    assert "--deny FILE" in found.sentences[-1]
    assert found.reasons


def test_what_was_found_is_said_to_be_found(pipeline: DetectionPipeline) -> None:
    """For a span that was found, it shows the detector and the reason."""
    text = "Seen by Dr. Harlow today."
    found = why(pipeline, text, "Harlow", "en")
    assert found.causes == ("found",)
    assert found.span
    assert found.span.label == "DOCTOR"
    assert "The model veil-en found it. Next came " in found.sentences[1]
    data = found.to_data(top=3)
    assert data["label"] == "DOCTOR"
    assert len(data["features"]) == 3
    assert any("'dr" in each["text"] for each in found.to_data(top=20)["features"])


def test_a_part_that_was_found(pipeline: DetectionPipeline) -> None:
    """Of a selection that is wider than the span, the rest is explained."""
    text = "Seen by Dr. Harlow for auscultation."
    found = why(pipeline, text, "Harlow for auscultation", "en")
    assert found.causes[0] == "partly found"
    assert found.sentences[0].startswith("A part of it was found (DOCTOR 12-18).")


def test_invisible_characters_are_mapped(pipeline: DetectionPipeline) -> None:
    """Offsets are those of the document, also where detectors read a normalised text."""
    text = "Se\u200ben to\u200bday, the chest was clear to auscultation."
    found = why(pipeline, text, "auscultation", "en")
    plain = why(pipeline, text.replace("\u200b", ""), "auscultation", "en")
    assert found.candidates[0].label == plain.candidates[0].label
    assert [each.text for each in merged(found.reasons)] == [
        each.text for each in merged(plain.reasons)
    ]


@pytest.mark.parametrize(("start", "end"), [(3, 3), (5, 2), (0, 99), (-1, 2)])
def test_wrong_offsets_are_refused(start: int, end: int, pipeline: DetectionPipeline) -> None:
    """A stretch outside the text is an error that names the length, and no text."""
    with pytest.raises(InputError, match="is no stretch of a text of 11 characters"):
        explain_missed(Document("r", "Ann Example", "en"), start, end, pipeline=pipeline)


def test_a_withheld_record_is_an_error(pipeline: DetectionPipeline) -> None:
    """What cannot be masked cannot be explained."""
    with pytest.raises(RecordError, match="no rules for its language"):
        explain_missed(Document("r", "text", "xx"), 0, 4, pipeline=pipeline)


def test_reasons_of_a_miss_add_up(
    toy_detector: LinearDetector, new_toy_records: list[Record]
) -> None:
    """All features together are the gap, the transitions apart, at every stretch."""
    text = new_toy_records[0].document.text
    silence = explain_silence(toy_detector, text, 0, 6)
    assert silence
    margins = sum(reason.margin for reason in silence.reasons)
    assert sum(reason.margin for reason in merged(silence.reasons)) == pytest.approx(margins)
    assert explain_silence(toy_detector, "a  b", 1, 3) is None


def test_parts_of_a_named_model(small_model: Path) -> None:
    """A model alone has no rules, and its labels are named as Veil does."""
    pipeline = load_pipeline(small_model)
    linear, rules, labels = parts_of(pipeline, "es")
    assert linear is not None
    assert (rules, labels) == (None, "meddocan")


def test_the_bias_of_high_recall_is_that_of_the_option() -> None:
    """The advice names what --recall high does."""
    (info,) = DetectionOptions(lang="en").models()
    linear, _, _ = parts_of(default_pipeline("en", recall="high"), "en")
    assert linear
    assert high_bias(info.bias, info.dial) == linear.outside
    assert high_bias(0.0, ()) is None


def test_high_recall_lowers_the_bias_even_of_a_model_that_has_it() -> None:
    """High recall is a step below the usual bias, and reaches 99.5 % of the characters."""
    dial = ((0.0, 0.991), (-1.0, 0.996), (-2.0, 0.997), (-6.0, 0.999))
    assert high_bias(0.0, dial) == -1.0
    assert high_bias(-1.0, dial) == -2.0
    assert high_bias(0.0, ((0.0, 0.5), (-4.0, 0.6), (-6.0, 0.999))) == -4.0


def test_the_public_name() -> None:
    """`veil.explain_missed` needs a document and two offsets, no more."""
    found = veil.explain_missed(Document("r", "The dose was raised.", "en"), 4, 8)
    assert found.span is None
