"""The five strategies of the starting documents do what their documents do."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter

import pytest

from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.encodings import build
from sudoku_bench.solvers.sat.encodings.clues import Rules
from sudoku_bench.solvers.seeds.norvig import Board
from sudoku_bench.solvers.seeds.pycosat import SeedPycosat
from sudoku_bench.solvers.seeds.pyeda import SeedPyeda
from sudoku_bench.solvers.seeds.pysat import SeedPysat, rules
from sudoku_bench.solvers.strategy import UNIQUE
from tests.datasets.rules import PRINTED

NINE = Shape(3, 3)
CLASSICS = {item.name: item.puzzle for item in load("classics").items}
SOLUTIONS = {name: solution for name, (_, solution) in PRINTED.items()}
SEEDS = ("seed:pyeda", "seed:pycosat", "seed:python-constraint", "seed:pysat", "seed:norvig")
# python-constraint's default solver fixes its order of variables before it searches: minutes on the other four.
SOLVED = [(seed, name) for seed in SEEDS for name in SOLUTIONS if seed != SEEDS[2] or name in ("000a", "002")]


@pytest.fixture(scope="module")
def solver(request, solver_of):
    with solver_of(request.param) as started:
        yield started


@pytest.mark.parametrize(("solver", "name"), SOLVED, indirect=["solver"])
def test_a_seed_solves_the_puzzles_that_the_documents_print(solver, name):
    right = list(map(int, SOLUTIONS[name]))
    assert solver.solutions(CLASSICS[name], "first") == [right]
    assert solver.solutions(CLASSICS[name], "unique") == [right]


PYEDA_CLAUSES = """
import json
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.seeds.pyeda import SeedPyeda

strategy = SeedPyeda()
strategy.prepare(Shape(3, 3))
print(json.dumps([[str(literal) for literal in clause.xs] for clause in strategy.rules.xs]))
"""


@pytest.fixture(scope="module")
def pyeda_clauses():
    """The formula of document 000 as literals such as ``~x[1,2,3]``."""
    command = [sys.executable, "-P", "-W", "ignore", "-c", PYEDA_CLAUSES]
    process = subprocess.run(command, capture_output=True, check=True, env={**os.environ, **SeedPyeda.environ})
    return json.loads(process.stdout)


def test_the_formula_of_document_000_has_10530_clauses(pyeda_clauses):
    assert len(set(map(frozenset, pyeda_clauses))) == 10530
    assert len(pyeda_clauses) == 11988


def test_the_formula_of_document_000_is_the_complete_encoding(pyeda_clauses):
    def number(text):
        row, col, value = map(int, re.fullmatch(r"~?x3x3\[(\d),(\d),(\d)\]", text).groups())
        return ((row - 1) * 81 + (col - 1) * 9 + value) * (-1 if text[0] == "~" else 1)

    assert multiset(map(number, clause) for clause in pyeda_clauses) == multiset(build("complete", NINE).clauses())


@pytest.mark.parametrize("name", CLASSICS)
def test_the_clauses_of_document_001_are_the_natural_encoding_and_clues(name):
    strategy = SeedPycosat()
    strategy.prepare(NINE)
    expected = Rules(build("natural", NINE)).with_units(CLASSICS[name].cells).clauses
    assert multiset(strategy.encode(CLASSICS[name])) == multiset(expected)


def test_the_clauses_of_document_003_are_the_complete_encoding():
    assert multiset(rules(NINE)) == multiset(build("complete", NINE).clauses())
    assert len(rules(NINE)) == 11988


@pytest.mark.parametrize("cell", [0, 8, 15])
def test_the_check_of_document_003_asks_about_every_open_cell(cell):
    shape = Shape(2, 2)
    other = "1234341243212143", "1243341243212134"  # differ in r1c3, r1c4, r4c3, r4c4
    differs = [a != b for a, b in zip(*other, strict=True)]
    clues = [0 if i == cell or differs[i] else int(other[0][i]) for i in range(16)]
    solutions = pysat_unique(Puzzle(shape, tuple(clues)))
    assert sorted("".join(map(str, cells)) for cells in solutions) == sorted(other)


def test_the_candidates_after_propagation_are_those_that_document_004_prints():
    values = Board(NINE).parse(CLASSICS["004"]).values()
    assert list(values)[:18] == [
        *("4", "1679", "12679", "139", "2369", "269", "8", "1239", "5"),
        *("26789", "3", "1256789", "14589", "24569", "245689", "12679", "1249", "124679"),
    ]


def pysat_unique(puzzle: Puzzle) -> list[list[int]]:
    strategy = SeedPysat()
    strategy.prepare(puzzle.shape)
    answer = strategy.search(strategy.load(strategy.encode(puzzle)), UNIQUE)
    strategy.release()
    return strategy.decode(answer)


def multiset(clauses) -> Counter[frozenset[int]]:
    return Counter(map(frozenset, clauses))
