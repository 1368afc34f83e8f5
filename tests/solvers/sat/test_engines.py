"""Every engine of python-sat and of other packages: those that the probes call working do work."""

from __future__ import annotations

import pytest

from bench.engines import probes
from bench.engines.trials import WORKS
from bench.plan.strategies import known, select
from bench.process.solve_request import SolveRequest
from bench.process.worker_process import Worker
from datasets.errors import InputError
from datasets.verify import answer_fault
from solvers.sat import engines
from solvers.strategy import FIRST, UNIQUE, Task

pytestmark = pytest.mark.slow

ENGINES = engines.engines()
SOLUTIONS = {"easy": 1, "hard": 1, "full": 1, "two_solutions": 2, "cell_without_candidates": 0}


@pytest.fixture(scope="module", params=ENGINES)
def row(request):
    """The row of the probes for an engine that works."""
    answers = probes.probe(request.param, [request.param])
    if answers[WORKS] != "yes":
        pytest.skip(answers["reason"])
    return answers


def test_an_engine_that_works_solves_and_refutes(row, solver_of, puzzles):
    with solver_of(f"sat:natural+product+substituted@{row['engine']}") as solver:
        for board, tasks in (("4x4", (FIRST, UNIQUE, Task("count", 3))), ("9x9", (UNIQUE,))):
            for kind, number in SOLUTIONS.items():
                puzzle = puzzles[board][kind]
                for task in tasks:
                    answer = solver.solutions(puzzle, str(task))
                    assert answer_fault(puzzle, answer, min(number, task.limit)) is None, (board, kind, task)


def test_assumptions_and_native_constraints_work_if_the_probes_say_so(row, puzzles):
    for probe, model in (("assumptions", "complete+pairwise+assumptions"), ("native", "complete+native")):
        name = f"sat:{model}@{row['engine']}"
        if row[probe] == "":  # no strategy is called so
            with pytest.raises(InputError, match=row["engine"]):
                select([name])
            continue
        [info] = select([name])
        worker = Worker(info, number=0)
        try:
            worker.start()
            puzzle = puzzles["9x9"]["two_solutions"]
            prepared = worker.prepare(puzzle.shape)
            if row[probe] != "yes":
                assert (prepared["status"], row["engine"] in prepared["reason"]) == ("unsupported", True)
                continue
            assert prepared["status"] == "ok"
            for _ in range(2):
                reply = worker.solve(SolveRequest([puzzle], Task("count", 3), 60))
                assert answer_fault(puzzle, reply["answers"][0], 2) is None
        finally:
            worker.close()


def test_counters_exist_if_the_engine_counts_and_a_full_grid_takes_no_search(row, solver_of, puzzles):
    with solver_of(f"sat:complete+pairwise@{row['engine']}") as solver:
        full, hard = (solver.ask([puzzles["9x9"][kind]], "first")["counters"] for kind in ("full", "hard"))
    assert {"variables", "clauses", "literals"} <= set(full)
    if row["statistics"] == "yes":
        assert {"conflicts", "decisions", "propagations", "restarts"} <= set(full)
    assert full.get("conflicts", 0) == full.get("decisions", 0) == 0
    if row["statistics"] in ("yes", "wrong"):
        assert hard["decisions"] >= 0
        assert full.get("propagations", 1) > 0  # what is always 0 is left out
    else:
        assert not {"conflicts", "decisions"} & set(full)


def test_an_engine_has_one_canonical_name():
    for name, aliases in engines.pysat_engines().items():
        assert {engines.canonical(alias) for alias in (name, *aliases)} == {name}
    assert len(set(ENGINES)) == len(ENGINES) > 15
    assert {"cadical195", "glucose4", "minisat22", "minisat-gh", "gluecard3", "lingeling", "pyeda"} <= set(ENGINES)


def test_aliases_are_resolved_and_a_strategy_is_selected_once():
    chosen = select(
        ["sat:log@cd19", "sat:log@cadical195", "sat:complete+pairwise@g41", "sat:complete+pairwise@glucose4"]
    )
    assert [info.name for info in chosen] == ["sat:log@cadical195", "sat:complete+pairwise@glucose4"]
    assert all(info.name in known() for info in chosen)


@pytest.mark.parametrize("engine", ["nobody", "CADICAL195", "cadical195 "])
def test_an_unknown_engine_is_an_input_error_that_lists_the_others(engine):
    with pytest.raises(InputError, match=f"no engine is called '{engine}'; choose one of cadical") as refused:
        select([f"sat:log@{engine}"])
    assert "\n" not in str(refused.value)


def test_without_python_sat_a_strategy_is_listed_under_its_name(monkeypatch):
    monkeypatch.setattr(engines, "pysat_engines", dict)
    assert [info.name for info in select(["sat:log@maplesat"])] == ["sat:log@maplesat"]
    assert engines.engines() == list(engines.OTHER_ENGINES)


def test_an_engine_that_does_not_start_is_unsupported_with_its_reason(puzzles):
    [info] = select(["sat:complete+pairwise@cryptominisat5"])
    worker = Worker(info, number=0)
    try:
        worker.start()
        prepared = worker.prepare(puzzles["4x4"]["easy"].shape)
    finally:
        worker.close()
    if prepared["status"] == "ok":
        pytest.skip("pycryptosat is installed")
    assert prepared["status"] == "unsupported"
    assert prepared["reason"].startswith("cryptominisat5 does not start: ")
