"""Names for texts that hold puzzles in a form that is not read, by the patterns that no text of puzzles has."""

from __future__ import annotations

import re

from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES

_KINDS = {
    name: re.compile(pattern, re.MULTILINE | re.IGNORECASE)
    for name, pattern in {
        "a collection of OpenSudoku": r"\A\s*(?:<\?xml[^>]*>\s*)?<opensudoku\b",
        "an XCSP3 instance": r"\A\s*(?:<\?xml[^>]*>\s*)?<instance\b[^>]*XCSP3",
        "XML or a web page": r"\A\s*<[?!a-z]",
        "a line of HoDoKu's library": r"\A:[0-9a-z-]{4,8}:[^:\n]*:[0-9.+]{81}",
        "LaTeX": r"^\s*\\(?:begin|documentclass|hline)\b",
        "a formula in DIMACS": r"^p cnf \d",
        "MiniZinc": r"\[\||\barray2d\(|^\s*array ?\[|^\s*solve (?:satisfy|minimize|maximize)",
        "program text or settings": r"^\s*(?:#include|#!/|import [\w.{*]|from [\w.]+ import|def \w+\(|class \w+"
        r"|package \w|using \w|array\(|(?:static |const |let |var |int |char |public |u8 )[^.]*[=({])"
        r"|^[a-z_][\w :<>\[\]]*=\s*(?:\w+[.(]|new |[\[{(\"'])",
        "facts of Prolog or clingo": r"^\s*[a-z]\w*\((?:\(?\d+\s*,\s*\d+\s*\)?\s*,\s*\d+\s*\)|.*\[_?[\d_]*,)",
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
