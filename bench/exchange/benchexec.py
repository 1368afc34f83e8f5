"""Results of BenchExec, read as timings."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from dataclasses import replace
from functools import partial
from pathlib import Path

from sudoku_bench.bench.exchange.timing import Imported, Source, Timing, moment_of, usable
from sudoku_bench.datasets import files
from sudoku_bench.datasets.errors import InputError

ERRORS = ("ERROR", "KILLED", "SEGMENTATION FAULT", "ABORTED", "EXCEPTION", "ASSERTION")
# Beginnings of BenchExec's statuses, and what they are called here.
UNFINISHED = {"TIMEOUT": "timeout", "OUT OF MEMORY": "memout", **dict.fromkeys(ERRORS, "error")}
# BenchExec's verdicts on an answer whose status does not begin like these; in other categories, the time counts.
CATEGORIES = {"wrong": "wrong", "error": "error", "unknown": "gave_up"}


def is_one(data: bytes) -> bool:
    """Is this the beginning of a file of BenchExec, packed or not?"""
    return data.startswith(b"BZh") or (b"<result" in data and data.lstrip().startswith(b"<"))


def read(path: Path) -> Imported:
    """Read a file ``*.results.*.xml`` or ``.xml.bz2``; runs of the same name are repetitions of one solve.

    Runs without times, which BenchExec leaves behind when it is interrupted, are skipped and counted.

    Raises:
        InputError: it is not such a file.
    """
    root = _root(path)
    strategy = ":".join(filter(None, (root.get("tool", "benchexec").replace(":", "-"), root.get("name"))))
    timings, skipped = usable(root.iter("run"), partial(_timing, path, strategy))
    repetitions: defaultdict[str, list[Timing]] = defaultdict(list)
    for timing in timings:
        repetitions[timing.puzzle].append(timing)
    if not repetitions:
        raise InputError(f"{path}: has no runs")
    cpu, system = root.find("systeminfo/cpu"), root.find("systeminfo/os")
    machine = {
        "cpu": None if cpu is None else cpu.get("model"),
        "cores_logical": int(cpu.get("cores", "0")) or None if cpu is not None else None,
        "kernel": None if system is None else system.get("name"),
        "python": None,
    }
    limit = _seconds(root.get("timelimit", ""))
    started = moment_of(root.get("starttime") or root.get("date") or "", path)
    source = Source(path, root.get("generator", "BenchExec"), started, limit, machine)
    return Imported(source, tuple(map(_merged, repetitions.values())), skipped)


def _root(path: Path) -> ET.Element:
    data = files.document(path)
    try:
        root = ET.fromstring(data)
    except (LookupError, ValueError) as error:  # an unknown encoding
        raise InputError(f"{path}: is damaged: {error}") from None
    except ET.ParseError as error:
        raise InputError(f"{path}:{error.position[0]}: is not XML: {error}") from None
    if root.tag != "result":
        raise InputError(f"{path}: is not a result of BenchExec: it begins with <{root.tag}>, not <result>")
    return root


def _timing(path: Path, strategy: str, run: ET.Element) -> Timing:
    name = run.get("name", "")
    where = f"{path}: run {name}"
    columns = {each.get("title", ""): each.get("value", "") for each in run.iter("column")}
    wall_s, cpu_s = (_seconds(columns.get(title, "")) for title in ("walltime", "cputime"))
    if wall_s is None or cpu_s is None:
        raise InputError(f"{where}: has no walltime or no cputime")
    said = columns.get("status", "")
    status = next((ours for theirs, ours in UNFINISHED.items() if said.upper().startswith(theirs)), "")
    status = status or CATEGORIES.get(columns.get("category", ""), "")
    collection = Path(name).parent.name or "benchexec"
    return Timing(where, strategy, collection, name, (wall_s,), (cpu_s,), status=status, reason=said if status else "")


def _merged(timings: list[Timing]) -> Timing:
    """Return the repetitions of a solve as one timing; if one did not finish, the solve counts as not finished."""
    first = next((timing for timing in timings if timing.status), timings[0])
    return replace(
        first,
        wall_s=tuple(timing.wall_s[0] for timing in timings),
        cpu_s=tuple(timing.cpu_s[0] for timing in timings),
    )


def _seconds(text: str) -> float | None:
    """Return the number of a time such as ``0.12s``; None if it is not one."""
    match = re.fullmatch(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*s?\s*", text)
    return float(match[1]) if match else None
