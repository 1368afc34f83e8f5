"""Every engine of python-sat and of other packages: it solves, and lacks what it is known to lack."""

from __future__ import annotations

import gc

import pytest

from sudoku_bench.bench.plan.strategies import select
from sudoku_bench.bench.worker.stopwatch import solve
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import engines
from sudoku_bench.solvers.strategy import FIRST, UNIQUE, Task, Unsupported, prepared
from tests.datasets.rules import PRINTED, board

ENGINES = engines.engines()
SOLUTIONS = {"easy": 1, "hard": 1, "full": 1, "two_solutions": 2, "cell_without_candidates": 0}
WITHOUT_STATISTICS = {"cryptominisat5", "kissat404", *engines.OTHER_ENGINES}
WITHOUT_PROPAGATIONS = WITHOUT_STATISTICS | {"maplecm", "maplesat"}
WITHOUT = {  # engines of python-sat that lack what the model needs
    "complete+pairwise+assumptions": {"kissat404"},
    "complete+native": set(ENGINES) - {"gluecard3", "gluecard4", "minicard"},
}


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


def test_an_engine_solves_and_refutes(engine, solver_of, puzzles):
    with solver_of(f"sat:natural+product+substituted@{engine}") as solver:
        for board, tasks in (("4x4", (FIRST, UNIQUE, Task("count", 3))), ("9x9", (UNIQUE,))):
            for kind, number in SOLUTIONS.items():
                puzzle = puzzles[board][kind]
                for task in tasks:
                    answer = solver.solutions(puzzle, str(task))
                    assert answer_fault(puzzle, answer, min(number, task.limit)) is None, (board, kind, task)


@pytest.mark.parametrize("model", WITHOUT)
def test_assumptions_and_native_constraints_work_or_are_refused(engine, model, solver_of, puzzles):
    puzzle = puzzles["9x9"]["two_solutions"]
    if engine in engines.OTHER_ENGINES:
        with pytest.raises(InputError, match=engine):
            select([f"sat:{model}@{engine}"])
        return
    with solver_of(f"sat:{model}@{engine}") as solver:
        if engine in WITHOUT[model]:
            prepared = solver.worker.prepare(puzzle.shape)
            assert (prepared["status"], engine in prepared["reason"]) == ("unsupported", True)
            return
        for _ in range(2):
            assert answer_fault(puzzle, solver.solutions(puzzle, "count:3"), 2) is None


def test_counters_exist_if_the_engine_counts_and_a_full_grid_takes_no_search(engine, solver_of, puzzles):
    with solver_of(f"sat:complete+pairwise@{engine}") as solver:
        full, hard = (solver.ask([puzzles["9x9"][kind]], "first").counters for kind in ("full", "hard"))
    assert {"variables", "clauses", "literals"} <= set(full)
    for name in ("conflicts", "decisions", "restarts"):
        assert (name in hard) == (engine not in WITHOUT_STATISTICS), name
    assert (full.get("propagations", 0) > 0) == (engine not in WITHOUT_PROPAGATIONS)
    assert full.get("conflicts", 0) == full.get("decisions", 0) == 0


@pytest.mark.parametrize("engine", ["nobody", "CADICAL195", "cadical195 "])
def test_an_unknown_engine_is_an_input_error_that_lists_the_others(engine):
    with pytest.raises(InputError, match=f"no engine is called '{engine}'; choose one of cadical") as refused:
        select([f"sat:log@{engine}"])
    assert "\n" not in str(refused.value)


def test_an_engine_that_does_not_start_is_unsupported_with_its_reason(monkeypatch):
    monkeypatch.setattr("pysat.solvers.Solver.new", lambda *_, **__: exec("raise OSError('no library')"))
    with pytest.raises(Unsupported, match="glucose4 does not start: no library"):
        registry.get("sat:complete+pairwise@glucose4")().prepare(Shape(2, 2))


@pytest.mark.parametrize("engine", ["cadical195", "minicard", "pycosat"])
def test_no_clauses_are_kept_for_the_garbage_collector_to_visit(engine: str) -> None:
    """It visits before each solve what the last one has left, outside the time of either."""
    puzzle = board(PRINTED["001"][0])
    strategy = prepared(registry.get(f"sat:complete+pairwise@{engine}"), puzzle.shape)
    gc.collect()
    gc.freeze()
    try:
        solve(strategy, puzzle, FIRST)
        assert max((len(kept) for kept in gc.get_objects() if isinstance(kept, list)), default=0) < 1000
    finally:
        gc.unfreeze()
