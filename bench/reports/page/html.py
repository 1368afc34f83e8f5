"""What every page is: one HTML file that loads nothing, and runs one script only."""

from __future__ import annotations

import base64
import hashlib
import json
import string
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def filled(template: str, title: str, scripts: Sequence[str], data: Any, **parts: str) -> bytes:
    """Return a page with a policy that forbids requests and other scripts (W3C, Content Security Policy Level 3).

    Args:
        template, scripts: files in this folder; the scripts in the order in which they run.
        data: what the scripts show, as JSON.
        parts: what stands in the template, as HTML.
    """
    read = {
        path.name: path.read_text(encoding="utf-8")
        for path in HERE.iterdir()
        if path.suffix in (".html", ".css", ".js")
    }
    script = '"use strict";\n' + "".join(read[name] for name in scripts)
    checksum = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    shared = {"title": escape(title), "style": read["page.css"], "script": script, "checksum": checksum, "data": text}
    head = string.Template(read["head.html"]).substitute(shared)
    return string.Template(read[template]).substitute(shared | parts, head=head).encode("utf-8", "replace")
