"""Installing the wheel writes nothing beside ``sudoku_bench``, and breaks no other package called ``datasets``.

The environments are empty ones; the packages that the project needs are read from the environment of the tests. The
other ``datasets`` is a small distribution of that name.
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

from tests.conftest import TOP

pytestmark = pytest.mark.slow

BUILT_FROM = ("bench", "datasets", "solvers", "sudoku_bench", "pyproject.toml", "setup.py", "README.md", "LICENSE")
BUILD = "from setuptools import build_meta as b; print(b.build_{kind}({out!r}))"
THEIRS = "import datasets; print(datasets.load_dataset)"
PUZZLE = "1.....3..4....2."


@dataclass(frozen=True)
class Environment:
    """A virtual environment without any package."""

    folder: Path

    @property
    def site(self) -> Path:
        return Path(sysconfig.get_path("purelib", vars={"base": str(self.folder), "platbase": str(self.folder)}))

    def run(self, *command: str, code: int = 0) -> str:
        """Run a program of the environment in an empty folder; return what it prints."""
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        environ = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        done = subprocess.run(
            [self.folder / "bin" / command[0], *command[1:]],
            cwd=empty,
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
        self.pip("install", "--quiet", "--no-deps", "--no-index", wheel)

    def files(self) -> set[Path]:
        """All files of the environment, without those that running Python writes."""
        return {path for path in self.site.rglob("*") if path.is_file() and path.suffix != ".pyc"}

    def works(self) -> None:
        """Solve with the command, whose workers are processes of their own, and import the Python interface."""
        assert "exactly one solution" in self.run(
            "sudoku-bench", "solve", PUZZLE, "-s", "seed:norvig", "--task", "unique"
        )
        version = self.run("sudoku-bench", "--version")
        assert version == self.run("python", "-m", "sudoku_bench", "--version")
        code = "import sudoku_bench as sb; print('sudoku-bench', sb.__version__, sb.InputError.__module__)"
        assert self.run("python", "-c", code) == f"{version.rstrip()} datasets.errors\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in BUILT_FROM:
        (source / name).symlink_to(TOP / name)
    for kind in ("wheel", "sdist"):
        code = BUILD.format(kind=kind, out=str(out))
        done = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    [path] = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of another distribution, ``datasets``, with a package of that name."""
    path = tmp_path_factory.mktemp("theirs") / "datasets-9.0-py3-none-any.whl"
    info = "datasets-9.0.dist-info"
    files = {
        "datasets/__init__.py": "def load_dataset(): ...\n",
        "datasets/puzzle.py": "",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: datasets\nVersion: 9.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (files | {f"{info}/RECORD": record}).items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    made = Environment(tmp_path / "environment")
    venv.create(made.folder)
    needed = sysconfig.get_path("purelib")  # a line of a .pth file: its own .pth files have no effect there
    (made.site / "needed.pth").write_text(needed + "\n", encoding="utf-8")
    return made


def test_nothing_is_written_beside_the_package(wheel: Path, built: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"sudoku_bench"}
    for package in ("bench", "datasets", "solvers"):
        expected = {
            path.relative_to(TOP).as_posix()
            for path in (TOP / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".jsonl"
        }
        room = "sudoku_bench/packages/"
        present = {name.removeprefix(room) for name in names if name.startswith(f"{room}{package}/")}
        assert {name for name in expected if not name.startswith("bench/studies/")} == present
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert any(name.endswith("/setup.py") for name in archive.getnames())


def test_the_wheel_alone(environment: Environment, wheel: Path) -> None:
    before = environment.files()
    environment.install(wheel)
    new = {path.relative_to(environment.site).parts[0] for path in environment.files() - before}
    assert {name.partition("-")[0] for name in new} == {"sudoku_bench"}
    environment.works()
    assert "No module named 'bench'" in environment.run("python", "-c", "import bench", code=1)


@pytest.mark.parametrize("ours_first", [True, False], ids=["datasets-second", "datasets-first"])
def test_beside_another_datasets_in_either_order(
    environment: Environment, wheel: Path, theirs: Path, ours_first: bool
) -> None:
    for each in (wheel, theirs) if ours_first else (theirs, wheel):
        environment.install(each)
    environment.works()
    assert "load_dataset" in environment.run("python", "-c", THEIRS)
    both = environment.run("python", "-c", "import datasets, sudoku_bench as sb; sb.load('x')", code=1)
    assert "has already imported another package datasets" in both.splitlines()[-1]


@pytest.mark.parametrize("removed", ["datasets", "sudoku-bench"])
def test_uninstalling_either_leaves_the_other_whole(
    environment: Environment, wheel: Path, theirs: Path, removed: str
) -> None:
    environment.install(theirs if removed == "sudoku-bench" else wheel)
    alone = environment.files()
    environment.install(wheel if removed == "sudoku-bench" else theirs)
    environment.pip("uninstall", "--yes", removed)
    assert environment.files() == alone
    if removed == "datasets":
        environment.works()
    else:
        assert "load_dataset" in environment.run("python", "-c", THEIRS)


def test_a_checkout_whose_environment_has_datasets(environment: Environment, theirs: Path) -> None:
    environment.install(theirs)
    command = f"cd {TOP} && {environment.folder}/bin/python -m bench solve {PUZZLE} -s propagation:bitmask"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "load_dataset" in environment.run("python", "-c", THEIRS)
