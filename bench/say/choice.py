"""The choice of a strategy in words, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from bench.folder.method import in_clock
from bench.say import terminal
from bench.say.output import json_rows
from bench.say.phrases import counted, seconds
from bench.verdicts.choice.choose import LEFT_OUT, PAR2, SLOWER, TIED, Choice
from bench.verdicts.run_tables import Run

NAMED = 5  # strategies tied with the best that are named; more are counted


def of_run(run: Run, choice: Choice) -> list[str]:
    """Return the choice among the strategies of a run as a few lines of text, and what changes its meaning."""
    return [in_clock(line, run.manifest) for line in (*lines(choice), *terminal.unverified(run))]


def lines(choice: Choice) -> Iterator[str]:
    """Yield the choice as a few lines of text."""
    rows = choice.table.to_dict("records")
    best = rows[0]
    yield f"choose {best['strategy']}: {_cost(best, choice)}"
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
        yield "statistically tied with it: " + "; ".join(excess_text(row) for row in tied[:NAMED]) + more
    elif slower:
        yield f"next: {excess_text(slower[0])}; this and all others are significantly more expensive"
    if choice.is_uncertain:
        yield (
            f"costs spread too much for {counted(choice.n_puzzles, 'puzzle')}: they vary by a factor of"
            f" {math.exp(choice.log_spread):.2g} (one standard deviation), so only much more expensive strategies are"
            " ruled out; measure more puzzles"
        )
    yield _regret(choice)
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
    return f"{cost}, plus {seconds(row['prepare_s'])} once to prepare"


def excess_text(row: Mapping[Any, Any]) -> str:
    """Return by how much a strategy costs more than the best, with its interval if it is known."""
    ends = [row["excess_lo"], row["excess_hi"]]
    unknown = any(end is None or end != end for end in ends)
    interval = "" if unknown else f" [{more_text(ends[0])}, {more_text(ends[1])}]"
    return f"{row['strategy']} {more_text(row['excess'])}{interval}"


def more_text(share: float) -> str:
    """Format the excess over the best: a percentage, or a factor if the cost is more than doubled."""
    return f"×{1 + share:.3g}" if share > 1 else f"{share:+.1%}"


def _regret(choice: Choice) -> str:
    regret = choice.regret
    least = "at least " if regret.at_least else ""
    ends = [f"{end:.1%}" if end is not None else "?" for end in (regret.lo, regret.hi)]
    interval = "" if regret.lo is None and regret.hi is None else f" [{', '.join(ends)}]"
    measure = " in PAR-2" if choice.criterion == PAR2 else ""
    return (
        f"regret: a strategy chosen on half of the puzzles costs {least}{regret.share:.1%}{interval} more{measure} on"
        " the other half than the best strategy for each puzzle"
    )


def as_json(choice: Choice, run: str) -> dict[str, Any]:
    """Return what a choice says; ``run`` is the folder of the run."""
    regret = choice.regret
    return {
        "run": run,
        "puzzles": choice.n_puzzles,
        "solves_each": choice.solves_each,
        "best": choice.best,
        "not_apart": list(choice.table.loc[choice.table["standing"] == TIED, "strategy"]),
        "criterion": choice.criterion,
        "log_spread": choice.log_spread,
        "spread_too_much": choice.is_uncertain,
        "regret": {"share": regret.share, "lo": regret.lo, "hi": regret.hi, "at_least": regret.at_least},
        "strategies": json_rows(choice.table),
    }
