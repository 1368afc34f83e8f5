"""``sudoku-bench recommend``: which strategy of a run to choose for a workload."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

if TYPE_CHECKING:  # pandas is loaded only where it is needed
    from bench.verdicts.choice.choose import Choice
    from bench.verdicts.choice.workload import Workload

NAMED = 5  # strategies that are not told apart from the best are named up to so many
PAID = {"cpu": "CPU time", "wall": "wall time"}


def add(commands: Any) -> None:
    parser = commands.add_parser("recommend", help="say which strategy of a run to choose for a workload")
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run")
    parser.add_argument(
        "--workload",
        required=True,
        metavar="one-cold|stream|batch:B",
        help="one puzzle in a fresh interpreter, many one after the other, or B in one call",
    )
    parser.add_argument("--difficulty", metavar="LO..HI", help="only puzzles in this range, such as 2..50 or 10..")
    parser.add_argument("--axis", default="guesses", help="the measure of difficulty of that range (default guesses)")
    parser.add_argument("--task", help="first, unique or count:K (default: what the run asked)")
    parser.add_argument(
        "-d", "--dataset", action="append", dest="datasets", metavar="NAME", help="only this collection"
    )
    parser.add_argument("--clock", choices=tuple(PAID), default="cpu", help="what is paid for (default cpu)")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    from bench.verdicts import run_tables
    from bench.verdicts.choice import choose
    from bench.verdicts.choice.workload import Range, Workload

    workload = Workload.parse(options.workload)
    difficulty = Range.parse(options.difficulty, options.axis)
    run = run_tables.load(options.run)
    found = choose.choose(
        run,
        workload,
        difficulty,
        options.task,
        tuple(options.datasets or ()),
        f"{options.clock}_s",
        str(options.run),
    )
    if options.json:
        print(json.dumps(as_json(found, workload, options), indent=2))
        return 0
    console = Console(highlight=False, markup=False)
    where = f" with {difficulty}" if options.difficulty else ""
    console.print(
        f"{workload.name}, task {run.manifest['suite']['task']}: {found.n_puzzles} puzzles{where},"
        f" {found.solves_each} solves of each by each strategy"
    )
    for line in lines(found, workload, options.clock):
        console.print(line)
    return 0


def lines(found: Choice, workload: Workload, clock: str) -> Iterator[str]:
    """The answer in a few lines."""
    rows = found.table.to_dict("records")
    best = rows[0]
    yield f"choose {best['strategy']}: {_cost(best, found.criterion, workload, clock)}"
    if found.criterion == "par2":
        yield (
            "No strategy solved all of these puzzles. The choice is by PAR-2: an unfinished solve counts as twice the"
            f" limit; this one left {best['unfinished']:.0f} of {found.n_puzzles * found.solves_each} unfinished."
        )
    alike = [row for row in rows if row["standing"] == "not_apart"]
    slower = [row for row in rows if row["standing"] == "slower"]
    if alike:
        more = f"; and {len(alike) - NAMED} more" if len(alike) > NAMED else ""
        yield "not told apart from it: " + "; ".join(_excess(row) for row in alike[:NAMED]) + more
    elif slower:
        yield f"next: {_excess(slower[0])}; it and all others are told apart from the best"
    yield _regret(found)
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row["standing"] == "left_out":
            reasons.setdefault(row["reason"], []).append(row["strategy"])
    for reason, names in reasons.items():
        yield f"left out, {reason}: {', '.join(names)}"


def _cost(row: Mapping[Any, Any], criterion: str, workload: Workload, clock: str) -> str:
    from bench.figures.style import seconds

    figure = "of PAR-2" if criterion == "par2" else f"of {PAID[clock]}"
    what = f"{seconds(row['cost_s'])} {figure} per puzzle in the mean"
    if workload.batch:
        return f"{what}, preparing included"
    return what if workload.name == "one-cold" else f"{what}, and {seconds(row['prepare_s'])} once to prepare"


def _excess(row: Mapping[Any, Any]) -> str:
    ends = [row["excess_lo"], row["excess_hi"]]
    interval = "" if any(end is None or end != end for end in ends) else f" [{_more(ends[0])}, {_more(ends[1])}]"
    return f"{row['strategy']} {_more(row['excess'])}{interval}"


def _more(share: float) -> str:
    """How much more than the best: a share, or a factor where that is more than twice as much."""
    return f"×{1 + share:.3g}" if share > 1 else f"{share:+.1%}"


def _regret(found: Choice) -> str:
    regret = found.regret
    least = "at least " if regret.at_least else ""
    ends = [f"{end:.1%}" if end is not None else "?" for end in (regret.lo, regret.hi)]
    interval = "" if regret.lo is None and regret.hi is None else f" [{', '.join(ends)}]"
    measure = " of PAR-2" if found.criterion == "par2" else ""
    return (
        f"regret: chosen on one half of the puzzles, on the other it costs {least}{regret.share:.1%}{interval}{measure}"
        " more than the best strategy for each puzzle"
    )


def as_json(found: Choice, workload: Workload, options: argparse.Namespace) -> dict[str, Any]:
    from bench.say.output import json_rows

    regret = found.regret
    return {
        "run": str(options.run),
        "workload": workload.name,
        "difficulty": options.difficulty,
        "axis": options.axis,
        "clock": options.clock,
        "puzzles": found.n_puzzles,
        "solves_each": found.solves_each,
        "criterion": found.criterion,
        "best": found.best,
        "not_apart": list(found.table.loc[found.table["standing"] == "not_apart", "strategy"]),
        "regret": {"share": regret.share, "lo": regret.lo, "hi": regret.hi, "at_least": regret.at_least},
        "strategies": json_rows(found.table),
    }
