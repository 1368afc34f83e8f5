"""``sudoku-bench import``: turn results of another tool into a run."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_bench.bench.plan.suite import COLD, WARM
from sudoku_bench.bench.run.foreign import timing
from sudoku_bench.bench.say.output import plain_console, print_line
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from sudoku_bench.bench.run.foreign.timing import Imported


MAX_NAMED = 10  # skipped entries of a file that are named


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Turn a table of times (CSV), or results of pytest-benchmark (JSON), hyperfine (JSON) or BenchExec (XML, also"
        " packed with bzip2), into a run, which every report reads."
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
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="KEY=NAME",
        help=f"what the file calls a column of a table, or a parameter: {', '.join(timing.COLUMNS)}; repeatable",
    )
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    from sudoku_bench.bench.run.foreign import imported_run
    from sudoku_bench.bench.say.progress import Progress

    names = names_of(options.column)
    imports, modes = zip(*(read(path, names) for path in options.files), strict=True)
    command = shlex.join(["sudoku-bench", *sys.argv[1:]])
    with Progress(plain_console(stderr=True)) as progress:
        counts = imported_run.write(imports, options.out, options.puzzles, modes[0], command, progress)
        progress.end()
    for imported in imports:
        for reason in imported.skipped[:MAX_NAMED]:
            print(f"note: skipped {reason}", file=sys.stderr)
        if more := len(imported.skipped[MAX_NAMED:]):
            print(f"note: {imported.source.path}: skipped {more} more", file=sys.stderr)
    texts = ", ".join(f"{number} {status.replace('_', ' ')}" for status, number in counts.most_common())
    print_line(f"{options.out}: {counted(counts.total(), 'measurement')} from {imports[0].source.tool}: {texts}")
    print_line(f"Report: sudoku-bench report {shlex.quote(str(options.out))}")
    return 0


def names_of(texts: Sequence[str]) -> dict[str, str]:
    """Return what columns are called in the files, by the names that they have here.

    Raises:
        InputError: a text is not of the form KEY=NAME, or there is no such column.
    """
    names = dict[str, str]()
    for text in texts:
        key, _, name = text.partition("=")
        if key not in timing.COLUMNS or not name or key in names:
            raise InputError(f"--column {text}: write it as KEY=NAME with one of {', '.join(timing.COLUMNS)}, once")
        names[key] = name
    return names


def read(path: Path, names: Mapping[str, str] = MappingProxyType({})) -> tuple[Imported, str]:
    """Read a table or a file of another tool; return its content, and the mode in which the tool measures.

    Raises:
        InputError: it is no file of a known tool, or cannot be used.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    try:
        return _read(path, head, names)
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError):
        raise InputError(f"{path}: was damaged: an entry is of another kind than the tool writes") from None


def _read(path: Path, head: bytes, names: Mapping[str, str]) -> tuple[Imported, str]:
    from sudoku_bench.bench.run.foreign import benchexec, hyperfine, pytest_benchmark

    if benchexec.is_one(head):
        return benchexec.read(path, names), COLD
    if head.lstrip()[:1] not in (b"{", b"["):
        return timing.read_table(path, names), WARM
    document = timing.json_of(path)
    if pytest_benchmark.is_one(document):
        return pytest_benchmark.read(path, document, names), WARM
    if hyperfine.is_one(document):
        return hyperfine.read(path, document, names), COLD
    tool = "Google Benchmark" if "context" in document else "pyperf"
    what = f"seems to be of {tool}, which is not read" if "benchmarks" in document else "is of no known tool"
    raise InputError(
        f"{path}: {what}: give pytest-benchmark (--benchmark-json), hyperfine (--export-json), BenchExec (XML), or a"
        f" table with the columns {', '.join(timing.NEEDED)}"
    )
