"""The folders that a process imports the project from: workers must run the same code as the command that reports."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from datasets.errors import InputError

PACKAGES = ("bench", "datasets", "solvers")


@cache
def locations() -> dict[str, str]:
    """Return the folder from which this process imports each of the project's packages."""
    specs = {name: find_spec(name) for name in PACKAGES}
    return {name: str(Path(spec.origin).resolve().parent) for name, spec in specs.items() if spec and spec.origin}


def require_same(reported: Mapping[str, str], python: str) -> None:
    """Refuse a worker process that runs different code from this process.

    Args:
        reported: the ``locations`` of the worker; python: the interpreter that started it.

    Raises:
        InputError: the worker imports a package from another folder.
    """
    for name, folder in locations().items():
        if reported.get(name) != folder:
            raise InputError(
                f"{python}: its workers would measure {name} in {reported.get(name)}, but this command runs"
                f" {folder}; use the environment of this checkout (make setup), or install this checkout there"
            )
