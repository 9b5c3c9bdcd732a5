"""The modules in an order, as a detector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.document import Span
from veil.core.errors import InputError
from veil.detect.names.forms import FormBook, NameOptions
from veil.detect.names.memory import NameMemory
from veil.detect.names.modules import (
    CommonWordsModule,
    DictionaryModule,
    LearningModule,
    State,
    TitlesModule,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.core.document import Document
    from veil.detect.names.modules import Module

MODULES = {
    "T": "titles",
    "C": "common words",
    "D": "dictionaries",
    "L": "learning",
}
"""The code of each module and its name."""

LABEL = "NAME"
_LEARNING = "L"


def check_order(order: str) -> str:
    """Return an order of modules in capitals, or raise an error that says what is wrong with it."""
    codes = order.upper()
    known = ", ".join(f"{code} ({about})" for code, about in MODULES.items())
    if not codes:
        raise InputError(f"an order names at least one module: {known}")
    for code in codes:
        if code not in MODULES:
            raise InputError(f"order '{order}': unknown module '{code}'; known: {known}")
        if 1 < codes.count(code):
            raise InputError(f"order '{order}': the module '{code}' comes twice; name it once")
    return codes


def make_modules(codes: str, book: FormBook, *, memory: NameMemory | None = None) -> list[Module]:
    """Return the modules of an order, which share one `FormBook`."""
    made: dict[str, Module] = {
        "T": TitlesModule(book),
        "C": CommonWordsModule(book),
        "D": DictionaryModule(book),
        "L": LearningModule(book, memory),
    }
    return [made[code] for code in check_order(codes)]


class NameModules:
    """Finds names with an ordered list of modules, such as `TCD`.

    The learning module learns from the documents of one call of `detect_many`. If the result must
    not depend on these, as with batches or several processes, pass a `memory`: it is then used
    instead, and detection does not change it. `learn` fills one.
    """

    name = "names"

    def __init__(
        self,
        language: str,
        order: str = "TCD",
        *,
        options: NameOptions | None = None,
        memory: NameMemory | None = None,
    ) -> None:
        self.language = language
        self.order = check_order(order)
        self.options = options or NameOptions()
        self.memory = memory
        self._before_learning = self.order.partition(_LEARNING)[0]
        if memory is not None:
            self._check(memory)
        self._book = FormBook(language, self.options)
        self._modules = make_modules(self.order, self._book, memory=memory)

    def detect(self, doc: Document) -> list[Span]:
        (found,) = self.detect_many([doc])
        return found

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [spans_of(state) for state in self._run(self._modules, self._read(docs))]

    def learn(self, docs: Iterable[Document], memory: NameMemory | None = None) -> NameMemory:
        """Count in a memory what the modules before the learning one find; return it.

        This is the first of two passes; the second is a detector with that memory. Documents are
        read one at a time, and their order does not matter.
        """
        memory = NameMemory(self.language, self._before_learning) if memory is None else memory
        self._check(memory)
        modules = self._modules[: len(self._before_learning)]
        for doc in docs:
            for state in self._run(modules, self._read([doc])):
                memory.add(state)
        return memory

    def detect_and_learn(self, docs: Sequence[Document]) -> list[list[Span]]:
        """Add documents to the detector's own memory, then find names in them.

        This processes a stream in one pass, batch by batch: names learnt from earlier documents are
        found in later ones, but not the reverse.
        """
        if self.memory is None:
            raise InputError("to learn while detecting, make the detector with a memory")
        self.learn(docs, self.memory)
        return self.detect_many(docs)

    def _read(self, docs: Iterable[Document]) -> list[State]:
        return [State(self._book.read(doc.text)) for doc in docs]

    def _run(self, modules: Iterable[Module], states: list[State]) -> list[State]:
        for module in modules:
            states = module.apply(states)
        return states

    def _check(self, memory: NameMemory) -> None:
        if _LEARNING not in self.order:
            raise InputError(
                f"order '{self.order}' has no learning module; a memory is for orders with L"
            )
        if (memory.language, memory.order) != (self.language, self._before_learning):
            raise InputError(
                f"the memory was made for '{memory.language}' by '{memory.order}', and order "
                f"'{self.order}' for '{self.language}' learns from '{self._before_learning}'; "
                "make one with this order"
            )


def spans_of(state: State) -> list[Span]:
    """The annotated words of a record as spans, in the order of the text."""
    words = state.words
    return [
        Span(
            words.starts[index],
            words.name_end(index),
            LABEL,
            source=f"{NameModules.name}:{name.by}",
            part=name.part,
        )
        for index, name in sorted(state.names.items())
    ]
