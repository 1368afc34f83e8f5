"""Sources: the files of the project, or of a plug-in, that a module imports. They say which code computed something.

Imports are read from the text: those within functions and those for types only count as well. What is imported by a
computed name is not found.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).absolute().parents[1]  # the folder of sudoku_bench
INSTALLED = ("site-packages", "dist-packages")  # what lies side by side in such a folder is by different people
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import\b([ \t]*\((?:#.*|[^)#])*|(?:\\\n|.)*)|import\b((?:\\\n|.)*))",
    re.MULTILINE,
)
COMMENT_OR_ALIAS = re.compile(r"#.*|\bas\s+\w+")


def closure(*files: Path) -> set[Path]:
    """Return files and all that they import, directly or not.

    Raises:
        OSError: one cannot be read.
    """
    found, new = set[Path](), set(files)
    while new:
        found |= new
        new = {imported for file in new for imported in imports(file)} - found
    return found


def imports(file: Path) -> Sequence[Path]:
    """Return the files that one imports."""
    return _read(file)[1]


def digest(files: Iterable[Path], *versions: str) -> str:
    """Return a digest of what the files contain, and of versions."""
    return hashlib.sha256(" ".join([*versions, *(_read(file)[0] for file in sorted(files))]).encode()).hexdigest()[:16]


def files_of(module: Path, names: Sequence[str] = ()) -> list[Path]:
    """Return the file of a module, given without its ending; of a package, those that names are imported from."""
    file, itself = module.with_name(f"{module.name}.py"), module / "__init__.py"
    if file.is_file():
        return [file]
    files = [each for name in names for each in files_of(module / name)]
    return [*files, itself] if len(files) < max(1, len(names)) and itself.is_file() else files


@cache
def _read(file: Path) -> tuple[str, Sequence[Path]]:
    """Return the digest of a file and the files that it imports.

    A process reads each file once, about when it runs it: if the file changes later, what the process computes is not
    taken for that of the new code.
    """
    code = file.read_bytes()
    found = list[Path]()
    for module, names, modules in IMPORT.findall(code.decode(errors="replace")):
        words = re.findall(r"[.\w]+", COMMENT_OR_ALIAS.sub("", names or modules))
        for place in (place for name in ([module] if module else words) for place in _places(file, name)):
            found += files_of(place, words)
    return hashlib.sha256(code).hexdigest(), tuple(dict.fromkeys(found))


def _places(file: Path, module: str) -> list[Path]:
    """Return where a module may be that a file imports, if it is of the project or lies beside or around the file."""
    parents, parts = file.parents, module.lstrip(".").split(".")
    level = len(module) - len(module.lstrip("."))
    if level or parts[0] == PACKAGE.name:
        tops = [parents[level - 1] if level else PACKAGE.parent]
    elif PACKAGE in parents:
        tops = []
    else:
        tops = [parent.parent for parent in parents if parent.name == parts[0]]
        tops += [parents[0]] if parents[0].name not in INSTALLED else []
    return [top.joinpath(*parts) for top in tops]
