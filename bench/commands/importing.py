"""``sudoku-bench import``: turn results of another tool into a run."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.say.output import plain_console, print_line
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from sudoku_bench.bench.exchange.timing import Imported


MAX_NAMED = 10  # skipped entries of a file that are named


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Turn results of pytest-benchmark (JSON), hyperfine (JSON) or BenchExec (XML, also packed with"
        " bzip2) into a run, which every report reads."
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="file of results; further files hold repeats or other strategies",
    )
    parser.add_argument("--out", metavar="RUN", type=Path, required=True, help="new run folder")
    parser.add_argument(
        "--puzzles", metavar="NAME|PATH", help="collection or file whose puzzles the results name (default: grids)"
    )
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    from sudoku_bench.bench.exchange import imported_run
    from sudoku_bench.bench.say.progress import Progress

    imports, modes = zip(*map(read, options.files), strict=True)
    command = shlex.join(["sudoku-bench", *sys.argv[1:]])
    with Progress(plain_console(stderr=True)) as progress:
        imported_run.write(imports, options.out, options.puzzles, modes[0], command, progress)
        progress.end()
    for imported in imports:
        for reason in imported.skipped[:MAX_NAMED]:
            print(f"note: skipped {reason}", file=sys.stderr)
        if more := len(imported.skipped[MAX_NAMED:]):
            print(f"note: {imported.source.path}: skipped {more} more", file=sys.stderr)
    solves = counted(sum(len(imported.timings) for imported in imports), "solve")
    print_line(f"{options.out}: {solves} imported from {imports[0].source.tool}")
    print_line(f"Report: sudoku-bench report {shlex.quote(str(options.out))}")
    return 0


def read(path: Path) -> tuple[Imported, str]:
    """Read a file of another tool; return its content, and the mode in which the tool measures.

    Raises:
        InputError: it is no file of a known tool, or cannot be used.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    tool, mode = _tool_of(path, head)
    try:
        return tool.read(path), mode
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError):
        raise InputError(f"{path}: was damaged: an entry is of another kind than the tool writes") from None


def _tool_of(path: Path, head: bytes) -> tuple[Any, str]:
    """Return the module that reads the files of the tool, and the mode in which the tool measures."""
    from sudoku_bench.bench.exchange import benchexec, hyperfine, pytest_benchmark
    from sudoku_bench.bench.exchange.timing import json_of

    if benchexec.is_one(head):
        return benchexec, "cold"
    document = json_of(path)
    if pytest_benchmark.is_one(document):
        return pytest_benchmark, "warm"
    if hyperfine.is_one(document):
        return hyperfine, "cold"
    raise InputError(
        f"{path}: is no file of pytest-benchmark (--benchmark-json), hyperfine (--export-json) or BenchExec (XML)"
    )
