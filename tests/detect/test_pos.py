"""Parts of speech, as columns that models see."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from veil.core.errors import UnknownNameError
from veil.detect.crf import LinearDetector, LinearRecipe
from veil.detect.linear.layout import lay_out
from veil.detect.linear.model import load_model
from veil.detect.linear.pos import PosTagger, pos_languages, pos_tagger
from veil.features.columns import value_of
from veil.features.forms import Resources
from veil.features.stream import FormTable, Stream
from veil.languages.en.pos import fine_tags
from veil.languages.es.pos import fine_tags as spanish_tags
from veil.models import describe, find_model

if TYPE_CHECKING:
    from pathlib import Path

    from veil.core.document import Record


def stream_of(text: str, tokens: str, sequences: str = "sentences", *wanted: str) -> Stream:
    layout = lay_out([text], tokens=tokens, sequences=sequences, wanted=wanted)
    return layout.stream(FormTable({}, Resources(tokens.partition("-")[0])))


def column(name: str, text: str, tokens: str, sequences: str = "sentences") -> list[str | None]:
    stream = stream_of(text, tokens, sequences, name)
    return [value_of(int(key)) for key in stream.extras[name][stream.words]]


SIMPLE = [
    ("en", "The old man walked slowly .", "DET ADJ NOUN VERB ADV PUNCT"),
    ("en", "She saw Mary in London", "PRON VERB PROPN ADP PROPN"),
    ("es", "El paciente ingresa en el hospital .", "DET NOUN VERB ADP DET NOUN PUNCT"),
    ("es", "María vive en Madrid desde 1998", "PROPN VERB ADP PROPN ADP NUM"),
    ("es", "El dolor del niño", "DET NOUN ADP NOUN"),
    ("sv", "Hon bor i Stockholm .", "PRON VERB ADP PROPN PUNCT"),
    ("sv", "Den gamla mannen fick 12 tabletter", "DET ADJ NOUN VERB NUM NOUN"),
]


@pytest.mark.parametrize("sequences", ["lines", "sentences"])
@pytest.mark.parametrize(("language", "text", "tags"), SIMPLE)
def test_simple_sentences(language: str, text: str, tags: str, sequences: str) -> None:
    """Plain sentences get the tags that a grammar gives them, in lines and in sentences."""
    assert column("pos", text, language, sequences) == tags.split()


def test_short_tags() -> None:
    """A short tag is the first two letters."""
    assert column("short-pos", "El paciente ingresa", "es") == ["DE", "NO", "VE"]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("The old man walked slowly .", "DT JJ NN VBD RB ."),
        ("She saw Mary in London", "PRP VBD NNP IN NNP"),
        ("He was admitted with chest pains .", "PRP VBD VBN IN NN NNS ."),
        ("She wants to go and will return", "PRP VBZ TO VB CC MD VB"),
        ("The largest of 12 lesions is growing", "DT JJS IN CD NNS VBZ VBG"),
    ],
)
def test_fine_tags_are_those_of_the_penn_treebank(text: str, tags: str) -> None:
    """English tags tell number, tense and degree, from words, endings and neighbours."""
    assert column("fine-pos", text, "en") == tags.split()


@pytest.mark.parametrize(
    ("words", "tags", "expected"),
    [
        ("her arm hurt her", "PRON NOUN VERB PRON", "PRP$ NN VBD PRP"),
        ("they have always walked", "PRON AUX ADV VERB", "PRP VBP RB VBN"),
        ("patients walk , not run", "NOUN VERB PUNCT PART VERB", "NNS VBP , RB VBP"),
        ("Take two tablets", "VERB NUM NOUN", "VB CD NNS"),
        ("diabetes and men", "NOUN CCONJ NOUN", "NN CC NNS"),
        ("whose $ 5 ?", "PRON SYM NUM PUNCT", "WP$ $ CD ."),
        ("other , better", "ADJ PUNCT ADJ", "JJ , JJR"),
    ],
)
def test_fine_tags_of_given_parts_of_speech(words: str, tags: str, expected: str) -> None:
    """Lists, endings and neighbours decide within a universal tag."""
    assert fine_tags(words.split(), tags.split()) == expected.split()


def test_languages_without_finer_tags_keep_the_universal_ones() -> None:
    """Spanish has no finer tags; Japanese has its analyser's."""
    assert column("fine-pos", "Patienten kom", "sv") == ["NOUN", "VERB"]
    assert column("fine-pos", "東京に", "ja") == ["名詞-固有名詞", "助詞-格助詞"]


def test_tokens_of_a_variant() -> None:
    """The tokens of wi-deid-2015 are tagged by the tagger of English."""
    assert column("pos", "He came on 01/26/2098 .", "en-wi-deid-2015")[:3] == [
        "PRON",
        "VERB",
        "ADP",
    ]


def test_breaks_have_no_tag() -> None:
    """Padding and line ends are no words."""
    stream = stream_of("El paciente.\n\nFin", "es", "lines", "pos")
    assert (stream.extras["pos"][stream.breaks] == -1).all()
    assert (stream.extras["pos"][stream.words] != -1).all()


def test_tags_do_not_depend_on_the_batch() -> None:
    """A text is tagged the same alone and among others."""
    texts = [text for language, text, _ in SIMPLE if language == "es"]
    together = lay_out(texts, tokens="es", sequences="sentences", wanted=("pos",))
    stream = together.stream(FormTable({}, Resources("es")))
    alone = [tag for text in texts for tag in column("pos", text, "es")]
    assert [value_of(int(key)) for key in stream.extras["pos"][stream.words]] == alone


def test_japanese_morphemes() -> None:
    """Japanese parts of speech are ipadic's; there is no user dictionary unless one is given."""
    assert column("pos", "患者は東京に住む。", "ja") == "名詞 助詞 名詞 助詞 動詞 記号".split()
    assert column("pos-detail", "患者は東京に", "ja") == "一般 係助詞 固有名詞 格助詞".split()
    stream = stream_of("患者は", "ja", "lines", "in-user-dictionary")
    assert stream.extras["in-user-dictionary"][stream.words].tolist() == [0, 0]


def test_an_unknown_language_is_an_error() -> None:
    """A language without a tagger has no tags, and the error names those that have one."""
    with pytest.raises(UnknownNameError, match="en, es, sv"):
        pos_tagger("fr")


@pytest.mark.parametrize("language", pos_languages())
def test_models_are_small_and_have_cards(language: str) -> None:
    """Each tagger is below a megabyte and says its data, licence, score and limits."""
    info = describe(find_model(f"pos-{language}"))
    assert info.size < 2_000_000
    assert info.kind == "pos"
    assert info.card.keys() == {"data", "licence", "score", "limits"}
    assert info.card["licence"] == "CC BY-SA 4.0"


def test_a_copied_folder_is_the_same_tagger(tmp_path: Path) -> None:
    """A model folder of kind "pos" keeps its plain tags when it is read again."""
    folder = tmp_path / "pos-sv"
    shutil.copytree(find_model("pos-sv"), folder)
    model = load_model(folder)
    assert PosTagger(model).tags == pos_tagger("sv").tags
    assert "NOUN" in model.tagset.tags


def test_accuracy_on_held_out_text(corpora: Path) -> None:
    """On text of its own kind the Spanish tagger is right at more than nine words of ten."""
    lines = (corpora / "ud-pos" / "es-dev.tsv").read_text("utf-8").split("\n")
    pairs = [line.split("\t") for line in lines[:4000] if "\t" in line]
    text = " ".join(word for word, _ in pairs)
    layout = lay_out([text], tokens="es", sequences="lines", wanted=("pos",))
    stream = layout.stream(FormTable({}, Resources("es")))
    found = {
        int(stream.start[word]): value_of(int(stream.extras["pos"][word])) for word in stream.words
    }
    place, right = 0, 0
    for word, tag in pairs:
        right += found.get(place) == tag
        place += len(word) + 1
    assert right > 0.9 * len(pairs)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("El paciente ingresó en julio .", "da0000 nc0s000 vmis000 sp000 w fp"),
        ("La Dra. Ruiz no había visto a su hija", None),
        ("se les realizarán pruebas", "p0000000 pp000000 vmif000 nc0p000"),
        ("fue operada , siendo dada de alta", "vsis000 vmp0000 fc vsg0000 vmp0000 sp000 nc0s000"),
    ],
)
def test_spanish_tags_are_of_the_eagles_kind(text: str, tags: str | None) -> None:
    """Universal tags, listed words and endings give the reduced tags of AnCora."""
    found = column("fine-pos", text, "es")
    if tags is None:
        assert set(found) >= {"da0000", "np00000", "rn", "vaii000", "vmp0000", "dp0000"}
    else:
        assert found == tags.split()


def test_short_tags_keep_parts_of_speech_apart() -> None:
    """Two letters tell proper nouns from pronouns, and adjectives from adverbs."""
    text = "Ella vive en Madrid cerca del viejo puente"
    pairs = dict(zip(text.split(), column("short-fine-pos", text, "es"), strict=True))
    assert (pairs["Ella"], pairs["Madrid"]) == ("pp", "np")
    assert (pairs["cerca"], pairs["viejo"], pairs["en"]) == ("rg", "aq", "sp")


@pytest.mark.parametrize(
    ("word", "tag"),
    [
        *(("hablar", "vmn0000"), ("decirle", "vmn0000"), ("hablando", "vmg0000")),
        *(("hablado", "vmp0000"), ("escrito", "vmp0000"), ("hablará", "vmif000")),
        *(("hablaría", "vmic000"), ("hablaba", "vmii000"), ("comía", "vmii000")),
        *(("hablara", "vmsi000"), ("comiese", "vmsi000"), ("habló", "vmis000")),
        *(("comieron", "vmis000"), ("hizo", "vmis000"), ("habla", "vmip000")),
        *(("es", "vsip000"), ("ha", "vaip000"), ("sea", "vssp000"), ("habiendo", "vag0000")),
    ],
)
def test_forms_of_spanish_verbs(word: str, tag: str) -> None:
    """Mood and tense are read from endings and from lists of irregular forms."""
    assert spanish_tags([word], ["VERB"]) == [tag]


@pytest.mark.parametrize("group", ["aramaki-local", "wi-lexical", "cotik-crf"])
def test_detectors_learn_with_parts_of_speech(group: str, toy_records: list[Record]) -> None:
    """The groups of the papers that look at parts of speech train and find names."""
    recipe = LinearRecipe(
        name="toy",
        kind="crf",
        language="es",
        groups=("bias", group),
        trainer="dropout",
        parameters={"epochs": 4},
    )
    detector = LinearDetector.fit(recipe, toy_records)
    assert detector.detect(toy_records[0].document)
