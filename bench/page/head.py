"""The head of every page: what it may load and run, its title and its styles."""

from __future__ import annotations

import base64
import hashlib
import string
from collections.abc import Sequence
from html import escape
from pathlib import Path

HERE = Path(__file__).parent


def head(title: str, styles: Sequence[str], script: str) -> str:
    """Return the page up to its body, with a policy (W3C, Content Security Policy Level 3).

    Args:
        styles: names of files in this folder.
        script: the script that may run, and no other.
    """
    values = {
        "title": escape(title),
        "style": "\n".join((HERE / name).read_text(encoding="utf-8") for name in styles),
        "checksum": checksum(script),
    }
    return string.Template((HERE / "head.html").read_text(encoding="utf-8")).substitute(values)


def checksum(script: str) -> str:
    """Return the hash of a script for a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
