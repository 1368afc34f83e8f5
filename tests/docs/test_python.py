"""The examples of docs/python.md run as written, and the workflow of docs/ci is one that its schema accepts."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_bench.bench.commands import cli
from tests.conftest import TOP

pytestmark = pytest.mark.thorough


def test_the_examples_of_the_page_run_as_written(beside_results: Path) -> None:
    text = (TOP / "docs" / "python.md").read_text(encoding="utf-8").replace("```", "")
    example = doctest.DocTestParser().get_doctest(text, {}, "python.md", "docs/python.md", 0)
    assert len(example.examples) > 10
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0
    assert (beside_results / "cactus.pdf").exists()


def test_the_workflow_compares_a_new_file_with_itself(tmp_path: Path) -> None:
    """In the change that adds the file there is no version before it."""
    text = (TOP / "docs" / "ci" / "speed.yml").read_text(encoding="utf-8")
    [old, command] = re.findall(r"run: (git show .*)|(sudoku-bench run[^|]*)", text)
    (tmp_path / "strategy.py").write_text("new", encoding="utf-8")
    script = f"git init --quiet; {old[0]}"
    environ = os.environ | {"GITHUB_BASE_REF": "main"}
    subprocess.run(["bash", "-ec", script], cwd=tmp_path, env=environ, check=True, capture_output=True)
    assert (tmp_path / "old.py").read_text(encoding="utf-8") == "new"
    options = cli.parser().parse_args(shlex.split(command[1])[1:])
    assert options.versions == ["old.py", "strategy.py"]


def test_the_workflow_is_valid() -> None:
    if shutil.which("check-jsonschema", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("check-jsonschema is not installed")
    command = [Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, TOP / "docs" / "ci" / "speed.yml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
