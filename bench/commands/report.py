"""``sudoku-bench report``: write tables, figures, page and, on request, the write-up of a run from its raw rows."""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench import page
from bench.commands import options as shared
from bench.folder import reported
from bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PLOTS, PUZZLES, Store
from bench.say.output import TEXT, OutputMode, plain_console, print_json, print_line
from bench.say.progress import Progress
from datasets.errors import InputError

if TYPE_CHECKING:  # pandas and matplotlib are imported only by commands that need them
    from matplotlib.figure import Figure

    from bench.figures.catalogue import FigureModule
    from bench.figures.style import Column
    from bench.verdicts.run_tables import Run
    from bench.writeup.pack import Caption

DEFAULT_FORMATS = ("svg", "png")
ALLOCATIONS = 50_000  # of objects before unused ones are looked for; 700 is usual
SELECTION = "selection"  # folder of a run for figures of some of its strategies
TABLES = (  # properties of a run, each written to a file of the same name
    *("summary", "pairs", "noise", "vbs"),
    *("curves", "crossovers", "scaling"),
)


@dataclass(frozen=True)
class Look:
    """What is written, and how figures are drawn.

    Attributes:
        formats: file formats, from ``rendering.KINDS``.
        column: the column of a paper that figures are sized for; None: figures for a screen.
        baseline: the strategy that the forest plot compares with; empty: the fastest of each collection.
        writeup: whether the write-up is written, too.
    """

    formats: tuple[str, ...] = DEFAULT_FORMATS
    column: Column | None = None
    baseline: str = ""
    writeup: bool = False


@dataclass(frozen=True)
class Picture:
    """A figure of a run.

    Attributes:
        source: a hash of everything that it is drawn from, and of the code that draws it.
    """

    name: str
    caption: Caption
    source: str
    draw: Callable[[], Figure]


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
        help="strategy that the forest plot compares with (default: the fastest one of each collection)",
    )
    parser.add_argument(
        "--figure",
        action="append",
        dest="figures",
        metavar="NAME",
        help="draw only this figure, such as cactus, with its caption, and write nothing else; repeatable",
    )
    shared.add_shared(parser, "-s", "--alias")
    power = "estimate the puzzles and repetitions needed to decide each undecided pair"
    parser.add_argument("--power", action="store_true", help=power)
    shared.add_shared(parser, "--quiet", "--verbose", "--json")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        InputError: a format is unknown or not available here, or a write-up of chosen figures is asked for.
    """
    from bench.figures import rendering, sheet

    formats = tuple(dict.fromkeys(options.format.split(","))) if options.format else DEFAULT_FORMATS
    for name in formats:
        if name not in rendering.KINDS:
            raise InputError(f"--format {name!r}: is not a figure format; choose from {', '.join(rendering.KINDS)}")
    if "pgf" in formats:
        from bench.figures import pgf

        pgf.must_work()
    look = Look(formats, sheet.column(options.column) if options.column else None, options.baseline, options.writeup)
    if options.figures or options.strategies or options.aliases:
        return draw(options, look)
    return report(options.run, options.power, look, OutputMode.of(options))


def draw(options: argparse.Namespace, look: Look) -> int:
    """Draw the chosen figures, of the chosen strategies under their aliases, and print the paths.

    They go into the folder ``selection`` of the run, with their captions: tables, page and ``plots`` stay those of the
    whole run.

    Raises:
        InputError: there is no such figure or strategy, or nothing can be drawn.
    """
    from bench.figures import catalogue, rendering
    from bench.say import terminal
    from bench.verdicts import run_tables
    from bench.writeup import pack

    for name in ("power", "writeup"):
        if getattr(options, name):
            raise InputError(f"--{name}: is about the whole run; remove --figure, -s and --alias")
    chosen = [catalogue.named(name) for name in options.figures] if options.figures else catalogue.FIGURES
    run, store = shared.selected(run_tables.load(options.run), options), Store(options.run)
    look = replace(look, baseline=shared.aliases_of(options).get(look.baseline, look.baseline))
    terminal.note_edits(run)
    mode, written, missing, captions = OutputMode.of(options), [], [], {}
    for picture in pictures(run, look, chosen):
        if isinstance(picture, str):
            missing.append(picture)
            continue
        captions[picture.name], figure = picture.caption, picture.draw()
        written += [
            store.write(f"{SELECTION}/{picture.name}.{kind}", rendering.render(figure, kind)) for kind in look.formats
        ]
    if captions:
        written.append(store.write(f"{SELECTION}/captions.tex", pack.caption_macros(captions).encode()))
    if mode.json:
        print_json({"folder": str(options.run), "files": [str(path) for path in written], "notes": missing})
    else:
        for line in [*([] if mode.quiet else map(str, written)), *(f"note: {line}" for line in missing)]:
            print_line(line)
    if not written:
        raise InputError(f"{options.run}: {missing[0]}")
    return 0


def report(
    folder: Path,
    power: bool = False,
    look: Look | None = None,
    mode: OutputMode = TEXT,
    notes: Sequence[str] = (),
) -> int:
    """Write the report of a run, unless nothing has changed since it was written, and print its summary.

    Args:
        notes: further caveats about the numbers.
    """
    from bench.verdicts import run_tables, selection

    run, look = run_tables.load(folder), look or Look()
    if look.baseline:
        selection.require_measured(run, look.baseline)
    console = plain_console(stderr=True)
    with rare_collection(), Progress(console, mode.quiet) as progress:
        written, missing = files(folder, look, run, progress)
        if power:
            written.append(write_table(Store(folder), run, "power"))
        progress.end()
    return print_report(folder, mode, [*notes, *missing], run, written, power)


@contextlib.contextmanager
def rare_collection() -> Iterator[None]:
    """Look for cycles of unused objects less often: figures make many objects, and nearly all of them stay in use."""
    before = gc.get_threshold()
    gc.set_threshold(ALLOCATIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def print_report(
    folder: Path,
    mode: OutputMode,
    notes: Sequence[str],
    run: Run | None = None,
    written: Sequence[Path] = (),
    power: bool = False,
) -> int:
    """Print the summary of a run and the paths of its files; return the exit code."""
    from bench.page import document
    from bench.say import ending, json_report, terminal
    from bench.verdicts import run_tables
    from bench.verdicts.spread.power import words as power_lines

    run = run or run_tables.load(folder)
    if mode.json:
        tables = ("summary", "power") if power else ("summary",)
        print_json(json_report.of_run(folder, run, written, notes, tables))
    elif mode.quiet:
        for line in terminal.cautions(run):
            print_line(line, plain_console(stderr=True))
    else:
        console = plain_console()
        if mode.verbose:
            terminal.show(run, console)
            terminal.print_files(folder, [folder / MEASUREMENTS, *written], console)
            for note in notes:
                print_line(f"note: {note}", console)
        else:
            ending.show(run, folder, folder / document.NAME, console)
        for line in power_lines(run.power) if power else ():
            print_line(line, console)
    return 0


def is_written(folder: Path) -> bool:
    """Return whether a run folder has its tables and its page, which do not depend on what can be drawn."""
    return all((folder / name).exists() for name in (*(f"{table}.csv" for table in TABLES), page.NAME))


def files(folder: Path, look: Look, run: Run, progress: Progress) -> tuple[list[Path], list[str]]:
    """Like ``write_files``, but write nothing if that would give the files that are there."""
    import bench
    import datasets
    import solvers
    from bench.figures import catalogue
    from bench.machine import description
    from bench.writeup import pack

    code = description.code_hash((bench, datasets, solvers), ("matplotlib", "pandas", "numpy", "scipy", "plotly"))
    names = [catalogue.name(figure) for figure in catalogue.FIGURES]
    look = replace(look, writeup=look.writeup or (folder / pack.FOLDER).exists())  # none is left with numbers of old
    source = reported.source(folder, [code, repr(look), *names])
    known = reported.unchanged(folder, source)
    if known:
        return known
    written, missing, drawn = write_files(folder, look, run, progress)
    reported.remember(Store(folder), source, written, missing, drawn)
    return written, missing


def write_files(
    folder: Path,
    look: Look | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
) -> tuple[list[Path], list[str], dict[str, str]]:
    """Write the tables, figures and page of a run, and its write-up if the look asks for it.

    A file of a figure that is there and would be the same is not drawn again.

    Returns:
        The paths, notes on figures that are missing, and from what the file of each figure was drawn.

    Args:
        look: how figures are drawn.
        run: the content of the folder, if it is loaded already.
        progress: shows what is being written.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    from bench.figures import catalogue, rendering
    from bench.page import document
    from bench.verdicts import run_tables
    from bench.writeup import pack

    run, look = run or run_tables.load(folder), look or Look()
    encodings = pack.encodings_of(folder)  # may refuse the folder, before anything is written or said
    store, progress = Store(folder), progress or Progress(plain_console(quiet=True), quiet=True)
    progress.begin("computing tables", len(TABLES))
    written = []
    for table in TABLES:
        written.append(write_table(store, run, table))
        progress.advance()
    progress.begin("drawing figures", len(catalogue.FIGURES))
    notes, captions = [], {}
    before, drawn = reported.drawn(folder), dict[str, str]()
    for picture in pictures(run, look, catalogue.FIGURES):
        progress.advance()
        if isinstance(picture, str):
            notes.append(picture)
            continue
        captions[picture.name] = picture.caption
        of_picture = {f"{PLOTS}/{picture.name}.{kind}": kind for kind in look.formats}
        new = {name: kind for name, kind in of_picture.items() if before.get(name) != picture.source}
        if new:
            figure = picture.draw()
            for name, kind in new.items():
                store.write(name, rendering.render(figure, kind))
        written += [folder / name for name in of_picture]
        drawn |= dict.fromkeys(of_picture, picture.source)
    progress.begin("writing the page")
    texts = pack.files(run, captions, encodings) if look.writeup else ()
    linked = _relative_paths(folder, [*written, *(store.write(name, text.encode()) for name, text in texts)])
    written.append(store.write(document.NAME, document.page(run, linked)))
    return [*written, *([folder / pack.FOLDER] if look.writeup else [])], notes, drawn


def _relative_paths(folder: Path, written: Sequence[Path]) -> list[str]:
    """Return the paths that the page links to, relative to the page."""
    raw = [folder / name for name in (MANIFEST, MEASUREMENTS, PUZZLES, ENCODINGS)]
    return [path.relative_to(folder).as_posix() for path in (*raw, *written) if path.exists()]


def pictures(run: Run, look: Look, figures: Sequence[FigureModule]) -> Iterator[Picture | str]:
    """Yield the pictures of figures; a note on one without data.

    They are drawn only when asked for.
    """
    from bench.figures import catalogue, sheet
    from bench.figures.style import NothingToDrawError
    from bench.writeup.pack import caption

    shared, facts, code = sheet.of_run(run, look.column), sheet.facts(run), catalogue.code_hash()
    for module in figures:
        name = catalogue.name(module)
        try:
            data = catalogue.data(module, run, look.baseline)
        except NothingToDrawError as reason:
            yield f"no figure {name}: {reason}"
            continue
        text = shared.in_clock(module.caption(data, shared))
        source = hashlib.sha256(pickle.dumps((code, name, data, shared))).hexdigest()
        in_paper = caption(name, shared.in_clock(module.TITLE), text, facts)
        yield Picture(name, in_paper, source, partial(catalogue.picture, module, data, shared))


def write_table(store: Store, run: Run, table: str) -> Path:
    """Write a table of a run to a CSV file; return its path."""
    data = getattr(run, table).to_csv(index=False, lineterminator="\n", float_format="%.6g").encode()
    return store.write(f"{table}.csv", data)
