"""Which workers are closed when memory is short."""

from __future__ import annotations

from sudoku_bench.bench.plan.plan import Contestant
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run.lane import LaunchWorkers


class FakeWorkers:
    """Workers of which one starts at the first use."""

    def __init__(self, info: StrategyInfo) -> None:
        self.info, self.alive = info, False

    def close(self) -> None:
        self.alive = False

    renew = close


def contestant(name: str, persistent: bool = False) -> Contestant:
    return Contestant(name, StrategyInfo(name, ("first",), persistent=persistent))


def alive_after(uses: str, room_for: int, persistent: str = "") -> str:
    """Return the names of the contestants with a worker after some uses, if memory holds only so many workers."""
    by_name: dict[str, FakeWorkers] = {}

    def new(of: Contestant) -> FakeWorkers:
        return by_name.setdefault(of.label, FakeWorkers(of.info))

    room = LaunchWorkers(new, lambda: sum(workers.alive for workers in by_name.values()) >= room_for)
    for name in uses:
        room.of(contestant(name, name in persistent)).alive = True
    return "".join(sorted(name for name, workers in by_name.items() if workers.alive))


def test_all_workers_stay_while_there_is_memory() -> None:
    assert alive_after("abcabc", room_for=3) == "abc"


def test_the_worker_that_was_idle_for_longest_makes_room() -> None:
    assert alive_after("abc", room_for=2) == "bc"
    assert alive_after("abac", room_for=2) == "ac"
    assert alive_after("abcd", room_for=1) == "d"


def test_a_strategy_that_keeps_state_keeps_its_worker() -> None:
    assert alive_after("abcd", room_for=2, persistent="a") == "ad"


def test_a_worker_that_lives_needs_no_room() -> None:
    assert alive_after("abca", room_for=0, persistent="abc") == "abc"
