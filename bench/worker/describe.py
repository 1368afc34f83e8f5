"""Describe the strategies of a plug-in as JSON: ``describe file PATH [PREFIX]``.

``entry-point MODULE`` or ``entry-point MODULE:CLASS`` describes the strategies of an installed distribution. If the
import fails, the JSON holds the error.

It runs in a separate process, so that plug-in code never runs in the runner.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from bench.worker import packages, sandbox
from bench.worker.server import error_line
from datasets.errors import InputError
from solvers import registry


def main(kind: str, plugin: str, prefix: str = "") -> None:
    answer_fd = os.dup(1)
    os.dup2(2, 1)  # keeps output of the plug-in out of the answer
    if os.environ.get(sandbox.FOLDER):
        sandbox.enter([str(Path(plugin).resolve())] if kind == "file" else [])
    registry.load_builtin()
    answer = describe_entry_point(plugin) if kind == "entry-point" else describe(plugin, prefix)
    reply = answer if isinstance(answer, dict) else {"strategies": answer}
    os.write(answer_fd, json.dumps({**reply, "packages": packages.locations()}).encode())


def describe_entry_point(value: str) -> list[dict[str, Any]] | dict[str, str]:
    """Return the facts of each strategy that an entry point registers, or the error that its import raises."""
    try:
        return [facts_of(name) for name in registry.load_entry_point(value)]
    except InputError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": error_line(error)}


def describe(plugin: str, prefix: str = "") -> list[dict[str, Any]] | dict[str, str]:
    """Return the facts of each strategy of a file, names prefixed, or the error that its import raises."""
    try:
        names = registry.load_renamed(plugin, prefix) if prefix else registry.load_plugin(plugin)
    except InputError as error:
        line = last_line_in(plugin, error)
        return {"error": f"{plugin}{line}: {error}" if line else str(error)}
    except Exception as error:
        line = last_line_in(plugin, error)
        return {"error": f"{plugin}{line}: {error_line(error)}; a plug-in must import without an error"}
    return [facts_of(name) for name in names]


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
    """Return ``:LINE`` of the deepest frame of the error in the plug-in's file, or an empty string."""
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno))
    lines = [line for name, line in frames if line and Path(name).resolve() == Path(plugin).resolve()]
    return f":{lines[-1]}" if lines else ""


if __name__ == "__main__":
    main(*sys.argv[1:])
