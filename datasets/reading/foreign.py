"""Texts of other programs: collections of OpenSudoku are read, and others have names, by patterns that no list has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape

from sudoku_bench.datasets.reading.blocks import Block, whole
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid
from sudoku_bench.datasets.reading.symbols import NINE, SHAPES, SIZES, parse_grid

OPEN_SUDOKU = re.compile(r"\A\s*(?:<\?xml[^>]*>\s*)?<opensudoku\b", re.IGNORECASE)
_GAME = re.compile(r"<game\b[^<>]*?\bdata=\"([^\"<>]*)\"", re.IGNORECASE)

_KINDS = {
    name: re.compile(pattern, re.MULTILINE | re.IGNORECASE)
    for name, pattern in {
        "an XCSP3 instance": r"\A\s*(?:<\?xml[^>]*>\s*)?<instance\b[^>]*XCSP3",
        "XML or a web page": r"\A\s*<[?!a-z]",
        "a line of HoDoKu's library": r"\A:[0-9a-z-]{4,8}:[^:\n]*:[0-9.+]{81}",
        "LaTeX": r"^[ \t]*\\(?:begin|documentclass|hline)\b",
        "a formula in DIMACS": r"^p cnf \d",
        "MiniZinc": r"\[\||\barray2d\(|^[ \t]*array ?\[|^[ \t]*solve (?:satisfy|minimize|maximize)",
        "program text or settings": r"^[ \t]*(?:#include|#!/|import [\w.{*]|from [\w.]+ import|def \w+\(|class \w+"
        r"|package \w|using \w|array\(|(?:static |const |let |var |int |char |public |u8 )[^.\n]*[=({])"
        r"|^[a-z_][\w :<>\[\]]*=\s*(?:\w+[.(]|new |[\[{(\"'])",
        "facts of Prolog or clingo": r"^[ \t]*[a-z]\w*\((?:\(?\d+\s*,\s*\d+\s*\)?\s*,\s*\d+\s*\)|.*\[_?[\d_]*,)",
        "quoted mail": r"^>",
    }.items()
}
_BLANKS_AND_DIGITS = re.compile(r"[1-9 |]*[1-9][1-9 |]*")
MAX_BARS = 6  # around and between boxes; with more, an empty field is an empty cell
_FRAME = re.compile(r"[-+|= ]*")


def kind_of(text: str) -> str:
    """Return what the beginning of a text seems to be; empty if it may be puzzles."""
    if has_blank_cells(text):
        return "grids with blanks for empty cells"
    return next((name for name, pattern in _KINDS.items() if pattern.search(text)), "")


def has_blank_cells(text: str) -> bool:
    """Return whether all lines consist of digits and blanks, but not of the same number of words."""
    rows = [line for line in text.splitlines()[:40] if not _FRAME.fullmatch(line)]
    words = {len(row.replace("|", " ").split()) for row in rows}
    is_list = bool(rows) and len(rows[0]) in SHAPES and words.isdisjoint((*SIZES, len(rows[0])))
    is_blank = any("  " in row or row.startswith(" ") for row in rows) and (len(words) > 1 or is_list)
    return is_blank and all(row.count("|") <= MAX_BARS and _BLANKS_AND_DIGITS.fullmatch(row) for row in rows)


def read_open_sudoku(blocks: Iterable[Block]) -> Iterator[Entry | BadLine]:
    """Read the clues of each game: 81 digits or, once played, values with notes and 0 if they cannot be edited.

    The *line* of an item is its number among the games.
    """
    for number, game in enumerate(_GAME.finditer(whole(blocks)), start=1):
        text = unescape(game[1]).strip()
        parts = text.rpartition("\n")[2].rstrip("|").split("|")
        if (each := len(parts) // NINE.n_cells) > 1:
            cells = zip(parts[::each], parts[each - 1 :: each], strict=False)
            text = "".join(value[:1] if editable == "0" else "." for value, editable in cells)
        yield parse_grid(Grid(text, number))
