"""The outcome of a measurement from what a worker reports."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.run.outcome import Outcome, outcome_of
from sudoku_bench.bench.worker.clocks import RESOLUTION_S
from sudoku_bench.datasets.isomorphs import isomorph
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST

FULL = parse("1234341221434321")
PLAN = Plan(Suite(), FIRST, (), (), (), {})  # with a limit of 10 s


def outcome(forms: int = 1, **reply: Any) -> Outcome:
    values = {"cpu_s": 1.0, "wall_s": 1.0, "longest_wall_s": 1.0, "answers": [[FULL.cell_bytes]] * forms} | reply
    form = (FULL, isomorph(1, FULL, 0))
    return outcome_of(PLAN, Reference(1, FULL.cells, 2), [form] * forms, Reply("ok", **values))


@pytest.mark.parametrize(
    ("forms", "reply", "status", "has_times"),
    [
        (1, {}, "solved", True),
        (1, {"cpu_s": 1e-6, "wall_s": 2e-6}, "solved", True),
        (1, {"cpu_s": 0.0}, "unsupported", False),
        (1, {"cpu_s": -1e-7}, "unsupported", False),
        (1, {"wall_s": RESOLUTION_S / 2}, "unsupported", False),
        (1, {"cpu_s": 10.1}, "timeout", False),
        (1, {"longest_wall_s": 11.0}, "solved", True),  # other programs had the processor
        (2, {"cpu_s": 5.1, "longest_wall_s": 10.1}, "timeout", False),  # one of both
        (2, {"cpu_s": 5.1, "longest_wall_s": 9.0}, "solved", True),
        (1, {"malformed": "3 cells", "answers": ()}, "wrong", True),
        (1, {"answers": [[]]}, "wrong", True),
        (2, {"answers": [[FULL.cell_bytes], [FULL.cell_bytes[:-1] + b"\x02"]]}, "wrong", True),
        (2, {"answers": [[FULL.cell_bytes], [FULL.cell_bytes[:-1]]]}, "wrong", True),
    ],
)
def test_the_outcome_of_a_reply(forms: int, reply: dict[str, Any], status: str, has_times: bool) -> None:
    found = outcome(forms, **reply)
    assert (found.status, found.has_times) == (status, has_times)
    assert (found.reason is None) == (status == "solved")


def test_notes_of_the_worker_stay_with_a_solved_row() -> None:
    assert outcome(reason="no lead-in").reason == "no lead-in"


def test_false_times_are_none() -> None:
    false = outcome().mistimed("1 ms reported")
    assert (false.status, false.reason, false.has_times, false.solutions) == ("mistimed", "1 ms reported", False, 1)
