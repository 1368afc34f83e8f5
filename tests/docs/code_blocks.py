"""The fenced code blocks of the documents."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import TOP

PAGES = (TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").rglob("*.md")))
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def dedented(indent: str, code: str) -> str:
    """Return the code of a block without the indentation of the block."""
    return "".join(line.removeprefix(indent) for line in code.splitlines(keepends=True))


def blocks(page: Path, language: str = "") -> list[str]:
    """Return the blocks of a page in one language, or all of them, without their indentation."""
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [dedented(indent, code) for indent, name, code in found if language in ("", name)]


def languages(page: Path) -> list[str]:
    """Return the language of each block of a page."""
    return [name for _, name, _ in FENCE.findall(page.read_text(encoding="utf-8"))]
