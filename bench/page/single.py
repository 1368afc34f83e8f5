"""Builds the page of a single puzzle, without a run."""

from __future__ import annotations

import json
import string
from collections.abc import Sequence
from html import escape
from pathlib import Path

from bench.page.gather import shape_facts
from bench.page.head import head
from bench.page.scripts import FOLDER, joined
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.steps.board import Step
from datasets.steps.walkthrough import walkthrough
from datasets.steps.words import line, summary

HERE = Path(__file__).parent
LARGEST = 30  # rows of a board with steps; those of a larger one can take minutes
MOST_GUESSES = 1_000_000  # of the search for a solution: 20 s on a board of 25×25


def page(puzzle: Puzzle, title: str) -> bytes:
    """Return the page of a puzzle as the bytes of an HTML file."""
    shape, script = puzzle.shape, joined(FOLDER, "show.js")
    steps, words = steps_of(puzzle)
    lines = [
        {"line": line(shape, step), "placed": step.placed, "eliminated": step.eliminated, "because": step.because}
        for step in steps
    ]
    content = {"grid": puzzle.text, "shape": shape_facts(shape), "steps": lines, "summary": words}
    values = {
        "head": head(title, ["page.css"], script),
        "title": escape(title),
        "facts": escape(f"{shape.name}, {puzzle.clues} clues"),
        "puzzle": json.dumps(content, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }
    return (
        string.Template((HERE / "show.html").read_text(encoding="utf-8")).substitute(values).encode("utf-8", "replace")
    )


def steps_of(puzzle: Puzzle) -> tuple[Sequence[Step], str]:
    """Return the steps of a puzzle, and their summary, or why there are none."""
    if puzzle.shape.size > LARGEST:
        return (), "Boards of this size are shown without steps."
    if any(puzzle.clashes()):
        return (), "Two equal clues see each other: this puzzle has no solution."
    found = solve(puzzle, limit=2, max_guesses=MOST_GUESSES)
    if not found.solutions:
        return (), "This puzzle has no solution." if found.complete else "No solution was found in time for the steps."
    steps = walkthrough(puzzle, found.solutions[0])
    several = " The puzzle has several solutions; guesses lead to one of them." if len(found.solutions) > 1 else ""
    return steps, f"{summary(steps)}.{several}"
