"""How fast the page reacts with 40 strategies on 2,000 puzzles: ``make perf``. No test depends on a time.

CPU time of the page's thread, because a busy machine would spoil elapsed time: to load, and for each kind of change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudoku_bench.bench.page import document
from tests.bench.figures.cases import simulated
from tests.bench.page.conftest import browser

__all__ = ["browser"]
STRATEGIES, PUZZLES, COLLECTIONS = 40, 1000, 2  # puzzles of each collection

CHANGES = {
    "a collection": (
        "#filters select",
        "one.selectedIndex = 1; one.dispatchEvent(new Event('input', { bubbles: true }))",
    ),
    "a strategy": ("#filters input", "one.click()"),
    "a search": ("#puzzle-table input", "one.value = '12'; one.dispatchEvent(new Event('input'))"),
    "an order": ("#puzzle-table thead th:nth-child(4) button", "one.click()"),
    "a puzzle": ("#puzzle-table tbody button", "one.click()"),
}


def test_page_in_a_browser(benchmark: Any, browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(document.page(simulated(STRATEGIES, PUZZLES, 2, limit_s=0.5, collections=COLLECTIONS)))
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(180_000)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def cpu_s() -> float:
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    def measured() -> dict[str, float]:
        page.goto(path.as_uri())
        costs = {"load": cpu_s()}
        for name, (selector, act) in CHANGES.items():
            before = cpu_s()
            page.evaluate(f"(selector) => {{ const one = document.querySelector(selector); {act}; }}", selector)
            costs[name] = cpu_s() - before
        return costs

    costs = benchmark.pedantic(measured, rounds=1)
    benchmark.extra_info |= costs
    print(f"{path.stat().st_size / 1e6:.1f} MB")
    for name, cost_s in costs.items():
        print(f"{name}: {1e3 * cost_s:.0f} CPU ms")
