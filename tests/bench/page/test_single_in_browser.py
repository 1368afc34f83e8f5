"""One puzzle in a real browser: its steps, and what strategies made of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from bench.page import single
from bench.say.phrases import seconds
from bench.verdicts.run_tables import Run
from datasets import Puzzle
from datasets.collections.catalogue import load
from datasets.search import solve
from datasets.steps.walkthrough import walkthrough
from datasets.steps.words import line, summary
from tests.bench.page.opened import Opened

pytestmark = pytest.mark.slow

STEPS = "() => [...document.querySelectorAll('.step-list li')].map((item) => item.textContent)"
INTERACTIVE = "document.body.classList.contains('interactive')"


def hardest() -> Puzzle:
    return load("hardest").items[9].puzzle


@pytest.fixture(scope="module")
def alone(opens_once: Any) -> Iterator[Opened]:
    """The page of a single puzzle."""
    result = opens_once(single.page(hardest(), "hardest-010").decode(), ready=INTERACTIVE)
    yield result
    assert result.trouble == []


def steps_of(puzzle: Puzzle) -> list[str]:
    solutions = solve(puzzle, limit=2).solutions
    return [line(puzzle.shape, step) for step in walkthrough(puzzle, solutions[0])]


def paste(page: Opened, text: str) -> None:
    page.page.locator("#paste textarea").fill(text)
    page.page.get_by_role("button", name="Show it").click()


def test_steps_are_those_of_the_command(alone: Opened) -> None:
    """The page has a copy of the rules, so that a reader can paste a puzzle; it agrees with the tested one."""
    tiers = {"easy": 10, "medium": 10, "hard": 20, "expert": 20, "hardest": 20}
    for name, number in (tiers | {"size4": 2, "size6": 2, "size12": 2, "size16": 2}).items():
        for item in load(name).items[:number]:
            paste(alone, item.puzzle.text)
            assert alone.page.evaluate(STEPS) == steps_of(item.puzzle), item.name


def test_the_slider_and_the_keys_move_through_the_steps(alone: Opened) -> None:
    puzzle = hardest()
    paste(alone, puzzle.text)
    lines = steps_of(puzzle)
    words, slider = alone.page.locator(".step-words"), alone.page.get_by_role("slider", name="Step")
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
    solution = solve(puzzle, limit=2).solutions[0]
    assert summary(walkthrough(puzzle, solution)) in alone.page.locator("#steps .note").text_content()


def test_the_board_shows_pencil_marks_and_lights_the_cells_of_a_step(alone: Opened) -> None:
    puzzle = hardest()
    paste(alone, puzzle.text)
    board = alone.page.locator("svg.steps-board")
    assert board.locator("text.clue").count() == puzzle.clues
    [solution] = solve(puzzle, limit=2).solutions
    steps = walkthrough(puzzle, solution)
    for number, step in enumerate(steps, 1):
        alone.page.get_by_role("button", name="Next step").click()
        if step.placed:
            assert board.locator("rect.target").count() == 1
            assert board.locator("text.placed").text_content() == str(step.placed[1])
        else:
            assert board.locator("text.gone").count() == len(step.eliminated)
            assert board.locator("rect.because").count() == len(step.because)
        if number > 12:
            break


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("12.34", "#paste [role=alert]", "These are 5 cells"),
        ("9" + "." * 15, "#paste [role=alert]", "larger than 4"),
        ("11" + "." * 14, "#steps .note", "Two equal clues see each other"),
        ("12" + "." * 14, "#steps .note", "several solutions"),
        ("12..3.4" + "." * 9, "#steps .note", "no solution"),
    ],
)
def test_what_is_no_puzzle_with_one_solution_is_said(alone: Opened, text: str, where: str, words: str) -> None:
    paste(alone, text)
    assert words in alone.text(where)


def test_a_puzzle_is_copied_as_text_and_as_a_command(alone: Opened) -> None:
    puzzle = hardest()
    paste(alone, puzzle.text)
    alone.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    for name, text in (("81 characters", puzzle.text), ("command", f"sudoku-bench solve {puzzle.text} --steps")):
        alone.page.get_by_role("button", name=f"Copy as {name}").click()
        alone.page.wait_for_function("(text) => window.copied === text", arg=text)


@pytest.mark.parametrize(("wide", "scheme"), [(390, "light"), (1440, "dark")])
def test_the_page_of_a_puzzle_is_accessible_and_fits_a_phone(alone: Opened, wide: int, scheme: str) -> None:
    paste(alone, hardest().text)
    alone.page.get_by_role("button", name="Next step").click()
    alone.page.set_viewport_size({"width": wide, "height": 800})
    alone.page.emulate_media(color_scheme=scheme)
    assert alone.barriers() == []
    assert alone.page.evaluate("document.documentElement.scrollWidth") <= wide


def test_a_puzzle_shows_what_the_strategies_made_of_it(page: Opened, run: Run) -> None:
    page.page.locator("#puzzle-search").fill("tier2 0007")
    page.page.locator("#puzzle-table tbody button").first.click()
    same = run.puzzles[run.puzzles["collection"] != "tier0"]
    own = same[same["puzzle"] == "tier2-0007"].iloc[0]
    share = math.floor(100 * (same["guesses"] < own["guesses"]).mean())
    facts = page.text("#puzzle-facts")
    assert facts.startswith(f"tier2; harder than {share}% of this run's puzzles of its size; guesses ")
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


def test_previous_and_next_go_through_the_selection(page: Opened) -> None:
    page.select("scope", "tier1")
    title = page.page.locator("#puzzle-title")
    assert title.text_content() == "tier1-0000"
    page.page.get_by_role("button", name="Next puzzle").click()
    assert title.text_content() == "tier1-0001"
    page.page.get_by_role("button", name="Previous puzzle").click()
    assert title.text_content() == "tier1-0000"


def test_a_pasted_puzzle_is_found_in_the_run_or_has_an_address(page: Opened, run: Run) -> None:
    paste(page, run.puzzles["grid"][27].replace(".", "0"))
    assert page.text("#puzzle-title") == run.puzzles["puzzle"][27]
    puzzle = hardest()
    paste(page, puzzle.text)
    assert page.text("#puzzle-title") == "of your own"
    assert page.page.evaluate(STEPS) == steps_of(puzzle)
    address = page.address()
    page.reset()
    assert page.text("#puzzle-title") != "of your own"
    page.go(address)
    assert page.text("#puzzle-title") == "of your own"
    page.page.get_by_role("button", name="Next puzzle").click()
    assert page.text("#puzzle-title") == run.puzzles["puzzle"][12]  # the first of 9×9
