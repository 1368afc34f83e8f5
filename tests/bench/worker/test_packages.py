"""Workers that run the code of another checkout are refused."""

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
    "arguments", [["solve", PUZZLE], ["solve", PUZZLE, "--plugin", "plugin.py"], ["run", "--limit", "1", "-d", "size4"]]
)
def test_workers_of_another_checkout_are_refused_in_one_line(other_checkout: Path, arguments: list[str]) -> None:
    (other_checkout / "plugin.py").write_text("from solvers import Strategy\n", encoding="utf-8")
    command = [sys.executable, "-m", "bench", *arguments]
    done = subprocess.run(command, cwd=other_checkout, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2, done.stderr
    [line] = done.stderr.splitlines()
    assert (
        f"its workers would measure bench in {TOP / 'bench'}, but this command runs {other_checkout / 'bench'}" in line
    )


def test_a_checkout_on_the_path_of_its_workers_is_accepted(other_checkout: Path) -> None:
    command = [sys.executable, "-m", "bench", "solve", PUZZLE]
    environ = os.environ | {"PYTHONPATH": str(other_checkout)}
    done = subprocess.run(
        command, cwd=other_checkout, env=environ, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_every_package_is_compared() -> None:
    for name in packages.PACKAGES:
        with pytest.raises(InputError, match=f"would measure {name} in /elsewhere"):
            packages.require_same(packages.locations() | {name: "/elsewhere"}, "python")
