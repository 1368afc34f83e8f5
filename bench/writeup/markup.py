"""Plain text as Markdown: whatever a strategy is called, it breaks no document."""

from __future__ import annotations

import re

MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|$~&])")


def markdown(text: str) -> str:
    """Text for Markdown, also in a cell of a table."""
    return MARKDOWN.sub(r"\\\1", text)
