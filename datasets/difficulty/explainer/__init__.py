"""The explainer scale (see ``scale``)."""

from sudoku_bench.datasets.difficulty.explainer.scale import BEYOND, Explained, explain

__all__ = ["BEYOND", "Explained", "explain"]
