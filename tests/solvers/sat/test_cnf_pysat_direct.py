"""``+direct``: clauses go straight to python-sat's extension module, and nothing else changes."""

from __future__ import annotations

import pytest

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import cnf_pysat, engines
from sudoku_bench.solvers.strategy import UNIQUE, Unsupported
from tests.datasets.rules import PRINTED, board
from tests.solvers.solving import answer, prepared

PUZZLES = [board(PRINTED["001"][0]), board("." * 81), parse("11" + "." * 14)]


def solved(name: str, puzzle: Puzzle) -> tuple[list[list[int]], dict[str, float]]:
    strategy = prepared(name, puzzle.shape)
    return answer(strategy, puzzle, UNIQUE), dict(strategy.counters())


@pytest.mark.parametrize("model", ["complete+pairwise", "log+substituted"])
@pytest.mark.parametrize("engine", ["cadical195", "glucose4", "minisat22", "lingeling"])
def test_answers_and_counters_are_those_of_the_plain_strategy(model: str, engine: str) -> None:
    for puzzle in PUZZLES:
        plain, direct = (solved(f"sat:{model}{suffix}@{engine}", puzzle) for suffix in ("", "+direct"))
        assert direct == plain


def test_native_constraints_are_loaded_too() -> None:
    [solution], _ = solved("sat:complete+native+direct@minicard", PUZZLES[0])
    assert "".join(map(str, solution)) == PRINTED["001"][1]


@pytest.mark.parametrize("name", ["@pycosat", "@/cadical", "+assumptions+direct@glucose4"])
def test_what_cannot_be_loaded_directly_is_refused(name: str) -> None:
    registry.load_builtin()
    suffix = "" if "direct" in name else "+direct"
    with pytest.raises(InputError, match="is for engines of python-sat that load clauses for each puzzle"):
        registry.get(f"sat:complete+pairwise{suffix}{name}")


def test_clauses_can_be_added_directly_to_every_engine_of_python_sat() -> None:
    from pysat.solvers import Solver

    others = set()
    for engine in engines.pysat_engines():
        try:
            solver = Solver(name=engine, bootstrap_with=[[1, 2]])
            cnf_pysat.clause_loader(solver)([-1])
        except (NotImplementedError, Unsupported):  # not installed, or of another package
            others.add(engine)
        else:
            assert solver.solve()
            assert 2 in solver.get_model()
    assert others <= {"cryptominisat5"}
