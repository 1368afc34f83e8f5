"""The plan of a run: what is measured and in which order. Everything here is determined by the suite and its seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from sudoku_bench.bench.plan import reference, strategies
from sudoku_bench.bench.plan.lead_in import lead_ins
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.plan.suite import FLOOR, PIPE, PLACEBO, Suite
from sudoku_bench.bench.process.computing import computed
from sudoku_bench.bench.process.solve_request import Solved
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.collections.catalogue import Choice, Collection
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import Task

T = TypeVar("T")
DECOY_COLLECTION = "(decoys)"  # no file has a name in brackets
FORMS_PER_COPY = 1 << 29  # form numbers reserved for each copy of a grid in a run
PLACEBO_STRATEGIES = 3  # a fast, a middle and a slow one, at most
PLACEBO_PUZZLES = 15  # of each collection, at most
PLACEBO_SHARE = 0.15  # of the rows of a run, at most
FEWEST_REPETITIONS = 3  # for an estimate of the variation between processes


@dataclass(frozen=True)
class PlannedPuzzle:
    """A puzzle of the run.

    Attributes:
        reference: its number of solutions, as established before the run.
        first_form: number of its first form (another copy of the grid has other numbers).
        group: number of its group (``datasets/making/groups``), from 1; 0 for a decoy.
        decoy: ``several`` or ``none`` for a decoy, else empty.
        sampled: controls may solve it too.
    """

    collection: str
    name: str
    puzzle: Puzzle
    reference: Reference
    first_form: int
    group: int = 0
    decoy: str = ""
    sampled: bool = False


@dataclass(frozen=True)
class Entry:
    """What takes part: a strategy, or a control, whose bracketed label no pattern matches.

    Attributes:
        role: empty for a strategy; ``instrument`` for a placebo (the same strategy, which solves the same forms again),
            ``floor`` (returns its input) or ``pipe`` (a command that returns its input).
    """

    label: str
    info: StrategyInfo
    role: str = ""


class Measurement(NamedTuple):
    """One planned row.

    Attributes:
        round, position: its place in the launch, both from 1.
        forms: the numbers of the forms that are solved: the same for all entries, never twice in a process.
    """

    entry: Entry
    planned: PlannedPuzzle
    launch: int
    repetition: int
    round: int
    position: int
    forms: Sequence[int]


@dataclass(frozen=True)
class Calibration:
    """Decisions of the probe before the first measurement; a resumed run reuses them.

    None of them changes how a strategy is measured, except that one that uses several cores has them.

    Attributes:
        placebos: names of the strategies with placebos.
        parallel: names of the strategies that use several cores; they are never pinned to one.
        repetitions: per launch, as many as the budget allows, or as ``--until`` has found so far; None without both.
        puzzles: of each collection, if the budget does not allow ``FEWEST_REPETITIONS`` of all; else None.
        most: repetitions that the budget allows beside ``--until``; None without both.
    """

    placebos: tuple[str, ...] = ()
    parallel: tuple[str, ...] = ()
    repetitions: int | None = None
    puzzles: int | None = None
    most: int | None = None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Calibration:
        """Return the decisions that a manifest records."""
        numbers = record["repetitions"], record.get("puzzles"), record.get("most")
        return cls(tuple(record["placebos"]), tuple(record["parallel"]), *numbers)


@dataclass(frozen=True)
class Plan:
    """What is measured.

    Attributes:
        lead_ins: the puzzles that lead strategies in, with their solutions.
    """

    suite: Suite
    task: Task
    strategies: tuple[StrategyInfo, ...]
    collections: tuple[Collection, ...]
    puzzles: tuple[PlannedPuzzle, ...]
    lead_ins: Mapping[Shape, tuple[Solved, ...]]
    calibration: Calibration | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The strategies, the placebos, the floor if the mode is cold, and the echo if commands answer line by line.

        Requires a calibrated plan.
        """
        assert self.calibration is not None
        by_name = {info.name: info for info in self.strategies}
        entries = [Entry(info.name, info) for info in self.strategies]
        entries += [Entry(f"({PLACEBO}) {n}", by_name[n], PLACEBO) for n in self.calibration.placebos]
        if self.suite.cold:
            entries.append(Entry(f"({FLOOR})", strategies.FLOOR, FLOOR))
        if any(info.streams for info in self.strategies):
            entries.append(Entry(f"({PIPE})", strategies.ECHO, PIPE))
        return tuple(entries)

    @property
    def size(self) -> int:
        """The number of rows. Requires a calibrated plan."""
        entries = self.entries
        each_launch = sum(
            self.repetitions(planned) * sum(self.solves(entry, planned) for entry in entries)
            for planned in self.puzzles
        )
        return self.suite.launches * each_launch

    def fewer(self, number: int | None) -> Plan:
        """Return the plan of at most so many random puzzles of each collection (None: all), and the decoys."""
        chosen: set[int] = set()
        for name in {planned.collection for planned in self.puzzles}:
            places = [place for place, planned in enumerate(self.puzzles) if planned.collection == name]
            most = len(places) if number is None or name == DECOY_COLLECTION else min(number, len(places))
            random.Random(f"{self.suite.seed}/fewer/{name}").shuffle(places)
            chosen.update(places[:most])
        return replace(self, puzzles=tuple(planned for place, planned in enumerate(self.puzzles) if place in chosen))

    def solves(self, entry: Entry, planned: PlannedPuzzle) -> bool:
        """Does an entry solve a puzzle? Controls solve only sampled ones, and placebos only some of these."""
        if entry.role == PLACEBO:
            return id(planned) in self._of_placebos
        return not entry.role or planned.sampled

    @cached_property
    def _of_placebos(self) -> frozenset[int]:
        """The identities of the puzzles that placebos solve: so few that they have ``PLACEBO_SHARE`` of the rows.

        It follows from the puzzles and strategies of this plan, which ``choose`` makes of a larger one.
        """
        if not self.calibration or not self.calibration.placebos:
            return frozenset()
        share = PLACEBO_SHARE / (1 - PLACEBO_SHARE) * len(self.strategies) / len(self.calibration.placebos)
        chosen: list[PlannedPuzzle] = []
        for name, number in Counter(planned.collection for planned in self.puzzles if not planned.decoy).items():
            sampled = [planned for planned in self.puzzles if planned.collection == name and planned.sampled]
            most = min(len(sampled), int(share * number))
            chosen += random.Random(f"{self.suite.seed}/placebos/{name}").sample(sampled, most)
        return frozenset(map(id, chosen))

    def repetitions(self, planned: PlannedPuzzle) -> int:
        """Return how often each launch measures a puzzle."""
        return 1 if planned.decoy else self.rounds

    @property
    def few_repetitions(self) -> str | None:
        """A warning if there are too few repetitions to estimate the variation between processes."""
        if self.rounds * self.suite.launches >= FEWEST_REPETITIONS:
            return None
        return (
            "with fewer than three repetitions, the variation between processes cannot be estimated:"
            " intervals are too narrow, and few pairs are decided; use --repetitions 5"
        )

    @property
    def rounds(self) -> int:
        """Rounds per launch."""
        chosen = self.calibration.repetitions if self.calibration else None
        return chosen or self.suite.repetitions

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(dict.fromkeys(planned.puzzle.shape for planned in self.puzzles))

    @property
    def loops(self) -> int:
        """Forms per measurement."""
        return self.suite.batch or self.suite.loops

    def measurements(self, launch: int) -> Iterator[Measurement]:
        """Yield the measurements of a launch: round by round, with puzzles and, within each, entries shuffled.

        All entries solve a puzzle in direct succession, so that drift of the machine affects them equally.
        """
        rounds, entries = self.rounds, self.entries
        decoy_rng = random.Random(f"{self.suite.seed}/decoys/{launch}")
        decoy_round = {id(planned): decoy_rng.randint(1, rounds) for planned in self.puzzles if planned.decoy}
        for number in range(1, rounds + 1):
            rng = random.Random(f"{self.suite.seed}/order/{launch}/{number}")
            position = 0
            for planned in self._order([s for s in self.puzzles if decoy_round.get(id(s), number) == number], rng):
                for entry in rng.sample(entries, len(entries)):
                    if self.solves(entry, planned):
                        position += 1
                        repetition = 1 if planned.decoy else number
                        forms = self._forms(entry, planned, launch, repetition)
                        yield Measurement(entry, planned, launch, repetition, number, position, forms)

    def _order(self, planned_puzzles: Sequence[PlannedPuzzle], rng: random.Random) -> list[PlannedPuzzle]:
        """Shuffle puzzles; those of placebos come first.

        Spread over the round, a placebo would wait longer between two solves than its strategy does, in a process that
        has solved less, and would be up to 2% slower: a difference of treatment, and none of the machine.
        """
        shuffled = rng.sample(planned_puzzles, len(planned_puzzles))
        return sorted(shuffled, key=lambda planned: id(planned) not in self._of_placebos)

    def _forms(self, entry: Entry, planned: PlannedPuzzle, launch: int, repetition: int) -> Sequence[int]:
        """Return the numbers of the forms of a measurement.

        Without isomorphs, the stored form (number 0) is repeated. A persistent strategy solves one form at a time.
        """
        loops = 1 if entry.info.persistent else self.loops
        if not self.suite.isomorphs:
            return [0] * loops
        start = planned.first_form + ((launch - 1) * self.rounds + repetition - 1) * self.loops
        return range(start, start + loops)


def load_collections(names: Sequence[str], choice: Choice) -> tuple[Collection, ...]:
    """Load the collections of a run, or the chosen part of each.

    Raises:
        InputError: no collection is named, one cannot be used, or two have the same name.
    """
    if not names:
        raise InputError("no puzzles; name a collection or a file with -d")
    collections = [catalogue.load(name, choice) for name in names]
    duplicates = [name for name, times in Counter(c.name for c in collections).items() if times > 1]
    if duplicates:
        raise InputError(f"two collections are called {duplicates[0]}; name each only once, or rename a file")
    return tuple(collections)


def make(suite: Suite, plugins: Sequence[str] = (), tick: Callable[[int], None] = lambda _total: None) -> Plan:
    """Load the strategies and collections of a suite and establish the references.

    ``tick`` is called after each puzzle with the total number of puzzles.

    Raises:
        InputError: a strategy or collection of the suite cannot be used.
    """
    from sudoku_bench.datasets.making.groups import groups

    task = Task.parse(suite.task)
    patterns = suite.strategies or tuple(command.name for command in suite.commands)
    if not (patterns or plugins):
        raise InputError("no strategies; name some with -s, for example -s 'seed:*'")
    infos = strategies.select(patterns, plugins, suite.commands, suite.sandbox)
    collections = load_collections(suite.datasets, Choice(suite.limit, suite.sample, suite.seed, suite.skip_bad))
    named = [(c.name, item.name, item.puzzle) for c in collections for item in c.items]
    lineages = [collection.lineage_of(item) for collection in collections for item in collection.items]
    embedded = set(suite.datasets) <= set(catalogue.embedded())
    numbers = computed(groups, [p for _, _, p in named], lineages, embedded)
    solvable = {item.puzzle for c in collections for item in c.items if c.solvable or item.solvable}
    own = of_shard(suite, list(zip(named, numbers, first_forms([puzzle for *_, puzzle in named]), strict=True)))
    references = reference.establish([(n, p) for (_, n, p), *_ in own], task.limit, lambda: tick(len(own)), solvable)
    sampled = control_sample(suite.seed, [n for (n, *_), *_ in own], [r.solutions == 1 for r in references])
    planned_puzzles = [
        PlannedPuzzle(*puzzle, ref, first_form, group, sampled=place in sampled)
        for place, ((puzzle, group, first_form), ref) in enumerate(zip(own, references, strict=True))
    ]
    if task.limit > 1:
        planned_puzzles += _decoys(suite.seed, task, planned_puzzles)
    shapes = list(dict.fromkeys(planned.puzzle.shape for planned in planned_puzzles))
    return Plan(suite, task, tuple(infos), collections, tuple(planned_puzzles), lead_ins(shapes))


def first_forms(puzzles: Sequence[Puzzle]) -> Iterator[int]:
    """Yield the number of the first form of each puzzle: copies of a grid have different forms."""
    copies: Counter[Puzzle] = Counter()
    for puzzle in puzzles:
        yield 1 + copies[puzzle] * FORMS_PER_COPY
        copies[puzzle] += 1


def of_shard(suite: Suite, items: list[T]) -> list[T]:
    """Return every N-th of the items of a run, those of its shard: each shard has puzzles of every difficulty.

    Raises:
        InputError: there is none.
    """
    number, shards = suite.part
    if number > len(items):
        raise InputError(f"shard {suite.shard}: the run has only {len(items)} puzzles; use fewer shards")
    return items[number - 1 :: shards]


def control_sample(seed: int, names: Sequence[str], usable: Sequence[bool]) -> set[int]:
    """Return the indices of up to ``PLACEBO_PUZZLES`` usable puzzles of each collection, chosen by the seed.

    Args:
        names: the collection of each puzzle of the run; usable: whether it has exactly one solution.
    """
    chosen: set[int] = set()
    for name in dict.fromkeys(names):
        places = [place for place, collection in enumerate(names) if collection == name and usable[place]]
        chosen.update(random.Random(f"{seed}/placebos/{name}").sample(places, min(PLACEBO_PUZZLES, len(places))))
    return chosen


def _decoys(seed: int, task: Task, planned_puzzles: Sequence[PlannedPuzzle]) -> list[PlannedPuzzle]:
    """Create decoys for each collection, indistinguishable from its puzzles for strategies."""
    decoys: list[reference.Decoy] = []
    for collection in dict.fromkeys(planned.collection for planned in planned_puzzles):
        rng = random.Random(f"{seed}/decoys/{collection}")
        originals = [(s.name, s.puzzle, s.reference) for s in planned_puzzles if s.collection == collection]
        decoys += computed(list, reference.decoys(originals, rng))
    references = reference.establish([(f"decoy of {decoy.name}", decoy.puzzle) for decoy in decoys], task.limit)
    return [
        PlannedPuzzle(DECOY_COLLECTION, f"{kind}-{name}", puzzle, ref, first_form=1, decoy=kind)
        for (kind, name, puzzle), ref in zip(decoys, references, strict=True)
    ]
