"""Models of every layout, with clues and pencilmarks, read by other programs or by a few lines of this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers.external.model_files import linear, smt_lib
from tests.datasets.all_grids import FURTHER, grids
from tests.solvers.boards import cases


def boards(layout: str) -> Iterator[Puzzle]:
    for marks in (False, True):
        yield from (puzzle for puzzle, _ in cases(layout, marks))


def right_grids(layout: str, puzzle: Puzzle) -> set[tuple[int, ...]]:
    masks = puzzle.board.candidates
    return {grid for grid in grids(FURTHER[layout]) if all(m >> v - 1 & 1 for m, v in zip(masks, grid, strict=True))}


@pytest.mark.parametrize("layout", FURTHER)
def test_smt_lib_and_lp_files_have_a_solution_exactly_if_the_puzzle_has(layout: str, tmp_path: Path) -> None:
    for puzzle in boards(layout):
        require_solution(layout, puzzle, tmp_path)


def require_solution(layout: str, puzzle: Puzzle, tmp_path: Path) -> None:
    z3, scip = pytest.importorskip("z3"), pytest.importorskip("pyscipopt")
    right = right_grids(layout, puzzle)
    solver, model = z3.Solver(), scip.Model()
    solver.from_string("\n".join(smt_lib(puzzle, [])).partition("(check-sat)")[0])
    assert (solver.check() == z3.sat) == bool(right), puzzle
    (tmp_path / "puzzle.lp").write_text("\n".join(linear(puzzle, [])))
    model.hideOutput()
    model.readProblem(str(tmp_path / "puzzle.lp"))
    model.optimize()
    assert (model.getStatus() == "optimal") == bool(right), puzzle
    if right:
        assert tuple(solver.model()[z3.BitVec(f"x{cell}", 2)].as_long() + 1 for cell in range(16)) in right
        true = sorted(int(x.name[1:]) - 1 for x in model.getVars() if model.getVal(x) > 0.5)
        assert tuple(number % 4 + 1 for number in true) in right
