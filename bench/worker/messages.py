"""Messages between runner and worker: JSON objects, one a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudoku_bench.solvers.registry import PLUGIN_MODULE

Message = dict[str, Any]
LONGEST = 300  # characters
NO_LIST = "; search (or decode) returned no list of grids; return [] if there are none"


def error_line(error: BaseException) -> str:
    """Return an exception as one short line, with the innermost line of a plug-in's file that it came through."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # its __str__ fails
        text = ""
    place, step = "", error.__traceback__
    while step:
        if str(step.tb_frame.f_globals.get("__name__")).startswith(PLUGIN_MODULE):
            place = f" ({Path(step.tb_frame.f_code.co_filename).name}:{step.tb_lineno})"
        step = step.tb_next
    if isinstance(error, TypeError) and text.endswith("is not iterable") and not place:
        place = NO_LIST
    return f"{type(error).__name__}: {text}"[: LONGEST - len(place)].removesuffix(": ") + place
