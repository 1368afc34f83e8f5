"""``sudoku-bench report``: write the tables, figures and page of a run from its raw rows, and print its summary."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_bench.bench.commands import options as shared
from sudoku_bench.bench.commands import report_files
from sudoku_bench.bench.commands.report_files import DEFAULT_FORMATS, TABLES, Look, csv_of, write
from sudoku_bench.bench.folder.reported import Written
from sudoku_bench.bench.folder.store import MEASUREMENTS, REPORT, Store
from sudoku_bench.bench.say.output import TEXT, OutputMode, plain_console, print_json, print_line
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:  # pandas and matplotlib are imported only by commands that need them
    from sudoku_bench.bench.verdicts.run_tables import Run

KNOWN = "A second run is known: {} says what stood in both"
SELECTION = "selection"  # folder of a run for what is about a part of it


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write the tables, figures and page of a run into its folder, and print its summary."
    shared.add_shared(parser, "run")
    parser.add_argument(
        "--format", metavar="FORMATS", help="figure formats, comma-separated: svg, png, pdf, pgf (default svg,png)"
    )
    parser.add_argument(
        "--column", choices=("single", "double"), help="size figures for one column of a paper or for its full width"
    )
    parser.add_argument(
        "--writeup",
        action="store_true",
        help="also write tables, captions, method, sources and a LaTeX macro for every number",
    )
    parser.add_argument(
        "--baseline",
        metavar="NAME",
        default="",
        help="strategy that forest plot and page compare with (default: the fastest one of each collection)",
    )
    parser.add_argument(
        "--figure",
        action="append",
        dest="figures",
        metavar="NAME",
        help="draw only this figure, such as cactus, with its caption; repeatable",
    )
    shared.add_shared(parser, "-s", "-d", "--alias")
    palette = "colours of the strategies in their order, such as red,#0072B2, or a palette of matplotlib, such as tab10"
    parser.add_argument("--palette", metavar="COLOURS", default="", help=palette)
    second = "another run of the same suite: write into repeated.csv what stood in both, and how much ratios moved"
    parser.add_argument("--second", metavar="RUN2", type=Path, help=second)
    shared.add_shared(parser, "--quiet", "--verbose", "--json")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        InputError: a format is unknown.
    """
    from sudoku_bench.bench.figures import rendering, sheet

    formats = tuple(dict.fromkeys(options.format.split(","))) if options.format else DEFAULT_FORMATS
    for name in formats:
        if name not in rendering.KINDS:
            raise InputError(f"--format {name!r}: is not a figure format; choose from {', '.join(rendering.KINDS)}")
    look = Look(formats, sheet.column(options.column) if options.column else None, options.baseline, options.writeup)
    if options.figures or options.strategies or options.datasets or options.aliases or options.palette:
        return report_part(options, look)
    return report(options.run, look, OutputMode.of(options), second=options.second)


def report_part(options: argparse.Namespace, look: Look) -> int:
    """Write what is about the chosen strategies, collections and figures, and print the paths.

    It goes into the folder ``selection`` of the run: figures and captions; without ``--figure`` also the page, and with
    ``--writeup`` tables and macros. All other files of the run stay those of the whole run.

    Raises:
        InputError: there is no such figure, strategy, collection or colour, or nothing can be drawn.
    """
    from sudoku_bench.bench.figures import cactus, catalogue, forest, time_vs_difficulty
    from sudoku_bench.bench.reports import pack
    from sudoku_bench.bench.reports.page import document
    from sudoku_bench.bench.say import terminal
    from sudoku_bench.bench.verdicts import run_tables
    from sudoku_bench.bench.verdicts.selection import select

    for name in ("second", "verbose"):
        if getattr(options, name):
            raise InputError(f"--{name}: is about the whole run; remove --figure, -s, -d, --alias and --palette")
    chosen = [catalogue.named(name) for name in options.figures] if options.figures else catalogue.FIGURES
    uses = ("baseline", (forest,)), ("palette", (time_vs_difficulty, cactus))
    for name, figures in uses:
        if getattr(options, name) and not any(figure in chosen for figure in figures):
            raise InputError(f"--{name}: has no effect on {', '.join(options.figures)}; remove it")
    aliases, store = shared.aliases_of(options), Store(options.run)
    whole = run_tables.load(options.run)
    run = select(whole, options.strategies, aliases, options.datasets, options.palette)
    look = replace(look, baseline=aliases.get(look.baseline, look.baseline))
    terminal.note_edits(run)
    mode, drawn = OutputMode.of(options), report_files.draw(store, run, look, chosen, SELECTION)
    if not drawn.paths and not look.writeup:
        raise InputError(f"{options.run}: {drawn.notes[0]}")
    texts = pack.files(run, drawn.captions, look.column) if look.writeup else pack.caption_files(drawn.captions)
    written = [*drawn.paths, *(store.write(f"{SELECTION}/{name}", text.encode()) for name, text in texts)]
    if not options.figures:
        links = [path.relative_to(store.folder / SELECTION).as_posix() for path in written]
        written.append(store.write(f"{SELECTION}/{REPORT}", document.page(run, links, look.baseline)))
    if mode.json:
        print_json({"folder": str(options.run), "files": list(map(str, written)), "notes": drawn.notes})
    else:
        for line in [*([] if mode.quiet else map(str, written)), *(f"note: {line}" for line in drawn.notes)]:
            print_line(line)
    return 0


def report(
    folder: Path,
    look: Look | None = None,
    mode: OutputMode = TEXT,
    notes: Sequence[str] = (),
    second: Path | None = None,
) -> int:
    """Write the report of a run, unless nothing has changed since it was written, and print its summary.

    Args:
        notes: further caveats about the numbers.
        second: another run of the same suite; what stood in both is written, too.

    Raises:
        InputError: one of the runs cannot be read, or the second is not of the same suite.
    """
    from sudoku_bench.bench.verdicts import run_tables, selection
    from sudoku_bench.bench.verdicts.run_data import REPEATED, REPORTED

    run, store, look = run_tables.load(folder, REPORTED), Store(folder), look or Look()
    if look.baseline:
        selection.require_measured(run, look.baseline)
    again = _second(run, folder, second) if second else None
    with Progress(plain_console(stderr=True), mode.quiet) as progress:
        lines = [KNOWN.format(folder / REPEATED)] if (folder / REPEATED).exists() else []
        repeated, lines = _write_repeated(store, run, again, str(second)) if again else ([], lines)
        run = run_tables.load(folder, REPORTED) if again else run
        written = write(store, run, look, progress)
        paths = [*written.paths, *repeated]
        progress.end()
    return print_report(run, Written(paths, [*notes, *written.notes]), folder, mode, lines)


def _second(run: Run, folder: Path, second: Path) -> Run:
    """Return the second run of a suite.

    Raises:
        InputError: it is the first one, or of another suite.
    """
    from sudoku_bench.bench.verdicts import run_tables
    from sudoku_bench.bench.verdicts.between_runs import repeated

    if second.resolve() == folder.resolve():
        raise InputError(f"--second {second}: is the run itself; give another run of the same suite")
    again = run_tables.load(second)
    repeated.require_repeat(run, again, (str(folder), str(second)))
    return again


def _write_repeated(store: Store, run: Run, second: Run, name: str) -> tuple[list[Path], list[str]]:
    """Write what stood in both runs; return the path, and the same in words."""
    from sudoku_bench.bench.verdicts.between_runs import repeated
    from sudoku_bench.bench.verdicts.run_data import REPEATED

    moved = repeated.movement(run, second, run.all_pairs)
    crossovers = run.crossovers, second.crossovers
    table = repeated.repeated((run.all_pairs, second.all_pairs), crossovers, moved.deviation)
    return [store.write(REPEATED, csv_of(table))], repeated.words(table, moved, name)


def print_report(run: Run, written: Written, folder: Path, mode: OutputMode, second: Sequence[str] = ()) -> int:
    """Print the summary of a run and the paths of its files; return the exit code.

    Args:
        second: what a second run of the suite says, in sentences.
    """
    from sudoku_bench.bench.say import ending, json_report, terminal

    if mode.json:
        document = json_report.of_run(folder, run, written)
        print_json(document | {"words": [*document["words"], *second]})
    elif mode.quiet:
        for line in terminal.cautions(run):
            print_line(line, plain_console(stderr=True))
    else:
        console = plain_console()
        if mode.verbose:
            terminal.show(run, console)
            terminal.print_files(folder, [folder / MEASUREMENTS, *written.paths], console)
            for note in written.notes:
                print_line(f"note: {note}", console)
        else:
            ending.show(run, folder, console)
        for line in second:
            print_line(line, console)
    return 0


def is_written(folder: Path) -> bool:
    """Return whether a run folder has its tables and its page, which do not depend on what can be drawn."""
    return all((folder / name).exists() for name in (*(f"{table}.csv" for table in TABLES), REPORT))
