"""Joins the ES modules of the page into one script, so that the page is a single file and needs no build step.

It supports only what these modules use: imports of names from ``./file.js``, one statement per line, and ``export``
before a declaration. The top-level names of all modules share one scope: a browser refuses a script that declares one
twice, and any import that is left.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "js"
START = "main.js"
IMPORT = re.compile(r'^import \{ [^}]+ \} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function |const )", re.MULTILINE)


def joined(folder: Path = FOLDER, start: str = START) -> str:
    """Return the module ``start`` and all modules it imports, each after its own imports."""
    sources: dict[str, str] = {}
    _visit(folder, start, sources)
    return '"use strict";\n' + "\n".join(EXPORT.sub("", source).strip() for source in sources.values()) + "\n"


def _visit(folder: Path, file: str, sources: dict[str, str]) -> None:
    """Add a module after the modules that it imports, without its imports."""
    source = (folder / file).read_text(encoding="utf-8")
    for needed in IMPORT.findall(source):
        if needed not in sources:
            _visit(folder, needed, sources)
    sources[file] = IMPORT.sub("", source)
