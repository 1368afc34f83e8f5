"""What the worker's process keeps between requests."""

from __future__ import annotations

import subprocess
import sys

# A strategy keeps its last model, which holds itself: frozen while it is in use, it is garbage after the next solve.
PROGRAM = """
import json, mmap, weakref
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.worker import boards, server
from sudoku_bench.bench.worker.stopwatch import PROGRESS_BYTES
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers.strategy import FIRST, Strategy

server.REQUESTS_BETWEEN_SWEEPS = 20
models = []

class Model:
    pass

class Keeps(Strategy):
    name = "test:keeps"

    def search(self, puzzle, task):
        self.model = Model()
        self.model.itself = self.model
        models.append(weakref.ref(self.model))
        return [[1] * 16]

worker = server.StrategyServer(mmap.mmap(-1, PROGRESS_BYTES))
shape = boards.shape_of(2, 2)
worker._make = Keeps
worker.prepare(shape, "", "")
request = json.loads(SolveRequest([Puzzle(shape, (0,) * 16)], FIRST, 1.0).text)
for _ in range(200):
    reply = worker.solve(request)
    assert "answers" in reply, reply
print(sum(model() is not None for model in models))
"""


def test_what_was_frozen_and_has_become_garbage_is_collected() -> None:
    alive = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert int(alive) <= 41  # of 200
