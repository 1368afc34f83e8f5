"""Results of hyperfine, read as timings.

Commands are told apart by parameters: ``hyperfine -L puzzle a.txt,b.txt -L strategy plain,fast --export-json FILE``.
Without a parameter ``strategy``, the command with ``{puzzle}`` in place of the puzzle names the strategy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sudoku_bench.bench.exchange.timing import Imported, Source, Timing, json_of, moment_of, seconds_of, usable
from sudoku_bench.datasets.errors import InputError


def is_one(document: Any) -> bool:
    """Is this the content of a file of hyperfine?"""
    results = document.get("results") if isinstance(document, dict) else None
    return isinstance(results, list) and all(isinstance(each, dict) and "command" in each for each in results)


def read(path: Path) -> Imported:
    """Read a file that ``hyperfine --export-json`` wrote, of version 1 (wall times alone) or 2 (CPU times, too).

    Raises:
        InputError: it is not such a file, or a command has no parameter ``puzzle``.
    """
    document = json_of(path)
    for result in document["results"]:
        if not (result.get("parameters") or {}).get("puzzle"):
            where = f"{path}: {result['command']}"
            raise InputError(f"{where}: has no parameter puzzle; measure with -L puzzle FILE,FILE and {{puzzle}}")
    timings, skipped = usable(document["results"], partial(_timing, path))
    if not timings:
        raise InputError(f"{path}: has no results")
    about = document.get("metadata") or {}
    tool = f"hyperfine {about.get('hyperfine_version', '')}".rstrip()
    # Version 1 does not say when it measured.
    return Imported(Source(path, tool, moment_of(str(about.get("start_time", "")), path)), tuple(timings), skipped)


def _timing(path: Path, result: Mapping[str, Any]) -> Timing:
    where = f"{path}: {result['command']}"
    parameters = result["parameters"]
    puzzle = parameters["puzzle"]
    samples = result.get("measurements") or []
    codes = [sample.get("exit_code") for sample in samples] or result.get("exit_codes") or ()
    failed = [code for code in codes if code != 0]
    return Timing(
        where,
        str(parameters.get("strategy") or str(result["command"]).replace(puzzle, "{puzzle}")),
        str(parameters.get("collection") or Path(puzzle).parent.name or "hyperfine"),
        str(puzzle),
        seconds_of([_seconds(sample, "time_wall_clock") for sample in samples] or result.get("times") or (), where),
        _cpu_s(samples),
        task=str(parameters.get("task", "first")),
        status="error" if failed else "",
        reason=f"exit code {failed[0]}" if failed else "",
    )


def _cpu_s(samples: Sequence[Mapping[str, Any]]) -> tuple[float, ...]:
    """Return the CPU seconds of the samples; none if one is not known, or too short for the clock."""
    times = [_seconds(sample, "time_cpu") for sample in samples]
    return tuple(map(float, times)) if all(time and time > 0 for time in times) else ()


def _seconds(sample: Mapping[str, Any], name: str) -> Any:
    quantity = sample.get(name) or {}
    return quantity.get("value") if quantity.get("unit") == "second" else None
