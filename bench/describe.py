"""What a plug-in file registers: ``python -P -m bench.describe FILE [PREFIX]`` prints it, or what is wrong, as JSON.

It runs in a process of its own, so that no code of a plug-in ever runs in the runner.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from bench.worker import said
from datasets.errors import InputError
from solvers import registry


def main(plugin: str, prefix: str = "") -> None:
    answer_fd = os.dup(1)
    os.dup2(2, 1)  # what the plug-in prints must not mix with the answer
    os.write(answer_fd, json.dumps(describe(plugin, prefix)).encode())


def describe(plugin: str, prefix: str = "") -> list[dict[str, Any]] | dict[str, str]:
    """The facts of each strategy of the file, its name with a prefix, or the error that its import raises."""
    registry.load_builtin()
    try:
        names = registry.load_renamed(plugin, prefix) if prefix else registry.load_plugin(plugin)
    except InputError as error:
        line = last_line_in(plugin, error)
        return {"error": f"{plugin}{line}: {error}" if line else str(error)}
    except Exception as error:
        line = last_line_in(plugin, error)
        return {"error": f"{plugin}{line}: {said(error)}; a plug-in must import without an error"}
    found = []
    for name in names:
        strategy = registry.get(name)
        found.append(
            {
                "name": name,
                "tasks": list(strategy.tasks),
                "requires": list(strategy.requires),
                "persistent": strategy.persistent,
                "environ": dict(strategy.environ),
            }
        )
    return found


def last_line_in(plugin: str, error: BaseException) -> str:
    """``:LINE`` of the deepest frame of the error that lies in the plug-in's file, or nothing."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places.append((error.filename or "", error.lineno))
    own = [line for name, line in places if line and Path(name).resolve() == Path(plugin).resolve()]
    return f":{own[-1]}" if own else ""


if __name__ == "__main__":
    main(*sys.argv[1:])
