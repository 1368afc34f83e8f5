"""One step of a solution."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.datasets.difficulty.slow_explainer.grid import Candidates


@dataclass(frozen=True)
class Step:
    """What a technique places or eliminates.

    Attributes:
        rating: in tenths.
        placed: a cell and its digit.
        order: ranks the steps of one technique that have the same rating.
    """

    rating: int
    technique: str
    placed: tuple[int, int] | None = None
    eliminated: Candidates = field(default_factory=dict)
    order: tuple[int, ...] = ()
