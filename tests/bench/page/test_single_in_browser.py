"""One puzzle in a real browser: its steps, and what strategies made of it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import pytest

from sudoku_bench.bench.commands.solve import read_one
from sudoku_bench.bench.page import single
from sudoku_bench.bench.say.explained import explained
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.steps.board import Board, bits
from sudoku_bench.datasets.steps.words import line
from tests.bench.page.opened import Opened

pytestmark = pytest.mark.thorough

DRAWN_BOARD = """() => {
  const all = (selector) => [...document.querySelectorAll(`.steps-drawing ${selector}`)];
  const texts = (kind) => [kind, all(`text.${kind}`).map((text) => text.textContent)];
  return { ...Object.fromEntries(["mark", "filled", "placed", "gone"].map(texts)), lit: all("rect").length };
}"""
INTERACTIVE = "document.body.classList.contains('interactive')"


def hardest() -> Puzzle:
    return read_one("hardest-010")


@functools.cache
def page_of(name: str) -> str:
    return single.page(read_one(name), name).decode()


@pytest.fixture(scope="module")
def alone(opens_once: Any) -> Iterator[Opened]:
    """The page of a single puzzle."""
    result = opens_once(page_of("hardest-010"), ready=INTERACTIVE)
    yield result
    assert result.trouble == []


def test_the_slider_and_the_keys_move_through_the_steps(alone: Opened) -> None:
    puzzle = hardest()
    found = explained(puzzle)
    lines = [line(puzzle.shape, step) for step in found.steps]
    words, slider = alone.page.locator(".step-words"), alone.page.get_by_role("slider", name="Step")
    assert alone.page.locator(".step-list li").all_text_contents() == lines
    assert words.text_content() == "The puzzle with its candidates."
    alone.page.get_by_role("button", name="Next step").click()
    assert words.text_content() == lines[0]
    for key, place in (("ArrowRight", 1), ("ArrowLeft", 0), ("End", -1)):
        alone.page.keyboard.press(key)
        assert words.text_content() == lines[place]
    assert alone.page.locator(".stepping .number").text_content() == f"{len(lines)} of {len(lines)}"
    slider.focus()
    alone.page.keyboard.press("Home")
    assert words.text_content() == "The puzzle with its candidates."
    assert alone.text("#steps p.note") == found.words
    assert alone.page.locator("header .alarm").count() == 0


@pytest.mark.parametrize("name", ["hardest-010", "size6-001", "size16-001"])
def test_the_board_before_each_step_has_the_candidates_that_are_left(opens: Any, name: str) -> None:
    """Page and ``sudoku_bench.datasets.steps.board`` do the same with a step; its cells are lit."""
    puzzle, page = read_one(name), opens(page_of(name), ready=INTERACTIVE)
    assert page.page.locator(".steps-drawing text.clue").count() == puzzle.clues
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("11" + "." * 14, "Two equal clues see each other: this puzzle has no solution."),
        ("12" + "." * 14, "This puzzle has several solutions. The steps lead to one of them, by guesses."),
        ("12..3.4" + "." * 9, "This puzzle has no solution."),
        ("." * 81, "This board has no clues, so every complete grid solves it: it is not a puzzle."),
        ("1234" + "." * 77, "This puzzle has several solutions: with 4 clues, fewer than 17, it always has. The steps"),
    ],
)
def test_what_is_no_puzzle_with_one_solution_is_said(opens: Any, text: str, words: str) -> None:
    page = opens(single.page(parse(text), "A puzzle").decode(), ready=INTERACTIVE)
    assert page.text("header .alarm").startswith(words)
    assert page.page.locator(".stepping").is_visible() == ("several" in words)
    assert page.trouble == []


@pytest.mark.parametrize("window", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("size", [9, 16, 25])
def test_a_board_fills_the_screen_with_candidates_that_can_be_read(
    opens: Any, size: int, window: tuple[int, int]
) -> None:
    page = opens(page_of(f"size{size}-001"), window[0], ready=INTERACTIVE)
    page.page.set_viewport_size({"width": window[0], "height": window[1]})
    board = page.page.locator(".steps-drawing svg.steps-board").bounding_box()
    cell_px = board["width"] / size
    assert 0.95 * cell_px / math.isqrt(size) >= 8  # height of a candidate, px
    assert board["width"] >= 0.75 * min(window)
    if size < 25 and window[0] > window[1]:
        assert board["y"] + board["height"] <= window[1]
    assert page.page.evaluate("document.documentElement.scrollWidth") <= window[0]
    controls = page.page.locator(".step-controls").bounding_box()
    assert controls["y"] + controls["height"] <= window[1] + 1
    assert size != 16 or page.barriers() == []


def test_all_steps_and_the_solution_are_on_paper(opens: Any) -> None:
    puzzle, page = hardest(), opens(page_of("hardest-010"), ready=INTERACTIVE)
    assert not page.page.locator(".on-paper").is_visible()
    page.page.emulate_media(media="print")
    digits = page.page.locator(".on-paper svg text").all_text_contents()
    assert digits == [str(value) for value in explained(puzzle).solution]
    assert page.page.locator(".on-paper").is_visible()
    assert page.page.evaluate("(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)"
                              "(document.querySelector('.step-list'))") <= 1  # fmt: skip


def test_a_puzzle_is_copied_as_text_and_as_a_command(alone: Opened) -> None:
    text = hardest().text
    alone.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    for name, wanted in (("81 characters", text), ("command", f"sudoku-bench solve {text} --steps")):
        alone.page.get_by_role("button", name=f"Copy as {name}").click()
        alone.until("(text) => window.copied === text", wanted)


@pytest.mark.parametrize(("wide", "scheme"), [(390, "light"), (1440, "dark")])
def test_the_page_of_a_puzzle_is_accessible_and_fits_a_phone(alone: Opened, wide: int, scheme: str) -> None:
    alone.page.get_by_role("button", name="Next step").click()
    alone.page.set_viewport_size({"width": wide, "height": 800})
    alone.page.emulate_media(color_scheme=scheme)
    assert alone.barriers() == []
    assert alone.page.evaluate("document.documentElement.scrollWidth") <= wide


def test_a_puzzle_shows_what_the_strategies_made_of_it(page: Opened, run: Run) -> None:
    page.page.locator("#puzzle-search").fill("tier2 0007")
    page.page.locator("#puzzle-table tbody button").first.click()
    own = run.puzzles.set_index("puzzle").loc["tier2-0007"]
    facts = page.text("#puzzle-facts")
    assert facts.startswith("tier2; guesses ")
    assert facts.endswith(f"ER {float(own['er']):g}; clues {own['clues']:g}")
    rows = run.per_puzzle[(run.per_puzzle["puzzle"] == "tier2-0007")].sort_values(["cpu_s", "strategy"], kind="stable")
    expected = [seconds(value) if math.isfinite(value) else "> 20 ms" for value in rows["cpu_s"]]
    lines = page.table("puzzle-rows")
    assert [(one["Strategy"], one["Median"]) for one in lines] == list(zip(rows["strategy"], expected, strict=True))
    measured = run.measurements[run.measurements["puzzle"] == "tier2-0007"]
    for one, line_ in zip(lines, page.page.locator("#puzzle-rows tbody tr").all(), strict=True):
        theirs = measured[measured["strategy"] == one["Strategy"]]
        assert line_.locator(".dot").count() == len(theirs)
        assert line_.locator(".dot.late").count() == int((theirs["status"] != "solved").sum())
        solved = theirs.loc[theirs["status"] == "solved", "conflicts"]
        if len(solved):
            assert int(one["Conflicts"].replace(",", "")) == pytest.approx(solved.median(), rel=2e-3, abs=1)


def test_the_page_opens_on_the_hardest_puzzle_of_the_selection(page: Opened, run: Run) -> None:
    own = run.puzzles.set_index("puzzle")["guesses"]
    for scope, among in (("all 9×9", ("tier1", "tier2")), ("tier1", "tier1"), ("tier0", "tier0")):
        if scope != "all 9×9":
            page.select("scope", scope)
        assert page.text("#puzzle-title") == own[own.index.str.startswith(among)].idxmax()


def test_a_puzzle_of_a_run_has_its_candidates_and_the_command_for_its_steps(page: Opened, run: Run) -> None:
    page.page.locator("#puzzle-search").fill("tier2 0007")
    page.page.locator("#puzzle-table tbody button").first.click()
    grid = run.puzzles.set_index("puzzle")["grid"]["tier2-0007"]
    left = sum(mask.bit_count() for mask in Board(parse(grid)).candidates)
    assert page.page.locator("#puzzle-board text.mark").count() == left
    page.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.page.get_by_role("button", name="Copy as command").click()
    page.until("(text) => window.copied === text", f"sudoku-bench show {grid}")
