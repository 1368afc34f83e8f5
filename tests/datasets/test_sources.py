"""What a module imports is found from its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_bench.datasets import sources

PLUGIN = """
import os, helper as h
from sudoku_bench.datasets.bits import ONE
from parts import (
    first,  # (of two)
    second as other,
)
from parts import NUMBER
def late():
    from parts.third import value
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "numpy").mkdir()
    texts = {"plugin": PLUGIN, "helper": "import plugin, numpy", "parts/first": "from . import fourth"}
    empty = ("parts/__init__", "parts/second", "parts/third", "parts/fourth", "numpy/__init__", "unused")
    for name, text in (texts | dict.fromkeys(empty, "")).items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def found(file: Path, folder: Path) -> set[str]:
    files = sources.closure(file)
    return {each.relative_to(folder).as_posix() for each in files if folder in each.parents}


def test_imports_are_followed_among_neighbours_and_into_the_project(folder: Path) -> None:
    parts = {f"parts/{name}.py" for name in ("__init__", "first", "second", "third", "fourth")}
    assert found(folder / "plugin.py", folder) == {"plugin.py", "helper.py", "numpy/__init__.py", *parts}
    assert sources.PACKAGE / "datasets" / "bits.py" in sources.closure(folder / "plugin.py")


def test_installed_packages_are_not_neighbours_but_their_own_modules_are(folder: Path) -> None:
    site = folder / "site-packages"
    site.mkdir()
    for name in ("parts", "numpy", "helper.py"):
        (folder / name).rename(site / name)
    (site / "parts" / "__init__.py").write_text("import numpy, helper\nfrom parts.first import f", encoding="utf-8")
    own = {f"parts/{name}.py" for name in ("__init__", "first", "fourth")}
    assert found(site / "parts" / "__init__.py", site) == own


def test_the_digest_is_that_of_the_contents_when_they_were_first_read(folder: Path) -> None:
    files = sources.closure(folder / "plugin.py")
    first = sources.digest(files)
    assert sources.digest(files, "1.0") != first
    (folder / "helper.py").write_text("#", encoding="utf-8")
    assert sources.digest(files) == first
    sources._read.cache_clear()
    assert sources.digest(files) != first
