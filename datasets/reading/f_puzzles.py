"""Puzzles of f-puzzles: the JSON document of a puzzle, or a link that holds it, one per line.

Diagonals, disjoint groups, extra and irregular regions and given pencilmarks make boards of a layout. A puzzle with
further rules, or drawings that stand for rules, is a fault: without them it would be another one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from sudoku_bench.datasets.layouts import JIGSAW, LETTERS, UNIT
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.blocks import Line
from sudoku_bench.datasets.reading.cells import has_empty_cell
from sudoku_bench.datasets.reading.fields import grid_of
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid, facts_of, joined, printable_line
from sudoku_bench.datasets.reading.lz_string import decompress
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES, parse_grid
from sudoku_bench.datasets.reading.text_lines import too_long
from sudoku_bench.datasets.shape import Shape

_LINK = re.compile(r"(?:https?://\S*?[?&]load=|fpuzzles?)?(?P<data>N4Ig[A-Za-z0-9+/%]{8,}=*)(?:&\S*)?")
_DOCUMENT = re.compile(r"\{\s*\"size\"\s*:\s*\d+\s*,.*\"grid\"\s*:\s*\[\s*\[\s*\{")
_CELL = re.compile(r"R(\d{1,2})C(\d{1,2})")
KNOWN = {  # keys that change nothing about the rules, or are read
    *("size", "title", "author", "ruleset", "grid", "solution"),
    *("diagonal+", "diagonal-", "disjointgroups", "extraregion"),  # layouts
    *("highlightConflicts", "successMessage", "metadata", "disabledlogic", "truecandidatesoptions"),
}


def is_start(first: str, _second: str) -> bool:
    """Return whether a source that begins with these lines holds puzzles of f-puzzles."""
    return _LINK.fullmatch(first) is not None or _DOCUMENT.match(first) is not None


def read(lines: Iterable[Line]) -> Iterator[Entry | BadLine]:
    """Read a puzzle from each line; blank lines and comments (``#``) are skipped."""
    for number, line in lines:
        if line is None:
            yield too_long(number)
        elif (text := line.strip()) and not text.startswith("#"):
            yield _entry(text, number)


def _entry(text: str, line: int) -> Entry | BadLine:
    link = _LINK.fullmatch(text)
    try:
        document = json.loads(decompress(unquote(link["data"])) if link else text)
        size, rows = document["size"], document["grid"]
        cells = [cell for row in rows for cell in row]
        if size not in SIZES or [len(row) for row in rows] != [size] * size:
            return BadLine(line, f"no board of one of the sizes {', '.join(map(str, SIZES))}", "not a puzzle")
        variant = ", ".join([printable_line(key) for key, value in document.items() if key not in KNOWN and value][:5])
        layout = _layout(document, cells, SHAPES[size**2])
        marks = [cell.get("givenPencilMarks") for cell in cells]
        clues = [str(int(cell["value"])) if cell.get("given") else "." for cell in cells]
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return BadLine(line, "no link or document of f-puzzles; copy it again", "damaged document")
    if variant:
        return BadLine(line, f"rules that are not supported ({variant}); leave it out", "variant of Sudoku")
    facts = facts_of((key, str(document[key])) for key in ("author", "ruleset") if document.get(key))
    name = printable_line(str(document.get("title") or ""))
    solution = grid_of(document.get("solution"))
    solved = solution.cells if isinstance(solution, Grid) and not has_empty_cell(solution.cells) else ()
    item = parse_grid(Grid(joined(clues), line), solved, name, facts)
    if isinstance(item, BadLine) or not (layout or any(marks)):
        return item
    try:
        puzzle = item.puzzle.on(Shape.of_size(size, layout))
        if any(marks):
            digits = {*range(1, size + 1)}
            masks = [sum(1 << v - 1 for v in digits & {*map(int, given)}) if given else -1 for given in marks]
            both = [mask & other for mask, other in zip(masks, puzzle.board.candidates, strict=True)]
            puzzle = Puzzle.of_candidates(puzzle.shape, both)
        return item._replace(puzzle=puzzle)
    except (ValueError, TypeError, OverflowError) as error:
        return BadLine(line, str(error), "not a puzzle")


def _layout(document: dict[str, Any], cells: list[dict[str, Any]], shape: Shape) -> str:
    """Return the layout of a document; empty for ordinary boards."""
    n, words = shape.size, []
    boxes = [shape.box_of(*divmod(cell, n)) for cell in range(shape.n_cells)]
    regions = [box if cell.get("region") is None else cell["region"] for cell, box in zip(cells, boxes, strict=True)]
    if regions != boxes:
        words.append(JIGSAW + "".join(LETTERS[region] for region in regions))
    falling, rising = document.get("diagonal-"), document.get("diagonal+")
    if falling and rising:
        words.append("x")
    elif falling or rising:
        diagonal = range(0, n * n, n + 1) if falling else range(n - 1, n * n - 1, n - 1)
        words.append(UNIT + ",".join(map(str, diagonal)))
    if document.get("disjointgroups"):
        words.append("disjoint")
    for extra in document.get("extraregion") or ():
        places = [_CELL.fullmatch(cell) for cell in extra["cells"]]
        numbers = [(int(place[1]) - 1) * n + int(place[2]) - 1 for place in places if place]
        words.append(UNIT + ",".join(map(str, numbers)))
    return "+".join(words)
