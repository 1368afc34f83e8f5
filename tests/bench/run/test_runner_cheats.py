"""A strategy whose reported time is not what its solves cost has no times, whatever it does to the clock."""

from __future__ import annotations

import textwrap

import pytest

from tests.bench.conftest import FOURS

pytestmark = pytest.mark.slow

WORK_S = 0.017

# Each cheat costs as much as ``test:honest``.
PLUGIN = """
    import contextlib, ctypes, itertools, json, threading

    def unseen(work):
        '''Start a process that is no descendant of this one.'''
        ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                work()
            os._exit(0)
        os.wait()

    class Honest(Backtracker):
        def search(self, puzzle, task):
            burn(WORK_S)
            return super().search(puzzle, task)
"""

CHEATS = {
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
    "knows": """
        def prepare(self, shape):
            from datasets.puzzle import Puzzle
            from datasets.reading.reader import parse
            from solvers.strategy import FIRST
            with open(os.environ["PUZZLES"], encoding="ascii") as file:
                puzzles = [parse(line.strip()) for line in file]
            self.known = {puzzle.cells: Backtracker.search(self, puzzle, FIRST) for puzzle in puzzles}

        def search(self, puzzle, task):
            return self.known.get(puzzle.cells) or Honest.search(self, puzzle, task)
    """,
    "has-a-helper": """
        def prepare(self, shape):
            asked, self.ask = os.pipe()
            self.answer, answered = os.pipe()

            def serve():
                while os.read(asked, 1):
                    burn(WORK_S)
                    os.write(answered, b"x")

            unseen(serve)
            os.close(asked), os.close(answered)

        def search(self, puzzle, task):
            with contextlib.suppress(OSError):  # it is killed when any worker ends
                os.write(self.ask, b"x")
                os.read(self.answer, 1)
            return Backtracker.search(self, puzzle, task)
    """,
    "stops-the-stopwatch": """
        def prepare(self, shape):
            from bench.worker import stopwatch
            ticks = itertools.count()
            stopwatch.cpu_s = stopwatch.cpu_end_s = lambda: next(ticks) * 4e-6
    """,
    "stops-all-clocks": """
        def prepare(self, shape):
            from bench.worker import clocks, server, stopwatch
            ticks = itertools.count()
            for module in (clocks, server, stopwatch):
                for name in ("cpu_s", "cpu_end_s", "own_cpu_s", "_process_time"):
                    if hasattr(module, name):
                        setattr(module, name, lambda: next(ticks) * 4e-6)
    """,
    "stops-at-nothing": """
        def prepare(self, shape):
            from bench.worker import stopwatch
            stopwatch.cpu_s = stopwatch.cpu_end_s = lambda: 0.0
    """,
    "forges": """
        asked = None

        def search(self, puzzle, task):
            answer = Honest.search(self, puzzle, task)
            frame, found = sys._getframe(), {}
            while frame:
                found = {**frame.f_locals, **found}
                frame = frame.f_back
            request = found["request"]
            if request["number"] != self.asked:
                self.asked = request["number"]
                signed = {key: request[key] for key in ("number", "key") if key in request}
                times = dict.fromkeys(("wall_s", "cpu_s", "before_cpu_s", "aside_cpu_s"), 1e-7)
                for reply in (
                    {"status": "ok", "peak_rss_mib": None, **times},
                    {"answers": [answer], "counters": {}, "left": 0, "after_cpu_s": 0.0},
                ):
                    os.write(found["write_fd"], json.dumps({**signed, **reply}).encode() + b"\\n")
            return answer
    """,
    "computes-meanwhile": """
        def prepare(self, shape):
            def work():
                while True:
                    burn(0.001)
            threading.Thread(target=work, daemon=True).start()
    """,
}
CHEATS["knows-nothing-else"] = CHEATS["knows"].replace("Honest.search(self, puzzle, task)", "[puzzle.cells]")

REASONS = {
    "knows": "forms that it could not know were not solved, or took 10 times as long",
    "knows-nothing-else": "forms that it could not know were not solved",
    "has-a-helper": "it waits",
    "stops-the-stopwatch": "charged by the system",
    "stops-all-clocks": "charged by the system",
    "stops-at-nothing": "charged by the system",
    "forges": "charged by the system",
    "computes-meanwhile": "charged by the system|it computes between solves",
}


def source(cheats: dict[str, str]) -> str:
    text = textwrap.dedent(PLUGIN) + f"\nWORK_S = {WORK_S}\n"
    for number, (name, body) in enumerate({"honest": "pass", **cheats}.items()):
        members = textwrap.indent(textwrap.dedent(body), "    ")
        text += f'\n@register\nclass Cheat{number}(Honest):\n    name = "test:{name}"\n{members}\n'
    return text


@pytest.fixture
def measured(measure, plugin, puzzles, monkeypatch):
    """Run the honest strategy and some cheats on puzzles that they may know."""
    file = puzzles(*FOURS)
    monkeypatch.setenv("PUZZLES", str(file))

    def call(cheats: dict[str, str], *arguments: object):
        settings = ("--repetitions", 2, "--loops", 1, "--isomorphs", "off", "--timeout", 5, *arguments)
        result = measure("-s", "test:*", "--plugin", plugin(source(cheats)), "-d", file, *settings)
        assert result.code == 0, result.err
        return result.rows

    return call


# A helper outside the worker's tree is killed when any worker ends, which those that check other cheats do.
ALONE = {"has-a-helper"}


@pytest.mark.parametrize("names", [ALONE, CHEATS.keys() - ALONE], ids=["helper", "others"])
def test_a_false_time_is_not_accepted(measured, names: set[str]) -> None:
    """Either the time is the true one, or the strategy is mistimed and has no times from then on."""
    rows = measured({name: body for name, body in CHEATS.items() if name in names})
    for name, group in rows.groupby("strategy"):
        name = str(name).removeprefix("test:")
        last = group.iloc[-1]
        if name in REASONS:
            assert last["status"] == "mistimed", (name, list(group["reason"]))
            mistimed = group[group["status"] == "mistimed"]
            assert mistimed["reason"].str.contains(REASONS[name]).all(), set(mistimed["reason"])
            assert mistimed[["cpu_s", "wall_s", "search_cpu_s"]].isna().all(axis=None)
        else:  # the honest one, and integers that are read later: reading them is timed
            assert set(group["status"]) == {"solved"}, (name, set(group["reason"]))
            assert (group["cpu_s"] > WORK_S).all(), name
            assert (group["wall_s"] > WORK_S).all(), name


def test_replacing_the_functions_of_the_time_module_does_not_stop_the_clock(measured) -> None:
    body = "def prepare(self, shape):\n    time.process_time = time.perf_counter = lambda: 0.0"
    rows = measured({"patches-time": body})
    assert set(rows["status"]) == {"solved"}
    assert (rows["cpu_s"] > WORK_S).all()


def test_a_reply_that_the_strategy_writes_is_not_accepted(measured) -> None:
    """Without the key of the request it is no reply at all."""
    body = CHEATS["forges"].replace('("number", "key")', '("number",)')
    rows = measured({"forges": body})
    forged = rows[rows["strategy"] == "test:forges"]
    assert set(forged["status"]) == {"error"}
    assert forged["reason"].str.contains("the worker sent an invalid reply").all()


@pytest.mark.parametrize("cheat", ["stops-at-nothing", "stops-all-clocks"])
def test_a_run_with_a_pilot_survives_a_clock_that_stands_still(measure, plugin, puzzles, cheat: str) -> None:
    """The pilot divides by times."""
    settings = ("--plugin", plugin(source({cheat: CHEATS[cheat]})), "-d", puzzles(*FOURS), "--repetitions", 1)
    result = measure("-s", "test:*", "-s", "seed:norvig", *settings)
    assert result.code == 0, result.err
    statuses = result.rows.groupby("strategy")["status"].agg(set)
    assert statuses["test:honest"] == statuses["seed:norvig"] == {"solved"}
    assert "solved" not in statuses[f"test:{cheat}"]


SHORT = """
    @register
    class Short(Backtracker):
        name = "test:short"
"""


def test_short_solves_are_compared_over_a_launch(measure, plugin, puzzles) -> None:
    """A stopwatch that shows a tenth of half a millisecond is found once most samples are seen."""
    cheat = (
        SHORT
        + """
        def prepare(self, shape):
            from bench.worker import stopwatch
            for name in ("cpu_s", "cpu_end_s"):
                setattr(stopwatch, name, lambda clock=getattr(stopwatch, name): clock() / 10)

        def search(self, puzzle, task):
            burn(5e-4)
            return super().search(puzzle, task)
    """
    )
    rows = measure("-s", "test:*", "--plugin", plugin(cheat), "-d", puzzles(*FOURS), "--repetitions", 3).rows
    assert (rows["run_in"] > 0).any() or "mistimed" in set(rows["status"])
    assert rows["status"].iloc[-1] == "mistimed", set(rows["reason"])


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

    @register
    class Counts(Backtracker):
        name = "test:counts"

        def counters(self):
            return {"work": sum(range(10**5))}
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("-s", "test:*", "--repetitions", 2),
        pytest.param(("-s", "test:*", "--repetitions", 2, "--mode", "batch:3"), marks=pytest.mark.thorough),
        ("-s", "test:forks", "-s", "test:threads", "--repetitions", 1, "--mode", "cold"),
    ],
)
def test_honest_strategies_of_all_kinds_are_not_accused(measure_all, plugin, puzzles, arguments) -> None:
    """Children, threads, long preparation, counters that take longer than the solve; in every mode."""
    rows = measure_all(*arguments, "--plugin", plugin(OTHERS + SHORT), "-d", puzzles(*FOURS)).all_rows
    assert set(rows["status"]) == {"solved"}, set(rows["reason"])
