"""``sudoku-bench solve --explain``: size, times by phase and counters of one solve per strategy, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from bench.say.output import plain_console
from bench.say.phrases import seconds
from bench.worker.stopwatch import PHASES

SIZES = ("variables", "clauses", "literals", "at_mosts")
PER_TABLE = 3  # strategies that fit into a terminal of 80 columns
NOTE = (
    "One solve per strategy, each in a fresh process after preparation; times are CPU time unless marked. To compare"
    " strategies, measure them with `sudoku-bench run`."
)

Facts = Mapping[str, str]


def facts_of(result: str, prepared: Mapping[str, Any], reply: Mapping[str, Any]) -> Facts:
    """Return the facts about one solve in display order; unknown ones are omitted.

    Args:
        result: result of the solve, as text.
        prepared: the worker's reply to ``prepare``; may be empty.
        reply: the worker's reply to ``solve``; may be empty.
    """
    counters = dict(reply.get("counters", {}))
    facts = {"answer": result}
    facts |= {name.replace("_", "-"): f"{counters.pop(name):,.0f}" for name in SIZES if name in counters}
    times = {"prepare (once)": prepared.get("prepare_cpu_s")}
    times |= {phase: reply.get(f"{phase}_cpu_s") for phase in PHASES}
    times |= {"total": reply.get("cpu_s"), "wall time": reply.get("wall_s")}
    facts |= {name: seconds(time_s) for name, time_s in times.items() if time_s is not None}
    if reply.get("peak_rss_mib"):
        facts["peak memory"] = f"{reply['peak_rss_mib']:.0f} MiB"
    return facts | {name.replace("_", " "): f"{value:,.10g}" for name, value in counters.items()}


def show(columns: Mapping[str, Facts]) -> None:
    """Print the facts by strategy, one column per strategy and one row per fact."""
    console = plain_console()
    names = list(columns)
    for start in range(0, len(names), PER_TABLE):
        part = names[start : start + PER_TABLE]
        table = Table("", box=None, header_style="bold", padding=(0, 2, 0, 0))
        for name in part:
            table.add_column(name, justify="right", overflow="fold")
        for row in row_names([columns[name] for name in part]):
            table.add_row(row, *(columns[name].get(row, "") for name in part))
        console.print(table)
        console.print()
    console.print(NOTE)


def row_names(columns: Sequence[Facts]) -> list[str]:
    """Return the names of all rows, in the order of the columns, longest column first."""
    longest_first = sorted(columns, key=len, reverse=True)
    return list(dict.fromkeys(name for facts in longest_first for name in facts))
