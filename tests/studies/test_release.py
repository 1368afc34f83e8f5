"""What keeps a version from being released."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from studies.release import check, faults_of
from sudoku_bench.datasets.errors import InputError

VERSION, CHANGELOG = ("bench/commands/__init__.py", 'VERSION = "1.2.3"\n'), "# Changelog\n\n## 1.2.3 - 2030-01-02\n"
CITATION = 'cff-version: 1.2.0\nversion: 1.2.3\ndate-released: "2030-01-02"\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository in which version 1.2.3 is ready."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    for name, text in (VERSION, ("CHANGELOG.md", CHANGELOG), ("CITATION.cff", CITATION)):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    commit(tmp_path)
    return tmp_path


def commit(folder: Path) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    for command in (("init", "-q"), ("add", "-A"), (*author, "commit", "-qm", "All", "--allow-empty")):
        subprocess.run(["git", *command], cwd=folder, check=True)


def test_a_version_that_all_files_name_can_be_released(checkout: Path) -> None:
    assert faults_of(checkout, "1.2.3") == []


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("bench/commands/__init__.py", "1.2.3", "1.2.2", 'bench/commands/__init__.py does not say VERSION = "1.2.3"'),
        ("CITATION.cff", "version: 1.2.3", "version: 1.2.30", "CITATION.cff does not say version: 1.2.3"),
        ("CITATION.cff", "-02", "-03", 'CITATION.cff does not say date-released: "2030-01-02"'),
        ("CHANGELOG.md", "1.2.3", "1.2.30", "CHANGELOG.md has no section `## 1.2.3 - DATE`"),
        ("CHANGELOG.md", " - 2030-01-02", "", "CHANGELOG.md has no section `## 1.2.3 - DATE`"),
        ("CHANGELOG.md", "\n## ", "\n## Unreleased\n\n## ", "a section Unreleased, which 1.2.3 would leave out"),
    ],
)
def test_a_file_that_says_something_else_is_named(checkout: Path, name: str, old: str, new: str, fault: str) -> None:
    path = checkout / name
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    [uncommitted] = faults_of(checkout, "1.2.3")[1:]
    assert uncommitted == f"not committed: {name}"
    commit(checkout)
    [found] = faults_of(checkout, "1.2.3")
    assert fault in found


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.3", "1.2.3 "])
def test_a_version_has_three_numbers(version: str) -> None:
    with pytest.raises(InputError, match="write make release VERSION="):
        check(version)
