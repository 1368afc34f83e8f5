"""What a strategy does to the runner costs at most its own rows; where it ends the runner, the run goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sudoku_bench.bench.machine import control_groups, sandbox
from sudoku_bench.bench.process import memory_group
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.worker import process_tree
from tests.bench.conftest import DETACHED, FOURS, MEASURE, Trace

pytestmark = pytest.mark.thorough

# An attack is made in the solve of the puzzle with 9 empty cells. A sandbox keeps variables of the locale (LC).
PLUGIN = (
    DETACHED
    + """
    import contextlib, resource, shutil

    SLEEP = shutil.which("sleep")

    @register
    class Good(Backtracker):
        name = "test:good"

    @register
    class Bad(Backtracker):
        name = "test:bad"

        def search(self, puzzle, task):
            answer = super().search(puzzle, task)
            if puzzle.cells.count(0) == 9 and "LC_ATTACK" in os.environ:
                exec(os.environ["LC_ATTACK"])
            return answer
"""
)

PATIENCE_S = 500  # who starts itself again and again takes the processor from everybody
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(plugin, puzzles, tmp_path: Path, trace: Trace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start the run, or go on with it, in a process of its own; temporary files are in ``tmp``."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    asked = ["run", "-s", "test:*", "--plugin", str(plugin(PLUGIN)), "-d", str(puzzles(*FOURS[:3])), "--pin", "off"]
    asked += ["--out", str(tmp_path / "run"), "--resume", "--timeout", "2"]

    def call(attack: str = "", *arguments: str) -> subprocess.Popen[str]:
        environ = dict(os.environ) | ({"LC_ATTACK": attack} if attack else {})
        command = [sys.executable, "-c", MEASURE, *asked, *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ)

    yield call
    assert trace.gone()
    assert not list((tmp_path / "tmp").iterdir())


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return the exit code and the last line of standard error."""
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert "Traceback" not in errors, errors
    return process.returncode, (errors.splitlines() or [""])[-1]


COUNT = 3 * 5  # rows of a strategy
ATTACKS = {
    "limits": (
        "for name in ('NOFILE', 'FSIZE', 'DATA', 'AS', 'NPROC', 'CPU'):\n"
        "    with contextlib.suppress(PermissionError):\n"
        "        resource.prlimit(os.getppid(), getattr(resource, f'RLIMIT_{name}'), (0, 0))",
        "solved",
    ),
    "leaves-an-orphan": ("detached(lambda: os.execve(SLEEP, [os.environ['TRACE'], '600'], {}))", "solved"),
    "leaves-a-respawner": ("detached(keep_alive)", None),  # its own time is not its own
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_costs_no_row_of_another_strategy(start: Start, tmp_path: Path, attack: str) -> None:
    code, status = ATTACKS[attack]
    ended, line = finished(start(code))
    assert ended == 0, line
    rows = run_tables.load(tmp_path / "run").measurements
    rows = rows[rows["placebo"].isna()]
    assert set(rows.groupby("strategy").size()) == {COUNT}
    is_hit = (rows["strategy"] == "test:bad") & (rows["puzzle"] == "own-0001")
    assert set(rows.loc[~is_hit, "status"]) == {"solved"}
    assert status is None or set(rows.loc[is_hit, "status"]) == {status}
    solved = rows[is_hit & (rows["status"] == "solved")]
    assert attack == "limits" or solved["reason"].str.contains("processes left running and killed").all()


def test_one_line_says_that_a_run_was_killed_and_resuming_goes_on(start: Start, tmp_path: Path) -> None:
    ended, line = finished(start("os.kill(os.getppid(), 9)"))
    assert (ended, "was killed; finished rows are kept" in line, "--resume" in line) == (-signal.SIGKILL, True, True)
    assert finished(start())[0] == 0
    rows = run_tables.load(tmp_path / "run").measurements
    assert (len(rows), set(rows["status"])) == (2 * COUNT, {"solved"})


def test_a_run_whose_terminal_closes_says_how_to_resume(start: Start, tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, what these tests start would ignore it
    try:
        process = start("time.sleep(1)", "--repetitions", "9")
    finally:
        signal.signal(signal.SIGHUP, before)
    rows = tmp_path / "run" / "measurements.csv"
    while process.poll() is None and not (rows.exists() and rows.read_bytes().count(b"\n") > 2):
        time.sleep(0.01)
    process.send_signal(signal.SIGHUP)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "resume with the same command and --out" in errors


@pytest.mark.parametrize("how", ["control group", "sandbox"])
def test_nothing_stays_if_the_runner_is_killed(start: Start, tmp_path: Path, trace: Trace, how: str) -> None:
    """Nothing ties this child to its run: it has its own session, an empty environment, and no worker adopts it."""
    if how == "sandbox" and sandbox.obstacle():
        pytest.skip(sandbox.obstacle())
    with memory_group.joined(memory_group.place()):
        own = [folder for folder in control_groups.folders()[:1] if folder.name.startswith("sudoku-bench-")]
    if how == "control group" and not own:
        pytest.skip("no control group can be made")
    attack = f"detached(lambda: os.execve(SLEEP, ['{trace.word}', '600'], {{}}))\ntime.sleep(9)"
    process = start(attack, *(["--sandbox"] if how == "sandbox" else []))
    child = f"{trace.word}\x00600\x00".encode()
    while process.poll() is None and child not in [process_tree.contents(pid, "cmdline", 99) for pid in trace.alive()]:
        time.sleep(0.01)
    process.kill()
    assert finished(process)[0] == -signal.SIGKILL
