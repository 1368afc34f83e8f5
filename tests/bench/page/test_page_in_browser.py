"""The page in a real browser: no errors or requests, numbers of the run's tables under all filters, accessible."""

from __future__ import annotations

import dataclasses
import math
import re
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.commands.solve import read_one
from sudoku_bench.bench.figures.groups import told
from sudoku_bench.bench.figures.time_vs_difficulty import data, named
from sudoku_bench.bench.page.gather import MEASURES
from sudoku_bench.bench.page.pair_table import pairs
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.steps.board import Board
from tests.bench.figures.cases import CASES, LONG, simulated
from tests.bench.page.opened import Opened, in_seconds
from tests.bench.page.runs import evil, html

pytestmark = pytest.mark.thorough

FIRST, MIDDLE, SLOW = "family0:model0@engine", "family0:model2@engine", "family1:model3@engine"
PAPER = {"width": 718, "height": 1046}  # A4 within margins of 1 cm, in CSS pixels
TORN = """() => [...document.querySelectorAll("svg.chart, .strip")].filter((chart) => {
  const { left, right } = chart.getBoundingClientRect();
  let kept = chart;
  while (kept && getComputedStyle(kept).breakInside !== "avoid") kept = kept.parentElement;
  return !kept || left < 0 || right > innerWidth || kept.getBoundingClientRect().height > innerHeight;
}).map((chart) => chart.closest("section").id)"""
CUT = """() => [...document.querySelectorAll("table")].filter((table) => table.checkVisibility()
  && table.getBoundingClientRect().right > innerWidth + 1).map((table) => table.closest("section").id)"""


def of_nine(run: Run) -> pd.DataFrame:
    """The times of the puzzles of 9×9, strategies × puzzles; infinite if not finished."""
    rows = run.per_puzzle[run.per_puzzle["collection"] != "tier0"]
    return rows.pivot(index="strategy", columns=["collection", "puzzle"], values="cpu_s")


def corners(path: str) -> list[tuple[float, float]]:
    """Return the corners of a line drawn as a path."""
    return [(float(place.split()[0]), float(place.split()[1])) for place in re.split("[ML]", path)[1:]]


def centres(page: Opened) -> list[tuple[float, float]]:
    """Return the centres of the marks of the curves, whose outlines are polygons or circles."""
    outlines = page.page.locator("#plot path.mark").first.get_attribute("d").split("M")[1:]
    shapes = [np.array(corners(f"M{outline.partition('a')[0].rstrip('z')}")) for outline in outlines]
    return [tuple(shape.mean(axis=0) if len(shape) > 1 else shape[0] + [3.2, 0]) for shape in shapes]


def test_pairs_follow_the_filters(page: Opened, run: Run) -> None:
    names = sorted(set(run.measurements["strategy"]))
    expected = pairs(run, names)
    places = list(zip(expected["collection"], expected["strategies"], strict=True))
    texts = {
        column["title"]: [names[at] for at in column["values"]] if column["kind"] == "strategy"
        else column.get("texts") or list(map(str, column["values"]))
        for column in expected["columns"]
    }  # fmt: skip
    lines = [dict(zip(texts, line, strict=True)) for line in zip(*texts.values(), strict=True)]
    [ratios] = [column["values"] for column in expected["columns"] if column["key"] == "ratio"]
    by_ratio = sorted(range(len(lines)), key=lambda row: math.inf if ratios[row] is None else ratios[row])
    of_nine = [row for row in by_ratio if places[row][0]]
    assert page.table("pairs-table") == [lines[row] for row in of_nine]
    titles = page.page.locator("#pairs-table td span[title]").evaluate_all("all => all.map((one) => one.title)")
    assert titles == [expected["sentences"][row] for row in of_nine]
    page.select("scope", "tier1")
    page.choose(MIDDLE)
    assert page.table("pairs-table") == [lines[row] for row in by_ratio if places[row][0] == 1 and 2 in places[row][1]]


def test_marks_of_the_curves_are_at_their_values_and_hollow_if_not_finished(page: Opened, run: Run) -> None:
    whole = page.page.locator("#plot path.mark")
    late = np.isinf(of_nine(run))
    hollow = page.page.locator("#plot path.mark.hollow").evaluate_all(
        "all => all.map((one) => one.getAttribute('d').match(/M/g).length)"
    )
    assert sum(hollow) == late.sum().sum() > 0
    assert whole.count() == 4 + late.any(axis=1).sum()
    assert "time limit 20 ms" in page.text("#plot")
    page.choose(FIRST)
    slope, offset = page.scale("plot", "y")
    drawn = np.array(centres(page))
    guesses = run.puzzles.loc[run.puzzles["collection"] != "tier0", "guesses"].to_numpy()
    np.testing.assert_allclose(drawn[:, 1], slope * np.log10(of_nine(run).loc[FIRST]) + offset, atol=1.0)
    assert np.corrcoef(drawn[:, 0], np.log1p(guesses))[0, 1] == pytest.approx(1, abs=1e-4)
    assert page.page.locator("#plot-key li").all_text_contents() == [FIRST]


def test_puzzles_beyond_the_end_of_a_scale_are_at_its_end(page: Opened) -> None:
    page.select("scope", "tier0")
    page.select("measure", "ER")
    assert [text for text in page.page.locator("#plot text.tick").all_text_contents() if text.startswith(">")] == [
        ">4.4"  # the lowest of two bounds
    ]


def test_keys_and_clicks_pin_puzzles(page: Opened, run: Run) -> None:
    own = run.puzzles[run.puzzles["collection"] != "tier0"].sort_values("guesses", kind="stable")
    plot = page.page.locator("#plot")
    plot.focus()
    for _ in range(3):
        page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowLeft")
    name = own["puzzle"].iloc[1]
    times = run.per_puzzle[run.per_puzzle["puzzle"] == name].sort_values("cpu_s", kind="stable")
    words = [seconds(value) if math.isfinite(value) else "not finished" for value in times["cpu_s"]]
    said = ", ".join(f"{strategy} {word}" for strategy, word in zip(times["strategy"], words, strict=True))
    assert page.text("#plot-pinned") == f"{name}: {said}"
    assert page.text("#puzzle-title") == name
    x = float(page.page.locator("#plot line.pinned").get_attribute("x1"))
    page.page.keyboard.press("Escape")
    assert page.page.locator("#plot line.pinned").count() == 0
    page.choose(FIRST)
    chosen = min(centres(page), key=lambda place: abs(place[0] - x))
    plot.evaluate("(plot) => plot.scrollIntoView({ block: 'center' })")
    box = plot.bounding_box()
    page.page.mouse.move(box["x"] + chosen[0], box["y"] + chosen[1])
    assert page.text("#plot .tip").startswith(f"{name}, {FIRST}: ")
    page.page.mouse.click(box["x"] + chosen[0], box["y"] + chosen[1])
    assert page.address().startswith(f"#p={name}")
    page.page.keyboard.press("Enter")
    page.until("document.getElementById('puzzle').getBoundingClientRect().top < innerHeight / 2")


def test_a_measure_that_the_puzzles_lack_is_named_and_another_is_drawn(opens: Any, run: Run) -> None:
    small = run.puzzles["collection"] == "tier0"
    page = opens(html(dataclasses.replace(run, puzzles=run.puzzles.assign(er=run.puzzles["er"].mask(small)))))
    page.select("measure", "ER")
    assert page.text("#measure-missing") == ""
    page.select("scope", "tier0")
    assert page.text("#measure-missing") == "Not known for these puzzles: ER."
    assert page.text("#measure option:checked") == "guesses"
    assert page.page.locator("#measure option:disabled").all_text_contents() == ["ER"]
    assert "mean guesses" in page.text("#plot")
    assert page.page.locator("#plot path.mark").count() >= 4
    page.select("scope", "tier1")
    assert page.text("#measure option:checked") == "ER"
    assert page.trouble == []


def test_puzzles_of_no_known_difficulty_have_a_sentence_and_no_axes(opens: Any, run: Run) -> None:
    unknown = run.puzzles.assign(**dict.fromkeys(MEASURES, np.nan))
    page = opens(html(dataclasses.replace(run, puzzles=unknown)))
    assert page.text("#plot-note").startswith("Nothing to draw: ")
    assert page.page.locator("#plot svg").count() == 0
    assert len(page.table("puzzle-table")) == 24
    assert page.trouble == []


def test_a_strategy_without_times_has_sentences_and_no_axes(opens: Any, run: Run) -> None:
    statuses = run.measurements["status"].copy()
    statuses[run.measurements.index[run.measurements["strategy"] == FIRST][0]] = "wrong"
    page = opens(html(dataclasses.replace(run, measurements=run.measurements.assign(status=statuses))))
    page.choose(FIRST)
    assert page.text("#plot-note").startswith("Nothing to draw: ")
    assert page.page.locator("#plot svg").count() == 0
    assert page.text("#puzzle-rows") == "No strategy that is shown has a time here."
    assert page.trouble == []


def test_puzzles_with_pencilmarks_are_shown(opens: Any, run: Run) -> None:
    puzzle, own = read_one("pencilmark-001"), run.puzzles["collection"] == "tier1"
    board = run.puzzles["collection"].map({"tier1": puzzle.shape.code})
    puzzles = run.puzzles.assign(grid=run.puzzles["grid"].mask(own, puzzle.text), board=board)
    page = opens(html(dataclasses.replace(run, puzzles=puzzles)))
    page.select("scope", "tier1")
    assert len(page.table("puzzle-table")) == 12
    assert page.page.locator("#puzzle-board text.mark").count() == sum(map(int.bit_count, Board(puzzle).candidates))
    assert page.trouble == []


def test_without_a_choice_the_strategies_of_the_figure_have_colours(opens: Any) -> None:
    run = simulated(strategies=12, puzzles=40, collections=1)
    page = opens(html(run))
    coloured = sorted(named(data(run)))
    assert len(coloured) < 12
    assert page.page.locator("#plot-key li").all_text_contents() == coloured
    assert page.page.locator("#plot path.other").count() == 12 - len(coloured)
    assert f"Grey: {12 - len(coloured)} other strategies" in page.text("#plot-note")
    page.choose(next(name for name in set(run.measurements["strategy"]) if name not in coloured))
    assert page.page.locator("#plot path.other").count() == 0
    assert page.trouble == []


@pytest.fixture(scope="module")
def crossing() -> Run:
    """A run with crossovers."""
    return simulated(strategies=8, puzzles=60, growth=-0.15)


def test_curves_and_crossovers_of_the_run_are_drawn(opens: Any, crossing: Run) -> None:
    page = opens(html(crossing))
    coloured = named(data(crossing))
    reported = told(crossing)[told(crossing)["axis"] == "guesses"]
    inside = reported[reported["faster_above"].isin(coloured) & reported["faster_below"].isin(coloured)].head(5)
    assert len(inside)
    assert page.page.locator("#plot circle.ring").count() == len(inside)
    for line in inside.to_dict("records"):
        assert f"{line['faster_above']} is faster than {line['faster_below']}" in page.text("#plot-note")
    assert page.page.locator("#plot path.band").count() == len(coloured)
    curve = crossing.curves[(crossing.curves["axis"] == "guesses") & (crossing.curves["strategy"] == FIRST)]
    page.choose(FIRST)
    slope, offset = page.scale("plot", "y")
    drawn = page.page.locator("#plot path.line").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    heights = [y for path in drawn for _, y in corners(path)]
    np.testing.assert_allclose(heights, slope * np.log10(curve["median_s"].dropna()) + offset, atol=1.5)
    assert page.page.locator("#plot circle.ring").count() == 0
    assert page.trouble == []


def test_puzzles_are_sorted_searched_and_opened(page: Opened, run: Run) -> None:
    own = run.puzzles[run.puzzles["collection"] != "tier0"]
    for order, way in (("ascending", 1), ("descending", -1)):
        page.sort("puzzle-table", "guesses")
        assert page.page.locator("#puzzle-table [aria-sort]").get_attribute("aria-sort") == order
        values = [float(line["guesses"]) for line in page.table("puzzle-table")]
        assert values == pytest.approx(sorted(own["guesses"], key=lambda value: way * value), rel=5e-3)  # 3 digits
    page.sort("puzzle-table", SLOW)
    times = [in_seconds(line[SLOW]) for line in page.table("puzzle-table")]
    assert math.inf in times
    assert times == sorted(times)
    page.page.locator("#puzzle-search").fill("tier2 0007")
    [line] = page.table("puzzle-table")
    assert page.text("#puzzles-count") == "1 of 36 puzzles"
    page.page.locator("#puzzle-table tbody button").click()
    assert page.text("#puzzle-title") == line["Puzzle"] == "tier2-0007"


def test_a_link_restores_what_its_sender_saw(page: Opened, opens: Any, run_page: str) -> None:
    page.select("scope", "tier2")
    page.choose(FIRST, MIDDLE, SLOW)
    page.select("measure", "clues")
    page.page.locator("#puzzle-search").fill("000")
    page.page.locator("#puzzle-table tbody button").nth(1).click()
    page.page.locator("nav a", has_text="Pairs").click()
    page.until("document.getElementById('pairs-head').getBoundingClientRect().top < innerHeight")
    address = page.address()
    other = opens(run_page, address=address)
    assert other.address() == address
    for name in ("puzzle-table", "pairs-table"):
        assert other.table(name) == page.table(name)
    for selector in ("#puzzle-title", "#plot-pinned", "#plot-note", "#strategies-count"):
        assert other.text(selector) == page.text(selector)
    assert other.text("#scope option:checked") == "tier2"
    assert other.page.locator("#puzzle-search").input_value() == "000"
    other.until("document.getElementById('puzzle-head').getBoundingClientRect().top < innerHeight")
    assert other.trouble == []


@pytest.mark.parametrize("hash_", ["#p=nothing&c=nowhere&s=,x&a=a&m=x&at=<", "#%E0%A4%A&q="])
def test_an_address_that_means_nothing_is_no_error(page: Opened, hash_: str) -> None:
    page.go(hash_)
    assert len(page.table("puzzle-table")) == 24
    assert page.trouble == []


def test_tables_of_many_rows_have_pages(opens: Any, crossing: Run) -> None:
    page = opens(html(crossing))
    lines = page.table("puzzle-table")
    page.page.locator("#puzzle-table").get_by_role("button", name="Next").click()
    assert page.text("#puzzle-table .pages .number") == "26 to 50 of 180"
    assert not {line["Puzzle"] for line in page.table("puzzle-table")} & {line["Puzzle"] for line in lines}


def test_names_stay_text(opens: Any) -> None:
    run = evil()
    page = opens(html(run))
    assert page.page.evaluate("window.hacked") is None
    assert page.page.locator("#plot-key li").all_text_contents() == sorted(set(run.measurements["strategy"]))
    assert page.page.title() == run.manifest["suite"]["title"]
    page.page.locator("#puzzle-table tbody button").first.focus()
    assert page.page.locator("img").count() == 0
    assert page.trouble == []


def test_too_many_marks_are_thinned_in_the_drawing_only(opens: Any) -> None:
    page = opens(html(simulated(puzzles=3100, repetitions=1, collections=1)))
    assert "1,550 puzzles. 1,550 are not drawn" in page.text("#plot-note")
    assert page.text("#puzzles-count") == "3,100 of 3,100 puzzles"
    page.choose(FIRST)
    assert "not drawn" not in page.text("#plot-note")


@pytest.mark.parametrize(("wide", "scheme"), [(1440, "dark"), (390, "light")])
def test_everything_is_accessible_and_fits(page: Opened, wide: int, scheme: str) -> None:
    page.page.locator("#puzzle-table tbody button").first.focus()
    page.page.locator("#verdicts details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    page.page.set_viewport_size({"width": wide, "height": 900})
    page.page.emulate_media(color_scheme=scheme)
    page.until(f"document.documentElement.scrollWidth <= {wide}")  # charts are drawn again
    page.page.locator("#filters summary").click()
    menu = page.page.locator("#filters .menu").bounding_box()
    assert 0 <= menu["x"] <= menu["x"] + menu["width"] <= wide
    assert page.barriers() == []
    page.page.locator("#strategy-search").fill("model2")
    assert page.page.locator("#strategies label:visible").all_text_contents() == [MIDDLE]
    page.page.locator("#strategy-search").fill("")
    page.page.keyboard.press("Escape")
    assert not page.page.locator("#filters .menu").is_visible()


def test_nothing_is_torn_or_cut_on_paper(opens: Any) -> None:
    page = opens(html(simulated(puzzles=30, collections=9, repetitions=2)))
    page.page.set_viewport_size(PAPER)
    page.page.emulate_media(media="print")
    page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.until("document.querySelector('#plot svg').viewBox.baseVal.width === 700")
    assert page.page.evaluate(TORN) == []
    assert page.page.evaluate(CUT) == []
    assert page.trouble == []


CROWDED = partial(simulated, strategies=60, puzzles=4, repetitions=1, collections=2, name=LONG)


@pytest.mark.parametrize("make", [CASES["one of both"], CASES["all timeouts"], CROWDED])
def test_degenerate_runs_have_a_page_that_works(opens: Any, make: Any) -> None:
    page = opens(html(make()), 390)
    assert page.trouble == []
    assert page.table("puzzle-table")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_verdicts_can_be_read_without_scripts(opens: Any, run: Run, run_page: str) -> None:
    page = opens(run_page, java_script_enabled=False, ready="true")
    text = " ".join(page.text("#verdicts").split())
    for line in terminal.verdict_lines(run, len(run.crossovers)):
        assert " ".join(line.split()) in text
    assert page.page.locator("noscript").is_visible()
    assert page.page.locator("#map table").is_visible()
    assert not page.page.locator("#plot-section").is_visible()
