"""The plan of a run: what is measured, in which order. Everything here follows from the suite and its seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.plan import reference, strategies
from bench.plan.reference import Reference
from bench.plan.suite import Suite
from bench.process.strategy_info import StrategyInfo
from datasets.collections import catalogue
from datasets.collections.catalogue import Choice, Collection
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.strategy import Task

DECOY_COLLECTION = "(decoys)"  # brackets keep it apart from every file's name
FORMS_PER_COPY = 1 << 28  # form numbers kept for each copy of a grid that a run holds more than once
FORMS_PER_USE = 1 << 26  # of these, for each use of forms
TIMED, PHASES_APART, OTHER, OTHER_PHASES_APART = range(4)  # uses of forms
PLACEBO_PUZZLES = 15  # of each collection, that placebos solve
PLACEBOS = ("instrument", "presentation")
FLOOR, PIPE = "floor", "pipe"
PLACEBO_STRATEGIES = 3  # a fast, a middle and a slow one
PHASE_FORMS = 10  # at most, in a sample for phases alone


@dataclass(frozen=True)
class Subject:
    """A puzzle of the run.

    Attributes:
        reference: its number of solutions, as established before the run.
        first_form: forms of this subject are numbered from here on (another copy of the grid has others).
        decoy: ``several`` or ``none`` for a decoy, else empty.
        sampled: placebos solve it too.
    """

    collection: str
    name: str
    puzzle: Puzzle
    reference: Reference
    first_form: int
    decoy: str = ""
    sampled: bool = False


@dataclass(frozen=True)
class Entrant:
    """Who takes part under which name: a strategy; or, in brackets, which no pattern matches, a placebo of one, the
    floor of cold solves or that of commands.

    Attributes:
        role: empty for a strategy; ``instrument`` (solves the same forms again), ``presentation`` (solves other forms
            of the same puzzles), ``floor`` (does nothing but answer) or ``pipe`` (likewise, a command).
    """

    label: str
    info: StrategyInfo
    role: str = ""

    def meets(self, subject: Subject) -> bool:
        return not self.role or subject.sampled


@dataclass(frozen=True)
class Measurement:
    """One planned row. ``round`` and ``position`` (both from 1) say when it is its turn."""

    entrant: Entrant
    subject: Subject
    launch: int
    repetition: int
    round: int
    position: int


@dataclass(frozen=True)
class Spending:
    """How a budget is spent, by collection where it is a mapping.

    Attributes:
        repetitions: in each launch.
        spread: standard deviation of the logarithm of a measurement, as a typical strategy repeats it in the pilot.
        first_s, later_s: what the first round of a launch takes, and what each later one takes, of wall time.
        start_s: what starting all workers of a round takes; pilot_s: what the pilot took.
        measuring_s: what all measurements are forecast to take.
    """

    repetitions: Mapping[str, int]
    spread: Mapping[str, float]
    first_s: Mapping[str, float]
    later_s: Mapping[str, float]
    start_s: float
    pilot_s: float
    measuring_s: float


@dataclass(frozen=True)
class Settled:
    """What a pilot decides before the first measurement, and a resumed run takes over.

    Attributes:
        loops: forms per measurement, by shape (``9x9``).
        placebos: names of the strategies that have placebos.
        spending: how a budget is spent; None without one.
    """

    loops: Mapping[str, int]
    placebos: tuple[str, ...]
    spending: Spending | None = None


@dataclass(frozen=True)
class Plan:
    suite: Suite
    task: Task
    strategies: tuple[StrategyInfo, ...]
    collections: tuple[Collection, ...]
    subjects: tuple[Subject, ...]
    settled: Settled | None = None

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The strategies, the placebos, the floor if the mode is cold, and the echo if commands answer line by line.

        Needs a settled plan.
        """
        assert self.settled is not None
        by_name = {info.name: info for info in self.strategies}
        found = [Entrant(info.name, info) for info in self.strategies]
        found += [Entrant(f"({p}) {n}", by_name[n], p) for n in self.settled.placebos for p in PLACEBOS]
        if self.suite.cold:
            found.append(Entrant(f"({FLOOR})", strategies.FLOOR, FLOOR))
        if any(info.streams for info in self.strategies):
            found.append(Entrant(f"({PIPE})", strategies.ECHO, PIPE))
        return tuple(found)

    @property
    def size(self) -> int:
        """The number of rows. Needs a settled plan."""
        turns = sum(
            sum(entrant.meets(subject) for entrant in self.entrants) * self.repetitions(subject)
            for subject in self.subjects
        )
        return turns * self.suite.launches

    @property
    def first_size(self) -> int:
        """The number of rows in the first rounds of all launches; of decoys, whose rounds are drawn, so many as come
        on average. Needs a settled plan.
        """
        turns = {
            decoy: sum(e.meets(s) for s in self.subjects if bool(s.decoy) == decoy for e in self.entrants)
            for decoy in (False, True)
        }
        return (turns[False] + turns[True] // self.rounds) * self.suite.launches

    def repetitions(self, subject: Subject) -> int:
        """How often each launch measures a subject."""
        if subject.decoy:
            return 1
        spending = self.settled.spending if self.settled else None
        return spending.repetitions[subject.collection] if spending else self.suite.repetitions

    @property
    def rounds(self) -> int:
        """Of each launch."""
        spending = self.settled.spending if self.settled else None
        return max(spending.repetitions.values()) if spending else self.suite.repetitions

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(dict.fromkeys(subject.puzzle.shape for subject in self.subjects))

    def loops(self, shape: Shape) -> int:
        assert self.settled is not None
        return self.settled.loops[shape.name]

    def measurements(self, launch: int) -> Iterator[Measurement]:
        """The measurements of a launch in their order: round by round, puzzles and, within each, entrants shuffled.

        All meet a puzzle one after the other, so that what drifts on the machine falls on all of them alike.
        """
        rounds, entrants = self.rounds, self.entrants
        hidden = random.Random(f"{self.suite.seed}/decoys/{launch}")
        decoy_round = {id(subject): hidden.randint(1, rounds) for subject in self.subjects if subject.decoy}
        for number in range(1, rounds + 1):
            rng = random.Random(f"{self.suite.seed}/order/{launch}/{number}")
            turn = [
                s for s in self.subjects if (decoy_round[id(s)] == number if s.decoy else number <= self.repetitions(s))
            ]
            rng.shuffle(turn)
            position = 0
            for subject in turn:
                for entrant in rng.sample(entrants, len(entrants)):
                    if entrant.meets(subject):
                        position += 1
                        repetition = 1 if subject.decoy else number
                        yield Measurement(entrant, subject, launch, repetition, number, position)

    def forms(self, measurement: Measurement, phases_apart: bool = False) -> Sequence[int]:
        """The numbers of the forms that a measurement solves, the same for all strategies, none twice in a process.

        Without isomorphs it is the stored form (number 0), again and again; but a placebo of presentation always
        solves other forms. A persistent strategy solves one form per measurement.

        Args:
            phases_apart: the forms on which phases are clocked where they are too short to be clocked in the sample.
        """
        other = measurement.entrant.role == "presentation"
        loops = 1 if measurement.entrant.info.persistent else self.loops(measurement.subject.puzzle.shape)
        number = min(loops, PHASE_FORMS) if phases_apart else loops
        if not self.suite.isomorphs and not other:
            return [0] * number
        sample = (measurement.launch - 1) * self.rounds + measurement.repetition - 1
        use = (OTHER if other else TIMED) + phases_apart
        start = measurement.subject.first_form + use * FORMS_PER_USE + sample * loops
        return range(start, start + number)


def load_collections(names: Sequence[str], choice: Choice) -> tuple[Collection, ...]:
    """The collections of a run, or what is chosen of each.

    Raises:
        InputError: none is named, one cannot be used, or two have the same name.
    """
    if not names:
        raise InputError("no puzzles; name a collection or a file with -d")
    loaded = [catalogue.load(name, choice) for name in names]
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
    wanted = suite.strategies or tuple(command.name for command in suite.commands)
    if not wanted:
        raise InputError("no strategies; name some with -s, for example -s 'seed:*'")
    infos = strategies.select(wanted, plugins, suite.commands)
    loaded = load_collections(suite.datasets, Choice(suite.limit, suite.sample, suite.seed, suite.skip_bad))
    named = [(c.name, item.name, item.puzzle) for c in loaded for item in c.items]
    references = reference.establish([(n, p) for _, n, p in named], task.limit, lambda: tick(len(named)))
    copies: Counter[Puzzle] = Counter()
    sampled = placebo_sample(suite.seed, [n for n, _, _ in named], [r.solutions == 1 for r in references])
    subjects = []
    for place, ((collection, name, puzzle), ref) in enumerate(zip(named, references, strict=True)):
        first_form = 1 + copies[puzzle] * FORMS_PER_COPY
        subjects.append(Subject(collection, name, puzzle, ref, first_form, sampled=place in sampled))
        copies[puzzle] += 1
    if task.limit > 1:
        subjects += _decoys(suite.seed, task, subjects)
    return Plan(suite, task, tuple(infos), loaded, tuple(subjects))


def placebo_sample(seed: int, names: Sequence[str], usable: Sequence[bool]) -> set[int]:
    """The places of up to ``PLACEBO_PUZZLES`` usable puzzles of each collection, chosen by the seed.

    Args:
        names: the collection of each puzzle of the run; usable: whether it has one solution.
    """
    chosen: set[int] = set()
    for name in dict.fromkeys(names):
        places = [place for place, own in enumerate(names) if own == name and usable[place]]
        chosen.update(random.Random(f"{seed}/placebos/{name}").sample(places, min(PLACEBO_PUZZLES, len(places))))
    return chosen


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
