"""From a run to what people read: its tables as files, and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from bench.figures import catalogue, sheet, style
from bench.figures.style import Column, NothingToDrawError
from bench.store import PLOTS, Store
from bench.verdicts import frames

DEFAULT_KINDS = ("svg", "png")
TABLES = (  # properties of a run, each written to a file of its name
    *("summary", "pairs", "ranks", "noise", "vbs", "variance", "robustness"),
    *("curves", "crossovers", "scaling", "propagation"),
)
TABLE_FILES = tuple(f"{table}.csv" for table in TABLES)


def write(
    folder: Path, kinds: Sequence[str] = DEFAULT_KINDS, within: Column | None = None, run: frames.Run | None = None
) -> tuple[list[Path], list[str]]:
    """Write the tables and the figures of a run again: the paths of what was written, and notes on what was not.

    Args:
        kinds: formats of figures, out of ``style.KINDS``.
        within: the column of a paper that figures fill; by default they are made for a screen.
        run: what is in the folder, if it was read already: its tables are made only once.

    Raises:
        InputError: the folder is not a run.
    """
    run = run or frames.load(folder)
    store = Store(folder)
    written = [_write(store, run, table) for table in TABLES]
    notes = []
    for name, found in pictures(run, within):
        if isinstance(found, str):
            notes.append(f"no figure {name}: {found}")
            continue
        written += [store.write(f"{PLOTS}/{name}.{kind}", style.render(found, kind)) for kind in kinds]
    return written, notes


def pictures(run: frames.Run, within: Column | None = None) -> Iterator[tuple[str, Figure | str]]:
    """The name of each figure, and the figure, or why there is none."""
    shared = sheet.of_run(run, within)
    for figure in catalogue.FIGURES:
        try:
            yield catalogue.name(figure), catalogue.picture(figure, figure.data(run), shared)
        except NothingToDrawError as reason:
            yield catalogue.name(figure), str(reason)


def plan_next(folder: Path, run: frames.Run) -> Path:
    """Write what the next run needs to settle what this one left undecided; the path of the table."""
    return _write(Store(folder), run, "power")


def _write(store: Store, run: frames.Run, table: str) -> Path:
    data = getattr(run, table).to_csv(index=False, lineterminator="\n", float_format="%.6g").encode()
    return store.write(f"{table}.csv", data)
