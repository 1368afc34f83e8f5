"""The page of a single puzzle: its candidates, and the steps of its solution."""

from __future__ import annotations

from html import escape

from sudoku_bench.bench.reports.page.html import filled
from sudoku_bench.bench.reports.page.tables import shape_facts
from sudoku_bench.bench.say.explained import explained
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.steps.words import line


def page(puzzle: Puzzle, title: str, paper: bool = False) -> bytes:
    """Return the page of a puzzle as the bytes of an HTML file; for paper with its solution and without controls.

    Raises:
        InputError: there is no solution to print.
    """
    shape, found = puzzle.shape, explained(puzzle)
    if paper and not found.solution:
        raise InputError(f"nothing to print: {found.fault or found.words}")
    steps = [{"line": line(shape, step)} | vars(step) for step in found.steps]
    command = puzzle.text if shape.layout else f"sudoku-bench solve {puzzle.text} --steps"  # cells say no layout
    shown = {"shape": shape_facts(shape), "grid": puzzle.text, "steps": steps, "summary": found.words, "paper": paper}
    below = escape(f"{shape.name}, {puzzle.clues} {'excluded candidates' if shape.pencilmarks else 'clues'}")
    fault = f'<p class="alarm">{escape(found.fault)}</p>' if found.fault else ""
    return filled(
        "show.html", title, ("dom.js", "board.js", "steps.js"), shown | {"command": command}, facts=below, fault=fault
    )
