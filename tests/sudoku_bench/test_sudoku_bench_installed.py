"""Installing the wheel writes nothing beside ``sudoku_bench``, and works.

The environments are empty ones; the packages that the project needs are read from the environment of the tests. The
wheel is built from the source distribution, so both are complete.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import TOP, only_once
from tests.docs.code_blocks import blocks

pytestmark = pytest.mark.thorough

DOCS = TOP / "docs"
NOT_COPIED = {".git", ".venv", "build", "dist"}
BUILD = "from setuptools import build_meta as b; b.build_{kind}({out!r})"
PUZZLE = "1.....3..4....2."
PLUGIN = """
from sudoku_bench import Strategy, register

@register
class Mine(Strategy):
    name = "mine:broken"
    def search(self, puzzle, task):
        return [][0]
"""
USER = """
import pandas as pd
import sudoku_bench as sb
from sudoku_bench import Clauses, GaveUp, Puzzle, Shape, Task, Unsupported, register_amo, register_encoding
from sudoku_bench.settings import Settings

@sb.register
class Mine(sb.Strategy):
    name = "mine:typed"

def settings() -> Settings:
    return {"strategies": [Mine, "seed:*"], "datasets": "easy", "limit": 5}

table: pd.DataFrame = sb.run(**settings()).summary
number: int = sb.load("run").summary  # type: ignore[assignment]
error: Exception = sb.InputError("line 1")
sb.Strategy().prepare(9)  # type: ignore[arg-type]
sb.compere("run")  # type: ignore[attr-defined]

def pairs(shape: Shape) -> list[list[int]]:
    clauses: str = sb.Clauses(shape.size)  # type: ignore[assignment]
    return sb.Clauses(shape.size).clauses

sb.register_encoding("mine")(pairs)
sb.solve("1", Mine), sb.choose("run").best.title()
"""


@dataclass(frozen=True)
class Environment:
    """A virtual environment without any package."""

    folder: Path

    @property
    def site(self) -> Path:
        return Path(sysconfig.get_path("purelib", vars={"base": str(self.folder), "platbase": str(self.folder)}))

    @property
    def empty(self) -> Path:
        folder = self.folder / "empty"
        folder.mkdir(exist_ok=True)
        return folder

    def run(self, *command: str | Path, code: int = 0, folder: Path | None = None) -> str:
        """Run a program of the environment in an empty folder, or in another; return what it prints."""
        environ = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        environ["NUMBA_DISABLE_JIT"] = "1"  # compiling anew in each environment would take longer than the rest
        done = subprocess.run(
            [self.folder / "bin" / command[0], *command[1:]],
            cwd=folder or self.empty,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def pip(self, *arguments: object) -> None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", self.folder / "bin" / "python"]
        done = subprocess.run([*pip, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr

    def install(self, wheel: Path) -> None:
        self.pip("install", "--quiet", "--no-deps", "--no-index", "--no-compile", wheel)

    def files(self) -> set[Path]:
        """All files of the environment, without those that running writes beside the code."""
        return {path for path in self.site.rglob("*") if path.is_file() and path.parent.name != "__pycache__"}

    def ours_works(self) -> None:
        """Solve and check a plug-in with the command, whose workers are processes, and import the Python interface."""
        asked = ("sudoku-bench", "solve", PUZZLE, "-s", "seed:norvig", "--task", "unique")
        assert "exactly one solution" in self.run(*asked)
        (self.empty / "mine.py").write_text(PLUGIN, encoding="utf-8")
        found = self.run("sudoku-bench", "check-plugin", "mine.py", code=1)
        assert " first: IndexError: list index out of range (mine.py:8)\nmine.py: 1 check, 1 fault" in found
        code = "import sudoku_bench as sb; print('sudoku-bench', sb.__version__); sb.InputError"
        assert self.run("python", "-c", code) == self.run("sudoku-bench", "--version")

    def type_checked(self, *modules: str) -> None:
        """Check modules strictly, as their authors would."""
        names = [f"module_{number}.py" for number in range(len(modules))]
        for name, code in zip(names, modules, strict=True):
            (self.empty / name).write_text(code, encoding="utf-8")
        python = ("--python-executable", self.folder / "bin" / "python")
        command = [sys.executable, "-m", "mypy", "--strict", *python, *names]
        done = subprocess.run(command, cwd=self.empty, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that is built from it; one for all processes of pytest."""

    def build(folder: Path) -> None:
        source = folder / "source"
        source.mkdir()
        for path in TOP.iterdir():
            if path.name not in NOT_COPIED and path.suffix != ".egg-info":
                (source / path.name).symlink_to(path)
        run_build("sdist", source, folder)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder / "unpacked", filter="data")
        [unpacked] = (folder / "unpacked").iterdir()
        run_build("wheel", unpacked, folder)

    return only_once(tmp_path_factory, "built", build)


def run_build(kind: str, source: Path, out: Path) -> None:
    code = BUILD.format(kind=kind, out=str(out))
    done = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def ours(built: Path) -> Path:
    [wheel] = built.glob("*.whl")
    return wheel


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    made = Environment(tmp_path / "environment")
    venv.create(made.folder)
    needed = sysconfig.get_path("purelib")  # a line of a .pth file: its own .pth files have no effect there
    (made.site / "needed.pth").write_text(needed + "\n", encoding="utf-8")
    return made


def test_the_wheel_has_all_files_of_the_packages_below_one_package(ours: Path) -> None:
    names = zipfile.ZipFile(ours).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"sudoku_bench"}
    for package in ("bench", "datasets", "solvers"):
        expected = {
            path.relative_to(TOP).as_posix()
            for path in (TOP / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".jsonl"
        }
        present = {name.removeprefix("sudoku_bench/") for name in names if name.startswith(f"sudoku_bench/{package}/")}
        assert expected == present


def test_the_source_distribution_has_what_the_repository_has(built: Path) -> None:
    if not (TOP / ".git").exists():
        pytest.skip("what is committed is known in a checkout only")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]  # or would be committed
    listed = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout
    committed = {name for name in listed.splitlines() if (TOP / name).exists()}
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        members = {member.name.partition("/")[2] for member in archive if not member.isdir()}
    links = {f"sudoku_bench/{package}" for package in ("bench", "datasets", "solvers")}
    twice = {f"sudoku_bench/{name}" for name in committed if name.startswith(("bench/", "datasets/", "solvers/"))}
    made = {name for name in members if name.startswith("sudoku_bench.egg-info/")} | {"PKG-INFO", "setup.cfg"}
    assert committed - links - members == set()
    assert members - committed - twice - made == set()


def test_tests_run_where_the_source_distribution_is_unpacked(built: Path) -> None:
    [unpacked] = (built / "unpacked").iterdir()
    tests = ("tests/test_house.py", "tests/datasets/test_puzzle.py", "tests/docs/test_docs.py")
    options = ("-q", "-p", "no:xdist", "-k", "house or test_puzzle or links")
    command = [sys.executable, "-m", "pytest", *options, *tests]
    done = subprocess.run(command, cwd=unpacked, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_an_installation_works_and_adds_one_package(environment: Environment, ours: Path) -> None:
    empty = environment.files()
    environment.install(ours)
    new = {path.relative_to(environment.site).parts[0] for path in environment.files() - empty}
    assert {name.partition("-")[0] for name in new} == {"sudoku_bench"}
    environment.ours_works()


def test_type_checkers_know_the_public_names(environment: Environment, ours: Path) -> None:
    environment.install(ours)
    plugins = [*blocks(DOCS / "add-a-strategy.md", "python"), *blocks(DOCS / "add-an-encoding.md", "python")[:2]]
    environment.type_checked(USER, *plugins)
