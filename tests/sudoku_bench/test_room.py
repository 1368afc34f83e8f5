"""Importing the packages of the project leaves the process as it was, and refuses a name that is taken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import TOP


def python(code: str, *path: Path) -> subprocess.CompletedProcess[str]:
    """Run code with only these folders and the standard library on the path."""
    head = f"import sys; sys.path[:0] = {list(map(str, path))}\n"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", head + code], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A folder with another package called ``datasets``."""
    package = tmp_path / "datasets"
    package.mkdir()
    (package / "__init__.py").write_text("def load_dataset(): return 'theirs'\n", encoding="utf-8")
    return tmp_path


def test_importing_the_package_imports_none_of_its_rooms() -> None:
    code = "import sudoku_bench; print([n for n in ('bench', 'datasets', 'solvers', 'numpy') if n in sys.modules])"
    assert python(code, TOP).stdout == "[]\n"


def test_entering_finds_the_packages_and_leaves_the_path_alone(other: Path) -> None:
    code = """
from sudoku_bench import room
before = list(sys.path)
room.enter()
room.enter()
import datasets.puzzle
print(datasets.__file__, sys.path == before)
"""
    done = python(code, other, TOP)
    assert done.stdout == f"{TOP / 'datasets' / '__init__.py'} True\n", done.stderr


def test_another_package_of_the_name_is_refused_in_one_line(other: Path) -> None:
    expected = "this process has already imported another package datasets"
    done = python("import datasets, sudoku_bench; sudoku_bench.load('nowhere')", other, TOP)
    last = done.stderr.splitlines()[-1]
    assert expected in last
    assert str(other / "datasets" / "__init__.py") in last
    done = python("import datasets; from sudoku_bench.__main__ import main; sys.exit(main())", other, TOP)
    assert done.returncode == 2
    assert [line.partition(expected)[0] for line in done.stderr.splitlines()] == ["sudoku-bench: "]
