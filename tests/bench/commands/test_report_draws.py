"""A figure whose file is there and would be the same is not drawn again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from rich.console import Console

from bench.commands import report
from bench.figures import cactus, catalogue, rendering
from bench.figures.style import Column
from bench.page import document
from bench.say.progress import Progress
from bench.studies.document import TOP
from bench.verdicts import run_tables
from bench.writeup import pack

FIGURE = "plots/cactus.svg"


@pytest.fixture
def drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Report the reference run with one figure, after some change; return the formats that were drawn."""
    monkeypatch.setattr(catalogue, "FIGURES", (cactus,))
    monkeypatch.setattr(report, "TABLES", ("summary",))  # the rest of a report takes long, and does not draw
    monkeypatch.setattr(pack, "files", lambda *_: [])
    monkeypatch.setattr(document, "page", lambda *_: b"")
    for name in ("manifest.json", "measurements.csv", "puzzles.csv", "encodings.csv"):
        shutil.copy(TOP / "results" / "reference" / name, tmp_path)
    run, render = run_tables.load(tmp_path), rendering.render
    kinds: list[str] = []

    def noted(figure: Figure, kind: str) -> bytes:
        kinds.append(kind)
        return render(figure, kind)

    monkeypatch.setattr(rendering, "render", noted)

    def again(change: Callable[[Path], object], look: report.Look) -> list[str]:
        kinds.clear()
        change(tmp_path)
        report.files(tmp_path, look, run, Progress(Console(quiet=True), quiet=True))
        assert (tmp_path / FIGURE).stat().st_size > 1000
        return list(kinds)

    return again


def test_only_what_changed_is_drawn(drawn: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    look = report.Look(formats=("svg",))
    assert drawn(lambda folder: None, look) == ["svg"]
    assert drawn(lambda folder: (folder / "summary.csv").unlink(), look) == []
    assert drawn(lambda folder: (folder / FIGURE).write_text("edited"), look) == ["svg"]
    assert drawn(lambda folder: (folder / FIGURE).unlink(), look) == ["svg"]
    assert drawn(lambda folder: None, report.Look(formats=("svg", "png"))) == ["png"]
    narrow = report.Look(formats=("svg",), column=Column(3.5, 9.0, 8.0))
    assert drawn(lambda folder: None, narrow) == ["svg"]
    monkeypatch.setattr(catalogue, "code_hash", lambda: "of other code")
    assert drawn(lambda folder: (folder / "summary.csv").unlink(), narrow) == ["svg"]
