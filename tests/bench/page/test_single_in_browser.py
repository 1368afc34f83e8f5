"""One puzzle in a real browser: its steps, what strategies made of it, links that restore the view, and downloads."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from bench.page import single
from bench.say.phrases import seconds
from bench.verdicts.run_tables import Run
from datasets import Puzzle
from datasets.collections.catalogue import load
from datasets.search import solve
from datasets.steps.walkthrough import walkthrough
from datasets.steps.words import line, summary
from solvers.sat.encodings import build
from solvers.sat.encodings.clues import Rules
from tests.bench.page.opened import Opened

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
STEPS = "() => [...document.querySelectorAll('.step-list li')].map((item) => item.textContent)"
IN_VIEW = "(id) => { const { top, bottom } = document.getElementById(id).getBoundingClientRect();\
 return top < innerHeight && bottom > 0; }"


def hardest() -> Puzzle:
    return load("hardest").items[9].puzzle


@pytest.fixture(scope="module")
def alone(opens_once: Any) -> Iterator[Opened]:
    """The page of a single puzzle."""
    result = opens_once(single.page(hardest(), "hardest-010").decode(), drawn=False)
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
    alone.page.keyboard.press("ArrowRight")
    assert words.text_content() == lines[1]
    alone.page.keyboard.press("ArrowLeft")
    assert words.text_content() == lines[0]
    alone.page.keyboard.press("End")
    assert words.text_content() == lines[-1]
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
    ("text", "problem"),
    [("12.34", "These are 5 cells"), ("9" + "." * 15, "larger than 4"), ("", "These are 0 cells")],
)
def test_what_is_no_puzzle_is_said_in_words(alone: Opened, text: str, problem: str) -> None:
    paste(alone, text)
    assert problem in alone.page.locator("#paste [role=alert]").text_content()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("11" + "." * 14, "Two equal clues see each other"),
        ("12" + "." * 14, "several solutions"),
        ("12..3.4" + "." * 9, "no solution"),
    ],
)
def test_puzzles_without_one_solution_are_named(alone: Opened, text: str, words: str) -> None:
    paste(alone, text)
    assert words in alone.page.locator("#steps .note").text_content()


def copied(page: Opened, name: str) -> str:
    """Press a button that copies, and return what it put on the clipboard."""
    page.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.page.get_by_role("button", name=f"Copy as {name}").click()
    page.page.wait_for_function("window.copied !== undefined")
    text: str = page.page.evaluate("() => { const text = window.copied; delete window.copied; return text; }")
    return text


def test_a_puzzle_is_copied_as_text_as_clauses_and_as_a_command(alone: Opened) -> None:
    puzzle = hardest()
    paste(alone, puzzle.text)
    assert copied(alone, "81 characters") == puzzle.text
    assert copied(alone, "command") == f"sudoku-bench solve {puzzle.text} --steps"
    head, *clauses = copied(alone, "DIMACS").splitlines()
    formula = Rules(build("complete+pairwise", puzzle.shape)).with_units(puzzle.cells)
    assert {tuple(sorted(map(int, clause.split()[:-1]))) for clause in clauses} == {
        tuple(sorted(clause)) for clause in formula.clauses
    }
    assert head == f"p cnf 729 {len(clauses)}"


def test_the_page_of_a_puzzle_is_accessible_and_fits_a_phone(alone: Opened) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    alone.page.get_by_role("button", name="Next step").click()
    for wide, scheme in ((390, "light"), (1440, "dark")):
        alone.page.set_viewport_size({"width": wide, "height": 800})
        alone.page.emulate_media(color_scheme=scheme)
        result = axe.run(alone.page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [
            (one["id"], one["nodes"][0]["html"]) for one in result if one["impact"] in ("serious", "critical")
        ] == []
        assert alone.page.evaluate("document.documentElement.scrollWidth") <= wide


def open_puzzle(page: Opened, name: str) -> None:
    page.page.locator("#puzzle-search").fill(name)
    page.page.locator("#puzzle-table tbody button").first.click()


def test_a_click_on_a_puzzle_brings_it_into_view(page: Opened) -> None:
    open_puzzle(page, "tier2 0007")
    page.page.wait_for_function(IN_VIEW, arg="puzzle-title")
    assert page.page.locator("#puzzle-title").text_content() == "tier2-0007"


def test_rows_are_what_the_strategies_made_of_the_puzzle(page: Opened, run: Run) -> None:
    open_puzzle(page, "tier2 0007")
    rows = run.per_puzzle[(run.per_puzzle["puzzle"] == "tier2-0007")].sort_values(["cpu_s", "strategy"], kind="stable")
    lines = page.table("puzzle-rows")
    assert [one["Strategy"] for one in lines] == list(rows["strategy"])
    expected = [seconds(value) if math.isfinite(value) else "> 20 ms" for value in rows["cpu_s"]]
    assert [one["Median"] for one in lines] == expected
    measured = run.measurements[run.measurements["puzzle"] == "tier2-0007"]
    for number, one in enumerate(lines):
        theirs = measured[measured["strategy"] == one["Strategy"]]
        dots = page.page.locator("#puzzle-rows tbody tr").nth(number).locator(".dot")
        late = page.page.locator("#puzzle-rows tbody tr").nth(number).locator(".dot.late")
        assert dots.count() == len(theirs)
        assert late.count() == int((theirs["status"] != "solved").sum())
        solved = theirs.loc[theirs["status"] == "solved", "conflicts"]
        if len(solved):
            assert int(one["Conflicts"].replace(",", "")) == pytest.approx(solved.median(), rel=2e-3, abs=1)


def test_a_puzzle_is_compared_with_those_of_its_size(page: Opened, run: Run) -> None:
    open_puzzle(page, "tier2 0007")
    same = run.puzzles[run.puzzles["collection"] != "tier0"]
    own = float(same.loc[same["puzzle"] == "tier2-0007", "guesses"].iloc[0])
    share = math.floor(100 * (same["guesses"] < own).mean())
    assert f"harder than {share}% of this run's 24 puzzles" in page.page.locator("#puzzle-facts").text_content()


def test_previous_and_next_go_through_the_selection(page: Opened) -> None:
    page.choose("collections", "tier1")
    title = page.page.locator("#puzzle-title")
    assert title.text_content() == "tier1-0000"
    page.page.get_by_role("button", name="Next puzzle").click()
    assert title.text_content() == "tier1-0001"
    page.page.get_by_role("button", name="Previous puzzle").click()
    assert title.text_content() == "tier1-0000"


def test_a_link_shows_what_its_sender_saw(page: Opened, opens: Any, run_page: str) -> None:
    page.choose("collections", "tier1", "tier2")
    page.choose("strategies", "family0:model0@engine", "family0:model1@engine", "family1:model3@engine")
    page.settle(page.page.locator("#legend button").first.click)
    page.select("clock", "wall")
    page.select("measure", "clues")
    open_puzzle(page, "tier2 0003")
    address = page.page.evaluate("location.hash")
    assert "p=tier2-0003" in address
    other = opens(run_page, address=address)
    assert other.page.evaluate("location.hash") == address
    assert other.page.locator("#clock").input_value() == "wall"
    assert other.page.locator("#measure").input_value() == "clues"
    assert {mark["strategy"] for mark in other.marks()} == {0}
    for kind, chosen in (("collections", "2 of 3"), ("strategies", "3 of 4")):
        assert other.page.locator(f"#{kind}-count").text_content() == chosen
    assert other.page.locator("#puzzle-title").text_content() == "tier2-0003"
    other.page.wait_for_function(IN_VIEW, arg="puzzle-title")
    assert other.trouble == []


@pytest.mark.parametrize("hash_", ["#p=nothing&c=nowhere&s=&clock=sun&m=x&size=7", "#%E0%A4%A", "#pairs"])
def test_an_address_that_means_nothing_is_no_error(page: Opened, hash_: str) -> None:
    page.go(hash_)
    assert page.trouble == []


def test_sections_keep_the_state_in_the_address(page: Opened) -> None:
    page.choose("collections", "tier1")
    page.page.locator("nav a", has_text="Pairs").click()
    page.page.wait_for_function(IN_VIEW, arg="pairs-head")
    address = page.page.evaluate("location.hash")
    assert address.startswith("#c=tier1&")
    assert address.endswith("&at=pairs")


def saved(page: Opened, name: str) -> str:
    page.page.get_by_text("Save this view").click()
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name=name).click()
    page.page.get_by_text("Save this view").click()
    return Path(waiting.value.path()).read_text(encoding="utf-8")


def test_the_view_is_saved_as_csv(page: Opened, run: Run) -> None:
    page.choose("collections", "tier2")
    page.choose("strategies", "family0:model0@engine", "family1:model3@engine")
    lines = list(csv.DictReader(io.StringIO(saved(page, "Times as CSV"))))
    times = run.per_puzzle.set_index(["strategy", "puzzle"])["cpu_s"]
    assert len(lines) == 12
    for one in lines:
        assert one["collection"] == "tier2"
        for name in ("family0:model0@engine", "family1:model3@engine"):
            wanted = times[name, one["puzzle"]]
            assert float(one[name]) == pytest.approx(wanted, rel=1e-5) or np.isinf(wanted)
            assert (one[name] == "inf") == np.isinf(wanted)


def test_the_view_is_saved_as_latex_and_as_a_drawing(page: Opened) -> None:
    table = saved(page, "Summary as LaTeX")
    assert table.count(r"\texttt{") == 4
    assert table.startswith(r"\begin{tabular}")
    curves = saved(page, "Curves")
    assert curves.startswith("<svg")
    assert "<image" not in curves  # vectors, also where the page draws with WebGL
    assert "family1:model3@engine" in curves


def test_the_other_sections_are_saved_as_drawings(page: Opened) -> None:
    page.page.get_by_text("Save this view").click()
    texts, marks = {}, {}
    for part in ("winners", "cactus", "scatter", "map", "puzzle"):
        with page.page.expect_download() as waiting:
            page.page.locator(f"button[data-snapshot={part}]").click()
        assert waiting.value.suggested_filename == f"{part}.svg"
        root = ElementTree.parse(waiting.value.path()).getroot()
        assert float(root.get("width", 0)) > 300
        assert not [node for node in root.iter() if node.get("class")]  # looks are attributes: it stands alone
        texts[part] = [node.text for node in root.iter(f"{SVG}text") if node.text]
        marks[part] = len(list(root.iter(f"{SVG}path")))
    page.page.get_by_text("Save this view").click()
    heads = page.page.locator("#winners h3, main section > h2").all_text_contents()
    assert {texts[part][0] for part in ("winners", "cactus", "scatter", "map")} <= set(heads)
    cells = page.page.locator("#map-table td > span:first-child").all_text_contents()
    assert len(cells) == 8
    assert [text for text in texts["map"] if text in set(cells)][: len(cells)] == cells
    assert marks["cactus"] >= 4
    assert marks["scatter"] == page.page.locator("#scatter path").count()
    assert not [text for part in texts.values() for text in part if text in ("Swap A and B", "Next puzzle")]


def test_puzzles_beyond_the_end_of_a_scale_are_at_its_end(page: Opened, run: Run) -> None:
    page.select("size", "4")
    page.select("measure", "er")
    assert {row for mark in page.marks() for row in mark["rows"]} == set(range(12))
    beyond = {mark["x"][mark["rows"].index(row)] for mark in page.marks() for row in (0, 1) if row in mark["rows"]}
    assert len(beyond) == 1
    assert beyond.pop() > run.puzzles["er"][2:].astype(float).max()
    ticks = page.page.evaluate("document.getElementById('plot').layout.xaxis.ticktext")
    assert [tick for tick in ticks if tick.startswith(">")] == [">4.4"]  # the lowest of two bounds


def test_pairs_follow_the_clock(page: Opened, run: Run) -> None:
    assert page.table("pair-table")
    page.select("clock", "wall")
    wall = (run.pairs["clock"] == "wall").sum()
    assert len(page.table("pair-table")) == wall
    assert "several threads" in page.page.locator("#pairs-note").text_content()


def test_the_filters_stay_in_view(page: Opened) -> None:
    page.page.locator("#files").scroll_into_view_if_needed()
    assert page.page.evaluate(IN_VIEW, "filters")


def test_a_pasted_puzzle_of_the_run_is_that_puzzle(page: Opened, run: Run) -> None:
    row = 27
    grid = run.puzzles["grid"][row]
    paste(page, grid.replace(".", "0"))
    assert page.page.locator("#puzzle-title").text_content() == run.puzzles["puzzle"][row]
    assert page.table("puzzle-rows")


def test_a_pasted_puzzle_is_compared_with_those_as_hard(page: Opened, run: Run) -> None:
    """The run's puzzles are random texts; only their ratings count here."""
    puzzle = load("easy").items[0].puzzle
    steps = walkthrough(puzzle, solve(puzzle, limit=2).solutions[0])
    hardest = max(step.rating for step in steps)
    paste(page, puzzle.text)
    facts = page.page.locator("#puzzle-facts").text_content()
    own = run.puzzles[run.puzzles["collection"] != "tier0"]
    ratings = own["er"].astype(float)
    easier = math.floor(100 * (ratings < hardest).mean())
    assert f"{puzzle.clues} clues; its hardest step is rated {hardest:.1f} (ER), harder than {easier}%" in facts
    nearest = (ratings - hardest).abs()
    alike = own[nearest == nearest.min()]
    times = run.per_puzzle[run.per_puzzle["puzzle"].isin(alike["puzzle"])]
    medians = times.groupby("strategy")["cpu_s"].median()
    lines = page.table("puzzle-rows")
    assert [line["Strategy"] for line in lines] == list(medians.sort_values().index)
    assert [line["Median"] for line in lines] == [
        seconds(value) if math.isfinite(value) else "> 20 ms" for value in medians.sort_values()
    ]
    assert "Not times of your puzzle" in page.page.locator("#puzzle-rows").text_content()
    page.choose("strategies", "family0:model0@engine")
    assert page.page.locator("#puzzle-title").text_content() == "of your own"
    assert len(page.table("puzzle-rows")) == 1
    address = page.page.evaluate("location.hash")
    page.reset()
    assert page.page.locator("#puzzle-facts").text_content() != facts
    page.go(address)
    assert page.page.locator("#puzzle-facts").text_content() == facts
    page.page.get_by_role("button", name="Next puzzle").click()
    assert page.page.locator("#puzzle-title").text_content() == run.puzzles["puzzle"][0]


def test_a_pasted_puzzle_that_needs_a_guess_is_compared_with_those_beyond_the_rules(page: Opened, run: Run) -> None:
    paste(page, hardest().text)
    own = run.puzzles[run.puzzles["collection"] != "tier0"]
    ratings = own["er"].astype(float)
    beyond = own[ratings > 4.4]
    facts = page.page.locator("#puzzle-facts").text_content()
    assert f"(ER above 4.4), harder than {math.floor(100 * (ratings <= 4.4).mean())}%" in facts
    assert f"medians over the {len(beyond)} puzzles" in page.page.locator("#puzzle-rows").text_content()
    times = run.per_puzzle[run.per_puzzle["puzzle"].isin(beyond["puzzle"])].set_index(["strategy", "puzzle"])["cpu_s"]
    finished = np.isfinite(times).groupby("strategy").sum()
    lines = page.table("puzzle-rows")
    assert {line["Strategy"]: line["Finished"] for line in lines} == {
        name: f"{number} of {len(beyond)}" for name, number in finished.items()
    }
