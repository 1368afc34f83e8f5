"""Puzzles of f-puzzles: the JSON document of a puzzle, or a link that holds it, one per line.

Only plain puzzles are read. The document also describes variants, by other rules and by drawings that stand for rules;
such a puzzle is a fault, because without them it would be another one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from datasets.reading.blocks import Line
from datasets.reading.items import BadLine, Entry, Grid, facts_of, joined, printable_line
from datasets.reading.lz_string import decompress
from datasets.reading.symbols import SHAPES, SIZES, parse_grid
from datasets.reading.text_lines import too_long

_LINK = re.compile(r"(?:https?://\S*?[?&]load=|fpuzzles?)?(?P<data>N4Ig[A-Za-z0-9+/%]{8,}=*)(?:&\S*)?")
_DOCUMENT = re.compile(r"\{\s*\"size\"\s*:\s*\d+\s*,.*\"grid\"\s*:\s*\[\s*\[\s*\{")
PLAIN = {  # keys that change nothing about the rules
    *("size", "title", "author", "ruleset", "grid", "solution"),
    *("highlightConflicts", "successMessage", "metadata", "disabledlogic", "truecandidatesoptions"),
}


def is_start(line: str) -> bool:
    """Return whether a source that begins with this line holds puzzles of f-puzzles."""
    return _LINK.fullmatch(line) is not None or _DOCUMENT.match(line) is not None


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
        variant = _variant(document, cells)
        clues = [str(int(cell["value"])) if cell.get("given") else "." for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return BadLine(line, "no link or document of f-puzzles; copy it again", "damaged document")
    if variant:
        return BadLine(line, f"not a plain Sudoku ({variant}); leave it out", "variant of Sudoku")
    facts = facts_of((key, str(document[key])) for key in ("author", "ruleset") if document.get(key))
    name = printable_line(str(document.get("title") or ""))
    return parse_grid(Grid(joined(clues), line), _solution(document, len(cells)), name, facts)


def _variant(document: dict[str, Any], cells: list[dict[str, Any]]) -> str:
    """Return what makes a puzzle a variant, as text; empty for a plain one."""
    others = [printable_line(key) for key, value in document.items() if key not in PLAIN and value]
    shape = SHAPES[len(cells)]
    regions = [(cell.get("region"), shape.box_of(*divmod(k, shape.size))) for k, cell in enumerate(cells)]
    if any(region not in (None, box) for region, box in regions):
        others.append("irregular regions")
    return ", ".join(others[:5])


def _solution(document: dict[str, Any], n_cells: int) -> str | list[str]:
    """Return the solution of a document; empty if it has none that is complete."""
    solution = document.get("solution")
    if not isinstance(solution, list) or len(solution) != n_cells or not all(str(v).isdecimal() for v in solution):
        return ""
    return joined(list(map(str, solution)))
