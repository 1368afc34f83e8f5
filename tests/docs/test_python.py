"""The examples of docs/python.md run as written, and the workflow of docs/ci is one that its schema accepts."""

from __future__ import annotations

import doctest
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench import cli
from tests.conftest import TOP

pytestmark = pytest.mark.slow


def test_the_examples_of_the_page_run_as_written(
    small_reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "reference").symlink_to(small_reference)
    monkeypatch.chdir(tmp_path)
    text = (TOP / "docs" / "python.md").read_text(encoding="utf-8").replace("```", "")
    example = doctest.DocTestParser().get_doctest(text, {}, "python.md", "docs/python.md", 0)
    assert len(example.examples) > 10
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0
    assert (tmp_path / "cactus.pdf").exists()


def test_the_command_of_the_workflow_can_be_parsed() -> None:
    lines = (TOP / "docs" / "ci" / "speed.yml").read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if "sudoku-bench compare" in line)
    command = shlex.split(" ".join(lines[first : first + 2]))
    options = cli.parser().parse_args(command[1:])
    assert options.interleave == ["old.py", "strategy.py"]
    assert options.margin == 0.1


def test_the_workflow_is_valid() -> None:
    if shutil.which("check-jsonschema", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("check-jsonschema is not installed")
    command = [Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, TOP / "docs" / "ci" / "speed.yml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
