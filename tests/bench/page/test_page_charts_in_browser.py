"""Cactus plot, scatter plot, verdict map and strip of winners in a real browser: their numbers are those of the run."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bench.figures import verdict_map, winners
from bench.say.phrases import seconds
from bench.verdicts.comparable import CPU
from bench.verdicts.difficulty import crossovers
from bench.verdicts.pairs.standings import standings
from bench.verdicts.run_tables import Run
from tests.bench.figures.cases import simulated
from tests.bench.page.opened import Opened, in_seconds
from tests.bench.page.runs import html

pytestmark = pytest.mark.slow

LIMIT_S = 0.02
TICKS = """(chart) => [...document.querySelectorAll(`#${chart} text.tick`)].map((one) =>
  [one.textContent, Number(one.getAttribute("x")), Number(one.getAttribute("y")), one.getAttribute("text-anchor")])"""
RING = """() => {
  const ring = document.querySelector("#scatter-chart .pinned");
  return [Number(ring.getAttribute("cx")), Number(ring.getAttribute("cy"))];
}"""


def of_nine(run: Run) -> pd.DataFrame:
    """The times of the puzzles of 9×9, strategies × puzzles; infinite if not finished."""
    rows = run.per_puzzle[run.per_puzzle["collection"] != "tier0"]
    return rows.pivot(index="strategy", columns=["collection", "puzzle"], values="cpu_s")


def scale(page: Opened, chart: str, along: str) -> tuple[float, float]:
    """Return slope and offset from the logarithm of seconds to the position along an axis, from its ticks."""
    anchor, place = ("middle", 1) if along == "x" else ("end", 2)
    ticks = [tick for tick in page.page.evaluate(TICKS, chart) if tick[3] == anchor]
    slope, offset = np.polyfit([math.log10(in_seconds(tick[0])) for tick in ticks], [tick[place] for tick in ticks], 1)
    return slope, offset


def test_the_cactus_plot_has_the_sorted_times_of_each_strategy(page: Opened, run: Run) -> None:
    times = of_nine(run)
    slope, offset = scale(page, "cactus-chart", "y")
    offset -= 4  # ticks are written below their lines
    paths = page.page.locator("#cactus-chart svg svg path:not(.best)").evaluate_all(
        "all => all.map((one) => one.getAttribute('d'))"
    )
    drawn = {}
    for path in paths:
        heights = [float(place.split()[1]) for place in re.split("[ML]", path)[1:]]
        drawn[len(heights), round(heights[0])] = heights
    for name in times.index:
        finished = np.sort(times.loc[name][np.isfinite(times.loc[name])])
        expected = slope * np.log10(finished) + offset
        [match] = [line for line in drawn.values() if len(line) == len(finished) and abs(line[0] - expected[0]) < 1.5]
        np.testing.assert_allclose(match, expected, atol=1.5)
        label = name if len(finished) == times.shape[1] else f"{name} {len(finished)} of {times.shape[1]}"
        assert label in page.page.locator("#cactus-chart text.name").all_text_contents()
    assert (times.apply(np.isfinite).sum(axis=1) < times.shape[1]).any()
    assert "time limit 20 ms" in page.page.locator("#cactus-chart").text_content()
    assert "did not finish the rest within the limit of 20 ms" in page.page.locator("#cactus-note").text_content()


def test_the_virtual_best_solver_is_the_fastest_on_each_puzzle(page: Opened, run: Run) -> None:
    slope, offset = scale(page, "cactus-chart", "y")
    path = page.page.locator("#cactus-chart path.best").get_attribute("d")
    heights = [float(place.split()[1]) for place in re.split("[ML]", path)[1:]]
    best = np.sort(of_nine(run).min(axis=0))
    np.testing.assert_allclose(heights, slope * np.log10(best) + offset - 4, atol=1.5)


def test_the_key_of_a_narrow_cactus_plot_has_the_numbers_solved(page: Opened, run: Run) -> None:
    page.page.set_viewport_size({"width": 390, "height": 900})
    page.page.locator("#cactus-key li").first.wait_for()
    times = of_nine(run)
    solved = times.apply(np.isfinite).sum(axis=1)
    items = page.page.locator("#cactus-key li").all_text_contents()
    expected = {f"{name} {'' if solved[name] == 24 else f'{solved[name]} of 24'}" for name in times.index}
    assert {*items} == {*expected, "virtual best solver"}
    assert [*solved[[item.split()[0] for item in items[:-1]]]] == sorted(solved, reverse=True)


def test_strategies_that_finished_nothing_are_named(opens: Any) -> None:
    run = simulated(puzzles=12, collections=1, limit_s=0.0035)
    times = run.per_puzzle.pivot(index="strategy", columns="puzzle", values="cpu_s")
    solved = times.apply(np.isfinite).sum(axis=1)
    [name] = solved.index[solved == 0]
    page = opens(html(run))
    assert page.page.locator("#cactus-note").text_content().endswith(f"finished none of the puzzles: {name}.")
    assert name not in page.page.locator("#cactus-chart").text_content()
    choose(page, name, str(solved.idxmax()))
    assert page.page.locator("#scatter-chart path.mark:not(.hollow)").count() == 0
    assert page.page.locator("#scatter-chart path.mark.hollow").count() == 1
    assert page.trouble == []


def choose(page: Opened, a: str, b: str) -> None:
    for key, name in (("a", a), ("b", b)):
        page.settle(lambda key=key, name=name: page.page.locator(f"#scatter-{key}").select_option(label=name))


def test_the_scatter_plot_starts_with_the_two_fastest(page: Opened, run: Run) -> None:
    order = of_nine(run).median(axis=1).sort_values().index
    assert [page.page.locator(f"#scatter-{key} option:checked").text_content() for key in "ab"] == list(order[:2])


def test_marks_of_the_scatter_plot_are_at_the_times_of_both(page: Opened, run: Run) -> None:
    a, b = "family1:model3@engine", "family0:model0@engine"
    choose(page, a, b)
    times = of_nine(run).loc[[a, b]].T.reset_index()
    slopes = {along: scale(page, "scatter-chart", along) for along in "xy"}
    frame = page.page.locator("#scatter-chart")
    frame.focus()
    late = 0
    for number, row in enumerate(times.sort_values([b, a], kind="stable").to_dict("records")):
        page.page.keyboard.press("ArrowRight")
        words = page.page.locator("#scatter-pinned").text_content()
        own = [seconds(row[name]) if math.isfinite(row[name]) else "not finished" for name in (a, b)]
        assert words == f"{row['puzzle']}: A {own[0]}, B {own[1]}"
        x, y = page.page.evaluate(RING)
        for place, along, name in ((x, "x", b), (y, "y", a)):
            slope, offset = slopes[along]
            shift = 4 if along == "y" else 0
            if math.isfinite(row[name]):
                assert place == pytest.approx(slope * math.log10(row[name]) + offset - shift, abs=1.5)
            else:
                limit = slope * math.log10(LIMIT_S) + offset - shift
                assert (place - limit) * slope > 0
                late += 1
        assert page.page.evaluate("location.hash").startswith(f"#p={row['puzzle']}"), number
    assert late
    assert "beyond it: not finished" in frame.text_content()
    assert page.page.locator("#scatter-chart path.hollow").count()
    page.page.keyboard.press("Enter")
    page.page.wait_for_function("document.getElementById('puzzle').getBoundingClientRect().top < innerHeight / 2")


def test_the_scatter_plot_counts_and_shows_the_verdicts(page: Opened, run: Run) -> None:
    a, b = "family1:model3@engine", "family0:model1@engine"
    choose(page, a, b)
    times = of_nine(run)
    lower, higher = (times.loc[a] < times.loc[b]).sum(), (times.loc[a] > times.loc[b]).sum()
    note = page.page.locator("#scatter-note").text_content()
    assert f"A has the lower median on {lower}, B on {higher}" in note
    pairs = run.pairs[(run.pairs["collection"] != "tier0") & (run.pairs["clock"] == CPU)]
    own = pairs[pairs["a"].isin([a, b]) & pairs["b"].isin([a, b])]
    assert page.page.locator("#scatter-words ul:not(.key) li").count() == len(own) == 2
    page.settle(page.page.locator("#scatter-swap").click)
    note = page.page.locator("#scatter-note").text_content()
    assert f"A has the lower median on {higher}, B on {lower}" in note


def test_a_strategy_is_not_compared_with_itself(page: Opened) -> None:
    first = page.page.locator("#scatter-a option:checked").text_content()
    second = page.page.locator("#scatter-b option:checked").text_content()
    page.settle(lambda: page.page.locator("#scatter-b").select_option(label=first))
    assert page.page.locator("#scatter-a option:checked").text_content() == second
    assert page.page.locator("#scatter-b option:checked").text_content() == first


def test_pointing_at_a_mark_of_the_scatter_plot_says_what_it_is(page: Opened) -> None:
    frame = page.page.locator("#scatter-chart")
    frame.focus()
    page.page.keyboard.press("ArrowRight")
    page.page.wait_for_function(
        "document.querySelector('#scatter-chart .pinned').getAttribute('visibility') === 'visible'"
    )
    frame.evaluate("(frame) => frame.scrollIntoView({ block: 'center' })")
    box = page.page.locator("#scatter-chart .pinned").bounding_box()
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert (
        page.page.locator("#scatter-chart .tip").text_content() == page.page.locator("#scatter-pinned").text_content()
    )


def test_one_strategy_has_no_scatter_plot_and_no_frames(page: Opened) -> None:
    page.choose("strategies", "family0:model0@engine")
    assert "fewer than two strategies" in page.page.locator("#scatter-note").text_content()
    assert page.page.locator("#map-table td.fastest, #map-table td.shared").count() == 0
    assert page.page.locator("#winners").is_hidden()


def map_cells(page: Opened) -> dict[tuple[str, str], tuple[str, str]]:
    """Return text and frame of each cell of the verdict map, by strategy and collection."""
    titles = page.page.locator("#map-table thead th").all_text_contents()[1:]
    lines = page.page.locator("#map-table tbody tr").evaluate_all(
        "all => all.map((line) => [...line.children].map((cell) => [cell.innerText.replace(/\\s+/g, ' ').trim(),"
        " ['fastest', 'shared'].find((name) => cell.classList.contains(name)) ?? '']))"
    )
    return {(line[0][0], title): tuple(cell) for line in lines for title, cell in zip(titles, line[1:], strict=True)}


def test_the_verdict_map_has_the_medians_of_the_figure(page: Opened, run: Run) -> None:
    table = verdict_map.data(run).table
    kinds = set()
    for size, collections in (("9", ["tier1", "tier2"]), ("4", ["tier0"])):
        page.select("size", size)
        cells = map_cells(page)
        own = table[table["collection"].isin(collections)]
        assert len(cells) == len(own)
        for line in own.to_dict("records"):
            text, _ = cells[line["strategy"], line["collection"]]
            late = line["state"] == verdict_map.LATE
            kinds.add(late)
            if late:
                assert text.startswith(f"> 20 ms {line['finished']:.0f}/{line['n_puzzles']:.0f}")
            else:
                assert text.startswith(f"{seconds(line['median_s'])} {verdict_map.ratio_text(line['ratio'])}")
    assert kinds == {True, False}


@pytest.fixture(scope="module")
def crossing() -> Run:
    """A run with several stretches of difficulty, different winners and crossovers."""
    return simulated(strategies=8, puzzles=60)


@pytest.fixture(scope="module")
def crossing_page(opens_once: Any, crossing: Run) -> Opened:
    page: Opened = opens_once(html(crossing))
    return page


@pytest.fixture
def strips(crossing_page: Opened) -> Iterator[Opened]:
    """The page of that run as it is after opening."""
    crossing_page.reset()
    yield crossing_page
    assert crossing_page.trouble == []


def test_frames_are_those_of_the_figure_and_follow_the_strategies(strips: Opened, crossing: Run) -> None:
    table = verdict_map.data(crossing).table
    names = {verdict_map.FASTEST: "fastest", verdict_map.SHARED: "shared", "": ""}
    wanted = {(line["strategy"], line["collection"]): names[line["place"]] for line in table.to_dict("records")}
    assert {key: place for key, (_, place) in map_cells(strips).items()} == wanted
    kinds = set()
    some = [f"family{number // 3}:model{number}@engine" for number in (0, 3, 7)]
    for chosen in itertools.combinations(some, 2):
        strips.choose("strategies", *chosen)
        pairs = crossing.pairs[crossing.pairs[["a", "b"]].isin(chosen).all(axis=1) & (crossing.pairs["clock"] == CPU)]
        cells = map_cells(strips)
        for one in standings(pairs):
            leaders = {*one.fastest, *one.undecided}
            kind = "fastest" if len(leaders) == 1 else "shared"
            kinds.add(kind)
            assert {name for name in chosen if cells[name, one.collection][1] == kind} == leaders
    assert kinds == {"fastest", "shared"}


def spans(page: Opened) -> list[str]:
    """Return the titles of the bars of the strips."""
    bars = page.page.locator("#strip rect:not(.plate) title")
    return [str(text) for text in bars.all_text_contents()]


def test_strips_have_the_winners_of_the_figure(strips: Opened, crossing: Run) -> None:
    wanted = winners.data(crossing)
    expected = [
        (place or "not decided", sum(part.puzzles for part, _ in group))
        for strip in wanted.strips[:3]
        for place, found in itertools.groupby(zip(wanted.stretches, strip.winners, strict=True), key=lambda one: one[1])
        for group in [list(found)]
    ]
    texts = [re.fullmatch(r"(.+) to (.+) guesses \((\d+) puzzles\): (.+)", span) for span in spans(strips)]
    assert [(text[4], int(text[3])) for text in texts if text] == expected
    assert len({name for name, _ in expected}) > 2
    assert "All wins on boards of one size hold together with 95%" in strips.page.locator("#strip-note").text_content()


def test_strips_follow_the_strategies(strips: Opened, crossing: Run) -> None:
    first = winners.data(crossing).strips[0].winners[0]
    others = sorted(set(crossing.measurements["strategy"]) - {first})
    strips.choose("strategies", *others)
    assert first not in " ".join(spans(strips))
    assert f"of the {len(others)} shown strategies" in strips.page.locator("#strip-note").text_content()


def test_crossovers_stand_below_the_strips(strips: Opened, crossing: Run) -> None:
    sentences = crossovers.sentences(crossing.crossovers)
    assert sentences
    assert strips.page.locator("#crossovers li").all_text_contents() == sentences
    reported = crossing.crossovers[(crossing.crossovers["told"] == "yes") & (crossing.crossovers["axis"] == "guesses")]
    assert strips.page.locator("#strip .ring").count() == min(6, len(reported))
    strips.page.locator("#crossovers-count").click()
    assert strips.page.locator("#crossovers li").first.is_visible()
    in_plot = reported.head(6)
    rings = "document.getElementById('plot').data.filter((trace) => trace.error_x).map(({ x }) => x[0])"
    assert len(strips.page.evaluate(rings)) == len(in_plot)
    words = strips.page.locator("#plot-words").text_content()
    for line in in_plot.to_dict("records"):
        assert f"{line['faster_below']} → {line['faster_above']}" in words


def test_a_link_restores_the_pair_and_the_board_size(page: Opened) -> None:
    a, b = "family0:model2@engine", "family1:model3@engine"
    page.select("size", "4")
    choose(page, a, b)
    address = page.page.evaluate("location.hash")
    page.reset()
    assert [page.page.locator(f"#scatter-{key} option:checked").text_content() for key in "ab"] != [a, b]
    page.go(address)
    assert [page.page.locator(f"#scatter-{key} option:checked").text_content() for key in "ab"] == [a, b]
    assert page.page.locator("#size").input_value() == "4"
    assert {name for _, name in map_cells(page)} == {"tier0"}
