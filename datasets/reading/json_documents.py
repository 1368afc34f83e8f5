"""JSON documents and JSON lines: boards, and objects with a field that holds a board, however deep in lists.

An object of columns, as pandas writes it, is read by its records; the outermost object may consist of named boards.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from sudoku_bench.datasets.files import ADVICE
from sudoku_bench.datasets.reading import fields as record
from sudoku_bench.datasets.reading.blocks import Block, Line, whole
from sudoku_bench.datasets.reading.cells import has_empty_cell
from sudoku_bench.datasets.reading.items import PUZZLE_KEYS, BadLine, BrokenSource, Entry, Grid, printable_line
from sudoku_bench.datasets.reading.symbols import SIZES, parse_grid, wrong_length
from sudoku_bench.datasets.reading.text_lines import too_long


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
    text = whole(blocks)
    for number, item in enumerate(_items(text, 1, path, depth=0), start=1):
        if isinstance(item, BadLine):
            yield BadLine(number, f"record {number}: {item.message}", item.kind)
        else:
            yield item._replace(line=number)


def read_lines(lines: Iterable[Line], path: str | None = None) -> Iterator[Entry | BadLine]:
    """Read JSON lines: each line is a separate document, and a fault affects only its own line.

    Raises:
        BrokenSource: the first document holds no puzzle.
    """
    any_record = False
    for number, line in lines:
        if line is None:
            yield too_long(number)
        elif line.strip():
            try:
                yield from _items(line, number, path, depth=1)
            except BrokenSource as error:
                if not any_record and error.message.startswith("no field"):
                    raise
                yield BadLine(number, error.message, "broken record")
            any_record = True


def _items(text: str, line: int, path: str | None, depth: int) -> list[Entry | BadLine]:
    """Return the puzzles and faults of a document that begins at a line."""
    try:
        value = json.loads(text, parse_int=_number)
        found = list(_found(value, path, line, depth))
    except json.JSONDecodeError as error:
        message = f"no JSON ({error.msg}); correct it, or {ADVICE}"
        raise BrokenSource(line + error.lineno - 1, message) from None
    except RecursionError:
        raise BrokenSource(line, f"JSON nested deeper than {record.MAX_DEPTH}; write a plain list") from None
    if not found:
        raise BrokenSource(line, _fault(value, path, line).message)
    return found


def _found(value: Any, path: str | None, line: int, depth: int) -> Iterator[Entry | BadLine]:
    """Yield the puzzles in a value, and the faults of values beside them in a list."""
    if depth > record.MAX_DEPTH:
        raise RecursionError
    if isinstance(grid := record.grid_of(value, line), Grid):
        yield parse_grid(grid)
    elif isinstance(value, list):
        each = [list(_found(element, path, line, depth + 1)) for element in value]
        is_list = depth == 0 or any(each)
        for element, items in zip(value, each, strict=True):
            is_expected = isinstance(element, dict) or (isinstance(element, str | list) and len(element) >= min(SIZES))
            yield from items or ([_fault(element, path, line)] if is_list and is_expected else ())
    elif isinstance(value, dict):
        records = _records(value)
        yield from _found(records, path, line, depth + 1) if records else _of_object(value, path, line, depth)


def _of_object(value: dict[str, Any], path: str | None, line: int, depth: int) -> Iterator[Entry | BadLine]:
    if fault := record.variant(value, line):
        yield fault
        return
    fields = dict(record.flat(value))
    boards = {key: grid for key, each in value.items() if isinstance(grid := record.grid_of(each, line), Grid)}
    inner = [each for each in value.values() if isinstance(each, dict)]
    has_records = sum(record.holds_puzzle(dict(record.flat(each))) for each in inner) > 1
    parents = {each.rpartition(".")[0] for each in record.puzzle_paths(fields, path)}
    if len(parents) == 1 and ("" in parents or not has_records):
        yield record.columns_of(fields, path).entry(fields, line)
        return
    if depth == 0 and boards and all(key in boards and has_empty_cell(boards[key].cells) for key in value):
        yield from (parse_grid(grid, (), printable_line(key)) for key, grid in boards.items())
        return
    others = [each for key, each in value.items() if isinstance(each, dict | list) and key not in boards]
    nested = [item for each in others for item in _found(each, path, line, depth + 1)]
    yield from nested
    with contextlib.suppress(ValueError):
        if not nested:
            yield record.columns_of(fields, path).entry(fields, line)


def _records(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a table that pandas wrote by columns (``orient="columns"`` or ``"split"``)."""
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        columns = list(map(str, value["columns"]))
        return [dict(zip(columns, row, strict=False)) for row in value["data"] if isinstance(row, list)]
    known = [column for key, column in value.items() if key.lower() in PUZZLE_KEYS and isinstance(column, dict)]
    if known and all(isinstance(column, dict) for column in value.values()) and all(map(str.isdecimal, known[0])):
        return [{key: column.get(row) for key, column in value.items()} for row in known[0]]
    return []


def _fault(value: Any, path: str | None, line: int) -> BadLine:
    """Describe a value that holds no puzzle."""
    if isinstance(value, dict):
        try:
            record.columns_of(dict(record.flat(value)), path)
        except ValueError as error:
            return BadLine(line, str(error), "record without a puzzle")
    grid = record.grid_of(value, line)
    if isinstance(grid, BadLine):
        return grid
    if isinstance(value, list) and value and not any(isinstance(each, dict | list) for each in value):
        return wrong_length(len(value), line)
    return BadLine(line, "holds no puzzle: a text, N·N values, or N rows of N values", "record without a puzzle")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) < 300 else float(digits)  # Python converts at most 4300 to an integer
