"""Puzzles and strategies that a script has at hand, as files that plans and workers read.

They last as long as the script, and the same puzzles are the same file, so that an interrupted run can be resumed.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np

from sudoku_bench.bench.say.compiling import tell_compiling
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError, require_linux
from sudoku_bench.datasets.making.written import heading, line_of
from sudoku_bench.datasets.naming import counted
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading import reader
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import Strategy

# Every function that does work imports this module.
require_linux()
tell_compiling()

PLUGIN = """import base64

import cloudpickle

from sudoku_bench import register

register(cloudpickle.loads(base64.b64decode({!r})))
"""


def listed(given: Any) -> list[Any]:
    """Return what is given as a list: a text, a path, a class, a grid, an array or a frame is one thing."""
    is_one = isinstance(given, str | Path | type | Mapping) or hasattr(given, "shape")
    several = isinstance(given, Iterable) and not is_one
    return list(given) if several and not _cells(given) else [given]


@contextlib.contextmanager
def in_own_words() -> Iterator[None]:
    """Say what is wrong with a data frame by its rows, not by the file that it is written into."""
    try:
        yield
    except InputError as error:
        text = re.sub(rf"{re.escape(_folder().name)}/\w+/(frame|grids)(\d*)\.\w+", r"data \1\2", str(error))
        if text != str(error):
            text = re.sub(r"^(data \w+):(?=\d)", r"\1, row ", text).replace("write one per line", "give at least one")
            text = re.sub(r"name (it \(|one: )FILE::FIELD.*", "call the column of puzzles puzzle, and write text", text)
        raise InputError(text) from None


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="sudoku-bench-")


def _written(name: str, text: str) -> str:
    """Write a file and return its path."""
    path = Path(_folder().name) / hashlib.sha256(text.encode()).hexdigest() / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def datasets(given: Any) -> list[str]:
    """Return names and paths of puzzles; grids and frames are written into files.

    Raises:
        InputError: something is neither a name, a path, a grid, a list of grids, nor a data frame.
    """
    names, grids = list[str](), dict[Shape | None, list[str]]()
    for item in listed(given):
        if is_table(item):
            frame = item.to_frame("puzzle") if item.ndim == 1 else item
            records = frame.to_json(orient="records", lines=True)  # which, unlike CSV, keeps boards that are lists
            names.append(_written(f"frame{len(names) or ''}.jsonl", records))
        elif isinstance(item, Path) or (isinstance(item, str) and not _is_grid(item)):
            names.append(str(item))
        else:
            for puzzle in puzzles(item):
                usual = puzzle.shape == Shape.of_size(puzzle.shape.size)
                grids.setdefault(None if usual else puzzle.shape, []).append(line_of(puzzle))
    for number, (shape, texts) in enumerate(grids.items()):
        names.append(_written(f"grids{number or ''}.txt", (heading(shape) if shape else "") + "".join(texts)))
    return names


def puzzles(item: Any) -> list[Puzzle]:
    """Return the puzzles of a grid (text, N rows of N numbers, N·N numbers; 0 is an empty cell) or of a list of grids.

    Raises:
        InputError: there is something else.
    """
    if isinstance(item, str):
        return [reader.parse(item)]
    if isinstance(item, Puzzle):
        return [item]
    cells = _cells(item)
    if cells:
        try:
            return [Puzzle(Shape.of_size(round(len(cells) ** 0.5)), cells)]
        except ValueError as error:
            raise InputError(f"{counted(len(cells), 'number is', 'numbers are')} no grid: {error}") from None
    if (isinstance(item, Sequence) or np.ndim(item)) and not hasattr(item, "columns"):
        return [puzzle for each in item for puzzle in puzzles(each)]
    advice = "give text, N rows of N numbers, or a list of these"
    if isinstance(item, Mapping):
        advice = "give the puzzle in it, or pandas.DataFrame(...) of all"
    raise InputError(f"{type(item).__name__} is no grid; {advice}")


def is_table(item: Any) -> bool:
    """Return whether something is a data frame or a series of puzzles, not a grid."""
    cells = _cells(item) if hasattr(item, "to_json") else ()
    return hasattr(item, "to_json") and not (len(cells) >= 16 and max(cells) < 1000)  # puzzles as numbers are larger


def _cells(item: Any) -> tuple[int, ...]:
    """Return the numbers of one grid; empty if it is none, or several."""
    try:
        cells = np.asarray(item)
    except ValueError:  # grids of several kinds or sizes
        return ()
    if cells.dtype.kind not in "iuf" or not (cells.ndim == 1 or (cells.ndim == 2 and len(set(cells.shape)) == 1)):
        return ()
    return tuple(map(int, np.nan_to_num(cells.ravel())))


def strategies(given: Any) -> tuple[list[str], list[str]]:
    """Return patterns, and plug-in files that are written for the classes among them.

    Raises:
        InputError: a class is no strategy, or cannot be sent to another process.
    """
    patterns, files = list[str](), list[str]()
    for item in listed(given):
        if isinstance(item, str):
            patterns.append(item)
            continue
        if not (isinstance(item, type) and issubclass(item, Strategy) and hasattr(item, "name")):
            raise InputError(
                f"{item!r} is no strategy; give a pattern, or a subclass of sudoku_bench.Strategy with a name"
            )
        patterns.append(item.name)
        plugin = PLUGIN.format(base64.b64encode(_pickled(item)).decode())
        files.append(_written(f"class_of_script{len(files) or ''}.py", plugin))
    return patterns, files


def _pickled(strategy: type[Strategy]) -> bytes:
    """Return a class with what it uses of its module, which a worker may not be able to import."""
    module = sys.modules.get(strategy.__module__)
    by_value = module is not None and strategy.__module__.partition(".")[0] not in (
        "__main__",
        "builtins",
        "sudoku_bench",
    )
    try:
        if by_value:
            cloudpickle.register_pickle_by_value(module)
        return bytes(cloudpickle.dumps(strategy))
    except Exception as error:  # whatever the class refers to
        raise InputError(
            f"{strategy.__name__} cannot be sent to a worker: {error}; write it into a file (plugins)"
        ) from None
    finally:
        if by_value:
            cloudpickle.unregister_pickle_by_value(module)


def _is_grid(text: str) -> bool:
    if text in catalogue.entries() or len(text) < 16:
        return False
    try:
        return bool(reader.parse(text))
    except InputError:
        return False
