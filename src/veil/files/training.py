"""Train models and word vectors on records."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.core.labels import Converter
from veil.core.labels import scheme as scheme_of
from veil.detect.crf import dictionary_of, with_vectors
from veil.files.reading import FilesResult, Reader, Reading, language_of, paths_of, read_corpus
from veil.files.schemes import guess_of, known_scheme, labels_of, scheme_name
from veil.io.outputs import check_pages, write_text
from veil.learn.model import TrainingData, check_model_folder, train_model
from veil.learn.recipe import for_language
from veil.learn.recipe import recipe as recipe_of
from veil.learn.training import SHARES, cross_validate, epochs
from veil.learn.vectors import VectorSettings, learn_vectors, vector_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Unpack

    from veil.core.document import Record
    from veil.detect.crf import LinearRecipe
    from veil.files.reading import FilePath
    from veil.learn.model import TrainedModel
    from veil.learn.training import CrossValidation

_REVIEWED = "reviewed records"


@dataclass
class TrainingResult(FilesResult):
    """A trained model, or only the cross-validation of a recipe; `recipe` is the recipe's name."""

    recipe: str = field(kw_only=True)
    dev_records: int = field(kw_only=True)
    model: TrainedModel | None = field(kw_only=True, default=None)
    validation: CrossValidation | None = field(kw_only=True, default=None)


def train_files(
    recipe: FilePath,
    corpus: FilePath | Sequence[FilePath],
    output: FilePath | None = None,
    *,
    dev: FilePath | Sequence[FilePath] = (),
    folds: int = 0,
    curve: bool = False,
    seed: int | None = None,
    vectors: FilePath | None = None,
    dictionary: FilePath | None = None,
    scheme: str | None = None,
    lang: str | None = None,
    data_name: str | None = None,
    licence: str = "",
    workers: int = 1,
    checkpoint: FilePath | None = None,
    reviewed: Sequence[Record] = (),
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> TrainingResult:
    """Train a model on annotated records with a recipe; without `output`, only cross-validate.

    The training of a network writes the file `checkpoint` after each epoch, and resumes from it.
    `reviewed` are more records to train on (`veil.review.files.reviewed_records`). `step` is called
    at each step of training with the total number of steps, if known.
    """
    paths, dev_paths = paths_of(corpus), paths_of(dev)
    if output is None and not folds:
        raise InputError("give -o MODEL to train a model, or --folds N to cross-validate only")
    if curve and not dev_paths:
        raise InputError("--curve needs --dev: the learning curve is measured there")
    if output is not None:
        check_model_folder(Path(output), overwrite=overwrite)
    made = recipe_of(recipe)
    if lang:
        made = for_language(made, lang)
    if vectors is not None:
        made = with_vectors(made, Path(vectors))
    if dictionary is not None:
        made = replace(made, dictionary=Path(dictionary))
        dictionary_of(made)
    reader = Reader(reading)
    records, held_out = read_corpus(paths, reader), read_corpus(dev_paths, reader)
    if reviewed:
        records = _with_reviewed(records, reviewed, paths)
        paths = [*paths, Path(_REVIEWED)]
    wanted = scheme_name(scheme) or made.scheme
    source = known_scheme([*records, *held_out]) if wanted else guess_of([*records, *held_out])
    converter = None
    if source is not None and wanted not in (None, source.name):
        converter = Converter(source, scheme_of(wanted))
        records = [converter.convert_record(record) for record in records]
        held_out = [converter.convert_record(record) for record in held_out]
    elif source is None or labels_of(records) - set(source.labels):
        wanted = None  # not in a scheme: the model can detect, but not mask
    else:
        wanted = source.name
    if checkpoint is not None:
        made = _with_checkpoint(
            made, Path(checkpoint), is_one=bool(output) and not (folds or curve)
        )
    made = replace(made, scheme=wanted, workers=workers)
    result = TrainingResult(len(records), recipe=made.name, dev_records=len(held_out))
    trainings = folds if output is None else 1 + folds + (len(SHARES) - 1 if curve else 0)
    steps = epochs(made)
    total = steps * trainings if steps else None

    def report(*_: object) -> None:
        step(total)

    sources = _source_names(records, paths)
    if output is None:
        result.validation = cross_validate(
            made, records, folds=folds, seed=seed, sources=sources, report=report
        )
    else:
        result.model = train_model(
            made,
            TrainingData(records, _data_names(paths, data_name), licence, sources),
            dev=TrainingData(held_out, _data_names(dev_paths, None)) if held_out else None,
            seed=seed,
            folds=folds,
            curve=curve,
            report=report,
        )
        result.model.save(Path(output), overwrite=overwrite)
        result.validation = result.model.validation
    result.add(reader.log, converter)
    return result


def _with_checkpoint(made: LinearRecipe, file: Path, *, is_one: bool) -> LinearRecipe:
    if made.network is None or not is_one:
        raise InputError(
            "--checkpoint is for one training of a recipe with a network, without --folds and "
            "--curve"
        )
    if not file.parent.is_dir():
        raise InputError(f"{file}: the folder of the checkpoint does not exist")
    return replace(made, checkpoint=file)


def _with_reviewed(
    records: Sequence[Record], reviewed: Sequence[Record], paths: Sequence[Path]
) -> list[Record]:
    """Add reviewed records as another corpus, with the labels of the other corpora."""
    own, theirs = guess_of(reviewed), guess_of(records)
    if own is not None and theirs is not None and own.name != theirs.name:
        converter = Converter(own, theirs)
        reviewed = list(map(converter.convert_record, reviewed))
    if not paths:
        return list(reviewed)
    corpora = [(1, records)] if len(paths) == 1 else [(0, records)]
    corpora.append((len(paths) + 1, reviewed))
    return [
        replace(record, document=replace(record.document, id=f"{number}/{record.id}"))
        if number
        else record
        for number, of_corpus in corpora
        for record in of_corpus
    ]


def _source_names(records: Sequence[Record], paths: Sequence[Path]) -> tuple[str, ...]:
    """The corpus name of each record, if there are several (see `read_corpus`)."""
    if len(paths) < 2:
        return ()
    names = [path.resolve().name for path in paths]
    if len(set(names)) < len(names):
        names = [f"{number} {name}" for number, name in enumerate(names, start=1)]
    return tuple(names[int(record.id.partition("/")[0]) - 1] for record in records)


def _data_names(paths: Iterable[Path], given: str | None) -> tuple[str, ...]:
    """Names for the card: as given, but of an absolute path only the last part."""
    if given:
        return (given,)
    return tuple(
        path.resolve().name
        if path.is_absolute() or ".." in path.parts or not path.name
        else path.as_posix()
        for path in paths
    )


def vectors_of_files(
    corpus: FilePath | Sequence[FilePath],
    output: FilePath,
    *,
    lang: str | None = None,
    settings: VectorSettings | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> FilesResult:
    """Learn word vectors from the texts of records, and write them in the format of word2vec."""
    paths = paths_of(corpus)
    check_pages([output], paths, overwrite=overwrite)
    reader = Reader(reading)
    records = read_corpus(paths, reader)
    if not records:
        raise InputError("no records to learn word vectors from")
    texts = [record.document.text for record in records]
    words, vectors = learn_vectors(texts, lang or language_of(records), settings)
    write_text(output, vector_lines(words, vectors))
    result = FilesResult(len(words))
    result.add(reader.log)
    return result
