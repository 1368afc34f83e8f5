"""The documentation can be built as a site: every page is in it, every link leads somewhere, nothing is fetched."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.conftest import TOP
from tests.test_makefile import make

pytestmark = pytest.mark.thorough

SITE = (TOP / "mkdocs.yml").read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r": (docs/[\w/-]+\.md)$", SITE, flags=re.MULTILINE))
    assert listed == {str(path.relative_to(TOP)) for path in (TOP / "docs").rglob("*.md")}


@pytest.mark.thorough
def test_the_site_is_built_strictly_and_fetches_nothing(tmp_path: Path) -> None:
    """As ``make docs`` builds it, in a checkout whose environment is ready."""
    if not (Path(sys.executable).parent / "zensical").exists():
        pytest.skip("zensical is not installed (extra docs)")
    for name in ("Makefile", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "mkdocs.yml"):
        shutil.copy(TOP / name, tmp_path)
    shutil.copytree(TOP / "docs", tmp_path / "docs")
    (tmp_path / "results").symlink_to(TOP / "results")
    environment = tmp_path / ".venv"
    environment.mkdir()
    (environment / "bin").symlink_to(Path(sys.executable).parent)
    ready = [f"--assume-old=.venv/{stamp}-{platform.python_version()}" for stamp in ("base", "ready")]
    done = make(tmp_path, f"PYTHON={sys.executable}", *ready, "docs")
    assert done.returncode == 0, done.stderr
    pages = sorted((tmp_path / "build" / "site").rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|link|img)[^>]+="https?://[^>]*>', text), page
        assert "/blob/main/" not in text, page  # pages link to each other
        for source in re.findall(r'<img[^>]+src="([^"]+)"', text):
            assert (page.parent / source).is_file(), (page, source)
