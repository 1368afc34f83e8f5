"""Independent ratings on the scale of Sudoku Explainer 1.2.1, exact up to 7.4: slow, and from its definition."""

from __future__ import annotations

from tests.datasets.difficulty.slow_explainer.rater import Rated, rate

__all__ = ["Rated", "rate"]
