"""Rate rows of the data set again by other means: ``python -m tests.datasets.making.dataset.rerate SAMPLE.csv``.

Nothing here calls the code that rates puzzles. Solutions come from MiniSat, which also proves that there is no second
one; conflicts from fresh copies of CaDiCaL on isomorphs drawn here; everything else from sets in plain Python. Measures
with a standard error are compared by z, their difference in units of its standard error: 95% of z should be within 2.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, stdev

from pysat.solvers import Solver

from datasets import Puzzle
from datasets.reading.reader import parse
from solvers import encode
from tests.datasets.difficulty.slow_logic import Logic, State, backdoor_size, trial_and_error, unsolved_cells
from tests.datasets.difficulty.test_lookahead import SlowSearch

EXACT = ("solution", "clues", "unsolved_singles", "unsolved_locked", "te_rounds", "te_depth", "backdoor")
MEANS = ("guesses", "conflicts", "lookahead")
ORDERS, FORMS = 30, 12  # of the means
LARGEST = 9  # board that everything is counted on; others have solutions, clues, unsolved cells and conflicts
SLOW_SHARE = 10  # backdoors and look-aheads take long, so one row in so many has them
MOST_GUESSES = 200  # of rows whose guesses are counted again
MOST_LOOK_AHEADS = 400  # of rows whose look-aheads are counted again
LARGEST_BACKDOOR = 2  # of rows whose sets are all tried again

Row = dict[str, str]


def is_only_solution(puzzle: Puzzle, solution: Iterable[int]) -> bool:
    wanted = [cell * puzzle.shape.size + value for cell, value in enumerate(solution)]
    with Solver("minisat22", bootstrap_with=encode(puzzle).clauses) as solver:
        if not solver.solve() or not set(wanted) <= set(solver.get_model()):
            return False
        solver.add_clause([-literal for literal in wanted])
        return not solver.solve()


def shuffled(puzzle: Puzzle, rng: random.Random) -> Puzzle:
    """A random isomorph: bands, stacks, lines within them and digits in another order, or transposed."""
    shape, size = puzzle.shape, puzzle.shape.size

    def lines(box: int) -> list[int]:
        groups = rng.sample(range(size // box), size // box)
        return [group * box + line for group in groups for line in rng.sample(range(box), box)]

    rows, columns = lines(shape.box_rows), lines(shape.box_cols)
    digits = [0, *rng.sample(range(1, size + 1), size)]
    grid = [[digits[puzzle.cells[row * size + column]] for column in columns] for row in rows]
    if shape.box_rows == shape.box_cols and rng.random() < 0.5:
        grid = [list(line) for line in zip(*grid, strict=True)]
    return Puzzle(shape, tuple(value for line in grid for value in line))


def conflicts(puzzle: Puzzle) -> int:
    with Solver("cadical195", bootstrap_with=encode(puzzle).clauses) as solver:
        solver.solve()
        return int(solver.accum_stats()["conflicts"])


def guesses(puzzle: Puzzle, rng: random.Random) -> int:
    """Values tried at cells with the fewest candidates until the first solution, singles placed after each."""
    logic, tried = Logic(puzzle), 0

    def search(state: State) -> bool:
        nonlocal tried
        state = logic.settle(state)
        if logic.contradicts(state):
            return False
        cells = logic.open_cells(state)
        if not cells:
            return True
        fewest = min(len(state[cell]) for cell in cells)
        cell = rng.choice([cell for cell in cells if len(state[cell]) == fewest])
        for digit in rng.sample(sorted(state[cell]), fewest):
            tried += 1
            if search([{digit} if c == cell else set(left) for c, left in enumerate(state)]):
                return True
        return False

    assert search(logic.start())
    return tried


def look_aheads(puzzle: Puzzle) -> int:
    search = SlowSearch(puzzle)
    assert search.search(search.settle(search.start()))
    return search.tries


def z_of(row: Row, name: str, counts: list[int]) -> float:
    """The difference of two means in units of its standard error; 0 if both are equal and without error."""
    theirs, error = float(row[name]), float(row[f"{name}_se"])
    difference, both = fmean(counts) - theirs, math.hypot(error, stdev(counts) / math.sqrt(len(counts)))
    return difference / both if both else 0.0 if not difference else math.inf


def compared(row: Row, slow: bool) -> Iterator[tuple[str, float]]:
    """Yield the name of each measure with 0 or 1 (is it equal?), or with z."""
    puzzle, solution, rng = parse(row["puzzle"]), parse(row["solution"]).cells, random.Random(row["id"])
    yield "solution", is_only_solution(puzzle, solution)
    yield "clues", row["clues"] == str(sum(map(bool, puzzle.cells)))
    singles, locked = unsolved_cells(puzzle)
    yield "unsolved_singles", row["unsolved_singles"] == str(singles)
    yield "unsolved_locked", row["unsolved_locked"] == str(locked)
    if row["conflicts"]:
        yield (
            "conflicts",
            z_of(row, "conflicts", [conflicts(shuffled(puzzle, rng)) for _ in range(FORMS)]),
        )
    if puzzle.shape.size > LARGEST:
        return
    rounds, depth = trial_and_error(puzzle)
    yield "te_rounds", row["te_rounds"] == str(rounds)
    yield "te_depth", row["te_depth"] == str(depth)
    if row["guesses"] and float(row["guesses"]) <= MOST_GUESSES:
        yield "guesses", z_of(row, "guesses", [guesses(puzzle, rng) for _ in range(ORDERS)])
    if slow and row["lookahead"] and float(row["lookahead"]) <= MOST_LOOK_AHEADS:
        yield (
            "lookahead",
            z_of(row, "lookahead", [look_aheads(shuffled(puzzle, rng)) for _ in range(FORMS)]),
        )
    if slow:
        found = backdoor_size(puzzle, solution, LARGEST_BACKDOOR)
        small = row["backdoor"].isdigit() and int(row["backdoor"]) <= LARGEST_BACKDOOR
        yield "backdoor", (int(row["backdoor"]) if small else None) == found


def all_compared(row: Row, slow: bool) -> list[tuple[str, float]]:
    return list(compared(row, slow))


def table(found: list[tuple[str, float]]) -> str:
    """The numbers of equal values, and of z within 2, as Markdown."""
    values: dict[str, list[float]] = {name: [v for n, v in found if n == name] for name in (*EXACT, *MEANS)}
    lines = ["| measure | rows | equal, or within 2 standard errors | mean z |", "| --- | --- | --- | --- |"]
    for name in EXACT:
        lines.append(f"| `{name}` | {len(values[name])} | {sum(values[name]):.0f} | |")
    for name in (name for name in MEANS if values[name]):
        within, mean = sum(abs(z) <= 2 for z in values[name]), fmean(values[name])
        lines.append(f"| `{name}` | {len(values[name])} | {within} ({within / len(values[name]):.1%}) | {mean:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Rate rows of the data set again by other means.")
    parser.add_argument("table", metavar="SAMPLE.csv", type=Path)
    parser.add_argument("--number", type=int, default=1000, help="rows, chosen at random (default 1000)")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with options.table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows = random.Random("rerate").sample(rows, min(options.number, len(rows)))
    slow = [number % SLOW_SHARE == 0 for number in range(len(rows))]
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        found = []
        for number, values in enumerate(pool.map(all_compared, rows, slow), 1):
            found += values
            sys.stderr.write(f"\r{number} of {len(rows)} rows")
    sys.stdout.write(f"\n{table(found)}")


if __name__ == "__main__":
    main()
