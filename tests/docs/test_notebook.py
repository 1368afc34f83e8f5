"""The notebook of the documentation runs from top to bottom, and shows a figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import TOP

pytestmark = pytest.mark.slow


def test_the_notebook_runs(small_reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(TOP))
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "reference").symlink_to(small_reference)
    notebook = nbformat.read(TOP / "docs" / "notebook.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", ())}
    assert {"text/plain", "text/html", "image/png"} <= kinds
