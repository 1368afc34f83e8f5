"""Mean conflicts of a CDCL solver: the difficulty of a puzzle for that family, and an objective for mining.

A fresh solver gets the complete encoding of each form, as far as the clues leave it open (``open_rules``). Forms are
random isomorphs, because the stored presentation of a puzzle may be easy by chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from datasets.difficulty.estimate import Estimate, estimate
from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
from datasets.shape import Shape

if TYPE_CHECKING:
    from datasets.difficulty.open_rules import OpenRules

ENGINE = "cadical195"
ENGINES = (ENGINE, "glucose4", "minisat22", "maplechrono")  # that a measure of difficulty may count the conflicts of
FORMS = 16
FIRST_FORMS = 4  # forms that decide whether a puzzle is far below the bound
FAR_BELOW = 0.6  # share of the bound


def mean_conflicts(puzzle: Puzzle, seed: int, forms: int = FORMS) -> float:
    """Return the mean conflicts over ``forms`` random isomorphs."""
    return sum(_conflicts(puzzle, seed, range(1, forms + 1), ENGINE)) / forms


def conflicts(puzzle: Puzzle, seed: int, forms: int, engine: str = ENGINE) -> Estimate:
    """Return the mean conflicts of an engine of ``ENGINES`` over ``forms`` (at least 2) random isomorphs."""
    return estimate(_conflicts(puzzle, seed, range(1, forms + 1), engine))


def unused_engine(strategies: Iterable[str]) -> str:
    """Return the first of ``ENGINES`` that none of these strategies uses; the last one if they use them all.

    Conflicts of an engine say too much about the times of the same engine.
    """
    used = {name.rpartition("@")[2].partition("+")[0] for name in strategies}
    return next((engine for engine in ENGINES if engine not in used), ENGINES[-1])


def objective(puzzle: Puzzle, seed: int, bound: float) -> float:
    """Objective for mining: mean conflicts, or 0 if the first forms show that the bound is out of reach."""
    first = sum(_conflicts(puzzle, seed, range(1, FIRST_FORMS + 1), ENGINE))
    if first < FAR_BELOW * bound * FIRST_FORMS:
        return 0.0
    return mean_conflicts(puzzle, seed + 1)


def _conflicts(puzzle: Puzzle, seed: int, numbers: range, engine: str) -> list[int]:
    """Return the conflicts of each of these forms."""
    from datasets.difficulty.open_rules import states_of

    rules, states = _open_rules(puzzle.shape), states_of(puzzle)
    symmetries = (isomorph(seed, puzzle, number) for number in numbers)
    return [rules.conflicts(engine, states, symmetry, _clues(form(puzzle, symmetry))) for symmetry in symmetries]


@lru_cache(maxsize=4)
def _open_rules(shape: Shape) -> OpenRules:
    from datasets.difficulty.open_rules import OpenRules

    return OpenRules(_rules(shape))


@lru_cache(maxsize=4)
def _rules(shape: Shape) -> list[list[int]]:
    """Return the complete encoding with pairwise at-most-one.

    The mined puzzles depend on the order of the clauses, so this encoding is separate from ``solvers.sat.encodings``,
    whose order may change.
    """
    values = range(1, shape.size + 1)
    groups = [[_variable(shape, cell, value) for value in values] for cell in range(shape.n_cells)]
    groups += [[_variable(shape, cell, value) for cell in unit] for unit in shape.units for value in values]
    return [clause for group in groups for clause in (group, *([-a, -b] for a, b in combinations(group, 2)))]


def _clues(puzzle: Puzzle) -> list[list[int]]:
    return [[_variable(puzzle.shape, cell, value)] for cell, value in enumerate(puzzle.cells) if value]


def _variable(shape: Shape, cell: int, value: int) -> int:
    return cell * shape.size + value
