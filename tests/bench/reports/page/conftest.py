"""A browser for the tests of the page: the system's Chromium without a window."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.reports.page.opened import Opened
from tests.bench.reports.page.runs import html, tried

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, one per process of tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: make setup-browser installs it on Debian")
    sync_api = pytest.importorskip("playwright.sync_api")
    rootless = [] if os.geteuid() else ["--no-sandbox"]  # Chromium refuses its sandbox to root
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=rootless)
        yield chromium
        chromium.close()


@pytest.fixture
def opens(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Return a function that opens pages (their HTML) from disk, as a reader would; none may be in trouble."""
    opened: list[Opened] = []

    def opens(page: str, width: int = 1440, height: int = 900, **options: Any) -> Opened:
        path = tmp_path / f"page-{len(opened)}.html"
        path.write_text(page, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        opened.append(Opened(context.new_page(), path.as_uri(), options.get("java_script_enabled", True)))
        return opened[-1]

    yield opens
    for one in opened:
        one.page.context.close()
    assert [trouble for one in opened for trouble in one.trouble] == []


@pytest.fixture(scope="session")
def run() -> Run:
    return tried()


@pytest.fixture(scope="session")
def run_page(run: Run) -> str:
    """The page of the run, as HTML."""
    return html(run)


@pytest.fixture
def page(opens: Callable[..., Opened], run_page: str) -> Opened:
    """The page of the run, opened."""
    return opens(run_page)
