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
from datasets.reading.symbols import SHAPES, SIZES, parse_grid
from datasets.reading.text_lines import too_long

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
NEW_8, NEW_16, END = range(3)
WIDTHS = {NEW_8: 8, NEW_16: 16}
MAX_TEXT = 1 << 20  # characters; a text of 64 KiB could otherwise expand to gigabytes


def decompress(text: str) -> str:
    """Return the document in a text of lz-string (base64), as links hold it.

    The text is a stream of bits, six per character: the code of Ziv & Lempel (1978), whose dictionary both sides build.
    A number of 2 bits (the first), of 3 and then of more bits is the index of a phrase, or announces a new character of
    8 (0) or 16 bits (1), or the end (2). Each phrase but the first adds an entry: the phrase before it and its own
    first character.

    Raises:
        ValueError: the text is not the output of lz-string, or holds more than ``MAX_TEXT`` characters.
    """
    bits = _Bits(text)
    phrases: list[str] = ["", "", ""]  # their indices announce something else
    result: list[str] = []
    length, width, last = 0, 2, ""
    while (index := bits.number(width)) != END:
        if index in WIDTHS:
            phrases.append(chr(bits.number(WIDTHS[index])))
            index = len(phrases) - 1
        if index < len(phrases) and phrases[index]:
            phrase = phrases[index]
        elif index == len(phrases) and last:
            phrase = last + last[0]
        else:
            raise ValueError("a phrase that is not in the dictionary")
        if last:
            phrases.append(last + phrase[0])
        last = phrase
        result.append(phrase)
        length += len(phrase)
        if length > MAX_TEXT:
            raise ValueError(f"more than {MAX_TEXT} characters")
        width = len(phrases).bit_length()
    return "".join(result)


class _Bits:
    """The bits of a text, from the highest of its first character on."""

    def __init__(self, text: str) -> None:
        self._codes = iter(text.rstrip("="))
        self._code, self._left = 0, 0

    def number(self, width: int) -> int:
        """Take a number, lowest bit first."""
        value = 0
        for place in range(width):
            if not self._left:
                self._code, self._left = ALPHABET.index(next(self._codes, " ")), 6
            self._left -= 1
            value |= (self._code >> self._left & 1) << place
        return value


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
