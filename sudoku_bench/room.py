"""The packages of the project, ``bench``, ``datasets`` and ``solvers``, and how a process comes to import them.

Installed, they lie in a folder below this package, so that nothing is written beside it: other distributions have a
package called ``datasets``, too. In a checkout they lie beside this package.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = ("datasets", "solvers", "bench")


class NameTakenError(ImportError):
    """Another package of the same name is already imported in this process."""


def folder() -> Path:
    """Return the folder that holds the packages."""
    installed = HERE / "packages"
    return installed if installed.is_dir() else HERE.parent


def enter() -> None:
    """Import the packages of the project, whatever else on the path has their names.

    ``sys.path`` is the same afterwards, so later imports of other packages find what they would have found.

    Raises:
        NameTakenError: this process has already imported another package of one of these names.
    """
    for name in PACKAGES:
        other = _other(name)
        if other:
            raise NameTakenError(
                f"this process has already imported another package {name} ({other}), and cannot hold two of the same"
                " name; use sudoku_bench in a process of its own, such as the command sudoku-bench"
            )
    sys.path.insert(0, str(folder()))
    try:
        for name in PACKAGES:
            importlib.import_module(name)
    finally:
        sys.path.remove(str(folder()))


def _other(name: str) -> str:
    """Return where the imported package of this name lies if it is not the project's, or an empty string."""
    module = sys.modules.get(name)
    if module is None:
        return ""
    places = [Path(place).resolve() for place in getattr(module, "__path__", ())]
    return "" if folder() / name in places else str(getattr(module, "__file__", None) or name)
