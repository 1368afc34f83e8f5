"""Workers run the code of the command that starts them, wherever the environment has another copy of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.worker import packages
from datasets.errors import InputError
from tests.conftest import TOP

pytestmark = pytest.mark.slow

PUZZLE = "1.....3..4....2."
PLUGIN = """
from pathlib import Path

import solvers
from solvers.search.backtracking import Plain

Path("imported").write_text(solvers.__file__)


@solvers.register
class Mine(Plain):
    name = "mine:plain"
"""


@pytest.fixture(scope="module")
def other_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages in another folder."""
    folder = tmp_path_factory.mktemp("other")
    for package in packages.PACKAGES:
        for file in (TOP / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                copy = folder / file.relative_to(TOP)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.symlink_to(file) if file.suffix != ".py" else copy.write_bytes(file.read_bytes())
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", PUZZLE],
        ["solve", PUZZLE, "--plugin", "plugin.py", "-s", "mine:plain"],
    ],
)
def test_workers_run_the_code_of_the_checkout_that_starts_them(other_checkout: Path, arguments: list[str]) -> None:
    (other_checkout / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    command = [sys.executable, "-m", "bench", *arguments]
    environ = os.environ | {"PYTHONPATH": str(TOP)}  # where the environment has the packages
    done = subprocess.run(command, cwd=other_checkout, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if "--plugin" in arguments:
        assert (other_checkout / "imported").read_text() == str(other_checkout / "solvers" / "__init__.py")


def test_every_package_is_compared() -> None:
    for name in packages.PACKAGES:
        with pytest.raises(InputError, match=f"would measure {name} in /elsewhere"):
            packages.require_same(packages.locations() | {name: "/elsewhere"}, "python")
