"""Workers run the code of the command that starts them, wherever the environment has another copy of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import TOP

PUZZLE = "1.....3..4....2."
PLUGIN = """
from pathlib import Path

from sudoku_bench import register, solvers
from sudoku_bench.solvers.search.backtracking import Plain

Path("imported").write_text(solvers.__file__)


@register
class Mine(Plain):
    name = "mine:plain"
"""


@pytest.fixture(scope="module")
def other_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages in another folder."""
    folder = tmp_path_factory.mktemp("other")
    for package in ("bench", "datasets", "solvers", "sudoku_bench"):
        shutil.copytree(TOP / package, folder / package, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.mark.parametrize(
    "arguments", [["solve", PUZZLE], ["solve", PUZZLE, "--plugin", "plugin.py", "-s", "mine:plain"]]
)
def test_workers_run_the_code_of_the_checkout_that_starts_them(other_checkout: Path, arguments: list[str]) -> None:
    (other_checkout / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    command = [sys.executable, "-m", "sudoku_bench", *arguments]
    environ = os.environ | {"PYTHONPATH": str(TOP)}  # where the environment has the packages
    done = subprocess.run(command, cwd=other_checkout, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if "--plugin" in arguments:
        assert (other_checkout / "imported").read_text() == str(
            other_checkout / "sudoku_bench" / "solvers" / "__init__.py"
        )
