"""The Makefile: its targets, and one clear line where something is missing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent


def make(folder: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))} | environ
    return subprocess.run(
        [shutil.which("make") or "make", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """As much of a fresh checkout as setting up looks at."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(TOP / name, tmp_path)
    shutil.copytree(TOP / "lock", tmp_path / "lock")
    return tmp_path


def set_up(checkout: Path) -> None:
    for stamp in ("base", "ready"):
        (checkout / ".venv" / f"{stamp}-{platform.python_version()}").touch()


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that is not make's own."""
    assert done.returncode != 0
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.parametrize("target", ["setup", "bench", "test", "lint"])
def test_a_missing_python_is_one_line(checkout: Path, target: str) -> None:
    assert "no-such-python is not there" in complaint(make(checkout, target, "PYTHON=no-such-python"))


@pytest.mark.parametrize("complete", [False, True])
def test_the_reference_run_is_replaced_by_a_complete_one_only(checkout: Path, complete: bool) -> None:
    program = checkout / ".venv" / "bin" / "sudoku-bench"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nmkdir -p "$4"; echo "$*" > "$4/asked"; exit {0 if complete else 130}\n')
    program.chmod(0o755)
    set_up(checkout)
    old, new = checkout / "results" / "reference", checkout / "results" / "reference.new"
    old.mkdir(parents=True)
    (old / "summary.csv").touch()
    done = make(checkout, "reference", f"PYTHON={sys.executable}")
    assert (done.returncode == 0) == complete
    assert (old / "summary.csv").exists() == (not complete)
    assert new.exists() == (not complete)
    asked = (old if complete else new) / "asked"
    assert asked.read_text() == "run reference --out results/reference.new --resume\n"


PYTHON = """#!/bin/sh
case "$*" in
    *"-m venv"*) mkdir -p .venv/bin; cp "$0" .venv/bin/python; cp "$0" .venv/bin/sudoku-bench;;
    *"-m pip"*|"run main"*) echo "$*" | sed 's/.*--no-compile //' >>asked;;
    *compileall*|*pytest*) ;;
    *) exec {real} "$@";;
esac
"""


BASE, OWN = ("--require-hashes -r lock/base.txt",), "--no-build-isolation --no-deps -e ."


def test_setting_up_has_a_line_per_step_and_adds_to_what_bench_needs(checkout: Path) -> None:
    python = checkout / "python"
    python.write_text(PYTHON.replace("{real}", sys.executable), encoding="utf-8")
    python.chmod(0o755)
    without = make(checkout, "bench", f"PYTHON={python}", CC="no-such-compiler")
    assert without.stderr.count("\n") == 1
    assert "no C compiler, or no Python headers: pycosat and PyEDA are left out" in without.stderr
    assert without.stdout.count("set-up: ") == 3
    compiler = "cat >/dev/null; true"
    (checkout / "cc").write_text(f"#!/bin/sh\n{compiler}\n", encoding="utf-8")
    (checkout / "cc").chmod(0o755)
    (checkout / ".venv" / f"base-{platform.python_version()}").unlink()
    for _ in range(2):
        assert make(checkout, "setup", f"PYTHON={python}", CC=str(checkout / "cc")).stderr == ""
    assert (checkout / "asked").read_text().splitlines() == [
        *(*BASE, OWN),
        "run main",
        *(*BASE, "--require-hashes -r lock/seeds.txt --no-build-isolation --use-pep517", OWN),
        "--require-hashes -r lock/all.txt",
    ]


RELEASING = """#!/bin/sh
echo "$(basename "$0") $*" | cut -c -80 >>asked
case "$*" in *"$FAILS"*) exit 1;; esac
mkdir -p dist; touch dist/built
"""
STEPS = [
    *("ruff check .", "ruff format --check .", "mypy "),
    "python -m pytest -n 3 --dist worksteal -m not thorough",
    "python -m pytest -n 3 --dist worksteal -m thorough",
    "python -c from setuptools import build_meta",
]


@pytest.mark.parametrize("fails", ["format", "-m not thorough", "-m thorough", "nothing"])
def test_a_release_is_built_after_all_that_must_hold(checkout: Path, fails: str) -> None:
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "ruff", "mypy"):
        (programs / name).write_text(RELEASING, encoding="utf-8")
        (programs / name).chmod(0o755)
    set_up(checkout)
    done = make(checkout, "release", f"PYTHON={sys.executable}", FAILS=fails)
    assert (done.returncode == 0) == (fails == "nothing")
    asked = (checkout / "asked").read_text().splitlines()
    assert len(asked) == next((n for n, step in enumerate(STEPS, 1) if fails in step), len(STEPS))
    assert all(line.startswith(step) for line, step in zip(asked, STEPS, strict=False)), asked
    assert (checkout / "dist" / "built").exists() or fails != "nothing"


def test_the_lock_pins_every_dependency_with_hashes_and_one_version() -> None:
    versions: dict[str, str] = {}
    for path in sorted((TOP / "lock").glob("*.txt")):
        for entry in re.split(r"\n(?=[\w.-]+==)", re.sub("^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.M)):
            head, *hashes = entry.strip().split(" \\\n    ")
            match = re.fullmatch(r"([\w.-]+)==([^\s;]+)( ; .*)?", head)
            assert match, head
            assert versions.setdefault(match[1], match[2]) == match[2]
            assert hashes, head
            assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", text) for text in hashes), head
    project = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    wanted = set(re.findall(r'^    "([\w-]+)>=', project, flags=re.MULTILINE))
    assert len(wanted) > 10
    assert wanted <= versions.keys()
