"""Train the part-of-speech taggers that come with Veil.

    python tools/train_pos.py --corpus FOLDER -o src/veil/models

FOLDER holds `en-train.tsv`, `en-dev.tsv` and so on: a word, a tab and its universal part of speech
on each line, an empty line between sentences, as made from Universal Dependencies (EWT, GSD,
Talbanken; CC BY-SA 4.0). The same corpus gives the same bytes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from veil.detect.linear.dropout import DropoutSettings, Examples, train_dropout
from veil.detect.linear.model import POS, LinearModel, Settings, load_model, save_model
from veil.detect.linear.pos import PosTagger, pos_languages
from veil.detect.linear.tags import PlainTags
from veil.detect.linear.training import sequences_of
from veil.features.forms import Resources
from veil.features.groups import feature_group
from veil.features.space import FeatureSpace, learn_forms, learn_positions
from veil.features.stream import FormTable, Stream, build_stream
from veil.languages import language

CORPORA = {
    "en": "Universal Dependencies, English EWT",
    "es": "Universal Dependencies, Spanish GSD",
    "sv": "Universal Dependencies, Swedish Talbanken",
}
SETTINGS = DropoutSettings(epochs=20, dropout=0.5, step=0.2)
GROUP = "pos-tagger"

Words = list[tuple[str, str]]

# Words that Universal Dependencies splits are joined again.
ENGLISH_ENDING = re.compile(r"n['’]t|['’](?:s|re|ve|ll|m|d)", re.IGNORECASE)
SPANISH_PRONOUNS = {"me", "te", "se", "lo", "la", "los", "las", "le", "les", "nos", "os"}
SPANISH_ENDING = re.compile(r"(?:[aeií]r|[ai]ndo|endo)$")


class Sample(NamedTuple):
    """Sentences as one text, with tokens as Veil cuts them and a tag for each."""

    text: str
    tokens: list[tuple[int, int]]
    sentences: list[tuple[int, int]]
    tags: list[str]

    def stream(self, table: FormTable) -> Stream:
        return build_stream([self.text], [self.tokens], table, sentences=[self.sentences])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    for code in pos_languages():
        folder = arguments.output / f"pos-{code}"
        train = read_sample(arguments.corpus / f"{code}-train.tsv", code)
        dev = read_sample(arguments.corpus / f"{code}-dev.tsv", code)
        model = train_model(train, code)
        save_model(model, folder, compact=True)
        known, accuracy, unknown = measure(PosTagger(load_model(folder)), train, dev)
        card = {
            "data": f"{CORPORA[code]}, training part: {len(train.tags)} tokens",
            "licence": "CC BY-SA 4.0",
            "score": f"accuracy {accuracy:.4f} on the development part ({len(dev.tags)} tokens "
            f"as Veil cuts them); {known:.4f} on known words, {unknown:.4f} on others",
            "limits": "trained on news, web pages and encyclopaedias, not on clinical notes; "
            "made as a feature for detectors, not for linguistic study",
        }
        save_model(model.with_settings(card=card), folder, compact=True)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{code}: {card['score']}; {size} bytes")


def read_sample(path: Path, code: str) -> Sample:
    """Read a file and cut its sentences into tokens again, as Veil does."""
    sample = Sample("", [], [], [])
    text = ""
    for block in path.read_text("utf-8").split("\n\n"):
        words = [tuple(line.split("\t")) for line in block.splitlines() if line]
        if words:
            sentence, tags = write_out(words, code)  # type: ignore[arg-type]
            cuts = language(code).tokens(sentence)
            start = len(text)
            sample.sentences.append((start, start + len(sentence)))
            for first, end in cuts:
                sample.tokens.append((start + first, start + end))
                sample.tags.append(tag_of(sentence[first:end], tags[first]))
            text += sentence + "\n"
    return sample._replace(text=text)


def write_out(words: Words, code: str) -> tuple[str, list[str]]:
    """Join words to a sentence as people write it; return the tag of each character too."""
    text = ""
    tags: list[str] = []
    if code == "es":
        words = join_spanish(words)
    for word, tag in words:
        if text and not (code == "en" and ENGLISH_ENDING.fullmatch(word)):
            text += " "
            tags.append("")
        text += word
        tags += [tag] * len(word)
    return text, tags


def join_spanish(words: Words) -> Words:
    """Join "de el" to "del" and "decir se" to "decirse"."""
    joined: Words = []
    for word, tag in words:
        last, last_tag = joined[-1] if joined else ("", "")
        if word == "el" and last.lower() in {"de", "a"} and last_tag == "ADP":
            joined[-1] = (last + "l", last_tag)
        elif tag == "PRON" and word in SPANISH_PRONOUNS and SPANISH_ENDING.search(last.lower()):
            stem = re.sub("ando$", "ándo", re.sub("endo$", "éndo", last))
            joined[-1] = (stem + word, last_tag)
        else:
            joined.append((word, tag))
    return joined


def tag_of(token: str, tag: str) -> str:
    """The tag of a token that may be a part of a word: "-" inside "x-ray" is not a noun."""
    is_mark = not any(map(str.isalnum, token))
    return "PUNCT" if is_mark and tag not in {"SYM", "PUNCT"} else tag


def train_model(train: Sample, code: str) -> LinearModel:
    channels = feature_group(GROUP)
    pieces = Counter(train.text[start:end] for start, end in train.tokens)
    resources = Resources(code)
    forms = learn_forms(channels, pieces, resources)
    space = FeatureSpace(channels, resources, forms, {})
    stream = train.stream(space.new_table())
    space = FeatureSpace(channels, resources, forms, learn_positions(channels, stream))
    tagset = PlainTags(sorted(set(train.tags)))
    first, length = sequences_of(stream, stream.words)
    tags = np.array([tagset.numbers[tag] for tag in train.tags], np.int32)
    examples = Examples(space.matrix(stream), tags, first, length, space.size, len(tagset))
    weights, chain = train_dropout(examples, SETTINGS)
    settings = Settings(f"pos-{code}", POS, code, code, "sentences")
    return LinearModel(settings, space, tagset, weights, chain)


def measure(tagger: PosTagger, train: Sample, dev: Sample) -> tuple[float, float, float]:
    """The accuracy on words of the training part, on all words, and on other words."""
    stream = dev.stream(tagger.model.space.new_table())
    found = [tagger.tags[number] for number in tagger.tag(stream)[stream.words].tolist()]
    right = np.array(found) == np.array(dev.tags)
    seen = {train.text[start:end].lower() for start, end in train.tokens}
    known = np.array([dev.text[start:end].lower() in seen for start, end in dev.tokens])
    return float(right[known].mean()), float(right.mean()), float(right[~known].mean())


if __name__ == "__main__":
    main()
