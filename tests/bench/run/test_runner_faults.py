"""Any misbehaviour of a strategy becomes a row, no process is left running, and the run continues."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping

import pandas as pd
import pytest

from sudoku_bench.bench.process import watch, worker_process
from tests.bench.conftest import FOURS, Result, write_report

pytestmark = pytest.mark.thorough

SLEEP = shutil.which("sleep")
PUZZLES = FOURS[:3]

# A fault happens at the puzzle with the fewest empty cells, and nowhere else.
FAULTY = '''
    import contextlib, ctypes, hashlib, mmap, signal, subprocess, threading

    TRACE = os.environ["TRACE"]

    class Faulty(Backtracker):
        def search(self, puzzle, task):
            self.doomed = puzzle.cells.count(0) == 9
            answer = self.fault(puzzle, task) if self.doomed else None
            return super().search(puzzle, task) if answer is None else answer

        def fault(self, puzzle, task):
            pass

    def child(work=lambda: time.sleep(600), own_session=False, twice=False, scrubbed=False):
        """Leave a busy process behind."""
        if os.fork():
            if twice:
                os.wait()
            return
        if twice and os.fork():
            os._exit(0)
        if own_session:
            os.setsid()
        if scrubbed:
            os.execve(SLEEP, [TRACE, "600"], {})
        work()
        os._exit(0)

    def spin():
        while True:
            pass

    def filled_at_once(mib):
        """Within less time than between two checks of the watch."""
        return mmap.mmap(-1, mib << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE)

    def filled(mib):
        """Allocate resident pages of that many MiB."""
        return [bytearray(b"x") * 2**20 for _ in range(mib)]
'''


def strategies(faults: Mapping[str, str], method: str = "fault(self, puzzle, task)") -> str:
    """Return the source of a plug-in with a strategy ``test:NAME`` for each fault."""
    lines = [textwrap.dedent(FAULTY), f"SLEEP = {SLEEP!r}"]
    for number, (name, body) in enumerate(faults.items()):
        lines += ["@register", f"class Fault{number}(Faulty):", f'    name = "test:{name}"', f"    def {method}:"]
        lines += textwrap.indent(body, " " * 8).splitlines()
    return "\n".join(lines)


@pytest.fixture
def suffer(measure, plugin, puzzles, trace) -> Callable[..., Result]:
    """Run such strategies on all puzzles, including the one that triggers the fault (with the ``trace`` set)."""

    def call(source: str, *arguments: object) -> Result:
        settings = ("--repetitions", 1, *arguments)
        return measure("-s", "test:*", "--plugin", plugin(source), "-d", puzzles(*PUZZLES), *settings)

    return call


def check(result: Result, expected: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Check that each fault has its status and a short one-line reason, and that all other puzzles are solved.

    Returns the rows of the doomed puzzle.
    """
    assert result.code == 0, result.err
    rows = result.rows
    doomed = rows[rows["puzzle"] == "own-0001"]
    rounds = rows["repetition"].max()
    assert len(rows) == len(expected) * len(PUZZLES) * rounds
    others = rows[rows["puzzle"] != "own-0001"]
    assert set(others["status"]) == {"solved"}, others[others["status"] != "solved"][["strategy", "status", "reason"]]
    statuses = {name: list(group["status"]) for name, group in doomed.groupby("strategy")}
    reasons = doomed.drop_duplicates("strategy").set_index("strategy")["reason"].fillna("")
    assert statuses == {f"test:{name}": [status] * rounds for name, (status, _) in expected.items()}, dict(reasons)
    for name, (_, reason) in expected.items():
        assert reason in reasons[f"test:{name}"]
    for reason in result.all_rows["reason"].dropna():
        assert reason.isprintable()
        assert len(reason) <= 400
    return doomed


def of(faults: Mapping[str, tuple[str, str, str]]) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """A fault and the expected outcome."""
    return {name: body for name, (body, _, _) in faults.items()}, {n: (s, r) for n, (_, s, r) in faults.items()}


ENDLESS = {
    "spins": ("spin()", "timeout", "solve: more than 0.2 s of CPU time"),
    "hangs-in-c": ("hashlib.pbkdf2_hmac('sha512', b'', b'', 2**31 - 1)", "timeout", "CPU time"),
    "swallows": ("while 1:\n    try:\n        spin()\n    except BaseException:\n        pass", "timeout", "CPU time"),
    "ignores-signals": (
        "for number in range(1, 65):\n    with contextlib.suppress(OSError, ValueError):\n"
        "        signal.signal(number, signal.SIG_IGN)\nspin()",
        "timeout",
        "CPU time",
    ),
    "spins-in-threads": (
        "threads = [threading.Thread(target=spin) for _ in range(3)]\n[t.start() for t in threads]\ntime.sleep(600)",
        "timeout",
        "CPU time",
    ),
    "sleeps": ("time.sleep(600)", "timeout", "solve: more than 1 s of wall time"),
    "sleeps-busily": ("while True:\n    time.sleep(0.01)", "timeout", "solve: more than 1 s of wall time"),
}


def test_a_solve_that_does_not_end_is_killed(suffer, trace) -> None:
    bodies, expected = of(ENDLESS)
    doomed = check(suffer(strategies(bodies), "--timeout", 0.2, "--repetitions", 2), expected)
    assert doomed["cpu_s"].isna().all()
    sleeps = doomed["strategy"].str.startswith("test:sleeps")
    assert set(doomed.loc[~sleeps, "limit_clock"]) == {"cpu"}
    asleep = doomed[sleeps].iloc[0]
    assert (asleep["limit_clock"], asleep["limit_s"]) == ("wall", watch.LEAST_IDLE_S)
    again = doomed.groupby("strategy")["reason"].nth(1)
    assert again.str.contains("not repeated").all()
    assert trace.gone()


def test_endless_decoding_is_killed(suffer, trace) -> None:
    body = "if self.doomed:\n    return ([n] * 16 for n in iter(int, 1))\nreturn answer"
    result = suffer(strategies({"decodes": body}, "decode(self, answer)"), "--timeout", 0.3)
    check(result, {"decodes": ("timeout", "CPU time")})
    assert trace.gone()


def test_a_strategy_that_always_fails_says_why_once(measure, plugin, puzzles) -> None:
    source = (
        "from sudoku_bench.solvers import *\n@register\nclass Mine(Strategy):\n    name, search = 'my:none', print\n"
    )
    rows = measure("-s", "my:none", "--plugin", plugin(source), "-d", puzzles(*PUZZLES), "--repetitions", 1).rows
    assert set(rows["reason"]) == {"lead-in: TypeError: 'NoneType' object is not iterable"}


ENDINGS = {
    "raises": ("raise ValueError('no\\nway')", "error", "ValueError: no way"),
    "raises-at-length": ("raise ValueError('no way ' * 10**6)", "error", "ValueError: no way"),
    "raises-bytes": ("raise ValueError('\\udcff\\x00\\x1b[1m\\u2028,\"')", "error", "ValueError: "),
    "raises-oddly": ("class Odd(Exception):\n    def __str__(_):\n        1 / 0\nraise Odd", "error", "Odd"),
    "recurses": ("return self.fault(puzzle, task)", "error", "RecursionError"),
    "interrupts": ("raise KeyboardInterrupt", "error", "SIGINT"),
    "leaves": ("raise SystemExit(4)", "error", "exited with code 4"),
    "leaves-well": ("sys.exit()", "error", "exited with code 0"),
    "exits": ("os._exit(3)", "error", "exited with code 3"),
    "segfaults": ("ctypes.string_at(0)", "error", "SIGSEGV"),
    "aborts": ("os.abort()", "error", "SIGABRT"),
    "is-killed": ("os.kill(os.getpid(), signal.SIGKILL)", "error", "SIGKILL"),
    "is-told-to-end": ("os.kill(os.getpid(), signal.SIGTERM)", "error", "SIGTERM"),
    "gives-up": ("raise GaveUp('out\\nof ideas')", "gave_up", "out of ideas"),
    "gives-up-silently": ("raise GaveUp", "gave_up", "gave up"),
    "answers-nothing": ("return 5", "error", "TypeError"),
}


def test_a_process_that_ends_without_an_answer_becomes_a_row(suffer, trace) -> None:
    bodies, expected = of(ENDINGS)
    result = suffer(strategies(bodies))
    doomed = check(result, expected)
    assert doomed["cpu_s"].isna().all()
    assert trace.gone()
    for _, solves in result.rows.groupby(["strategy", "round"]):
        solves = solves.reset_index(drop=True)
        [at] = solves.index[solves["puzzle"] == "own-0001"]
        if solves.loc[at, "status"] == "error":  # a fresh worker continues
            assert not set(solves.loc[: at - 1, "worker"].dropna()) & set(solves.loc[at + 1 :, "worker"])


SCRIBBLE = """
for fd in range(256):
    with contextlib.suppress(OSError):
        os.write(fd, {text})
"""
NOISE = {
    "floods": (
        "for _ in range(50):\n    os.write(1, b'x' * 10**6)\n    print('x' * 10**6, file=sys.stderr, flush=True)",
        "solved",
        "",
    ),
    "closes-everything": ("os.closerange(0, 256)", "error", "solve: "),
    **{
        f"scribbles-{number}": (SCRIBBLE.format(text=text), "error", "solve: the worker sent an invalid reply")
        for number, text in enumerate(
            (
                "b'}\\n'",
                "b'{}\\n5\\n'",
                "b'[]\\n'",
                """b'["number","status"]\\n'""",
                """b'"number status"\\n'""",
                """b'{"number":"1","status":"ok"}\\n'""",
                "b'[' * 10**5 + b'\\n'",
                "b'\\xff\\n'",
                "b'x' * 3 * 10**6",
            )
        )
    },
}


def test_output_of_a_strategy_is_harmless(suffer, trace) -> None:
    """On its output or on any descriptor, also in the format of replies."""
    bodies, expected = of(NOISE)
    result = suffer(strategies(bodies))
    check(result, expected)
    assert "xxx" not in result.out + result.err
    assert trace.gone()


CHILDREN = {
    "plain": "child()",
    "own-session": "child(own_session=True)",
    "twice": "child(twice=True)",
    "twice-own-session-scrubbed": "child(own_session=True, twice=True, scrubbed=True)",
    "many": "[child(own_session=bool(n % 2), twice=bool(n & 2), scrubbed=bool(n & 4)) for n in range(8)]",
    "popen": "self.kept = subprocess.Popen([SLEEP, '600'])",
}


def test_processes_left_after_the_answer_are_killed_and_reported(suffer, trace) -> None:
    result = suffer(strategies(CHILDREN))
    check(result, dict.fromkeys(CHILDREN, ("solved", "left running and killed")))
    assert trace.gone()


@pytest.mark.parametrize("end", ["ctypes.string_at(0)", "raise ValueError('no way')"])
def test_processes_left_by_a_dead_worker_are_killed(suffer, trace, end: str) -> None:
    """Its children then have another parent; in separate sessions with a scrubbed environment they leave no trace."""
    bodies = {name: f"{body}\n{end}" for name, body in CHILDREN.items()}
    check(suffer(strategies(bodies)), dict.fromkeys(CHILDREN, ("error", "")))
    assert trace.gone()


def test_children_of_a_killed_worker_are_killed_with_it(suffer, trace) -> None:
    bodies = {name: f"{body}\nspin()" for name, body in CHILDREN.items()}
    check(suffer(strategies(bodies), "--timeout", 0.2), dict.fromkeys(CHILDREN, ("timeout", "CPU time")))
    assert trace.gone()


MEMORY_MIB = 300  # more than the runner needs: what a worker of less had at its peak, only the watch sees

# A runner that has once been bigger than the limit, and is no longer; the process of the tests may be so big for good.
ONCE_BIG = f"import sys; hog = bytearray(b'x') * ({MEMORY_MIB + 100} << 20); del hog;"
ONCE_BIG += "from sudoku_bench.bench import cli; from sudoku_bench.bench.commands import report;"
ONCE_BIG += "report.report = lambda *_, **__: 0; sys.exit(cli.main(sys.argv[1:]))"


@pytest.fixture
def suffer_apart(tmp_path, plugin, puzzles, trace) -> Callable[..., Result]:
    """Like ``suffer``, with a separate runner process."""

    def call(source: str, *arguments: object) -> Result:
        asked = ["run", "--out", tmp_path / "run", "-s", "test:*", "--plugin", plugin(source), "-d", puzzles(*PUZZLES)]
        asked += ["--repetitions", 1, *arguments]
        done = subprocess.run(
            [sys.executable, "-c", ONCE_BIG, *map(str, asked)], capture_output=True, text=True, check=False
        )
        return Result(done.returncode, done.stdout, done.stderr, tmp_path / "run")

    return call


HOGS = {
    "bytearrays": "filled(10**6)",
    "numpy": "import numpy\nhog = [numpy.ones(2**17) for _ in range(10**6)]",
    "numpy-at-once": "import numpy\nnumpy.ones(2**40)",
    "memory-file": "fd = os.memfd_create('hog')\n[os.write(fd, b'x' * 2**20) for _ in range(500)]\ntime.sleep(600)",
    "shared": "m = mmap.mmap(-1, 2**30)\nfor at in range(0, 2**30, 4096):\n    m[at] = 1",
    "in-children": "for _ in range(4):\n    child(lambda: (filled(75), time.sleep(600)))\ntime.sleep(600)",
    "in-own-sessions": "for _ in range(4):\n"
    "    child(lambda: (filled(75), time.sleep(600)), own_session=True, twice=True)\ntime.sleep(600)",
    "aborts-high": f"hog = filled_at_once({MEMORY_MIB} - 35)\nos.abort()",
    "segfaults-high": f"hog = filled_at_once({MEMORY_MIB} - 35)\nctypes.string_at(0)",
}


def test_more_memory_than_allowed_is_a_memout(suffer_apart, trace) -> None:
    """Even if the runner was larger before: a child inherits the peak of its parent, which does not count."""
    result = suffer_apart(strategies(HOGS), "--memory", MEMORY_MIB, "--timeout", 60)
    check(result, dict.fromkeys(HOGS, ("memout", "")))
    assert trace.gone()


def test_an_abort_far_below_the_limit_is_an_error(suffer_apart, trace) -> None:
    """Even if the runner was larger before."""
    bodies = {"low": "os.abort()", "half": f"hog = filled({MEMORY_MIB // 2})\nos.abort()"}
    result = suffer_apart(strategies(bodies), "--memory", MEMORY_MIB)
    check(result, dict.fromkeys(bodies, ("error", "SIGABRT")))


def test_memory_that_is_shared_is_counted_once(suffer, trace) -> None:
    """Eight children of a process with 75 MiB share its pages: 75 MiB, not 675."""
    body = "hog = filled(75)\nfor _ in range(8):\n    child(lambda: time.sleep(0.4))\nburn(0.4)"
    result = suffer(strategies({"shares": body}), "--memory", MEMORY_MIB)
    assert set(result.rows["status"]) == {"solved"}, set(result.rows["reason"])


IMPORTS = {
    "raises": ("raise ValueError('no\\nway')", "error", "ValueError: no way"),
    "leaves": ("raise SystemExit(4)", "error", "exited with code 4"),
    "exits": ("os._exit(5)", "error", "exited with code 5"),
    "wants-memory": ("raise MemoryError", "memout", "MemoryError"),
    "segfaults": ("ctypes.string_at(0)", "error", "SIGSEGV"),
    "spins": ("spin()", "error", "more than 1 s of CPU time"),
    "sleeps": ("time.sleep(600)", "error", "of wall time"),
}


ASKED = """
frame, asked = sys._getframe(), None
while frame:
    asked = asked or frame.f_locals.get("setup", {}).get("strategy")
    frame = frame.f_back
"""


@pytest.mark.parametrize("place", ["importing", "prepare"])
def test_a_failed_preparation_has_rows_with_the_reason(suffer, trace, monkeypatch, place: str) -> None:
    monkeypatch.setattr(worker_process, "PREPARE_IDLE_S", 5.0)
    monkeypatch.setattr(worker_process, "PREPARE_LIMIT_S", 1.0)
    bodies, expected = of(IMPORTS)
    if place == "prepare":
        source = strategies(bodies, "prepare(self, shape)")
    else:  # the file can be described, but not imported by a worker
        source = strategies(dict.fromkeys(bodies, "pass")) + ASKED
        for name, body in bodies.items():
            source += f"\nif asked == 'test:{name}':\n" + textwrap.indent(body, "    ")
    result = suffer(source + "\n@register\nclass Good(Backtracker):\n    name = 'test:good'")
    assert result.code == 0, result.err
    rows = result.rows
    for name, (status, reason) in expected.items():
        of_strategy = rows[rows["strategy"] == f"test:{name}"]
        assert set(of_strategy["status"]) == {status}, (name, set(of_strategy["reason"]))
        assert of_strategy["reason"].str.contains(reason, regex=False).all(), set(of_strategy["reason"])
    assert set(rows.loc[rows["strategy"] == "test:good", "status"]) == {"solved"}
    assert trace.gone()


def test_memory_needed_to_send_an_answer_counts_as_memout(suffer) -> None:
    body = """
class Greedy:
    def __index__(self):
        raise MemoryError
return [[Greedy()] * 16]
"""
    check(suffer(strategies({"greedy": body})), {"greedy": ("memout", "MemoryError")})


ANSWERS = {
    "missing": ("[]", "wrong", "0 solutions returned"),
    "twice": ("[right, right]", "wrong", "2 solutions where 1 were requested"),
    "endless": ("[right] * 10**6", "wrong", "1000000 solutions where 1 were requested"),
    "short": ("[right[:-1]]", "wrong", ""),
    "long": ("[[*right, 1]]", "wrong", ""),
    "endless-cells": ("[[1] * 10**6]", "wrong", ""),
    "words": ("['not a solution!!']", "wrong", "malformed"),
    "floats": ("[[float(v) for v in right]]", "wrong", "malformed"),
    "nones": ("[[None] * 16]", "wrong", "malformed"),
    "swapped": ("[[right[1], right[0], *right[2:]]]", "wrong", ""),
    "relabelled": ("[[5 - v for v in right]]", "wrong", ""),
    "zeros": ("[list(puzzle.cells)]", "wrong", ""),
    "huge": ("[[10**3000] * 16]", "wrong", ""),
    "huger": ("[[10**5000] * 16]", "wrong", ""),
    "negative": ("[[-v for v in right]]", "wrong", ""),
    "nothing": ("iter(())", "wrong", "0 solutions"),
    "half": ("type('Half', (), {'__iter__': lambda self: (1 / 0 for _ in '1')})()", "error", "ZeroDivisionError"),
}


def test_no_wrong_answer_is_accepted(suffer) -> None:
    bodies, expected = of(ANSWERS)
    bodies = {
        name: f"right = list(Backtracker.search(self, puzzle, task)[0])\nreturn {body}" for name, body in bodies.items()
    }
    result = suffer(strategies(bodies))
    doomed = check(result, expected)
    assert doomed["reason"].notna().all()
    write_report(result.folder)
    summary = pd.read_csv(result.folder / "summary.csv").set_index("strategy")
    liars = summary["wrong"] > 0
    assert set(summary.index[~liars]) == {"test:half"}  # it raised, which is not an answer
    assert summary.loc[liars, "median_s"].isna().all()
