"""The documentation can be built as a site: every page is in it, every link leads somewhere, nothing is fetched."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import TOP

pytestmark = pytest.mark.slow

SITE = (TOP / "mkdocs.yml").read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r": (docs/[\w/-]+\.md)$", SITE, flags=re.MULTILINE))
    assert listed == {str(path.relative_to(TOP)) for path in (TOP / "docs").rglob("*.md")}


def test_the_site_is_built_strictly_and_fetches_nothing(tmp_path: Path) -> None:
    mkdocs = shutil.which("mkdocs", path=str(Path(sys.executable).parent))
    if mkdocs is None:
        pytest.skip("mkdocs is not installed (extra docs)")
    pages = tmp_path / "build" / "pages"
    shutil.copytree(TOP / "docs", pages / "docs")
    for plots in (TOP / "results").glob("*/plots"):
        shutil.copytree(plots, pages / "results" / plots.parent.name / "plots")
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(TOP / name, pages)
    (tmp_path / "mkdocs.yml").write_text(SITE, encoding="utf-8")
    done = subprocess.run([mkdocs, "build", "--strict"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for page in (tmp_path / "build" / "site").rglob("*.html"):
        assert not re.findall(r'<(?:script|link|img)[^>]+="https?://[^>]*>', page.read_text(encoding="utf-8")), page
