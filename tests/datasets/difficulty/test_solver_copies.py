"""Copies of a solver count what a fresh solver counts, and end with whoever uses them."""

from __future__ import annotations

import threading

import pytest
from pysat.solvers import Solver

from datasets.collections.catalogue import load
from datasets.difficulty import conflicts
from datasets.difficulty.conflicts import ENGINE, ENGINES
from datasets.difficulty.solver_copies import SolverCopies
from datasets.isomorphs import form, isomorph
from datasets.shape import Shape

NINE = Shape(3, 3)
OTHER = next(engine for engine in ENGINES if engine != ENGINE)  # all of whose conflicts come from copies
PUZZLES = [form(item.puzzle, isomorph(1, item.puzzle, 5)) for item in load("expert").items[:3]]


def fresh(engine: str, clues: list[list[int]]) -> int:
    with Solver(name=engine, bootstrap_with=conflicts._rules(NINE) + clues) as solver:
        solver.solve()
        return int(solver.accum_stats()["conflicts"])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_copy_counts_what_a_fresh_solver_counts(engine: str) -> None:
    puzzles = [conflicts._clues(puzzle) for puzzle in PUZZLES]
    counts = SolverCopies(engine, conflicts._rules(NINE)).conflicts(puzzles)
    assert counts == [fresh(engine, puzzle) for puzzle in puzzles]
    assert any(counts)


def test_the_process_ends_with_the_object_and_one_that_died_is_an_error() -> None:
    copies = SolverCopies("minisat22", conflicts._rules(NINE))
    process = copies._process
    assert len(copies.conflicts([[[1]]])) == 1
    process.kill()
    process.wait()
    with pytest.raises(ChildProcessError, match="the process that counts conflicts has ended"):
        copies.conflicts([[[1]]])
    copies = SolverCopies("minisat22", conflicts._rules(NINE))
    process = copies._process
    del copies
    assert process.returncode == 0


def test_threads_have_solvers_of_their_own_which_end_with_them() -> None:
    processes = []

    def count() -> None:
        for _ in range(2):
            conflicts.conflicts(PUZZLES[0], 1, 2, OTHER)
            _, copies = conflicts._of_thread.kept
            processes.append(copies._process)

    threads = [threading.Thread(target=count) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({process.pid for process in processes}) == 2
    assert {process.returncode for process in processes} == {0}


def test_a_count_that_was_interrupted_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its late answer must not be taken for that of the next puzzle."""
    expected = [conflicts.conflicts(puzzle, 1, 2, OTHER).mean for puzzle in PUZZLES[:2]]
    with monkeypatch.context() as patched:
        _, copies = conflicts._of_thread.kept
        patched.setattr(copies._process, "stdout", Interrupted())
        with pytest.raises(KeyboardInterrupt):
            conflicts.conflicts(PUZZLES[0], 1, 2, OTHER)
    assert [conflicts.conflicts(puzzle, 1, 2, OTHER).mean for puzzle in PUZZLES[1::-1]] == expected[::-1]


class Interrupted:
    """The standard output of a process, whose reader is interrupted."""

    def readline(self) -> str:
        raise KeyboardInterrupt
