"""A sheet with a puzzle, its candidates and the steps of its solution, to print and to teach with."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bench.figures import rendering, style
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.shape import Shape
from datasets.steps.board import Board, Step, bits
from datasets.steps.walkthrough import walkthrough
from datasets.steps.words import line, summary

PAGE_IN = (8.27, 11.69)  # A4
MARGIN_IN = 0.6
GRID_IN = 3.35  # width of a grid
GAP_IN = 0.37
TEXT_PT, HEAD_PT = 7.0, 14.0
COLUMNS, WIDTH = 2, 68  # columns of steps, and characters in a line
INK, DIM, SHADE = "#000000", "#555555", "#e6e6e6"


def render(puzzle: Puzzle, title: str, kind: str) -> bytes:
    """Return the sheet as the bytes of a file of one of ``rendering.KINDS``.

    Raises:
        InputError: the puzzle has no solution.
    """
    solutions = solve(puzzle, limit=2).solutions
    if not solutions:
        raise InputError("the puzzle has no solution; check its clues with `sudoku-bench check`")
    with mpl.rc_context(style.RC):
        return rendering.render(draw(puzzle, title, walkthrough(puzzle, solutions[0])), kind)


def draw(puzzle: Puzzle, title: str, steps: Sequence[Step]) -> Figure:
    """Draw the puzzle, the puzzle with its candidates, and the steps as text below, as many as fit on the page."""
    figure = Figure(figsize=PAGE_IN)
    width_in, height_in = PAGE_IN
    top_in = height_in - MARGIN_IN
    figure.text(
        MARGIN_IN / width_in, top_in / height_in, title, fontsize=HEAD_PT, fontweight="bold", va="top", color=INK
    )
    figure.text(
        MARGIN_IN / width_in, (top_in - 0.32) / height_in, f"{puzzle.text}  ·  {summary(steps)}", fontsize=TEXT_PT,
        va="top", color=DIM,
    )  # fmt: skip
    for number, with_marks in enumerate((False, True)):
        left_in = MARGIN_IN + number * (GRID_IN + GAP_IN)
        box = (left_in / width_in, (top_in - 0.65 - GRID_IN) / height_in, GRID_IN / width_in, GRID_IN / height_in)
        _draw_grid(figure.add_axes(box), puzzle, with_marks)
    _write_steps(figure, puzzle, steps, top_in - 0.65 - GRID_IN - 0.3)
    return figure


def _draw_grid(axes: Axes, puzzle: Puzzle, with_marks: bool) -> None:
    """Draw the clues, and with ``with_marks`` the candidates that they leave."""
    shape, board = puzzle.shape, Board(puzzle)
    size = shape.size
    axes.set_xlim(0, size)
    axes.set_ylim(size, 0)
    axes.set_axis_off()
    for place in range(size + 1):
        thick = place % size == 0
        for lines in (axes.hlines, axes.vlines):
            lines(place, 0, size, color=INK, lw=1.6 if thick else 0.5, clip_on=False, zorder=3 if thick else 2)
    for row, column, is_across in shape.borders:
        begin, at = (column, row) if is_across else (row, column)
        (axes.hlines if is_across else axes.vlines)(at, begin, begin + 1, color=INK, lw=1.6, zorder=3)
    for cell in shape.marked:
        row, column = divmod(cell, size)
        axes.add_patch(Rectangle((column, row), 1, 1, color=SHADE, zorder=1))
    usual = shape if shape.has_boxes else Shape.of_size(size)  # for the places of candidates
    digit_pt = 0.62 * GRID_IN * 72 / size
    mark_pt = 0.8 * digit_pt / max(usual.box_rows, usual.box_cols)
    for cell, clue in enumerate(puzzle.cells):
        row, column = divmod(cell, size)
        if clue:
            axes.text(column + 0.5, row + 0.53, shape.symbols[clue - 1], fontsize=digit_pt, ha="center", va="center")
            continue
        for mark in bits(board.candidates[cell]) if with_marks else ():
            down, across = divmod(mark, usual.box_cols)
            x, y = column + (across + 0.5) / usual.box_cols, row + (down + 0.5) / usual.box_rows
            text = shape.symbols[mark]
            axes.text(x, y, text, fontsize=mark_pt, ha="center", va="center", color=DIM)


def _write_steps(figure: Figure, puzzle: Puzzle, steps: Sequence[Step], top_in: float) -> None:
    """Write the steps in columns; if the page is full, say how many are left."""
    width_in, height_in = PAGE_IN
    line_in = 1.25 * TEXT_PT / 72
    per_column = int((top_in - MARGIN_IN) / line_in)
    blocks = [
        textwrap.wrap(f"{number}. {line(puzzle.shape, step)}", WIDTH, subsequent_indent="     ")
        for number, step in enumerate(steps, 1)
    ]
    columns: list[list[str]] = [[]]
    for number, block in enumerate(blocks):
        left = len(blocks) - number
        if len(columns[-1]) + len(block) > per_column - (len(columns) == COLUMNS and left > 1):
            if len(columns) == COLUMNS:
                columns[-1].append(f"... and {left} more: `sudoku-bench solve --steps` prints all")
                break
            columns.append([])
        columns[-1] += block
    for number, lines in enumerate(columns):
        left_in = MARGIN_IN + number * (GRID_IN + GAP_IN)
        figure.text(
            left_in / width_in, top_in / height_in, "\n".join(lines), fontsize=TEXT_PT, va="top", linespacing=1.25,
            color=INK,
        )  # fmt: skip
