"""Engine options in the names of strategies: what they change, and what is refused."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import GaveUp, Task, registry
from sudoku_bench.solvers.sat import pysat_options
from sudoku_bench.solvers.strategy import FIRST, UNIQUE
from tests.solvers.solving import answer, prepared

EMPTY = Puzzle(Shape(2, 2), (0,) * 16)
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
OPTIONS = [
    *("cadical195+plain", "cadical195+phase=0+seed=7", "cadical195+elim=1+plain", "cadical153+lucky=0"),
    *("glucose42+rnd-freq=0.1+seed=3", "glucose42+rnd-pol=1", "glucose4+phase=1", "minisat22+phase=0"),
    *("pycosat+vars", "pycosat+prop-limit=1000000"),
]


@pytest.fixture(autouse=True)
def builtin() -> None:
    registry.load_builtin()


def solved(name: str, puzzle: Puzzle, task: Task) -> list[list[int]]:
    return answer(prepared(name, puzzle.shape), puzzle, task)


@pytest.mark.parametrize("engine", OPTIONS)
def test_answers_are_correct_under_options(engine: str) -> None:
    name = f"sat:complete+pairwise@{engine}"
    assert answer_fault(EMPTY, solved(name, EMPTY, Task("count", 300)), 288) is None
    assert answer_fault(parse(HARD), solved(name, parse(HARD), UNIQUE), 1) is None


@pytest.mark.parametrize("engine", ["cadical195+lucky=0", "glucose4", "minisat22"])
def test_the_phase_decides_which_grid_is_found_first(engine: str) -> None:
    firsts = [solved(f"sat:minimal+pairwise@{engine}+phase={phase}", EMPTY, FIRST) for phase in (0, 1)]
    assert firsts[0] != firsts[1]


def test_an_alias_keeps_its_options_and_they_are_sorted() -> None:
    assert registry.canonical("sat:log@cd19+seed=3+phase=0") == "sat:log@cadical195+phase=0+seed=3"


@pytest.mark.parametrize(
    ("engine", "complaint"),
    [
        ("cadical195+nonsense=1", "cadical195 has no option nonsense; it has plain, block,"),
        ("cadical195+plain=1", "+plain takes no number"),
        ("cadical195+phase=7", "the engine option phase needs a number from 0 to 1, such as phase=0"),
        ("cadical195+seed", "the engine option seed needs a number from 0 to 2000000000"),
        ("cadical195+seed=1.5", "the engine option seed needs a number"),
        ("cadical195+seed=1+seed=2", "the engine option seed is given twice"),
        ("cadical195+Seed=1", "'Seed=1' is not of the form NAME or NAME=NUMBER"),
        ("glucose4+seed=1", "glucose4 has no option seed; it has phase"),
        ("pycosat+seed=1", "pycosat has no option seed; it has vars and prop-limit"),
        ("pycosat+vars=3", "write the options of pycosat as +vars and +prop-limit=N"),
        ("pyeda+phase=1", "pyeda has no options"),
    ],
)
def test_what_an_engine_does_not_have_is_refused(engine: str, complaint: str) -> None:
    with pytest.raises(InputError) as refused:
        registry.get(registry.canonical(f"sat:order@{engine}"))
    assert complaint in str(refused.value)


def test_every_option_of_cadical_is_a_word_of_the_library() -> None:
    """python-sat ignores options that do not exist, so a misspelt name would never be noticed."""
    found = find_spec("pysolvers")
    assert found is not None
    library = Path(str(found.origin)).read_bytes()
    assert [name for name in pysat_options.CADICAL if f"{name}\0".encode() not in library] == []


def test_a_limit_of_propagations_makes_pycosat_give_up() -> None:
    with pytest.raises(GaveUp, match="after 10 propagations"):
        solved("sat:minimal+pairwise@pycosat+prop-limit=10", parse(HARD), FIRST)


@pytest.mark.parametrize("solver", ["backtracking", "recursive", "optimized"])
def test_forward_checking_can_be_switched_off(solver: str) -> None:
    name = f"csp:alldifferent+no-forward-check@{solver}"
    assert answer_fault(EMPTY, solved(name, EMPTY, Task("count", 300)), 288) is None
    with pytest.raises(InputError, match="no strategy is called csp:alldifferent\\+no-forward-check@parallel"):
        registry.get("csp:alldifferent+no-forward-check@parallel")
