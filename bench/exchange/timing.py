"""What a file of another tool says about solves: the common form of all imports."""

from __future__ import annotations

import hashlib
import itertools
import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sudoku_bench.datasets import files
from sudoku_bench.datasets.errors import InputError, harmless

MAX_REPETITIONS = 20  # of a solve in an imported run; more samples are averaged in blocks


@dataclass(frozen=True)
class Timing:
    """The times of one strategy on one puzzle.

    Attributes:
        where: the entry of the file, for messages.
        puzzle: a grid, a file with one puzzle, or a name in the collection.
        wall_s: wall seconds per solve, one number per sample, in the order of measuring.
        cpu_s: the same in CPU seconds; empty if the tool does not measure them.
        status: ``timeout``, ``memout``, ``gave_up``, ``wrong`` or ``error`` if the times do not count; else empty.
        solution: the solution that the strategy returned, if the file has it.
        loops: solves per sample.
    """

    where: str
    strategy: str
    collection: str
    puzzle: str
    wall_s: tuple[float, ...]
    cpu_s: tuple[float, ...] = ()
    task: str = "first"
    status: str = ""
    reason: str = ""
    solution: str | None = None
    loops: int = 1

    def in_blocks(self, number: int) -> list[tuple[float, float | None, int]]:
        """Return wall and CPU seconds per solve and the number of solves of each of ``number`` blocks of samples.

        Blocks are consecutive samples, in equal numbers as far as possible; their means are less dependent on each
        other than single samples of one process.
        """
        ends = [len(self.wall_s) * block // number for block in range(number + 1)]
        blocks = []
        for start, end in itertools.pairwise(ends):
            cpu_s = statistics.fmean(self.cpu_s[start:end]) if self.cpu_s else None
            blocks.append((statistics.fmean(self.wall_s[start:end]), cpu_s, (end - start) * self.loops))
        return blocks


@dataclass(frozen=True)
class Source:
    """Where timings come from.

    Attributes:
        tool: name and version of the tool; started: when it measured, ISO 8601.
        limit_s: its time limit in seconds; None if it has none.
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

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


@dataclass(frozen=True)
class Imported:
    """The content of a file; ``skipped``: the entries that could not be used, each with the reason."""

    source: Source
    timings: tuple[Timing, ...]
    skipped: tuple[str, ...] = ()


def usable(entries: Iterable[Any], timing_of: Callable[[Any], Timing]) -> tuple[list[Timing], tuple[str, ...]]:
    """Return the timings of a file's entries, with harmless names, and why the others cannot be used.

    Raises:
        InputError: no entry can be used; the first reason.
    """
    timings, faults = [], []
    for entry in entries:
        try:
            timing = timing_of(entry)
            names = harmless(timing.strategy), harmless(timing.collection)
            timings.append(replace(timing, strategy=names[0], collection=names[1]))
        except InputError as error:
            faults.append(str(error))
    if faults and not timings:
        raise InputError(faults[0])
    return timings, tuple(faults)


def json_of(path: Path) -> Any:
    """Return the content of a JSON file.

    Raises:
        InputError: it is no text, or no JSON.
    """
    try:
        return json.loads(files.document(path).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text file") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise InputError(f"{path}: is damaged: its brackets are too deep, or a number is too long") from None


def moment_of(text: str, path: Path) -> str:
    """Return the time that a file gives, as ISO 8601; if it gives none that can be read, when the file was written."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return moment.isoformat(timespec="seconds")


def seconds_of(values: Sequence[Any], where: str) -> tuple[float, ...]:
    """Return times as numbers.

    Raises:
        InputError: there are none, or one is not a positive number.
    """
    if not values:
        raise InputError(f"{where}: has no times")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise InputError(f"{where}: {value!r} is not a time in seconds")
    return tuple(map(float, values))


def number_of_repetitions(timings: Sequence[Timing]) -> int:
    """Return the number of repetitions that all finished solves can have."""
    return min([MAX_REPETITIONS, *(len(timing.wall_s) for timing in timings if not timing.status)])
