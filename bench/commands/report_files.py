"""From a run to what people read: its tables as files, figures, what a text about it needs, and the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from bench.figures import catalogue, sheet, style
from bench.figures.style import Column, NothingToDrawError
from bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PLOTS, PUZZLES, Store
from bench.page import document
from bench.verdicts import run_tables
from bench.writeup import pack
from bench.writeup.pack import Caption, caption

DEFAULT_KINDS = ("svg", "png")
TABLES = (  # properties of a run, each written to a file of its name
    *("summary", "pairs", "ranks", "noise", "vbs", "variance", "robustness"),
    *("curves", "crossovers", "scaling", "propagation"),
)
TABLE_FILES = tuple(f"{table}.csv" for table in TABLES)


@dataclass(frozen=True)
class Picture:
    """A figure of a run with its caption; or, in their place, why there is none."""

    name: str
    figure: Figure | str
    caption: Caption | None = None


def write(
    folder: Path, kinds: Sequence[str] = DEFAULT_KINDS, within: Column | None = None, run: run_tables.Run | None = None
) -> tuple[list[Path], list[str]]:
    """Write the tables, the figures and the page of a run again: the paths of what was written, notes on what was not.

    Args:
        kinds: formats of figures, out of ``style.KINDS``.
        within: the column of a paper that figures fill; by default they are made for a screen.
        run: what is in the folder, if it was read already: its tables are made only once.

    Raises:
        InputError: the folder is not a run.
    """
    run = run or run_tables.load(folder)
    store = Store(folder)
    written = [_write(store, run, table) for table in TABLES]
    notes, captions = [], {}
    for picture in captioned(run, within):
        name, found = picture.name, picture.figure
        if isinstance(found, str) or picture.caption is None:
            notes.append(f"no figure {name}: {found}")
            continue
        captions[name] = picture.caption
        written += [store.write(f"{PLOTS}/{name}.{kind}", style.render(found, kind)) for kind in kinds]
    texts = pack.files(run, captions, pack.encodings_of(folder))
    beside = _beside(folder, [*written, *(store.write(name, text.encode()) for name, text in texts)])
    written.append(store.write(document.NAME, document.page(run, beside)))
    return [*written, folder / pack.FOLDER], notes


def _beside(folder: Path, written: Sequence[Path]) -> list[str]:
    """What the page can link to: paths relative to it."""
    raw = [folder / name for name in (MANIFEST, MEASUREMENTS, PUZZLES, ENCODINGS)]
    return [path.relative_to(folder).as_posix() for path in (*raw, *written) if path.exists()]


def captioned(run: run_tables.Run, within: Column | None = None) -> Iterator[Picture]:
    """The figures of a run, one after the other."""
    shared = sheet.of_run(run, within)
    for figure in catalogue.FIGURES:
        name = catalogue.name(figure)
        try:
            data = figure.data(run)
            drawn = catalogue.picture(figure, data, shared)
        except NothingToDrawError as reason:
            yield Picture(name, str(reason))
        else:
            yield Picture(name, drawn, caption(name, figure.TITLE, figure.words(data, shared), shared.facts))


def plan_next(folder: Path, run: run_tables.Run) -> Path:
    """Write what the next run needs to settle what this one left undecided; the path of the table."""
    return _write(Store(folder), run, "power")


def _write(store: Store, run: run_tables.Run, table: str) -> Path:
    data = getattr(run, table).to_csv(index=False, lineterminator="\n", float_format="%.6g").encode()
    return store.write(f"{table}.csv", data)
