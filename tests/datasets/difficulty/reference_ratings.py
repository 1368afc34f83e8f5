"""Ratings of 400 puzzles of the data set by SukakuExplainer 1.18.1 with the techniques of Sudoku Explainer 1.2.1.

ER 1.2 to 9.4, about equally many of each half step. They are of the puzzles as stored: forms may be rated otherwise.
"""

from __future__ import annotations

import csv
from pathlib import Path

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.difficulty.explainer import Explained
from sudoku_bench.datasets.reading.reader import parse


def reference_ratings() -> list[tuple[Puzzle, Explained]]:
    with Path(__file__).with_name("explainer_own.csv").open(encoding="utf-8", newline="") as stream:
        return [
            (parse(row["puzzle"]), Explained(float(row["ER"]), float(row["EP"]), float(row["ED"])))
            for row in csv.DictReader(stream)
        ]
