"""The fixture, used in a project of its own, up to the run that its times become."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sudoku_bench as sb
from bench import cli
from tests.conftest import TOP

pytestmark = pytest.mark.slow

PUZZLE, SOLUTION = ".24....234......", "1243431234212134"
PROJECT = f'''
import pytest
from collections.abc import Callable

PUZZLE = "{PUZZLE}"


@pytest.mark.parametrize("strategy", ["seed:norvig", "propagation:bitmask"])
def test_speed(sudoku_benchmark, strategy):
    sudoku_benchmark(strategy, PUZZLE, rounds=5)


def solve(text):
    from datasets.reading.reader import parse
    from datasets.search import solve as search

    return "".join(map(str, search(parse(text)).solutions[0]))


def test_a_function(sudoku_benchmark):
    sudoku_benchmark(solve, PUZZLE, rounds=5, name="mine:function")


def test_a_wrong_answer_fails(sudoku_benchmark):
    sudoku_benchmark(lambda text: "{SOLUTION}", PUZZLE, rounds=2)
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_mine.py").write_text(PROJECT, encoding="utf-8")
    return tmp_path


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments]
    plugin = [] if installed() else ["-p", "sudoku_bench.pytest_plugin"]
    environ = os.environ | {"PYTHONPATH": str(TOP)}
    return subprocess.run(
        [*command, *plugin], cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=300
    )


def installed() -> bool:
    """Does the environment know the fixture already?"""
    from importlib.metadata import entry_points

    return any(point.value == "sudoku_bench.pytest_plugin" for point in entry_points(group="pytest11"))


def test_times_become_a_run(project: Path) -> None:
    done = run_pytest(project, "--benchmark-json=times.json", "-k", "not wrong")
    assert done.returncode == 0, done.stdout + done.stderr
    assert cli.main(["import", str(project / "times.json"), "--out", str(project / "run")]) == 0
    run = sb.load(project / "run")
    assert set(run.strategies) == {"seed:norvig", "propagation:bitmask", "mine:function"}
    assert set(run.measurements["status"]) == {"solved"}
    assert len(run.measurements) == 3 * 5


def test_a_wrong_answer_fails_the_test(project: Path) -> None:
    done = run_pytest(project, "-k", "wrong")
    assert done.returncode == 1
    assert "wrong answer for" in done.stdout


def test_a_session_that_does_not_use_it_imports_nothing(tmp_path: Path) -> None:
    code = "def test_it():\n    import sys\n    assert not {'bench', 'datasets', 'solvers'} & set(sys.modules)\n"
    (tmp_path / "test_other.py").write_text(code)
    done = run_pytest(tmp_path, "-p", "no:benchmark")
    assert done.returncode == 0, done.stdout
