"""What the worker reads of a solve request is what it holds."""

from __future__ import annotations

import json

import pytest

from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.worker import boards
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers.strategy import Task
from tests.datasets.rules import PRINTED, board

EASY = board(PRINTED["001"][0])
EMPTY = Puzzle(EASY.shape, (0,) * 81)


@pytest.mark.parametrize("task", ["first", "unique", "count:7"])
@pytest.mark.parametrize(("how", "phases"), [("warm", True), ("warm", False), ("batch", False), ("cold", True)])
def test_the_text_holds_the_request(task: str, how: str, phases: bool) -> None:
    for limit_s in (10.0, 0.25):  # texts share the parts that are the same
        request = json.loads(SolveRequest([EASY, EMPTY], Task.parse(task), limit_s, how, phases, [EMPTY], [EASY]).text)
        puzzles = {key: boards.puzzles_of(EASY.shape, request.pop(key)) for key in ("solve", "phase_forms", "run_in")}
        assert puzzles == {"solve": [EASY, EMPTY], "phase_forms": [EMPTY], "run_in": [EASY]}
        assert request == {"shape": [3, 3], "task": task, "limit_s": limit_s, "how": how, "phases": phases}
