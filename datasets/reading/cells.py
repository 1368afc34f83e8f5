"""Split a line of text into the cells of a row or of a whole grid, in the first way that gives so many.

Fields between bars, commas, semicolons or tabs (an empty field is an empty cell); words; characters without borders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from sudoku_bench.datasets.reading.items import joined
from sudoku_bench.datasets.reading.symbols import CERTAINLY_EMPTY, SHAPES, SIZES, UNUSUALLY_EMPTY
from sudoku_bench.datasets.shape import EMPTY, SYMBOLS, Shape

COUNTS = {*SIZES, *SHAPES}

IN_ASCII = dict.fromkeys(range(9472, 9600), "|")  # box drawing: corners and crossings occur in rules or between cells
IN_ASCII |= dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉"), "-")
_SEPARATORS = re.compile(r"[\s|,;]+")
BORDERS = re.compile(r"[\s|+-]")
_BARS = re.compile(r"[\s|]")
_NUMBER = re.compile(r"\d\d?")
_WHOLE = re.compile(r"(\d+)\.0*")  # as pandas and spreadsheets write whole numbers
_EMPTY_FIELD = re.compile(r"[,;\t] *[,;\t]|\| +\|")  # without it, there would be fewer cells


class Cells(NamedTuple):
    """The cells of a line; ``is_row``: bars show that it is not a 4×4 puzzle; ``shape``: what the bars show."""

    texts: Sequence[str]
    shape: Shape | None = None
    is_row: bool = False


def split(line: str) -> Cells | None:
    """Return the cells of a row or of a whole grid; None if the line is neither."""
    for separator in "|,;\t":
        if separator in line and (fields := _fields(line, separator)):
            return Cells(joined(list(map(_cell, fields))), is_row=separator == "|")
    tokens = words(line)
    has_bars, is_numbers = "|" in line, len(tokens) in COUNTS and _are_cells(tokens)
    if _EMPTY_FIELD.search(line):
        text = BORDERS.sub("", line)
        return Cells(text) if has_bars and len(text) in SHAPES else None
    if has_bars and not (is_numbers and max(map(len, tokens)) > 1):
        return _bordered(line)
    if is_numbers:
        widths = [len(words(part)) for part in line.strip("| \t").split("|")]
        shape = _shape_of(widths, len(tokens)) if has_bars and len(tokens) in SIZES else None
        return Cells(joined(list(map(_cell, tokens))), shape, shape is not None)
    text = "".join(tokens)
    is_sentence = len(tokens) > 1 and text.isalpha() and len(text) > len(tokens)
    is_text = len(text) in COUNTS and len({len(token) for token in tokens}) == 1 and _are_cells(text)
    return Cells(text) if is_text and not is_sentence else None


def _bordered(line: str) -> Cells | None:
    """Return the row of characters on a line with bars between its boxes, or the whole grid with rules in it."""
    borders = _BARS if len(_BARS.sub("", line)) in SIZES else BORDERS
    text = borders.sub("", line)
    if len(text) in SIZES and (borders is _BARS or not re.search("[-+]", line)):
        widths = [len(borders.sub("", part)) for part in line.strip("| \t").split("|")]
        return Cells(text, _shape_of(widths, len(text)), True)
    return Cells(text) if len(text) in SHAPES else None


def is_board(word: str) -> bool:
    """Return whether a word holds a whole grid, complete or not."""
    size = isqrt(len(word))
    digits = set(word) & set("123456789")
    return len(word) in SHAPES and bool(digits) and (size > 9 or max(digits) <= str(size)) and _are_cells(word)


def has_empty_cell(board: Sequence[str]) -> bool:
    """Return whether the cells of a board include empty ones: more than the digit 0 or another sign accounts for."""
    size, texts = isqrt(len(board)), board.upper() if isinstance(board, str) else [sign.upper() for sign in board]
    clues = [*(SYMBOLS[:size] if size <= 9 else SYMBOLS), *([] if isinstance(board, str) else map(str, range(10, 37)))]
    return len(board) - sum(map(texts.count, clues)) > (0 if size <= 4 else size - (size <= 9))


def words(line: str) -> list[str]:
    """Split a line at blanks and separators."""
    return [token for token in _SEPARATORS.split(line) if token]


def _fields(line: str, separator: str) -> list[str]:
    """Return the cells of a line with a separator after each; none if it has not."""
    fields = [field.strip() for field in line.split(separator)]
    if separator == "|" and not fields[0] and not fields[-1] and len(fields) - 2 in COUNTS:
        fields = fields[1:-1]
    elif len(fields) - 1 in COUNTS and not fields[-1] and all(fields[:-1]):
        del fields[-1]  # a separator after the last cell; beside empty fields, it could be a cell
    size = len(fields) if len(fields) in SIZES else isqrt(len(fields))
    is_too_large = any(field.isdecimal() and (len(field) > 2 or int(field) > size) for field in fields)
    return fields if len(fields) in COUNTS and _are_cells(fields) and not is_too_large else []


def _cell(text: str) -> str:
    """Return the text of a cell as it is compared: ``5.0`` is 5."""
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _are_cells(texts: Sequence[str]) -> bool:
    """Return whether texts may be the cells of a row or a board."""
    size = len(texts) if len(texts) in SIZES else isqrt(len(texts))
    others = {_cell(text) for text in set(texts)}.difference(EMPTY, CERTAINLY_EMPTY, UNUSUALLY_EMPTY)
    return all(_NUMBER.fullmatch(text) or (size > 9 and len(text) == 1 and text.upper() in SYMBOLS) for text in others)


def _shape_of(widths: list[int], size: int) -> Shape:
    """Return the shape whose boxes have the width between the bars; the usual shape if the bars separate no boxes."""
    width = widths[0]
    return Shape(size // width, width) if {width} == set(widths) and 1 < width < size else Shape.of_size(size)
