"""ES modules joined into one script, so that the page is a single file and needs no build.

Only what the modules beside this file use is understood: imports of names from ``./file.js``, one to a line, and
``export`` before a declaration. Names at the top of a module live together with those of all others.
"""

from __future__ import annotations

import re
from pathlib import Path

from datasets.errors import InputError

FOLDER = Path(__file__).parent / "js"
START = "main.js"
IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function |const )", re.MULTILINE)
TOP = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (?:\[([^\]]+)\]|(\w+))", re.MULTILINE)


def joined(folder: Path = FOLDER, start: str = START) -> str:
    """The module ``start`` and all that it imports, each after what it needs.

    Raises:
        InputError: a module imports what is not there, or under another name; or two modules declare the same name.
    """
    sources: dict[str, str] = {}
    _visit(folder, start, sources)
    owners: dict[str, str] = {}
    parts = []
    for file, source in sources.items():
        for name in tops(source):
            if name in owners:
                raise InputError(f"{folder / file}: {name} stands in {owners[name]}, too; rename one of them")
            owners[name] = file
        parts.append(EXPORT.sub("", IMPORT.sub("", source)))
    return '"use strict";\n' + "\n".join(part.strip() for part in parts) + "\n"


def tops(source: str) -> list[str]:
    """The names that a module declares at its top."""
    return [name.strip() for several, one in TOP.findall(source) for name in (several or one).split(",")]


def _visit(folder: Path, file: str, sources: dict[str, str]) -> None:
    if file in sources:
        return
    path = folder / file
    source = path.read_text(encoding="utf-8")
    for names, needed in IMPORT.findall(source):
        if " as " in names:
            raise InputError(f"{path}: imports {names} from {needed}; import names as they are")
        _visit(folder, needed, sources)
        for name in names.split(", "):
            if name not in tops(sources[needed]):
                raise InputError(f"{path}: imports {name}, but {folder / needed} has no {name}; name what it declares")
    sources[file] = source
