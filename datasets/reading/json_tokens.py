"""Tokens of JSON, of Python lists and of printed numpy arrays, with their line numbers.

JSON libraries read a whole document at once, report no line numbers, or do not accept Python. This tokeniser reads a
document of any length token by token. It skips commas, because the brackets already determine the structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sudoku_bench.datasets.reading.items import BrokenSource

MAX_STRING = 1 << 16  # characters

_TOKEN = re.compile(
    r"""(?P<skip>[\s,;=]++|\#.*+|//.*+)
      |(?P<colon>:)
      |(?P<open>[\[({])
      |(?P<close>[\])}])
      |"(?P<double>[^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"
      |'(?P<single>[^'\\\n]*+(?:\\.[^'\\\n]*+)*+)'
      |(?P<number>[-+]?\d++\.?\d*+(?:[eE][-+]?\d++)?+)
      |(?P<name>[A-Za-z_.*][\w.]*+)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " "}


class Token(NamedTuple):
    """A token; ``kind`` is ``open``, ``close``, ``colon``, ``string``, ``number`` or ``name``."""

    kind: str
    text: str
    line: int


def tokens(pieces: Iterable[tuple[int, str]]) -> Iterator[Token]:
    """Yield the tokens of a text that arrives in pieces with their line numbers; long lines arrive in several pieces.

    Raises:
        BrokenSource: the text contains something that is not a token, or a string has no end.
    """
    rest, line = "", 0
    for number, piece in pieces:
        if number != line and rest:
            yield from _finish(rest, line)
            rest = ""
        text, line, rest = rest + piece, number, ""
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None or (match.end() == len(text) and match.lastgroup in ("number", "name")):
                rest = text[place:]
                break
            place = match.end()
            if match.lastgroup != "skip":
                yield _token(match, line)
        if len(rest) > 2 * MAX_STRING:
            raise BrokenSource(line, "a string that is too long; close it, or write one puzzle per string")
    if rest:
        yield from _finish(rest, line)


def _finish(rest: str, line: int) -> Iterator[Token]:
    """Yield the last token of a line, which might have continued in a further piece."""
    match = _TOKEN.fullmatch(rest)
    if match is None:
        is_string = rest[0] in "\"'"
        fault = "a string that is not closed" if is_string else f"{rest[:20]!a}, which is neither JSON nor a list"
        raise BrokenSource(line, f"{fault}; correct it, or write one puzzle per line")
    yield _token(match, line)


def _token(match: re.Match[str], line: int) -> Token:
    kind = str(match.lastgroup)
    text = match[kind]
    if kind in ("double", "single"):
        return Token("string", _ESCAPE.sub(_unescape, text) if "\\" in text else text, line)
    return Token(kind, text, line)


def _unescape(match: re.Match[str]) -> str:
    escape = match[1]
    return chr(int(escape[1:], 16)) if len(escape) == 5 else _ESCAPED.get(escape, escape)
