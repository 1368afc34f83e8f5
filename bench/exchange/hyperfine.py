"""Results of hyperfine, read as timings.

Commands are told apart by parameters: ``hyperfine -L puzzle a.txt,b.txt -L strategy plain,fast --export-json FILE``.
Without a parameter ``strategy``, the command with ``{puzzle}`` in place of the puzzle names the strategy.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.exchange.timing import Imported, Source, Timing, json_of, moment_of, seconds_of
from datasets.errors import InputError


def is_one(document: Any) -> bool:
    """Is this the content of a file of hyperfine?"""
    results = document.get("results") if isinstance(document, dict) else None
    return isinstance(results, list) and all(isinstance(each, dict) and "command" in each for each in results)


def read(path: Path) -> Imported:
    """Read a file that ``hyperfine --export-json`` wrote.

    Raises:
        InputError: it is not such a file, or a command has no parameter ``puzzle``.
    """
    timings = tuple(_timing(path, result) for result in json_of(path)["results"])
    if not timings:
        raise InputError(f"{path}: has no results")
    return Imported(Source(path, "hyperfine", moment_of("", path)), timings)  # the file does not say when it measured


def _timing(path: Path, result: Mapping[str, Any]) -> Timing:
    where = f"{path}: {result['command']}"
    parameters = result.get("parameters") or {}
    puzzle = parameters.get("puzzle")
    if not puzzle:
        raise InputError(f"{where}: has no parameter puzzle; measure with -L puzzle FILE,FILE and {{puzzle}}")
    failed = [code for code in result.get("exit_codes") or () if code != 0]
    return Timing(
        where,
        str(parameters.get("strategy") or str(result["command"]).replace(puzzle, "{puzzle}")),
        str(parameters.get("collection") or path.stem),
        str(puzzle),
        seconds_of(result.get("times") or (), where),
        task=str(parameters.get("task", "first")),
        status="error" if failed else "",
        reason=f"exit code {failed[0]}" if failed else "",
    )
