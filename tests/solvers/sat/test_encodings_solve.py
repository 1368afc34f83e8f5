"""Encodings, schemes and clue handlings express the rules of Sudoku: all have the same solutions."""

from __future__ import annotations

import re
from functools import cache
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from sudoku_bench.bench.commands.encode import encoded
from sudoku_bench.datasets import search
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import cnf_pysat
from sudoku_bench.solvers.sat.amo import SCHEMES
from sudoku_bench.solvers.sat.encodings import WITH_SCHEME, WITHOUT_SCHEME, build, every_name
from sudoku_bench.solvers.sat.encodings.clues import Rules
from sudoku_bench.solvers.sat.encodings.reduction import candidates
from sudoku_bench.solvers.sat.strength.prober import random_state
from sudoku_bench.solvers.strategy import FIRST, UNIQUE, Strategy, Task
from tests.solvers.solving import answer, prepared

NAMES = every_name()
FOUR, SIX, NINE = Shape(2, 2), Shape(2, 3), Shape(3, 3)
LARGE = ("hall-pairs", "diagrams")  # tested on smaller boards where the formula is built again and again
CONTRADICTIONS = ("same_clue_in_a_box", "cell_without_candidates", "deep_contradiction")
HANDLINGS = ("", "+substituted", "+reduced", "+assumptions")
# On 9x9 every encoding and every scheme; their product on smaller boards, and here in ``make thorough``.
OFTEN = {*WITHOUT_SCHEME, *(f"{name}+pairwise" for name in WITH_SCHEME), *(f"complete+{name}" for name in SCHEMES)}
ON_NINE = [pytest.param(name, marks=() if name in OFTEN else pytest.mark.thorough) for name in NAMES]
SELECTED = ("minimal+pairwise", "complete+product", "natural+commander", "augmented", "order", "direct-log", "log")


@cache
def strategy(name: str, clues: str, shape: Shape, engine: str = "glucose4") -> Strategy:
    """A prepared strategy; encodings with native constraints use an engine that has them."""
    return prepared(f"sat:{name}{clues}@{'minicard' if name.endswith('+native') else engine}", shape)


@pytest.fixture(scope="module", autouse=True)
def _forget():
    registry.load_builtin()
    yield
    strategy.cache_clear()


@pytest.mark.parametrize("name", NAMES)
def test_the_empty_4x4_board_has_288_solutions(name):
    empty = Puzzle(FOUR, (0,) * 16)
    solutions = answer(strategy(name, "", FOUR), empty, Task("count", 300))
    assert answer_fault(empty, solutions, 288) is None


def clue_sets(shape: Shape) -> st.SearchStrategy[Puzzle]:
    """Some cells of a right grid, sometimes with one of them changed: zero, one or several solutions."""

    @st.composite
    def drawn(draw):
        seed = draw(st.integers(0, 2**32))
        [right] = search.solve(Puzzle(shape, (0,) * shape.n_cells), limit=1, seed=seed).solutions
        is_clue = draw(st.lists(st.booleans(), min_size=shape.n_cells, max_size=shape.n_cells))
        cells = [value if clue else 0 for value, clue in zip(right, is_clue, strict=True)]
        if draw(st.booleans()):
            cells[draw(st.integers(0, shape.n_cells - 1))] = draw(st.integers(0, shape.size))
        return Puzzle(shape, tuple(cells))

    return drawn()


@pytest.mark.parametrize(("shape", "examples"), [(FOUR, 15), (SIX, 15)], ids=["4x4", "6x6"])
def test_all_encodings_agree_on_the_number_of_solutions(shape, examples):
    numbers = set()

    @settings(max_examples=examples)
    @given(clue_sets(shape))
    def check(puzzle):
        expected = len(search.solve(puzzle, limit=5).solutions)
        numbers.add(expected)
        for name in NAMES:
            solutions = answer(strategy(name, "+assumptions", shape), puzzle, Task("count", 5))
            assert answer_fault(puzzle, solutions, expected) is None, name
        for name in SELECTED:
            for clues in HANDLINGS[:3]:
                solutions = answer(strategy(name, clues, shape), puzzle, Task("count", 5))
                assert answer_fault(puzzle, solutions, expected) is None, name + clues

    check()
    assert numbers >= {0, 1}
    assert max(numbers) > 1


@pytest.fixture(scope="module")
def hard_puzzles() -> dict[Puzzle, tuple[int, ...]]:
    """Five puzzles of each of two collections, with their one solution each."""
    puzzles = (item.puzzle for name in ("expert", "hardest") for item in load(name).items[:5])
    return {puzzle: search.solve(puzzle, limit=2).solutions[0] for puzzle in puzzles}


@pytest.mark.parametrize("name", ON_NINE)
def test_hard_puzzles_are_solved(name, hard_puzzles):
    prepared = strategy(name, "+assumptions", NINE, "cadical195")
    some = list(hard_puzzles.items())[:: 3 if name in LARGE else 1]
    assert [p.text for p, right in some if answer(prepared, p, FIRST) != [list(right)]] == []


@pytest.mark.parametrize("name", ON_NINE)
def test_contradictory_puzzles_have_no_solution(name, puzzles):
    engine = "minicard" if name.endswith("+native") else "cadical195"
    shape = SIX if name in LARGE else NINE
    rules = Rules(build(name, shape))
    for kind in CONTRADICTIONS:
        cells = puzzles[shape.name][kind].cells
        for formula in (rules.with_units(cells), rules.substituted(cells), rules.reduced(cells)):
            with Solver(name=engine, bootstrap_with=formula.clauses) as solver:
                for literals in formula.at_mosts:
                    solver.add_atmost(literals, 1)
                assert not solver.solve(), kind
        assert answer(strategy(name, "+assumptions", shape, "cadical195"), puzzles[shape.name][kind], UNIQUE) == []


def test_puzzles_of_22_clues_substituted_are_as_small_as_published():
    rules = Rules(build("complete", NINE))
    of_22 = [item.puzzle for item in load("minimal").items if item.puzzle.clues == 22]
    sizes = [rules.substituted(p.cells).size for p in of_22]
    assert len(sizes) > 5
    assert {rules.with_units(p.cells).size.clauses for p in of_22} == {12010}  # Kwon & Jain 2006: 12010
    assert mean(size.variables for size in sizes) == pytest.approx(246, rel=0.03)
    assert mean(size.clauses for size in sizes) == pytest.approx(1950, rel=0.03)


def test_reduction_keeps_every_solution_and_applies_each_rule():
    """Locked candidates: clues fill two rows of a box, so what is left of it is in its third row and nowhere else."""
    cells = [0] * 81
    cells[0:3], cells[9:12] = (2, 3, 4), (5, 6, 7)  # so the box's 1, 8 and 9 are in its third row
    masks = candidates(NINE, cells)
    assert [masks[18 + column] & 0b110000001 for column in range(9)] == [0b110000001] * 3 + [0] * 6
    assert candidates(NINE, (1, 1, *(0,) * 79)) is None
    for seed in range(20):
        state = random_state(SIX, search.solve(Puzzle(SIX, (0,) * 36), limit=1, seed=seed).solutions[0], seed)
        puzzle = Puzzle(SIX, state.cells)
        left = candidates(SIX, puzzle.cells)
        for solution in search.solve(puzzle, limit=20).solutions:
            assert all(mask >> value - 1 & 1 for mask, value in zip(left, solution, strict=True))


@pytest.mark.parametrize("engine", ["cadical195", "glucose4", "minisat22", "minicard", "gluecard3", "gluecard4"])
def test_an_excluded_solution_of_one_puzzle_is_allowed_for_the_next(engine, puzzles, monkeypatch):
    monkeypatch.setattr(cnf_pysat, "RENEWED", 3)
    prepared = registry.get(f"sat:complete+commander+assumptions@{engine}")()
    assert prepared.persistent
    prepared.prepare(FOUR)
    for kind, number in [("empty", 288), ("two_solutions", 2), ("hard", 1), ("cell_without_candidates", 0)] * 2:
        solutions = answer(prepared, puzzles["4x4"][kind], Task("count", 300))
        assert answer_fault(puzzles["4x4"][kind], solutions, number) is None
        assert prepared.last_variable <= prepared.size.variables + 3, "it grows with all puzzles that it solved"


def cells_of(lines: list[str], model: list[int]) -> list[int]:
    """Decode a model by the comment lines that define each cell."""
    true, cells = {f"x{literal}" for literal in model if literal > 0}, []
    for line in lines:
        if match := re.fullmatch(r"[c*] r\d+c\d+ = (.+)", line):
            terms = [term.rpartition("*") for term in match[1].split(" + ")]
            cells.append(sum(int(w or 1) * (x in true) if x[0] == "x" else int(x) for w, _, x in terms))
    return cells


def test_a_dimacs_file_is_read_back(tmp_path, puzzles):
    puzzle = puzzles["6x6"]["hard"]
    [right] = search.solve(puzzle).solutions
    for name in NAMES:
        if name.endswith("+native"):
            continue
        for clues in HANDLINGS[:3]:
            path = tmp_path / f"{name}{clues}.cnf"
            path.write_text(encoded(puzzle, name + clues), encoding="ascii")
            text = path.read_text(encoding="ascii").splitlines()
            formula = CNF(from_file=str(path))
            assert f"p cnf {formula.nv} {len(formula.clauses)}" in text
            with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
                assert solver.solve()
                assert cells_of(text, solver.get_model()) == list(right), name + clues


@pytest.mark.parametrize("clues", ["", "+substituted"])
def test_an_opb_file_is_read_back(clues, puzzles):
    puzzle = puzzles["9x9"]["hard"]
    [right] = search.solve(puzzle).solutions
    text = encoded(puzzle, "natural+native" + clues).splitlines()
    constraints = [line.removesuffix(" ;").split(" >= ") for line in text if not line.startswith("*")]
    assert text[0].endswith(f"#constraint= {len(constraints)}")
    with Solver(name="minicard") as solver:
        for terms, bound in constraints:
            weights = [(int(w), int(x[1:])) for w, x in zip(*[iter(terms.split())] * 2, strict=True)]
            literals = [w * x for w, x in weights]
            if (least := int(bound) + sum(w < 0 for w, _ in weights)) == 1:  # of the literals are true
                solver.add_clause(literals)
            else:
                solver.add_atmost([-x for x in literals], len(literals) - least)
        assert solver.solve()
        assert cells_of(text, solver.get_model()) == list(right)
