"""``sudoku-bench report``: make the tables and the figures of a run again from its raw rows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from bench.folder.store import MEASUREMENTS
from bench.say.output import TEXT, OutputMode, add_options, print_json, print_line
from datasets.errors import InputError

if TYPE_CHECKING:
    from bench.figures.style import Column
    from bench.verdicts.run_tables import Run


def add(commands: Any) -> None:
    parser = commands.add_parser("report", help="write the tables and the figures of a run")
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run, such as results/bench")
    parser.add_argument("--format", metavar="KINDS", help="of figures: svg, png, pdf, pgf, by commas (default svg,png)")
    parser.add_argument(
        "--column", choices=("single", "double"), help="figures that fill a column of a paper, or its whole width"
    )
    parser.add_argument(
        "--venue", choices=("ieee", "acm", "lncs", "arxiv"), help="whose columns they are (default ieee)"
    )
    parser.add_argument(
        "--power", action="store_true", help="say how many puzzles and repetitions would settle each undecided pair"
    )
    add_options(parser)
    parser.set_defaults(main=from_options)


def is_written(folder: Path) -> bool:
    """Is there everything that ``main`` writes of every run? (Figures depend on what there is to draw.)"""
    from bench.commands import report_files
    from bench.page import document

    return all((folder / name).exists() for name in (*report_files.TABLE_FILES, document.NAME))


def from_options(options: argparse.Namespace) -> int:
    """The command.

    Raises:
        InputError: a format that is not known or cannot be made here, or a venue without a column.
    """
    from bench.commands.report_files import DEFAULT_KINDS
    from bench.figures import pgf, sheet, style

    kinds = tuple(dict.fromkeys(options.format.split(","))) if options.format else DEFAULT_KINDS
    for kind in kinds:
        if kind not in style.KINDS:
            raise InputError(f"--format {kind!r}: figures can be {', '.join(style.KINDS)}")
    if options.venue and not options.column:
        raise InputError("--venue: names whose columns are meant; say which with --column single or --column double")
    if "pgf" in kinds:
        pgf.must_work()
    within = sheet.column(options.column, options.venue or "ieee") if options.column else None
    return main(options.run, options.power, kinds, within, OutputMode.of(options))


def main(
    folder: Path,
    power: bool = False,
    kinds: tuple[str, ...] | None = None,
    within: Column | None = None,
    mode: OutputMode = TEXT,
    notes: Sequence[str] = (),
) -> int:
    """Write the report of a run, and say what is in it as the voice does.

    Args:
        notes: what a reader of the numbers must know, besides what is found here.
    """
    # pandas and matplotlib are loaded only here, where they are needed.
    from bench.commands import report_files
    from bench.verdicts import run_tables

    run = run_tables.load(folder)
    written, missing = report_files.write(folder, kinds or report_files.DEFAULT_KINDS, within, run)
    if power:
        written.append(report_files.plan_next(folder, run))
    return tell(folder, mode, [*notes, *missing], run, written, power)


def tell(
    folder: Path,
    mode: OutputMode,
    notes: Sequence[str],
    run: Run | None = None,
    written: Sequence[Path] = (),
    power: bool = False,
) -> int:
    """Say what is in a run as the voice does; its exit code."""
    from bench.say import json_report, terminal
    from bench.verdicts import run_tables
    from bench.verdicts.spread.power import words as power_words

    run = run or run_tables.load(folder)
    if mode.json:
        tables = ("summary", "pairs", "power") if power else ("summary", "pairs")
        print_json(json_report.of_run(folder, run, written, notes, tables))
    elif mode.quiet:
        for line in terminal.cautions(run):
            print_line(line, Console(stderr=True, highlight=False, markup=False))
    else:
        console = Console(highlight=False, markup=False)
        terminal.print_summary(run, console)
        for line in power_words(run.power) if power else ():
            print_line(line, console)
        terminal.print_files(folder, [folder / MEASUREMENTS, *written], console)
        for note in notes:
            print_line(f"note: {note}", console)
    return 0
