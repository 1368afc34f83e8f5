"""Where the code of a process lies, so that the code that is measured is the code that is reported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from datasets.errors import InputError

PACKAGES = ("bench", "datasets", "solvers")


@cache
def locations() -> dict[str, str]:
    """Return the folder of each of the project's packages, as this process imports them."""
    specs = {name: find_spec(name) for name in PACKAGES}
    return {name: str(Path(spec.origin).resolve().parent) for name, spec in specs.items() if spec and spec.origin}


def require_same(reported: Mapping[str, str], python: str) -> None:
    """Refuse a worker process that runs other code than this process.

    Args:
        reported: the ``locations`` of the worker; python: the interpreter that it was started with.

    Raises:
        InputError: a package lies elsewhere there.
    """
    for name, folder in locations().items():
        if reported.get(name) != folder:
            raise InputError(
                f"{python}: its workers would measure {name} in {reported.get(name)}, but this command runs"
                f" {folder}; use the environment of this checkout (make setup), or install this checkout there"
            )
