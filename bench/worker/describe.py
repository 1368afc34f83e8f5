"""Describe what a plug-in registers as JSON: ``describe REQUEST``.

A request is JSON, too: ``file``, a path, with a ``prefix`` for the names; or ``entry_point``, ``MODULE`` or
``MODULE:CLASS`` of an installed distribution. ``patterns`` asks for the SAT strategies that they stand for and that use
an encoding, a scheme or an engine of the plug-in; ``encodings`` and ``shapes`` ask for sizes. If the import fails, or
the plug-in's code for an encoding, the JSON holds the error.

It runs in a separate process, so that plug-in code never runs in the runner.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sudoku_bench.bench.worker import start
from sudoku_bench.bench.worker.messages import error_line
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry

# The files of a checkout that refuse to be imported under a former name.
REFUSING = {str(start.PACKAGE.parent / name / "__init__.py") for name in registry.FORMER_NAMES}


def main(text: str) -> None:
    answer_fd = os.dup(1)
    os.dup2(2, 1)  # keeps output of the plug-in out of the answer
    request = json.loads(text)
    registry.load_builtin()
    try:
        reply = answer(request)
    except InputError as error:
        reply = {"error": str(error)}
    os.write(answer_fd, json.dumps(reply).encode())


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a plug-in registers, and what else the request asks for.

    Raises:
        InputError: the plug-in's code fails.
    """
    if "file" in request:
        registered = load(request["file"], request["prefix"])
    else:
        registered = load_entry_point(request["entry_point"])
    facts: dict[str, Any] = {"strategies": list(map(facts_of, registered))}
    # Imported only by plug-ins that extend SAT strategies.
    extensions = sys.modules.get("sudoku_bench.solvers.sat.extensions")
    if extensions is None:
        return facts
    from sudoku_bench.solvers.sat.encodings import sizes

    boards = [Shape(*boxes) for boxes in request["shapes"]]
    composed = [name for name in extensions.composed(request["patterns"]) if name not in registered]
    return facts | {"composed": list(map(facts_of, composed)), "sizes": list(sizes(request["encodings"], boards))}


def load_entry_point(value: str) -> list[str]:
    """Import an entry point and return the names of its strategies.

    Raises:
        InputError: it registers none, or its import fails.
    """
    try:
        return registry.load_entry_point(value)
    except InputError as error:
        places = [f"{file}:{line}: " for file, line in frames_of(error.__cause__)]
        raise InputError(f"{places[-1] if places else ''}{error}") from None
    except Exception as error:
        raise InputError(error_line(error)) from None


def load(plugin: str, prefix: str = "") -> list[str]:
    """Import a plug-in file and return the names of its strategies, with the prefix.

    Raises:
        InputError: it registers none, or its import fails.
    """
    try:
        return registry.load_renamed(plugin, prefix) if prefix else registry.load_plugin(plugin)
    except InputError as error:
        line = last_line_in(plugin, error)
        raise InputError(f"{plugin}{line}: {error}" if line else str(error)) from None
    except Exception as error:
        line = last_line_in(plugin, error)
        raise InputError(f"{plugin}{line}: {error_line(error)}; a plug-in must import without an error") from None


def facts_of(name: str) -> dict[str, Any]:
    """Return what a strategy declares about itself, ready for JSON."""
    strategy = registry.get(name)
    return {
        "name": name,
        "tasks": list(strategy.tasks),
        "requires": list(strategy.requires),
        "programs": list(strategy.programs),
        "persistent": strategy.persistent,
        "environ": dict(strategy.environ),
    }


def last_line_in(plugin: str, error: BaseException) -> str:
    """Return ``:LINE`` of the deepest frame of the error or its cause in the plug-in's file, or an empty string."""
    frames = [*frames_of(error), *frames_of(error.__cause__)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno))
    lines = [line for name, line in frames if line and Path(name).resolve() == Path(plugin).resolve()]
    return f":{lines[-1]}" if lines else ""


def frames_of(error: BaseException | None) -> list[tuple[str, int | None]]:
    """Return file and line of each frame of an error, without those of the import system and ``REFUSING``."""
    frames = [(f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__)] if error else []
    return [(name, line) for name, line in frames if not name.startswith("<") and name not in REFUSING]


if __name__ == "__main__":
    main(*sys.argv[1:])
