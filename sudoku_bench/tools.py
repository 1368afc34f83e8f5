"""Puzzles solved, rated and encoded, and lists of what there is: the commands of these names as functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from sudoku_bench import given
from sudoku_bench.bench.commands import encode as encode_command
from sudoku_bench.bench.commands import listing
from sudoku_bench.bench.commands import rate as rate_command
from sudoku_bench.bench.commands import solve as solve_command
from sudoku_bench.bench.commands.cli import did_you_mean
from sudoku_bench.bench.commands.options import all_cores
from sudoku_bench.bench.plan import strategies as known
from sudoku_bench.bench.run.side_tables import IDENTITY
from sudoku_bench.bench.run.solve_list import ListSolver
from sudoku_bench.datasets.difficulty.rating import COLUMNS
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle, cells_text, in_parts
from sudoku_bench.datasets.reading.items import BadLine
from sudoku_bench.solvers.strategy import Strategy, Task


def solve(puzzle: Any, strategy: str | type[Strategy] | None, task: str, timeout_s: float) -> list[str]:
    board = _one(puzzle)
    patterns, files = given.strategies(strategy or solve_command.DEFAULT)
    chosen = known.select(patterns, files)
    if len(chosen) != 1:
        raise InputError(f"{patterns[0]} matches {len(chosen)} strategies; name one")
    if obstacle := solve_command.obstacle(chosen[0], Task.parse(task)):
        raise InputError(obstacle)
    with ListSolver(chosen[0], Task.parse(task), timeout_s) as solver:
        [(_, answers)] = solver.batches([solve_command.packed(board)])
    if answers.faults:
        raise InputError(f"{chosen[0].name}: {answers.faults[0]}")
    return [cells_text(board.shape, cells) for cells in in_parts(answers.grids, answers.counts[0])]


@given.in_own_words()
def rate(puzzles: Any) -> pd.DataFrame:
    rows = []
    for source in given.datasets(puzzles):
        for item, row in rate_command.rated(source, all_cores()):
            if isinstance(item, BadLine):
                raise InputError(f"{source}:{item.line}: {item.message}")
            rows.append(row)
    table = pd.DataFrame(rows, columns=[*IDENTITY, *COLUMNS])
    return table.assign(**{column: _numbers(table[column]) for column in COLUMNS})


def _numbers(texts: pd.Series[str]) -> pd.Series[Any]:
    """Return a measure as numbers, missing where it is not known; as text if one is a lower bound, such as ``>4.4``."""
    known = texts.where(texts != "")
    return known if texts.str.startswith(">").any() else pd.to_numeric(known)


def encode(puzzle: Any, encoding: str) -> str:
    return encode_command.encoded(_one(puzzle), encoding)


def listed(what: str, pattern: str) -> pd.DataFrame:
    if not (rows := listing.rows_of(what, pattern)):
        names = (next(iter(row.values())) for row in listing.rows_of(what))
        raise InputError(f"no {what} match {pattern}{did_you_mean(pattern, names)}")
    return pd.DataFrame(rows)


def _one(puzzle: Any) -> Puzzle:
    if isinstance(puzzle, str | Path):
        return solve_command.read_one(str(puzzle))  # also the name of a puzzle, or a file
    if given.is_table(puzzle) and puzzle.ndim == 2:
        raise InputError("sb.solve and sb.encode take one puzzle, not a data frame; give one, such as frame.puzzle[0]")
    if len(found := given.puzzles(puzzle)) != 1:
        raise InputError(f"{len(found)} puzzles are given; give one")
    return found[0]
