"""A sheet with a puzzle, its candidates, its solution and the steps to it, to print and to teach with."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sudoku_bench.bench.figures import rendering, style
from sudoku_bench.bench.say.explained import Explained, explained
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.steps.board import Board, bits
from sudoku_bench.datasets.steps.words import line

WIDTH_IN, HEIGHT_IN = 8.27, 11.69  # A4
MARGIN_IN, GAP_IN = 0.6, 0.25
HEAD_IN = 0.75  # height of title and summary
LARGE = 12  # rows of a board whose candidates need the whole width
BOXES_IN = {  # candidates, puzzle and solution: from the left, below the head, width; by whether the board is large
    False: ((0.0, 0.0, 4.6), (4.85, 0.0, 2.2), (4.85, 2.4, 2.2)),
    True: ((0.0, 2.65, 7.07), (0.0, 0.0, 2.4), (2.65, 0.0, 2.4)),
}
TEXT_PT, HEAD_PT = 7.0, 14.0
LINE_IN = 1.25 * TEXT_PT / 72
COLUMNS, WIDTH = 2, 68  # columns of steps, and characters in a line
SHORT = 81  # characters of a puzzle that stands below the title, whole, to be copied
INK, DIM, SHADE = "#000000", "#555555", "#e6e6e6"


def render(puzzle: Puzzle, title: str, kind: str) -> bytes:
    """Return the sheet as the bytes of a file of one of ``rendering.KINDS``.

    Raises:
        InputError: the puzzle has no solution, or no clues.
    """
    found = explained(puzzle)
    if found.fault and not found.solution:
        raise InputError(f"nothing to print: {found.fault}")
    with mpl.rc_context(style.RC):
        figure = draw(puzzle, title, found)
        return rendering.render(figure, kind, round(figure.get_figheight() / HEIGHT_IN))


def draw(puzzle: Puzzle, title: str, found: Explained) -> Figure:
    """Draw the puzzle, its candidates, its solution and all steps, on pages that stand below each other."""
    boxes = BOXES_IN[puzzle.shape.size > LARGE]
    top_in = MARGIN_IN + HEAD_IN
    below_in = top_in + max(down + width for _, down, width in boxes) + GAP_IN
    texts = [f"{number}. {line(puzzle.shape, step)}" for number, step in enumerate(found.steps, 1)]
    rooms = [int((HEIGHT_IN - MARGIN_IN - from_in) / LINE_IN) for from_in in (below_in, MARGIN_IN)]
    is_short = len(puzzle.text) <= SHORT
    columns = _columns(texts if is_short else [*texts, f"The puzzle: {puzzle.text}"], *rooms)
    pages = math.ceil(len(columns) / COLUMNS)
    height_in = pages * HEIGHT_IN
    figure = Figure(figsize=(WIDTH_IN, height_in))

    def write(left_in: float, down_in: float, text: str, **look: Any) -> None:
        shared: dict[str, Any] = {"va": "top", "fontsize": TEXT_PT, "color": INK, "linespacing": 1.25}
        figure.text((MARGIN_IN + left_in) / WIDTH_IN, 1 - down_in / height_in, text, **shared | look)

    write(0, MARGIN_IN, title, fontsize=HEAD_PT, fontweight="bold")
    below = (found.words, found.fault, puzzle.text if is_short else "")
    write(0, MARGIN_IN + 0.32, "\n".join(filter(None, below)), color=DIM)
    boards = (puzzle.cells, True), (puzzle.cells, False), (found.solution, False)
    for (left_in, down_in, width_in), (cells, with_marks) in zip(boxes, boards, strict=True):
        if not cells:
            continue
        bottom_in = height_in - top_in - down_in - width_in
        place = (MARGIN_IN + left_in) / WIDTH_IN, bottom_in / height_in, width_in / WIDTH_IN, width_in / height_in
        _draw_grid(figure.add_axes(place), puzzle, cells, with_marks, width_in * 72 / puzzle.shape.size)
    for number, lines in enumerate(columns):
        page, column = divmod(number, COLUMNS)
        down_in = page * HEIGHT_IN + MARGIN_IN if page else below_in
        write(column * (WIDTH_IN - 2 * MARGIN_IN + GAP_IN) / COLUMNS, down_in, "\n".join(lines))
    return figure


def _draw_grid(axes: Axes, puzzle: Puzzle, cells: Sequence[int], with_marks: bool, cell_pt: float) -> None:
    """Draw values, clues bold, and with ``with_marks`` the candidates that the clues leave."""
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
    mark_pt = min(0.85 * cell_pt / max(usual.box_rows, usual.box_cols), 8)
    for cell, (value, clue) in enumerate(zip(cells, puzzle.cells, strict=True)):
        row, column = divmod(cell, size)
        look: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
        if value:
            weight = "bold" if clue else "normal"
            text = shape.symbols[value - 1]
            axes.text(column + 0.5, row + 0.5, text, fontsize=0.62 * cell_pt, fontweight=weight, **look)
            continue
        for mark in bits(board.candidates[cell]) if with_marks else ():
            down, across = divmod(mark, usual.box_cols)
            x, y = column + (across + 0.5) / usual.box_cols, row + (down + 0.5) / usual.box_rows
            axes.text(x, y, shape.symbols[mark], fontsize=mark_pt, color=DIM, **look)


def _columns(texts: Iterable[str], first: int, further: int) -> list[list[str]]:
    """Fill columns with the lines of texts; those of the first page have room for fewer lines, or for none."""
    columns: list[list[str]] = [[]]
    for text in texts:
        lines = textwrap.wrap(text, WIDTH, subsequent_indent="     ")
        while len(columns[-1]) + min(len(lines), further) > (first if len(columns) <= COLUMNS else further):
            columns.append([])  # a text is not torn
        for begin in range(0, len(lines), further):  # unless it is longer than a column
            columns += [[]] if begin else []
            columns[-1] += lines[begin : begin + further]
    return columns
