"""Figures of the grid: cells, frames and bounds follow from the tables, and the page shows every figure."""

from __future__ import annotations

import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from studies.grid import STORE, TIED, near
from studies.grid_figures import FIGURES, behind_text, effects_figure, shares_figure
from studies.grid_numbers import PAGE, Grid

NONE = float("nan")


def test_a_cell_says_how_far_it_is_behind() -> None:
    for ratio, text in ((1.0, "1"), (1.04, "1.04"), (1.34, "1.3"), (34.4, "34")):
        assert behind_text({"behind": ratio}, 0.1)[0] == text
    for bound, gmean_s, text in ((12.2, 1.0, "≥12"), (NONE, 4.0, "≥40")):
        line = {"behind": NONE, "behind_at_least": bound, "behind_lo": NONE, "gmean_s": gmean_s}
        assert behind_text(line, 0.1)[0] == text


def test_a_map_frames_the_fastest_and_what_is_tied_with_it() -> None:
    """Solid: faster than all others; dashed: not shown to be slower, and the interval comes near."""
    grid = Grid()
    for name, (block, collection) in {"map_native": ("native", "hardest"), "map_nine": ("9x9", "minimal")}.items():
        axes = FIGURES[name](grid).axes[0]
        rows = grid.rows("map", block=block, collection=collection)
        _check_frames(axes, rows)


def _check_frames(axes: Axes, rows: pd.DataFrame) -> None:
    patches = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    frames = [patch for patch in patches if not patch.get_fill()]
    assert len(patches) - len(frames) == len(rows)
    assert len(frames) == rows.apply(near, axis=1).sum()
    is_tied = rows["standing"].eq(TIED).any()
    assert sum(frame.get_linestyle() == "-" for frame in frames) == (0 if is_tied else 1)


def test_the_shares_of_a_bar_add_up_and_every_effect_has_its_interval() -> None:
    grid = Grid()
    [axes] = shares_figure(grid).axes
    bars = pd.DataFrame([(patch.get_y(), patch.get_width()) for patch in axes.patches], columns=["y", "width"])
    assert bars.groupby("y")["width"].sum().to_numpy() == pytest.approx(1, abs=1e-3)
    encodings, engines = effects_figure(grid).axes
    for axes, other in ((encodings, "engine"), (engines, "encoding")):
        table = grid.tables["effects"]
        rows = table[table["block"].isin(["9x9", "12x12", "16x16", "25x25"]) & table[other].isna()]
        assert len(axes.lines) == 2 * len(rows) + 1


def test_the_page_shows_every_figure() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in FIGURES:
        assert f"results/encodings/plots/{name}.png" in text
        assert (STORE / "plots" / f"{name}.png").exists()
