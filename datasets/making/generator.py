"""The generator for boards of every shape: full grids, and puzzles with one solution, several or none.

The result depends on the ``random.Random`` passed in alone, on every machine. Puzzles are made top-down: clues of a
random full grid are removed in random order as long as no other solution appears. A search that stops at
``max_guesses`` counts as another solution, so the clue stays. On large boards a puzzle is therefore *nearly* minimal,
but its solution is always unique.

The puzzles are not an unbiased sample: the full grids that they are made from are not uniformly distributed (the search
places singles on the way; ``full_grids`` draws better ones), and puzzles made top-down have fewer clues than minimal
puzzles on average (Berthier 2009, *Unbiased Statistics of a CSP*).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from sudoku_bench.datasets.difficulty.conflicts import rules, variable
from sudoku_bench.datasets.difficulty.rating import guesses
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.layouts import LATIN
from sudoku_bench.datasets.making.tiers import LEAST_CLIMBED, RATING_ORDERS, Tier, climbed
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape

MAX_GUESSES = 1000  # of one search that checks whether a clue is needed
ATTEMPTS = 300  # before a request is refused as infeasible
LARGEST_UNIFORM = 9  # rows; beyond this the weights of ``datasets/making/grids`` vary too much
MOST_SOLUTIONS = 100  # of a puzzle with several solutions
ENGINE = "glucose4"  # for pencilmarks
Cell = tuple[int, int]

SYMMETRIES: dict[str, Callable[[int, int, int], list[Cell]]] = {
    "none": lambda n, r, c: [],
    "rotational": lambda n, r, c: [(n - 1 - r, n - 1 - c)],
    "quarter-turn": lambda n, r, c: [(c, n - 1 - r), (n - 1 - r, n - 1 - c), (n - 1 - c, r)],
    "horizontal": lambda n, r, c: [(n - 1 - r, c)],
    "vertical": lambda n, r, c: [(r, n - 1 - c)],
    "diagonal": lambda n, r, c: [(c, r)],
    "antidiagonal": lambda n, r, c: [(n - 1 - c, n - 1 - r)],
}


@dataclass(frozen=True)
class PuzzleSpec:
    """The required properties of a puzzle.

    Attributes:
        clues: exact number of clues; None: as few as the generator reaches.
        minimal: no clue can be removed (with a symmetry: no group of clues that the symmetry maps to each other).
        tier: required range of mean guesses; None: any.
        symmetry: symmetry of the clue pattern, a name in ``SYMMETRIES``.
        solutions: ``one``, ``several`` or ``none``.
    """

    shape: Shape = Shape(3, 3)
    clues: int | None = None
    minimal: bool = False
    tier: Tier | None = None
    symmetry: str = "none"
    solutions: str = "one"


def generate(spec: PuzzleSpec, seed: str) -> Iterator[Puzzle]:
    """Yield puzzles without end. The ``k``-th depends only on the specification, the seed and k.

    Raises:
        InputError: ``ATTEMPTS`` attempts produced no such puzzle.
    """
    return (make_numbered(spec, seed, number) for number in count(1))


def make_numbered(spec: PuzzleSpec, seed: str, number: int) -> Puzzle:
    """Make the puzzle with this number, from 1, of those that ``generate`` yields."""
    return make(spec, random.Random(f"sudoku-bench/generate/{seed}/{spec.shape.name}/{number}"))


def full_grids(shape: Shape, seed: str) -> Iterator[Puzzle]:
    """Yield full grids without end: nearly uniform up to ``LARGEST_UNIFORM`` rows, otherwise as ``full_grid``."""
    rng = random.Random(f"sudoku-bench/grids/{seed}/{shape.name}")
    if shape.is_ordinary and shape.size <= LARGEST_UNIFORM:
        from sudoku_bench.datasets.making.grids import uniform_grids

        yield from uniform_grids(shape, rng)
    while True:
        yield full_grid(shape, rng)


def make(spec: PuzzleSpec, rng: random.Random) -> Puzzle:
    """Make one puzzle that meets a specification.

    Raises:
        InputError: ``ATTEMPTS`` attempts produced no such puzzle.
    """
    if spec.tier and spec.tier.low >= LEAST_CLIMBED and spec == PuzzleSpec(minimal=spec.minimal, tier=spec.tier):
        return climbed(spec.tier, f"generate/{spec.tier.name}", rng)
    numbers = []  # of clues of the puzzles that were made
    for _ in range(ATTEMPTS):
        grid = full_grid(spec.shape, rng)
        puzzle = _attempt(spec, grid, rng)
        if puzzle is not None and _meets(spec, puzzle, rng):
            return puzzle
        numbers += [puzzle.clues] if puzzle else []
    raise InputError(f"no such {spec.shape.name} puzzle in {ATTEMPTS} attempts: {_obstacle(spec, numbers)}")


def _obstacle(spec: PuzzleSpec, numbers: Sequence[int]) -> str:
    """Say why no attempt succeeded, and what to change, given the numbers of clues of the puzzles that were made."""
    if not numbers and spec.solutions == "several":
        return f"without one clue, each minimal puzzle had more than {MOST_SOLUTIONS} solutions; use a smaller board"
    if not numbers:
        return "each change of a clue left a solution, or none could be made; use another number of clues or seed"
    if spec.clues is not None and spec.clues not in numbers:
        kind = {
            "one": "puzzles",
            "several": f"puzzles with 2 to {MOST_SOLUTIONS} solutions, made by removing a clue of a minimal puzzle,",
            "none": "puzzles without a solution, made by changing a clue,",
        }[spec.solutions]
        symmetry = "" if spec.symmetry == "none" else ", or no symmetry"
        return f"{kind} had {min(numbers)} to {max(numbers)} clues, not {spec.clues}; use such a number{symmetry}"
    tier = spec.tier.name if spec.tier else ""
    return f"none was in the tier {tier}; use another tier, another number of clues, no symmetry, or another seed"


def _attempt(spec: PuzzleSpec, grid: Puzzle, rng: random.Random) -> Puzzle | None:
    """Make a puzzle from a full grid; it may miss the number of clues or the tier. None if it cannot be made."""
    if spec.solutions == "several":
        return several(strip(grid, rng, symmetry=spec.symmetry), rng)
    if spec.solutions == "none":
        return contradictory(strip(grid, rng, spec.clues or 0, spec.symmetry), grid.cells, rng)
    clues = 0 if spec.minimal else spec.clues or 0
    if spec.tier and spec.clues is None and not spec.minimal and spec.shape != Shape(3, 3):
        clues = rng.randrange(spec.shape.n_cells // 2)  # minimal puzzles may be too hard, puzzles with more clues not
    return strip(grid, rng, clues, spec.symmetry)


def _meets(spec: PuzzleSpec, puzzle: Puzzle, rng: random.Random) -> bool:
    """Return whether a puzzle has the required number of clues and belongs to the required tier."""
    if spec.clues is not None and puzzle.clues != spec.clues:
        return False
    if spec.tier is None:
        return True
    max_guesses = max(10_000, int(100 * spec.tier.high))
    for orders in (10, RATING_ORDERS):  # a few orders suffice to reject puzzles far outside the tier
        slack = 2 if orders == 10 else 1
        mean = guesses(puzzle, rng.getrandbits(63), orders, max_guesses).mean
        if mean is None or not spec.tier.low / slack <= mean <= spec.tier.high * slack:
            return False
    return True


def full_grid(shape: Shape, rng: random.Random) -> Puzzle:
    """Make a random full grid by a search, quickly; only Latin squares are uniformly distributed.

    Raises:
        InputError: the layout has no full grid.
    """
    if shape.layout == LATIN:
        from sudoku_bench.datasets.making.grids import latin_square

        return latin_square(shape.size, rng)
    empty = Puzzle(shape, (0,) * shape.n_cells)
    while True:
        result = solve(empty, limit=1, seed=rng.getrandbits(63), max_guesses=20 * shape.n_cells)
        if result.solutions:
            return Puzzle(shape, result.solutions[0])
        if result.complete:
            raise InputError(f"no grid of a {shape.name} board obeys the layout {shape.layout}")


def strip(
    grid: Puzzle, rng: random.Random, clues: int = 0, symmetry: str = "none", max_guesses: int = MAX_GUESSES
) -> Puzzle:
    """Remove clues of a full grid in random order while the solution stays unique; keep at least ``clues`` clues.

    With a symmetry, cells that it maps to each other are removed together or not at all.
    """
    cells = list(grid.cells)
    left = len(cells)
    groups = list(_groups(grid.shape.size, symmetry))
    rng.shuffle(groups)
    for group in groups:
        if left - len(group) < clues:
            continue
        for cell in group:
            cells[cell] = 0
        if any(is_needed(Puzzle(grid.shape, tuple(cells)), grid.cells, cell, max_guesses) for cell in group):
            for cell in group:
                cells[cell] = grid.cells[cell]
        else:
            left -= len(group)
    return Puzzle(grid.shape, tuple(cells))


def is_needed(puzzle: Puzzle, solution: Sequence[int], cell: int, max_guesses: int = MAX_GUESSES) -> bool:
    """Return whether an empty cell can have a value other than in the solution, or a search for one gave up."""
    size = puzzle.shape.size
    peer_values = {puzzle.cells[peer] for peer in puzzle.shape.peers[cell]}
    for value in range(1, size + 1):
        if value == solution[cell] or value in peer_values:
            continue
        other = Puzzle(puzzle.shape, (*puzzle.cells[:cell], value, *puzzle.cells[cell + 1 :]))
        result = solve(other, limit=1, max_guesses=max_guesses)
        if result.solutions or not result.complete:
            return True
    return False


def redundant(puzzle: Puzzle, max_guesses: int = MAX_GUESSES) -> list[int]:
    """Return the single clues (cell numbers) of a puzzle with one solution that could be removed.

    On large boards, a clue counts as needed if the search for another solution gives up. 9×9 boards use a kernel that
    never gives up.
    """
    if puzzle.shape == Shape(3, 3):
        import numpy as np

        from sudoku_bench.datasets.making.validity import validate

        board = np.frombuffer(puzzle.cell_bytes, dtype=np.uint8).reshape(1, -1)
        return [int(cell) for cell in np.flatnonzero(validate(board, 1 << 62).redundant[0])]
    solution = solve(puzzle, limit=1).solutions[0]
    clues = [cell for cell, value in enumerate(puzzle.cells) if value]
    return [cell for cell in clues if not is_needed(_without(puzzle, cell), solution, cell, max_guesses)]


def _without(puzzle: Puzzle, cell: int) -> Puzzle:
    return Puzzle(puzzle.shape, (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]))


@lru_cache(maxsize=16)
def _groups(size: int, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Group the cells that the symmetry maps to each other."""
    groups = {}
    for cell in range(size * size):
        images = {cell, *(r * size + c for r, c in SYMMETRIES[symmetry](size, *divmod(cell, size)))}
        groups[min(images)] = tuple(sorted(images))
    return tuple(groups.values())


def several(puzzle: Puzzle, rng: random.Random) -> Puzzle | None:
    """Remove a clue of a minimal puzzle, which leaves 2 to ``MOST_SOLUTIONS`` solutions.

    Return None if there are more solutions, or if the search for them gives up.
    """
    clue = rng.choice([cell for cell, value in enumerate(puzzle.cells) if value])
    without = _without(puzzle, clue)
    result = solve(without, limit=MOST_SOLUTIONS + 1, max_guesses=100 * MAX_GUESSES)
    return without if result.complete and 2 <= len(result.solutions) <= MOST_SOLUTIONS else None


def contradictory(puzzle: Puzzle, solution: Sequence[int], rng: random.Random) -> Puzzle | None:
    """Change a clue of a puzzle so that there is no solution although no digit occurs twice in a unit.

    Return None if the change leaves a solution, or if the search gives up.
    """
    cell = rng.choice([cell for cell, value in enumerate(puzzle.cells) if value])
    peer_values = {puzzle.cells[peer] for peer in puzzle.shape.peers[cell]}
    values = [v for v in range(1, puzzle.shape.size + 1) if v != solution[cell] and v not in peer_values]
    if not values:
        return None
    changed = Puzzle(puzzle.shape, (*puzzle.cells[:cell], rng.choice(values), *puzzle.cells[cell + 1 :]))
    result = solve(changed, limit=1, max_guesses=100 * MAX_GUESSES)
    return changed if result.complete and not result.solutions else None


def minimal_pencilmarks(shape: Shape, rng: random.Random, surplus: int = 0) -> Puzzle:
    """Return a random puzzle of pencilmarks of which none can be allowed again; forbid ``surplus`` further ones.

    All candidates outside the solution are forbidden at first, and allowed one by one in random order while a SAT
    solver refutes every other solution; those that a refutation does not use are allowed with it, which saves most of
    the time and leaves fewer. Its answers and cores decide, not its speed, so the result is the same on every machine.
    """
    from pysat.solvers import Solver

    solution = full_grid(shape, rng).cells
    others = [(cell, v) for cell, right in enumerate(solution) for v in range(1, shape.size + 1) if v != right]
    rng.shuffle(others)
    untried, forbidden = {-variable(shape, *other): other for other in others}, set[tuple[int, int]]()
    with Solver(name=ENGINE, bootstrap_with=rules(shape)) as solver:
        solver.add_clause([-variable(shape, cell, value) for cell, value in enumerate(solution)])
        while untried:
            literal, candidate = untried.popitem()
            if solver.solve(list(untried)):
                forbidden.add(candidate)
                solver.add_clause([literal])
            else:
                used = set(solver.get_core() or ())
                untried = {literal: other for literal, other in untried.items() if literal in used}
    if surplus:
        forbidden |= set(rng.sample([other for other in others if other not in forbidden], surplus))
    masks = [(1 << shape.size) - 1] * shape.n_cells
    for cell, value in forbidden:
        masks[cell] &= ~(1 << value - 1)
    return Puzzle.of_candidates(shape, masks)
