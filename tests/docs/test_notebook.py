"""The notebook of the documentation runs from top to bottom, and shows what is stored: tables and a figure."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough


def test_the_notebook_runs(small_reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "reference").symlink_to(small_reference)
    from studies.notebook import NOTEBOOK, executed

    stored, again = nbformat.read(NOTEBOOK, as_version=4), executed(NOTEBOOK, tmp_path)
    assert kinds(again) == kinds(stored)
    assert {"text/plain", "text/html", "image/png"} <= set().union(*kinds(again))


def kinds(notebook) -> list[set[str]]:
    """The kinds of output of each cell."""
    outputs = [cell.get("outputs", ()) for cell in notebook.cells]
    return [{kind for output in each for kind in (output["output_type"], *output.get("data", ()))} for each in outputs]
