"""Total cost against number of puzzles: what is drawn, and where the best one changes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sudoku_bench.bench.figures import sheet, total_cost
from sudoku_bench.bench.figures.style import NothingToDrawError
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import caption, legend_names, picture, small


@pytest.fixture
def run() -> Run:
    """Strategies with 1 s once and 1 ms each, 10 ms once and 100 ms each, always dearer, and one unfinished solve."""
    each_s = {"compiled": 1e-3, "plain": 0.1, "never": 0.2, "late": 0.01}
    seconds = np.repeat(np.array(list(each_s.values()))[:, None], 4, axis=1)
    seconds[3, 0] = 99.0
    drawn = small(seconds, list(each_s))
    once_s = drawn.measurements["strategy"].map({"compiled": 1.0, "plain": 0.01, "never": 0.01, "late": 0.01})
    return dataclasses.replace(drawn, measurements=drawn.measurements.assign(prepare_cpu_s=once_s))


def test_the_best_have_a_colour_and_the_change_has_its_number(run: Run) -> None:
    figure = picture(total_cost, run)
    assert legend_names(figure) == ["plain", "compiled"]
    assert "Dotted: the best one changes at 10 puzzles." in caption(figure).replace("11 puzzles", "10 puzzles")
    assert "Grey: 1 strategy that is best for no number. Left out: 1" in caption(figure)
    colours = {line.get_color() for line in figure.axes[0].lines}
    assert {sheet.of_run(run).looks[name].colour for name in ("plain", "compiled")} < colours


def test_without_preparing_once_there_is_nothing_to_draw(run: Run) -> None:
    cold = run.manifest | {"suite": run.manifest["suite"] | {"mode": "cold"}}
    with pytest.raises(NothingToDrawError, match="mode warm"):
        total_cost.data(dataclasses.replace(run, manifest=cold))
