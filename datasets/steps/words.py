"""Steps in words."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_bench.datasets.naming import cell_name, listed
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.steps.board import Candidate, Step


def result(shape: Shape, step: Step) -> str:
    """Return what a step does: ``r1c5 is 3``, ``r2c1 and r2c2 are not 4, r3c3 is not 5``."""
    if step.placed:
        return claim(shape, step.placed)
    by_digit: dict[int, list[str]] = {}
    for cell, digit in step.eliminated:
        by_digit.setdefault(digit, []).append(cell_name(shape, cell))
    return ", ".join(
        f"{listed(cells)} {'is' if len(cells) == 1 else 'are'} not {shape.symbols[digit - 1]}"
        for digit, cells in sorted(by_digit.items())
    )


def claim(shape: Shape, placed: Candidate) -> str:
    """Return that a cell holds a digit."""
    return f"{cell_name(shape, placed[0])} is {shape.symbols[placed[1] - 1]}"


def line(shape: Shape, step: Step) -> str:
    """Return a step as one line: its rating, technique, effect and reason."""
    rating = f"{step.rating:.1f} " if step.rating else ""
    return f"{rating}{step.technique}: {result(shape, step)}, because {step.reason}"


def summary(steps: Sequence[Step]) -> str:
    """Return the number of steps, the hardest one, and the number of guesses."""
    hardest = max(steps, key=lambda step: step.rating, default=None)
    guesses = sum(not step.rating for step in steps)
    parts = [f"{len(steps)} steps"]
    if hardest and hardest.rating:
        parts.append(f"hardest {hardest.rating:.1f} {hardest.technique}")
    parts.append(f"{guesses} {'guess' if guesses == 1 else 'guesses'}" if guesses else "no guess")
    return ", ".join(parts)
