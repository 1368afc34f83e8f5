"""How fast the page reacts with 40 strategies on 2,000 puzzles: ``make perf``. No test depends on a time.

For the load, elapsed time until answer, filters and summary can be used. For each kind of change, CPU time of the
page's thread until these show it (what a reader waits for), and until all charts and tables do too. CPU time, because a
busy machine would spoil elapsed time; what Chromium does in other processes, such as drawing marks without a graphics
card, is not in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudoku_bench.bench.page import document
from tests.bench.figures.cases import simulated
from tests.bench.page.conftest import browser
from tests.bench.page.opened import DRAWN

__all__ = ["browser"]
STRATEGIES, PUZZLES, COLLECTIONS = 40, 1000, 2  # puzzles of each collection


EVENT = """([selector, value, kind]) => {
  const one = document.querySelector(selector);
  one.value = value;
  one.dispatchEvent(new Event(kind, { bubbles: true }));
}"""
READY = """addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  window.ready ??= performance.now();
}).observe(document.body, { attributeFilter: ["class"] }));"""
CLICK = "(selector) => document.querySelector(selector).click()"
ORDER = "#puzzle-table thead th:nth-child(3) button"
CHANGES: dict[str, tuple[tuple[str, Any], tuple[str, Any]]] = {  # each with what undoes it
    "a collection": ((EVENT, ("#scope", "1", "change")), (EVENT, ("#scope", "0", "change"))),
    "a strategy": ((CLICK, "#strategies input"), (CLICK, "#strategies input")),
    "measure": ((EVENT, ("#measure", "clues", "change")), (EVENT, ("#measure", "guesses", "change"))),
    "a search": ((EVENT, ("#puzzle-search", "12", "input")), (EVENT, ("#puzzle-search", "", "input"))),
    "an order": ((CLICK, ORDER), (CLICK, ORDER)),
    "a puzzle": ((CLICK, "#puzzle-next"), (CLICK, "#puzzle-previous")),
}


def test_page_in_a_browser(benchmark: Any, browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(document.page(simulated(STRATEGIES, PUZZLES, 2, limit_s=0.5, collections=COLLECTIONS)))
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(180_000)
    page.add_init_script(READY)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def cpu_s() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    def settled() -> None:
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def measured() -> dict[str, tuple[float, float]]:
        page.goto(path.as_uri())
        page.wait_for_function(f"{DRAWN} !== undefined")
        settled()
        costs = {"load": (page.evaluate("window.ready") / 1e3, cpu_s())}
        for name, (change, undo) in CHANGES.items():
            for act in (change, undo):
                before, drawn = cpu_s(), page.evaluate(DRAWN)
                page.evaluate(*act)
                shown = cpu_s()
                page.wait_for_function(f"{DRAWN} !== '{drawn}'")
                settled()
                costs[name] = max(costs.get(name, (0.0, 0.0)), (shown - before, cpu_s() - before))
        return costs

    costs = benchmark.pedantic(measured, rounds=1)
    benchmark.extra_info |= costs
    for name, (shown, complete) in costs.items():
        print(f"{name}: {1e3 * shown:.0f} ms until the page reacts, {1e3 * complete:.0f} CPU ms in all")
