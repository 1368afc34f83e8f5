"""The one table that every import becomes: a row for each measurement of a strategy on a puzzle.

A table of text has a header; its columns are ``COLUMNS``, of which ``NEEDED`` must be there. The readers of other tools
(``benchexec``, ``hyperfine``, ``pytest_benchmark``) give the same rows. What a column is called in the file can be
said: ``{"strategy": "solver"}``.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder.method import CPU, WALL
from sudoku_bench.datasets import files
from sudoku_bench.datasets.errors import InputError, harmless

NEEDED = ("strategy", "puzzle", "seconds")
COLUMNS = (*NEEDED, "clock", "answer", "memory", "status", "collection", "task")
STATUSES = {  # why a time does not count, by the words of tables; nothing if it does
    "": r"|solved|ok|done|finished|success|completed?|correct|pass(?:ed)?|sat|true|unsat|false",
    "timeout": r"t/?o|tle|.*time.?(?:d.)?(?:out|limit).*",
    "memout": r"m/?o|mle|oom|memout|.*memory.*",
    **{name: name for name in ("gave_up", "wrong")},
    "error": ".*",
}
MIB = 1 << 20
DELIMITERS = ",;\t"

Names = Mapping[str, str]  # what the columns are called in a file


@dataclass(frozen=True)
class Timing:
    """One measurement of a strategy on a puzzle; ``where`` it stands, for messages.

    Attributes:
        puzzle: a grid, a file with one puzzle, or a name in the collection.
        wall_s, cpu_s: seconds per solve; None if the tool does not measure them. One of them is known.
        answer: what the strategy printed or returned: solutions, ``no solution``, ``sat``; empty if the file has none.
        status: one of ``STATUSES``; empty if the time counts.
        loops: solves of which this is the mean.
    """

    where: str
    strategy: str
    collection: str
    puzzle: str
    wall_s: float | None
    cpu_s: float | None = None
    answer: str = ""
    memory_mib: float | None = None
    status: str = ""
    reason: str = ""
    task: str = "first"
    loops: int = 1

    @property
    def seconds(self) -> float:
        """By the CPU clock if that is known."""
        return self.cpu_s or self.wall_s or 0.0


@dataclass(frozen=True)
class Source:
    """Where timings come from: a file, the tool that wrote it with its version, and when it measured (ISO 8601).

    Attributes:
        limit_s: the tool's time limit in seconds; None if it has none.
        machine: ``cpu``, ``cores_logical``, ``python`` and other facts, as in the manifest of a run.
        commit: of the code that was measured, if known.
    """

    path: Path
    tool: str
    started: str
    limit_s: float | None = None
    machine: Mapping[str, Any] = field(default_factory=dict)
    commit: str | None = None
    dirty: bool | None = None


@dataclass(frozen=True)
class Imported:
    """The content of a file; ``skipped``: the entries that could not be used, each with the reason."""

    source: Source
    timings: tuple[Timing, ...]
    skipped: tuple[str, ...] = ()


Record = Mapping[str, Any]  # a row: a value for each column that is known, for tools also ``wall_s``, reason, loops
Entry = tuple[str, list[Record]]  # where it stands, and the rows that it holds


def imported(source: Source, entries: Iterable[Entry], names: Names, mend: str = "") -> Imported:
    """Return the timings of a file's entries, and why the others cannot be used.

    Args:
        mend: how to measure so that there is a strategy and a puzzle.

    Raises:
        InputError: no entry can be used; the first reason. Or none has a column that the user names.
    """
    timings, faults, known = list[Timing](), list[str](), set[str]()
    for where, records in entries:
        known.update(*records)
        try:
            timings += [_timing(where, record, names, mend) for record in records]
        except InputError as error:
            faults.append(str(error))
    if unknown := [f"{key}={name}" for key, name in names.items() if name not in known]:
        raise InputError(f"{source.path}: --column {unknown[0]}: has no such column; it has {', '.join(sorted(known))}")
    if not timings:
        raise InputError(faults[0] if faults else f"{source.path}: has no measurements")
    return Imported(source, tuple(timings), tuple(faults))


def read_table(path: Path, names: Names) -> Imported:
    """Read a table of text, with commas, semicolons or tabs between its columns.

    Raises:
        InputError: a column that is needed is missing, or no row can be used.
    """
    lines = files.document(path).decode("utf-8-sig", "replace").splitlines(keepends=True) or [""]
    rows = csv.DictReader(lines, delimiter=max(DELIMITERS, key=lines[0].count), restkey="more", restval="")
    try:
        for key in NEEDED:
            if names.get(key, key) not in (rows.fieldnames or ()):
                known = f"a table needs {', '.join(NEEDED)}; other names are given with --column {key}=NAME"
                raise InputError(f"{path}:1: has no column {names.get(key, key)}; {known}")
        return imported(
            Source(path, "a table", moment_of("", path)), ((f"{path}:{rows.line_num}", [row]) for row in rows), names
        )
    except csv.Error as error:
        raise InputError(f"{path}:{rows.line_num + 1}: is no table: {error}") from None


def _timing(where: str, record: Record, names: Names, mend: str) -> Timing:
    texts = {key: str(record.get(names.get(key, key)) or "").strip() for key in (*COLUMNS, "reason")}
    for key in ("puzzle", "strategy"):
        if not texts[key]:
            raise InputError(f"{where}: has no {key}; {mend}name it: --column {key}=NAME ({', '.join(record)})")
    clock, memory, word = texts["clock"] or WALL, texts["memory"], texts["status"].lower()
    status = next(status for status, words in STATUSES.items() if re.fullmatch(words, word, re.DOTALL))
    if clock not in (CPU, WALL):
        raise InputError(f"{where}: clock {clock!r} is neither cpu nor wall")
    time_s = _amount(record.get(names.get("seconds", "seconds")), where, "time in seconds")
    wall_s = record.get("wall_s") if clock == CPU else time_s
    return Timing(
        where,
        harmless(texts["strategy"]),
        harmless(texts["collection"] or Path(texts["puzzle"]).parent.name or "imported"),
        texts["puzzle"],
        None if wall_s is None else _amount(wall_s, where, "time in seconds"),
        time_s if clock == CPU else None,
        texts["answer"],
        _amount(memory, where, "amount of memory in MiB") if memory else None,
        status,
        texts["reason"] or (f"the table says {texts['status']}" if status else ""),
        texts["task"] or "first",
        int(record.get("loops") or 1),
    )


def _amount(value: Any, where: str, what: str) -> float:
    try:
        number = 0.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = 0.0
    if not 0 < number < float("inf"):
        raise InputError(f"{where}: has no {what}" if value is None else f"{where}: {str(value)[:40]!r} is no {what}")
    return number


def json_of(path: Path) -> Any:
    """Return the content of a JSON file, or raise an InputError that it is none."""
    try:
        return json.loads(files.document(path))
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path}: is not JSON: {error}") from None


def moment_of(text: str, path: Path) -> str:
    """Return the time that a file gives, as ISO 8601; if it gives none that can be read, when the file was written."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return moment.isoformat(timespec="seconds")
