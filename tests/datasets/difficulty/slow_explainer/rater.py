"""The order of the techniques, and the ratings of a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tests.datasets.difficulty.slow_explainer.chains import chains
from tests.datasets.difficulty.slow_explainer.exclusion import aligned_pairs
from tests.datasets.difficulty.slow_explainer.graves import graves
from tests.datasets.difficulty.slow_explainer.grid import Grid
from tests.datasets.difficulty.slow_explainer.patterns import (
    fish,
    hidden,
    locked_candidates,
    naked,
    xy_wings,
    xyz_wings,
)
from tests.datasets.difficulty.slow_explainer.placements import (
    direct_hidden_pairs,
    direct_hidden_triplets,
    direct_locked,
    hidden_singles,
    naked_singles,
)
from tests.datasets.difficulty.slow_explainer.step import Step
from tests.datasets.difficulty.slow_explainer.unique_loops import unique_loops

LARGEST = 74  # the techniques here are complete up to this rating, in tenths

Technique = Callable[[Grid], Iterable[Step]]


def easiest(technique: Technique) -> Technique:
    """Return a technique that yields its easiest step first."""

    def steps(grid: Grid) -> Iterable[Step]:
        return sorted(technique(grid), key=lambda step: (step.rating, step.order))

    return steps


TECHNIQUES: tuple[Technique, ...] = (
    hidden_singles,
    direct_locked,
    direct_hidden_pairs,
    naked_singles,
    direct_hidden_triplets,
    locked_candidates,
    partial(naked, size=2, rating=30),
    partial(fish, size=2, rating=32),
    partial(hidden, size=2, rating=34),
    partial(naked, size=3, rating=36),
    partial(fish, size=3, rating=38),
    partial(hidden, size=3, rating=40),
    xy_wings,
    xyz_wings,
    easiest(unique_loops),
    partial(naked, size=4, rating=50),
    partial(fish, size=4, rating=52),
    partial(hidden, size=4, rating=54),
    easiest(graves),
    aligned_pairs,
)


@dataclass(frozen=True)
class Rated:
    """Ratings in tenths, None for one that is beyond 7.4."""

    er: int | None
    ep: int | None
    ed: int | None


def next_step(grid: Grid) -> Step | None:
    """The first step of the easiest technique that has one."""
    for technique in TECHNIQUES:
        for step in technique(grid):
            return step
    return chains(grid)


def steps_of(clues: Sequence[int]) -> Iterator[Step]:
    """Solve a puzzle, and yield its steps; stop before the first that is rated above 7.4."""
    grid = Grid(clues)
    while grid.open_cells():
        step = next_step(grid)
        if step is None or step.rating > LARGEST:
            return
        yield step
        if step.placed:
            grid.fill(*step.placed)
        grid.eliminate(step.eliminated)


def rate(clues: Sequence[int]) -> Rated:
    """Rate a puzzle that has one solution."""
    er = 0
    ep = ed = None
    placed = sum(clue > 0 for clue in clues)
    for step in steps_of(clues):
        er = max(er, step.rating)
        ed = ed or step.rating
        if step.placed:
            placed += 1
            ep = ep or er
    return Rated(er if placed == 81 else None, ep, ed)
