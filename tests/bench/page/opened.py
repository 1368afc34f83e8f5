"""A page in a browser, with the actions of a reader."""

from __future__ import annotations

import math
import re
import time
from typing import Any

import numpy as np
import pytest

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
WINDOW = {"width": 1440, "height": 900}
TIMEOUT_MS = 180_000  # generous, for a busy machine
DRAWN = "document.body.dataset.drawn"
CLOSED = """() => {
  for (const menu of document.querySelectorAll("details[open]")) menu.open = false;
  scrollTo(0, 0);
}"""
TICKS = """(chart) => [...document.querySelectorAll(`#${chart} text.tick`)].map((one) =>
  [one.textContent, Number(one.getAttribute("x")), Number(one.getAttribute("y")), one.getAttribute("text-anchor")])"""


class Opened:
    """A page opened in a browser.

    Attributes:
        page: the page of playwright.
        trouble: errors of the page, and requests for anything but itself.
    """

    def __init__(self, page: Any, address: str, ready: str) -> None:
        self.page = page
        self.trouble: list[str] = []
        self.resets = 0
        page.on("console", lambda message: self.trouble.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("request", lambda request: self._check_request(request.url, address))
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(address)
        self.until(ready)

    def _check_request(self, url: str, address: str) -> None:
        if url != address.partition("#")[0] and not url.startswith("data:"):
            self.trouble.append(f"requested {url}")

    def until(self, expression: str, argument: Any = None) -> None:
        """Wait until an expression is true. (The policy of the page refuses expressions that are polled within it.)"""
        end_s = time.monotonic() + TIMEOUT_MS / 1e3
        while not self.page.evaluate(expression, argument):
            assert time.monotonic() < end_s, expression
            self.page.wait_for_timeout(10)

    def settle(self, act: Any) -> None:
        """Do something that changes the page, and wait until it is drawn."""
        before = self.page.evaluate(DRAWN)
        act()
        self.until(f"{DRAWN} !== '{before}'")

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

    def address(self) -> str:
        """Return the part of the address from # on."""
        return str(self.page.evaluate("location.hash"))

    def choose(self, *names: str) -> None:
        """Check these strategies, which shows only these."""
        menu = self.page.locator("#filters details")
        menu.locator("summary").click()
        self.settle(self.page.locator("#strategies-clear").click)
        for name in names:
            box = self.page.locator("#strategies label").filter(has_text=re.compile(f"^{re.escape(name)}$"))
            self.settle(box.locator("input").check)
        menu.locator("summary").click()

    def select(self, control: str, label: str) -> None:
        """Choose from a list, which redraws what it concerns."""
        self.settle(lambda: self.page.locator(f"#{control}").select_option(label=label))

    def sort(self, table: str, title: str, times: int = 1) -> None:
        """Sort a table by a column; the second time, descending."""
        head = self.page.locator(f"#{table} thead th").filter(has_text=title).locator("button").first
        for _ in range(times):
            self.settle(head.click)

    def table(self, name: str) -> list[dict[str, str]]:
        """Return the rows on the current page of a table, by the titles of its columns."""
        titles = [text.strip() for text in self.page.locator(f"#{name} thead th").all_text_contents()]
        lines: list[list[str]] = self.page.evaluate(
            "(name) => [...document.querySelectorAll(`#${name} tbody tr`)]"
            ".map((line) => [...line.children].map((cell) => cell.textContent))",
            name,
        )
        return [dict(zip(titles, line, strict=True)) for line in lines]

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.page.locator(selector).text_content())

    def barriers(self) -> list[tuple[str, str]]:
        """Return the serious faults of accessibility that axe finds: its rule, and an element."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        found = axe.run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        return [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]

    def scale(self, chart: str, along: str) -> tuple[float, float]:
        """Return slope and offset from the logarithm of seconds to the position along an axis, from its ticks."""
        anchor, place = ("middle", 1) if along == "x" else ("end", 2)
        ticks = [tick for tick in self.page.evaluate(TICKS, chart) if tick[3] == anchor]
        logs = [math.log10(in_seconds(tick[0])) for tick in ticks]
        slope, offset = np.polyfit(logs, [tick[place] for tick in ticks], 1)
        return slope, offset - (4 if along == "y" else 0)  # these ticks are written below their lines


def in_seconds(words: str) -> float:
    """Parse a time written by the page: NaN for a dash, infinite for ``> limit``."""
    if words == "–":
        return float("nan")
    if words.startswith(">"):
        return float("inf")
    number, unit = words.split(" ")
    return float(number) * UNITS[unit]
