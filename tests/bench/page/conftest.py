"""A browser for the tests of the page, the system's Chromium without a window, and pages that many tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.page.opened import DRAWN, WINDOW, Opened
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


def opener(browser: Any, folder: Path) -> Iterator[Callable[..., Opened]]:
    """Yield a function that opens pages (their HTML) from disk, as a reader would, each in a window of its own."""
    contexts: list[Any] = []

    def opens(
        page: str, width: int = 1440, address: str = "", ready: str = f"{DRAWN} !== undefined", **options: Any
    ) -> Opened:
        path = folder / f"page-{len(contexts)}.html"
        path.write_text(page, encoding="utf-8")
        contexts.append(browser.new_context(viewport=WINDOW | {"width": width}, **options))
        return Opened(contexts[-1].new_page(), path.as_uri() + address, ready)

    yield opens
    for context in contexts:
        context.close()


@pytest.fixture
def opens(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Return a function that opens a page for one test."""
    yield from opener(browser, tmp_path)


@pytest.fixture(scope="session")
def opens_once(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Opened]]:
    """Return a function that opens a page for many tests, which start with ``Opened.reset``."""
    yield from opener(browser, tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="session")
def run() -> Run:
    return tried()


@pytest.fixture(scope="session")
def run_page(run: Run) -> str:
    """The page of the run, as HTML."""
    return html(run)


@pytest.fixture(scope="session")
def only(opens_once: Callable[..., Opened], run_page: str) -> Opened:
    """The page of the run, opened once per process of tests."""
    return opens_once(run_page)


@pytest.fixture
def page(only: Opened) -> Iterator[Opened]:
    """The page of the run as it is after opening."""
    only.reset()
    yield only
    assert only.trouble == []
