"""What a run is to do, and the facts by which it can be told from any other."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import veil
from veil.assembly import InVeilLabels
from veil.core.labels import VEIL
from veil.io.rewriting import TableOptions
from veil.masking import Masker
from veil.masking_run.hashing import KEYED, hash_file, hash_folder, keyed_hash
from veil.models import describe
from veil.pipeline import Pipeline
from veil.replace.policy import load_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from veil.core.document import Document
    from veil.masking_run.plan import Survey
    from veil.replace.policy import Action, Policy
    from veil.replace.secret import Key


HASHES = "hashes"
"""The fact that says how inputs are hashed; runs of earlier versions lack it."""


@dataclass(frozen=True)
class Detection:
    """How identifying spans are found.

    `load` makes the pipeline, once in each process; with several workers it must be a function of a
    module or a `functools.partial` of one. `labels` is the scheme of its labels. `settings` are the
    choices that the user made, `files` what the user gave beside them (a table, a folder of rules):
    both are written down, the files by a keyed hash. `is_known` says whether something is known of
    a document's patient.
    """

    load: Callable[[], Pipeline]
    labels: str = VEIL
    settings: Mapping[str, Any] = field(default_factory=dict)
    models: tuple[Path, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    is_known: Callable[[Document], bool] | None = None


@dataclass(frozen=True)
class MappingFile:
    """Where the way back is kept, and what opens it."""

    path: Path
    passphrase: str = field(repr=False)


@dataclass(frozen=True)
class MaskJob:
    """What is done to every record; without a key one is made for the run."""

    detection: Detection
    policy: str | Path = "tag"
    key: Key | None = None
    rescan: bool = True
    options: TableOptions = field(default_factory=TableOptions)
    mapping: MappingFile | None = None


@dataclass(frozen=True)
class MaskerPlan:
    """How a process makes its masker."""

    load: Callable[[], Pipeline]
    labels: str
    policy: str | Path
    key: Key
    rescan: bool

    def make(self) -> Masker:
        pipeline = self.load()
        if self.labels != VEIL:
            pipeline = Pipeline(
                [InVeilLabels(each, source=self.labels) for each in pipeline.detectors],
                language=pipeline.language,
                identify=pipeline.identify,
                assume_language=pipeline.assume_language,
            )
        return Masker(pipeline, load_policy(self.policy), key=self.key, rescan=self.rescan)


def masker_plan(job: MaskJob, key: Key) -> MaskerPlan:
    """What a worker needs of a job."""
    detection = job.detection
    return MaskerPlan(detection.load, detection.labels, job.policy, key, job.rescan)


def facts_of(job: MaskJob, survey: Survey, key: Key) -> dict[str, Any]:
    """All on which the output depends: two runs with the same facts write the same bytes."""
    detection = job.detection
    return {
        "veil": veil.__version__,
        "policy": policy_table(load_policy(job.policy)),
        "detection": dict(detection.settings),
        "models": [model_facts(folder) for folder in detection.models],
        "rules": rules_version(),
        "files": {
            name: keyed_hash(key, "given", name, _hash(path))
            for name, path in detection.files.items()
        },
        "rescan": job.rescan,
        "columns": {name: value for name, value in _plain(asdict(job.options)).items() if value},
        "key": key.fingerprint,
        "mapping": job.mapping is not None,
        "input": {
            **asdict(survey),
            "digest": keyed_hash(key, "survey", "", survey.digest),
        },
        HASHES: KEYED,
    }


def policy_table(policy: Policy) -> dict[str, Any]:
    """A policy as it stands in a report."""
    return {
        "name": policy.name,
        "about": policy.about,
        "default": _action(policy.default),
        "labels": {label: _action(action) for label, action in policy.labels.items()},
    }


def _action(action: Action) -> dict[str, Any]:
    return {"action": action.name, **action.options}


def model_facts(folder: Path) -> dict[str, Any]:
    """The name of a model and the hashes of its files."""
    info = describe(folder)
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {
        "name": info.name,
        "language": info.language,
        "files": {file.relative_to(folder).as_posix(): hash_file(file) for file in files},
    }


@cache
def rules_version() -> str:
    """A hash of the rules and word lists that come with Veil."""
    package = Path(str(resources.files("veil")))
    folders = ("languages", "detect/rules")
    return hash_folder(package, *(package / folder for folder in folders))


def _hash(path: Path) -> str:
    return hash_folder(path, path) if path.is_dir() else hash_file(path)


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in options.items()
    }
