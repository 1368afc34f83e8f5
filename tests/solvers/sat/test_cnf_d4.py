"""Solutions read from the graph of all models that d4 makes, and how many models there are."""

from __future__ import annotations

import random
import subprocess
import sys
from importlib.util import find_spec
from itertools import product

import pytest

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers.sat import cnf_d4

needs_d4 = pytest.mark.skipif(find_spec("py_d4") is None, reason="d4solver is not installed")

# x1 or x2, where x3 does not matter, as d4 writes it
EITHER = "o 1 0\na 2 0\no 3 0\nt 4 0\n3 4 1 0\n3 4 -1 2 0\n2 3 0\n1 2 0\n"
# branches that differ in x3 only, and a part of x4 alone
REPEATED = "o 1 0\na 2 0\no 3 0\nt 4 0\n3 4 3 1 0\n3 4 -3 1 0\no 5 0\n5 4 4 0\n5 4 -4 0\n2 3 0\n2 5 0\n1 2 -2 0\n"


def test_a_variable_that_does_not_matter_has_both_values() -> None:
    grids = [(1, 2, 3), (1, 2, -3), (1, -2, 3), (1, -2, -3), (-1, 2, 3), (-1, 2, -3)]
    assert sorted(map(tuple, cnf_d4.solutions(EITHER, 3, 10))) == sorted(grids)


def test_models_that_differ_in_auxiliary_variables_are_one_solution() -> None:
    assert cnf_d4.solutions(REPEATED, 2, 10) == [[1, -2]]
    assert len(cnf_d4.solutions(REPEATED, 3, 10)) == 2
    assert len(cnf_d4.solutions(REPEATED, 4, 10)) == 4


COMPILE = """
import json, os, sys, py_d4
out = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # d4 prints
for clauses, variables in json.load(sys.stdin):
    print(json.dumps(py_d4.Solver(clauses, variables).compile().getNNFString()), file=out, flush=True)
"""


@needs_d4
def test_random_clauses_have_the_solutions_that_a_truth_table_has() -> None:
    import json

    rng, variables = random.Random(3), 8
    formulas = []
    for number in range(60):
        some = [rng.sample(range(1, variables + 1), rng.randint(1, 3)) for _ in range(5 + number // 3)]
        formulas.append([[x if rng.random() < 0.5 else -x for x in clause] for clause in some])
    asked = json.dumps([(clauses, variables) for clauses in formulas])
    done = subprocess.run([sys.executable, "-c", COMPILE], input=asked, capture_output=True, text=True, check=True)
    sizes = set()
    for clauses, line in zip(formulas, done.stdout.splitlines(), strict=True):
        for cells in (3, variables):
            expected = true_points(clauses, variables, cells)
            found = list(map(tuple, cnf_d4.solutions(json.loads(line), cells, 1000)))
            assert len(found) == len(set(found))
            assert set(found) == expected
            for limit in (1, 2, 7):
                some = set(map(tuple, cnf_d4.solutions(json.loads(line), cells, limit)))
                assert (len(some), some <= expected) == (min(limit, len(expected)), True)
            sizes.add(len(expected))
    assert len(sizes) > 10
    assert 0 in sizes


def true_points(clauses: list[list[int]], variables: int, cells: int) -> set[tuple[int, ...]]:
    """All values of the first ``cells`` variables that can be completed."""
    points = (tuple(x if true else -x for x, true in enumerate(bits, 1)) for bits in product((0, 1), repeat=variables))
    return {point[:cells] for point in points if all(set(point).intersection(clause) for clause in clauses)}


DETERMINED = ["complete+pairwise", "complete+product", "log", "order", "minimal+pairwise+substituted"]
OVERCOUNTING = ["log-difference", "complete+totalizer", "complete+cardnetwrk", "complete+sortnetwrk"]


@needs_d4
@pytest.mark.parametrize("encoding", [*DETERMINED, *OVERCOUNTING])
def test_the_empty_board_of_4_x_4_has_288_grids_however_many_models(solver_of, encoding: str) -> None:
    empty = Puzzle(Shape(2, 2), (0,) * 16)
    with solver_of(f"sat:{encoding}@d4") as solver:
        for limit in (1, 2, 100, 288, 289, 1000):
            reply = solver.ask([empty], f"count:{limit}")
            assert answer_fault(empty, reply.answers[0], min(limit, 288)) is None
    models = reply.counters["models"]
    assert models > 288 if encoding in OVERCOUNTING else models == 288
