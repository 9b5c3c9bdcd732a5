"""Training of a network with PyTorch, by the likelihood of the gold tags (a CRF on top)."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from veil.core.errors import InputError
from veil.detect.neural.network import (
    DIRECTIONS,
    FIRST_CHARACTER,
    GATES,
    LARGEST,
    NO_CHARACTER,
    WIDTH,
    Characters,
    Matrix,
    Network,
    NetworkSettings,
    Vectors,
    character_ids,
    windows,
)
from veil.features.positions import POSITION_FEATURES
from veil.features.stream import RARE
from veil.features.vectors import NO_VECTOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from veil.detect.linear.chain import Floats
    from veil.features.space import FeatureSpace
    from veil.features.stream import Ints, Stream
    from veil.features.vectors import WordVectors

    Tensor = Any

_LETTER, _VECTOR = 25, 32
"""The dimension of a character, and of a word vector inside the network."""

_LENGTH = 4.0
_RAREST = 2
"""Characters that occur in fewer words than this are all treated as one."""

_SELDOM = 4
"""Words that occur less often than this are sometimes hidden."""

_AVERAGED = 0.995
_WARM_UP = 0.05
"""The share of all steps in which the learning rate rises."""

_LONGEST_GRADIENT = 5.0


@dataclass(frozen=True)
class Inputs:
    """The network's input: ids of features over all tokens, tags, and words."""

    forms: dict[str, Ints]
    places: dict[str, Ints]
    sizes: dict[str, int]
    tags: Ints
    tag_count: int
    form_of: Ints
    words: list[str]
    vectors: Floats | None
    cuts: list[tuple[int, int]]


def inputs_of(
    stream: Stream,
    space: FeatureSpace,
    features: Sequence[str],
    tags: Ints,
    tag_count: int,
    settings: NetworkSettings,
    vectors: WordVectors | None = None,
) -> Inputs:
    """Gather the inputs of all tokens of a stream; `tags` are those of all tokens."""
    ids = space.position_ids(stream)
    places = {
        name: ids[name][stream.line] if POSITION_FEATURES.get(name).by_line else ids[name]
        for name in features
        if name in ids
    }
    forms = {name: stream.column(name) for name in features if name not in ids}
    words = [piece.rstrip() for piece in stream.table.numbers]
    return Inputs(
        forms,
        places,
        {name: space.values_of(name) for name in features},
        tags,
        tag_count,
        stream.form,
        words,
        None if vectors is None else _of_vectors(vectors, words),
        windows(stream, settings.window),
    )


def _of_vectors(vectors: WordVectors, words: Sequence[str]) -> Floats:
    """Normalised vectors, and a column that says which words have one."""
    rows = vectors.rows(words).astype(np.float32)
    known = vectors.numbers(words) != NO_VECTOR
    unit = _LENGTH * rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return np.concatenate([unit, known[:, None]], axis=1, dtype=np.float32)


@dataclass(frozen=True)
class _Batch:
    """Windows side by side: one row per token, one column per window; `going` masks padding."""

    ids: list[Tensor]
    form: Tensor
    tags: Tensor
    going: Tensor
    length: Tensor
    letters: Tensor
    vectors: Tensor | None


class _Module(nn.Module):
    """The network as PyTorch trains it; `export` returns the one that Veil runs."""

    def __init__(self, inputs: Inputs, settings: NetworkSettings, known: str) -> None:
        super().__init__()
        self.settings = settings
        self.known = known
        self.features = [*inputs.forms, *inputs.places]
        self.form_features = len(inputs.forms)
        sizes = [inputs.sizes[name] for name in self.features]
        widths = [min(settings.largest, max(6, int(2 * size**0.4))) for size in sizes]
        self.tables = nn.ModuleList(
            nn.Embedding(size, width) for size, width in zip(sizes, widths, strict=True)
        )
        for table in self.tables:
            nn.init.uniform_(table.weight, -0.1, 0.1)
        width = sum(widths)
        if settings.characters:
            self.letters = nn.Embedding(len(known) + FIRST_CHARACTER, _LETTER)
            self.filters = nn.Conv1d(_LETTER, settings.characters, WIDTH, padding=WIDTH // 2)
            width += settings.characters
        if inputs.vectors is not None:
            self.vectors = nn.Linear(inputs.vectors.shape[1], _VECTOR)
            width += _VECTOR
        hidden = settings.hidden
        self.width = width
        self.gates = nn.Linear(width, DIRECTIONS * GATES * hidden)
        nn.init.zeros_(self.gates.bias)
        self.recurrent = nn.Parameter(torch.empty(DIRECTIONS, hidden, GATES * hidden))
        with torch.no_grad():
            for direction in range(DIRECTIONS):
                # A network that initially keeps its state learns faster.
                forget = direction * GATES * hidden + hidden
                self.gates.bias[forget : forget + hidden] = 1
                for gate in range(GATES):
                    own = slice(gate * hidden, (gate + 1) * hidden)
                    nn.init.orthogonal_(self.recurrent[direction, :, own])
        self.tags = nn.Linear(DIRECTIONS * hidden, inputs.tag_count)
        self.between = nn.Parameter(torch.zeros(inputs.tag_count, inputs.tag_count))

    def words(self, letters: Tensor, vectors: Tensor | None) -> list[Tensor]:
        """The characters and vectors of words as parts of the input."""
        parts = []
        if self.settings.characters:
            found = torch.relu(self.filters(self.letters(letters).transpose(1, 2)))
            is_letter = (letters != NO_CHARACTER).unsqueeze(1)
            parts.append((found * is_letter).max(2).values)
        if vectors is not None:
            parts.append(torch.tanh(self.vectors(vectors)))
        return parts

    def forward(self, batch: _Batch) -> Tensor:
        """The scores of tags: tokens, windows, tags."""
        forms, of_form = torch.unique(batch.form, return_inverse=True)
        vectors = None if batch.vectors is None else batch.vectors[forms]
        embedded = [table(batch.ids[index]) for index, table in enumerate(self.tables)]
        at = self.form_features
        parts = [part[of_form] for part in self.words(batch.letters[forms], vectors)]
        inputs = torch.cat([*embedded[:at], *parts, *embedded[at:]], -1)
        return self.tags(self._dropped(self._states(self._dropped(inputs), batch.length)))

    def _dropped(self, values: Tensor, share: float | None = None) -> Tensor:
        """Drop the same part of the values at all tokens of a window."""
        if not self.training:
            return values
        keep = 1 - (self.settings.dropout if share is None else share)
        return values * torch.bernoulli(torch.full((1, *values.shape[1:]), keep)) / keep

    def _states(self, inputs: Tensor, length: Tensor) -> Tensor:
        steps, count, _ = inputs.shape
        hidden = self.settings.hidden
        gates = self.gates(inputs)
        # The second direction reads each window from its end; padding stays where it is.
        step = torch.arange(steps)[:, None]
        back = torch.where(step < length, length - 1 - step, step)[..., None]
        ahead, behind = gates.split(GATES * hidden, -1)
        both = torch.stack([ahead, behind.gather(0, back.expand_as(behind))], 1)
        state = cell = inputs.new_zeros(DIRECTIONS, count, hidden)
        kept = self._dropped(torch.ones_like(state)[None], self.settings.dropout / 2)[0]
        states = []
        for at in range(steps):
            now = torch.baddbmm(both[at], state * kept, self.recurrent)
            let_in, keep, let_out = torch.sigmoid(now[..., : 3 * hidden]).chunk(3, -1)
            cell = keep * cell + let_in * torch.tanh(now[..., 3 * hidden :])
            state = let_out * torch.tanh(cell)
            states.append(state)
        found = torch.stack(states)
        again = found[:, 1].gather(0, back.expand(steps, count, hidden))
        return torch.cat([found[:, 0], again], -1)

    def loss(self, batch: _Batch) -> Tensor:
        """The negative log likelihood of the tags, per token."""
        scores = self(batch)
        transit = torch.exp(self.between)
        highest = scores.max(-1, keepdim=True).values.detach()
        weights = torch.exp(scores - highest)
        total: Tensor = 0
        before = weights.new_zeros(weights.shape[1:])
        before[:, 0] = 1  # O comes before the first token
        for at in range(len(weights)):
            reached = (before @ transit) * weights[at]
            sums = reached.sum(-1, keepdim=True)
            going = batch.going[at][:, None]
            total = total + torch.where(going, torch.log(sums) + highest[at], 0.0)
            before = torch.where(going, reached / sums, before)
        gold = scores.gather(2, batch.tags[..., None]).squeeze(-1)
        previous = torch.cat([torch.zeros_like(batch.tags[:1]), batch.tags[:-1]])
        gold = (gold + self.between[previous, batch.tags]) * batch.going
        return (total.sum() - gold.sum()) / batch.going.sum()

    def _export_words(
        self, inputs: Inputs, vectors: WordVectors | None, take: Callable[[Floats], Any]
    ) -> tuple[Characters | None, Vectors | None]:
        characters = own = None
        if self.settings.characters:
            letters = self.letters.weight.detach().numpy()
            unit = float(np.abs(letters).max()) / LARGEST
            filters = self.filters.weight.detach().numpy()  # filters, letters, places
            flat = filters.transpose(2, 1, 0).reshape(WIDTH * _LETTER, -1)
            ids = torch.from_numpy(character_ids(inputs.words, self.known).astype(np.int64))
            found = self.words(ids, None)[0].detach().numpy()
            take(np.maximum(found, 1e-6))
            characters = Characters(
                self.known,
                np.rint(letters / unit).astype(np.int8),
                Matrix.of(flat * np.float32(unit)),
                self.filters.bias.detach().numpy(),
                float(np.abs(found).max()) / LARGEST or 1.0,
            )
        if vectors is not None:
            rows = torch.from_numpy(_of_vectors(vectors, list(vectors.words)))
            own = Vectors(vectors.words, take(torch.tanh(self.vectors(rows)).detach().numpy()))
        return characters, own

    def export(self, inputs: Inputs, vectors: WordVectors | None) -> tuple[Network, Floats]:
        """Return the network in whole numbers, with its weight, and its transitions."""
        hidden = self.settings.hidden
        gates = self.gates.weight.detach().numpy().T.copy()
        bias = self.gates.bias.detach().numpy().copy()
        recurrent = self.recurrent.detach().numpy().copy()
        for direction in range(DIRECTIONS):
            # Halved for the sigmoids (see `Network`).
            own = slice(direction * GATES * hidden, direction * GATES * hidden + 3 * hidden)
            gates[:, own] *= 0.5
            bias[own] *= 0.5
            recurrent[direction, :, : 3 * hidden] *= 0.5
        tables = {}
        scales: list[Floats] = []

        def take(values: Floats) -> Any:
            """Round a part of the input; its scale goes into the weights."""
            unit = float(np.abs(values).max()) / LARGEST or 1.0
            scales.append(np.full(values.shape[1], unit, np.float32))
            return np.rint(values / unit).astype(np.int8)

        for index, name in enumerate(self.features):
            if index == self.form_features:
                characters, own_vectors = self._export_words(inputs, vectors, take)
            tables[name] = take(self.tables[index].weight.detach().numpy())
        if self.form_features == len(self.features):
            characters, own_vectors = self._export_words(inputs, vectors, take)
        unit = np.concatenate(scales)
        form_width = len(unit) - sum(tables[name].shape[1] for name in inputs.places)
        weights = gates * unit[:, None]
        weight = self.settings.weight
        network = Network(
            self.settings.window,
            {name: tables[name] for name in inputs.forms},
            {name: tables[name] for name in inputs.places},
            characters,
            own_vectors,
            Matrix.of(weights[:form_width]),
            Matrix.of(weights[form_width:]),
            bias,
            (Matrix.of(recurrent[0] / LARGEST), Matrix.of(recurrent[1] / LARGEST)),
            Matrix.of(self.tags.weight.detach().numpy().T * np.float32(weight / LARGEST)),
            self.tags.bias.detach().numpy() * np.float32(weight),
        )
        return network, self.between.detach().numpy() * np.float32(weight)


class _Trainer:
    """Performs steps, keeps a moving average of the weights, and can resume from a checkpoint."""

    def __init__(
        self, inputs: Inputs, held_out: Inputs | None, settings: NetworkSettings, seed: int
    ) -> None:
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.inputs, self.held_out, self.settings = inputs, held_out, settings
        counts = Counter(letter for word in inputs.words for letter in word)
        known = "".join(sorted(letter for letter, n in counts.items() if _RAREST <= n))
        self.module = _Module(inputs, settings, known)
        self.optimizer = torch.optim.Adam(
            self.module.parameters(), lr=settings.rate, betas=(0.9, 0.99)
        )
        self.average = {name: value.clone() for name, value in self.module.state_dict().items()}
        self.best = self.average
        self.losses: list[float] = []
        self.step = 0
        self._found_letters: dict[int, Tensor] = {}
        tagged = [inputs.tags[start:end].any() for start, end in inputs.cuts]
        self._full = [cut for cut, has in zip(inputs.cuts, tagged, strict=True) if has]
        self._empty = [cut for cut, has in zip(inputs.cuts, tagged, strict=True) if not has]
        tokens: float = sum(end - start for start, end in self._full)
        tokens += settings.empty * sum(end - start for start, end in self._empty)
        self._steps = max(1, int(settings.epochs * tokens / settings.batch))
        self._warm_up = 1 + _WARM_UP * self._steps
        self._seldom = {
            name: torch.from_numpy(np.bincount(ids, minlength=inputs.sizes[name]) < _SELDOM)
            for name, ids in inputs.forms.items()
        }

    def run_epoch(self) -> float:
        """Read all windows with a span and some without; return the loss on held-out windows."""
        settings = self.settings
        empty = [cut for cut in self._empty if self.rng.random() < settings.empty]
        self.module.train()
        losses = []
        for cuts in _batches([*self._full, *empty], settings.batch, self.rng):
            batch = self._batch(self.inputs, cuts, hide=True)
            loss = self.module.loss(batch)
            rate = 0.5 * (1 + math.cos(math.pi * min(1, self.step / self._steps))) + 0.01
            for group in self.optimizer.param_groups:
                group["lr"] = settings.rate * rate * min(1, (self.step + 1) / self._warm_up)
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.module.parameters(), _LONGEST_GRADIENT)
            self.optimizer.step()
            self.step += 1
            losses.append(loss.item())
            self._average()
        if self.held_out is not None:
            losses = self._held_out_losses(self.held_out)
        mean = float(np.mean(losses))
        if not self.losses or mean <= min(self.losses):
            self.best = {name: value.clone() for name, value in self.average.items()}
        self.losses.append(mean)
        return mean

    @property
    def is_done(self) -> bool:
        """Whether all epochs are over, or the loss has not fallen for some."""
        settings = self.settings
        if not self.losses:
            return False
        since = len(self.losses) - 1 - int(np.argmin(self.losses))
        return settings.epochs <= len(self.losses) or settings.patience <= since

    def _average(self) -> None:
        share = min(_AVERAGED, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for name, value in self.module.state_dict().items():
                self.average[name].mul_(share).add_(value, alpha=1 - share)

    def _held_out_losses(self, inputs: Inputs) -> list[float]:
        now = {name: value.clone() for name, value in self.module.state_dict().items()}
        self.module.load_state_dict(self.average)
        self.module.eval()
        with torch.no_grad():
            losses = [
                self.module.loss(self._batch(inputs, cuts, hide=False)).item()
                for cuts in _batches(inputs.cuts, self.settings.batch, None)
            ]
        self.module.load_state_dict(now)
        return losses

    def _batch(self, inputs: Inputs, cuts: list[tuple[int, int]], *, hide: bool) -> _Batch:
        start, end = np.array(cuts).T
        length = end - start
        step = np.arange(length.max())[:, None]
        going = step < length
        # Beyond its end a window repeats its last token, which is masked out.
        at = np.where(going, start + step, end - 1)
        ids = []
        for name, values in (*inputs.forms.items(), *inputs.places.items()):
            own = torch.from_numpy(values[at].astype(np.int64))
            if hide and name in self._seldom:
                hidden = self._seldom[name][own] & (
                    torch.rand(own.shape) < 2 * self.settings.unseen
                )
                own = torch.where(hidden, RARE, own)
            elif hide:
                own = torch.where(torch.rand(1, own.shape[1]) < self.settings.unseen, RARE, own)
            ids.append(own)
        vectors = None if inputs.vectors is None else torch.from_numpy(inputs.vectors)
        return _Batch(
            ids,
            torch.from_numpy(inputs.form_of[at].astype(np.int64)),
            torch.from_numpy(inputs.tags[at].astype(np.int64)),
            torch.from_numpy(going),
            torch.from_numpy(length),
            self._letters(inputs),
            vectors,
        )

    def _letters(self, inputs: Inputs) -> Tensor:
        """The characters of all words, computed once for each set of inputs."""
        if id(inputs) not in self._found_letters:
            ids = character_ids(inputs.words, self.module.known).astype(np.int64)
            self._found_letters[id(inputs)] = torch.from_numpy(ids)
        return self._found_letters[id(inputs)]

    def save(self, file: Path, key: str) -> None:
        """Write all that is needed to resume; a file is complete or absent."""
        partial = file.with_name(f"{file.name}.part")
        state = {
            "key": key,
            "module": self.module.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "best": self.best,
            "losses": self.losses,
            "step": self.step,
            "random": torch.get_rng_state(),
            "numpy": self.rng.bit_generator.state,
        }
        torch.save(state, partial)
        partial.replace(file)

    def load(self, file: Path, key: str) -> None:
        """Resume from a file that the same training wrote."""
        try:
            state = torch.load(file, weights_only=True)
            if state["key"] != key:
                raise InputError(
                    f"{file}: the checkpoint of another training; name another file or delete it"
                )
            self.module.load_state_dict(state["module"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.average, self.best = state["average"], state["best"]
            self.losses, self.step = state["losses"], state["step"]
            torch.set_rng_state(state["random"])
            self.rng.bit_generator.state = state["numpy"]
        except (OSError, RuntimeError, LookupError, ValueError, EOFError, UnpicklingError):
            raise InputError(f"{file}: not a checkpoint, or a damaged one; delete it") from None


def train_network(
    inputs: Inputs,
    settings: NetworkSettings,
    *,
    held_out: Inputs | None = None,
    vectors: WordVectors | None = None,
    seed: int = 0,
    checkpoint: Path | None = None,
    report: Callable[[int, float], None] | None = None,
) -> tuple[Network, Floats]:
    """Return a trained network and its transitions; `report` is called with epoch and loss.

    With a `checkpoint`, training resumes from this file if it exists, and writes it after each
    epoch: an interrupted training gives the same network as an uninterrupted one.
    """
    with _deterministic():
        trainer = _Trainer(inputs, held_out, settings, seed)
        key = _key(inputs, settings, seed)
        if checkpoint is not None and checkpoint.exists():
            trainer.load(checkpoint, key)
        while not trainer.is_done:
            loss = trainer.run_epoch()
            if checkpoint is not None:
                trainer.save(checkpoint, key)
            if report is not None:
                report(len(trainer.losses) - 1, loss)
        trainer.module.load_state_dict(trainer.best)
        trainer.module.eval()
        return trainer.module.export(inputs, vectors)


@contextmanager
def _deterministic() -> Iterator[None]:
    """Make PyTorch compute the same on every machine, and restore its settings afterwards.

    Sums over several threads may differ. Numbers near 0 count as 0, since they are slow.
    """
    threads, is_deterministic = (
        torch.get_num_threads(),
        torch.are_deterministic_algorithms_enabled(),
    )
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
        torch.use_deterministic_algorithms(is_deterministic)
        torch.set_num_threads(threads)


def _key(inputs: Inputs, settings: NetworkSettings, seed: int) -> str:
    """What a checkpoint belongs to: data, settings and seed."""
    digest = blake2b(repr((asdict(settings), seed, inputs.sizes)).encode(), digest_size=16)
    for values in (*inputs.forms.values(), *inputs.places.values(), inputs.tags):
        digest.update(values.tobytes())
    return digest.hexdigest()


def _batches(
    cuts: Sequence[tuple[int, int]], size: int, rng: np.random.Generator | None
) -> list[list[tuple[int, int]]]:
    """Batches of windows of similar length, about `size` tokens each, in random order."""
    length = np.array([end - start for start, end in cuts])
    if rng is not None:
        length = length + rng.random(len(cuts)) * (2 + 0.2 * length)
    batches: list[list[tuple[int, int]]] = [[]]
    for index in np.argsort(length, kind="stable").tolist():
        longest = cuts[index][1] - cuts[index][0]
        if batches[-1] and size < longest * (len(batches[-1]) + 1):
            batches.append([])
        batches[-1].append(cuts[index])
    order = range(len(batches)) if rng is None else rng.permutation(len(batches)).tolist()
    return [batches[index] for index in order]
