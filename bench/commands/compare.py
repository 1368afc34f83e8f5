"""``sudoku-bench compare``: compare two runs, or the strategies of one run; two versions of a file in one run."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from sudoku_bench.bench.commands import options as shared
from sudoku_bench.bench.folder.method import in_clock, setting
from sudoku_bench.bench.plan.versions import NEW, OLD, Versions
from sudoku_bench.bench.say.output import json_rows, plain_console, print_json
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:  # pandas is imported only where it is needed
    import pandas as pd

    from sudoku_bench.bench.verdicts.between_runs.comparison import Comparison
    from sudoku_bench.bench.verdicts.run_tables import Run

NAMED = 3  # rows with the same reason that are named; more are counted
LABELS = {
    "regression": "REGRESSION",
    "no_change": "no change",
    "cannot_tell": "inconclusive",
    "too_few": "too few",
    "not_compared": "not compared",
    "indistinguishable": "tied",
    "a_faster": "faster",
    "b_faster": "slower",
}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compare two runs (OLD NEW), or the strategies of one run (RUN [--baseline S]). Exit code 1 if a strategy"
        " became slower by more than the margin, or no longer solves what it solved. Two versions of a plug-in file are"
        " compared in one run: `run --versions`."
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", type=Path, help="the old and the new run, or a single run")
    parser.add_argument("--baseline", metavar="S", help="compare the strategies of one run with this strategy only")
    margin = "relative change that counts as none (default: the margin of the new run, usually 0.05)"
    parser.add_argument("--margin", type=float, metavar="X", help=margin)
    shared.add_shared(parser, "-s", "--json")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    console = plain_console()
    _check(options)
    return of_runs(options, console) if len(options.runs) == 2 else of_strategies(options, console)


def _check(options: argparse.Namespace) -> None:
    """Check that the options can be combined.

    Raises:
        InputError: they cannot.
    """
    number = len(options.runs)
    if number > 2:
        raise InputError(f"compare takes two runs or one, not {number}")
    if number == 2 and options.runs[0].resolve() == options.runs[1].resolve():
        raise InputError(f"{options.runs[0]}: is both the old and the new run; give two different runs")
    if options.margin is not None and number != 2:
        raise InputError("--margin: needs two runs; a run has the margin that it was measured with")
    if options.baseline and number != 1:
        raise InputError("--baseline: needs exactly one run")


def of_runs(options: argparse.Namespace, console: Console) -> int:
    from sudoku_bench.bench.verdicts import run_tables
    from sudoku_bench.bench.verdicts.between_runs import comparison
    from sudoku_bench.bench.verdicts.between_runs.compatibility import company

    names = str(options.runs[0]), str(options.runs[1])
    whole = [run_tables.load(folder) for folder in options.runs]
    old, new = (shared.selected(run, options.strategies) for run in whole)
    result = comparison.compare(old, new, options.margin, names, company(*whole))
    if options.json:
        document = {"old": names[0], "new": names[1], "margin": result.margin, "same_forms": result.paired}
        document |= {"cautions": list(result.cautions)}
        document |= {"rows": json_rows(result.table), "regression": result.regressed}
        print_json(document)
    else:
        for role, name, run in (("old", names[0], old), ("new", names[1], new)):
            console.print(f"{role}: {name} ({_origin(run)})", soft_wrap=True)
        show_runs(result, console, new.manifest)
    return int(result.regressed)


def _origin(run: Run) -> str:
    machine = run.manifest["machine"]
    return f"{run.manifest['started'][:16].replace('T', ' ')}, {machine.get('cpu')}, Python {machine.get('python')}"


def show_runs(result: Comparison, console: Console, manifest: Mapping[str, Any]) -> None:
    """Print the comparison in 80 columns: notes, table and counts of verdicts.

    Args:
        manifest: of one of the runs, which names their clock.
    """
    for caution in result.cautions:
        console.print(f"note: {caution}")
    console.print(in_clock("CPU time per solve, new / old, with intervals corrected for all rows", manifest))
    show_changes(result.table, result.margin, console)


def show_changes(table: pd.DataFrame, margin: float, console: Console) -> None:
    """Print a table of changes, the reasons for verdicts, and the count of each verdict."""
    from sudoku_bench.bench.verdicts.pairs.evidence import interval_text, texts

    lines, changes = table.to_dict("records"), Table()
    for name in ("strategy", "collection", "new / old", "interval", "verdict"):
        changes.add_column(name, overflow="fold", justify="right" if name in ("new / old", "interval") else "left")
    for line in lines:
        bold = "bold" if line["verdict"] == "regression" else None
        name, collection = str(line["strategy"]), str(line["collection"])
        shown = texts({**line, "margin": margin})
        ends = interval_text(shown.get("ratio_lo", ""), shown.get("ratio_hi", ""))
        changes.add_row(name, collection, shown.get("ratio", "?"), ends, label(line["verdict"]), style=bold)
    console.print(changes)
    for verdict, reason in dict.fromkeys((line["verdict"], line["reason"]) for line in lines if line["reason"]):
        rows = [f"{line['strategy']} on {line['collection']}" for line in lines if line["reason"] == reason]
        names = "; ".join(rows) if len(rows) <= NAMED else f"{len(rows)} rows"
        console.print(f"{label(verdict)}: {names}: {reason}")
    counts = Counter(line["verdict"] for line in lines)
    console.print(
        f"margin {margin:.3g}: " + ", ".join(f"{number} {label(verdict)}" for verdict, number in counts.items())
    )


def of_strategies(options: argparse.Namespace, console: Console) -> int:
    """Print the pairs of one run as a table and as sentences; always return 0, because nothing is old or new here."""
    from sudoku_bench.bench.say import speech, terminal
    from sudoku_bench.bench.verdicts import run_tables, selection
    from sudoku_bench.bench.verdicts.pairs import pairs
    from sudoku_bench.bench.verdicts.pairs.evidence import evidence

    run = shared.selected(run_tables.load(options.runs[0]), options.strategies)
    terminal.note_edits(run)
    if options.baseline:
        selection.require_measured(run, options.baseline, f"{options.runs[0]}:")
    table = pairs.all_pairs(run, baseline=options.baseline)
    if options.baseline:
        table = pairs.against(table, options.baseline)
    cautions = [*terminal.not_compared(run), *terminal.unverified(run), *terminal.grouped(run)]
    if table.empty:
        cautions.insert(
            0, "Nothing to compare: no two strategies that can be compared were measured on the same puzzle"
        )
    if options.json:
        sentences = [{"evidence": evidence(row).sentence} for row in table.to_dict("records")]
        rows = [row | more for row, more in zip(json_rows(table), sentences, strict=True)]
        document = {"run": str(options.runs[0]), "baseline": options.baseline, "cautions": cautions}
        print_json(document | {"rows": rows})
        return 0
    several_clocks = "clock" in table and table["clock"].nunique() > 1
    place = {name: number for number, name in enumerate(dict.fromkeys(run.puzzles["collection"]))}
    ratios = Table()
    names = ["a"] if options.baseline else ["a", "b"]
    for name in ("collection", *names, "a / b", "interval", "a is"):
        ratios.add_column(name, overflow="fold", justify="right" if name in ("a / b", "interval") else "left")
    for line in table.sort_values("collection", key=lambda names: names.map(place), kind="stable").to_dict("records"):
        collection = f"{line['collection']} ({line['clock']})" if several_clocks else line["collection"]
        shown = evidence(line)
        ratios.add_row(collection, *(line[name] for name in names), shown.ratio, shown.interval, shown.finding)
    if len(table):
        other = options.baseline or "b"
        console.print(f"Time per solve, a / {other}, paired by puzzle, with intervals corrected for all pairs below")
        console.print(ratios)
    for sentence in (*([speech.counts(table, "Pairs")] if len(table) else []), *cautions):
        console.print(sentence)
    return 0


def of_versions(folder: Path, versions: Versions, as_json: bool) -> int:
    """Compare each strategy of a run with its other version; return 1 if one became slower beyond the margin."""
    from sudoku_bench.bench.verdicts import run_tables
    from sudoku_bench.bench.verdicts.between_runs.versions import compare
    from sudoku_bench.bench.verdicts.pairs import pairs

    run, console = run_tables.load(folder), plain_console()
    margin = float(setting(run.manifest, "margin"))
    of_names = {NEW + name: OLD + name for name in versions.names}
    table = compare(run, pairs.all_pairs(run, versions=of_names), versions.names, (OLD, NEW), margin)
    regressed = bool((table["verdict"] == "regression").any())
    of_one_file = zip(versions.files, (versions.only_old, versions.only_new), strict=True)
    unmatched = [f"only in {path}: {', '.join(names)}" for path, names in of_one_file if names]
    if as_json:
        document = {"run": str(folder), "margin": margin, "cautions": unmatched, "rows": json_rows(table)}
        print_json(document | {"regression": regressed})
    else:
        for line in unmatched:
            console.print(f"note: {line}", soft_wrap=True)
        console.print("Time per solve, new / old, in one run and paired by puzzle, with intervals corrected for all")
        show_changes(table, margin, console)
    return int(regressed)


def label(verdict: str) -> str:
    return LABELS.get(verdict, verdict)
