"""``sudoku-bench choose``: choose a strategy for puzzles of one's own within a time budget."""

from __future__ import annotations

import argparse
import dataclasses
import math
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from bench.commands import recommend
from bench.commands.options import add_external_strategies
from bench.commands.run import terminated_as_interrupt
from bench.plan import plan, strategies, suite
from bench.plan.plan import Plan
from bench.run import choosing, experiment, spending
from bench.run.choosing import Screening
from bench.say.output import print_json, print_line
from bench.say.phrases import counted
from bench.say.progress import Progress
from bench.verdicts.pairs.decision import LEAST_PUZZLES
from bench.worker.clocks import wall_s
from datasets.errors import InputError
from solvers.external.command import Command

if TYPE_CHECKING:  # pandas is imported only where it is needed
    from bench.verdicts.choice.choose import Choice
    from bench.verdicts.choice.workload import Workload

BUDGET = "5m"
SAMPLE = 150  # puzzles that are read of each collection
WORTH_HALVING = 0.8  # of the time needed: below it, half of the puzzles save enough to try once more
SHARE_OF_RUN = 0.85  # of what is left of the budget after screening; the rest is for references, ratings and tables
NAMED = 5


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Try all candidates on a few puzzles, measure the best of them on others, and say which strategy to"
        " choose, which are statistically tied with it, from which difficulty on the answer changes, and what a wrong"
        " choice costs."
    )
    parser.add_argument("puzzles", metavar="PUZZLES", help="file of puzzles, or name of a collection")
    parser.add_argument(
        "-s",
        "--strategy",
        action="append",
        dest="strategies",
        metavar="PATTERN",
        help="candidates, such as 'sat:{complete,augmented}+{pairwise,product}@*'; repeatable (default: all listed)",
    )
    parser.add_argument("--task", default="first", help="first, unique or count:K (default first)")
    parser.add_argument(
        "--workload",
        default="stream",
        metavar="one-cold|stream",
        help="one puzzle in a fresh interpreter, or a stream of puzzles in one process (default stream)",
    )
    parser.add_argument("--budget", default=BUDGET, metavar="TIME", help=f"time for everything (default {BUDGET})")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="S", help="limit per solve (default 10)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default 1)")
    parser.add_argument("--pin", default="on", metavar="on|off|CORES", help="run all workers on one core (default on)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (default results/TIME-choose)")
    add_external_strategies(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(main=main)


@dataclass(frozen=True)
class Answer:
    """The choice for boards of one size.

    Attributes:
        candidates: number of strategies screened, on so many puzzles (screened).
        dropped: strategies that only screening has tried, with their cost as a multiple of the best one's.
        excluded: candidates that cannot solve such puzzles, with the reason.
        changes: sentences about difficulties above which another strategy is faster.
    """

    shape: str
    choice: Choice
    candidates: int
    screened: int
    dropped: dict[str, float]
    excluded: dict[str, str]
    changes: list[str]
    run: str


def main(options: argparse.Namespace) -> int:
    from bench.verdicts.choice.workload import Workload

    workload = Workload.parse(options.workload)
    if workload.batch:
        raise InputError("--workload batch:B: choose takes one-cold or stream; measure a batch with run --mode batch:B")
    budget_s, began_s = suite.seconds_of(options.budget), wall_s()
    requested = suite_of(options, workload.mode)
    console = Console(stderr=True, highlight=False, markup=False, quiet=options.json)
    with terminated_as_interrupt(), Progress(console, options.json) as progress:
        progress.begin("checking puzzles")
        planned = plan.make(requested, options.plugin, progress.advance)
        parts = choosing.split(planned, requested.seed)
        folder = options.out or Path("results") / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-choose"
        answers = []
        for number, shape in enumerate(parts):
            each_s = (budget_s - (wall_s() - began_s)) / (len(parts) - number)
            of_shape = dataclasses.replace(
                planned, subjects=tuple(s for s in planned.subjects if s.puzzle.shape == shape)
            )
            where = folder / shape.name if len(parts) > 1 else folder
            answers.append(answer(of_shape, parts[shape], workload, each_s, where, progress))
    notes = list(notes_on(planned))
    if options.json:
        document = {"workload": workload.name, "task": options.task, "answers": list(map(as_json, answers))}
        print_json(document | {"notes": notes})
        return 0
    for note in notes:
        print_line(f"note: {note}", Console(highlight=False, markup=False))
    for each in answers:
        for line in lines(each, workload, options.task):
            print_line(line, Console(highlight=False, markup=False))
    if len({each.choice.best for each in answers}) > 1:
        sizes = ", ".join(f"{each.shape} {each.choice.best}" for each in answers)
        print_line(f"the answer changes with the size: {sizes}", Console(highlight=False, markup=False))
    return 0


def notes_on(planned: Plan) -> Iterator[str]:
    """Yield what was left out: puzzles that cannot be used, and combinations in patterns that are no strategies."""
    for collection in planned.collections:
        yield from (f"{collection.name}: skipped {skipped}" for skipped in collection.skipped)
    yield from strategies.notes_on(planned.suite.strategies, planned.strategies)


def suite_of(options: argparse.Namespace, mode: str) -> suite.Suite:
    """The settings that the run and the screening share."""
    declared = tuple(Command.parse(text, options.task) for text in options.command)
    settings = {
        "name": "choose",
        "strategies": tuple(options.strategies or ("*",)),
        "datasets": (options.puzzles,),
        "sample": SAMPLE,
        "task": options.task,
        "mode": mode,
        "timeout_s": options.timeout,
        "seed": options.seed,
        "pin": options.pin,
        "commands": declared,
    }
    return suite.Suite().with_settings(settings)


def answer(
    planned: Plan,
    parts: tuple[list[Any], list[Any]],
    workload: Workload,
    budget_s: float,
    folder: Path,
    progress: Progress,
) -> Answer:
    """Screen the candidates, measure the best of them, and choose.

    Raises:
        InputError: the budget is too short, or no candidate solves the puzzles.
        KeyboardInterrupt: the run was interrupted; it can be resumed by no command.
    """
    from bench.verdicts import run_tables
    from bench.verdicts.choice import choose
    from bench.verdicts.choice.workload import Range
    from bench.verdicts.difficulty import crossovers

    began_s = wall_s()
    shape = planned.shapes[0]
    for_screening, for_run = parts
    screening, kept = choosing.screen(planned, for_screening, budget_s, progress)
    left_s = SHARE_OF_RUN * (budget_s - (wall_s() - began_s))
    final = choosing.run_plan(planned, for_run, screening, kept, left_s)
    final = measured_in(final, folder, progress, wall_s() - began_s)
    run = run_tables.load(folder)
    choice = choose.choose(run, workload, Range("guesses"), time="cpu_s", name=str(folder))
    table = run.crossovers
    best = table[(table["a"] == choice.best) | (table["b"] == choice.best)] if len(table) else table
    measured = {info.name for info in final.strategies}
    return Answer(
        shape.name,
        choice,
        len(screening.costs),
        screening.puzzles,
        dropped(screening, choice.best, measured),
        excluded(planned, screening),
        crossovers.sentences(best) if len(best) else [],
        str(folder),
    )


def measured_in(planned: Plan, folder: Path, progress: Progress, used_s: float) -> Plan:
    """Execute a plan in a run folder, with fewer puzzles if its pilot shows that the budget is too short.

    Args:
        used_s: wall time used up before.

    Raises:
        InputError: the budget is too short for the fewest puzzles, or the folder cannot be used.
        KeyboardInterrupt: the run was interrupted.
    """
    command = shlex.join(["sudoku-bench", *sys.argv[1:]])
    needed_s = math.inf
    while True:
        try:
            if not experiment.conduct(planned, folder, command, datetime.now(UTC), progress, resume=True):
                raise KeyboardInterrupt
            return planned
        except spending.BudgetError as error:
            fewer = choosing.smaller(planned)
            if fewer is None or error.needed_s > WORTH_HALVING * needed_s:  # else what a run costs is fixed
                minutes = math.ceil((used_s + error.needed_s / SHARE_OF_RUN) / 60)
                raise InputError(
                    f"the budget is too short to measure {counted(len(planned.strategies), 'strategy', 'strategies')}"
                    f" on {LEAST_PUZZLES} puzzles or more; raise it to about --budget {minutes}m"
                ) from None
            planned, needed_s = fewer, error.needed_s


def dropped(screening: Screening, best: str, measured: set[str]) -> dict[str, float]:
    """The strategies that only screening has tried, with their cost as a multiple of the best one's, cheapest first."""
    names = [name for name in screening.costs if name not in measured and name not in screening.failed]
    multiples = {name: screening.multiple(name, best) for name in names}
    return dict(sorted(multiples.items(), key=lambda item: item[1]))


def excluded(planned: Plan, screening: Screening) -> dict[str, str]:
    """The candidates that took no part, with the reason."""
    reasons = {info.name: info.reason for info in planned.strategies if not info.available}
    for info in planned.strategies:
        if info.available and planned.task.name not in info.tasks:
            reasons[info.name] = f"does not offer the task {planned.task.name}"
    failed = sorted(screening.failed.items())
    return reasons | {name: f"gave no right answer in screening ({fault})" for name, fault in failed}


def lines(each: Answer, workload: Workload, task: str) -> Iterator[str]:
    """Yield the answer as a few lines of text."""
    choice = each.choice
    measured = int((choice.table["standing"] != "left_out").sum())
    yield (
        f"{each.shape}, {workload.name}, task {task}: {counted(each.candidates, 'candidate')} screened on"
        f" {counted(each.screened, 'puzzle')}, {measured} measured on {choice.n_puzzles} others,"
        f" {counted(choice.solves_each, 'solve')} each ({each.run})"
    )
    yield from recommend.lines(choice, workload, "cpu")
    if each.changes:
        yield from (f"the answer changes: {sentence}" for sentence in each.changes)
    else:
        yield f"no difficulty was found above which another strategy is faster than {choice.best}"
    yield from wrong_choices(each)
    reasons: dict[str, list[str]] = {}
    for name, reason in each.excluded.items():
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        yield f"not considered, {reason}: {', '.join(names)}"


def wrong_choices(each: Answer) -> Iterator[str]:
    """Yield what other choices cost: strategies, and parts of the names if all are SAT strategies."""
    table = each.choice.table
    slower = table[table["standing"] == "slower"]
    if len(slower):
        rows = slower.to_dict("records")
        texts = [recommend.excess_text(row) for row in rows[:NAMED]]
        if len(rows) > NAMED:
            texts.append(f"and {len(rows) - NAMED} more, up to {recommend.more_text(rows[-1]['excess'])}")
        yield f"a wrong choice costs: {'; '.join(texts)}"
    if each.dropped:
        names = list(each.dropped)
        few = ", ".join(f"{name} about ×{each.dropped[name]:.2g}" for name in names[:NAMED])
        worst = f", up to ×{each.dropped[names[-1]]:.2g} and more ({names[-1]})" if len(names) > NAMED else ""
        yield f"dropped in screening: {few}{worst}"
    for row in parts(each):
        interval = recommend.excess_text({**row, "strategy": row["instead"]})
        yield f"{row['part']}: {row['value']}; without it at best {interval} ({row['strategy']})"


def parts(each: Answer) -> list[dict[str, Any]]:
    """For each part of the names that varies: its value in the best strategy, and the best strategy without it.

    Only measured SAT strategies count; empty if there are others.
    """
    table = each.choice.table[each.choice.table["standing"] != "left_out"]
    if not all(name.startswith("sat:") for name in table["strategy"]):
        return []
    rows = {row["strategy"]: row for row in table.to_dict("records")}
    best = choosing.parts_of(each.choice.best)
    results = []
    for part in choosing.factors({name: row["cost_s"] for name, row in rows.items()}):
        others = [name for name in rows if choosing.parts_of(name)[part] != best[part]]
        nearest = min(others, key=lambda name: rows[name]["cost_s"])
        instead = choosing.parts_of(nearest)[part]
        row = {str(key): value for key, value in rows[nearest].items()}
        results.append({**row, "part": part, "value": best[part], "instead": instead})
    return results


def as_json(each: Answer) -> dict[str, Any]:
    from bench.say.output import json_rows

    choice = each.choice
    return {
        "shape": each.shape,
        "run": each.run,
        "puzzles": choice.n_puzzles,
        "solves_each": choice.solves_each,
        "screened": each.candidates,
        "best": choice.best,
        "not_apart": list(choice.table.loc[choice.table["standing"] == "not_apart", "strategy"]),
        "criterion": choice.criterion,
        "spread_too_much": choice.is_uncertain,
        "strategies": json_rows(choice.table),
        "dropped": each.dropped,
        "excluded": each.excluded,
        "changes": each.changes,
        "parts": [
            {key: row[key] for key in ("part", "value", "instead", "strategy", "excess", "excess_lo", "excess_hi")}
            for row in parts(each)
        ],
    }
