"""Simulated runs for the tests of figures, and checks for texts that overlap or leave a figure."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from sudoku_bench.bench.figures import catalogue, sheet
from sudoku_bench.bench.figures.style import RC, Column
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run, drawn, together

MACHINE = {"cpu": "Simulated CPU", "cores_logical": 2, "python": "3.11.7"}
MEASURES = {"clues": 5, "te_rounds": 3, "te_depth": 0.2, "unsolved_singles": 9, "unsolved_locked": 8, "conflicts": 4}
PHASES = ("encode", "load", "search", "decode", "release")


def simulated(
    strategies: int = 4,
    puzzles: int = 30,
    repetitions: int = 3,
    limit_s: float = 10.0,
    name: str = "family{0}:model{1}@engine",
    collections: int = 3,
    sizes: tuple[int, ...] = (9,),
    placebos: bool = False,
    growth: float = 0.2,
) -> Run:
    """Return a run with all columns: each strategy is slower and steeper than the one before; tiers get harder.

    Args:
        sizes: board sizes of the tiers, in turn.
        placebos: whether the first strategy has placebos.
        growth: how much steeper each strategy is than the one before; if negative, they cross.
    """
    rng = np.random.default_rng(1)
    names = [name.format(number // 3, number) for number in range(strategies)]
    curves = {
        strategy: functools.partial(lambda x, k: 1e-3 * (1 + k) * (1 + x) ** (k % 7 * growth), k=k)
        for k, strategy in enumerate(names)
    }
    runs = []
    for tier in range(collections):
        guesses = np.exp(rng.uniform(tier, tier + 2, puzzles)) - 1
        seconds = drawn(curves, guesses, repetitions, rng)
        tier_run = a_run(seconds, names, guesses, limit_s=limit_s, collection=f"tier{tier}")
        rows = tier_run.measurements
        shares = rng.dirichlet(np.ones(len(PHASES)), len(rows))
        phases = {f"{phase}_cpu_s": rows["cpu_s"] * shares[:, i] for i, phase in enumerate(PHASES)}
        number = pd.factorize(rows["strategy"])[0] + 1
        counted = {"conflicts": np.rint(1e3 * rows["cpu_s"]), "started_s": np.arange(len(rows)) * 0.05}
        counted |= {"variables": 700 + 10 * (number % 5), "clauses": 5000 * number, "literals": 12_000 * number}
        runs.append(dataclasses.replace(tier_run, measurements=rows.assign(**phases, **counted)))
    run = together(*runs)
    if placebos:
        run = with_placebos(run, names[0], rng)
    suite = run.manifest["suite"] | {"isomorphs": True, "name": "simulated"}
    about = {
        "suite": suite,
        "machine": MACHINE,
        "started": "2026-01-02T03:04:05Z",
        "planned_rows": len(run.measurements),
    }
    return dataclasses.replace(run, manifest=run.manifest | about, puzzles=rated(run.puzzles, rng, sizes))


def with_placebos(run: Run, name: str, rng: np.random.Generator) -> Run:
    """Return the run with both placebos of a strategy; their times differ from its own by chance only."""
    original = run.measurements[run.measurements["strategy"] == name]
    parts = [run.measurements]
    for placebo, spread in (("instrument", 0.02), ("presentation", 0.1)):
        seconds = original["cpu_s"] * np.exp(spread * rng.standard_normal(len(original)))
        parts.append(original.assign(strategy=f"({placebo}) {name}", placebo=placebo, cpu_s=seconds, wall_s=seconds))
    return dataclasses.replace(run, measurements=pd.concat(parts, ignore_index=True))


def small(seconds: NDArray[np.float64], names: list[str], limit_s: float = 10.0, collection: str = "own") -> Run:
    """Return a run with one measurement per strategy and puzzle (strategies × puzzles)."""
    run = a_run(seconds[:, :, None], names, np.arange(seconds.shape[1], dtype=float), limit_s, collection=collection)
    suite = run.manifest["suite"] | {"isomorphs": True, "name": "simulated"}
    about = {"suite": suite, "machine": MACHINE, "started": "2026-01-02T03:04:05Z", "planned_rows": seconds.size}
    return dataclasses.replace(run, manifest=about, puzzles=run.puzzles.assign(grid="." * 81))


def rated(puzzles: pd.DataFrame, rng: np.random.Generator, sizes: tuple[int, ...]) -> pd.DataFrame:
    """Return the puzzles with a grid each, and difficulty measures that correlate with guesses."""
    harder = np.log1p(puzzles["guesses"].to_numpy())
    noisy = {name: np.rint(harder * scale + rng.normal(size=len(harder))).clip(0) for name, scale in MEASURES.items()}
    tiers = pd.factorize(puzzles["collection"])[0]
    grids = ["".join(rng.choice(list("....12345"), sizes[tier % len(sizes)] ** 2)) for tier in tiers]
    return puzzles.assign(grid=grids, guesses_se=0.1, er=np.round(2 + harder, 1).astype(str), **noisy)


def encoded(collections: int = 4) -> Run:
    """Return a run of three encodings under a solver and two under another; each takes longer than the one before."""
    run = simulated(5, collections=collections, sizes=(4, 9, 16, 9), limit_s=0.02, growth=0.1, name="sat:{1}")
    models = ("augmented@a", "complete+pairwise@a", "order@a", "augmented+compiled@b", "complete+pairwise+compiled@b")
    names = {f"sat:{number}": f"sat:{model}" for number, model in enumerate(models)}
    rows = run.measurements.assign(strategy=run.measurements["strategy"].map(names))
    counts = {"variables": [729, 999, 648], "clauses": 9000, "literals": 20000, "at_mosts": 0}
    sizes = pd.DataFrame({"encoding": ["complete+pairwise", "augmented", "order"], "shape": "9x9"} | counts)
    return dataclasses.replace(run, measurements=rows, encodings=sizes)


LONG = "family{0}:a-strategy-with-a-very-long-name-of-eighty-characters-as-nobody-should-write-{1:02d}"
CASES = {
    "usual": simulated,
    "crossing": functools.partial(simulated, collections=4, sizes=(4, 9, 16, 9), limit_s=0.02, growth=-0.3),
    "one strategy": functools.partial(simulated, strategies=1),
    "one puzzle": functools.partial(simulated, puzzles=1, collections=1),
    "one of both": functools.partial(simulated, strategies=1, puzzles=1, repetitions=1, collections=1),
    "all timeouts": functools.partial(simulated, limit_s=1e-9),
    "some timeouts": functools.partial(simulated, limit_s=0.02),
    "sixty strategies": functools.partial(simulated, strategies=60, puzzles=4, repetitions=1, collections=2),
    "long names": functools.partial(simulated, name=LONG),
    "odd names": functools.partial(simulated, strategies=2, name="$x_{0}$ \\frac{{%&#~^ <b>:{1}"),
    "several sizes": functools.partial(simulated, collections=4, sizes=(4, 9, 16, 9), limit_s=0.02),
    "encodings": encoded,
    "many collections": functools.partial(simulated, strategies=2, puzzles=4, collections=9),
}
OWN_CASES = {"encodings": "encodings"}  # of those with nothing to show in the usual one
COLUMNS = (None, sheet.column("single"), sheet.column("double"))


@functools.cache
def case(name: str) -> Run:
    """Return a run of ``CASES``, cached per process."""
    return CASES[name]()


def picture(figure: catalogue.FigureModule, run: Run, within: Column | None = None) -> Figure:
    """Draw a figure of a run and lay it out.

    Raises:
        NothingToDrawError: as the figure does.
    """
    drawn_figure = catalogue.picture(figure, figure.data(run), sheet.of_run(run, within))
    with mpl.rc_context(RC):
        FigureCanvasAgg(drawn_figure)
        drawn_figure.draw_without_rendering()
    return drawn_figure


def faults(figure: Figure) -> list[str]:
    """Return a message for each text that overlaps another or leaves the figure."""
    boxes = list(texts(figure))
    messages = [
        f"{text.get_text()!r} leaves the figure"
        for text, box in boxes
        if box.x0 < -1 or box.y0 < -1 or box.x1 > figure.bbox.x1 + 1 or box.y1 > figure.bbox.y1 + 1
    ]
    upright = [(text, box) for text, box in boxes if not _diagonal(text)]
    # Boxes of upright letters touch where lines of text are close; a pixel is no overlap.
    x0, y0, x1, y1 = np.array([box.padded(-1).extents for _, box in upright]).reshape(-1, 4).T
    beside = (x0[:, None] > x1) | (x0 > x1[:, None]) | (y0[:, None] > y1) | (y0 > y1[:, None])
    for one, other in zip(*np.nonzero(np.triu(~beside, 1)), strict=True):
        messages.append(f"{upright[one][0].get_text()!r} and {upright[other][0].get_text()!r} overlap")
    return messages


def smallest_letters(figure: Figure) -> float:
    """Return the font size of the smallest visible text in points."""
    return min(float(text.get_fontsize()) for text, _ in texts(figure))


def texts(figure: Figure) -> Iterator[tuple[Text, Bbox]]:
    """Yield the visible texts with their boxes."""
    canvas: Any = figure.canvas
    renderer = canvas.get_renderer()
    with mpl.rc_context(RC):
        hidden = _hidden_labels(figure)
        for text in figure.findobj(Text):
            seen = text.get_visible() and text.get_alpha() != 0 and id(text) not in hidden
            if text.get_text().strip() and seen:
                yield text, text.get_window_extent(renderer)


def _diagonal(text: Text) -> bool:
    """Return whether a text is rotated: its box then says little about the position of its letters."""
    return text.get_rotation() % 90 != 0


def _hidden_labels(figure: Figure) -> set[int]:
    """Return the ids of tick labels outside the limits, which matplotlib keeps but does not draw."""
    hidden = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            seen = axes.get_visible() and axes.axison and axis.get_visible()
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not (seen and low <= tick.get_loc() <= high):
                    hidden |= {id(tick.label1), id(tick.label2)}
    return hidden


def caption(figure: Figure) -> str:
    """Return the texts outside the plots as one line."""
    return " ".join(" ".join(text.get_text() for text in figure.texts).split())


def row_names(figure: Figure) -> list[str]:
    """Return the names at the left of the first plot, from the top or the bottom as they are drawn."""
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def legend_names(figure: Figure) -> list[str]:
    """Return the names in the legends of a figure, without the notes below them."""
    legends = [*figure.legends, *(inner for axes in figure.axes if (inner := axes.get_legend()))]
    return [_joined(text.get_text()) for legend in legends if isinstance(legend, Legend) for text in legend.get_texts()]


def end_names(figure: Figure) -> list[str]:
    """Return the names at the ends of lines, from the top, without the notes below them."""
    texts = [text for axes in figure.axes for text in axes.texts if str(text.get_gid()).startswith("name-")]
    return [_joined(text.get_text()) for text in texts]


def _joined(label: str) -> str:
    return "".join(line for line in label.splitlines() if not re.match(r"[\d,]+ of|largest|none solved", line))
