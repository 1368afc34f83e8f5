"""``sudoku-bench recommend``: recommend a strategy of a run for a workload."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from bench.commands import selecting
from bench.folder.method import in_clock
from bench.say.phrases import counted

if TYPE_CHECKING:  # pandas is imported only where it is needed
    from bench.verdicts.choice.choose import Choice
    from bench.verdicts.choice.workload import Workload
    from bench.verdicts.run_tables import Run

NAMED = 5  # strategies tied with the best that are named; more are counted
CLOCKS = {"cpu": "CPU time", "wall": "wall time"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Recommend the strategy of a run with the lowest mean cost for a workload, and list the strategies"
        " that are statistically tied with it."
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="run folder, such as results/bench")
    parser.add_argument(
        "--workload",
        required=True,
        metavar="one-cold|stream|batch:B",
        help="one puzzle in a fresh interpreter, a stream of puzzles in one process, or B puzzles per call",
    )
    parser.add_argument(
        "--difficulty", metavar="LO..HI", help="only puzzles in this range of difficulty, such as 2..50 or 10.."
    )
    parser.add_argument("--axis", default="guesses", help="measure of --difficulty (default guesses)")
    parser.add_argument("--task", help="first, unique or count:K (default: the task of the run)")
    parser.add_argument(
        "-d", "--dataset", action="append", dest="datasets", metavar="NAME", help="only this collection; repeatable"
    )
    selecting.add_strategies(parser)
    selecting.add_aliases(parser)
    parser.add_argument("--clock", choices=tuple(CLOCKS), default="cpu", help="clock that measures costs (default cpu)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    from bench.say import terminal
    from bench.verdicts import run_tables
    from bench.verdicts.choice import choose
    from bench.verdicts.choice.workload import Range, Workload

    workload = Workload.parse(options.workload)
    difficulty = Range.parse(options.difficulty, options.axis)
    run = selecting.selected(run_tables.load(options.run), options)
    terminal.note_edits(run)
    choice = choose.choose(
        run,
        workload,
        difficulty,
        options.task,
        tuple(options.datasets or ()),
        f"{options.clock}_s",
        str(options.run),
    )
    if options.json:
        print(json.dumps(as_json(choice, workload, options) | {"cautions": terminal.unverified(run)}, indent=2))
        return 0
    console = Console(highlight=False, markup=False)
    where = f" with {difficulty}" if options.difficulty else ""
    console.print(
        f"{workload.name}, task {run.manifest['suite']['task']}: {counted(choice.n_puzzles, 'puzzle')}{where},"
        f" {counted(choice.solves_each, 'solve')} per puzzle and strategy"
    )
    for line in told(run, choice, workload, options.clock):
        console.print(line)
    return 0


def told(run: Run, choice: Choice, workload: Workload, clock: str) -> list[str]:
    """Return the recommendation for a run as a few lines of text, and what changes its meaning."""
    from bench.say import terminal

    return [in_clock(line, run.manifest) for line in (*lines(choice, workload, clock), *terminal.unverified(run))]


def lines(choice: Choice, workload: Workload, clock: str) -> Iterator[str]:
    """Yield the recommendation as a few lines of text."""
    rows = choice.table.to_dict("records")
    best = rows[0]
    yield f"choose {best['strategy']}: {_cost(best, choice.criterion, workload, clock)}"
    if choice.criterion == "par2":
        yield (
            "No strategy solved all of these puzzles, so the choice is by PAR-2, which counts an unfinished solve as"
            f" twice the limit; {best['strategy']} left {best['unfinished']:.0f} of"
            f" {choice.n_puzzles * choice.solves_each} solves unfinished."
        )
    tied = [row for row in rows if row["standing"] == "not_apart"]
    slower = [row for row in rows if row["standing"] == "slower"]
    if tied:
        more = f"; and {len(tied) - NAMED} more" if len(tied) > NAMED else ""
        yield "statistically tied with it: " + "; ".join(excess_text(row) for row in tied[:NAMED]) + more
    elif slower:
        yield f"next: {excess_text(slower[0])}; this and all others are significantly more expensive"
    if choice.is_uncertain:
        yield _spread(choice)
    yield _regret(choice)
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row["standing"] == "left_out":
            reasons.setdefault(row["reason"], []).append(row["strategy"])
    for reason, names in reasons.items():
        yield f"excluded, {reason}: {', '.join(names)}"


def _cost(row: Mapping[Any, Any], criterion: str, workload: Workload, clock: str) -> str:
    from bench.say.phrases import seconds

    measure = "PAR-2" if criterion == "par2" else CLOCKS[clock]
    cost = f"{seconds(row['cost_s'])} mean {measure} per puzzle"
    if workload.batch:
        return f"{cost}, including preparation"
    if workload.name == "one-cold" or math.isnan(row["prepare_s"]):  # unknown in imported runs
        return cost
    return f"{cost}, plus {seconds(row['prepare_s'])} once to prepare"


def excess_text(row: Mapping[Any, Any]) -> str:
    ends = [row["excess_lo"], row["excess_hi"]]
    interval = (
        "" if any(end is None or end != end for end in ends) else f" [{more_text(ends[0])}, {more_text(ends[1])}]"
    )
    return f"{row['strategy']} {more_text(row['excess'])}{interval}"


def more_text(share: float) -> str:
    """Format the excess over the best: a percentage, or a factor if the cost is more than doubled."""
    return f"×{1 + share:.3g}" if share > 1 else f"{share:+.1%}"


def _spread(choice: Choice) -> str:
    """Say that costs spread too much for the number of puzzles, and what that means."""
    return (
        f"costs spread too much for {counted(choice.n_puzzles, 'puzzle')}: they vary by a factor of"
        f" {math.exp(choice.log_spread):.2g} (one standard deviation), so only much more expensive strategies are ruled"
        " out; measure more puzzles, or choose for a narrower --difficulty"
    )


def _regret(choice: Choice) -> str:
    regret = choice.regret
    least = "at least " if regret.at_least else ""
    ends = [f"{end:.1%}" if end is not None else "?" for end in (regret.lo, regret.hi)]
    interval = "" if regret.lo is None and regret.hi is None else f" [{', '.join(ends)}]"
    measure = " in PAR-2" if choice.criterion == "par2" else ""
    return (
        f"regret: a strategy chosen on half of the puzzles costs {least}{regret.share:.1%}{interval} more{measure} on"
        " the other half than the best strategy for each puzzle"
    )


def as_json(choice: Choice, workload: Workload, options: argparse.Namespace) -> dict[str, Any]:
    from bench.say.output import json_rows

    regret = choice.regret
    return {
        "run": str(options.run),
        "workload": workload.name,
        "difficulty": options.difficulty,
        "axis": options.axis,
        "clock": options.clock,
        "puzzles": choice.n_puzzles,
        "solves_each": choice.solves_each,
        "criterion": choice.criterion,
        "log_spread": choice.log_spread,
        "spread_too_much": choice.is_uncertain,
        "best": choice.best,
        "not_apart": list(choice.table.loc[choice.table["standing"] == "not_apart", "strategy"]),
        "regret": {"share": regret.share, "lo": regret.lo, "hi": regret.hi, "at_least": regret.at_least},
        "strategies": json_rows(choice.table),
    }
