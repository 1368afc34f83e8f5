"""Which workers are closed when memory is short."""

from __future__ import annotations

import pytest

from sudoku_bench.bench.plan.plan import Entry
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run.slot import LaunchWorkers


class FakeWorkers:
    """Workers of which one starts at the first use."""

    def __init__(self, info: StrategyInfo) -> None:
        self.info, self.alive = info, False

    def close(self) -> None:
        self.alive = False

    renew = close


def entry(name: str, persistent: bool = False) -> Entry:
    return Entry(name, StrategyInfo(name, ("first",), persistent=persistent))


def alive_after(uses: str, room_for: int, persistent: str = "") -> str:
    """Return the names of the entries with a worker after some uses, if memory holds only so many workers."""
    by_name: dict[str, FakeWorkers] = {}

    def new(of: Entry) -> FakeWorkers:
        return by_name.setdefault(of.label, FakeWorkers(of.info))

    room = LaunchWorkers(new, lambda: sum(workers.alive for workers in by_name.values()) >= room_for)
    for name in uses:
        room.of(entry(name, name in persistent)).alive = True
    return "".join(sorted(name for name, workers in by_name.items() if workers.alive))


@pytest.mark.parametrize(
    ("uses", "room_for", "persistent", "alive"),
    [
        *(("abcabc", 3, "", "abc"), ("abc", 2, "", "bc"), ("abac", 2, "", "ac"), ("abcd", 1, "", "d")),
        ("abcd", 2, "a", "ad"),  # what keeps state keeps its worker
        ("abca", 0, "abc", "abc"),  # one that lives needs no room
    ],
)
def test_the_worker_that_was_idle_for_longest_makes_room(uses: str, room_for: int, persistent: str, alive: str) -> None:
    assert alive_after(uses, room_for, persistent) == alive
