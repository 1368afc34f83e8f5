"""The encoder as a library: Sudoku, Latin squares, and a problem of one's own."""

from __future__ import annotations

import pytest
from pysat.solvers import Solver

from sudoku_bench.datasets import Shape
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.verify import solution_fault
from sudoku_bench.solvers import Clauses, encode

HARD = parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")


def models(cnf, limit: int) -> list[list[int]]:
    found: list[list[int]] = []
    with Solver("glucose4", bootstrap_with=cnf.clauses) as solver:
        while len(found) < limit and solver.solve():
            model = solver.get_model()
            found.append(cnf.decode(model))
            solver.add_clause(cnf.excluding(model))
    return found


@pytest.mark.parametrize("name", ["complete", "complete+product", "log", "order+substituted", "complete+heule+reduced"])
def test_a_puzzle_is_encoded_and_its_model_decoded(name: str) -> None:
    [cells] = models(encode(HARD, name), 2)
    assert solution_fault(HARD, cells) is None


@pytest.mark.parametrize(
    ("use", "complaint"),
    [
        (lambda: encode(Shape(3, 3), "nothing"), "no encoding is called 'nothing'"),
        (lambda: encode(HARD, "complete+assumptions"), "clauses contain no assumptions"),
        (lambda: encode(HARD, "complete+substituted").literals(0, 1), "numbered anew where clues are substituted"),
        (lambda: encode(HARD, "complete+reduced").literals(0, 1), "numbered anew where clues are substituted"),
        (lambda: encode(Shape(4, 4), "diagrams"), "boards up to 12x12 only"),
        (lambda: Clauses(3).at_most_one([1, 2], "native"), "no at-most-one scheme with clauses is called 'native'"),
    ],
)
def test_what_cannot_be_encoded_is_an_input_error(use, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        use()
