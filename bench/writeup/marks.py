"""Numbers that a text takes from a run, each with a mark that names it.

In Markdown the mark is a comment right after the number, ``1.66<!-- ratio/easy/A/B -->``; for a number in a block of
code, where comments would show, a comment below the block that repeats it, ``<!-- 1.66 = ratio/easy/A/B -->``. In LaTeX
it is ``\\claim{ratio/easy/A/B}{1.66}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bench.writeup.numbers import Number
from bench.writeup.quantity import quantity_of
from datasets.errors import InputError

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
REPEATED = re.compile(r"(.*\S)\s+=\s+(\S+)", re.DOTALL)
LIST_ITEM = re.compile(r" {0,3}(?:[-*+]|\d+[.)]) ")
REACH = 200  # letters before a mark that its number stands in


@dataclass(frozen=True)
class Claim:
    """What a text says.

    Attributes:
        line: of the mark, from 1.
        name: of the number.
        said: the text that ends with the number and its unit.
    """

    line: int
    name: str
    said: str


def in_markdown(text: str, known: Mapping[str, Number], document: str) -> Iterator[Claim]:
    """The marks in a text in Markdown, but those in code.

    Raises:
        InputError: a mark repeats a number that the block of code above does not show.
    """
    code = _code(text)
    for match in COMMENT.finditer(text):
        start = match.start()
        if code[start]:
            continue
        line = text.count("\n", 0, start) + 1
        content = match[1].strip()
        before = re.split(r"-->|\n\s*\n", text[max(0, start - REACH) : start])[-1].rstrip("*_`")
        repeated = REPEATED.fullmatch(content)
        if repeated and _is_name(repeated[2], known):
            if repeated[1] not in _block_above(text, code, start):
                raise InputError(f"{document}:{line}: the block of code above does not show {repeated[1]}")
            yield Claim(line, repeated[2], repeated[1])
        elif content and not re.search(r"\s", content) and (_is_name(content, known) or quantity_of(before)):
            yield Claim(line, content, before)


def in_text(text: str) -> bool:
    """Has a text in Markdown marks whose names are paths?"""
    try:
        return any("/" in claim.name for claim in in_markdown(text, {}, ""))
    except InputError:
        return True


def _is_name(word: str, known: Mapping[str, Number]) -> bool:
    return "/" in word or word in known


def _code(text: str) -> list[bool]:
    """For each letter of a text in Markdown whether it is code: in a fenced or indented block, or in backticks."""
    marks: list[bool] = []
    fence, indented, item, blank = "", False, False, True
    for line in text.splitlines(keepends=True):
        ticks = re.match(r" {0,3}(```+|~~~+)", line)
        if fence:
            marks += [True] * len(line)
            fence = "" if ticks and ticks[1].startswith(fence) else fence
            continue
        if ticks:
            fence, indented = ticks[1], False
            marks += [True] * len(line)
            continue
        if line.strip():
            deep = line.startswith(("    ", "\t"))
            indented = deep and not item and (indented or blank)
            item = bool(LIST_ITEM.match(line)) or (item and (deep or not blank))
            marks += [indented] * len(line) if indented else _spans(line)
        else:
            marks += [indented] * len(line)
        blank = not line.strip()
    return [*marks, False]


def _spans(line: str) -> list[bool]:
    """The same, within a line of running text."""
    marks = [False] * len(line)
    for match in re.finditer(r"(`+)(?!`).+?(?<!`)\1(?!`)", line):
        marks[match.start() : match.end()] = [True] * len(match[0])
    return marks


def _block_above(text: str, code: list[bool], start: int) -> str:
    """The lines of code nearest above a place."""
    lines: list[str] = []
    end = text.rfind("\n", 0, start) + 1
    while end > 0:
        begin = text.rfind("\n", 0, end - 1) + 1
        if code[begin]:
            lines.append(text[begin:end])
        elif lines:
            break
        end = begin
    return "".join(reversed(lines))


def in_latex(text: str) -> Iterator[Claim]:
    """The marks in a text in LaTeX, but those in comments."""
    bare = re.sub(r"(?<!\\)%.*|\\verb\*?(\W).*?\1", lambda match: " " * len(match[0]), text)
    for match in re.finditer(r"\\claim\s*\{([^{}]*)\}\s*\{", bare):
        depth, end = 1, match.end()
        while depth and end < len(bare):
            depth += {"{": 1, "}": -1}.get(bare[end], 0) if bare[end - 1] != "\\" else 0
            end += 1
        yield Claim(bare.count("\n", 0, match.start()) + 1, match[1].strip(), _plain(bare[match.end() : end - 1]))


def _plain(latex: str) -> str:
    """What an argument shows, without LaTeX."""
    for pattern, letter in (
        (r"\\,|\\ |~|\\thinspace\b|\\;", " "),
        (r"\\textless\b|\\lt\b", "<"),
        (r"\\mu\b|\\textmu\b|\\micro\b", "µ"),
        (r"\\times\b|\\texttimes\b", "×"),
        (r"\\%", "%"),
        (r"\\_", "_"),
        (r"\\[a-zA-Z]+\*?", ""),
        (r"[{}$]", ""),
    ):
        latex = re.sub(pattern, letter, latex)
    return latex.strip()
