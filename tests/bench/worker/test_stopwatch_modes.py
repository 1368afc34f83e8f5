"""Cold solves, batches and preparation: what their times contain."""

from __future__ import annotations

import pandas as pd
import pytest

from sudoku_bench.bench.process import watch
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.summary import summarize
from tests.bench.conftest import FOURS

pytestmark = pytest.mark.thorough

SLEEP_S, BURN_S = 0.2, 0.08
NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

COLD = f"""
    def burn(seconds):
        start = time.thread_time()
        while time.thread_time() - start < seconds:
            pass

    if sys.argv[0].endswith("server.py"):
        time.sleep({SLEEP_S})
        burn({BURN_S})

    @register
    class Slow(Backtracker):
        name = "test:slow"

        def search(self, puzzle, task):
            child = os.fork()
            if child == 0:
                burn({BURN_S})
                os._exit(0)
            os.waitpid(child, 0)
            return super().search(puzzle, task)

        def counters(self):
            return {{"process": os.getpid()}}

    @register
    class Plain(Backtracker):
        name = "test:plain"
"""


def counter(rows: pd.DataFrame, name: str) -> list[int]:
    return [int(float(dict(p.split("=") for p in text.split("; "))[name])) for text in rows["other_counters"]]


def test_a_cold_solve_is_a_separate_process_timed_from_start_to_end(measure, plugin, puzzles) -> None:
    file = plugin(COLD)
    rows = measure("-s", "test:*", "--plugin", file, "-d", puzzles(*FOURS[:2]), "--mode", "cold", "--repetitions", 1)
    every = rows.all_rows
    assert set(every["status"]) == {"solved"}, set(every["reason"])
    assert every["worker"].is_unique
    assert set(every["stream_position"]) == {0}
    assert set(every["loops"]) == {1}
    measured = rows.rows
    assert (measured["wall_s"] > SLEEP_S + BURN_S).all()  # sleep and CPU work at import
    slow, plain = measured[measured["strategy"] == "test:slow"], measured[measured["strategy"] == "test:plain"]
    assert len(set(counter(slow, "process"))) == len(slow) == 2
    assert (slow["cpu_s"] > 2 * BURN_S).all()  # at import, and by a reaped child
    assert (plain["cpu_s"] > BURN_S).all()
    assert (measured["wall_s"] >= measured["cpu_s"] + SLEEP_S - 0.02).all()
    assert (slow["search_cpu_s"] < slow["cpu_s"]).all()
    floor = every[every["placebo"] == "floor"]
    assert len(floor) == 2
    assert floor["cpu_s"].max() < plain["cpu_s"].min()
    summary = summarize(run_tables.load(rows.folder))
    assert summary["floor_s"].tolist() == pytest.approx([floor["cpu_s"].median()] * 2)
    assert set(summary["strategy"]) == {"test:slow", "test:plain"}


ENDS_BADLY = """
    import atexit, threading

    @register
    class Sleeper(Backtracker):
        name = "test:sleeper"

        def search(self, puzzle, task):
            if puzzle.cells.count(0) == 9:
                threading.Thread(target=time.sleep, args=(600,)).start()
            return super().search(puzzle, task)

    @register
    class Crasher(Backtracker):
        name = "test:crasher"

        def search(self, puzzle, task):
            atexit.register(os.abort)
            return super().search(puzzle, task)
"""


def test_a_cold_process_that_does_not_exit_does_not_block_the_run(measure, plugin, puzzles, monkeypatch, trace) -> None:
    """A remaining thread keeps an interpreter from exiting; a crash at exit does not invalidate the answer."""
    monkeypatch.setattr(watch, "WALL_SLACK_S", 0.5)
    arguments = ("--mode", "cold", "--repetitions", 1, "--timeout", 1)
    rows = measure("-s", "test:*", "--plugin", plugin(ENDS_BADLY), "-d", puzzles(*FOURS[:2]), *arguments).rows
    status = rows.set_index(["strategy", "puzzle"])["status"]
    assert status["test:sleeper", "own-0001"] == "timeout"
    assert status["test:sleeper", "own-0002"] == "solved"
    assert set(rows.loc[rows["strategy"] != "test:sleeper", "status"]) == {"solved"}, set(rows["reason"])
    assert trace.gone()


BATCH = """
    @register
    class Many(Backtracker):
        name = "test:many"

        def solve_many(self, puzzles, task):
            self.asked = [puzzle.cells for puzzle in puzzles]
            start = time.process_time()
            while time.process_time() - start < 0.05:
                pass
            return [self.search(puzzle, task) for puzzle in puzzles]

        def counters(self):
            return {"asked": len(self.asked), "different": len(set(self.asked))}

    @register
    class Few(Many):
        name = "test:few"

        def solve_many(self, puzzles, task):
            return super().solve_many(puzzles, task)[:-1]

    @register
    class Swapped(Many):
        name = "test:swapped"

        def solve_many(self, puzzles, task):
            return super().solve_many(puzzles, task)[::-1]

    @register
    class Plain(Backtracker):
        name = "test:plain"
        calls = 0

        def search(self, puzzle, task):
            self.calls += 1
            return super().search(puzzle, task)

        def counters(self):
            return {"calls": self.calls}

    @register
    class Endless(Backtracker):
        name = "test:endless"

        def solve_many(self, puzzles, task):
            while True:
                pass
"""


def test_a_batch_is_one_call_with_different_forms(measure, plugin, puzzles) -> None:
    arguments = ("--mode", "batch:6", "--repetitions", 2, "--timeout", 0.1)
    rows = measure("-s", "test:*", "--plugin", plugin(BATCH), "-d", puzzles(NINE), *arguments).rows
    assert set(rows["loops"]) == {6}
    assert set(rows["mode"]) == {"batch:6"}
    by_name = dict(iter(rows.groupby("strategy")))
    many = by_name["test:many"]
    assert set(many["status"]) == {"solved"}, set(many["reason"])
    assert counter(many, "asked") == counter(many, "different") == [6, 6]
    assert (many["cpu_s"] >= 0.05 / 6).all()  # per puzzle
    assert (many["cpu_s"] < 0.1).all()
    assert set(by_name["test:few"]["status"]) == {"error"}
    assert by_name["test:few"]["reason"].str.contains("answers to").all()
    assert set(by_name["test:swapped"]["status"]) == {"wrong"}  # answers are checked against their own forms
    assert set(by_name["test:plain"]["status"]) == {"solved"}
    endless = by_name["test:endless"]
    assert set(endless["status"]) == {"timeout"}
    assert set(endless["limit_s"]) == {0.1}  # per puzzle; the call had six times the limit
    assert "more than 0.6 s of CPU time" in endless["reason"].iloc[0]
