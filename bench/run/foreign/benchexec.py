"""Results of BenchExec, read as timings; runs of the same name are repetitions of one solve."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from sudoku_bench.bench.folder.method import CPU
from sudoku_bench.bench.run.foreign.timing import MIB, Entry, Imported, Names, Source, imported, moment_of
from sudoku_bench.datasets import files
from sudoku_bench.datasets.errors import InputError

ERRORS = ("ERROR", "KILLED", "SEGMENTATION FAULT", "ABORTED", "EXCEPTION", "ASSERTION")
# Beginnings of BenchExec's statuses, and what they are called here.
UNFINISHED = {"TIMEOUT": "timeout", "OUT OF MEMORY": "memout", **dict.fromkeys(ERRORS, "error")}
# BenchExec's verdicts on an answer whose status does not begin like these.
CATEGORIES = {"wrong": "wrong", "error": "error", "unknown": "gave_up"}
CLAIMS = {"sat": "sat", "true": "sat", "unsat": "unsat", "false": "unsat", "unknown": "unknown"}  # by status


def is_one(data: bytes) -> bool:
    """Is this the beginning of a file of BenchExec, packed or not?"""
    return data.startswith(b"BZh") or (b"<result" in data and data.lstrip().startswith(b"<"))


def read(path: Path, names: Names) -> Imported:
    """Read a file ``*.results.*.xml`` or ``.xml.bz2``; raise an InputError if it is none.

    ``names`` has the column with the ``answer``, if there is one; by default the status is what a run claims. Runs
    without times, which BenchExec leaves behind when it is interrupted, are skipped.
    """
    root = _root(path)
    strategy = ":".join(filter(None, (root.get("tool", "benchexec").replace(":", "-"), root.get("name"))))
    cpu = root.find("systeminfo/cpu")
    machine = {
        "cpu": None if cpu is None else cpu.get("model"),
        "cores_logical": int(cpu.get("cores", "0")) or None if cpu is not None else None,
        "python": None,
    }
    started = moment_of(root.get("starttime") or root.get("date") or "", path)
    tool = root.get("generator", "BenchExec")
    source = Source(path, tool, started, _number(root.get("timelimit", ""), "s"), machine)
    return imported(source, (_entry(path, strategy, run) for run in root.iter("run")), names)


def _root(path: Path) -> ET.Element:
    try:
        root = ET.fromstring(files.document(path))
    except (LookupError, ValueError, ET.ParseError) as error:  # the first of an unknown encoding
        raise InputError(f"{path}: is not XML: {error}") from None
    if root.tag != "result":
        raise InputError(f"{path}: is not a result of BenchExec: it begins with <{root.tag}>, not <result>")
    return root


def _entry(path: Path, strategy: str, run: ET.Element) -> Entry:
    name = run.get("name", "")
    columns = {each.get("title", ""): each.get("value", "") for each in run.iter("column")}
    said, memory = columns.get("status", ""), _number(columns.get("memory", ""), "B")
    status = next((ours for theirs, ours in UNFINISHED.items() if said.upper().startswith(theirs)), "")
    status = status or CATEGORIES.get(columns.get("category", ""), "")
    record = {
        "strategy": strategy,
        "collection": Path(name).parent.name or "benchexec",
        "puzzle": name,
        "seconds": _number(columns.get("cputime", ""), "s"),
        "clock": CPU,
        "wall_s": _number(columns.get("walltime", ""), "s"),
        "answer": CLAIMS.get(said.partition("(")[0].lower(), ""),
        "memory": memory / MIB if memory else None,
        "status": status,
        "reason": said if status else "",
    }
    return f"{path}: run {name}", [columns | record]


def _number(text: str, unit: str) -> float | None:
    """Return the number of an amount such as ``0.12s``; None if it is not one."""
    match = re.fullmatch(rf"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*{unit}?\s*", text)
    return float(match[1]) if match else None
