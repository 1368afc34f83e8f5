"""A page in a browser, with the actions of a reader."""

from __future__ import annotations

import re
from typing import Any

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
WINDOW = {"width": 1440, "height": 900}
TIMEOUT_MS = 180_000  # generous, for a busy machine
CLOSED = """() => {
  for (const menu of document.querySelectorAll("details[open]")) menu.open = false;
  scrollTo(0, 0);
}"""
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
    """A page opened in a browser.

    Attributes:
        page: the page of playwright.
        trouble: errors of the page, and requests for anything but itself.
    """

    def __init__(self, page: Any, address: str, scripted: bool = True, before: str = "", drawn: bool = True) -> None:
        self.page = page
        self.trouble: list[str] = []
        self.resets = 0
        page.on("console", lambda message: self.trouble.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("request", lambda request: self._check_request(request.url, address))
        page.set_default_timeout(TIMEOUT_MS)
        page.add_init_script(before)
        page.goto(address)
        if scripted:
            done = f"{DRAWN} !== undefined" if drawn else "document.body.classList.contains('interactive')"
            page.wait_for_function(done)

    def _check_request(self, url: str, address: str) -> None:
        if url != address.partition("#")[0] and not url.startswith(("data:", "blob:")):
            self.trouble.append(f"requested {url}")

    def settle(self, act: Any) -> None:
        """Do something that redraws the plot, and wait until it is drawn."""
        before = self.page.evaluate(DRAWN)
        act()
        self.page.wait_for_function(f"{DRAWN} !== '{before}'")

    def reset(self) -> None:
        """Return to the window, the state and the place of a page that was opened just now."""
        self.trouble.clear()
        self.resets += 1
        self.page.emulate_media(media="screen", color_scheme="light")
        self.page.set_viewport_size(WINDOW)
        self.go(f"#reset-{self.resets}")  # which means nothing
        self.page.evaluate(CLOSED)

    def go(self, hash_: str) -> None:
        """Follow a link to a state of the page: the part of an address from # on, which must not be the current one."""
        self.settle(lambda: self.page.evaluate("(hash) => { location.hash = hash; }", hash_))

    def everything(self) -> None:
        """Reset all filters."""
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
        """Choose from a list, which redraws the plot."""
        self.settle(lambda: self.page.locator(f"#{control}").select_option(value))

    def table(self, name: str) -> list[dict[str, str]]:
        """Return the rows on the current page of a table, by the titles of its columns."""
        titles = [text.strip() for text in self.page.locator(f"#{name} thead th").all_text_contents()]
        lines: list[list[str]] = self.page.evaluate(
            "(name) => [...document.querySelectorAll(`#${name} tbody tr`)]"
            ".map((line) => [...line.children].map((cell) => cell.textContent))",
            name,
        )
        return [dict(zip(titles, line, strict=True)) for line in lines]

    def marks(self) -> list[dict[str, Any]]:
        """Return the clouds of marks in the plot: strategy, coordinates, symbol and rows."""
        result: list[dict[str, Any]] = self.page.evaluate(MARKS)
        return result

    def ranges(self) -> tuple[list[float], list[float]]:
        """Return the visible ranges of both axes."""
        x, y = self.page.evaluate(RANGES)
        return x, y

    def places(self) -> list[tuple[int, int, float, float]]:
        """Return strategy, row and window position of each mark."""
        self.page.locator("#plot-section").evaluate("(section) => section.scrollIntoView()")
        result: list[tuple[int, int, float, float]] = self.page.evaluate(PLACES)
        return result


def in_seconds(words: str) -> float:
    """Parse a time written by the page: NaN for a dash, infinite for ``> limit``."""
    if words == "–":
        return float("nan")
    if words.startswith(">"):
        return float("inf")
    number, unit = words.split(" ")
    return float(number) * UNITS[unit]
