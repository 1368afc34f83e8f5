"""Every code block of the documents is one that a test runs, and shell commands are valid."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from sudoku_bench.bench.commands import cli
from tests.conftest import TOP
from tests.docs.code_blocks import PAGES, blocks, languages

RUN_BY = {  # page and language -> number of blocks, and the test that runs them
    ("CONTRIBUTING.md", "bibtex"): (1, "test_how_tos"),
    ("CONTRIBUTING.md", "diff"): (17, "test_how_tos"),
    ("CONTRIBUTING.md", "python"): (7, "test_how_tos"),
    ("CONTRIBUTING.md", "text"): (1, "test_how_tos"),
    ("add-a-strategy.md", "python"): (1, "test_docs"),
    ("add-an-encoding.md", "python"): (3, "test_add_an_encoding"),
    ("exchange.md", "python"): (1, "test_pytest_plugin"),
    ("exchange.md", "sh"): (1, "test_pytest_plugin"),
    ("external.md", "toml"): (1, "test_external"),
    ("install.md", "sh"): (1, "test_sudoku_bench_installed"),
    ("python.md", "python"): (6, "test_python"),
    ("tutorial.md", "latex"): (1, "test_tutorial"),
    ("tutorial.md", "sh"): (1, "test_tutorial"),
    ("tutorial.md", "text"): (1, "test_tutorial"),
}


def test_every_block_is_run_by_a_test() -> None:
    found = [(page.name, language) for page in PAGES for language in languages(page)]
    assert {key: found.count(key) for key in found} == {key: number for key, (number, _) in RUN_BY.items()}
    tests = {path.stem for path in (TOP / "tests").rglob("test_*.py")}
    assert {name for _, names in RUN_BY.values() for name in names.split(", ")} <= tests


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_imports_are_sorted_and_used(page, tmp_path) -> None:
    """As in a file of the reader's, or of the project."""
    folder = TOP if page.name == "CONTRIBUTING.md" else tmp_path
    for block in blocks(page, "python"):
        if not block.startswith(">>>"):
            ruff = [sys.executable, "-m", "ruff", "check", "--quiet", "--select=I,F", "--stdin-filename=plug.py", "-"]
            done = subprocess.run(ruff, cwd=folder, input=block, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", [page for page in PAGES if "sh" in languages(page)], ids=lambda page: page.name)
def test_shell_commands_are_valid(page) -> None:
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    for block in blocks(page, "sh"):
        subprocess.run(["bash", "-n", "-c", block], check=True, timeout=60)
        for target in re.findall(r"\bmake ([a-z-]+)", block):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for command in re.findall(r"sudoku-bench ([a-z]+ [^)>\n#]*)", block):
            assert cli.parser().parse_args(shlex.split(command)).main
