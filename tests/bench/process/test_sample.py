"""A sample as a request: what the worker reads is what the sample holds."""

from __future__ import annotations

import json

import pytest

from bench.process.sample import Sample, fitting
from bench.worker import boards
from datasets.puzzle import Puzzle
from solvers.strategy import Task
from tests.datasets.rules import PRINTED, board

EASY = board(PRINTED["001"][0])
EMPTY = Puzzle(EASY.shape, (0,) * 81)


@pytest.mark.parametrize("task", ["first", "unique", "count:7"])
@pytest.mark.parametrize(("how", "phases"), [("warm", True), ("warm", False), ("batch", False), ("cold", True)])
def test_a_request_holds_the_sample(task: str, how: str, phases: bool) -> None:
    for limit_s in (10.0, 0.25):  # requests share the parts that are the same
        request = json.loads(Sample([EASY, EMPTY], Task.parse(task), limit_s, how, phases, [EMPTY], [EASY]).request)
        puzzles = {key: boards.puzzles_of(EASY.shape, request.pop(key)) for key in ("solve", "phase_forms", "run_in")}
        assert puzzles == {"solve": [EASY, EMPTY], "phase_forms": [EMPTY], "run_in": [EASY]}
        assert request == {"shape": [3, 3], "task": task, "limit_s": limit_s, "how": how, "phases": phases}


@pytest.mark.parametrize("task", ["unique", "count:7"])
def test_requests_are_sent_together_as_long_as_these_and_their_replies_fit(task: str) -> None:
    samples = [Sample([EASY], Task.parse(task), 10.0) for _ in range(50)]
    each = max(len(samples[0].request), samples[0].usual_reply_bytes)
    for room in (1, each, 3 * each, 3 * each + 1, 100 * each):
        requests = fitting(samples, room)
        assert requests == [sample.request for sample in samples[: len(requests)]]
        assert len(requests) == min(50, max(1, room // each))
    assert len(fitting(samples, 10 * each, reply_bytes=5 * each)) == 2
