"""JSON documents and JSON lines: boards, and objects with a field that holds a board, however deep in lists.

An object of columns, as pandas writes it, is read by its records; the outermost object may consist of named boards.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from sudoku_bench.datasets.files import ADVICE
from sudoku_bench.datasets.reading.blocks import Block, Line
from sudoku_bench.datasets.reading.cells import has_empty_cell
from sudoku_bench.datasets.reading.fields import MAX_DEPTH, columns_of, flat, grid_of, is_whole, puzzle_paths
from sudoku_bench.datasets.reading.items import PUZZLE_KEYS, BadLine, BrokenSource, Entry, Grid, printable_line
from sudoku_bench.datasets.reading.symbols import SIZES, parse_grid, wrong_length
from sudoku_bench.datasets.reading.text_lines import too_long

MAX_DOCUMENT = 1 << 26  # characters; parsing takes ten times the memory
MAX_DIGITS = 300  # of a number, of which Python converts at most 4300 to an integer


def is_complete(line: str) -> bool:
    """Return whether a line is a document by itself, so that each line of its file may be one."""
    try:
        return line.startswith(("{", "[")) and json.loads(line, parse_int=_number) is not None
    except (ValueError, RecursionError):
        return False


def read(blocks: Iterable[Block], path: str | None = None) -> Iterator[Entry | BadLine]:
    """Read one document; the *line* of an item is its number among the puzzles and faults of the document.

    Raises:
        BrokenSource: the document is too large or no JSON, or holds no puzzle.
    """
    texts, length = [], 0
    for _, text in blocks:
        texts.append(text)
        length += len(text)
        if length > MAX_DOCUMENT:
            message = f"a JSON document of more than {MAX_DOCUMENT >> 20} MiB; write a record per line (.jsonl)"
            raise BrokenSource(1, message)
    for number, item in enumerate(_items("".join(texts), 1, path, is_outermost=True), start=1):
        if isinstance(item, BadLine):
            item = BadLine(number, f"record {number}: {item.message}", item.kind)
        yield item if isinstance(item, BadLine) else item._replace(line=number)


def read_lines(lines: Iterable[Line], path: str | None = None) -> Iterator[Entry | BadLine]:
    """Read JSON lines: each line is a separate document, and a fault affects only its own line.

    Raises:
        BrokenSource: the first document holds no puzzle.
    """
    is_first = True
    for number, line in lines:
        if line is None:
            yield too_long(number)
        elif line.strip():
            try:
                yield from _items(line, number, path)
            except BrokenSource as error:
                if is_first and error.message.startswith("no field"):
                    raise
                yield BadLine(number, error.message, "broken record")
            is_first = False


def _items(text: str, line: int, path: str | None, is_outermost: bool = False) -> list[Entry | BadLine]:
    """Return the puzzles and faults of a document that begins at a line."""
    try:
        value = json.loads(text, parse_int=_number)
        found = list(_found(value, path, line, 0 if is_outermost else 1))
    except json.JSONDecodeError as error:
        message = f"no JSON ({error.msg}); correct it, or {ADVICE}"
        raise BrokenSource(line + error.lineno - 1, message) from None
    except RecursionError:
        raise BrokenSource(line, f"JSON nested deeper than {MAX_DEPTH}; write a plain list") from None
    if not found:
        raise BrokenSource(line, _fault(value, path, line).message)
    return found


def _found(value: Any, path: str | None, line: int, depth: int) -> Iterator[Entry | BadLine]:
    """Yield the puzzles in a value, and the faults of values beside them in a list."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(grid := grid_of(value, line), Grid) and is_whole(grid):
        yield parse_grid(grid)
    elif isinstance(value, list):
        each = [list(_found(element, path, line, depth + 1)) for element in value]
        for element, items in zip(value, each, strict=True):
            yield from items or (
                [_fault(element, path, line)] if _is_expected(element) and (depth == 0 or any(each)) else []
            )
    elif isinstance(value, dict):
        records = _records(value)
        yield from _found(records, path, line, depth + 1) if records else _of_object(value, path, line, depth)


def _of_object(value: dict[str, Any], path: str | None, line: int, depth: int) -> Iterator[Entry | BadLine]:
    fields = dict(flat(value))
    boards = {key: grid for key, each in value.items() if isinstance(grid := grid_of(each, line), Grid)}
    if len({each.rpartition(".")[0] for each in puzzle_paths(fields, path)}) == 1:
        yield columns_of(fields, path).entry(fields, line)
        return
    if depth == 0 and boards and all(key in boards and has_empty_cell(boards[key].cells) for key in value):
        yield from (parse_grid(grid, (), printable_line(key)) for key, grid in boards.items())
        return
    inner = [each for key, each in value.items() if isinstance(each, dict | list) and key not in boards]
    nested = [item for each in inner for item in _found(each, path, line, depth + 1)]
    yield from nested
    with contextlib.suppress(ValueError):
        if not nested:
            yield columns_of(fields, path).entry(fields, line)


def _records(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a table that pandas wrote by columns (``orient="columns"`` or ``"split"``)."""
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        return [
            dict(zip(map(str, value["columns"]), row, strict=False)) for row in value["data"] if isinstance(row, list)
        ]
    known = [column for key, column in value.items() if key.lower() in PUZZLE_KEYS and isinstance(column, dict)]
    if known and all(isinstance(column, dict) for column in value.values()) and all(map(str.isdecimal, known[0])):
        return [{key: column.get(row) for key, column in value.items()} for row in known[0]]
    return []


def _is_expected(value: Any) -> bool:
    """Return whether an element of a list of puzzles should be one: an object, a text, a list of numbers or rows."""
    return isinstance(value, dict) or (isinstance(value, str | list) and len(value) >= min(SIZES))


def _fault(value: Any, path: str | None, line: int) -> BadLine:
    """Describe a value that holds no puzzle."""
    if isinstance(value, dict):
        try:
            columns_of(dict(flat(value)), path)
        except ValueError as error:
            return BadLine(line, str(error), "record without a puzzle")
    grid = grid_of(value, line)
    if isinstance(grid, BadLine):
        return grid
    if isinstance(grid, Grid) and isinstance(item := parse_grid(grid), BadLine):
        return item
    if isinstance(value, list) and value and not any(isinstance(each, dict | list) for each in value):
        return wrong_length(len(value), line)
    return BadLine(line, "holds no puzzle: a text, N·N values, or N rows of N values", "record without a puzzle")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) < MAX_DIGITS else float(digits)
