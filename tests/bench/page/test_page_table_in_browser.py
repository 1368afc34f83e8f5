"""Ranges, and the columns, orders and pages of tables, in a real browser; links restore them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bench.verdicts.run_tables import Run
from tests.bench.page.opened import Opened

pytestmark = pytest.mark.slow

SLOW = "family1:model3@engine"


def in_menu(page: Opened, name: str, act: Any) -> None:
    """Open a menu, do something, and close it."""
    menu = page.page.locator(".controls details").filter(has_text=name)
    menu.locator("summary").click()
    act()
    menu.locator("summary").click()


def limit(page: Opened, column: str, low: str = "", high: str = "") -> None:
    """Enter the range of a measure or a time."""

    def enter() -> None:
        for end, value in (("from", low), ("to", high)):
            box = page.page.get_by_label(f"{column}, {end}", exact=True)
            if box.input_value() != value:
                page.settle(partial(box.fill, value))

    in_menu(page, "Ranges", enter)


def shown(page: Opened) -> set[str]:
    return {line["Puzzle"] for line in page.table("puzzle-table")}


def test_columns_are_chosen(page: Opened) -> None:
    before = set(page.table("puzzle-table")[0])
    in_menu(page, "Columns", lambda: page.page.locator("#columns label", has_text="clues").locator("input").uncheck())
    assert before - set(page.table("puzzle-table")[0]) == {"clues"}
    in_menu(
        page, "Columns", lambda: page.page.locator("#columns label", has_text="times of").locator("input").uncheck()
    )
    left = set(page.table("puzzle-table")[0])
    assert not [title for title in left if "@engine" in title]
    assert {"Puzzle", "Collection", "guesses", "Fastest", "Fastest time"} <= left
    page.everything()
    assert set(page.table("puzzle-table")[0]) == before


def test_puzzles_are_filtered_by_ranges_of_difficulty(page: Opened, run: Run) -> None:
    limit(page, "guesses", "5", "20")
    expected = run.puzzles[run.puzzles["guesses"].between(5, 20)]
    assert 0 < len(expected) < 25
    assert shown(page) == set(expected["puzzle"])
    assert page.page.locator("#puzzles-count").text_content() == f"{len(expected)} of 36 puzzles"
    limit(page, "clues", "24")
    expected = expected[expected["clues"] >= 24]
    assert shown(page) == set(expected["puzzle"])
    in_menu(page, "Ranges", lambda: page.settle(page.page.locator("#ranges-clear").click))
    assert page.page.locator("#puzzles-count").text_content() == "36 of 36 puzzles"


def test_values_beyond_a_scale_are_larger_than_all_of_it(page: Opened, run: Run) -> None:
    limit(page, "ER", "4.6")
    rated = pd.to_numeric(run.puzzles["er"], errors="coerce").fillna(np.inf)
    assert shown(page) == set(run.puzzles.loc[rated >= 4.6, "puzzle"])
    limit(page, "ER", "4.6", "9")
    assert shown(page) == set(run.puzzles.loc[rated.between(4.6, 9), "puzzle"])


def test_unfinished_times_are_beyond_every_range(page: Opened, run: Run) -> None:
    times = run.per_puzzle[run.per_puzzle["strategy"] == SLOW].set_index("puzzle")["cpu_s"]
    assert np.isinf(times).any()
    limit(page, f"{SLOW} (ms)", "12")
    assert shown(page) == set(times.index[times >= 0.012])
    limit(page, f"{SLOW} (ms)", "12", "20")
    assert shown(page) == set(times.index[times.between(0.012, 0.02)])


def test_the_fastest_time_is_a_range_too(page: Opened, run: Run) -> None:
    fastest = run.per_puzzle.groupby("puzzle")["cpu_s"].min()
    middle = float(fastest.median())
    limit(page, "Fastest time (ms)", "", f"{1e3 * middle:.6f}")
    assert shown(page) == set(fastest.index[fastest <= middle])


def test_everything_follows_the_ranges(page: Opened, run: Run) -> None:
    limit(page, "guesses", "5", "20")
    expected = run.puzzles["guesses"].between(5, 20) & (run.puzzles["collection"] != "tier0")  # which has 4×4 boards
    assert 0 < expected.sum() < 20
    assert {row for mark in page.marks() for row in mark["rows"]} == set(expected.index[expected])
    assert {line["Puzzles"] for line in page.table("summary-table")} == {str(expected.sum())}
    limit(page, f"{SLOW} (ms)", "12")
    assert page.page.locator("#ranges-count").text_content() == "(2)"
    assert {line["Puzzles"] for line in page.table("summary-table")} != {str(expected.sum())}
    page.choose("strategies", "family0:model0@engine")  # ranges of the others do not matter any more
    assert {line["Puzzles"] for line in page.table("summary-table")} == {str(expected.sum())}
    assert page.page.locator("#ranges-count").text_content() == "(1)"


def test_a_link_restores_the_pages_of_tables(page: Opened) -> None:
    page.page.locator("#puzzle-table .pages button", has_text="Next").click()
    lines = page.table("puzzle-table")
    assert page.page.locator("#puzzle-table .pages .number").text_content() == "26 to 36 of 36"
    address = page.page.evaluate("location.hash")
    page.reset()
    assert page.page.locator("#puzzle-table .pages .number").text_content() == "1 to 25 of 36"
    page.go(address)
    assert page.table("puzzle-table") == lines
    page.go("#sort=:99&sort-pairs=-ratio:2x")
    assert page.page.locator("#puzzle-table .pages .number").text_content() == "26 to 36 of 36"
    assert page.page.locator("#pair-table .pages .number").text_content().startswith("1 to")


def test_a_link_restores_the_table(page: Opened) -> None:
    in_menu(page, "Columns", lambda: page.page.locator("#columns label", has_text="clues").locator("input").uncheck())
    limit(page, f"{SLOW} (ms)", "2")
    page.page.locator("#puzzle-search").fill("tier1")
    page.page.locator("#puzzle-table thead th").filter(has_text=SLOW).locator("button").click()
    page.page.locator("#puzzle-table thead th").filter(has_text=SLOW).locator("button").click()
    for name, column in (("summary-table", "Strategy"), ("pair-table", "Collection")):
        page.page.locator(f"#{name} thead th").filter(has_text=column).locator("button").click()
        page.page.locator(f"#{name} thead th").filter(has_text=column).locator("button").click()
    lines = page.table("puzzle-table")
    assert lines
    others = [page.table(name) for name in ("summary-table", "pair-table")]
    address = page.page.evaluate("location.hash")
    page.reset()
    assert page.table("puzzle-table") != lines
    page.go(address)
    assert page.table("puzzle-table") == lines
    assert [page.table(name) for name in ("summary-table", "pair-table")] == others
    for name in ("summary-table", "pair-table", "puzzle-table"):
        assert page.page.locator(f"#{name} [aria-sort=descending]").count() == 1
    assert page.page.locator("#puzzle-search").input_value() == "tier1"
    assert page.page.locator("#ranges-count").text_content() == "(1)"


@pytest.mark.parametrize(
    "hash_", ["#r=guesses:x:1,:,guesses:1:2:3&sort=-&hide=&q=%", "#r=nothing:1:2&hide=no,,&sort=no"]
)
def test_ranges_that_mean_nothing_are_no_error(page: Opened, hash_: str) -> None:
    page.go(hash_)
    assert len(page.table("puzzle-table")) == 25
