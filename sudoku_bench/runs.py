"""A run as notebooks and scripts see it: its tables as data frames, its verdicts as sentences, its figures."""

from __future__ import annotations

import html
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from sudoku_bench import given
from sudoku_bench.bench.commands import report_files
from sudoku_bench.bench.commands.report_files import DEFAULT_FORMATS, Look
from sudoku_bench.bench.folder import seal, state
from sudoku_bench.bench.folder.store import Store
from sudoku_bench.bench.run import measuring
from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.run_files import read
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.settings import Settings, suite_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_SPELLED = 20  # members of a list in the manifest


@dataclass(frozen=True, repr=False)
class Run(run_tables.Run):
    """A run folder, with its tables as data frames.

    Attributes:
        folder: where it lies.
        manifest: what the run records about itself: settings, machine, versions, checksums, start and end.
        measurements: a row per measurement: the columns of measurements.csv, times in seconds per solve.
        puzzles: a row per puzzle with its difficulty and number of solutions.
        per_puzzle: a row per strategy and puzzle: difficulty, status, and the median time in seconds.
        summary: a row per strategy and collection: solved, median, geometric mean, PAR-2 and more.
        pairs: a row per pair of strategies and collection: paired ratio of times, interval and verdict.
        crossovers: difficulties at which the faster of two strategies changes.
        vbs, curves, noise: further tables, as in docs/columns.md.
    """

    folder: Path = Path()

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the measured strategies, in alphabetical order if no other was asked for."""
        return tuple(self.selection.ordered(sorted(set(map(str, self.summary["strategy"])))))

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What the run shows, as the sentences that the command prints."""
        from sudoku_bench.bench.say import terminal

        return tuple(terminal.verdict_lines(self))

    def select(
        self,
        strategies: str | Sequence[str] = (),
        datasets: str | Sequence[str] = (),
        aliases: Mapping[str, str] | None = None,
        order: Sequence[str] = (),
        colors: str | Sequence[str] | Mapping[str, str] = "",
    ) -> Run:
        """Return a part of the run, as if the rest had not been measured: its verdicts are about this part alone.

        Args:
            strategies: patterns, such as ``["sat:*"]``, in the order in which tables and figures list what they match;
                by default all.
            datasets: patterns of collections, in their order; by default all.
            aliases: text to print, by name of a strategy. Colours, markers and names of numbers stay.
            order: patterns of strategies that are listed first.
            colors: a colour by name of a strategy, colours in the order of the strategies, or a palette of matplotlib.

        Raises:
            InputError: the run has no such strategy or collection.
        """
        from sudoku_bench.bench.verdicts.selection import select

        colours = colors if isinstance(colors, str | Mapping) else ",".join(colors)
        return select(self, _listed(strategies), aliases, _listed(datasets), colours, order)

    def figure(
        self,
        name: str,
        strategies: str | Sequence[str] = (),
        aliases: Mapping[str, str] | None = None,
        column: Literal["single", "double"] | None = None,
        baseline: str = "",
        ax: Axes | None = None,
        *,
        datasets: str | Sequence[str] = (),
        order: Sequence[str] = (),
        colors: str | Sequence[str] | Mapping[str, str] = "",
        axes: Sequence[Axes] = (),
    ) -> Figure:
        """Draw a figure of the catalogue, such as ``"cactus"``; ``figure.savefig("cactus.pdf")`` writes it.

        Args:
            strategies, datasets, aliases, order, colors: what is drawn, as in ``select``.
            column: for a column of a paper, without a title; by default for a screen.
            baseline: the strategy that the figure ``forest`` compares with; by default the fastest of each collection.
            ax: matplotlib axes to draw it into, without title, caption and facts of the run; their figure is returned.
            axes: the same for a figure with several panels: ``cactus`` has one for each board size, ``encodings``
                for each collection.

        Raises:
            InputError: there is no such figure, strategy or collection, the run has nothing to draw in it, or it has
                another number of panels than there are axes.
        """
        from sudoku_bench.bench.figures import catalogue, sheet
        from sudoku_bench.bench.figures.style import NothingToDrawError

        module, places = catalogue.named(name), list(axes) or ([ax] if ax else [])
        if (baseline and name != "forest") or bool(ax) + bool(len(axes)) + bool(column) > 1:
            raise InputError("figure: baseline is for the forest plot; and give one of column, ax and axes")
        is_whole = not (strategies or datasets or aliases or order or colors)
        run = self if is_whole else self.select(strategies, datasets, aliases, order, colors)
        shared = sheet.of_run(run, sheet.column(column) if column else None)
        shared = shared.within(places) if places else shared
        try:
            return catalogue.picture(module, catalogue.data(module, run, baseline), shared)
        except NothingToDrawError as reason:
            raise InputError(f"{self.folder}: no figure {name}: {reason}") from None

    def table(self, name: str = "medians", column: Literal["single", "double"] | None = None) -> str:
        """Return a table for a paper in LaTeX (booktabs): ``medians``, ``summary``, ``pairs`` or ``nearest``.

        Args:
            column: that medians fit into; by default a page.

        Raises:
            InputError: the run has no such table.
        """
        from sudoku_bench.bench.figures import sheet
        from sudoku_bench.bench.folder.method import in_clock
        from sudoku_bench.bench.reports import tables, tabular

        made = {table.name: table for table in tables.tables(self, sheet.column(column) if column else None)}
        if name not in made:
            raise InputError(f"{self.folder}: no table {name}; it has {', '.join(made) or 'none'}")
        if column and name not in ("medians", "nearest"):
            raise InputError(f"table {name}: fits a page; column is for medians and nearest")
        return in_clock(tabular.as_latex(made[name]), self.manifest)

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {', '.join(self._facts())}>"

    def _repr_html_(self) -> str:
        """Return the run for a notebook: its facts, and the median CPU time of each strategy on each collection."""
        facts = "".join(f"<li>{html.escape(fact)}</li>" for fact in self._facts())
        medians = self.summary.pivot_table(index="strategy", columns="collection", values="median_s", sort=False)
        table = html_of(medians, float_format=seconds, na_rep="unsolved")
        head = f"<p><b>Run {html.escape(str(self.folder))}</b></p><ul>{facts}</ul>"
        return f"{head}<p>Median CPU time per solve:</p>{table}"

    def _facts(self) -> tuple[str, ...]:
        suite, measured = self.manifest["suite"], len(self.measurements)
        return (
            counted(len(self.strategies), "strategy", "strategies"),
            counted(len(self.puzzles), "puzzle"),
            f"task {suite['task']}, mode {suite['mode']}",
            counted(measured, "measurement"),
            "complete" if self.manifest.get("complete") else f"incomplete ({self.manifest['planned_rows']} planned)",
            *seal.note(self.edited),
        )


def _listed(patterns: str | Sequence[str]) -> list[str]:
    return [patterns] if isinstance(patterns, str) else list(patterns)


def html_of(table: pd.DataFrame, **how: Any) -> str:
    """Return a table as HTML, whatever options of pandas a notebook has set."""
    names = ("display.chop_threshold", "display.float_format", "display.max_colwidth")
    with pd.option_context("display.precision", 6, *(each for name in names for each in (name, None))):
        return str(table.to_html(border=0, **how))


def load(folder: str | Path) -> Run:
    """Return the run of a folder.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    if not isinstance(folder, str | Path):
        raise InputError(f"{type(folder).__name__} is no run; give a run folder")
    return replace(read(folder, Run), folder=Path(folder))


@dataclass(frozen=True)
class Order:
    """What ``sudoku_bench.run`` was asked for."""

    suite: str | Path | None
    out: str | Path | None
    resume: bool
    plugins: Sequence[str | Path]
    engine: str
    scheduler: str | None
    settings: Settings

    def call(self, folder: Path) -> str:
        """Return it as Python text, for the manifest."""
        own = {"suite": self.suite, "plugins": self.plugins, "engine": self.engine, "scheduler": self.scheduler}
        given_own = {key: value for key, value in own.items() if value and value != "local"}
        asked = {**given_own, **self.settings, "out": folder, **({"resume": True} if self.resume else {})}
        return f"{state.CALL}{', '.join(f'{key}={spelled(value)}' for key, value in asked.items())})"


def spelled(value: Any) -> str:
    """Return names and numbers as Python text; ``...`` for other objects and long lists."""
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, list | tuple) and len(value) <= MOST_SPELLED:
        return f"[{', '.join(map(spelled, value))}]"
    value = str(value) if isinstance(value, Path) else value
    return repr(value) if value is None or isinstance(value, str | int | float) else "..."


@given.in_own_words()
def measure(order: Order, progress: bool, figures: bool) -> Run:
    """Measure a run in this process and return it; see ``sudoku_bench.run``."""
    values, plugins = dict[str, Any](order.settings), list(map(str, given.listed(order.plugins)))
    if values.get("strategies") is not None:
        values["strategies"], files = given.strategies(values["strategies"])
        plugins += files
    if values.get("datasets") is not None:
        values["datasets"] = given.datasets(values["datasets"])
    requested = suite_of(str(order.suite) if order.suite else None, values, bool(plugins))
    cluster = measuring.cluster_of(order.engine, order.scheduler, requested)
    folder = measuring.folder_of(requested, order.out, order.resume)
    # A notebook is no terminal, whatever rich and the environment say.
    console = plain_console(stderr=True, quiet=not progress, force_terminal=sys.stderr.isatty(), force_jupyter=False)
    with Progress(console, quiet=not progress) as shown:
        planned = measuring.planned(requested, plugins, shown)
        measuring.measured(planned, folder, order.call(folder), shown, order.resume, cluster)
        run = load(folder)
        report_files.write(Store(folder), run, Look(DEFAULT_FORMATS if figures else ()), shown)
        shown.end()
    return run
