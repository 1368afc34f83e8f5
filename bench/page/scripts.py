"""Joins the ES modules of the page into one script, so that the page is a single file and needs no build step.

It supports only what these modules use: imports of names from ``./file.js``, one statement per line, and ``export``
before a declaration. The top-level names of all modules share one scope.
"""

from __future__ import annotations

import re
from pathlib import Path

from datasets.errors import InputError

FOLDER = Path(__file__).parent / "js"
START = "main.js"
IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function |const )", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b", re.MULTILINE)
TOP = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (?:\[([^\]]+)\]|(\w+))", re.MULTILINE)


def joined(folder: Path = FOLDER, start: str = START) -> str:
    """Return the module ``start`` and all modules it imports, each after its own imports.

    Raises:
        InputError: a module imports a missing name, or renames one; two modules declare the same name; or there is an
            import or export of another form.
    """
    sources: dict[str, str] = {}
    _visit(folder, start, sources)
    owners: dict[str, str] = {}
    parts = []
    for file, source in sources.items():
        for name in tops(source):
            if name in owners:
                raise InputError(f"{folder / file}: {name} is also declared in {owners[name]}; rename one of them")
            owners[name] = file
        part = EXPORT.sub("", IMPORT.sub("", source))
        if OTHER.search(part):
            raise InputError(f"{folder / file}: an import or export that is not joined; write it on one line")
        parts.append(part)
    return '"use strict";\n' + "\n".join(part.strip() for part in parts) + "\n"


def tops(source: str) -> list[str]:
    """Return the names that a module declares at its top level."""
    return [name.strip() for several, one in TOP.findall(source) for name in (several or one).split(",")]


def _visit(folder: Path, file: str, sources: dict[str, str]) -> None:
    if file in sources:
        return
    path = folder / file
    source = path.read_text(encoding="utf-8")
    for names, needed in IMPORT.findall(source):
        if " as " in names:
            raise InputError(f"{path}: imports {names} from {needed}; import names without renaming")
        _visit(folder, needed, sources)
        for name in names.split(", "):
            if name not in tops(sources[needed]):
                raise InputError(
                    f"{path}: imports {name}, but {folder / needed} does not declare {name}; correct the name"
                )
    sources[file] = source
