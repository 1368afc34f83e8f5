"""A page in a browser: what a reader does there, and sees."""

from __future__ import annotations

import re
from typing import Any

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
PATIENCE_MS = 180_000  # a busy machine is no failure
DRAWN = "document.body.dataset.drawn"
RANGES = """() => {
  const { xaxis, yaxis } = document.getElementById("plot").layout;
  return [xaxis.range, yaxis.range];
}"""
MARKS = """() => document.getElementById("plot").data.filter(({ customdata }) => customdata).map(
  ({ meta, x, y, customdata, marker }) =>
    ({ strategy: meta, x: [...x], y: [...y], rows: [...customdata], symbol: marker.symbol }))"""
PLACES = """() => {
  const plot = document.getElementById("plot");
  const { left, top } = plot.getBoundingClientRect();
  const { xaxis, yaxis } = plot._fullLayout;
  const place = (x, y) => [left + xaxis._offset + xaxis.l2p(x), top + yaxis._offset + yaxis.l2p(y)];
  return plot.data.filter(({ customdata }) => customdata).flatMap(
    ({ meta, x, y, customdata }) => [...customdata].map((row, i) => [meta, row, ...place(x[i], y[i])]));
}"""


class Opened:
    """A page that stands in a browser.

    Attributes:
        page: of playwright.
        trouble: what the page complained of, and what it asked for that is not itself.
    """

    def __init__(self, page: Any, address: str, scripted: bool = True, before: str = "") -> None:
        self.page = page
        self.trouble: list[str] = []
        page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("request", lambda request: self._asked(request.url, address))
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(before)
        page.goto(address)
        if scripted:
            page.wait_for_function(f"{DRAWN} !== undefined")

    def _asked(self, url: str, address: str) -> None:
        if url != address and not url.startswith(("data:", "blob:")):
            self.trouble.append(f"asked for {url}")

    def settle(self, act: Any) -> None:
        """Do something that draws the plot anew, and wait until it is drawn."""
        before = self.page.evaluate(DRAWN)
        act()
        self.page.wait_for_function(f"{DRAWN} !== '{before}'")

    def everything(self) -> None:
        """Take all choices back."""
        self.settle(self.page.locator("#everything").click)

    def choose(self, kind: str, *names: str) -> None:
        """Leave only these ``collections`` or ``strategies`` checked."""
        menu = self.page.locator("#filters details", has=self.page.locator(f"#{kind}"))
        menu.locator("summary").click()
        self.settle(self.page.locator(f"#{kind}-none").click)
        for name in names:
            box = self.page.locator(f"#{kind} label").filter(has_text=re.compile(f"^{re.escape(name)}$"))
            self.settle(box.locator("input").check)
        menu.locator("summary").click()

    def select(self, control: str, value: str) -> None:
        """Choose from a list, which draws the plot anew."""
        self.settle(lambda: self.page.locator(f"#{control}").select_option(value))

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of a table that are in view, by the titles of its columns."""
        titles = [text.strip() for text in self.page.locator(f"#{name} thead th").all_text_contents()]
        lines: list[list[str]] = self.page.evaluate(
            "(name) => [...document.querySelectorAll(`#${name} tbody tr`)]"
            ".map((line) => [...line.children].map((cell) => cell.textContent))",
            name,
        )
        return [dict(zip(titles, line, strict=True)) for line in lines]

    def marks(self) -> list[dict[str, Any]]:
        """The clouds of marks in the plot: whose, where, filled with what, and which rows they are."""
        found: list[dict[str, Any]] = self.page.evaluate(MARKS)
        return found

    def ranges(self) -> tuple[list[float], list[float]]:
        """What is in view of both axes."""
        x, y = self.page.evaluate(RANGES)
        return x, y

    def places(self) -> list[tuple[int, int, float, float]]:
        """Strategy, row, and place in the window of each mark."""
        self.page.locator("#plot-section").evaluate("(section) => section.scrollIntoView()")
        found: list[tuple[int, int, float, float]] = self.page.evaluate(PLACES)
        return found


def in_seconds(words: str) -> float:
    """A time as the page writes it; NaN for a dash, infinite where it only says that it is longer."""
    if words == "–":
        return float("nan")
    if words.startswith(">"):
        return float("inf")
    number, unit = words.split(" ")
    return float(number) * UNITS[unit]
