"""The files of a report: tables, figures, write-up and page of a run, made from its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_bench.bench.folder import reported, seal
from sudoku_bench.bench.folder.reported import Written
from sudoku_bench.bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PLOTS, PUZZLES, REPORT, Store
from sudoku_bench.bench.say.progress import Progress

if TYPE_CHECKING:  # pandas and matplotlib are imported only by commands that need them
    import pandas as pd

    from sudoku_bench.bench.figures.catalogue import FigureModule
    from sudoku_bench.bench.figures.style import Column
    from sudoku_bench.bench.reports.pack import Caption
    from sudoku_bench.bench.verdicts.run_tables import Run

DEFAULT_FORMATS = ("svg", "png")
# Properties of a run, each written to a file of the same name.
TABLES = ("summary", "pairs", "noise", "vbs", "curves", "crossovers")


@dataclass(frozen=True)
class Look:
    """How a report looks.

    Attributes:
        formats: file formats of figures, from ``rendering.KINDS``; none: no figures.
        column: the column of a paper that figures are sized for; None: figures for a screen.
        baseline: the strategy that the forest plot and the pairs of the page compare with; empty: the fastest of each
            collection.
        writeup: whether tables, macros and method for a paper are written, too.
    """

    formats: tuple[str, ...] = DEFAULT_FORMATS
    column: Column | None = None
    baseline: str = ""
    writeup: bool = False


def write(store: Store, run: Run, look: Look, progress: Progress) -> Written:
    """Write the files of a report, unless those that are there were made from the same run, code and look."""
    from sudoku_bench.bench.figures import catalogue
    from sudoku_bench.bench.machine import description
    from sudoku_bench.bench.reports import pack
    from sudoku_bench.bench.verdicts.run_data import REPEATED

    code = description.own_code() + description.code_hash((), ("matplotlib", "pandas", "numpy", "scipy"))
    names = [catalogue.name(figure) for figure in catalogue.FIGURES]
    look = replace(
        look, writeup=look.writeup or (store.folder / pack.FOLDER).exists()
    )  # none is left with numbers of old
    others = [code, repr(look), seal.digest(store.folder / REPEATED), *names]
    return reported.once(store, others, lambda: _write(store, run, look, progress))


def _write(store: Store, run: Run, look: Look, progress: Progress) -> Written:
    from sudoku_bench.bench.figures import catalogue
    from sudoku_bench.bench.reports import pack
    from sudoku_bench.bench.reports.page import document
    from sudoku_bench.bench.verdicts.run_data import REPEATED
    from sudoku_bench.bench.verdicts.run_files import read_table

    progress.begin("computing tables", len(TABLES))
    written = []
    for table in TABLES:
        written.append(write_table(store, run, table))
        progress.advance()
    figures = catalogue.FIGURES if look.formats else ()
    progress.begin("drawing figures", len(figures))
    drawn = draw(store, run, look, figures, PLOTS, progress.advance)
    written += drawn.paths
    progress.begin("writing the page")
    texts = pack.files(run, drawn.captions, look.column) if look.writeup else ()
    raw = [store.folder / name for name in (MANIFEST, MEASUREMENTS, PUZZLES, ENCODINGS, REPEATED)]
    linked = [*raw, *written, *(store.write(name, text.encode()) for name, text in texts)]
    links = [path.relative_to(store.folder).as_posix() for path in linked if path.exists()]
    second = read_table(store.folder / REPEATED, ("stood",)) if (store.folder / REPEATED).exists() else None
    written.append(store.write(REPORT, document.page(run, links, look.baseline, second, bool(look.formats))))
    return Written([*written, *([store.folder / pack.FOLDER] if look.writeup else [])], drawn.notes)


class Drawn(NamedTuple):
    """The files of figures, their captions by name, and a note on each figure that the run has no data for."""

    paths: list[Path]
    captions: dict[str, Caption]
    notes: list[str]


def draw(
    store: Store,
    run: Run,
    look: Look,
    figures: Sequence[FigureModule],
    folder: str,
    advance: Callable[[], object] = lambda: None,
) -> Drawn:
    """Draw figures into a subfolder of a run.

    Args:
        advance: is called before each figure.
    """
    from sudoku_bench.bench.figures import catalogue, rendering, sheet
    from sudoku_bench.bench.figures.style import NothingToDrawError
    from sudoku_bench.bench.reports.pack import caption

    shared, drawn = sheet.of_run(run, look.column), Drawn([], {}, [])
    for module in figures:
        advance()
        name = catalogue.name(module)
        try:
            data = catalogue.data(module, run, look.baseline)
        except NothingToDrawError as reason:
            drawn.notes.append(f"no figure {name}: {reason}")
            continue
        text = shared.in_clock(module.caption(data, shared))
        drawn.captions[name] = caption(name, shared.about(data).titled(module.TITLE), text, shared.about(data).facts)
        figure = catalogue.picture(module, data, shared)
        for kind in look.formats:
            drawn.paths.append(store.write(f"{folder}/{name}.{kind}", rendering.render(figure, kind)))
    return drawn


def write_table(store: Store, run: Run, table: str) -> Path:
    """Write a table of a run to a CSV file; return its path."""
    return store.write(f"{table}.csv", csv_of(getattr(run, table)))


def csv_of(table: pd.DataFrame) -> bytes:
    """Return a table as CSV."""
    text: str = table.to_csv(index=False, lineterminator="\n", float_format=six_digits)
    return text.encode()


def six_digits(value: Any) -> str:
    """Format six significant digits that are the same on all processors, whose logarithms differ in the last bits.

    A mean of two times often ends in a 5 as its seventh digit, so without the first rounding these bits would show.
    """
    return f"{float(f'{value:.12g}'):.6g}"
