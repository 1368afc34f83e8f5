"""The notebook of the documents, which shows the reference run."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from studies import document

NOTEBOOK = document.TOP / "docs" / "notebook.ipynb"


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """Return a notebook with its outputs; its code runs in a folder and imports this checkout.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}, record_timing=False)
    client.execute(env={**os.environ, "PYTHONPATH": str(document.TOP)})
    return notebook


def execute() -> None:
    """Execute the notebook of the documents on the reference run, and store its outputs."""
    nbformat.write(executed(NOTEBOOK, document.TOP), NOTEBOOK)
    print(NOTEBOOK.relative_to(document.TOP))
