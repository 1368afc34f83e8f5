"""All SAT strategies that can be composed: every encoding, at-most-one scheme, clue handling and engine."""

from __future__ import annotations

import fnmatch

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.sat import engines
from sudoku_bench.solvers.sat.encodings import CLUE_SUFFIXES, every_name
from sudoku_bench.solvers.sat.names import FAMILY
from sudoku_bench.solvers.sat.strategies import strategy_of


def matching(pattern: str) -> list[str]:
    """Return the names that a shell-style pattern matches, without what cannot be combined. Imports python-sat."""
    models = [f"{encoding}{clues}" for encoding in every_name() for clues in CLUE_SUFFIXES]
    names = [f"{FAMILY}:{model}@{engine}" for model in models for engine in engines.engines()]
    return [name for name in fnmatch.filter(names, pattern) if _can_be_made(name)]


def _can_be_made(name: str) -> bool:
    try:
        strategy_of(name)
    except InputError:
        return False
    return True
