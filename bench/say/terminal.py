"""Everything about a run in a terminal: a table of medians, then the verdicts as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sudoku_bench.bench.folder import disturbances, outcomes, seal
from sudoku_bench.bench.folder.method import in_clock, setting
from sudoku_bench.bench.say import places, speech
from sudoku_bench.bench.say.output import plain_console, print_line
from sudoku_bench.bench.say.phrases import counted, listed, seconds
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.answer import leaders
from sudoku_bench.bench.verdicts.clusters import dependent, unseen_share
from sudoku_bench.bench.verdicts.comparable import UNTIMED, left_out
from sudoku_bench.bench.verdicts.difficulty import crossovers
from sudoku_bench.bench.verdicts.pairs import noise
from sudoku_bench.bench.verdicts.pairs.decision import AS_ONE, TOO_FEW
from sudoku_bench.bench.verdicts.run_data import disqualifying, of_strategies, unverified_answers

FLOOR = "(floor)"
DIFFERS = "PLACEBO DIFFERS"
FASTEST, UNFINISHED = "<", "!"  # marks after a time
NAMED = 4  # odd rounds that a sentence names
COLUMN = 8  # least width of a column in terminal cells
NAME_SHARE = 0.4  # share of the terminal that names may take even if few columns fit beside them
Cells = dict[str, dict[str, str]]  # collection -> strategy -> text


def show(run: run_tables.Run, console: Console) -> None:
    """Print median CPU times by strategy and collection as tables, then the verdicts as sentences."""
    print_medians(run, console)
    for line in verdict_lines(run):
        print_line(line, console)


def print_medians(run: run_tables.Run, console: Console) -> None:
    """Print median CPU times by strategy and collection as tables, and what their marks mean."""
    task, mode = (setting(run.manifest, name) for name in ("task", "mode"))
    console.print(in_clock(f"Median CPU time per solve, task {task}, mode {mode}", run.manifest))
    cells = cells_of(run)
    names = sorted(set(run.summary["strategy"]))
    if run.summary["floor_s"].notna().any():
        names.append(FLOOR)
    for table in tables(cells, names, console.width):
        console.print(table)
    for line in legend(run, cells):
        print_line(line, console)


def print_files(folder: Path, written: Sequence[Path], console: Console) -> None:
    """Print where the files of a run are: one line for the run folder and one per subfolder."""
    places: dict[Path, list[str]] = {}
    for path in dict.fromkeys(written):
        places.setdefault(path.parent, []).append(path.name)
    for place, names in places.items():
        kinds = ", ".join(sorted({Path(name).suffix.lstrip(".") for name in names}))
        files = ", ".join(names) if place == folder else f"{counted(len(names), 'file')} ({kinds})"
        print_line(f"{place}: {files}", console)


def cells_of(run: run_tables.Run) -> Cells:
    """Return the texts of the tables by collection and strategy."""
    cells: Cells = {str(name): {} for name in dict.fromkeys(run.puzzles["collection"])}
    alone = {key for key, is_alone in leaders(run).items() if is_alone}
    for line in run.summary.to_dict("records"):
        collection, strategy = line["collection"], line["strategy"]
        cells[collection][strategy] = cell(line) + (FASTEST if (strategy, collection) in alone else "")
        if not pd.isna(line["floor_s"]):
            cells[collection][FLOOR] = seconds(line["floor_s"])
    return {collection: texts for collection, texts in cells.items() if texts}


def cell(line: Mapping[Any, Any]) -> str:
    """Return the cell of a strategy on a collection: its median, marked if a measurement is unsolved."""
    if line["disqualified"]:
        return f"{line['disqualified'].partition(':')[0].upper()}{UNFINISHED}"
    median = line["median_s"]
    time = "-"
    if isinstance(median, float) and not pd.isna(median):
        time = seconds(median)
    elif 2 * line["timeouts"] > line["n_measurements"]:
        time = f">{seconds(line['limit_s'])}"
    return time + (UNFINISHED if outcomes.text(outcomes.of_line(line)) else "")


def tables(cells: Cells, names: Sequence[str], width: int) -> Iterator[Table]:
    """Yield tables of all collections, each as wide as the terminal allows; names that are too long are folded."""
    marks = {collection: max(map(count_marks, texts.values())) for collection, texts in cells.items()}
    padded = [aligned(text, marks[collection]) for collection, texts in cells.items() for text in texts.values()]
    column = max([COLUMN, *map(len, padded)])
    longest = max(map(cell_len, ["strategy", *names]))
    if longest + (whole := max(map(cell_len, cells), default=0) + 1) * len(cells) <= width:
        column = max(column, whole - 1)
    name_width = max(1, min(longest, max(width - len(cells) * (column + 1), int(NAME_SHARE * width))))
    per_table = max(1, (width - name_width) // (column + 1))
    collections = list(cells)
    for start in range(0, len(collections), per_table):
        shown = collections[start : start + per_table]
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=0)
        table.add_column("strategy", width=name_width, overflow="fold")
        for collection in shown:
            table.add_column(collection, width=column, justify="right", overflow="fold")
        for name in names:
            row = (aligned(cells[collection].get(name, ""), marks[collection]) for collection in shown)
            table.add_row(Text(name), *row, style="dim" if name == FLOOR else None)
        yield table


def count_marks(text: str) -> int:
    """Return how many marks a cell has."""
    return len(text) - len(text.rstrip(FASTEST + UNFINISHED))


def aligned(text: str, marks: int) -> Text:
    """Pad a cell so that its time aligns with the others of a column with up to ``marks`` marks."""
    bold = text.endswith(FASTEST) or text.startswith(tuple(map(str.upper, outcomes.DISQUALIFYING)))
    return Text(text + " " * (marks - count_marks(text)), style="bold" if bold else "")


def legend(run: run_tables.Run, cells: Cells) -> list[str]:
    """Explain the marks of the tables and list what each strategy did not solve."""
    texts = [text for of_collection in cells.values() for text in of_collection.values()]
    has_fastest = any(text.endswith(FASTEST) for text in texts)
    lines = [f"{FASTEST} faster than every other strategy there, or solves more (pairs.csv)"] if has_fastest else []
    failed: dict[str, list[str]] = {}
    places = {name: place for place, name in enumerate(run.collections)}
    for line in run.summary.sort_values("collection", key=lambda names: names.map(places)).to_dict("records"):
        if counts := outcomes.text(outcomes.of_line(line)):
            failed.setdefault(line["strategy"], []).append(f"{line['collection']} {counts} of {line['n_measurements']}")
    if failed:
        lines.append(f"{UNFINISHED} not solved:")
    return lines + [f"  {strategy}: {'; '.join(failed[strategy])}" for strategy in sorted(failed)]


def cautions(run: run_tables.Run) -> list[str]:
    """Return what changes the meaning of the numbers: edits, unchecked answers, exclusions, groups, where, noise."""
    differing = (line for line in noise_lines(run.noise) if line.startswith(DIFFERS))
    where = [*places.unlike_hosts(run.manifest), *places.jobs_lines(run.manifest)]
    faults = [*seal.note(run.edited), *replaced_clock(run), *unverified(run), *not_compared(run), *first_faults(run)]
    return [*faults, *grouped(run), *where, *disturbed(run), *differing]


def disturbed(run: run_tables.Run) -> list[str]:
    """Return sentences on how long the machine disturbed the run, and on rounds that differ, if it did."""
    lines = [text for text in (disturbances.words(run.manifest),) if text]
    if odd := noise.odd_rounds(run.cpu.values()):
        of_launch = " of launch {}" if int(setting(run.manifest, "launches")) > 1 else ""
        rounds = [f"round {repetition}{of_launch.format(launch)}" for launch, repetition in odd]
        where = listed(rounds) if len(rounds) <= NAMED else f"{len(rounds)} rounds"
        ends = [f"{abs(each - 1):.0%} {'longer' if each > 1 else 'less time'}" for each in sorted(odd.values())]
        lines.append(
            f"The machine was not the same: in {where}, all strategies took"
            f" {' to '.join(dict.fromkeys((ends[0], ends[-1])))} than in the others; ratios hold, as they compare"
            " within a round"
        )
    return lines


def replaced_clock(run: run_tables.Run) -> list[str]:
    """Return a sentence on variables of the run's environment that can replace the clock, if there are any."""
    names = disturbances.replaced_clocks(run.manifest)
    if not names:
        return []
    return [f"The clock may have been replaced: {', '.join(names)} was set during the run; repeat it without"]


def note_edits(run: run_tables.Run) -> None:
    """Say on standard error which files of a run are not as it wrote them."""
    for line in seal.note(run.edited):
        print_line(f"note: {line}", plain_console(stderr=True))


def verdict_lines(run: run_tables.Run, most: int = crossovers.MAX_LISTED) -> Sequence[str]:
    """Return the verdicts as sentences, most important first, with their caveats, and at most so many crossovers."""
    return (
        *speech.everything(run),
        *([speech.counts(run.pairs, "Comparisons with the best of a collection")] if len(run.pairs) else []),
        *speech.findable(run.pairs),
        *speech.precision(run),
        *seen(run.pairs),
        *seal.note(run.edited),
        *replaced_clock(run),
        *unverified(run),
        *not_compared(run),
        *first_faults(run),
        *grouped(run),
        *difficulty_lines(run, most),
        *disturbed(run),
        *noise_lines(run.noise),
        *echo_lines(run.measurements),
        *places.host_lines(run.manifest),
        *places.jobs_lines(run.manifest),
    )


def unverified(run: run_tables.Run) -> list[str]:
    """Return a sentence on answers that were not checked, if there are any."""
    number, of = unverified_answers(run.measurements), len(of_strategies(run.measurements))
    if not number:
        return []
    return [
        f"Unverified: {number:,} of {of:,} measurements were imported without an answer to check; they have times, but"
        " do not count as solved, and their strategies are not compared"
    ]


def grouped(run: run_tables.Run) -> list[str]:
    """Return a sentence on the collections whose puzzles are not all independent, if there are any."""
    counts = dependent(run.puzzles).items()
    texts = ", ".join(f"{name} {number} of {of}" for name, (number, of) in counts)
    return [f"Independent puzzles: {texts}; {AS_ONE}"] if counts else []


def seen(table: pd.DataFrame) -> list[str]:
    """Return a sentence on how rare the kinds of puzzles may be that the verdicts are about, if there are any."""
    decided = table[table["verdict"] != TOO_FEW].groupby("n_independent", sort=True)["collection"].first()
    sizes = [(f"{unseen_share(number):.1%}", f"{number} independent puzzles") for number in decided.index]
    if not sizes:
        return []
    shares = f"{sizes[0][0]} ({sizes[0][1]})"
    if len(sizes) > 1:
        shares = f"{sizes[-1][0]} ({sizes[-1][1]}) to {sizes[0][0]} ({sizes[0][1].partition(' ')[0]})"
    return [
        f"All this holds for kinds of puzzles that make up at least {shares} of such puzzles; rarer kinds may be"
        " missing, however long they take"
    ]


def difficulty_lines(run: run_tables.Run, most: int) -> list[str]:
    """Return sentences on where one strategy overtakes another."""
    lines = crossovers.words(run.crossovers, most)
    return [*lines, speech.STAR] if any("*" in line for line in lines) else lines


def echo_lines(measurements: pd.DataFrame) -> list[str]:
    """Return a sentence on the cost of passing lines to an external program and back."""
    echo = measurements[(measurements["placebo"] == "pipe") & (measurements["status"] == "solved")]
    if echo.empty:
        return []
    cpu_s, wall_s = echo["cpu_s"].median(), echo["wall_s"].median()
    return [
        f"External programs: a program that only echoes its input takes {seconds(cpu_s)} of CPU time ({seconds(wall_s)}"
        " of wall time) per puzzle; every external program's time includes this overhead"
    ]


def noise_lines(table: pd.DataFrame) -> list[str]:
    """Return sentences on the results of the placebos: an alarm and a level of noise, which no verdict depends on."""
    rows = table[table["collection"] == noise.ALL].dropna(subset="resolvable")
    if rows.empty:
        return []
    levels = ", ".join(f"{line['strategy']} {line['resolvable'] - 1:.1%}" for line in rows.to_dict("records"))
    lines = [f"Noise of the instrument (a strategy against itself differs by at most): {levels}"]
    differing = ", ".join(rows.loc[rows["differs"] == "yes", "strategy"])
    if differing:
        lines.append(
            f"{DIFFERS}: a strategy and its placebo differ ({differing}), so the machine was not equally fast for"
            " both; repeat the run on a quiet machine (see sudoku-bench doctor)"
        )
    return lines


def not_compared(run: run_tables.Run) -> list[str]:
    """Return sentences on the strategies that are not compared, with the reason."""
    where_left_out: dict[tuple[str, str], list[str]] = {}
    faults = disqualifying(run.measurements)
    for collection, reasons in left_out(run).items():
        for strategy, reason in reasons.items():
            reason = reason if reason in UNTIMED else faults[strategy]
            where_left_out.setdefault((strategy, reason), []).append(collection)
    lines = []
    for (strategy, reason), collections in where_left_out.items():
        where = f" on {', '.join(collections)}" if reason in UNTIMED else ""
        lines.append(f"Not compared: {strategy}, {reason}{where}")
    return lines


def first_faults(run: run_tables.Run) -> list[str]:
    """Return a sentence on the first fault of each kind of each strategy, and on strategies that nothing supports."""
    plugins = {known["name"]: known.get("plugin") for known in run.manifest.get("strategies", [])}
    rows = run.measurements.assign(reason=run.measurements["reason"].astype(object).fillna(""))
    rows = rows.assign(strategy=rows["strategy"].astype(str).str.replace(outcomes.LABEL, "", regex=True))
    first = rows[rows["status"].isin(outcomes.FAULTS)].drop_duplicates(["strategy", "status"])
    never = rows.groupby("strategy")["status"].transform(lambda status: (status == "unsupported").all())
    return [
        *(outcomes.fault(row, plugins.get(row.strategy)) for row in first.itertuples()),
        *(
            f"{row.strategy} is not supported: {row.reason}"
            for row in rows[never].drop_duplicates("strategy").itertuples()
        ),
    ]
