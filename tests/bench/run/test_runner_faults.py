"""Whatever a strategy does becomes its rows: every other puzzle and strategy has its own, and no process is left."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from collections.abc import Mapping

import pandas as pd
import pytest

from sudoku_bench.bench.process import watch, worker_process
from tests.bench.conftest import FOURS, Result, write_report

pytestmark = pytest.mark.thorough

PUZZLES = FOURS[:3]
Faults = Mapping[str, tuple[str, str, str]]  # by name: what it does, the status of its rows, a part of their reason

# A fault happens at the puzzle with 9 empty cells, fewer than those that lead in, and nowhere else.
FAULTY = '''
    import contextlib, ctypes, hashlib, itertools, mmap, signal, subprocess, threading

    TRACE = os.environ["TRACE"]

    class Faulty(Backtracker):
        solves = itertools.count(1)

        def encode(self, puzzle):
            self.doomed, self.is_seventh = puzzle.cells.count(0) == 9, next(self.solves) % 7 == 0
            return puzzle

        def search(self, puzzle, task):
            burn(WORK_S)
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

    def filled(mib):
        """Allocate resident pages of that many MiB."""
        return [bytearray(b"x") * 2**20 for _ in range(mib)]

    def filled_at_once(mib):
        """Within less time than between two checks of the watch."""
        return mmap.mmap(-1, mib << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE)
'''


def strategies(faults: Faults, work_s: float = 0.0) -> str:
    """Return a plug-in with a strategy ``test:NAME`` for each fault: the body of ``fault``, or members of its class."""
    text = f"{textwrap.dedent(FAULTY)}\nWORK_S, SLEEP = {work_s}, {shutil.which('sleep')!r}\n"
    for number, (name, (does, _, _)) in enumerate(faults.items()):
        if not does.startswith(("def ", "requires ")):
            does = "def fault(self, puzzle, task):\n" + textwrap.indent(does, "    ")
        text += f'@register\nclass Fault{number}(Faulty):\n    name = "test:{name}"\n{textwrap.indent(does, "    ")}\n'
    return text


def check(result: Result, faults: Faults, always: Faults | None = None, prefix: str = "test:") -> pd.DataFrame:
    """Check the rows of each fault at its puzzle (at all puzzles if ``always``); return them. All others are solved."""
    assert result.code == 0, result.err
    rows, always = result.rows, {f"{prefix}{name}": fault for name, fault in (always or {}).items()}
    every = {f"{prefix}{name}": fault for name, fault in faults.items()} | always
    number = rows["puzzle"].nunique() * rows["repetition"].max()
    assert rows.groupby("strategy").size().to_dict() == dict.fromkeys(every, number)
    is_hit = (rows["puzzle"] == "own-0001") | rows["strategy"].isin(list(always))
    others = rows[~is_hit]
    assert set(others["status"]) == {"solved"}, others[others["status"] != "solved"][["strategy", "status", "reason"]]
    for name, (_, status, reason) in every.items():
        own = rows[is_hit & (rows["strategy"] == name)]
        assert set(own["status"]) == {status}, (name, set(own["reason"]))
        assert reason in own["reason"].fillna("").iloc[0], (name, set(own["reason"]))
    for reason in result.all_rows["reason"].dropna():
        assert reason.isprintable()
        assert len(reason) <= 400
    return rows[is_hit]


@pytest.fixture
def suffer(measure, plugin, puzzles, trace):
    """Run faults once on all puzzles, and check their rows; no process is left."""

    def call(faults: Faults, *arguments: object) -> tuple[Result, pd.DataFrame]:
        settings = ("--repetitions", 1, *arguments)
        result = measure("-s", "test:*", "--plugin", plugin(strategies(faults)), "-d", puzzles(*PUZZLES), *settings)
        rows = check(result, faults)
        assert trace.gone()
        return result, rows

    return call


RAISE = "if self.doomed: raise IndexError('list index out of range')"
BUGS: Faults = {
    "good": ("pass", "solved", ""),
    "encode": (f"def encode(self, p):\n    super().encode(p)\n    {RAISE}\n    return p", "error", "IndexError"),
    "load": (f"def load(self, puzzle):\n    {RAISE}\n    return puzzle", "error", "IndexError: list index"),
    "search": ("raise IndexError('list index out of range')", "error", "IndexError"),
    "decode": (f"def decode(self, answer):\n    {RAISE}\n    return answer", "error", "IndexError"),
    "release": (f"def release(self):\n    {RAISE}", "error", "IndexError"),
    "counters": (f"def counters(self):\n    {RAISE}\n    return {{}}", "solved", "no counters: IndexError"),
    "wrong-type": ("return 5", "error", "TypeError"),
    "prints": ("print('ok', flush=True)\nprint('ok', file=sys.stderr)", "solved", ""),
    "exits": ("exit(3)", "error", "exited with code 3"),
    "recurses": ("return self.fault(puzzle, task)", "error", "RecursionError"),
}
ALWAYS: Faults = {
    "prepare": ("def prepare(self, shape):\n    return {}[shape]", "error", "in prepare: KeyError"),
    "text": ("def decode(self, answer):\n    return [''.join(map(str, answer[0]))]", "wrong", "malformed"),
    "none": ("def search(self, model, task):\n    return None", "error", "TypeError"),
    "missing": ("def prepare(self, shape):\n    import no_such_package", "error", "no_such_package"),
    "requires": ("requires = ('no-such-package',)", "unsupported", "no-such-package"),
}
SEVENTH = {  # of the solves of a process, of which most lead in
    "raises": ("raise IndexError('list index out of range')", "error", "IndexError"),
    "malformed": ("return ['no grid']", "wrong", "malformed"),
    "leaves": ("os.fork() or time.sleep(600)", "solved", ""),
    "exits": ("sys.exit('done')", "error", "exited with code 1"),
}


@pytest.mark.parametrize("work_s", [0.0, 30e-3])
def test_with_default_options_an_ordinary_bug_costs_its_own_rows(measure_all, plugin, puzzles, trace, work_s) -> None:
    file = plugin(strategies({**BUGS, **ALWAYS}, work_s))
    check(measure_all("-s", "test:*", "--plugin", file, "-d", puzzles(*PUZZLES[:2])), BUGS, ALWAYS)
    assert trace.gone()


def test_with_default_options_an_occasional_bug_costs_its_own_rows(measure_all, plugin, puzzles, trace) -> None:
    head = "def search(self, puzzle, task):\n    if self.is_seventh:\n"
    tail = "\n    return super().search(puzzle, task)"
    faults = {name: (head + textwrap.indent(does, " " * 8) + tail, *rest) for name, (does, *rest) in SEVENTH.items()}
    result = measure_all("-s", "test:*", "--plugin", plugin(strategies(faults)), "-d", puzzles(*PUZZLES))
    assert result.code == 0, result.err
    assert set(result.rows.groupby("strategy").size()) == {5 * len(PUZZLES)}
    for name, (_, status, reason) in SEVENTH.items():
        own = result.rows[result.rows["strategy"] == f"test:{name}"]
        failed = own[own["status"] != "solved"]
        assert set(failed["status"]) <= {status}
        assert failed["reason"].str.contains(reason, regex=False).all(), set(failed["reason"])
    assert trace.gone()


SCRIBBLE = "for fd in range(256):\n    with contextlib.suppress(OSError):\n        os.write(fd, {})"
TEXTS = ("b'}\\n'", "b'[]\\n'", """b'{"number":"1","status":"ok"}\\n'""", "b'\\xff\\n'", "b'x' * 3 * 10**6")
CHILDREN = {
    "plain": "child()",
    "own-session": "child(own_session=True)",
    "twice-own-session-scrubbed": "child(own_session=True, twice=True, scrubbed=True)",
    "many": "[child(own_session=bool(n % 2), twice=bool(n & 2), scrubbed=bool(n & 4)) for n in range(8)]",
    "popen": "self.kept = subprocess.Popen([SLEEP, '600'])",
}
ENDINGS: Faults = {
    "raises": ("raise ValueError('no\\nway')", "error", "ValueError: no way"),
    "raises-at-length": ("raise ValueError('no way ' * 10**6)", "error", "ValueError: no way"),
    "raises-bytes": ("raise ValueError('\\udcff\\x00\\x1b[1m\\u2028,\"')", "error", "ValueError: "),
    "raises-oddly": ("class Odd(Exception):\n    def __str__(_):\n        1 / 0\nraise Odd", "error", "Odd"),
    "interrupts": ("raise KeyboardInterrupt", "error", "SIGINT"),
    "leaves-well": ("sys.exit()", "error", "exited with code 0"),
    "exits": ("os._exit(3)", "error", "exited with code 3"),
    "segfaults": ("ctypes.string_at(0)", "error", "SIGSEGV"),
    "aborts": ("os.abort()", "error", "SIGABRT"),
    "is-killed": ("os.kill(os.getpid(), signal.SIGKILL)", "error", "SIGKILL"),
    "forks": ("os.fork()", "solved", ""),  # both answer
    "gives-up": ("raise GaveUp('out\\nof ideas')", "gave_up", "out of ideas"),
    "gives-up-silently": ("raise GaveUp", "gave_up", "gave up"),
    "floods": ("for _ in range(50):\n    os.write(1, b'x' * 10**6)\n    os.write(2, b'x' * 10**6)", "solved", ""),
    "closes-everything": ("os.closerange(0, 256)", "error", "solve: "),
    **{f"scribbles-{n}": (SCRIBBLE.format(text), "error", "an invalid reply") for n, text in enumerate(TEXTS)},
    **{name: (does, "solved", "left running and killed") for name, does in CHILDREN.items()},
    **{f"{name}-raises": (f"{does}\nraise ValueError('no way')", "error", "no way") for name, does in CHILDREN.items()},
    **{f"{name}-dies": (f"{does}\nctypes.string_at(0)", "error", "SIGSEGV") for name, does in CHILDREN.items()},
}


def test_any_end_of_a_process_is_a_row(suffer) -> None:
    """With any output, also in the format of replies; its children end, whatever their session and environment."""
    result, rows = suffer(ENDINGS)
    assert rows.loc[rows["status"] != "solved", "cpu_s"].isna().all()
    assert "xxx" not in result.out + result.err


ANSWERS = {
    "missing": ("[]", "wrong", "0 solutions returned"),
    "endless": ("[right] * 10**6", "wrong", "1000000 solutions where 1 were requested"),
    "long": ("[[*right, 1]]", "wrong", ""),
    "words": ("['not a solution!!']", "wrong", "malformed"),
    "floats": ("[[float(v) for v in right]]", "wrong", "malformed"),
    "relabelled": ("[[5 - v for v in right]]", "wrong", ""),
    "huge": ("[[10**3000] * 16]", "wrong", ""),
    "half": ("type('Half', (), {'__iter__': lambda self: (1 / 0 for _ in '1')})()", "error", "ZeroDivisionError"),
    "greedy": ("[[type('Greedy', (), {'__index__': lambda self: [0] * 10**15})()] * 16]", "memout", "MemoryError"),
}


def test_no_wrong_answer_is_accepted(suffer) -> None:
    right = "right = list(Backtracker.search(self, puzzle, task)[0])\nreturn "
    result, rows = suffer({name: (right + answer, *rest) for name, (answer, *rest) in ANSWERS.items()})
    assert rows["reason"].notna().all()
    write_report(result.folder)
    summary = pd.read_csv(result.folder / "summary.csv").set_index("strategy")
    liars = summary["wrong"] > 0
    assert set(summary.index[~liars]) == {"test:half", "test:greedy"}  # to raise is no answer
    assert summary.loc[liars, "median_s"].isna().all()


COMPUTES = {
    "spins": "spin()",
    "hangs-in-c": "hashlib.pbkdf2_hmac('sha512', b'', b'', 2**31 - 1)",
    "swallows": "while 1:\n    try:\n        spin()\n    except BaseException:\n        pass",
    "ignores-signals": "for n in {*range(1, 65)} - {9, 19, 32, 33}:\n    signal.signal(n, signal.SIG_IGN)\nspin()",
    "spins-in-threads": "for _ in range(3):\n    threading.Thread(target=spin).start()\ntime.sleep(600)",
    "spins-in-a-child": "child(spin)\ntime.sleep(600)",
    "spins-in-an-orphan": "child(spin, own_session=True, twice=True)\ntime.sleep(600)",
    "decodes": "def decode(self, answer):\n    return ([n] * 16 for n in iter(int, 1)) if self.doomed else answer",
    **{f"{name}-spins": f"{does}\nspin()" for name, does in CHILDREN.items()},
}
SLEEPS = {"sleeps": "time.sleep(600)", "sleeps-busily": "while True:\n    time.sleep(0.01)"}
ENDLESS: Faults = {
    **{name: (does, "timeout", "solve: more than 0.2 s of CPU time") for name, does in COMPUTES.items()},
    **{name: (does, "timeout", "solve: more than 1 s of wall time") for name, does in SLEEPS.items()},
}


def test_a_solve_that_does_not_end_is_killed(suffer) -> None:
    """With its children, whose CPU time counts, and not tried again in the launch."""
    _, rows = suffer(ENDLESS, "--timeout", 0.2, "--repetitions", 2)
    assert rows["cpu_s"].isna().all()
    sleeps = rows["strategy"].str.startswith("test:sleeps")
    assert set(rows.loc[~sleeps, "limit_clock"]) == {"cpu"}
    asleep = rows[sleeps].iloc[0]
    assert (asleep["limit_clock"], asleep["limit_s"]) == ("wall", watch.LEAST_IDLE_S)
    assert rows.groupby("strategy")["reason"].nth(1).str.contains("not repeated").all()


MEMORY_MIB = 300  # more than the runner needs: what a worker of less had at its peak, only the watch sees

# A runner that has once been bigger than the limit, and is no longer; the process of the tests may be so big for good.
ONCE_BIG = f"import sys; hog = bytearray(b'x') * ({MEMORY_MIB + 100} << 20); del hog;"
ONCE_BIG += "from sudoku_bench.bench.commands import cli; from sudoku_bench.bench.commands import report;"
ONCE_BIG += "report.report = lambda *_, **__: 0; sys.exit(cli.main(sys.argv[1:]))"
ALLOCATES = {
    "bytearrays": "filled(10**6)",
    "numpy-at-once": "import numpy\nnumpy.ones(2**40)",
    "memory-file": "fd = os.memfd_create('hog')\n[os.write(fd, b'x' * 2**20) for _ in range(500)]\ntime.sleep(600)",
    "shared": "m = mmap.mmap(-1, 2**30)\nfor at in range(0, 2**30, 4096):\n    m[at] = 1",
    "in-sessions": "for _ in range(4):\n    child(lambda: (filled(75), time.sleep(600)), True, True)\ntime.sleep(600)",
    "aborts-high": f"hog = filled_at_once({MEMORY_MIB} - 35)\nos.abort()",
}
SHARES = "hog = filled(75)\nfor _ in range(8):\n    child(lambda: time.sleep(0.4))\nburn(0.4)"  # 75 MiB, not 675
HOGS: Faults = {
    **{name: (does, "memout", "") for name, does in ALLOCATES.items()},
    "aborts-low": ("os.abort()", "error", "SIGABRT"),
    "aborts-half": (f"hog = filled({MEMORY_MIB // 2})\nos.abort()", "error", "SIGABRT"),
    "shares": (SHARES, "solved", ""),
}


def test_more_memory_than_allowed_is_a_memout(plugin, puzzles, tmp_path, trace) -> None:
    """Even if the runner was larger before: a child inherits the peak of its parent, which does not count."""
    asked = ["run", "--out", tmp_path / "run", "-s", "test:*", "--plugin", plugin(strategies(HOGS))]
    asked += ["-d", puzzles(*PUZZLES), "--repetitions", 1, "--memory", MEMORY_MIB, "--timeout", 60]
    command = [sys.executable, "-c", ONCE_BIG, *map(str, asked)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    check(Result(done.returncode, done.stdout, done.stderr, tmp_path / "run"), HOGS)
    assert trace.gone()


PREPARING: Faults = {
    "raises": ("raise ValueError('no\\nway')", "error", "ValueError: no way"),
    "exits": ("os._exit(5)", "error", "exited with code 5"),
    "wants-memory": ("raise MemoryError", "memout", "MemoryError"),
    "segfaults": ("ctypes.string_at(0)", "error", "SIGSEGV"),
    "spins": ("spin()", "error", "more than"),
    "sleeps": ("time.sleep(600)", "error", "of wall time"),
}
ASKED = """
frame, asked = sys._getframe(), None
while frame:
    asked = asked or frame.f_locals.get("setup", {}).get("strategy")
    frame = frame.f_back
"""


@pytest.mark.parametrize("place", ["importing", "prepare"])
def test_a_failed_preparation_has_rows_with_the_reason(measure, plugin, puzzles, trace, monkeypatch, place) -> None:
    monkeypatch.setattr(worker_process, "PREPARE_IDLE_S", 5.0)
    monkeypatch.setattr(worker_process, "PREPARE_LIMIT_S", 1.0)
    indented = {name: textwrap.indent(does, "    ") for name, (does, _, _) in PREPARING.items()}
    if place == "prepare":
        members = {name: (f"def prepare(self, shape):\n{does}", "", "") for name, does in indented.items()}
        source = strategies(members | {"good": BUGS["good"]})
    else:  # the file can be described, but not imported by a worker
        source = strategies(dict.fromkeys((*PREPARING, "good"), BUGS["good"])) + ASKED
        source += "".join(f"\nif asked == 'test:{name}':\n{does}" for name, does in indented.items())
    result = measure("-s", "test:*", "--plugin", plugin(source), "-d", puzzles(*PUZZLES), "--repetitions", 1)
    check(result, {"good": BUGS["good"]}, PREPARING)
    assert trace.gone()
