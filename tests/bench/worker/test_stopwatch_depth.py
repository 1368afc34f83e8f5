"""Forms are solved at random depths of the stack, which leaves strategies as much of it as before."""

from __future__ import annotations

import sys

import pytest

from sudoku_bench.bench.worker.stopwatch import DEPTHS, at_random_depth
from tests.bench.conftest import FOURS

# The recursion limit counts frames; a worker needs a few of its own.
RECURSIVE = """
    def descend(levels):
        return 0 if levels == 0 else 1 + descend(levels - 1)

    class Recursive(Backtracker):
        name = "test:recursive"

        def search(self, puzzle, task):
            descend(960)
            return super().search(puzzle, task)

    register(Recursive)
"""


def frames() -> int:
    frame, number = sys._getframe(), 0
    while frame.f_back:
        frame, number = frame.f_back, number + 1
    return number


def test_a_call_is_made_at_every_depth() -> None:
    depths = {at_random_depth(frames) for _ in range(40 * DEPTHS)}
    assert len(depths) == DEPTHS
    assert max(depths) - min(depths) == DEPTHS - 1


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration(), MemoryError()])
def test_errors_of_the_call_arrive(error: BaseException) -> None:
    def fail() -> None:
        raise error

    for _ in range(3 * DEPTHS):
        with pytest.raises(type(error)) as caught:
            at_random_depth(fail)
        assert caught.value is error


def test_a_deep_recursion_is_not_cut_off(measure, plugin, puzzles) -> None:
    settings = ("--loops", 20, "--repetitions", 1)
    result = measure("-s", "test:*", "--plugin", plugin(RECURSIVE), "-d", puzzles(FOURS[0]), *settings)
    assert set(result.statuses()) == {"solved"}
