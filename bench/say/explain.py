"""``sudoku-bench solve --explain``: one solve looked at closely: how big, how long in each phase, how much work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.worker.server import PHASES

SIZES = ("variables", "clauses", "literals", "at_mosts")
PER_TABLE = 3  # strategies, for a terminal of 80 columns
NOTE = (
    "One solve each, in a fresh process that has prepared the rules; times are CPU seconds. To compare strategies,"
    " let `sudoku-bench run` measure them."
)

Facts = Mapping[str, str]


def facts_of(verdict: str, prepared: Mapping[str, Any], reply: Mapping[str, Any]) -> Facts:
    """What there is to say of one solve, in order; what is not known has no entry.

    Args:
        verdict: what came of it, in words.
        prepared, reply: of the worker to ``prepare`` and ``solve``; either may be empty.
    """
    counters = dict(reply.get("counters", {}))
    found = {"answer": verdict}
    found |= {name.replace("_", "-"): f"{counters.pop(name):,.0f}" for name in SIZES if name in counters}
    times = {"prepare (once)": prepared.get("prepare_cpu_s")}
    times |= {phase: reply.get(f"{phase}_cpu_s") for phase in PHASES}
    times |= {"whole solve": reply.get("cpu_s"), "by the clock": reply.get("wall_s")}
    found |= {name: time(seconds) for name, seconds in times.items() if seconds is not None}
    if reply.get("peak_rss_mib"):
        found["peak memory"] = f"{reply['peak_rss_mib']:.0f} MiB"
    return found | {name.replace("_", " "): f"{value:,.10g}" for name, value in counters.items()}


def time(seconds: float) -> str:
    """Three digits with a unit; what a clock of microseconds can tell."""
    if seconds >= 0.9995:
        return f"{seconds:#.3g} s".replace(". ", " ")
    if seconds >= 0.9995e-3:
        return f"{1e3 * seconds:#.3g} ms".replace(". ", " ")
    return f"{1e6 * seconds:.0f} µs"


def show(columns: Mapping[str, Facts]) -> None:
    """A column for each strategy; a line for whatever any of them has."""
    console = Console(highlight=False, markup=False)
    names = list(columns)
    for start in range(0, len(names), PER_TABLE):
        shown = names[start : start + PER_TABLE]
        table = Table("", box=None, header_style="bold", padding=(0, 2, 0, 0))
        for name in shown:
            table.add_column(name, justify="right", overflow="fold")
        for line in lines([columns[name] for name in shown]):
            table.add_row(line, *(columns[name].get(line, "") for name in shown))
        console.print(table)
        console.print()
    console.print(NOTE)


def lines(columns: Sequence[Facts]) -> list[str]:
    """The names of all lines, in the order of the column that has most of them."""
    fullest = sorted(columns, key=len, reverse=True)
    return list(dict.fromkeys(name for facts in fullest for name in facts))
