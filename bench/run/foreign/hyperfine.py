"""Results of hyperfine, read as timings.

Commands are told apart by parameters: ``hyperfine -L puzzle a.txt,b.txt -L strategy plain,fast --export-json FILE``.
Without a parameter ``strategy``, the command with ``{puzzle}`` in place of the puzzle names the strategy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder.method import CPU, WALL
from sudoku_bench.bench.run.foreign.timing import MIB, Entry, Imported, Names, Record, Source, imported, moment_of

MEND = "measure with -L puzzle FILE,FILE and {puzzle}, or "
TIMED_OUT = 124  # the exit code of timeout(1)


def is_one(document: Any) -> bool:
    """Is this the content of a file of hyperfine?"""
    results = document.get("results") if isinstance(document, dict) else None
    return isinstance(results, list) and all(isinstance(each, dict) and "command" in each for each in results)


def read(path: Path, document: Any, names: Names) -> Imported:
    """Read what ``hyperfine --export-json`` wrote, of version 1 (wall times alone) or 2 (CPU times, too)."""
    about = document.get("metadata") or {}
    tool = f"hyperfine {about.get('hyperfine_version', '')}".rstrip()
    # Version 1 does not say when it measured.
    source = Source(path, tool, moment_of(str(about.get("start_time", "")), path))
    return imported(source, (_entry(path, result, names) for result in document["results"]), names, MEND)


def _entry(path: Path, result: Mapping[str, Any], names: Names) -> Entry:
    command, parameters, samples = str(result["command"]), result.get("parameters") or {}, list(_samples(result))
    has_cpu = all(cpu_s for _, cpu_s, *_ in samples)  # it may be too short for the clock
    puzzle = str(parameters.get(names.get("puzzle", "puzzle")) or "")
    known: dict[str, Any] = {"strategy": command.replace(puzzle, "{puzzle}")} if puzzle else {}
    known |= {"collection": Path(puzzle).parent.name or "hyperfine"} | parameters
    records: list[Record] = []
    for wall_s, cpu_s, code, memory in samples:
        record = known | {"seconds": cpu_s if has_cpu else wall_s, "clock": CPU if has_cpu else WALL, "wall_s": wall_s}
        record |= {"memory": memory / MIB if memory else None, "status": "", "reason": "", "loops": 1}
        if code != 0:
            is_timeout = code == TIMED_OUT and re.search(r"\btimeout\b", command)
            record["status"] = "timeout" if is_timeout else "error"
            record["reason"] = "ended by a signal" if code is None else f"exit code {code}"
        records.append(record)
    return f"{path}: {command}", records


def _samples(result: Mapping[str, Any]) -> Iterator[tuple[Any, Any, int | None, Any]]:
    """Yield wall and CPU time, exit code and memory in bytes of each run; None: not known, or ended by a signal."""
    if measurements := result.get("measurements"):
        for each in measurements:
            yield _seconds(each, "time_wall_clock"), _seconds(each, "time_cpu"), each.get("exit_code"), None
        return
    times = result.get("times") or ()
    codes, memory = result.get("exit_codes") or [0] * len(times), result.get("memory_usage_byte") or [None] * len(times)
    yield from ((wall_s, None, *more) for wall_s, *more in zip(times, codes, memory, strict=True))


def _seconds(sample: Mapping[str, Any], name: str) -> Any:
    quantity = sample.get(name) or {}
    return quantity.get("value") if quantity.get("unit") == "second" else None
