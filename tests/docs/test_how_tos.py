"""The how-tos of CONTRIBUTING.md work as typed: their files are made in a copy of the checkout; there tests pass."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_bench.bench.reports import bibliography
from tests.conftest import TOP
from tests.docs.code_blocks import FENCE, blocks, dedented

PAGE = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
HOW_TOS = dict(re.findall(r"^### (.*?)\n(.*?)(?=^##|\Z)", PAGE.partition("## How to add")[2], re.MULTILINE | re.DOTALL))
TYPED = (".py", ".toml", ".md", ".bib")  # kinds of files that a how-to may change; others are linked


def copied(source: str, target: str) -> None:
    """Copy a file with its time, so that what was compiled from it stays valid."""
    shutil.copy2(source, target) if source.endswith(TYPED) else Path(target).symlink_to(source)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the checkout."""
    packages = ("bench", "datasets", "solvers")
    for name in (*packages, "docs", "studies", "tests"):
        shutil.copytree(TOP / name, tmp_path / name, copy_function=copied)
    linked = shutil.ignore_patterns(*packages)
    shutil.copytree(TOP / "sudoku_bench", tmp_path / "sudoku_bench", copy_function=copied, ignore=linked)
    for name in packages:
        (tmp_path / "sudoku_bench" / name).symlink_to(f"../{name}")
    for name in ("results", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml", "Makefile"):
        (tmp_path / name).symlink_to(TOP / name)
    return tmp_path


def changed(text: str, diff: str) -> str:
    """Apply a block of lines to keep (space), to take out (-) and to add (+), which has one place in a text."""
    lines = diff.splitlines(keepends=True)
    before, after = ("".join(line[1:] for line in lines if line[0] in kinds) for kinds in (" -", " +"))
    assert text.count(before) == 1, before
    return text.replace(before, after)


def followed(how_to: str) -> dict[str, str]:
    """Return the files of a how-to as it makes or changes them; each step names its file first."""
    files: dict[str, str] = {}
    for name, step in re.findall(r"^\d\. `([\w/.-]+)`(.*?)(?=^\d\. |\Z)", how_to, re.MULTILINE | re.DOTALL):
        for indent, language, code in FENCE.findall(step):
            file, block = TOP / name, dedented(indent, code)
            assert (name in files or file.exists()) == (language == "diff"), name
            files[name] = changed(files.get(name) or file.read_text("utf-8"), block) if language == "diff" else block
    return files


@pytest.mark.parametrize("title", HOW_TOS)
def test_what_a_how_to_changes_stands_where_it_says(title: str) -> None:
    for name, text in followed(HOW_TOS[title]).items():
        if name.endswith(".py"):
            compile(text, name, "exec")


@pytest.mark.thorough
@pytest.mark.parametrize("title", HOW_TOS)
def test_a_how_to_works_as_typed(title: str, checkout: Path) -> None:
    for name, text in followed(HOW_TOS[title]).items():
        (checkout / name).write_text(text, "utf-8")
    tests = re.findall(r"`pytest ([^`]+)`", HOW_TOS[title])
    assert tests
    for arguments in tests:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-m", "not thorough"]
        command += shlex.split(arguments)
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        assert " passed" in done.stdout


def test_the_entry_is_that_of_the_bibliography() -> None:
    [entry] = blocks(TOP / "CONTRIBUTING.md", "bibtex")
    [(_, key, body)] = bibliography.ENTRY.findall(entry)
    shown = dict(bibliography.FIELD.findall(body))
    assert shown.items() <= bibliography.fields()[key].items()
    assert {"author", "title", "year", "for"} <= set(shown)
