"""Growth: how much longer a strategy takes when guesses double, and when boards grow.

The model of time is a power of guesses, or of the number of cells: a line through medians on logarithmic scales, with
unfinished solves as censored. The power is a summary; the curve shows whether the model fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES, Field, calibrated, fields
from sudoku_bench.bench.verdicts.difficulty.local import MIN_PUZZLES, AxisWindows, Slope, median_line
from sudoku_bench.bench.verdicts.pairs.evidence import interval_of
from sudoku_bench.bench.verdicts.run_data import RunData

SCALING_COLUMNS = (
    *("strategy", "over", "shape", "n_puzzles", "power", "power_lo", "power_hi", "per_doubling", "per_doubling_lo"),
    *("per_doubling_hi", "marked"),
)
SPAN = math.log(2)  # log range of the predictor, at least: less than a doubling cannot show growth per doubling
MAX_LISTED = 8  # strategies per line of text


def scaling(run: RunData) -> pd.DataFrame:
    """Return rows of ``SCALING_COLUMNS``: each strategy and shape over guesses, and each strategy over board sizes.

    Over guesses, only puzzles that need at least one take part. Over cells, only sizes take part where the strategy
    finished more than half of the puzzles. Collections of different sizes are not equally hard, so the power describes
    only these collections.
    """
    run_fields = fields(run)
    rows = [row for field in run_fields for row in over_guesses(field)]
    rows += over_cells([field for field in run_fields if field.size is not None])
    text = ("strategy", "over", "shape", "n_puzzles", "marked")
    types = {column: float for column in SCALING_COLUMNS if column not in text}
    return pd.DataFrame(rows, columns=list(SCALING_COLUMNS)).astype(types)


def over_guesses(field: Field) -> Iterator[dict[str, Any]]:
    """Yield the growth of times over the guesses of a field, as rows of ``SCALING_COLUMNS``."""
    guesses, errors = field.column(GUESSES.name), field.column("guesses_se")
    with np.errstate(divide="ignore", invalid="ignore"):
        x = np.where(guesses >= 1, np.log(guesses), np.nan)
        x = calibrated(x, errors / guesses)
    axis_windows = AxisWindows(x, field.clusters)
    for strategy, y in zip(field.strategies, field.hi, strict=True):
        known = axis_windows.known_range(y)
        if known is None or known.line is None:
            continue
        x_known = x[known.inside]
        if len(np.unique(field.clusters[known.inside])) >= MIN_PUZZLES and np.ptp(x_known) >= SPAN:
            yield _row(strategy, "guesses", len(x_known), known.line) | {
                "shape": field.shape,
                "marked": "yes" if strategy in field.searchers else "",
            }


def over_cells(fields_by_size: list[Field]) -> Iterator[dict[str, Any]]:
    """Yield the growth of times over the number of cells, as rows of ``SCALING_COLUMNS``.

    Args:
        fields_by_size: one per board size, small boards first.
    """
    for strategy in dict.fromkeys(name for field in fields_by_size for name in field.strategies):
        x: list[float] = []
        y: list[float] = []
        clusters: list[tuple[int | None, int]] = []
        sizes = 0
        for field in (field for field in fields_by_size if strategy in field.strategies):
            hi = field.hi[field.strategies.index(strategy)]
            measured = ~np.isnan(hi)
            if np.isfinite(np.median(hi[measured])):
                sizes += 1
                x += [math.log((field.size or 0) ** 2)] * int(measured.sum())
                y += hi[measured].tolist()
                clusters += [(field.size, int(cluster)) for cluster in field.clusters[measured]]
        if sizes < 2 or len(y) < MIN_PUZZLES:
            continue
        line = median_line(np.array(x), np.array(y), pd.factorize(pd.MultiIndex.from_tuples(clusters))[0])
        if line is not None:
            yield _row(strategy, "cells", len(y), line) | {"shape": "", "marked": ""}


def _row(strategy: str, over: str, n_puzzles: int, line: Slope) -> dict[str, Any]:
    """Return the columns of a slope on logarithmic scales."""
    ends = {"": line.slope, "_lo": line.lo, "_hi": line.hi}
    powers = {end: power if math.isfinite(power) else math.nan for end, power in ends.items()}
    row = {"strategy": strategy, "over": over, "n_puzzles": n_puzzles}
    row |= {f"power{end}": power for end, power in powers.items()}
    return row | {f"per_doubling{end}": 2**power for end, power in powers.items()}


def words(table: pd.DataFrame) -> list[str]:
    """Return sentences with the growth of each strategy, steepest first; marked strategies are starred."""
    lines = []
    for (over, shape), group in table.groupby(["over", "shape"], sort=False):
        listed = group.sort_values("power", ascending=False, kind="stable").head(MAX_LISTED).to_dict("records")
        growths = [_growth(row) for row in listed]
        more = f", and {len(group) - MAX_LISTED} more" if len(group) > MAX_LISTED else ""
        start = f"Growth of times when {over} double{f' ({shape})' if shape else ''}: "
        lines.append(start + ", ".join(growths) + more)
    return lines


def _growth(row: dict[Any, Any]) -> str:
    ends = interval_of(row["per_doubling_lo"], row["per_doubling_hi"], "{:.2f}".format)
    return f"{row['strategy']}{'*' if row['marked'] else ''} ×{row['per_doubling']:.2f} {ends}".rstrip()
