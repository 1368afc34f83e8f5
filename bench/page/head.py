"""The head of every page: what it may load and run, its title and its styles."""

from __future__ import annotations

import base64
import hashlib
import string
from collections.abc import Sequence
from html import escape
from pathlib import Path

HERE = Path(__file__).parent


def head(title: str, styles: Sequence[str], scripts: Sequence[str], script_src: str = "", img_src: str = "") -> str:
    """Return the page up to its body.

    Args:
        styles: names of files in this folder.
        scripts: the scripts that may run, and no others.
        script_src, img_src: what else its policy allows (W3C, Content Security Policy Level 3).
    """
    values = {
        "title": escape(title),
        "style": "\n".join((HERE / name).read_text(encoding="utf-8") for name in styles),
        "script_src": " ".join(filter(None, [*(f"'{checksum(script)}'" for script in scripts), script_src])),
        "img_src": " ".join(filter(None, ["data:", img_src])),
    }
    return string.Template((HERE / "head.html").read_text(encoding="utf-8")).substitute(values)


def checksum(script: str) -> str:
    """Return the hash of a script for a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
