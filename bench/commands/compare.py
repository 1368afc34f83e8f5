"""``sudoku-bench compare``: two runs, two versions of a strategy, or the strategies of a run against one of them."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from bench.commands import run as run_command
from bench.folder.method import setting
from bench.plan import interleave
from bench.say.output import json_rows
from datasets.errors import InputError

if TYPE_CHECKING:  # pandas is loaded only where it is needed
    import pandas as pd

    from bench.verdicts.between_runs.comparison import Comparison
    from bench.verdicts.run_tables import Run

NAMED = 3  # rows with the same reason are named up to so many
WORDS = {
    "regression": "REGRESSION",
    "no_change": "no change",
    "cannot_tell": "cannot tell",
    "too_few": "too few",
    "not_compared": "not compared",
    "indistinguishable": "not apart",
    "a_faster": "faster",
    "b_faster": "slower",
}


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "compare",
        help="compare two runs, two versions of a strategy, or strategies with one of them",
        description="Compare two runs (A B), the strategies of a run (RUN [--baseline S]), or two versions of a"
        " strategy in a run that is measured now (--interleave OLD.py NEW.py, with the options of `run`)."
        " Exit code 1 if something became slower by more than the margin, or is not solved any more.",
        conflict_handler="resolve",  # --margin below says the same in words of comparisons
    )
    parser.add_argument("runs", nargs="*", metavar="RUN", type=Path, help="the old run and the new one; or one run")
    run_command.add_settings(parser)
    parser.add_argument("--anchor", action="append", default=[], metavar="S", help="a strategy that did not change")
    parser.add_argument("--baseline", metavar="S", help="compare the strategies of one run with this one only")
    parser.add_argument("--interleave", nargs=2, metavar=("OLD.py", "NEW.py"), help="plug-in files of the same names")
    parser.add_argument(
        "--margin", type=float, metavar="X", help="changes up to X are none (default 0.05, that is 5%%)"
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    console = Console(highlight=False, markup=False)
    _check(options)
    if options.interleave:
        return of_versions(options, console)
    if len(options.runs) == 2:
        return of_runs(options, console)
    return of_strategies(options, console)


def _check(options: argparse.Namespace) -> None:
    """Refuse combinations of options that mean nothing.

    Raises:
        InputError: this is one.
    """
    comparison = len(options.runs)
    if options.interleave and comparison:
        raise InputError("--interleave measures a run of its own; name no other")
    if not options.interleave and comparison not in (1, 2):
        raise InputError(f"compare takes two runs, or one run, or --interleave OLD.py NEW.py, not {comparison} runs")
    if comparison == 2 and options.runs[0].resolve() == options.runs[1].resolve():
        raise InputError(f"{options.runs[0]}: is both the old run and the new one; name two runs")
    if options.anchor and comparison != 2:
        raise InputError("--anchor goes with two runs; within one run the machine is the same for all")
    if options.baseline and comparison != 1:
        raise InputError("--baseline goes with one run")
    if not options.interleave:
        _must_not_measure(options)
    if options.margin is not None and not 0 <= options.margin < math.inf:
        raise InputError(f"--margin must be 0 or more, such as 0.05 for 5%, not {options.margin}")


def _must_not_measure(options: argparse.Namespace) -> None:
    settings = argparse.ArgumentParser()
    run_command.add_settings(settings)
    for key, default in vars(settings.parse_args([])).items():
        if key != "margin" and getattr(options, key) != default:
            raise InputError(f"the option for {key} is one of measuring; it goes with --interleave only")


def of_runs(options: argparse.Namespace, console: Console) -> int:
    from bench.verdicts import run_tables
    from bench.verdicts.between_runs import comparison

    names = str(options.runs[0]), str(options.runs[1])
    old, new = (run_tables.load(folder) for folder in options.runs)
    margin = declared_margin(options, new)
    found = comparison.compare(old, new, options.anchor, margin, names)
    if options.json:
        whole = {"old": names[0], "new": names[1], "margin": margin, "same_forms": found.paired}
        whole |= {"anchors": json_rows(found.anchors), "cautions": list(found.cautions), "rows": json_rows(found.table)}
        print(json.dumps(whole | {"regression": found.regressed}, indent=2))
    else:
        for word, name, run in (("old", names[0], old), ("new", names[1], new)):
            console.print(f"{word}: {name} ({_origin(run)})", soft_wrap=True)
        show_runs(found, console)
    return int(found.regressed)


def declared_margin(options: argparse.Namespace, run: Run) -> float:
    """The margin of the command line, else the one that the run declared before it was measured."""
    return float(setting(run.manifest, "margin") if options.margin is None else options.margin)


def _origin(run: Run) -> str:
    machine = run.manifest["machine"]
    return f"{run.manifest['started'][:16].replace('T', ' ')}, {machine.get('cpu')}, Python {machine.get('python')}"


def show_runs(found: Comparison, console: Console) -> None:
    """The comparison in 80 columns: what to know, the anchors, a table, what it comes to."""
    for caution in found.cautions:
        console.print(f"note: {caution}")
    for line in found.anchors.to_dict("records"):
        console.print(f"anchor {line['anchor']} on {line['collection']}: {ratio(line)} {interval(line)}")
    by_anchors = ", the machine taken off by anchors" if len(found.anchors) else ""
    console.print(f"CPU time per solve, new / old{by_anchors}")
    show_changes(found.table, found.margin, console)


def show_changes(table: pd.DataFrame, margin: float, console: Console) -> None:
    """A table of changes, the reasons that need words, and a count of verdicts."""
    lines = table.to_dict("records")
    shown = Table()
    for name in ("strategy", "collection", "new / old", "95% interval", "verdict"):
        shown.add_column(name, overflow="fold", justify="right" if name in ("new / old", "95% interval") else "left")
    for line in lines:
        bold = "bold" if line["verdict"] == "regression" else None
        name, collection = str(line["strategy"]), str(line["collection"])
        shown.add_row(name, collection, ratio(line), interval(line), said(line["verdict"]), style=bold)
    console.print(shown)
    for verdict, reason in dict.fromkeys((line["verdict"], line["reason"]) for line in lines if line["reason"]):
        who = [f"{line['strategy']} on {line['collection']}" for line in lines if line["reason"] == reason]
        names = "; ".join(who) if len(who) <= NAMED else f"{len(who)} rows"
        console.print(f"{said(verdict)}: {names}: {reason}")
    counts = Counter(line["verdict"] for line in lines)
    console.print(f"margin {margin:.3g}: " + ", ".join(f"{number} {said(word)}" for word, number in counts.items()))


def of_strategies(options: argparse.Namespace, console: Console) -> int:
    """The pairs of one run, in a table and in words. There is no old and no new here, so the answer is never no."""
    from bench.verdicts import run_tables
    from bench.verdicts.between_runs import versions
    from bench.verdicts.pairs import pairs

    run = run_tables.load(options.runs[0])
    if options.baseline:
        _must_be_measured(options.baseline, run, str(options.runs[0]))
    table = pairs.pairs(run, baseline=options.baseline)
    if options.baseline:
        table = versions.against(table, options.baseline)
    if options.json:
        print(json.dumps({"run": str(options.runs[0]), "baseline": options.baseline, "rows": json_rows(table)}, indent=2))
        return 0
    clocks = "clock" in table and table["clock"].nunique() > 1
    place = {name: number for number, name in enumerate(dict.fromkeys(run.puzzles["collection"]))}
    shown = Table()
    second = [] if options.baseline else ["b"]
    for name in ("collection", "a", *second, "a / b", "95% interval", "a is"):
        shown.add_column(name, overflow="fold", justify="right" if name in ("a / b", "95% interval") else "left")
    for line in table.sort_values("collection", key=lambda own: own.map(place), kind="stable").to_dict("records"):
        collection = f"{line['collection']} ({line['clock']})" if clocks else line["collection"]
        names = [line["a"], *([] if options.baseline else [line["b"]])]
        shown.add_row(collection, *names, ratio(line), interval(line), said(line["verdict"]))
    console.print(f"Time per solve, a / {options.baseline or 'b'}, paired by puzzle")
    console.print(shown)
    for words in pairs.words(table)[
        : 1 if options.baseline else None
    ]:  # who is best, pairs with one strategy cannot say
        console.print(words)
    return 0


def _must_be_measured(strategy: str, run: Run, name: str) -> None:
    rows = run.measurements
    there = list(dict.fromkeys(rows.loc[rows["placebo"].isna(), "strategy"]))
    if strategy not in there:
        near = difflib.get_close_matches(strategy, there, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(there)}"
        raise InputError(f"{name}: did not measure {strategy}; {hint}")


def of_versions(options: argparse.Namespace, console: Console) -> int:
    """Measure both versions in one run, then compare them in pairs."""
    with tempfile.TemporaryDirectory(prefix="sudoku-bench-") as scratch:
        old, new = options.interleave
        versions = interleave.versions(old, new, options.strategies or (), Path(scratch))
        options.suite, options.strategies = None, list(versions.strategies)
        options.plugin = [*options.plugin, *versions.plugins]
        options.out = options.out or Path("results") / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-interleaved"
        # What a run says on its way is no part of an answer for programs.
        with contextlib.redirect_stdout(sys.stderr) if options.json else contextlib.nullcontext():
            code = run_command.main(options)
    if code or options.dry_run:
        return code
    return verdict_of_versions(options, versions, console)


def verdict_of_versions(options: argparse.Namespace, versions: interleave.Versions, console: Console) -> int:
    from bench.verdicts import run_tables
    from bench.verdicts.between_runs.versions import compare
    from bench.verdicts.pairs import pairs

    run = run_tables.load(options.out)
    margin = declared_margin(options, run)
    prefixes = interleave.OLD, interleave.NEW
    table = compare(run, pairs.pairs(run), versions.names, prefixes, margin)
    regressed = bool((table["verdict"] == "regression").any())
    alone = [f"only in {path}: {', '.join(names)}" for path, names in _alone(options.interleave, versions) if names]
    if options.json:
        whole = {"run": str(options.out), "margin": margin, "cautions": alone, "rows": json_rows(table)}
        print(json.dumps(whole | {"regression": regressed}, indent=2))
    else:
        for line in alone:
            console.print(f"note: {line}", soft_wrap=True)
        console.print("Time per solve, new / old, interleaved in one run and paired by puzzle")
        show_changes(table, margin, console)
    return int(regressed)


def _alone(files: Sequence[str], versions: interleave.Versions) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (files[0], versions.only_old), (files[1], versions.only_new)


def said(verdict: str) -> str:
    return WORDS.get(verdict, verdict)


def ratio(line: Mapping[Any, Any]) -> str:
    """A ratio, or what bounds it."""
    if known(line["ratio"]):
        return figure(line["ratio"])
    if known(line["ratio_lo"]):
        return "at least" if not known(line["ratio_hi"]) else "between"
    return "at most" if known(line["ratio_hi"]) else "?"


def interval(line: Mapping[Any, Any]) -> str:
    """The interval; an end that is not known is left out."""
    low, high = (figure(line[key]) if known(line[key]) else "" for key in ("ratio_lo", "ratio_hi"))
    return f"[{low}, {high}]" if low and high else low or high


def figure(value: float) -> str:
    return f"{value:.3f}" if 0.1 <= value < 10 else f"{value:.3g}"


def known(value: Any) -> bool:
    return value is not None and math.isfinite(value)
