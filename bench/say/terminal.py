"""What a run says in a terminal: medians as a table, then verdicts in words."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.say.phrases import seconds
from bench.say.output import print_line
from bench.verdicts import run_tables
from bench.verdicts.choice import robustness, vbs
from bench.verdicts.comparable import CPU, UNSUPPORTED, left_out
from bench.verdicts.difficulty import crossovers, scaling
from bench.verdicts.pairs import decision, noise, pairs

FLOOR = "(floor)"
DISTURBED = "DISTURBED"
FASTEST, UNFINISHED = "<", "!"  # behind a time
COLUMN = 9  # cells of a terminal that a column of the table takes, as a rule
NAME_SHARE = 0.4  # of the terminal, that names may take even where few columns are left then
FAILURES = (
    ("timeouts", "timeout"),
    ("errors", "error"),
    ("memouts", "memout"),
    ("gave_up", "gave up"),
    ("unsupported", "unsupported"),
)
Cells = dict[str, dict[str, str]]  # collection -> strategy -> words


def print_summary(run: run_tables.Run, console: Console) -> None:
    """The summary of a run as tables (median CPU time by strategy and collection), and its verdicts in words."""
    suite = run.manifest["suite"]
    console.print(f"Median CPU time per solve, task {suite['task']}, mode {suite['mode']}")
    cells = cells_of(run)
    names = sorted(set(run.summary["strategy"]))
    if run.summary["floor_s"].notna().any():
        names.append(FLOOR)
    for table in tables(cells, names, console.width):
        console.print(table)
    for line in (*legend(run, cells), *words(run)):
        print_line(line, console)


def print_files(folder: Path, written: Sequence[Path], console: Console) -> None:
    """Where the files of a run are: one line for its own, one for each folder in it."""
    places: dict[Path, list[str]] = {}
    for path in dict.fromkeys(written):
        places.setdefault(path.parent, []).append(path.name)
    for place, names in places.items():
        kinds = ", ".join(sorted({Path(name).suffix.lstrip(".") for name in names}))
        said = ", ".join(names) if place == folder else f"{len(names)} file{'s' if len(names) > 1 else ''} ({kinds})"
        print_line(f"{place}: {said}", console)


def cells_of(run: run_tables.Run) -> Cells:
    """What stands in the tables, by collection and strategy."""
    cells: Cells = {str(name): {} for name in dict.fromkeys(run.puzzles["collection"])}
    best = fastest(run.pairs)
    for line in run.summary.to_dict("records"):
        collection, strategy = line["collection"], line["strategy"]
        cells[collection][strategy] = cell(line) + (FASTEST if best.get(collection) == strategy else "")
        if not pd.isna(line["floor_s"]):
            cells[collection][FLOOR] = seconds(line["floor_s"])
    return {collection: own for collection, own in cells.items() if own}


def cell(line: Mapping[Any, Any]) -> str:
    """One strategy on one collection: its median, and a mark if something was not solved."""
    if line["wrong"]:
        return f"WRONG{UNFINISHED}"
    median = line["median_s"]
    time = "-"
    if isinstance(median, float) and not pd.isna(median):
        time = seconds(median)
    elif 2 * line["timeouts"] > line["n_measurements"]:
        time = f">{seconds(line['limit_s'])}"
    return time + (UNFINISHED if any(line[column] for column, _ in FAILURES) else "")


def fastest(table: pd.DataFrame) -> dict[str, str]:
    """Collection -> the strategy that is faster than every other one there, where verdicts say so."""
    found: dict[str, str] = {}
    for collection, own in table[table["clock"] == CPU].groupby("collection") if len(table) else ():
        a_first = own["verdict"] == decision.A_FASTER
        winners = own["a"].where(a_first, own["b"])[a_first | (own["verdict"] == decision.B_FASTER)]
        others = len({*own["a"], *own["b"]}) - 1
        found |= {str(collection): str(name) for name, wins in winners.value_counts().items() if wins == others}
    return found


def tables(cells: Cells, names: Sequence[str], width: int) -> Iterator[Table]:
    """Tables of all collections, as many in each as a terminal of this width has room for, the widest names folded."""
    longest = max(map(cell_len, names), default=0)
    spare = width - sum(1 + column for shown in columns_of(cells, sys.maxsize) for column in shown.values())
    name_width = max(1, min(longest, max(spare, width - 5 * COLUMN, int(NAME_SHARE * width))))
    for shown in columns_of(cells, width - name_width):
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=0)
        table.add_column("strategy", width=name_width, overflow="fold")
        for collection, column_width in shown.items():
            table.add_column(collection, width=column_width, justify="right", overflow="fold")
        marks = {collection: max(map(marks_behind, cells[collection].values())) for collection in shown}
        for name in names:
            row = (shown_cell(cells[collection].get(name, ""), marks[collection]) for collection in shown)
            table.add_row(Text(name), *row, style="dim" if name == FLOOR else None)
        yield table


def marks_behind(text: str) -> int:
    """How many marks a cell has."""
    return len(text) - len(text.rstrip(FASTEST + UNFINISHED))


def shown_cell(text: str, marks: int) -> Text:
    """A cell whose time stands under the others of a column in which some have so many marks behind them."""
    bold = text.endswith(FASTEST) or text.startswith("WRONG")
    return Text(text + " " * (marks - marks_behind(text)), style="bold" if bold else "")


def columns_of(cells: Cells, width: int) -> Iterator[dict[str, int]]:
    """The collections of each table with the widths of their columns, each after a cell that stays free."""
    shown: dict[str, int] = {}
    for collection, own in cells.items():
        marks = max(map(marks_behind, own.values()))
        needed = max(len(text) - marks_behind(text) + marks for text in own.values())
        needed = max(COLUMN - 1, needed, min(cell_len(collection), COLUMN))
        if shown and sum(shown.values()) + len(shown) + 1 + needed > width:
            yield shown
            shown = {}
        shown[collection] = needed
    if shown:
        yield shown


def legend(run: run_tables.Run, cells: Cells) -> list[str]:
    """What the marks in the tables mean; for each strategy what it did not solve."""
    texts = [text for own in cells.values() for text in own.values()]
    best = any(text.endswith(FASTEST) for text in texts)
    lines = [f"{FASTEST} faster than every other one there, by pairs.csv"] if best else []
    failed: dict[str, list[str]] = {}
    places = {name: place for place, name in enumerate(run.collections)}
    for line in run.summary.sort_values("collection", key=lambda own: own.map(places)).to_dict("records"):
        if told := failures(line):
            failed.setdefault(line["strategy"], []).append(f"{line['collection']} {told}")
    if failed:
        lines.append(f"{UNFINISHED} not everything was solved:")
    return lines + [f"  {strategy}: {'; '.join(failed[strategy])}" for strategy in sorted(failed)]


def failures(line: Mapping[Any, Any]) -> str:
    """What one strategy did not solve of one collection, in words."""
    kinds = (("wrong", "WRONG"), *FAILURES)
    return ", ".join(f"{line[column]}/{line['n_measurements']} {word}" for column, word in kinds if line[column])


def cautions(run: run_tables.Run) -> list[str]:
    """What changes the meaning of the numbers: who is left out of them, and whether the machine was disturbed."""
    return [*not_compared(run), *(line for line in noise_lines(run.noise) if line.startswith(DISTURBED))]


def words(run: run_tables.Run) -> Sequence[str]:
    """The verdicts of a run, the most important first, and what one must know to trust them."""
    return (
        *pairs.words(run.pairs),
        *not_compared(run),
        *difficulty_lines(run),
        *vbs.words(run.vbs),
        *robustness.words(run.robustness),
        *noise_lines(run.noise),
        *echo_lines(run.measurements),
    )


def difficulty_lines(run: run_tables.Run) -> list[str]:
    """How times grow with difficulty, and where one strategy overtakes another, in words."""
    lines = crossovers.words(run.crossovers) + scaling.words(run.scaling)
    if any("*" in line for line in lines):  # no name of a strategy has a star
        lines.append("* searches as guesses are counted: they are nearly its own work")
    return lines


def echo_lines(measurements: pd.DataFrame) -> list[str]:
    """What handing lines to a command and back costs by itself, in words."""
    echo = measurements[(measurements["placebo"] == "pipe") & (measurements["status"] == "solved")]
    if echo.empty:
        return []
    cpu_s, wall_s = echo["cpu_s"].median(), echo["wall_s"].median()
    return [
        f"Commands: an echo that only hands lines back takes {seconds(cpu_s)} of CPU time ({seconds(wall_s)} by the"
        " clock) per puzzle; so much of a command's time is not its own"
    ]


def noise_lines(table: pd.DataFrame) -> list[str]:
    """What the placebos say, in words."""
    whole = table[(table["collection"] == noise.ALL) & (table["placebo"] == "instrument")].dropna(subset="resolvable")
    if whole.empty:
        return []
    each = ", ".join(f"{line['strategy']} {line['resolvable'] - 1:.1%}" for line in whole.to_dict("records"))
    lines = [f"Placebos: below these differences this run tells nothing apart: {each}"]
    disturbed = ", ".join(whole.loc[whole["disturbed"] == "yes", "strategy"])
    if disturbed:
        lines.append(
            f"{DISTURBED}: a strategy and its placebo differ ({disturbed}); the machine did not treat like alike,"
            " measure again when it is quiet (sudoku-bench doctor)"
        )
    return lines


def not_compared(run: run_tables.Run) -> list[str]:
    """Who has no place in verdicts, and why."""
    found: dict[tuple[str, str], list[str]] = {}
    for collection, reasons in left_out(run).items():
        for strategy, reason in reasons.items():
            found.setdefault((strategy, reason), []).append(collection)
    lines = []
    for (strategy, reason), collections in found.items():
        where = f" on {', '.join(collections)}" if reason == UNSUPPORTED else ""
        lines.append(f"Not compared: {strategy}, {reason}{where}")
    return lines
