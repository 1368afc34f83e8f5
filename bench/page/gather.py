"""Collects the data of the page: names, puzzles, curves and pairs as JSON, times as arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.figures import sheet
from bench.figures.style import Look
from bench.page.arrays import page_arrays
from bench.page.winners import winners
from bench.verdicts.difficulty import crossovers
from bench.verdicts.difficulty.fields import AXES
from bench.verdicts.once import once
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.evidence import evidence
from bench.verdicts.run_data import DISQUALIFYING, with_status
from bench.verdicts.run_tables import Run
from datasets.shape import Shape

SYMBOLS = {  # markers of the figures -> Plotly's symbols
    "o": "circle", "s": "square", "^": "triangle-up", "D": "diamond", "v": "triangle-down", "P": "cross", "X": "x",
    "<": "triangle-left", ">": "triangle-right", "*": "star", "h": "hexagon",
}  # fmt: skip
DASHES = {"-": "solid", "--": "dash", "-.": "dashdot", ":": "dot"}
MEASURES = {  # columns of puzzles.csv -> heading in a table, label of an axis
    "guesses": ("guesses", "mean guesses of a singles-only search"),
    "conflicts": ("conflicts", "mean conflicts of a solver that learns clauses"),
    "lookahead": ("look-aheads", "mean look-aheads of a lookahead search"),
    "te_rounds": ("rounds of trial and error", "rounds of trial and error"),
    "unsolved_locked": ("cells open after locked", "cells left open by locked candidates"),
    "unsolved_singles": ("cells open after singles", "cells left open by singles"),
    "backdoor": ("backdoor", "size of the smallest backdoor, in cells"),
    "er": ("ER", "rating of the hardest step (ER)"),
    "clues": ("clues", "clues"),
}
LOGARITHMIC = ("guesses", "conflicts", "lookahead", "te_rounds", "unsolved_singles", "unsolved_locked", "backdoor")
EVIDENCE = {"finding": "finding", "ratio": "ratio_text", "interval": "interval", "p": "p", "sentence": "sentence"}
PAIR_NUMBERS = ("ratio", "at_least", "at_most", "decided_lo", "p_holm", "wins", "ties", "losses", "n_puzzles")
VERDICTS = {  # verdict on a pair -> -1 if a is faster, 1 if b is, 0 if neither is shown to be, None for too few data
    decision.A_FASTER: -1, decision.B_FASTER: 1, decision.EQUIVALENT: 0, decision.INDISTINGUISHABLE: 0,
    decision.TOO_FEW: None,
}  # fmt: skip
SEED = 1  # of the sample of puzzles if not all of them fit


@dataclass(frozen=True)
class PageData:
    """The data of the page.

    Attributes:
        facts: JSON values; columns of rows and tables are lists, with None for unknown values.
        times: float32, 4 × strategies × rows: a puzzle's median CPU and wall seconds per solve (infinite if not
            finished, NaN if not compared), then its PAR-2 scores by both clocks.
        details: float32, (forms + phases + counters) × strategies × rows, with three digits: CPU seconds of each form
            (infinite if not finished), medians of the ``PHASES``, medians of the ``COUNTERS``; NaN where unknown.
        counts: uint16, 2 × strategies × rows: measurements, and solved measurements.
    """

    facts: dict[str, Any]
    times: NDArray[np.float32]
    details: NDArray[np.float32]
    counts: NDArray[np.uint16]

    @property
    def numbers(self) -> bytes:
        """What the page needs at once: times, then counts, little-endian."""
        return self.times.astype("<f4").tobytes() + self.counts.astype("<u2").tobytes()

    @property
    def details_numbers(self) -> bytes:
        """What it needs to show single puzzles, little-endian."""
        return self.details.astype("<f4").tobytes()


def gather(run: Run, share: float = 1.0) -> PageData:
    """Collect the data of the page of a run.

    Args:
        share: share of the puzzles; less than 1 draws a random sample, always the same one.
    """
    everything = page_arrays(run)
    puzzles = len(everything.rows) // max(1, len(everything.tasks))
    places = (np.arange(len(everything.tasks))[:, None] * puzzles + sample(puzzles, share)).ravel()
    rows = everything.rows.iloc[places]
    limit_s = float(run.manifest["suite"]["timeout_s"])
    grids = ["" if pd.isna(grid) else str(grid) for grid in column(rows, "grid")]
    sizes = sorted({math.isqrt(length) for grid in grids if (length := len(grid)) > 1})
    facts = {
        "tasks": list(everything.tasks),
        "formCount": everything.form_count,
        "limits": {"cpu": limit_s, "wall": run.method.wall_limit_s(limit_s)},
        "rows": {
            "puzzle": [str(name) for name in rows["puzzle"]],
            "collection": codes(rows["collection"], run.collections),
            "task": codes(rows["task"], list(everything.tasks)),
            "grid": grids,
        },
        "boxes": {str(size): boxes(size) for size in sizes},
        "measures": [measure for name in MEASURES if (measure := measured(rows, name))],
    }
    times, details = everything.times[..., places], everything.details[..., places]
    return PageData(facts | of_run(run), times, details, everything.counts[..., places])


@once
def of_run(run: Run) -> dict[str, Any]:
    """Return the facts that do not depend on which puzzles the page holds."""
    looks = sheet.of_run(run).looks
    names = list(looks)
    return {
        "strategies": strategies(looks, {status: with_status(run.measurements, status) for status in DISQUALIFYING}),
        "collections": list(run.collections),
        "collectionLooks": [
            {"colour": look.colour, "symbol": SYMBOLS[look.marker]}
            for look in sheet.collection_looks(run.collections).values()
        ],
        "curves": curves(run.curves, names),
        "crossings": crossings(run.crossovers, names),
        "winners": winners(run, names),
        "pairs": pairs(run.pairs, names, run.collections),
    }


def sample(number: int, share: float) -> NDArray[np.intp]:
    """Return the places of a random sample of puzzles (at least one), in order; all places if the share is 1."""
    if share >= 1:
        return np.arange(number)
    size = max(1, int(number * share))
    return np.sort(np.random.default_rng(SEED).choice(number, size, replace=False))


def strategies(looks: Mapping[str, Look], faults: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    """Return name and look of each strategy, and the number of its wrong answers and of its false times."""
    return [
        {
            "name": name,
            "colour": look.colour,
            "symbol": SYMBOLS[look.marker],
            "dash": DASHES[look.dashes],
            **{status: numbers.get(name, 0) for status, numbers in faults.items()},
        }
        for name, look in looks.items()
    ]


def boxes(size: int) -> list[int]:
    """Return the rows and columns of the boxes of a board of this size."""
    shape = Shape.of_size(size)
    return [shape.box_rows, shape.box_cols]


def measured(rows: pd.DataFrame, name: str) -> dict[str, Any] | None:
    """Return a difficulty measure of the rows; None if it is unknown for all. Values beyond its scale are texts."""
    values = column(rows, name)
    known = pd.to_numeric(values, errors="coerce")
    if not known.notna().any():
        return None
    title, axis = MEASURES[name]
    beyond = values.notna() & known.isna()
    measure = {"key": name, "title": title, "axis": axis, "values": plain(known)}
    measure["scale"] = "log1p" if name in LOGARITHMIC else "linear"
    if beyond.any():
        measure["texts"] = [str(value) if is_text else None for value, is_text in zip(values, beyond, strict=True)]
    return measure


def curves(table: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the curves of the run, each with its places, medians and bands."""
    places = {name: place for place, name in enumerate(names)}
    known = table[table["strategy"].isin(places) & table["axis"].isin([axis.name for axis in AXES])]
    return [
        {"strategy": places[str(strategy)], "axis": axis, "size": _size(shape), "x": plain(rows["x"])}
        | {key: plain(rows[f"{key}_s"]) for key in ("median", "lo", "hi")}
        for (strategy, axis, shape), rows in known.groupby(["strategy", "axis", "shape"], sort=False)
    ]


def crossings(table: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the reported crossovers."""
    places = {name: place for place, name in enumerate(names)}
    reported = table[table["told"] == "yes"]
    return [
        {
            "axis": line["axis"],
            "size": _size(line["shape"]),
            "at": line["crossover"],
            "lo": line["lo"],
            "hi": line["hi"],
            "below": places[line["faster_below"]],
            "above": places[line["faster_above"]],
            "sentence": crossovers.sentence(line),
        }
        for line in reported.to_dict("records")
    ]


def pairs(table: pd.DataFrame, names: Sequence[str], collections: Sequence[str]) -> dict[str, list[Any]]:
    """Return the pairs column by column: evidence as text, and numbers to sort by."""
    shown = [evidence(row) for row in table.to_dict("records")]
    return {
        "a": codes(table["a"], names),
        "b": codes(table["b"], names),
        "collection": codes(table["collection"], collections),
        "clock": [str(clock) for clock in table["clock"]],
        "verdict": [VERDICTS[verdict] for verdict in table["verdict"]],
        **{key: [getattr(one, name) for one in shown] for name, key in EVIDENCE.items()},
        **{name: plain(table[name]) for name in PAIR_NUMBERS},
    }


def codes(values: pd.Series[Any], names: Sequence[str]) -> list[int]:
    """Return the position of each value among the names."""
    return [int(code) for code in pd.Index(names).get_indexer(pd.Index(values.astype(str)))]


def plain(values: pd.Series[Any]) -> list[float | int | None]:
    """Return numbers with five significant digits for JSON, None for unknown or infinite ones."""
    numbers = values.to_numpy(np.float64)
    return [_short(number) if math.isfinite(number) else None for number in numbers.tolist()]


def _short(number: float) -> float | int:
    rounded = float(f"{number:.5g}")
    return int(rounded) if rounded.is_integer() else rounded


def column(rows: pd.DataFrame, name: str) -> pd.Series[Any]:
    """Return a column; all values are missing if the run does not have it."""
    return rows[name] if name in rows else pd.Series(np.nan, index=rows.index, dtype=object)


def _size(shape: object) -> int:
    """Return the rows of a board from the name of its shape; 0 if unknown."""
    return int(str(shape).partition("x")[0] or 0)
