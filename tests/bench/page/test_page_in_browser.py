"""The page in a real browser: no errors or requests, correct numbers under all filters, accessible."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bench.say import terminal
from bench.say.phrases import seconds
from bench.verdicts.pairs.evidence import evidence
from bench.verdicts.run_tables import Run
from tests.bench.figures.cases import CASES, LONG, simulated
from tests.bench.page.opened import Opened, in_seconds
from tests.bench.page.runs import SMALL, evil, html

pytestmark = pytest.mark.slow

CLOCKS = {"cpu": "", "wall": "wall_"}
PINNED = "document.getElementById('plot').layout.shapes.find(({ name }) => name === 'pinned')"


def summary(page: Opened) -> dict[str, dict[str, str]]:
    return {line["Strategy"]: line for line in page.table("summary-table")}


def about(words: str, wanted: float) -> bool:
    """Return whether a text of the page is this number with three digits."""
    return words == "–" if math.isnan(wanted) else in_seconds(words) == pytest.approx(wanted, rel=0.006)


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_single_collection_has_the_figures_of_the_summary(page: Opened, run: Run, clock: str) -> None:
    page.select("clock", clock)
    for collection in ("tier1", "tier2"):
        page.choose("collections", collection)
        cells = summary(page)
        lines = run.summary[run.summary["collection"] == collection]
        shares = run.vbs[run.vbs["collection"] == collection].set_index("strategy")["fastest_share"]
        assert set(cells) == set(lines["strategy"])
        for line in lines.to_dict("records"):
            row = cells[line["strategy"]]
            assert row["Puzzles"] == str(line["n_puzzles"])
            assert row["Solved"] == f"{line['solved']} of {line['n_measurements']}"
            median = line[f"{CLOCKS[clock]}median_s"]
            late = math.isnan(median)
            assert row["Median"].startswith("> ") if late else about(row["Median"], median)
            assert about(row["Geometric mean"], line[f"{CLOCKS[clock]}gmean_s"])
            assert about(row["PAR-2"], line[f"{CLOCKS[clock]}par2_s"])
            if clock == "cpu":  # the virtual best solver goes by CPU time
                assert float(row["Fastest on"].rstrip("%")) == pytest.approx(100 * shares[line["strategy"]], abs=0.51)


def test_filters_recompute_the_summary(page: Opened, run: Run) -> None:
    strategies = ["family0:model0@engine", "family0:model2@engine"]
    page.choose("collections", "tier0", "tier1")
    page.choose("strategies", *strategies)
    cells = summary(page)
    assert sorted(cells) == strategies
    assert "12 puzzles of other sizes" in page.page.locator("#summary-note").text_content()  # tier0 has 4×4 boards
    rows = run.measurements[run.measurements["collection"] == "tier1"]
    times = rows.assign(cpu_s=rows["cpu_s"].fillna(np.inf))
    puzzles = times.groupby(["strategy", "collection", "puzzle"])["cpu_s"].median().unstack("strategy")[strategies]
    fastest = puzzles.idxmin(axis=1).value_counts(normalize=True)
    for name in strategies:
        row = cells[name]
        assert row["Puzzles"] == "12"
        assert about(row["Median"], puzzles[name].median())
        wanted = np.exp(np.log(puzzles[name]).mean()) if np.isfinite(puzzles[name]).all() else math.nan
        assert about(row["Geometric mean"], wanted)
        assert float(row["Fastest on"].rstrip("%")) == pytest.approx(100 * fastest.get(name, 0), abs=0.51)
    assert {mark["strategy"] for mark in page.marks()} == {0, 2}


def test_marks_are_at_their_values_and_unfinished_ones_hollow_at_the_limit(page: Opened, run: Run) -> None:
    page.choose("collections", "tier1", "tier2")
    rows = run.per_puzzle[run.per_puzzle["collection"] != "tier0"]
    rows = rows.merge(run.puzzles[["collection", "puzzle", "guesses"]], on=["collection", "puzzle"])
    late = np.isinf(rows["cpu_s"])
    assert late.any()
    wanted = pd.DataFrame({"x": np.log10(1 + rows["guesses"]), "y": np.log10(rows["cpu_s"].where(~late, 0.02))})
    for hollow in (False, True):
        marks = [mark for mark in page.marks() if mark["symbol"].endswith("-open") == hollow]
        result = sorted((x, y) for mark in marks for x, y in zip(mark["x"], mark["y"], strict=True))
        expected = sorted(wanted[late == hollow].itertuples(index=False, name=None))
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
    assert "limit 20 ms" in page.page.locator("#plot").text_content()


def test_the_plot_shows_one_board_size(page: Opened) -> None:
    assert {row for mark in page.marks() for row in mark["rows"]} == set(range(12, 36))
    assert "12 have another board size" in page.page.locator("#plot-words").text_content()
    page.select("size", "4")
    assert {row for mark in page.marks() for row in mark["rows"]} == set(range(12))


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_a_strategy_is_isolated_and_released(page: Opened, how: str) -> None:
    button = page.page.locator("#legend button").nth(2)

    def press() -> None:
        if how == "mouse":
            button.click()
        else:
            button.focus()
            page.page.keyboard.press("Enter")

    page.settle(press)
    assert button.get_attribute("aria-pressed") == "true"
    assert {mark["strategy"] for mark in page.marks()} == {2}
    page.settle(press)
    assert button.get_attribute("aria-pressed") == "false"
    assert {mark["strategy"] for mark in page.marks()} == {0, 1, 2, 3}


def test_several_strategies_are_isolated_at_once(page: Opened) -> None:
    buttons = page.page.locator("#legend button")
    for number in (1, 3):
        page.settle(buttons.nth(number).click)
    assert {mark["strategy"] for mark in page.marks()} == {1, 3}
    assert len(summary(page)) == 2
    page.settle(buttons.nth(1).click)
    assert {mark["strategy"] for mark in page.marks()} == {3}


def shown(page: Opened, run: Run, row: int) -> None:
    """Check that the card shows this puzzle with the times of all strategies in order."""
    puzzle = run.puzzles.iloc[row]
    card = page.page.locator("#card")
    card.locator("h3").wait_for()
    assert card.locator("h3").text_content() == f"{puzzle['puzzle']} {puzzle['collection']}"
    given = [cell for cell in puzzle["grid"] if cell != "."]
    assert card.locator("svg.board text").all_text_contents() == given
    rows = run.per_puzzle[(run.per_puzzle["puzzle"] == puzzle["puzzle"])]
    rows = rows[rows["collection"] == puzzle["collection"]].sort_values(["cpu_s", "strategy"], kind="stable")
    items = card.locator(".times li").all_text_contents()
    words = [seconds(value) if math.isfinite(value) else "not finished" for value in rows["cpu_s"]]
    assert items == [f"{name} {word}" for name, word in zip(rows["strategy"], words, strict=True)]


def test_pointing_at_a_mark_shows_its_puzzle(page: Opened, run: Run) -> None:
    places = page.places()
    at = np.array([place[2:] for place in places])
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + np.diag(np.full(len(at), np.inf))
    for which in np.argsort(-apart.min(axis=1))[:3]:
        strategy, row, x, y = places[which]
        page.page.mouse.move(x + 30, y + 30)
        page.page.mouse.move(x, y)
        page.page.locator("#tip").wait_for()
        name = page.page.locator("#legend button").nth(strategy).text_content()
        page.page.wait_for_function("(name) => document.getElementById('tip').textContent.startsWith(name)", arg=name)
        shown(page, run, row)
        assert page.page.locator(".times .here .name").text_content() == name


def test_keys_move_from_puzzle_to_puzzle_and_zoom(page: Opened, run: Run) -> None:
    big = run.puzzles[run.puzzles["collection"] != "tier0"]
    order = list(big.sort_values("guesses", kind="stable").index)
    frame = page.page.locator("#plot-frame")
    frame.focus()
    page.page.keyboard.press("ArrowRight")
    shown(page, run, order[0])
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowRight")
    shown(page, run, order[2])
    assert page.page.locator("#announcement").text_content().startswith(f"{run.puzzles['puzzle'][order[2]]} ")
    page.page.keyboard.press("ArrowLeft")
    shown(page, run, order[1])
    x = math.log10(1 + run.puzzles["guesses"][order[1]])
    page.page.wait_for_function(f"Math.abs(({PINNED})?.x0 - {x}) < 1e-3")
    page.page.keyboard.press("Escape")
    page.page.wait_for_function(f"{PINNED} === undefined")
    whole = page.ranges()
    page.page.keyboard.press("+")
    assert width(page.ranges()[0]) == pytest.approx(0.6 * width(whole[0]))
    page.page.keyboard.press("0")
    assert page.ranges() == whole


def width(bounds: list[float]) -> float:
    return bounds[1] - bounds[0]


def test_buttons_and_the_mouse_zoom_and_move(page: Opened) -> None:
    view = page.page.locator("#view")
    whole = page.ranges()
    view.get_by_role("button", name="Zoom in").click()
    zoomed = page.ranges()
    assert width(zoomed[1]) == pytest.approx(0.6 * width(whole[1]))
    view.get_by_role("button", name="Move right").click()
    assert page.ranges()[0][0] > zoomed[0][0]
    view.get_by_role("button", name="Zoom out").click()
    assert width(page.ranges()[0]) == pytest.approx(width(whole[0]), rel=1e-3)
    view.get_by_role("button", name="Reset").click()
    assert page.ranges() == whole
    box = page.page.locator("#plot").bounding_box()
    assert box
    page.page.mouse.move(box["x"] + 300, box["y"] + 100)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 500, box["y"] + 250, steps=4)
    page.page.mouse.up()
    page.page.wait_for_function(f"document.getElementById('plot').layout.xaxis.range[0] > {whole[0][0] + 0.01}")
    assert width(page.ranges()[0]) < width(whole[0])


def test_puzzles_can_be_sorted_searched_and_opened(page: Opened, run: Run) -> None:
    head = page.page.locator("#puzzle-table thead th").filter(has_text="guesses")
    for order, way in (("ascending", 1), ("descending", -1)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        values = [float(line["guesses"]) for line in page.table("puzzle-table")]
        wanted = sorted(run.puzzles["guesses"], key=lambda value: way * value)
        assert values == pytest.approx(wanted[: len(values)], rel=1e-4)
    assert page.page.locator("#puzzle-table [aria-sort]").count() == 1
    page.page.locator("#puzzle-search").fill("tier2 0007")
    [line] = page.table("puzzle-table")
    assert line["Puzzle"] == "tier2-0007"
    page.page.locator("#puzzle-table tbody button").focus()
    shown(page, run, 31)


def test_unfinished_times_come_after_all_others(page: Opened) -> None:
    page.choose("collections", "tier2")
    head = page.page.locator("#puzzle-table thead th").filter(has_text="family1:model3@engine")
    head.locator("button").click()
    times = [in_seconds(line["family1:model3@engine"]) for line in page.table("puzzle-table")]
    assert math.inf in times
    assert times == sorted(times)


def test_pages_of_a_table_hold_all_puzzles(page: Opened, run: Run) -> None:
    result = page.table("puzzle-table")
    page.page.locator("#puzzle-table").get_by_role("button", name="Next").click()
    result += page.table("puzzle-table")
    assert sorted(line["Puzzle"] for line in result) == sorted(run.puzzles["puzzle"])


def test_pairs_follow_the_filters_and_show_their_evidence(page: Opened, run: Run) -> None:
    page.choose("collections", "tier1")
    pairs = run.pairs[run.pairs["collection"] == "tier1"].to_dict("records")
    columns = ("A", "B", "A is", "Time of A / time of B", "Interval that decided", "p (Holm)")
    cells = [tuple(line[column] for column in columns) for line in page.table("pair-table")]
    shown = [(row, evidence(row)) for row in pairs]
    assert cells == [
        (row["a"], row["b"], one.finding, one.ratio or "–", one.interval or "–", one.p or "–") for row, one in shown
    ]
    titles = page.page.locator("#pair-table td span[title]").evaluate_all("all => all.map((each) => each.title)")
    assert titles == [one.sentence for _, one in shown]


def test_an_empty_selection_is_no_error(page: Opened) -> None:
    for kind in ("collections", "strategies"):
        page.choose(kind)
        assert page.marks() == []
        page.everything()
    assert len(page.table("summary-table")) == 4


def test_a_menu_closes_by_key_and_finds_strategies(page: Opened) -> None:
    menu = page.page.locator("#filters details").nth(1)
    menu.locator("summary").click()
    page.page.locator("#strategy-search").fill("model2")
    assert page.page.locator("#strategies label:visible").all_text_contents() == ["family0:model2@engine"]
    page.page.locator("#strategy-search").fill("")
    page.page.keyboard.press("Escape")
    assert not menu.evaluate("(menu) => menu.open")


def test_small_boards_are_drawn_too(page: Opened) -> None:
    page.page.locator("#puzzle-table tbody button").first.focus()
    assert page.page.locator("#card svg.board").get_attribute("aria-label") == "Board of 4 by 4 cells with 8 clues"
    assert page.page.locator("#card svg.board text").count() == len(SMALL.replace(".", ""))
    assert page.page.locator("#card svg.board line.thick").count() == 6


def test_names_stay_text(opens: Any) -> None:
    run = evil()
    page = opens(html(run))
    assert page.page.evaluate("window.hacked") is None
    names = sorted(set(run.measurements["strategy"]))
    assert page.page.locator("#legend button").all_text_contents() == names
    assert page.page.title() == run.manifest["suite"]["title"]
    page.page.locator("#puzzle-table tbody button").first.focus()
    assert page.page.locator("#card .times .name").count() == 4
    assert page.page.locator("img").count() == 0
    assert page.trouble == []


def test_the_page_is_accessible_at_every_width(page: Opened) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.page.locator("#puzzle-table tbody button").first.focus()
    page.settle(page.page.locator("#legend button").first.click)
    for wide, scheme in ((1440, "light"), (390, "dark")):
        page.page.set_viewport_size({"width": wide, "height": 900})
        page.page.emulate_media(color_scheme=scheme)
        result = axe.run(page.page, options={"resultTypes": ["violations"]}).response["violations"]
        serious = [(one["id"], one["nodes"][0]["html"]) for one in result if one["impact"] in ("serious", "critical")]
        assert serious == []
        assert page.page.evaluate("document.documentElement.scrollWidth") <= wide


CROWDED = partial(simulated, strategies=60, puzzles=4, replicates=1, collections=2, name=LONG)


@pytest.mark.parametrize("make", [CASES["one of both"], CASES["all timeouts"], CROWDED])
def test_degenerate_runs_have_a_page_that_works(opens: Any, make: Any) -> None:
    run = make()
    page = opens(html(run), 390)
    assert page.trouble == []
    assert len(page.table("summary-table")) == run.summary["strategy"].nunique()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_verdicts_can_be_read_without_scripts(opens: Any, run: Run, run_page: str) -> None:
    page = opens(run_page, java_script_enabled=False)
    text = " ".join(page.page.locator("#verdicts").text_content().split())
    for line in terminal.verdict_lines(run):
        assert " ".join(line.split()) in text
    assert page.page.locator("noscript").is_visible()
    assert page.page.locator("#medians table").is_visible()
    assert not page.page.locator("#plot-section").is_visible()


def test_too_many_marks_are_thinned_in_the_drawing_only(opens: Any) -> None:
    page = opens(html(simulated(puzzles=6000, replicates=1, collections=1)))
    drawn = [len(mark["rows"]) for mark in page.marks()]
    assert drawn == [3000] * 4  # of 24,000 marks no more than 20,000 are drawn
    assert "3,000 are not drawn" in page.page.locator("#plot-words").text_content()
    assert {line["Puzzles"] for line in page.table("summary-table")} == {"6,000"}
    page.settle(page.page.locator("#legend button").first.click)
    assert [len(mark["rows"]) for mark in page.marks()] == [6000]
    assert "not drawn" not in page.page.locator("#plot-words").text_content()


NO_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null;"
WEAK_WEBGL = "WebGLRenderingContext.prototype.getExtension = () => null;"


@pytest.mark.parametrize("before", [NO_WEBGL, WEAK_WEBGL])
def test_a_browser_without_webgl_draws_too(opens: Any, run_page: str, before: str) -> None:
    page = opens(run_page, before=before)
    assert {mark["strategy"] for mark in page.marks()} == {0, 1, 2, 3}
    assert page.page.evaluate("document.getElementById('plot').data[0].type") == "scatter"
    assert "WebGL" not in page.page.locator("#plot").text_content()
    assert page.trouble == []


def test_a_link_restores_the_zoom(page: Opened) -> None:
    page.page.locator("#view").get_by_role("button", name="Zoom in").click()
    page.page.wait_for_function("location.hash.includes('zoom=')")
    address, zoomed = page.page.evaluate("location.hash"), page.ranges()
    page.reset()
    assert width(page.ranges()[0]) > width(zoomed[0])
    page.go(address)
    for own, restored in zip(zoomed, page.ranges(), strict=True):
        assert own == pytest.approx(restored, abs=1e-3)
    page.select("measure", "clues")
    assert "zoom" not in page.page.evaluate("location.hash")
