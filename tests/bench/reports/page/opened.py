"""A page in a browser, with the actions of a reader."""

from __future__ import annotations

from typing import Any

import pytest

READY = "document.body.classList.contains('interactive')"


class Opened:
    """A page opened in a browser.

    Attributes:
        page: the page of playwright.
        trouble: errors of the page, and requests for anything but itself.
    """

    def __init__(self, page: Any, address: str, has_scripts: bool) -> None:
        self.page = page
        self.trouble: list[str] = []
        page.on("console", lambda message: self.trouble.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("request", lambda request: self._check_request(request.url, address))
        page.set_default_timeout(180_000)  # generous, for a busy machine
        page.goto(address)
        assert not has_scripts or page.evaluate(READY)

    def _check_request(self, url: str, address: str) -> None:
        if url != address and not url.startswith("data:"):
            self.trouble.append(f"requested {url}")

    def choose(self, *names: str) -> None:
        """Check these strategies and no others."""
        for box in self.page.locator("#filters input").all():
            box.set_checked(box.input_value() in names)

    def scope(self, label: str) -> None:
        """Choose a collection, or all puzzles of a board size."""
        self.page.locator("#filters select").select_option(label=label)

    def sort(self, table: str, title: str) -> None:
        """Sort a table by a column; the second time, descending."""
        self.page.locator(f"#{table} thead th").filter(has_text=title).locator("button").first.click()

    def search(self, table: str, words: str) -> None:
        """Search in a table."""
        self.page.locator(f"#{table} input").fill(words)

    def table(self, name: str) -> list[dict[str, str]]:
        """Return the rows that a table shows, by the titles of its columns."""
        titles = self.page.locator(f"#{name} thead th").all_text_contents()
        lines = self.page.locator(f"#{name} tbody tr").evaluate_all(
            "all => all.map((line) => [...line.children].map((cell) => cell.textContent))"
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

    def overflows(self) -> bool:
        """Return whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))
