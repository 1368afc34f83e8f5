"""A browser for the tests of the page: the system's Chromium, without a window."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.page.opened import Opened

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


@pytest.fixture(scope="module")
def opens(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a function that opens a page (its HTML) from disk, as a reader would."""
    folder: Path = tmp_path_factory.mktemp("pages")
    contexts: list[Any] = []

    def opened(
        html: str, width: int = 1440, before: str = "", address: str = "", drawn: bool = True, **options: Any
    ) -> Opened:
        path = folder / f"page-{len(contexts)}.html"
        path.write_text(html, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        scripted = options.get("java_script_enabled", True)
        return Opened(contexts[-1].new_page(), path.as_uri() + address, scripted, before, drawn)

    yield opened
    for context in contexts:
        context.close()
