"""Words of JSON, of Python's lists and of what numpy prints, with their lines.

JSON libraries read a whole document, or tell no lines, or know no Python; here a document of any length is read word
by word. Commas and colons carry no meaning that the brackets do not carry already, and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from datasets.reading.items import Broken

MAX_STRING = 1 << 16  # characters

_TOKEN = re.compile(
    r"""(?P<skip>[\s,:;=]++|\#.*+|//.*+)
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
    """``kind`` is ``open``, ``close``, ``string``, ``number`` or ``name``."""

    kind: str
    text: str
    line: int


def tokens(pieces: Iterable[tuple[int, str]]) -> Iterator[Token]:
    """The words of a text that comes in pieces, each with the number of its line; long lines come in several.

    Raises:
        Broken: something stands there that is no word, or a string has no end.
    """
    rest, line = "", 0
    for number, piece in pieces:
        if number != line and rest:
            yield from _finish(rest, line)
            rest = ""
        text, line, rest = rest + piece, number, ""
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None or (found.end() == len(text) and found.lastgroup in ("number", "name")):
                rest = text[place:]
                break
            place = found.end()
            if found.lastgroup != "skip":
                yield _token(found, line)
        if len(rest) > 2 * MAX_STRING:
            raise Broken(line, "a string that is too long; close it, or write one puzzle per string")
    if rest:
        yield from _finish(rest, line)


def _finish(rest: str, line: int) -> Iterator[Token]:
    """The last word of a line, of which it was not known whether it goes on."""
    found = _TOKEN.fullmatch(rest)
    if found is None:
        what = "a string that is not closed" if rest[0] in "\"'" else f"{rest[:20]!a}, which is neither JSON nor a list"
        raise Broken(line, f"{what}; mend it, or write one puzzle per line")
    yield _token(found, line)


def _token(found: re.Match[str], line: int) -> Token:
    kind = str(found.lastgroup)
    text = found[kind]
    if kind in ("double", "single"):
        return Token("string", _ESCAPE.sub(_unescape, text) if "\\" in text else text, line)
    return Token(kind, text, line)


def _unescape(found: re.Match[str]) -> str:
    escape = found[1]
    return chr(int(escape[1:], 16)) if len(escape) == 5 else _ESCAPED.get(escape, escape)
