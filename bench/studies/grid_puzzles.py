"""The puzzles of the grid of encodings and engines: 9×9 with several solutions, and large boards with a filling each.

Clues of a random full grid are removed in random order while a SAT solver proves that the solution stays unique, down
to the wanted number of clues. A proof that takes more conflicts than ``CONFLICTS`` counts as failed, so the clue stays.
The same versions of the packages make the same puzzles.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from bench.studies.grid import PUZZLES
from datasets.errors import InputError
from datasets.making.generator import PuzzleSpec, generate
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers import encode

NUMBER = 18  # puzzles of each file
SEVERAL, NUMBER_SEVERAL, SEED = "9x9-several", 20, "grid"
ENCODING, ENGINE = "augmented", "glucose4"  # accepts assumptions and a limit of conflicts
CONFLICTS = 2_000


FILLINGS = {  # shape and number of clues
    f"{shape.name}-{clues}": (shape, clues)
    for shape, clues in ((Shape(4, 4), 105), (Shape(4, 4), 125), (Shape(5, 5), 320), (Shape(6, 6), 700))
}
NAMES = (SEVERAL, *FILLINGS)


def write(*names: str) -> None:
    """Make the puzzles of the grid in results/encodings/puzzles (default: all files)."""
    if unknown := [name for name in names if name not in NAMES]:
        raise InputError(f"no file is called {unknown[0]}; choose from {', '.join(NAMES)}")
    PUZZLES.mkdir(parents=True, exist_ok=True)
    for name in names or NAMES:
        several = name == SEVERAL
        puzzles = generate(PuzzleSpec(solutions="several"), SEED) if several else boards(*FILLINGS[name])
        text = "".join(f"{puzzle.text}\n" for puzzle in islice(puzzles, NUMBER_SEVERAL if several else NUMBER))
        (PUZZLES / f"{name}.txt").write_text(text, encoding="ascii")
        print(name, flush=True)


def boards(shape: Shape, n_clues: int) -> Iterator[Puzzle]:
    """Yield boards with this number of clues; attempts whose clues that must stay are more than wanted are left out."""
    from pysat.solvers import Solver

    rules = encode(shape, ENCODING).clauses
    for attempt in count(1):
        with Solver(ENGINE, bootstrap_with=rules) as solver:
            rng = random.Random(f"sudoku-bench/grid/{shape.name}-{n_clues}/{attempt}")
            clues = dict(enumerate(full_grid(shape, rng, solver)))
            places = list(clues)
            rng.shuffle(places)
            for place in places:
                if len(clues) == n_clues:
                    break
                value = clues.pop(place)
                if not is_implied(place, value, clues, shape.size, solver):
                    clues[place] = value
            if len(clues) == n_clues:
                yield Puzzle(shape, [clues.get(place, 0) for place in range(shape.n_cells)])


def full_grid(shape: Shape, rng: random.Random, solver: Any) -> list[int]:
    """Complete a board whose boxes on the diagonal are random."""
    size, satisfied = shape.size, False
    while not satisfied:  # boxes of 4×4 boards may have no completion
        assumed = []
        for band in range(min(shape.box_cols, shape.box_rows)):
            values = rng.sample(range(1, size + 1), size)
            box = shape.boxes[band * shape.box_rows + band]
            assumed += [literal(cell, value, size) for cell, value in zip(box, values, strict=True)]
        rng.shuffle(assumed)
        satisfied = solver.solve(assumptions=assumed)
    model = set(solver.get_model()[: size**3])
    return [next(v for v in range(1, size + 1) if literal(c, v, size) in model) for c in range(shape.n_cells)]


def is_implied(place: int, value: int, clues: dict[int, int], size: int, solver: Any) -> bool:
    """Return whether the clues imply the value of a cell, as far as the limit of conflicts shows."""
    solver.conf_budget(CONFLICTS)
    assumed = [*(literal(cell, digit, size) for cell, digit in clues.items()), -literal(place, value, size)]
    return solver.solve_limited(assumptions=assumed) is False


def literal(cell: int, value: int, size: int) -> int:
    """Return the variable that says that a cell has a value, in encodings with a variable for each."""
    return cell * size + value
