"""The page in a real browser: no errors or requests, its filters, its tables, and readers of all kinds."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import pandas as pd
import pytest

from sudoku_bench.bench.commands.solve import read_one
from sudoku_bench.bench.figures.time_vs_difficulty import data as lines_of
from sudoku_bench.bench.figures.time_vs_difficulty import named
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.steps.board import Board
from tests.bench.figures.cases import CASES, LONG, simulated
from tests.bench.page.opened import Opened
from tests.bench.page.runs import evil, html

pytestmark = pytest.mark.thorough

FIRST, MIDDLE, SLOW = "family0:model0@engine", "family0:model2@engine", "family1:model3@engine"
ON = """() => [...document.querySelectorAll("#curves figure:not([hidden]) [data-strategy]:not(.off)")]
  .map(({ classList, dataset }) => [classList[0], dataset.strategy, dataset.collection])"""


def shown(page: Opened, kind: str) -> set[tuple[str, str]]:
    """Return the strategies, and of points the collections, whose curves, bands or points are in colour."""
    return {(strategy, collection) for one, strategy, collection in page.page.evaluate(ON) if one == kind}


def short(value: float) -> str:
    """Return a time as the tables of the page write it."""
    number, unit = seconds(value).split()
    return f"{float(number):g} {unit}"


def test_curves_follow_the_filters(opens: Any) -> None:
    run = simulated(strategies=12, puzzles=40, collections=2)
    page, names = opens(html(run)), sorted(set(run.measurements["strategy"]))
    printed = {str(names.index(name)) for name in named(lines_of(run))}
    assert {strategy for strategy, _ in shown(page, "curve")} == printed
    assert {collection for _, collection in shown(page, "points")} == {"0", "1"}
    page.choose(FIRST)
    page.scope("tier1")
    assert shown(page, "curve") == {("0", "")}
    assert shown(page, "points") == {("0", "1")}


def test_tables_follow_the_filters(page: Opened, run: Run) -> None:
    page.scope("tier0")
    assert page.page.locator("#curves figure[data-board='9×9']").is_hidden()
    page.scope("tier1")
    assert page.page.locator("#curves figure[data-board='9×9']").is_visible()
    page.choose(MIDDLE)
    assert {line["Collection"] for line in page.table("puzzle-table")} == {"tier1"}
    assert MIDDLE in page.table("puzzle-table")[0]
    assert FIRST not in page.table("puzzle-table")[0]
    pairs = run.pairs.query("collection == 'tier1' and (a == @MIDDLE or b == @MIDDLE)")
    assert {(line["A"], line["B"]) for line in page.table("pair-table")} == set(
        zip(pairs["a"], pairs["b"], strict=True)
    )
    assert [line["Strategy"] for line in page.table("solves")] == [MIDDLE]


def test_puzzles_are_sorted_searched_and_opened(page: Opened, run: Run) -> None:
    own = run.puzzles[run.puzzles["collection"] != "tier0"]
    for order, falls in (("ascending", False), ("descending", True)):
        page.sort("puzzle-table", "guesses")
        assert page.page.locator(f"#puzzle-table [aria-sort={order}]").count() == 1
        values = [float(line["guesses"]) for line in page.table("puzzle-table")]
        assert values == pytest.approx(sorted(own["guesses"], reverse=falls), rel=5e-3)  # 3 digits
    page.sort("puzzle-table", SLOW)
    late = [line[SLOW].startswith(">") for line in page.table("puzzle-table")]
    assert True in late
    assert late == sorted(late)
    page.search("puzzle-table", "tier2 0007")
    [line] = page.table("puzzle-table")
    page.page.locator("#puzzle-table tbody button").press("Enter")
    assert page.text("#puzzle-name") == line["Puzzle"] == "tier2-0007"


def test_tables_of_many_rows_are_shown_in_parts(opens: Any) -> None:
    page = opens(html(simulated(puzzles=60, repetitions=1)))
    first = page.table("puzzle-table")
    page.page.locator("#puzzle-table").get_by_role("button", name="Next").click()
    assert page.text("#puzzle-table [role=status]") == "26 to 50 of 180"
    assert not {line["Puzzle"] for line in page.table("puzzle-table")} & {line["Puzzle"] for line in first}


def test_a_puzzle_shows_the_time_of_each_form_and_its_candidates(page: Opened, run: Run) -> None:
    page.search("puzzle-table", "tier2 0007")
    page.page.locator("#puzzle-table tbody button").click()
    own = run.measurements[run.measurements["puzzle"] == "tier2-0007"].groupby("strategy")
    for line in page.table("solves"):
        rows = own.get_group(line["Strategy"])
        known = zip(rows["cpu_s"], rows["status"] == "solved", strict=True)
        assert line["Each form"] == ", ".join(short(value) if is_solved else "> 20 ms" for value, is_solved in known)
    grid = run.puzzles.set_index("puzzle")["grid"]["tier2-0007"]
    left = sum(mask.bit_count() for mask in Board(parse(grid)).candidates)
    assert page.page.locator("#board text.mark").count() == left
    assert page.text("#puzzle-command") == f"sudoku-bench show {grid}"


def test_the_page_opens_on_the_hardest_puzzle_of_the_selection(page: Opened, run: Run) -> None:
    own = run.puzzles.set_index("puzzle")["guesses"]
    assert page.text("#puzzle-name") == own[own.index.str.startswith(("tier1", "tier2"))].idxmax()
    page.scope("tier0")
    assert page.text("#puzzle-name") == own[own.index.str.startswith("tier0")].idxmax()


def test_puzzles_with_pencilmarks_are_shown(opens: Any, run: Run) -> None:
    puzzle, own = read_one("pencilmark-001"), run.puzzles["collection"] == "tier1"
    board = run.puzzles["collection"].map({"tier1": puzzle.shape.code})
    puzzles = run.puzzles.assign(grid=run.puzzles["grid"].mask(own, puzzle.text), board=board)
    page = opens(html(dataclasses.replace(run, puzzles=puzzles)))
    page.scope("tier1")
    assert page.page.locator("#board text.mark").count() == sum(map(int.bit_count, Board(puzzle).candidates))


def test_a_second_run_is_shown(opens: Any, run: Run) -> None:
    names = ("collection", "clock", "a", "b", "verdict_1", "verdict_2")
    table = pd.DataFrame({name: ["easy", "hard"] for name in names} | {"stood": ["yes", "no"]})
    page = opens(html(run, second=table.assign(ratio_1=2.0, ratio_2=3.0, moved=1.5)))
    assert [line["Stood"] for line in page.table("second-table")] == ["no", "yes"]


def test_names_stay_text(opens: Any) -> None:
    run = evil()
    page = opens(html(run))
    assert page.page.evaluate("window.hacked") is None
    assert {line["Strategy"] for line in page.table("solves")} == set(run.measurements["strategy"])
    assert page.page.title() == run.manifest["suite"]["title"]
    assert page.page.locator("img").count() == 0


@pytest.mark.parametrize(("wide", "scheme"), [(1440, "dark"), (390, "light")])
def test_everything_is_accessible_and_fits(opens: Any, run_page: str, wide: int, scheme: str) -> None:
    page = opens(run_page, wide, color_scheme=scheme)
    page.page.locator("#answer details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert page.barriers() == []
    assert not page.overflows()


def test_nothing_is_cut_on_paper(opens: Any) -> None:
    page = opens(html(simulated(puzzles=30, collections=9, repetitions=2)), 718)  # A4 within margins of 1 cm
    page.page.emulate_media(media="print")
    wide = "all => all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).length"
    assert page.page.locator("table:visible, svg:visible").evaluate_all(wide) == 0


def test_keys_reach_and_check_a_strategy(page: Opened) -> None:
    page.page.locator("#filters select").focus()
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Space")
    assert [line["Strategy"] for line in page.table("solves")] == [FIRST]


CROWDED = partial(simulated, strategies=60, puzzles=4, repetitions=1, collections=2, name=LONG)


@pytest.mark.parametrize("make", [CASES["one of both"], CASES["all timeouts"], CROWDED])
def test_degenerate_runs_have_a_page_that_works(opens: Any, make: Any) -> None:
    page = opens(html(make()), 390)
    assert page.table("puzzle-table")
    assert not page.overflows()


def test_verdicts_map_and_figures_can_be_read_without_scripts(opens: Any, run: Run, run_page: str) -> None:
    page = opens(run_page, java_script_enabled=False)
    text = " ".join(page.text("#answer").split())
    for line in terminal.verdict_lines(run, len(run.crossovers)):
        assert " ".join(line.split()) in text
    assert page.page.locator("noscript").is_visible()
    assert page.page.locator("#map table").is_visible()
    assert page.page.locator("#curves svg").first.is_visible()
    assert not page.page.locator("#filters").is_visible()
