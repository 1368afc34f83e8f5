"""Models of every layout, with clues and pencilmarks, read by other programs or by a few lines of this file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers.external.model_files import flatzinc, linear, minizinc, smt_lib
from tests.datasets.all_grids import FURTHER, grids, latin_squares
from tests.solvers.boards import cases


def boards(layout: str) -> Iterator[Puzzle]:
    for marks in (False, True):
        yield from (puzzle for puzzle, _ in cases(layout, marks))


def right_grids(layout: str, puzzle: Puzzle) -> set[tuple[int, ...]]:
    masks = puzzle.board.candidates
    return {grid for grid in grids(FURTHER[layout]) if all(m >> v - 1 & 1 for m, v in zip(masks, grid, strict=True))}


@pytest.mark.parametrize("layout", FURTHER)
def test_minizinc_and_flatzinc_state_all_units_and_candidates(layout: str) -> None:
    for puzzle in boards(layout):
        require_all_in_zinc(layout, puzzle)


def require_all_in_zinc(layout: str, puzzle: Puzzle) -> None:
    in_minizinc, in_flatzinc = "\n".join(minizinc(puzzle, [])), "\n".join(flatzinc(puzzle, []))
    fixed = [(int(cell), int(value)) for cell, value in re.findall(r"x\[(\d+)\] = (\d+);", in_minizinc)]
    barred = {(int(cell), int(value)) for cell, value in re.findall(r"x\[(\d+)\] != (\d+);", in_minizinc)}
    units = [re.findall(r"x\[(\d+)\]", unit) for unit in re.findall(r"alldifferent\((.*)\)", in_minizinc)]
    domains = [domain_of(text) for text in re.findall(r"var (\S*\d\.\.\d+|\{[^}]*\}): x", in_flatzinc)]
    unequal = [(int(a) - 1, int(b) - 1) for a, b in re.findall(r"int_ne\(x(\d+), x(\d+)\)", in_flatzinc)]
    units = [[int(cell) - 1 for cell in unit] for unit in units]

    def in_zinc(grid: tuple[int, ...]) -> bool:
        numbered = set(enumerate(grid, start=1))
        different = all(len({grid[cell] for cell in unit}) == len(unit) for unit in units)
        return different and numbered.issuperset(fixed) and numbered.isdisjoint(barred)

    def in_flat(grid: tuple[int, ...]) -> bool:
        allowed = all(value in domain for value, domain in zip(grid, domains, strict=True))
        return allowed and all(grid[a] != grid[b] for a, b in unequal)

    right = right_grids(layout, puzzle)
    assert set(filter(in_zinc, latin_squares())) == set(filter(in_flat, latin_squares())) == right, puzzle


def domain_of(text: str) -> set[int]:
    numbers = [*map(int, re.findall(r"\d+", text))]
    return set(numbers) if text.startswith("{") else {*range(numbers[0], numbers[1] + 1)}


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
