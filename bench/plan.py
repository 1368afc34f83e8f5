"""The plan of a run: what is measured, in which order. Everything here follows from the suite and its seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench import reference, strategies
from bench.reference import Reference
from bench.strategies import StrategyInfo
from bench.suite import Suite
from datasets import collections
from datasets.collections import Choice, Collection
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from solvers.strategy import Task

DECOY_COLLECTION = "(decoys)"  # brackets keep it apart from every file's name
FORMS_PER_COPY = 1 << 20  # form numbers kept for each copy of a grid that a run holds more than once


@dataclass(frozen=True)
class Subject:
    """A puzzle of the run.

    Attributes:
        reference: its number of solutions, as established before the run.
        first_form: forms of this subject are numbered from here on (another copy of the grid has others).
        decoy: ``several`` or ``none`` for a decoy, else empty.
    """

    collection: str
    name: str
    puzzle: Puzzle
    reference: Reference
    first_form: int
    decoy: str = ""


@dataclass(frozen=True)
class Measurement:
    """One planned row. ``round`` and ``position`` (both from 1) say when it is its turn."""

    strategy: StrategyInfo
    subject: Subject
    launch: int
    repetition: int
    round: int
    position: int


@dataclass(frozen=True)
class Plan:
    suite: Suite
    task: Task
    strategies: tuple[StrategyInfo, ...]
    collections: tuple[Collection, ...]
    subjects: tuple[Subject, ...]

    @property
    def size(self) -> int:
        """The number of rows."""
        solves = sum(1 if subject.decoy else self.suite.repetitions for subject in self.subjects)
        return solves * len(self.strategies) * self.suite.launches

    def measurements(self, launch: int) -> Iterator[Measurement]:
        """The measurements of a launch in their order: round by round, puzzles and, within each, strategies shuffled.

        All strategies meet a puzzle one after the other, so that what drifts on the machine falls on all of them alike.
        """
        rounds = self.suite.repetitions
        hidden = random.Random(f"{self.suite.seed}/decoys/{launch}")
        decoy_round = {id(subject): hidden.randint(1, rounds) for subject in self.subjects if subject.decoy}
        for number in range(1, rounds + 1):
            rng = random.Random(f"{self.suite.seed}/order/{launch}/{number}")
            turn = [s for s in self.subjects if decoy_round.get(id(s), number) == number]
            rng.shuffle(turn)
            position = 0
            for subject in turn:
                for strategy in rng.sample(self.strategies, len(self.strategies)):
                    position += 1
                    repetition = 1 if subject.decoy else number
                    yield Measurement(strategy, subject, launch, repetition, number, position)

    def forms(self, measurement: Measurement, loops: int) -> Sequence[int]:
        """The numbers of the forms that a measurement solves, the same for all strategies, none twice in a process.

        Without isomorphs it is the stored form (number 0), again and again.
        """
        if not self.suite.isomorphs:
            return [0] * loops
        sample = (measurement.launch - 1) * self.suite.repetitions + measurement.repetition - 1
        start = measurement.subject.first_form + sample * loops
        return range(start, start + loops)


def load_collections(names: Sequence[str], choice: Choice) -> tuple[Collection, ...]:
    """The collections of a run, or what is chosen of each.

    Raises:
        InputError: none is named, one cannot be used, or two have the same name.
    """
    if not names:
        raise InputError("no puzzles; name a collection or a file with -d")
    loaded = [collections.load(name, choice) for name in names]
    twice = [name for name, times in Counter(c.name for c in loaded).items() if times > 1]
    if twice:
        raise InputError(f"two collections are called {twice[0]}; name each once, and rename a file if need be")
    return tuple(loaded)


def make(suite: Suite, plugins: Sequence[str] = (), tick: Callable[[int], None] = lambda _total: None) -> Plan:
    """Load everything that a suite names and establish the references; ``tick`` gets the total after each puzzle.

    Raises:
        InputError: something that the suite names cannot be used.
    """
    task = Task.parse(suite.task)
    if not suite.strategies:
        raise InputError("no strategies; name some with -s, for example -s 'seed:*'")
    infos = strategies.select(suite.strategies, plugins)
    if (suite.loops or 1) > 1 and any(info.persistent for info in infos):
        raise InputError("loops must be 1 with a strategy that keeps state from puzzle to puzzle")
    loaded = load_collections(suite.datasets, Choice(suite.limit, suite.sample, suite.seed, suite.skip_bad))
    named = [(c.name, item.name, item.puzzle) for c in loaded for item in c.items]
    references = reference.establish([(n, p) for _, n, p in named], task.limit, lambda: tick(len(named)))
    copies: Counter[Puzzle] = Counter()
    subjects = []
    for (collection, name, puzzle), ref in zip(named, references, strict=True):
        subjects.append(Subject(collection, name, puzzle, ref, first_form=1 + copies[puzzle] * FORMS_PER_COPY))
        copies[puzzle] += 1
    if task.limit > 1:
        subjects += _decoys(suite.seed, task, subjects)
    return Plan(suite, task, tuple(infos), loaded, tuple(subjects))


def _decoys(seed: int, task: Task, subjects: Sequence[Subject]) -> list[Subject]:
    """Decoys for each collection, unannounced among its puzzles; strategies cannot tell them apart."""
    made: list[tuple[str, str, Puzzle]] = []
    for collection in dict.fromkeys(subject.collection for subject in subjects):
        rng = random.Random(f"{seed}/decoys/{collection}")
        own = [(s.name, s.puzzle, s.reference) for s in subjects if s.collection == collection]
        made += reference.decoys(own, rng)
    references = reference.establish([(f"decoy of {name}", puzzle) for _, name, puzzle in made], task.limit)
    return [
        Subject(DECOY_COLLECTION, f"{kind}-{name}", puzzle, ref, first_form=1, decoy=kind)
        for (kind, name, puzzle), ref in zip(made, references, strict=True)
    ]
