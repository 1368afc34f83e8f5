"""The choice of a strategy in words, and as JSON."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from sudoku_bench.bench.folder.method import in_clock
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.output import json_rows
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.say.speech import stretch
from sudoku_bench.bench.verdicts.choice.choose import LEFT_OUT, PAR2, SLOWER, TIED, Choice
from sudoku_bench.bench.verdicts.clusters import unseen_share
from sudoku_bench.bench.verdicts.pairs.decision import AS_ONE, LEAST_REPETITIONS
from sudoku_bench.bench.verdicts.pairs.evidence import interval_of, ratio_text
from sudoku_bench.bench.verdicts.run_tables import Run

NAMED = 5  # strategies tied with the best that are named; more are counted


def of_run(run: Run, choice: Choice) -> list[str]:
    """Return the choice among the strategies of a run as a few lines of text, and what changes its meaning."""
    return [
        in_clock(line, run.manifest)
        for line in (*lines(choice), *terminal.echo_lines(run.measurements), *terminal.unverified(run))
    ]


def lines(choice: Choice) -> Iterator[str]:
    """Yield the choice as a few lines of text."""
    rows = choice.table.to_dict("records")
    best = rows[0]
    yield f"choose {best['strategy']} for {counted(choice.asked, 'puzzle')}: {_cost(best, choice)}"
    if len(choice.stretches) > 1:
        yield "; ".join(map(stretch, choice.stretches))
    if choice.criterion == PAR2:
        yield (
            "No strategy solved all of these puzzles, so the choice is by PAR-2, which counts an unfinished solve as"
            f" twice the limit; {best['strategy']} left {best['unfinished']:.0f} of"
            f" {choice.n_puzzles * choice.solves_each} solves unfinished."
        )
    tied = [row for row in rows if row["standing"] == TIED]
    slower = [row for row in rows if row["standing"] == SLOWER]
    if tied:
        more = f"; and {len(tied) - NAMED} more" if len(tied) > NAMED else ""
        yield "not shown to be more expensive: " + "; ".join(excess_text(row) for row in tied[:NAMED]) + more
    elif slower:
        yield f"next: {excess_text(slower[0])}; this and all others are significantly more expensive"
    if not choice.may_claim:
        yield (
            f"best so far: {counted(choice.solves_each, 'repetition')} per puzzle cannot show that a strategy is more"
            f" expensive; measure {LEAST_REPETITIONS} or more"
        )
    for name, tail in list(choice.tails.items())[:NAMED]:
        yield (
            f"{tail.puzzles} of {counted(choice.n_independent, 'puzzle')}"
            f" {'makes' if tail.puzzles == 1 else 'make'} up {tail.share:.0%} of the cost of {name}; its mean is no"
            " ground for a claim, so it is called more or less expensive only if it is so on every puzzle"
        )
    if choice.is_uncertain:
        yield (
            f"costs spread too much for {counted(choice.n_puzzles, 'puzzle')}: they vary by a factor of"
            f" {math.exp(choice.log_spread):.2g} (one standard deviation), so only much more expensive strategies are"
            " ruled out; measure more puzzles"
        )
    if choice.n_independent < choice.n_puzzles:
        yield f"{choice.n_independent} of {counted(choice.n_puzzles, 'puzzle')} are independent: {AS_ONE}"
    yield (
        f"This holds for puzzles like these {choice.n_independent}: kinds rarer than"
        f" {unseen_share(choice.n_independent):.1%} of puzzles may be missing from them, however long they take."
    )
    yield from by_reason({row["strategy"]: row["reason"] for row in rows if row["standing"] == LEFT_OUT}, "excluded")


def by_reason(reasons: Mapping[str, str], heading: str) -> Iterator[str]:
    """Yield a line for each reason, with the strategies that have it."""
    for reason in dict.fromkeys(reasons.values()):
        yield f"{heading}, {reason}: {', '.join(name for name, text in reasons.items() if text == reason)}"


def _cost(row: Mapping[Any, Any], choice: Choice) -> str:
    measure = "PAR-2" if choice.criterion == PAR2 else "CPU time"
    cost = f"{seconds(row['cost_s'])} mean {measure} per puzzle"
    if choice.mode.startswith("batch"):
        return f"{cost}, including preparation"
    if choice.mode == "cold" or math.isnan(row["prepare_s"]):  # unknown in imported runs
        return cost
    return f"{seconds(row['total_s'])} in total: {seconds(row['prepare_s'])} once to prepare, then {cost}"


def excess_text(row: Mapping[Any, Any]) -> str:
    """Return by how much a strategy costs more than the best, with its interval if it is known."""
    more = partial(more_text, like=row["excess"])
    return f"{row['strategy']} {more(row['excess'])} {interval_of(row['excess_lo'], row['excess_hi'], more)}".rstrip()


def more_text(share: float, like: float | None = None) -> str:
    """Format the excess over the best: a percentage, or a factor if the cost is more than doubled.

    Args:
        like: the estimate, if this is an end of its interval: both have the same unit.
    """
    return f"×{ratio_text(1 + share)}" if (share if like is None else like) > 1 else f"{share:+.1%}"


def as_json(choice: Choice, run: str) -> dict[str, Any]:
    """Return what a choice says; ``run`` is the folder of the run."""
    return {
        "run": run,
        "asked": choice.asked,
        "puzzles": choice.n_puzzles,
        "independent": choice.n_independent,
        "solves_each": choice.solves_each,
        "best": choice.best,
        "not_apart": list(choice.table.loc[choice.table["standing"] == TIED, "strategy"]),
        "criterion": choice.criterion,
        "log_spread": choice.log_spread,
        "spread_too_much": choice.is_uncertain,
        "tails": {name: dataclasses.asdict(tail) for name, tail in choice.tails.items()},
        "unseen_share": unseen_share(choice.n_independent),
        "by_number": [dataclasses.asdict(stretch) for stretch in choice.stretches],
        "strategies": json_rows(choice.table),
    }
