"""A browser for the tests of the page, the system's Chromium without a window, and pages that many tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.verdicts.run_tables import Run
from tests.bench.page.opened import WINDOW, Opened
from tests.bench.page.runs import html, tried

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


class Desk:
    """Opens pages (their HTML) from disk, as a reader would, each in a window of its own."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.contexts: list[Any] = []

    def __call__(
        self, page: str, width: int = 1440, before: str = "", address: str = "", drawn: bool = True, **options: Any
    ) -> Opened:
        path = self.folder / f"page-{len(self.contexts)}.html"
        path.write_text(page, encoding="utf-8")
        self.contexts.append(self.browser.new_context(viewport=WINDOW | {"width": width}, **options))
        scripted = options.get("java_script_enabled", True)
        return Opened(self.contexts[-1].new_page(), path.as_uri() + address, scripted, before, drawn)

    def clear(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def opens(browser: Any, tmp_path: Path) -> Iterator[Desk]:
    """Return a function that opens a page for one test."""
    desk = Desk(browser, tmp_path)
    yield desk
    desk.clear()


@pytest.fixture(scope="session")
def opens_once(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Return a function that opens a page for many tests, which start with ``Opened.reset``."""
    desk = Desk(browser, tmp_path_factory.mktemp("pages"))
    yield desk
    desk.clear()


@pytest.fixture(scope="session")
def run() -> Run:
    return tried()


@pytest.fixture(scope="session")
def run_page(run: Run) -> str:
    """The page of the run, as HTML."""
    return html(run)


@pytest.fixture(scope="session")
def only(opens_once: Desk, run_page: str) -> Opened:
    """The page of the run, opened once per process of tests."""
    return opens_once(run_page)


@pytest.fixture
def page(only: Opened) -> Iterator[Opened]:
    """The page of the run as it is after opening."""
    only.reset()
    yield only
    assert only.trouble == []
