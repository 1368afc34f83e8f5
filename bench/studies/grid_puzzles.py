"""Puzzles for the grid: ``python -m bench.studies.grid_puzzles [NAME]...`` makes ``results/encodings/puzzles/``.

``SEVERAL`` are 9×9 puzzles of the generator with several solutions; the others are large boards with a filling each.

Clues of a random full grid are removed in random order while a SAT solver proves that the solution stays unique, down
to the wanted number of clues. A proof that takes more conflicts than ``CONFLICTS`` counts as failed, so the clue stays.
The same versions of the packages make the same puzzles.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from bench.studies.grid_blocks import PUZZLES
from datasets.errors import InputError
from datasets.making.generator import PuzzleSpec, generate
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers import encode

NUMBER = 18  # puzzles of each file
SEVERAL, NUMBER_SEVERAL, SEED = "9x9-several", 20, "grid"
ENCODING, ENGINE = "augmented", "glucose4"  # accepts assumptions and a limit of conflicts
CONFLICTS = 2_000


@dataclass(frozen=True)
class Filling:
    """Boards of one shape with a number of clues."""

    shape: Shape
    clues: int

    @property
    def name(self) -> str:
        return f"{self.shape.name}-{self.clues}"


FILLINGS = {
    filling.name: filling
    for filling in (
        *(Filling(Shape(4, 4), clues) for clues in (105, 125)),
        Filling(Shape(5, 5), 320),
        Filling(Shape(6, 6), 700),
    )
}
NAMES = (SEVERAL, *FILLINGS)


def made(filling: Filling, number: int, solver: Any) -> Puzzle | None:
    """Make the puzzle with this number; None if clues that must stay are more than wanted."""
    rng = random.Random(f"sudoku-bench/grid/{filling.name}/{number}")
    cells = full_grid(filling.shape, rng, solver)
    places = list(range(len(cells)))
    rng.shuffle(places)
    clues = dict(enumerate(cells))
    for place in places:
        if len(clues) == filling.clues:
            break
        value = clues.pop(place)
        if not is_implied(place, value, clues, filling.shape.size, solver):
            clues[place] = value
    return (
        Puzzle(filling.shape, [clues.get(place, 0) for place in range(len(cells))])
        if len(clues) == filling.clues
        else None
    )


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
    """The variable that says that a cell has a value, in encodings with a variable for each."""
    return cell * size + value


def puzzles(name: str) -> list[Puzzle]:
    """Make the puzzles of a file."""
    if name == SEVERAL:
        return list(islice(generate(PuzzleSpec(solutions="several"), SEED), NUMBER_SEVERAL))
    return boards(FILLINGS[name], NUMBER)


def boards(filling: Filling, number: int) -> list[Puzzle]:
    """Make the first boards of a filling."""
    from pysat.solvers import Solver

    rules = encode(filling.shape, ENCODING).clauses
    found: list[Puzzle] = []
    for attempt in count(1):
        if len(found) == number:
            break
        with Solver(ENGINE, bootstrap_with=rules) as solver:
            puzzle = made(filling, attempt, solver)
        found += [puzzle] if puzzle else []
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.studies.grid_puzzles", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all of {', '.join(NAMES)}")
    options = parser.parse_args(arguments)
    PUZZLES.mkdir(parents=True, exist_ok=True)
    try:
        for name in options.names or NAMES:
            if name not in NAMES:
                raise InputError(f"no file is called {name}; choose from {', '.join(NAMES)}")
            text = "".join(f"{puzzle.text}\n" for puzzle in puzzles(name))
            (PUZZLES / f"{name}.txt").write_text(text, encoding="ascii")
            print(name, flush=True)
    except (InputError, OSError) as error:
        print(f"grid_puzzles: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
