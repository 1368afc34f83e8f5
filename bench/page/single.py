"""Builds the page of a single puzzle, without a run."""

from __future__ import annotations

import json
import string
from html import escape
from pathlib import Path

from sudoku_bench.bench.page.gather import shape_facts
from sudoku_bench.bench.page.head import head
from sudoku_bench.bench.page.scripts import FOLDER, joined
from sudoku_bench.bench.say.explained import explained
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.steps.words import line

HERE = Path(__file__).parent


def page(puzzle: Puzzle, title: str) -> bytes:
    """Return the page of a puzzle as the bytes of an HTML file."""
    shape, script, found = puzzle.shape, joined(FOLDER, "show.js"), explained(puzzle)
    steps = [
        {"line": line(shape, step), "placed": step.placed, "eliminated": step.eliminated, "because": step.because}
        for step in found.steps
    ]
    content = {"grid": puzzle.text, "shape": shape_facts(shape), "steps": steps, "summary": found.words}
    values = {
        "head": head(title, ["page.css"], script),
        "title": escape(title),
        "facts": escape(f"{shape.name}, {puzzle.clues} {'excluded candidates' if shape.pencilmarks else 'clues'}"),
        "fault": f'<p class="alarm">{escape(found.fault)}</p>' if found.fault else "",
        "puzzle": json.dumps(content, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }
    template = string.Template((HERE / "show.html").read_text(encoding="utf-8"))
    return template.substitute(values).encode("utf-8", "replace")
