"""Builds the page of a single puzzle, without a run."""

from __future__ import annotations

import json
import string
from html import escape
from pathlib import Path

from bench.page.gather import boxes
from bench.page.head import head
from bench.page.scripts import FOLDER, joined
from datasets.puzzle import Puzzle

HERE = Path(__file__).parent
SIZES = (4, 6, 8, 9, 10, 12, 16, 25)  # of boards that a reader may paste


def page(puzzle: Puzzle, title: str) -> bytes:
    """Return the page of a puzzle as the bytes of an HTML file."""
    shape, script = puzzle.shape, joined(FOLDER, "show.js")
    known = {str(size): boxes(size) for size in SIZES} | {str(shape.size): [shape.box_rows, shape.box_cols]}
    content = json.dumps({"grid": puzzle.text, "boxes": known}).replace("<", "\\u003c")
    values = {
        "head": head(title, ["page.css"], script),
        "title": escape(title),
        "facts": escape(f"{shape.name}, {puzzle.clues} clues"),
        "puzzle": content,
        "script": script,
    }
    return (
        string.Template((HERE / "show.html").read_text(encoding="utf-8")).substitute(values).encode("utf-8", "replace")
    )
