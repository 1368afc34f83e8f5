"""``sudoku-bench report``: make the tables and the figures of a run again from its raw rows."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.errors import InputError

if TYPE_CHECKING:
    from bench.figures.style import Column


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
    parser.set_defaults(main=from_options)


def is_written(folder: Path) -> bool:
    """Is there everything that ``main`` writes of every run? (Figures depend on what there is to draw.)"""
    from bench import report

    return all((folder / name).exists() for name in report.TABLE_FILES)


def from_options(options: argparse.Namespace) -> int:
    """The command.

    Raises:
        InputError: a format that is not known or cannot be made here, or a venue without a column.
    """
    from bench.figures import pgf, sheet, style
    from bench.report import DEFAULT_KINDS

    kinds = tuple(dict.fromkeys(options.format.split(","))) if options.format else DEFAULT_KINDS
    for kind in kinds:
        if kind not in style.KINDS:
            raise InputError(f"--format {kind!r}: figures can be {', '.join(style.KINDS)}")
    if options.venue and not options.column:
        raise InputError("--venue: names whose columns are meant; say which with --column single or --column double")
    if "pgf" in kinds:
        pgf.must_work()
    within = sheet.column(options.column, options.venue or "ieee") if options.column else None
    return main(options.run, options.power, kinds, within)


def main(folder: Path, power: bool = False, kinds: tuple[str, ...] | None = None, within: Column | None = None) -> int:
    # pandas and matplotlib are loaded only here, where they are needed.
    from rich.console import Console

    from bench import report, terminal

    console = Console(highlight=False, markup=False)
    written, notes = report.write(folder, kinds or report.DEFAULT_KINDS, within)
    terminal.print_summary(folder, console)
    if power:
        written.append(report.plan_next(folder, console))
    for path in (folder / "measurements.csv", *written):
        console.print(str(path), soft_wrap=True)
    for note in notes:
        console.print(f"note: {note}", soft_wrap=True)
    return 0
