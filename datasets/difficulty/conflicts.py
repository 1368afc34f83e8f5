"""Mean conflicts of a CDCL solver: the difficulty of a puzzle for that family.

A fresh solver gets the complete encoding of each form, as far as the clues leave it open (``open_rules``). Forms are
random isomorphs, because the stored presentation of a puzzle may be easy by chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

if TYPE_CHECKING:
    from sudoku_bench.datasets.difficulty.open_rules import OpenRules

ENGINE = "cadical195"
ENGINES = (ENGINE, "glucose4", "minisat22", "maplechrono")  # that a measure of difficulty may count the conflicts of


def conflicts(puzzle: Puzzle, seed: int, forms: int, engine: str = ENGINE) -> list[int]:
    """Return the conflicts of an engine of ``ENGINES`` on each of ``forms`` random isomorphs."""
    from sudoku_bench.datasets.difficulty.open_rules import states_of

    # What clues leave open is known of ordinary boards only; on others the solver gets all rules.
    rules, states = _open_rules(puzzle.shape), states_of(puzzle) if puzzle.shape.is_ordinary else None
    symmetries = (isomorph(seed, puzzle, number) for number in range(1, forms + 1))
    return [rules.conflicts(engine, states, symmetry, _clues(form(puzzle, symmetry))) for symmetry in symmetries]


def unused_engine(strategies: Iterable[str]) -> str:
    """Return the first of ``ENGINES`` that none of these strategies uses; the last one if they use them all.

    Conflicts of an engine say too much about the times of the same engine.
    """
    used = {name.rpartition("@")[2].partition("+")[0] for name in strategies}
    return next((engine for engine in ENGINES if engine not in used), ENGINES[-1])


@lru_cache(maxsize=4)
def _open_rules(shape: Shape) -> OpenRules:
    from sudoku_bench.datasets.difficulty.open_rules import OpenRules

    return OpenRules(rules(shape))


@lru_cache(maxsize=4)
def rules(shape: Shape) -> list[list[int]]:
    """Return the complete encoding with pairwise at-most-one.

    The mined puzzles depend on the order of the clauses, so this encoding is separate from ``solvers/sat/encodings``,
    whose order may change.
    """
    values = range(1, shape.size + 1)
    groups = [[variable(shape, cell, value) for value in values] for cell in range(shape.n_cells)]
    groups += [_places(shape, unit, value) for unit in shape.full_units for value in values]
    small = [_places(shape, unit, value) for unit in shape.small_units for value in values]
    clauses = [clause for group in groups for clause in (group, *([-a, -b] for a, b in combinations(group, 2)))]
    return clauses + [[-a, -b] for group in small for a, b in combinations(group, 2)]


def _places(shape: Shape, unit: Iterable[int], value: int) -> list[int]:
    return [variable(shape, cell, value) for cell in unit]


def _clues(puzzle: Puzzle) -> list[list[int]]:
    clues = [[variable(puzzle.shape, cell, value)] for cell, value in enumerate(puzzle.cells) if value]
    return clues + [[-variable(puzzle.shape, cell, value)] for cell, value in puzzle.forbidden]


def variable(shape: Shape, cell: int, value: int) -> int:
    """Return the variable that is true if a cell has a value."""
    return cell * shape.size + value
