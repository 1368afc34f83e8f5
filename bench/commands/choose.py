"""``sudoku-bench choose``: choose a strategy for puzzles of one's own within a time budget, or one of a run."""

from __future__ import annotations

import argparse
import dataclasses
import math
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.commands import options as shared
from sudoku_bench.bench.plan import plan, strategies, suite
from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.run import choosing, experiment
from sudoku_bench.bench.run.choosing import Screening, Undecided
from sudoku_bench.bench.say.output import plain_console, print_json, print_line
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets import files
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import split
from sudoku_bench.solvers.external.command import Command

if TYPE_CHECKING:  # pandas is imported only where it is needed
    from sudoku_bench.bench.verdicts.choice.choose import Choice

BUDGET = "5m"
SAMPLE = 150  # puzzles that are read of each collection
NAMED = 5
FEWEST_PUZZLES = 3  # of an interval
MEASURED = ("guesses",)  # the difficulty above which another strategy is faster; other measures take longer than solves
OF_RUNS = ("datasets",)  # options that apply to a run only
OF_PUZZLES = ("budget", "timeout", "seed", "pin", "out", "plugin", "command", "skip_bad")


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Choose the strategy with the lowest total cost for puzzles of your own, or among the strategies of a run. The"
        " answer also names those that are not shown to cost more, the numbers of puzzles and the difficulties from"
        " which another one is better, and what a wrong choice costs."
    )
    parser.add_argument(
        "source", metavar="PUZZLES|RUN", help="file of puzzles, name of a collection, or a run folder that has the rows"
    )
    patterns = "candidates, such as 'sat:{complete,augmented}+{pairwise,product}@*'; repeatable (default: all)"
    shared.add_shared(parser, "-s", help=patterns)
    shared.add_shared(parser, "--task", default=None, help="first, unique or count:K (default first; of a run its own)")
    text = "number of puzzles to solve (default: those of the file, or of the chosen collections of the run)"
    parser.add_argument("--puzzles", type=int, metavar="N", help=text)
    shared.add_shared(parser, "--json")
    puzzles = parser.add_argument_group("options for puzzles")
    puzzles.add_argument("--budget", metavar="TIME", help=f"time for everything (default {BUDGET})")
    puzzles.add_argument("--timeout", type=float, metavar="S", help="limit per solve (default 10)")
    shared.add_shared(puzzles, "--seed", "--pin", "--plugin", "--command", "--skip-bad")
    puzzles.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (default results/TIME-choose)")
    run = parser.add_argument_group("options for a run")
    shared.add_shared(run, "-d")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    is_run = Path(options.source).is_dir()
    for name in OF_PUZZLES if is_run else OF_RUNS:
        if str(getattr(options, name)) not in ("None", "[]", "False"):  # 0 is a value, too
            raise InputError(
                f"--{name.rstrip('s').replace('_', '-')}: applies to {'puzzles' if is_run else 'a run'} only"
            )
    if options.puzzles is not None and options.puzzles < 1:
        raise InputError(f"--puzzles: must be 1 or more, not {options.puzzles}")
    if "/" in options.source and not files.exists(split(options.source)[0]):
        raise InputError(f"{options.source}: no such file or folder")
    return of_run(options) if is_run else of_puzzles(options)


def of_run(options: argparse.Namespace) -> int:
    """Choose among the strategies of a run from its rows."""
    from sudoku_bench.bench.say import choice as words
    from sudoku_bench.bench.say import terminal
    from sudoku_bench.bench.verdicts import run_tables
    from sudoku_bench.bench.verdicts.choice import choose

    folder = options.source
    run = shared.selected(run_tables.load(Path(folder)), options.strategies)
    terminal.note_edits(run)
    choice = choose.choose(run, options.task, tuple(options.datasets), folder, options.puzzles)
    task = run.manifest["suite"]["task"]
    if options.json:
        document = {"mode": choice.mode, "task": task, "answers": [words.as_json(choice, folder)]}
        print_json(document | {"notes": terminal.unverified(run)})
        return 0
    heading = (
        f"mode {choice.mode}, task {task}: {counted(choice.n_puzzles, 'puzzle')},"
        f" {counted(choice.solves_each, 'solve')} per puzzle and strategy"
    )
    for line in (heading, *words.of_run(run, choice)):
        print_line(line)
    return 0


def of_puzzles(options: argparse.Namespace) -> int:
    """Screen and measure strategies on puzzles, one run for each size of boards, and choose."""
    budget_s, began_s = suite.seconds_of(options.budget or BUDGET), wall_s()
    requested = suite_of(options)
    with Progress(plain_console(stderr=True, quiet=options.json), options.json) as progress:
        progress.begin("checking puzzles")
        planned = plan.make(requested, options.plugin, progress.advance)
        parts = choosing.split(planned, requested.seed)
        folder = options.out or Path("results") / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-choose"
        answers = []
        for number, shape in enumerate(parts):
            budget_of_shape_s = (budget_s - (wall_s() - began_s)) / (len(parts) - number)
            planned_puzzles = tuple(s for s in planned.puzzles if s.puzzle.shape == shape)
            of_shape = dataclasses.replace(planned, puzzles=planned_puzzles)
            where = folder / shape.name if len(parts) > 1 else folder
            asked = options.puzzles or sum(collection.available[shape] for collection in planned.collections)
            answers.append(answer(of_shape, parts[shape], asked, budget_of_shape_s, where, progress))
    notes = [note for collection in planned.collections for note in collection.notes()]
    notes += strategies.notes_on(planned.suite.strategies, planned.strategies)
    if options.json:
        document = {"mode": requested.mode, "task": requested.task, "answers": list(map(as_json, answers))}
        print_json(document | {"notes": notes})
        return 0
    for line in (*(f"note: {note}" for note in notes), *(line for a in answers for line in lines(a))):
        print_line(line)
    if len({answer.found.best for answer in answers}) > 1:
        sizes = ", ".join(f"{answer.shape} {answer.found.best}" for answer in answers)
        print_line(f"the answer changes with the size: {sizes}")
    return 0


@dataclass(frozen=True)
class BestSoFar:
    """What solves have shown where nothing could be decided.

    Attributes:
        costs_s: the mean cost of each candidate that could be the best, the lowest first, on so many puzzles.
        ratios: of these costs to the lowest, with the interval; its ends are None with fewer than three puzzles.
        why: why there is no verdict; budget: one that would suffice, such as ``4m``; empty if none would.
    """

    costs_s: dict[str, float]
    ratios: dict[str, tuple[float, float | None, float | None]]
    puzzles: int
    why: str
    budget: str

    @property
    def best(self) -> str:
        return next(iter(self.costs_s))


@dataclass(frozen=True)
class Answer:
    """What was found for boards of one size.

    Attributes:
        found: a choice from the rows of ``run``, or what solves have shown.
        candidates: number of strategies screened, on so many puzzles (screened).
        dropped: strategies that only screening has tried, with their cost as a multiple of the best one's.
        untried: those that there was no time for, with what a solve took in the stored screening of such boards.
        excluded: candidates that took no part, with the reason.
        changes: sentences about difficulties above which another strategy is faster.
        pipe: what the pipe to an external program costs, if there is one.
    """

    shape: str
    task: str
    found: Choice | BestSoFar
    candidates: int
    screened: int
    dropped: dict[str, float]
    untried: dict[str, float]
    excluded: dict[str, str]
    changes: Sequence[str] = ()
    pipe: Sequence[str] = ()
    run: str = ""

    @classmethod
    def of(cls, planned: Plan, screening: Screening, found: Choice | BestSoFar, **of_run: Any) -> Answer:
        """Return the answer with what screening tells about the other candidates, the cheapest first."""
        costs, shape = screening.costs, planned.shapes[0]
        compared = found.costs_s if isinstance(found, BestSoFar) else set(found.table["strategy"])
        others = [name for name in costs if name not in compared and name not in screening.failed]
        dropped = {name: screening.multiple(name, found.best) for name in others}
        untried = {n: choosing.expected_s(n, shape.size) for n in choosing.in_order(planned) if n not in costs}
        return cls(
            shape.name,
            planned.suite.task,
            found,
            len(costs),
            screening.puzzles,
            dict(sorted(dropped.items(), key=lambda item: item[1])),
            untried,
            excluded(planned, screening),
            **of_run,
        )


def suite_of(options: argparse.Namespace) -> suite.Suite:
    """The settings that the run and the screening share."""
    task = options.task or "first"
    declared, patterns = tuple(Command.parse(text, task) for text in options.command), options.strategies or ["*"]
    settings = {
        "name": "choose",
        "strategies": (*patterns, *strategies.unnamed(declared, patterns)),
        "datasets": (options.source,),
        "sample": SAMPLE,
        "task": task,
        "timeout_s": options.timeout,
        "seed": options.seed,
        "pin": options.pin,
        "skip_bad": options.skip_bad,
        "commands": declared,
    }
    return suite.Suite().with_settings(settings)


def answer(
    planned: Plan,
    parts: tuple[list[Any], list[Any]],
    asked: int,
    budget_s: float,
    folder: Path,
    progress: Progress,
) -> Answer:
    """Screen the candidates, measure the best of them, and choose for a number of puzzles.

    Raises:
        InputError: no candidate solves the puzzles.
        KeyboardInterrupt: the run was interrupted; it can be resumed by no command.
    """
    from sudoku_bench.bench.say import terminal
    from sudoku_bench.bench.verdicts import run_tables
    from sudoku_bench.bench.verdicts.choice import choose
    from sudoku_bench.bench.verdicts.difficulty import crossovers

    began_s, (for_screening, for_run) = wall_s(), parts
    until_s = began_s + (1 - choosing.SPARE_SHARE) * budget_s - choosing.SPARE_S
    limit_s = choosing.limit_s(planned.suite, len(choosing.capable(planned)), budget_s)
    screening = choosing.kept_screening(folder, planned, Screening(limit_s, asked))
    final = choosing.continued(planned, for_run, screening, folder)
    try:
        if final is None:
            ends_s = began_s + choosing.SCREENING_SHARE * budget_s
            kept = choosing.screen(planned, for_screening, screening, ends_s, progress)
            final = choosing.run_plan(planned, for_run, screening, kept, budget_s - (wall_s() - began_s))
    except Undecided as undecided:
        for share in (0.5, 0.9):  # of the time that is left: first some for further candidates, then for the leaders
            ends_s = wall_s() + share * max(0.0, until_s - wall_s())
            choosing.screen(planned, for_screening, screening, ends_s, progress)
            leaders = screening.kept(choosing.STAGES[-1][1])[: choosing.LEADERS]
            progress.begin("comparing the cheapest")
            choosing.go_on(planned, (*for_screening, *for_run), screening, leaders, until_s)
        choosing.keep(folder, planned, screening)
        return Answer.of(planned, screening, best_so_far(screening, leaders, undecided))
    choosing.keep(folder, planned, screening)
    command = shlex.join(["sudoku-bench", *sys.argv[1:]])
    settings: Any = {"resume": True, "measured": MEASURED, "ends_s": until_s}
    if not experiment.conduct(final, folder, command, datetime.now(UTC), progress, **settings) and wall_s() < until_s:
        raise KeyboardInterrupt
    run = run_tables.load(folder)
    try:
        choice = choose.choose(run, name=str(folder), asked=asked, partial=True)
    except InputError as error:
        kept = screening.kept(choosing.STAGES[-1][1])
        return Answer.of(planned, screening, best_so_far(screening, kept, Undecided(str(error))))
    table = run.crossovers
    best = table[(table["a"] == choice.best) | (table["b"] == choice.best)] if len(table) else table
    changes = crossovers.sentences(best) if len(best) else []
    pipe = terminal.echo_lines(run.measurements)
    return Answer.of(planned, screening, choice, changes=changes, pipe=pipe, run=str(folder))


def best_so_far(screening: Screening, names: Sequence[str], undecided: Undecided) -> BestSoFar:
    """The candidates that could be the best by their solves of screening and after it, with ratios and intervals."""
    import numpy as np

    from sudoku_bench.bench.verdicts.choice import choose
    from sudoku_bench.bench.verdicts.choice.mean_costs import excess

    number = min(len(screening.costs[name]) for name in names)
    costs_s = {name: screening.mean(name, number) for name in names}
    best, *others = costs_s = dict(sorted(costs_s.items(), key=lambda item: item[1]))
    solves = {name: np.array(screening.costs[name][:number])[:, None] for name in costs_s}
    ratios: dict[str, tuple[float, float | None, float | None]] = {}
    for name in others:
        shift = [costs_s[one] - float(solves[one].mean()) for one in (name, best)]  # their shares of preparing
        ratios[name] = costs_s[name] / costs_s[best], None, None
        if number >= FEWEST_PUZZLES:
            found = excess(solves[name] + shift[0], solves[best] + shift[1], choose.ALPHA / 2 / len(others))
            ratios[name] = found.ratio, found.lo, found.hi
    minutes = math.ceil(undecided.budget_s / 60)
    return BestSoFar(costs_s, ratios, number, str(undecided), f"{minutes}m" if minutes else "")


def excluded(planned: Plan, screening: Screening) -> dict[str, str]:
    """The candidates that took no part, with the reason."""
    reasons = {info.name: info.reason for info in planned.strategies if not info.available}
    for info in planned.strategies:
        if info.available and planned.task.name not in info.tasks:
            reasons[info.name] = f"does not offer the task {planned.task.name}"
    failed = sorted(screening.failed.items())
    return reasons | {name: f"gave no right answer in screening ({fault})" for name, fault in failed}


def lines(answer: Answer) -> Iterator[str]:
    """Yield the answer as a few lines of text."""
    from sudoku_bench.bench.say import choice as words

    if isinstance(answer.found, BestSoFar):
        yield from undecided_lines(answer, answer.found)
    else:
        yield from decided_lines(answer, answer.found)
    yield from words.by_reason(answer.excluded, "not considered")


def decided_lines(answer: Answer, choice: Choice) -> Iterator[str]:
    """Yield the choice, what it rests on, where it changes, and what other choices cost."""
    from sudoku_bench.bench.say import choice as words

    measured = int((choice.table["standing"] != "left_out").sum())
    yield (
        f"{answer.shape}, mode {choice.mode}, task {answer.task}: {counted(answer.candidates, 'candidate')} screened on"
        f" {counted(answer.screened, 'puzzle')}, {measured} measured on {choice.n_puzzles} others,"
        f" {counted(choice.solves_each, 'solve')} each ({answer.run})"
    )
    yield from words.lines(choice)
    yield from (f"the answer changes: {sentence}" for sentence in answer.changes)
    if not answer.changes:
        yield f"no difficulty was found above which another strategy is faster than {choice.best}"
    slower = choice.table.query("standing == 'slower'").to_dict("records")
    if slower:
        more = f"; and {len(slower) - NAMED} more, up to {words.more_text(slower[-1]['excess'])}"
        texts = "; ".join(map(words.excess_text, slower[:NAMED]))
        number = counted(choice.asked, "puzzle")
        yield f"a wrong choice costs, for {number}: {texts}{more if len(slower) > NAMED else ''}"
    yield from not_measured(answer)
    yield from answer.pipe


def undecided_lines(answer: Answer, found: BestSoFar) -> Iterator[str]:
    """Yield what is the best so far, how far the others are behind it, and what would decide."""
    from sudoku_bench.bench.say.phrases import seconds
    from sudoku_bench.bench.verdicts.pairs.evidence import interval_of, ratio_text

    tried = f"{counted(answer.candidates, 'candidate')} tried; the cheapest on {counted(found.puzzles, 'puzzle')}"
    yield f"{answer.shape}, task {answer.task}: {tried}, once each"
    yield f"best so far: {found.best} ({seconds(found.costs_s[found.best])} of CPU time per puzzle, with preparation)"
    if found.ratios:
        texts = [
            f"{name} ×{ratio_text(ratio)} {interval_of(low, high, ratio_text)}".rstrip()
            for name, (ratio, low, high) in found.ratios.items()
        ]
        more = f"; and {len(texts) - NAMED} more" if len(texts) > NAMED else ""
        yield f"behind it so far, without a verdict: {'; '.join(texts[:NAMED])}{more}"
    would = f"; --budget {found.budget} would be enough to compare the cheapest" if found.budget else ""
    yield f"undecided, because {found.why}{would}"
    yield from not_measured(answer)


def not_measured(answer: Answer) -> Iterator[str]:
    """Yield what is known of the candidates that were dropped in screening, or not tried."""
    from sudoku_bench.bench.say.phrases import seconds

    if answer.dropped:
        names = list(answer.dropped)
        few = ", ".join(f"{name} about ×{answer.dropped[name]:.2g}" for name in names[:NAMED])
        worst = f", up to ×{answer.dropped[names[-1]]:.2g} and more ({names[-1]})" if len(names) > NAMED else ""
        yield f"dropped in screening: {few}{worst}"
    if answer.untried:
        few = ", ".join(f"{name} {seconds(cost_s)}" for name, cost_s in list(answer.untried.items())[:NAMED])
        more = f", and {len(answer.untried) - NAMED} slower ones" if len(answer.untried) > NAMED else ""
        yield f"not tried, for lack of time; a solve took in the stored screening of such boards: {few}{more}"


def as_json(answer: Answer) -> dict[str, Any]:
    from sudoku_bench.bench.say import choice as words

    found, facts = answer.found, {name: getattr(answer, name) for name in ("shape", "dropped", "untried", "excluded")}
    if isinstance(found, BestSoFar):
        facts |= {"task": answer.task, "candidates": answer.candidates}
        return {"best": found.best, "decided": False} | dataclasses.asdict(found) | facts
    facts |= {"screened": answer.candidates, "changes": answer.changes, "pipe": answer.pipe}
    return words.as_json(found, answer.run) | {"decided": True} | facts
