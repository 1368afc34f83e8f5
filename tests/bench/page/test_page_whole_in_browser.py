"""The page with everything on it open: accessible in light and dark, within a phone, and whole on paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.figures.cases import simulated
from tests.bench.page.opened import Opened
from tests.bench.page.runs import html

pytestmark = pytest.mark.slow

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
WIDEST = "document.documentElement.scrollWidth"
PAPER = {"width": 718, "height": 1046}  # A4 within margins of 1 cm, in CSS pixels
TORN = """() => [...document.querySelectorAll("svg.chart, #plot")].filter((chart) => {
  const { left, right } = chart.getBoundingClientRect();
  let kept = chart;
  while (kept && getComputedStyle(kept).breakInside !== "avoid") kept = kept.parentElement;
  const isTall = (one) => one.getBoundingClientRect().height > innerHeight;
  return !kept || left < 0 || right > innerWidth || isTall(chart) || isTall(kept);
}).map((chart) => chart.closest("section").id)"""
CUT = """() => [...document.querySelectorAll("table")].filter((table) => table.checkVisibility()
  && table.getBoundingClientRect().right > innerWidth + 1).map((table) => table.closest("section").id)"""


@pytest.fixture
def whole(page: Opened, run_page: str) -> Iterator[Opened]:
    """A page with a puzzle of the reader's own, another run, and everything unfolded."""
    page.go(f"#own={PUZZLE}")
    file = {"name": "report.html", "mimeType": "text/html", "buffer": run_page.encode()}
    page.page.locator("#other-file").set_input_files(file)
    page.page.locator("#other-table tbody tr").first.wait_for()
    page.page.locator("#verdicts details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    yield page
    page.page.locator("#other-remove").click()


@pytest.mark.parametrize(("wide", "scheme"), [(1440, "dark"), (390, "light")])
def test_everything_is_accessible(whole: Opened, wide: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    whole.page.set_viewport_size({"width": wide, "height": 900})
    whole.page.emulate_media(color_scheme=scheme)
    whole.page.locator("#puzzles summary").last.click()
    result = axe.run(whole.page, options={"resultTypes": ["violations"]}).response["violations"]
    whole.page.locator("#puzzles summary").last.click()
    assert [(one["id"], one["nodes"][0]["html"]) for one in result if one["impact"] in ("serious", "critical")] == []


def test_every_menu_fits_a_phone(whole: Opened) -> None:
    whole.page.set_viewport_size({"width": 390, "height": 900})
    whole.page.wait_for_function(f"{WIDEST} <= 390")  # charts are drawn again
    for menu in whole.page.locator(".controls summary").all():
        menu.click()
        assert whole.page.evaluate(WIDEST) <= 390
        box = menu.locator("..").locator(".menu").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        whole.page.keyboard.press("Escape")


@pytest.mark.parametrize("collections", [3, 9])
def test_nothing_is_torn_or_cut_on_paper(opens: Any, collections: int) -> None:
    page = opens(html(simulated(puzzles=30, collections=collections, replicates=2)))
    wide = page.page.locator("#cactus-chart svg.chart").get_attribute("viewBox")
    page.page.set_viewport_size(PAPER)
    page.page.emulate_media(media="print")
    page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.page.wait_for_function("document.querySelector('#cactus-chart svg').viewBox.baseVal.width === 700")
    assert page.page.evaluate(TORN) == []
    assert page.page.evaluate(CUT) == []
    assert not page.page.locator("#other").is_visible()
    page.page.emulate_media(media="screen")
    page.page.set_viewport_size({"width": 1440, "height": 900})
    page.page.wait_for_function(f"document.querySelector('#cactus-chart svg').getAttribute('viewBox') === '{wide}'")
    assert page.trouble == []
