"""The solver, the suite and the package in docs/external.md and docs/add-a-strategy.md work as written."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.solvers.external.command import Command
from sudoku_bench.solvers.sat.engines import PROGRAMS
from tests.bench.conftest import FOURS
from tests.conftest import TOP
from tests.docs.code_blocks import blocks

DOCS = TOP / "docs"
EXTERNAL = (DOCS / "external.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder of a reader who saved the suite, and compiled the solver as shown."""
    monkeypatch.chdir(tmp_path)
    [compilation] = re.findall(r"^    (cc .*)$", EXTERNAL, flags=re.MULTILINE)
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler called cc")
    [suite_text] = blocks(DOCS / "external.md", "toml")
    Path("examples").mkdir()
    shutil.copy(TOP / "examples" / "bitmask.c", "examples")
    Path("mine.toml").write_text(suite_text, encoding="utf-8")
    subprocess.run([*shlex.split(compilation), "-Wall", "-Wextra", "-Werror"], check=True)
    return tmp_path


def test_the_solver_in_c_solves_and_refutes(folder, command) -> None:
    items = catalogue.load("easy", catalogue.Choice(limit=2)).items
    Path("puzzles.txt").write_text("".join(f"{item.puzzle.text}\n" for item in items), encoding="utf-8")
    [arguments] = re.findall(r"^    sudoku-bench (solve .*)$", EXTERNAL, flags=re.MULTILINE)
    code, out, err = command(*shlex.split(arguments))
    assert (code, err) == (0, "")
    assert out.count("|") == 2 * 18
    answers = subprocess.run(
        ["./bitmask"],
        input=f"{'.' * 81}\n11{'.' * 79}\n1234\n{'.' * 300}\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    assert [len(line) for line in answers[:3]] == [81, 0, 0]


@pytest.mark.thorough
def test_the_suite_runs_as_shown(folder, measure) -> None:
    result = measure("mine.toml", "--limit", 2, "--repetitions", 1, "--loops", 1, "--mode", "warm", "-d", "easy")
    assert result.code == 0, result.err
    statuses = dict(zip(result.rows["strategy"], result.rows["status"], strict=True))
    cadical = "solved" if shutil.which("cadical") else "unsupported"
    minisat = "solved" if shutil.which("minisat") else "unsupported"
    assert statuses == {
        "command:bitmask": "solved",
        "sat:complete+pairwise@mycadical": cadical,
        "sat:order@mycadical": cadical,
        "sat:complete+pairwise@/minisat": minisat,
        "seed:norvig": "solved",
    }


def test_the_well_known_programs_are_those_of_the_page() -> None:
    rows = re.findall(r"^\| \w+ \| `(.*?)` \| `sat:ENCODING@/(\w+)` \|$", EXTERNAL, flags=re.MULTILINE)
    assert {program: command for command, program in rows} == PROGRAMS
    assert all(Command("mine", command).takes_encoding for command, _ in rows)


def test_a_package_with_the_strategy_of_the_page_is_imported_by_a_plugin(command, tmp_path, monkeypatch) -> None:
    """A folder on the path, with the module, stands for an installation."""
    page = DOCS / "add-a-strategy.md"
    [source], [line] = blocks(page, "python"), re.findall("`(from naive .*?)`", page.read_text(encoding="utf-8"))
    for name, text in {"site/naive.py": source, "plugin.py": line}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    plugin = ("--plugin", tmp_path / "plugin.py")
    code, out, err = command("solve", FOURS[0], "-s", "mine:naive", "--task", "unique", *plugin)
    assert (code, err) == (0, "")
    assert "exactly one solution" in out
