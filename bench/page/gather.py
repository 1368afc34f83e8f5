"""Collects the data of the page: what the figures and tables of the run show, as JSON, and times as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sudoku_bench.bench.figures import sheet, time_vs_difficulty
from sudoku_bench.bench.figures.groups import told
from sudoku_bench.bench.figures.style import NothingToDrawError
from sudoku_bench.bench.figures.time_vs_difficulty import height_at
from sudoku_bench.bench.folder.method import CLOCKS, clock
from sudoku_bench.bench.page.arrays import page_arrays
from sudoku_bench.bench.page.encoding import codes, plain
from sudoku_bench.bench.page.pair_table import pairs
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.difficulty.crossovers import claim
from sudoku_bench.bench.verdicts.difficulty.fields import AXES
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.shape import Shape, size_of_text

SYMBOLS = {  # markers of the figures -> names of their outlines in symbols.js
    "o": "circle", "s": "square", "^": "triangle-up", "D": "diamond", "v": "triangle-down", "P": "cross", "X": "x",
    "<": "triangle-left", ">": "triangle-right", "*": "star", "h": "hexagon",
}  # fmt: skip
DASHES = {"-": None, "--": "7 4", "-.": "8 3 2 3", ":": "2 3"}  # lines of the figures -> dashes of SVG
MEASURES = {  # columns of puzzles.csv -> heading in a table, label of an axis
    "guesses": ("guesses", "mean guesses of a singles-only search"),
    "conflicts": ("conflicts", "mean conflicts of a clause-learning solver"),
    "lookahead": ("look-aheads", "mean look-aheads of a lookahead search"),
    "te_rounds": ("rounds of trial and error", "rounds of trial and error"),
    "unsolved_locked": ("cells open after locked", "cells left open by locked candidates"),
    "unsolved_singles": ("cells open after singles", "cells left open by singles"),
    "backdoor": ("backdoor", "size of the smallest backdoor, in cells"),
    "er": ("ER", "rating of the hardest step (ER)"),
    "clues": ("clues", "clues"),
}
LOGARITHMIC = ("guesses", "conflicts", "lookahead", "te_rounds", "unsolved_singles", "unsolved_locked", "backdoor")
SEED = 1  # of the sample of puzzles if not all of them fit


@dataclass(frozen=True)
class PageData:
    """The data of the page.

    Attributes:
        facts: JSON values; columns of rows and tables are lists, with None for unknown values.
        times, details: as in ``PageArrays``, of the rows that the page holds.
    """

    facts: dict[str, Any]
    times: NDArray[np.float32]
    details: NDArray[np.float32]

    @property
    def numbers(self) -> bytes:
        """Times, then details, little-endian."""
        return self.times.astype("<f4").tobytes() + self.details.astype("<f4").tobytes()


def gather(run: Run, share: float) -> PageData:
    """Collect the data of the page of a run.

    Args:
        share: share of the puzzles; less than 1 draws a random sample, always the same one.
    """
    arrays = page_arrays(run)
    places = sample(len(arrays.rows), share)
    rows = arrays.rows.iloc[places]
    facts = {
        "formCount": arrays.form_count,
        "rows": {
            "puzzle": [str(name) for name in rows["puzzle"]],
            "collection": codes(rows["collection"], run.collections),
            "grid": [str(grid) for grid in rows["grid"]],
            "shape": codes(boards(rows), list(boards(arrays.rows).unique())),
        },
        "measures": [measure for name in MEASURES if (measure := measured(rows, name))],
    }
    return PageData(facts | of_run(run), arrays.times[:, places], arrays.details[..., places])


@once
def of_run(run: Run) -> dict[str, Any]:
    """Return the facts that do not depend on which puzzles the page holds."""
    looks = sheet.of_run(run).looks
    names = list(looks)
    rows = page_arrays(run).rows
    return {
        "clock": CLOCKS[clock(run.manifest)],
        "limit": float(run.manifest["suite"]["timeout_s"]),
        "strategies": [
            {"name": name, "colour": look.colour, "symbol": SYMBOLS[look.marker], "dash": DASHES[look.dashes]}
            for name, look in looks.items()
        ],
        "collections": list(run.collections),
        "shapes": [shape_facts(Shape.of_code(code)) for code in boards(rows).unique()],
        "scopes": list(scopes(run)),
        "named": {int(size): coloured(run, int(size), names) for size in sizes(rows).unique()},
        "curves": curves(run.curves, names),
        "crossings": crossings(told(run), run.curves, names),
        "pairs": pairs(run, names),
    }


def sample(number: int, share: float) -> NDArray[np.intp]:
    """Return the places of a random sample of puzzles (at least one), in order; all places if the share is 1."""
    if share >= 1:
        return np.arange(number)
    size = max(1, int(number * share))
    return np.sort(np.random.default_rng(SEED).choice(number, size, replace=False))


def boards(rows: pd.DataFrame) -> pd.Series[str]:
    """Return the code of the board of each puzzle; runs of earlier versions have the usual ones of their sizes."""
    usual = [Shape.of_size(size_of_text(grid)).code for grid in rows["grid"]]
    return column(rows, "board").fillna(pd.Series(usual, rows.index)).astype(str)


def sizes(rows: pd.DataFrame) -> pd.Series[int]:
    """Return the number of rows of the board of each puzzle."""
    codes_ = boards(rows)
    return codes_.map({code: Shape.of_code(code).size for code in codes_.unique()})


def coloured(run: Run, size: int, names: Sequence[str]) -> dict[int, str]:
    """Return the colours that strategies would have in the figure for boards of a size; none without data for it."""
    try:
        lines = time_vs_difficulty.data(run, size)
    except NothingToDrawError:
        return {}
    looks = {name: sheet.of_run(run).looks[name] for name in time_vs_difficulty.named(lines)}
    return {names.index(name): look.colour for name, look in time_vs_difficulty.distinct(looks).items()}


def shape_facts(shape: Shape) -> dict[str, Any]:
    """Return what the page has to know of a shape to draw its boards and their candidates."""
    usual = shape if shape.has_boxes else Shape.of_size(shape.size)  # for the places of candidates
    drawn = {name: getattr(shape, name) for name in ("size", "layout", "borders", "marked", "symbols", "units")}
    return {"markRows": usual.box_rows, "markColumns": usual.box_cols, **drawn}


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


def scopes(run: Run) -> Iterator[dict[str, Any]]:
    """Yield what the reader can choose to see: all puzzles of a board size, or a collection."""
    rows = page_arrays(run).rows
    by_size = rows.assign(size=sizes(rows))
    common, _ = most_common(by_size)
    by_collection = by_size.groupby("collection", sort=False)["size"].unique()
    for size in sorted(set(by_size["size"]), key=lambda size: (size != common, size)):
        inside = [run.collections.index(name) for name, own in by_collection.items() if size in own]
        yield {"label": f"all {size}×{size}", "size": int(size), "collections": inside}
    for collection, own in by_collection.items():
        for size in sorted(own):
            label = f"{collection} {size}×{size}" if len(own) > 1 else str(collection)
            yield {"label": label, "size": int(size), "collections": [run.collections.index(collection)]}


def curves(table: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the curves of the run, each with its places, medians and bands."""
    known = table[table["strategy"].isin(names) & table["axis"].isin([axis.name for axis in AXES])]
    return [
        {"strategy": names.index(str(strategy)), "axis": axis, "size": _size(shape), "x": plain(rows["x"])}
        | {key: plain(rows[f"{key}_s"]) for key in ("median", "lo", "hi")}
        for (strategy, axis, shape), rows in known.groupby(["strategy", "axis", "shape"], sort=False)
    ]


def crossings(table: pd.DataFrame, medians: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return crossovers, each at its height on the curve of the strategy that is faster above it."""
    by_curve = dict(list(medians.groupby(["axis", "shape", "strategy"], sort=False)))
    measures = {axis.name: axis.words for axis in AXES}
    found = []
    for line in table.to_dict("records"):
        curve = by_curve.get((line["axis"], line["shape"], line["faster_above"]), medians.iloc[:0])
        [height] = plain([height_at(curve, line["crossover"])])
        ends = {"at": line["crossover"], "lo": line["lo"], "hi": line["hi"], "height": height}
        pair = {"below": names.index(line["faster_below"]), "above": names.index(line["faster_above"])}
        words = claim(line, measures[line["axis"]])
        found.append({"axis": line["axis"], "size": _size(line["shape"]), "words": words, **ends, **pair})
    return found


def column(rows: pd.DataFrame, name: str) -> pd.Series[Any]:
    """Return a column; all values are missing if the run does not have it."""
    return rows[name] if name in rows else pd.Series(np.nan, index=rows.index, dtype=object)


def _size(shape: object) -> int:
    """Return the rows of a board from the name of its shape; 0 if unknown."""
    return int(str(shape).partition("x")[0] or 0)
