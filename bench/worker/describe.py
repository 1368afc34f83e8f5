"""Describe what a plug-in registers as JSON: ``describe REQUEST``.

A request is JSON, too: ``file``, a path, with a ``prefix`` for the names. ``patterns`` asks for the SAT strategies that
they stand for and that use an encoding, a scheme or an engine of the plug-in; ``encodings`` and ``shapes`` ask for
sizes. If the import fails, or the plug-in's code for an encoding, the JSON holds the error.

It runs in a separate process, so that plug-in code never runs in the runner.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sudoku_bench.bench.worker.messages import error_line
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry


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
    registered = load(request["file"], request["prefix"])
    facts: dict[str, Any] = {"strategies": list(map(facts_of, registered))}
    # Imported only by plug-ins that extend SAT strategies.
    extensions = sys.modules.get("sudoku_bench.solvers.sat.extensions")
    if extensions is None:
        return facts
    from sudoku_bench.solvers.sat.encodings import sizes

    boards = [Shape(*boxes) for boxes in request["shapes"]]
    composed = [name for name in extensions.composed(request["patterns"]) if name not in registered]
    return facts | {"composed": list(map(facts_of, composed)), "sizes": list(sizes(request["encodings"], boards))}


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
        raise InputError(
            f"{plugin}{line}: {error_line(error.with_traceback(None))}; a plug-in must import without an error"
        ) from None


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
        "description": inspect.cleandoc(str(vars(strategy).get("__doc__") or "")).partition("\n")[0],
    }


def last_line_in(plugin: str, error: BaseException) -> str:
    """Return ``:LINE`` of the deepest frame of the error or its cause in the plug-in's file, or an empty string."""
    frames = [
        (frame.filename, frame.lineno)
        for one in filter(None, (error, error.__cause__))
        for frame in traceback.extract_tb(one.__traceback__)
    ]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno))
    lines = [line for name, line in frames if line and Path(name).resolve() == Path(plugin).resolve()]
    return f":{lines[-1]}" if lines else ""


if __name__ == "__main__":
    main(*sys.argv[1:])
