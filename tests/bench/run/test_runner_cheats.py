"""A strategy whose reported time is not what its solves cost has no times, whatever it does to the clock."""

from __future__ import annotations

import textwrap

import pytest

from tests.bench.conftest import FOURS

pytestmark = pytest.mark.thorough

WORK_S = 0.017

# Each cheat costs as much as ``test:honest``.
PLUGIN = """
    import itertools, json, threading

    class Honest(Backtracker):
        def search(self, puzzle, task):
            burn(WORK_S)
            return super().search(puzzle, task)
"""

CHEATS = {
    "patches-time": "def prepare(self, shape):\n    time.process_time = time.perf_counter = lambda: 0.0",
    "reads-later": """
        class Late:
            def __init__(self, digit):
                self.digit = digit

            def __index__(self):
                burn(WORK_S / 16)
                return self.digit

        def search(self, puzzle, task):
            return [[self.Late(v) for v in Backtracker.search(self, puzzle, task)[0]]]
    """,
    "works-in-counters": """
        def search(self, puzzle, task):
            return Backtracker.search(self, puzzle, task)

        def counters(self):
            burn(WORK_S)
            return {}
    """,
    "stops-the-stopwatch": """
        def prepare(self, shape):
            from sudoku_bench.bench.worker import stopwatch
            ticks = itertools.count()
            stopwatch.cpu_s = stopwatch.cpu_end_s = lambda: next(ticks) * 4e-6
    """,
    "computes-meanwhile": """
        def prepare(self, shape):
            def work():
                while True:
                    burn(0.001)
            threading.Thread(target=work, daemon=True).start()
    """,
}
OPEN = ("computes-meanwhile",)  # seen, or its thread had too little of the processor to change a time
HONEST = ("honest", "reads-later", "patches-time")  # reading integers is timed, and the clocks are bound before


def source(cheats: dict[str, str]) -> str:
    text = textwrap.dedent(PLUGIN) + f"\nWORK_S = {WORK_S}\n"
    for number, (name, body) in enumerate(cheats.items()):
        members = textwrap.indent(textwrap.dedent(body), "    ")
        text += f'\n@register\nclass Cheat{number}(Honest):\n    name = "test:{name}"\n{members}\n'
    return text


def test_a_false_time_is_not_accepted(measure, plugin) -> None:
    """Either the time is the true one, or the strategy is mistimed and has no times from then on."""
    file = plugin(source({"honest": "pass", **CHEATS}))
    result = measure("-s", "test:*", "--plugin", file, "-d", "size4", "--limit", 6)
    assert result.code == 0, result.err
    for name, group in result.rows.groupby("strategy"):
        name = str(name).removeprefix("test:")
        if name in HONEST:
            assert set(group["status"]) == {"solved"}, (name, set(group["reason"]))
        if name in HONEST or (name in OPEN and set(group["status"]) == {"solved"}):
            assert (group["cpu_s"] > WORK_S).all(), name
            assert (group["wall_s"] > WORK_S).all(), name
        else:
            assert group.iloc[-1]["status"] == "mistimed", (name, list(group["reason"]))
            mistimed = group[group["status"] == "mistimed"]
            assert mistimed["reason"].str.contains("charged by the system").all(), set(mistimed["reason"])
            assert mistimed[["cpu_s", "wall_s", "search_cpu_s"]].isna().all(axis=None)


OTHERS = """
    import subprocess, threading

    @register
    class Forks(Backtracker):
        name = "test:forks"

        def search(self, puzzle, task):
            if os.fork() == 0:
                sum(range(10**6))
                os._exit(0)
            os.wait()
            return super().search(puzzle, task)

    @register
    class Threads(Backtracker):
        name = "test:threads"

        def search(self, puzzle, task):
            work = [threading.Thread(target=sum, args=(range(10**6),)) for _ in range(3)]
            for thread in work:
                thread.start()
            for thread in work:
                thread.join()
            return super().search(puzzle, task)

    @register
    class Prepares(Backtracker):
        name = "test:prepares"

        def prepare(self, shape):
            self.table = sum(range(10**7))
"""


@pytest.mark.parametrize("mode", ["warm", "batch:3", "cold"])
def test_honest_strategies_of_all_kinds_are_not_accused(measure_all, plugin, puzzles, mode: str) -> None:
    """Children, threads, long preparation."""
    asked = ("-s", "test:*", "--plugin", plugin(OTHERS), "-d", puzzles(*FOURS), "--repetitions", 2, "--mode", mode)
    rows = measure_all(*asked).all_rows
    assert set(rows["status"]) == {"solved"}, set(rows["reason"])
    prepares = rows[rows["strategy"] == "test:prepares"]
    assert mode == "cold" or (prepares["prepare_cpu_s"] > 10 * prepares["cpu_s"]).all()
