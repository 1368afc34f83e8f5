"""Mining: a walk depends on its seed and its steps only, and its best puzzle is minimal and hard."""

from __future__ import annotations

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.difficulty.rating import guesses
from sudoku_bench.datasets.making.generator import redundant
from sudoku_bench.datasets.making.mining import NINE, Walk, advance, begin
from sudoku_bench.datasets.search import solve


def run(walk: Walk, chunk: int = 100) -> Walk:
    while not walk.ended:
        walk = advance(walk, chunk)
    return walk


def test_a_walk_ends_the_same_however_it_is_cut() -> None:
    uncut, cut = run(begin("guesses", 3, steps=150, climb=200), 1000), begin("guesses", 3, steps=150, climb=200)
    chunk = 0
    while not cut.ended:
        chunk += 7
        cut = advance(cut, chunk)
    assert cut == uncut
    assert run(begin("guesses", 4, steps=150, climb=200)) != uncut


def test_the_best_puzzle_is_minimal_and_harder_than_the_start() -> None:
    start = begin("guesses", 1, steps=400, climb=800)
    end = run(start)
    puzzle = Puzzle(NINE, end.best_cells)
    assert solve(puzzle).solutions == (end.best_solution,)
    assert redundant(puzzle) == []
    before, after = (guesses(Puzzle(NINE, cells), 5, 100).mean for cells in (start.cells, end.best_cells))
    assert before is not None
    assert after is not None
    assert after > 3 * before
