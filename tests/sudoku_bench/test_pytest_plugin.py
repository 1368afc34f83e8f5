"""The fixture, used in a project of its own, up to the run that its times become."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import sudoku_bench as sb
from sudoku_bench.bench.commands import cli
from tests.conftest import TOP
from tests.docs.code_blocks import blocks

pytestmark = pytest.mark.thorough

[EXAMPLE] = blocks(TOP / "docs" / "exchange.md", "python")
MINE = """
def solve(text):
    from sudoku_bench.datasets.reading.reader import parse
    from sudoku_bench.datasets.search import solve as search

    return "".join(map(str, search(parse(text)).solutions[0]))
"""
WRONG = """
def test_a_wrong_answer_fails(sudoku_benchmark):
    sudoku_benchmark(lambda text: "1243431234212134", ".24....234......", rounds=2)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project of the page: its tests, and the function that one of them times."""
    (tmp_path / "test_speed.py").write_text(EXAMPLE, encoding="utf-8")
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    return tmp_path


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    plugin = [] if installed() else ["-p", "sudoku_bench.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *arguments]
    # pytest-benchmark measures nothing in what it takes for a worker of pytest-xdist.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environ["PYTHONPATH"] = str(TOP)
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=300)


def installed() -> bool:
    """Does the environment know the fixture already?"""
    return any(point.value == "sudoku_bench.pytest_plugin" for point in entry_points(group="pytest11"))


def test_the_commands_of_the_page_turn_times_into_a_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [commands] = blocks(TOP / "docs" / "exchange.md", "sh")
    measure, turn = (line.split()[1:] for line in commands.splitlines())
    done = run_pytest(project, *measure)
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.chdir(project)
    assert cli.main(turn) == 0
    run = sb.load("results/mine")
    assert set(run.strategies) == {"seed:norvig", "mine:solve"}
    assert set(run.measurements["status"]) == {"solved"}
    assert len(run.measurements) == 2 * 20  # rounds


def test_a_wrong_answer_fails_the_test(tmp_path: Path) -> None:
    (tmp_path / "test_wrong.py").write_text(WRONG, encoding="utf-8")
    done = run_pytest(tmp_path, "--benchmark-json=times.json")
    assert done.returncode == 1
    assert "wrong answer for" in done.stdout
    facts = json.loads((tmp_path / "times.json").read_text())["benchmarks"][0]["extra_info"]
    assert facts["fault"].startswith("wrong answer for")
