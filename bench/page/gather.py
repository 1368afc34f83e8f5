"""What the page works with: names, puzzles, curves and pairs as JSON, times as arrays."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.figures import sheet
from bench.figures.style import Look
from bench.verdicts.difficulty.fields import AXES
from bench.verdicts.run_data import wrong_answers
from bench.verdicts.run_tables import Run
from bench.verdicts.summary import limits_s, penalized
from bench.verdicts.times import medians
from datasets.shape import Shape

SYMBOLS = {  # markers of figures -> Plotly's names
    "o": "circle", "s": "square", "^": "triangle-up", "D": "diamond", "v": "triangle-down", "P": "cross", "X": "x",
    "<": "triangle-left", ">": "triangle-right", "*": "star", "h": "hexagon",
}  # fmt: skip
DASHES = {"-": "solid", "--": "dash", "-.": "dashdot", ":": "dot"}
MEASURES = {  # columns of puzzles.csv -> in a table, on an axis
    "guesses": ("guesses", "mean guesses of a singles-only search"),
    "te_rounds": ("rounds of trial and error", "rounds of trial and error"),
    "unsolved_locked": ("cells open after locked", "cells that locked candidates leave open"),
    "unsolved_singles": ("cells open after singles", "cells that singles leave open"),
    "backdoor": ("backdoor", "size of the smallest backdoor, in cells"),
    "er": ("ER", "rating of the hardest step (ER)"),
    "clues": ("clues", "clues"),
}
LOGARITHMIC = ("guesses", "te_rounds", "unsolved_singles", "unsolved_locked", "backdoor")
PAIR_TEXTS = ("clock", "verdict")
PAIR_NUMBERS = ("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most", "p_holm", "wins", "ties", "losses", "n_puzzles")
CLOCKS = ("cpu_s", "wall_s")
SEED = 1  # of the puzzles that are drawn where not all of them fit


@dataclass(frozen=True)
class Gathered:
    """What the page works with.

    Attributes:
        facts: what JSON can hold; columns of rows and tables as lists, None where a value is not known.
        times: float32, 4 × strategies × rows: CPU and wall seconds per solve, the median of a puzzle (infinite where
            not finished, NaN where not compared), then its PAR-2 scores by both clocks.
        counts: uint16, 2 × strategies × rows: measurements, and solved ones of them.
    """

    facts: dict[str, Any]
    times: NDArray[np.float32]
    counts: NDArray[np.uint16]

    @property
    def numbers(self) -> bytes:
        """Both arrays, little-endian, one after the other."""
        return self.times.astype("<f4").tobytes() + self.counts.astype("<u2").tobytes()


def gather(run: Run, share: float = 1.0) -> Gathered:
    """What the page shows of a run.

    Args:
        share: of the puzzles; less than 1 draws them at random, always the same ones.
    """
    looks = sheet.of_run(run).looks
    names = list(looks)
    tasks = tasks_of(run)
    puzzles = chosen(run.puzzles[run.puzzles["decoy"].isna()] if "decoy" in run.puzzles else run.puzzles, share)
    rows = pd.concat([puzzles.assign(task=label) for label in tasks], ignore_index=True)
    times, counts = numbers(run, names, tasks, rows)
    limit_s = float(run.manifest["suite"]["timeout_s"])
    grids = ["" if pd.isna(grid) else str(grid) for grid in column(rows, "grid")]
    sizes = sorted({math.isqrt(len(grid)) for grid in grids if len(grid) > 1})
    facts = {
        "strategies": strategies(looks, wrong_answers(run.measurements)),
        "collections": list(run.collections),
        "tasks": list(tasks),
        "limits": {"cpu": limit_s, "wall": run.method.wall_limit_s(limit_s)},
        "rows": {
            "puzzle": [str(name) for name in rows["puzzle"]],
            "collection": codes(rows["collection"], run.collections),
            "task": codes(rows["task"], list(tasks)),
            "grid": grids,
        },
        "boxes": {str(size): boxes(size) for size in sizes},
        "measures": [measure for name in MEASURES if (measure := measured(rows, name))],
        "curves": curves(run.curves, names),
        "crossings": crossings(run.crossovers, names),
        "pairs": pairs(run.pairs, names, run.collections),
    }
    return Gathered(facts, times, counts)


def chosen(puzzles: pd.DataFrame, share: float) -> pd.DataFrame:
    """All puzzles, or a share of them (at least one) drawn at random, in their order."""
    if share >= 1:
        return puzzles
    number = max(1, int(len(puzzles) * share))
    kept = np.sort(np.random.default_rng(SEED).choice(len(puzzles), number, replace=False))
    return puzzles.iloc[kept]


def tasks_of(run: Run) -> dict[str, tuple[str, str]]:
    """What was asked and how it was timed, by the words for it."""
    found = run.measurements[["task", "mode"]].drop_duplicates().sort_values(["task", "mode"])
    if found.empty:
        found = pd.DataFrame([{name: run.manifest["suite"][name] for name in ("task", "mode")}])
    labels: dict[str, tuple[str, str]] = {}
    for task, mode in found.itertuples(index=False):
        labels[f"{task}, {mode}" if found["mode"].nunique() > 1 else str(task)] = (task, mode)
    return labels


def numbers(
    run: Run, names: Sequence[str], tasks: Mapping[str, tuple[str, str]], rows: pd.DataFrame
) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """The arrays of ``Gathered``, by the definitions of the summary."""
    index = pd.MultiIndex.from_frame(rows[["task", "collection", "puzzle"]].astype(str))
    strategies = pd.Index(names)
    times = np.full((4, len(names), len(rows)), np.nan, dtype=np.float32)
    counts = np.zeros((2, len(names), len(rows)), dtype=np.uint16)
    wrong = set(wrong_answers(run.measurements))
    for label, (task, mode) in tasks.items():
        own = run.measurements[(run.measurements["task"] == task) & (run.measurements["mode"] == mode)]
        part = run if len(tasks) == 1 else dataclasses.replace(run, measurements=own)
        for clock, by_collection in enumerate((part.cpu, part.wall)):
            for collection, found in by_collection.items():
                kept = [place for place, name in enumerate(found.strategies) if name not in wrong]
                at = index.get_indexer(pd.MultiIndex.from_product([[label], [collection], found.puzzles]))
                here = np.ix_(strategies.get_indexer(pd.Index(found.strategies)[kept]), at[at >= 0])
                scores = penalized(found.seconds, limits_s(found, run.method if clock else None), 2)
                times[clock][here] = medians(found.seconds)[kept][:, at >= 0]
                times[2 + clock][here] = scores[kept][:, at >= 0]
        _count(own[own["decoy"].isna() & own["placebo"].isna()], label, index, strategies, counts)
    return times, counts


def _count(
    real: pd.DataFrame, label: str, index: pd.MultiIndex, names: pd.Index[str], counts: NDArray[np.uint16]
) -> None:
    """Add the measurements of a task, and solved ones, to the counts."""
    at = index.get_indexer(pd.MultiIndex.from_arrays([[label] * len(real), real["collection"], real["puzzle"]]))
    strategy, shown = names.get_indexer(pd.Index(real["strategy"])), at >= 0
    np.add.at(counts[0], (strategy[shown], at[shown]), 1)
    solved = shown & (real["status"] == "solved").to_numpy()
    np.add.at(counts[1], (strategy[solved], at[solved]), 1)


def strategies(looks: Mapping[str, Look], wrong: Mapping[str, int]) -> list[dict[str, Any]]:
    """Names and looks, and how many wrong answers each gave."""
    return [
        {
            "name": name,
            "colour": look.colour,
            "symbol": SYMBOLS[look.marker],
            "dash": DASHES[look.dashes],
            "wrong": wrong.get(name, 0),
        }
        for name, look in looks.items()
    ]


def boxes(size: int) -> list[int]:
    """Rows and columns of the boxes of a board of the customary shape."""
    shape = Shape.of_size(size)
    return [shape.box_rows, shape.box_cols]


def measured(rows: pd.DataFrame, name: str) -> dict[str, Any] | None:
    """A measure of difficulty of the rows; None where it is known of none. Beyond a scale it is a text (``>4.4``)."""
    values = column(rows, name)
    known = pd.to_numeric(values, errors="coerce")
    if not known.notna().any():
        return None
    title, axis = MEASURES[name]
    beyond = values.notna() & known.isna()
    found = {"key": name, "title": title, "axis": axis, "values": plain(known)}
    found["scale"] = "log1p" if name in LOGARITHMIC else "linear"
    if beyond.any():
        found["texts"] = [str(value) if odd else None for value, odd in zip(values, beyond, strict=True)]
    return found


def curves(table: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """The curves of the run, each with its places, medians and bands."""
    places = {name: place for place, name in enumerate(names)}
    known = table[table["strategy"].isin(places) & table["axis"].isin([axis.name for axis in AXES])]
    return [
        {"strategy": places[str(strategy)], "axis": axis, "size": _size(shape), "x": plain(own["x"])}
        | {key: plain(own[f"{key}_s"]) for key in ("median", "lo", "hi")}
        for (strategy, axis, shape), own in known.groupby(["strategy", "axis", "shape"], sort=False)
    ]


def crossings(table: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """The crossovers that are told."""
    places = {name: place for place, name in enumerate(names)}
    told = table[table["told"] == "yes"]
    return [
        {
            "axis": line["axis"],
            "size": _size(line["shape"]),
            "at": line["crossover"],
            "lo": line["lo"],
            "hi": line["hi"],
            "below": places[line["faster_below"]],
            "above": places[line["faster_above"]],
        }
        for line in told.to_dict("records")
    ]


def pairs(table: pd.DataFrame, names: Sequence[str], collections: Sequence[str]) -> dict[str, list[Any]]:
    """The verdicts on pairs, column by column."""
    return {
        "a": codes(table["a"], names),
        "b": codes(table["b"], names),
        "collection": codes(table["collection"], collections),
        **{name: [str(value) for value in table[name]] for name in PAIR_TEXTS},
        **{name: plain(table[name]) for name in PAIR_NUMBERS},
    }


def codes(values: pd.Series[Any], names: Sequence[str]) -> list[int]:
    """The number of each value among the names."""
    return [int(code) for code in pd.Index(names).get_indexer(pd.Index(values.astype(str)))]


def plain(values: pd.Series[Any]) -> list[float | int | None]:
    """Numbers with five digits as JSON has them: None where one is unknown or infinite."""
    numbers = values.to_numpy(np.float64)
    return [_short(number) if math.isfinite(number) else None for number in numbers.tolist()]


def _short(number: float) -> float | int:
    rounded = float(f"{number:.5g}")
    return int(rounded) if rounded.is_integer() else rounded


def column(rows: pd.DataFrame, name: str) -> pd.Series[Any]:
    """A column, empty where the run has none of that name."""
    return rows[name] if name in rows else pd.Series(np.nan, index=rows.index, dtype=object)


def _size(shape: object) -> int:
    """Rows of boards, from their name; 0 where it is not known."""
    return int(str(shape).partition("x")[0] or 0)
