"""The page in a real browser: no errors or requests, its filters, its tables, and readers of all kinds."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sudoku_bench.bench.figures.time_vs_difficulty import data as lines_of
from sudoku_bench.bench.reports.page.pictures import of_page
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.steps.board import Board
from tests.bench.figures.cases import CASES, LONG, simulated
from tests.bench.reports.page.opened import Opened
from tests.bench.reports.page.runs import evil, html

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
    printed = {str(names.index(name)) for name in lines_of(run).strategies if of_page(run).is_named(name)}
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
    assert page.page.locator("#map svg").is_visible()
    assert page.page.locator("#curves svg").first.is_visible()
    assert not page.page.locator("#filters").is_visible()
