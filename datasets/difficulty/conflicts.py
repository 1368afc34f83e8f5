"""Mean conflicts of a CDCL solver: the difficulty of a puzzle for that family, and an objective for mining.

A fresh solver gets the complete encoding of each form. Forms are random isomorphs, because the stored presentation of a
puzzle may be easy by chance. CaDiCaL gets only the rules that the clues leave open, where this makes no difference
(``open_rules``). Each thread keeps the process of its last engine and board for other counts (``solver_copies``).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from datasets.difficulty.estimate import Estimate, estimate
from datasets.difficulty.solver_copies import SolverCopies
from datasets.isomorphs import Isomorph, form, isomorph
from datasets.puzzle import Puzzle
from datasets.shape import Shape

if TYPE_CHECKING:
    from datasets.difficulty.open_rules import OpenRules

ENGINE = "cadical195"
ENGINES = (ENGINE, "glucose4", "minisat22", "maplechrono")  # that a measure of difficulty may count the conflicts of
FORMS = 16
FIRST_FORMS = 4  # forms that decide whether a puzzle is far below the bound
FAR_BELOW = 0.6  # share of the bound

Clues = list[list[int]]  # clauses with one literal each

_of_thread = threading.local()


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
    symmetries = [isomorph(seed, puzzle, number) for number in numbers]
    clues = [_clues(form(puzzle, symmetry)) for symmetry in symmetries]
    counts = _with_open_rules(puzzle, symmetries, clues) if engine == ENGINE else [None] * len(clues)
    missing = [units for units, count in zip(clues, counts, strict=True) if count is None]
    others = iter(_with_all_rules(engine, puzzle.shape, missing) if missing else ())
    return [next(others) if count is None else count for count in counts]


def _with_open_rules(puzzle: Puzzle, symmetries: list[Isomorph], clues: list[Clues]) -> list[int | None]:
    """Return the conflicts of each form, None for those that need all rules."""
    from datasets.difficulty.open_rules import states_of, states_of_form

    states, rules = states_of(puzzle), _open_rules(puzzle.shape)
    if states is None:
        return [None] * len(clues)
    return [
        rules.conflicts(states_of_form(states, symmetry), units)
        for symmetry, units in zip(symmetries, clues, strict=True)
    ]


def _with_all_rules(engine: str, shape: Shape, clues: list[Clues]) -> list[int]:
    """Return the conflicts of copies of a solver that has loaded all rules."""
    solves = (os.getpid(), engine, shape)
    kept, copies = vars(_of_thread).pop("kept", (None, None))
    if kept != solves:
        copies = SolverCopies(engine, _rules(shape))
    counts: list[int] = copies.conflicts(clues)
    _of_thread.kept = (solves, copies)  # unless it was interrupted
    return counts


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


def _clues(puzzle: Puzzle) -> Clues:
    return [[_variable(puzzle.shape, cell, value)] for cell, value in enumerate(puzzle.cells) if value]


def _variable(shape: Shape, cell: int, value: int) -> int:
    return cell * shape.size + value
