"""Split a line of text into cells: those of a row, or of a whole grid.

A line is split in the first way that gives as many cells as a row or a board has:

1. fields between one kind of separator: bars, ``&``, commas, semicolons or tabs. An empty field is an empty cell.
2. words between blanks and separators.
3. characters, without borders, separators and blanks.

Otherwise it is split again without its label, such as the number of the row, and without what a program has around
cells: an assignment, a call, brackets and quotes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from math import isqrt
from typing import NamedTuple

from sudoku_bench.datasets.reading.items import BadLine, Entry, joined
from sudoku_bench.datasets.reading.symbols import CERTAINLY_EMPTY, SHAPES, SIZES
from sudoku_bench.datasets.shape import EMPTY, SYMBOLS, Shape

NULLS = frozenset({"null", "None", "nan", "NaN", "NA", "NULL", "False", "false"})

LABELLED = 12  # fields of a row with a label and 9 cells between bars
_BOX_DRAWING = dict.fromkeys(range(9472, 9600), "|")  # corners and crossings occur in rules or between cells
_BOX_DRAWING |= dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉"), "-")
_FIELD_SEPARATORS = "|&,;\t"
_WORD_END = re.compile(r"[\s,;#]")
_SEPARATORS = re.compile(r"[\s|,;&]+")
_BORDERS = re.compile(r"[\s|+\-\"'()]")
_BARS = re.compile(r"[\s|\"'()]")
_INNER_RULES = re.compile(r"[-+]")  # a line with rules in it is a whole grid (16 cells could be either)
_NUMBER = re.compile(r"-1|\d\d?")
_WHOLE = re.compile(r"(\d+)\.0*")  # as pandas and spreadsheets write whole numbers
_WIDE_SIGN = re.compile(r"^([^0-9A-Za-z])\1$")
_NO_CELLS = re.compile(r"[^0-9A-Za-z.*_?·-]+")
_ASSIGNMENT = re.compile(r"^[^=]*[\w\])>]\s*:?=\s*(?:new\b)?(?=.*[\[({\"'])")
_CALL = re.compile(r"^\s*(?:[A-Za-z_][\w.:!]*\s*(?:<[^>]*>)?\s*)?(?:\[[\d, ]*\]\s*)*(?=[\[({])")
_AFTER = re.compile(r"(?<=[\]})\"'])\s*,?\s*(?:[A-Za-z_]\w*\s*=.*|//.*|#.*|/\*.*)$|\\n|\\\\.*$|\\hline")
_DRESS = str.maketrans("[](){}\"'+", " " * 9)
_LABEL = re.compile(r"(?:\|\s*)?((?:row ?|[rR])?\d{1,2}|[A-Za-z]|)[:.)]?(?:\s*[|,;\t]|\s+)")
_EMPTY_FIELD = re.compile(r"[,;\t] *[,;\t]|\| +\|")  # without it, there would be fewer cells


class Row(NamedTuple):
    """A row of a grid; ``is_row``: borders show that it is not a 4×4 puzzle."""

    cells: Sequence[str]
    shape: Shape | None = None
    is_row: bool = False


def cell(text: str) -> str:
    """Return the text of a cell as it is compared: ``5.0`` is 5, and a null value is an empty text."""
    if len(text) < 2:
        return text
    if text in NULLS:
        return ""
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def row(line: str, position: int = 0, is_after_heading: bool = False) -> Row | None:
    """Return the row of a grid on a line; None if the line is not a row.

    Args:
        position: number of the rows before it in its grid, which a label must agree with.
        is_after_heading: the first of these rows may be the heading of the columns.
    """
    if found := _row(line):
        return found
    if line.startswith("\\") and "&" not in line:
        return None  # a command of LaTeX
    label = _LABEL.match(line)
    if label and _is_label(label[1], position, is_after_heading):
        rest = line[label.end() :]
        found = _row(rest.removesuffix("|") if line.startswith("|") else rest)
        if found and (label[1] or counts_up(found.cells)):
            return found
    return _row(bare) if (bare := _undressed(line)) else None


def grid(line: str) -> Sequence[str] | None:
    """Return the cells of a whole grid on a line; None if the line holds none."""
    for text in filter(None, (line, _undressed(line))):
        if (fields := _fields(text, SHAPES)) and len(fields) > 16:
            return joined(fields)
        tokens = words(text)
        if len(tokens) in SHAPES and _are_cells(tokens, isqrt(len(tokens))):
            return joined(list(map(cell, tokens)))
        if len({len(token) for token in tokens}) == 1 and sum(map(len, tokens)) in SHAPES:
            return "".join(tokens)
    return None


def boards(line: str) -> list[str]:
    """Return the words of a line that are whole boards."""
    return [word for word in _NO_CELLS.split(line) if len(word) in SHAPES and _is_board(word)]


def has_empty_cell(board: str) -> bool:
    """Return whether a word that is a board has empty cells, as many as it has rows or more."""
    size = isqrt(len(board))
    clues = set(SYMBOLS[:size]) if size <= 9 else set(SYMBOLS)
    return sum(sign not in clues for sign in board.upper()) > (0 if size <= 4 else size - (size <= 9))


def in_ascii(line: str) -> str:
    """Return a line with bars and hyphens in place of box-drawing characters."""
    return line if line.isascii() else line.translate(_BOX_DRAWING)


def words(line: str) -> list[str]:
    """Split a line at blanks and separators; an empty cell may be as wide as a number of two digits (``--``)."""
    tokens = [token for token in _SEPARATORS.split(line) if token]
    return [_WIDE_SIGN.sub(r"\1", token) for token in tokens] if len(tokens) > 9 else tokens


def has_text_after_board(line: str) -> bool:
    """Return whether a line begins with a whole board, so that bars after it belong to other text."""
    word = _WORD_END.split(line, maxsplit=1)[0]
    return len(word) in SHAPES and "|" not in word


def without_borders(line: str) -> str:
    return _BORDERS.sub("", line)


def counts_up(cells: Sequence[str]) -> bool:
    """Return whether the cells are 0, 1, 2, ... or 1, 2, 3, ..., as the numbers of columns are."""
    texts = list(cells)
    return texts in ([str(n) for n in range(len(texts))], [str(n) for n in range(1, len(texts) + 1)])


def is_heading(line: str) -> bool:
    """Return whether a line names the columns of a grid, with a field for each."""
    for separator in _FIELD_SEPARATORS:
        fields = [field.strip() for field in line.split(separator)]
        named = fields[1:] if len(fields) - 1 in (*SIZES, 81) else fields
        if len(named) in (*SIZES, 81) and len(set(named)) == len(named):
            return counts_up(named) or all(any(map(str.isalpha, name)) for name in named)
    return False


def _row(line: str) -> Row | None:
    if fields := _fields(line, SIZES):
        return Row(joined(fields), is_row="|" in line)
    if _EMPTY_FIELD.search(line):
        return None
    tokens = words(line)
    is_numbers = len(tokens) in SIZES and _are_cells(tokens, len(tokens))
    if "|" in line and not has_text_after_board(line):
        return _bordered(line, tokens, is_numbers)
    if is_numbers:
        return Row(joined(list(map(cell, tokens))))
    cells = "".join(tokens)
    if len(cells) not in SIZES or len({len(token) for token in tokens}) > 1 or not _are_cells(cells, len(cells)):
        return None
    is_sentence = len(tokens) > 1 and cells.isalpha() and len(cells) > len(tokens)
    return None if is_sentence else Row(cells)


def _bordered(line: str, tokens: list[str], is_numbers: bool) -> Row | None:
    """Return the row on a line with bars between its boxes."""
    if is_numbers and max(map(len, tokens)) > 1:
        widths = [len(words(part)) for part in _parts(line)]
        return Row(list(map(cell, tokens)), _shape_of_row(widths, len(tokens)), is_row=True)
    borders = _BARS if len(_BARS.sub("", line)) in SIZES else _BORDERS
    cells = borders.sub("", line)
    if len(cells) not in SIZES or (borders is _BORDERS and _INNER_RULES.search(line)):
        return None
    widths = [len(borders.sub("", part)) for part in _parts(line)]
    return Row(cells, _shape_of_row(widths, len(cells)), is_row=True)


def _fields(line: str, numbers: Collection[int]) -> list[str]:
    """Return the cells of a line with a separator after each, one of these numbers of them; none if it has not."""
    for separator in _FIELD_SEPARATORS:
        if separator in line:
            fields = [field.strip() for field in line.split(separator)]
            has_outer_bars = separator == "|" and not fields[0] and fields[-1] in ("", ".")
            if has_outer_bars and (len(fields) - 2 in numbers or len(fields) == LABELLED):
                fields = fields[1:-1]
            elif len(fields) - 1 in numbers and not fields[-1] and all(fields[:-1]):
                del fields[-1]  # a separator after the last cell; beside empty fields, it could be a cell
            size = len(fields) if numbers is SIZES else isqrt(len(fields))
            if len(fields) in numbers and _are_cells(fields, size, is_empty_allowed=True):
                return list(map(cell, fields))
    return []


def _are_cells(texts: Sequence[str], size: int, is_empty_allowed: bool = False) -> bool:
    """Return whether texts may be the cells of a board: its digits, and one sign for empty cells beyond the usual."""
    different = set(texts)
    if is_empty_allowed:
        if any(text.isdecimal() and int(text) > size for text in different):
            return False
    elif "" in different:
        return False
    others = {cell(text) for text in different if not _NUMBER.fullmatch(text)}.difference(EMPTY, CERTAINLY_EMPTY)
    others = {other for other in others if not _NUMBER.fullmatch(other)}
    if size > 9:
        others -= {other for other in others if other.upper() in SYMBOLS}
    return len(others) <= 1 and all(len(other) == 1 for other in others)


def _is_board(word: str) -> bool:
    size = isqrt(len(word))
    digits = set(word) & set("123456789")
    return bool(digits) and (size > 9 or max(digits) <= str(size)) and _are_cells(word, size)


def _is_label(text: str, position: int, is_after_heading: bool) -> bool:
    """Return whether a text is the label of the row at a position, counted from 0 or 1 or in letters."""
    positions = (position, position - 1) if is_after_heading else (position,)
    number = re.sub(r"\D", "", text) or text.lower()
    return not text or any(number in (str(p), str(p + 1), chr(ord("a") + p)) for p in positions)


def _undressed(line: str) -> str:
    """Return a line of a program without what surrounds cells; empty if there is nothing of that kind."""
    if not any(sign in line for sign in "[({\"'\\=+"):
        return ""
    bare = _CALL.sub("", _ASSIGNMENT.sub("", line.rstrip("\\ ")))
    return _AFTER.sub("", bare).translate(_DRESS).strip(" ;,")


def _parts(line: str) -> list[str]:
    return line.strip("| \t\"'(),").split("|")


def _shape_of_row(widths: list[int], size: int) -> Shape:
    """Return the shape whose boxes have the width between the bars; the usual shape if the bars separate no boxes."""
    width = widths[0]
    return Shape(size // width, width) if {width} == set(widths) and 1 < width < size else Shape.of_size(size)


def advised(item: Entry | BadLine, text: str) -> Entry | BadLine:
    """Return an item, or if its text is no puzzle for a known reason, the fault that says so."""
    if isinstance(item, Entry):
        return item
    tokens = words(text)
    if re.search(r"\d(?:\.\d+)?[eE]\+\d", text):
        message = "a number, which has lost digits and leading zeros; write the puzzle as text"
    elif len(tokens) in SIZES and all(map(str.isdecimal, tokens)):
        message = "cells hold candidates; write only the clues"
    elif any(70 <= len(token) <= 80 and token.isdecimal() for token in tokens):
        message = f"{item.message}; leading zeros may be lost, so write it as text"
    else:
        return item
    return BadLine(item.line, message, item.kind)
