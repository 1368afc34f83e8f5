"""The answers of every registered strategy."""

from __future__ import annotations

from functools import cache

import pytest

from sudoku_bench.bench.plan.strategies import known
from sudoku_bench.datasets import search
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import Task
from tests.solvers.conftest import contract_board, contract_puzzles

STRATEGIES = list(known())
ASKED = {
    "4x4": ("first", "unique", "count:3", "count:1"),
    "6x6": ("first", "unique", "count:3"),
    "6x6 (3x2 boxes)": ("first", "unique"),
    "9x9": ("first", "count:3"),  # and some in the tests below
    "16x16": ("unique",),
}
RARELY = ("6x6 (3x2 boxes)", "16x16")
SHAPES = [pytest.param(shape, marks=pytest.mark.thorough if shape in RARELY else ()) for shape in ASKED]


@pytest.fixture(scope="module", params=STRATEGIES)
def solver(request, solver_of):
    """A strategy in one process for all its puzzles, with the small boards first."""
    with solver_of(request.param) as started:
        started.prepare_small_boards()
        yield started


@pytest.mark.parametrize("shape", SHAPES)
def test_answers_are_correct(solver, puzzles, shape):
    tasks = [task for task in ASKED[shape] if task.partition(":")[0] in solver.info.tasks]
    if not tasks:
        pytest.skip(f"does not offer {ASKED[shape]}")
    faults = {
        (task, kind): reason
        for task in tasks
        for kind, puzzle in contract_puzzles(solver.info.name, shape, puzzles).items()
        if (reason := fault(puzzle, task, solver.solutions(puzzle, task)))
    }
    assert faults == {}


@pytest.mark.thorough
@pytest.mark.parametrize(("task", "number"), [("count:100", 100), ("count:1000", 288)])
def test_the_288_fillings_of_the_empty_4x4_board_are_counted(solver, puzzles, task, number):
    require_task(solver, task)
    if "empty" not in contract_puzzles(solver.info.name, "4x4", puzzles):
        pytest.skip("takes too long on an empty board")
    empty = puzzles["4x4"]["empty"]
    assert answer_fault(empty, solver.solutions(empty, task), number) is None


def test_a_puzzle_with_two_solutions_is_not_called_unique(solver, puzzles):
    require_task(solver, "unique")
    board = contract_board(solver.info.name, puzzles)
    assert len(solver.solutions(board["two_solutions"], "unique")) == 2
    assert len(solver.solutions(board["hard"], "unique")) == 1


def test_several_puzzles_in_one_request_are_answered_in_order(solver, puzzles):
    task = hardest_task(solver.info.name)
    kinds = ["two_solutions", "hard", "deep_contradiction", "easy", "two_solutions"]
    stream = [contract_board(solver.info.name, puzzles)[kind] for kind in kinds]
    answers = solver.ask(stream, task).answers
    assert [fault(*arguments) for arguments in zip(stream, [task] * 5, answers, strict=True)] == [None] * 5


@pytest.mark.thorough
def test_no_state_is_kept_from_one_puzzle_or_shape_to_the_next(solver, solver_of, puzzles):
    """The process of ``solver`` has prepared other shapes; the fresh one has not, and has another order of puzzles."""
    name = solver.info.name
    task = hardest_task(name)
    board = contract_board(name, puzzles)
    kinds = ("many_solutions", "hard", "deep_contradiction")  # with many solutions, the order of a search shows
    a, b, contradictory = (board[kind] for kind in kinds)

    def replies(solver, *stream, task=task):
        found = [solver.ask([p], task) for p in stream]
        return [(reply.answers, reply.counters) for reply in found]

    stream = [a, b, a, contradictory, a, b]
    in_sequence = replies(solver, *stream)
    for puzzle, (answers, _) in zip(stream, in_sequence, strict=True):
        assert fault(puzzle, task, answers[0]) is None
    if registry.get(name).deterministic and not known()[name].persistent:
        with solver_of(name) as fresh:
            b_alone, a_after_it = replies(fresh, b, a)
            first_of_many = replies(fresh, a, task="first")
        first, second, third, _, fifth, sixth = in_sequence
        assert a_after_it == first == third == fifth
        assert b_alone == second == sixth
        assert first_of_many == replies(solver, a, task="first")


def require_task(solver, task: str) -> None:
    if task.partition(":")[0] not in solver.info.tasks:
        pytest.skip(f"does not offer {task}")


def hardest_task(name: str) -> str:
    tasks = known()[name].tasks
    return "count:3" if "count" in tasks else "unique" if "unique" in tasks else "first"


def fault(puzzle: Puzzle, task: str, answer: list[list[int]] | None) -> str | None:
    """The fault of an answer; None if it is correct, or if the strategy gave up and may do so."""
    if answer is None:
        return None
    return answer_fault(puzzle, answer, known_solutions(puzzle, Task.parse(task).limit))


@cache
def known_solutions(puzzle: Puzzle, limit: int) -> int:
    """The number of solutions, up to a limit, by the search kernel, which no strategy uses."""
    return len(search.solve(puzzle, limit).solutions)
