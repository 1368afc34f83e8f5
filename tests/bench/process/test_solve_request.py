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
@pytest.mark.parametrize("how", ["warm", "batch", "cold"])
def test_the_text_holds_the_request(task: str, how: str) -> None:
    for lead_in in (True, False):  # texts share the parts that are the same
        request = json.loads(SolveRequest([EASY, EMPTY], Task.parse(task), 10.0, how, lead_in).text)
        assert boards.puzzles_of(EASY.shape, request.pop("solve")) == [EASY, EMPTY]
        assert request == {"shape": [3, 3], "task": task, "how": how, "lead_in": lead_in}
