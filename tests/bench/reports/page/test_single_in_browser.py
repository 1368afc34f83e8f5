"""The page of one puzzle in a real browser: its board and its steps."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest

from sudoku_bench.bench.commands.solve import read_one
from sudoku_bench.bench.reports.page import single
from sudoku_bench.bench.say.explained import explained
from sudoku_bench.datasets.steps.board import Board, bits
from sudoku_bench.datasets.steps.words import line

pytestmark = pytest.mark.thorough

DRAWN_BOARD = """() => {
  const all = (selector) => [...document.querySelectorAll(`#steps ${selector}`)];
  const texts = (kind) => [kind, all(`text.${kind}`).map((text) => text.textContent)];
  return { ...Object.fromEntries(["mark", "filled", "placed", "gone"].map(texts)), lit: all("rect").length };
}"""


@functools.cache
def page_of(name: str) -> str:
    return single.page(read_one(name), name).decode()


@pytest.mark.parametrize("name", ["hardest-010", "size6-001", "size16-001"])
def test_the_board_before_each_step_has_the_candidates_that_are_left(opens: Any, name: str) -> None:
    """Page and ``sudoku_bench.datasets.steps.board`` do the same with a step; its cells are lit."""
    puzzle, page = read_one(name), opens(page_of(name))
    assert page.page.locator("#steps text.clue").count() == puzzle.clues
    board, symbols = Board(puzzle), puzzle.shape.symbols
    for step in explained(puzzle).steps[:20]:
        page.page.get_by_role("button", name="Next step").click()
        drawn = page.page.evaluate(DRAWN_BOARD)
        fill = step.placed[0] if step.placed else None
        marks = [bits(mask) for cell, mask in enumerate(board.candidates) if cell != fill]
        assert drawn["mark"] == [symbols[mark] for cell in marks for mark in cell]
        assert drawn["filled"] == [
            symbols[value - 1] for value, clue in zip(board.values, puzzle.cells, strict=True) if value and not clue
        ]
        assert drawn["placed"] == ([symbols[step.placed[1] - 1]] if step.placed else [])
        assert sorted(drawn["gone"]) == sorted(symbols[digit - 1] for _, digit in step.eliminated)
        assert drawn["lit"] == len({*step.because, *(cell for cell, _ in step.eliminated), *(step.placed or ())[:1]})
        board.apply(step)


def test_a_page_for_paper_has_the_solution_and_every_step(opens: Any) -> None:
    puzzle = read_one("hardest-010")
    found, page = explained(puzzle), opens(single.page(puzzle, "on paper", paper=True).decode())
    page.page.emulate_media(media="print")
    solved = page.page.locator("#steps svg.board").nth(1).locator("text").all_text_contents()
    assert solved == [puzzle.shape.symbols[value - 1] for value in found.solution]
    assert page.page.locator("#steps li").all_text_contents() == [line(puzzle.shape, step) for step in found.steps]
    assert not page.page.locator("#stepping").is_visible()


@pytest.mark.parametrize(("wide", "high", "scheme"), [(1280, 800, "dark"), (390, 844, "light")])
@pytest.mark.parametrize("size", [9, 16, 25])
def test_a_board_fills_the_screen_with_candidates_that_can_be_read(
    opens: Any, size: int, wide: int, high: int, scheme: str
) -> None:
    page = opens(page_of(f"size{size}-001"), wide, high, color_scheme=scheme)
    page.page.get_by_role("button", name="Next step").click()
    board = page.page.locator("svg.board").bounding_box()
    assert 0.85 * board["width"] / size / math.isqrt(size) >= 7  # height of a candidate, px
    assert board["width"] >= 0.75 * min(wide, high)
    controls = page.page.locator("#stepping").bounding_box()
    assert controls["y"] + controls["height"] <= high + 1
    assert not page.overflows()
    assert page.barriers() == []
