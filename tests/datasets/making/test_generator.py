"""The generator: puzzles of every specification, the same every time."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import InputError, Puzzle, Shape
from sudoku_bench.datasets.difficulty.rating import guesses
from sudoku_bench.datasets.making import generator
from sudoku_bench.datasets.making.generator import (
    SYMMETRIES,
    PuzzleSpec,
    full_grid,
    full_grids,
    generate,
    make,
    minimal_pencilmarks,
    redundant,
    strip,
)
from sudoku_bench.datasets.making.tiers import TIERS
from sudoku_bench.datasets.search import solve
from tests.datasets.all_grids import FURTHER
from tests.datasets.rules import SHAPES, all_solutions, board, is_solution, seeds, small_shapes, units

PLAYED = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4), Shape(3, 3), Shape(2, 5), Shape(3, 4), Shape(4, 4)]


def is_minimal(puzzle: Puzzle) -> bool:
    """Whether the puzzle has one solution, and several without any single clue."""
    numbers = [len(solve(puzzle, limit=2).solutions)]
    for cell, value in enumerate(puzzle.cells):
        if value:
            without = (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :])
            numbers.append(len(solve(Puzzle(puzzle.shape, without), limit=2).solutions))
    return numbers == [1] + [2] * puzzle.clues


@given(st.sampled_from(SHAPES), seeds)
def test_a_full_grid_obeys_the_rules(shape: Shape, seed: int) -> None:
    grid = full_grid(shape, random.Random(seed))
    assert is_solution(grid, grid.cells)


@given(small_shapes, seeds)
def test_a_stripped_grid_is_minimal_and_has_that_grid_as_its_solution(shape: Shape, seed: int) -> None:
    rng = random.Random(seed)
    grid = full_grid(shape, rng)
    puzzle = strip(grid, rng)
    assert is_minimal(puzzle)
    assert list(all_solutions(puzzle)) == [grid.cells]


@settings(max_examples=20)
@given(seeds)
def test_a_clue_is_redundant_if_the_solution_stays_unique_without_it(seed: int) -> None:
    rng = random.Random(seed)
    for shape in (Shape(2, 3), Shape(3, 3)):
        puzzle = strip(full_grid(shape, rng), rng, clues=shape.n_cells // 2)
        redundant_cells = [
            cell
            for cell, value in enumerate(puzzle.cells)
            if value and len(solve(Puzzle(shape, (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]))).solutions) == 1
        ]
        assert redundant(puzzle) == redundant_cells
        assert redundant_cells


@pytest.mark.parametrize("shape", [*PLAYED, Shape(5, 5)], ids=lambda shape: shape.name)
def test_puzzles_of_every_shape_have_one_solution(shape: Shape) -> None:
    puzzle = make(PuzzleSpec(shape, clues=300 if shape.size == 25 else None), random.Random(1))
    result = solve(puzzle, limit=2)
    assert result.complete
    assert len(result.solutions) == 1
    assert puzzle.clues < shape.n_cells / 1.9


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("size", [4, 6, 9])
def test_a_pattern_has_the_specified_symmetry(symmetry: str, size: int) -> None:
    turned = {
        "none": lambda r, c: (r, c),
        "rotational": lambda r, c: (size - 1 - r, size - 1 - c),
        "quarter-turn": lambda r, c: (c, size - 1 - r),
        "horizontal": lambda r, c: (size - 1 - r, c),
        "vertical": lambda r, c: (r, size - 1 - c),
        "diagonal": lambda r, c: (c, r),
        "antidiagonal": lambda r, c: (size - 1 - c, size - 1 - r),
    }[symmetry]
    puzzle = make(PuzzleSpec(Shape.of_size(size), symmetry=symmetry), random.Random(2))
    pattern = {divmod(cell, size) for cell, value in enumerate(puzzle.cells) if value}
    assert {turned(r, c) for r, c in pattern} == pattern
    assert len(solve(puzzle).solutions) == 1
    assert 0 < len(pattern) < size * size


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])  # random puzzles are almost never as hard as experts
def test_a_puzzle_of_a_tier_is_minimal_and_as_hard(name: str) -> None:
    tier, puzzle = TIERS[name], make(PuzzleSpec(tier=TIERS[name]), random.Random(3))
    rated = guesses(puzzle, seed=9, orders=200)
    assert rated.mean is not None
    assert rated.standard_error is not None
    assert tier.low - 4 * rated.standard_error <= rated.mean <= tier.high + 4 * rated.standard_error
    assert is_minimal(puzzle)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(4, 4)], ids=lambda shape: shape.name)
def test_several_solutions_or_none(shape: Shape) -> None:
    several = make(PuzzleSpec(shape, solutions="several"), random.Random(1))
    assert 2 <= len(solve(several, limit=101).solutions) <= 100
    none = make(PuzzleSpec(shape, solutions="none"), random.Random(1))
    assert solve(none, limit=1).solutions == ()
    assert solve(none, limit=1).complete
    for unit in units(shape):
        digits = [none.cells[cell] for cell in unit if none.cells[cell]]
        assert len(set(digits)) == len(digits)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (PuzzleSpec(Shape(2, 2), clues=3), r"puzzles had [45] to \d clues, not 3; use such a number$"),
        (PuzzleSpec(Shape(2, 2), clues=9, solutions="several"), r"by removing a clue .* had 3 to \d clues, not 9"),
        (PuzzleSpec(Shape(2, 2), tier=TIERS["expert"]), "none was in the tier expert; use another tier"),
    ],
    ids=["one", "several", "tier"],
)
def test_the_refusal_of_a_specification_gives_the_reason(
    spec: PuzzleSpec, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "ATTEMPTS", 20)
    with pytest.raises(InputError, match=reason):
        make(spec, random.Random(1))


def test_puzzles_depend_on_specification_seed_and_number_only() -> None:
    first = list(islice(generate(PuzzleSpec(), "1"), 3))
    random.seed(7)
    assert list(islice(generate(PuzzleSpec(), "1"), 3)) == first
    assert len({*first, *islice(generate(PuzzleSpec(), "2"), 3)}) == 6
    grids = list(islice(full_grids(Shape(2, 3), "1"), 4))
    assert len(set(grids)) == 4


def test_puzzles_are_the_same_on_every_machine() -> None:
    assert next(generate(PuzzleSpec(Shape(2, 3)), "3")) == board("........6..24...5..1....5.3...6....4")


@pytest.mark.parametrize("layout", FURTHER)
def test_pencilmarks_have_one_solution_and_each_is_needed(layout: str) -> None:
    puzzle = minimal_pencilmarks(Shape.of_size(4, layout), random.Random(3))
    assert len(solve(puzzle).solutions) == 1
    masks = puzzle.board.candidates
    for cell, mask in enumerate(masks):
        for value in range(4):
            if not mask >> value & 1:
                more = (*masks[:cell], mask | 1 << value, *masks[cell + 1 :])
                assert len(solve(Puzzle.of_candidates(puzzle.shape, more)).solutions) == 2
