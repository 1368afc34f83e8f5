"""Find the marked numbers of a document: each mark names the number of a run that the text states.

In Markdown a mark is a comment right after the number, ``1.66<!-- ratio/easy/A/B -->``. Inside a code block a comment
would be visible, so the mark follows the block and repeats the number, ``<!-- 1.66 = ratio/easy/A/B -->``. In LaTeX a
mark is ``\\claim{ratio/easy/A/B}{1.66}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bench.writeup.numbers import Number
from datasets.errors import InputError

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
REPEATED = re.compile(r"(.*\S)\s+=\s+(\S+)", re.DOTALL)
LIST_ITEM = re.compile(r" {0,3}(?:[-*+]|\d+[.)]) ")
REACH = 200  # characters before a mark that are searched for its number
QUANTITY = re.compile(
    r"(?P<bound>[<>≤≥]?)\s*[×≈~]?(?<![\w.,])(?P<sign>[-−+]?)(?P<digits>\d[\d,]*(?:\.\d+)?)(?:e(?P<power>[-+]?\d+))?"
    r"\s*(?P<unit>%|percent|ns|us|µs|ms|s|min|×|x|times)?$"
)


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, as written in a text.

    Attributes:
        text: the matched text.
        bound: ``<``, ``>``, ``≤``, ``≥`` or empty.
        decimals: how many decimals the text shows.
    """

    text: str
    bound: str
    value: float
    decimals: int
    unit: str


def quantity_of(text: str) -> Quantity | None:
    """Parse the number, with its unit, at the end of a text."""
    match = QUANTITY.search(text.replace("μ", "µ").rstrip())
    if not match:
        return None
    power = int(match["power"] or 0)
    digits = match["digits"].replace(",", "")
    value = float(f"{digits}e{power}") * (-1 if match["sign"] in ("-", "−") else 1)
    return Quantity(match[0].strip(), match["bound"], value, len(digits.partition(".")[2]) - power, match["unit"] or "")


@dataclass(frozen=True)
class Claim:
    """A marked number of a document.

    Attributes:
        line: line of the mark, counted from 1.
        name: name of the number.
        text: the text before the mark, ending with the number and its unit.
    """

    line: int
    name: str
    text: str


def in_markdown(text: str, numbers: Mapping[str, Number], document: str) -> Iterator[Claim]:
    """Yield the marks of a Markdown text; code is skipped.

    Args:
        numbers: the numbers of the run.
        document: name of the document, for error messages.

    Raises:
        InputError: a mark repeats a number that the code block above it does not contain.
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
        if repeated and _is_name(repeated[2], numbers):
            if repeated[1] not in _block_above(text, code, start):
                raise InputError(
                    f"{document}:{line}: the code block above does not show {repeated[1]}; repeat its number exactly"
                )
            yield Claim(line, repeated[2], repeated[1])
        elif content and not re.search(r"\s", content) and (_is_name(content, numbers) or quantity_of(before)):
            yield Claim(line, content, before)


def in_text(text: str) -> bool:
    """Return whether a Markdown text has marks whose names are paths."""
    try:
        return any("/" in claim.name for claim in in_markdown(text, {}, ""))
    except InputError:
        return True


def _is_name(word: str, numbers: Mapping[str, Number]) -> bool:
    return "/" in word or word in numbers


def _code(text: str) -> list[bool]:
    """Return for each character of a Markdown text whether it is code (fenced or indented block, or in backticks).

    One ``False`` is appended, for the position after the last character.
    """
    is_code: list[bool] = []
    fence, indented, item, blank = "", False, False, True
    for line in text.splitlines(keepends=True):
        ticks = re.match(r" {0,3}(```+|~~~+)", line)
        if fence:
            is_code += [True] * len(line)
            fence = "" if ticks and ticks[1].startswith(fence) else fence
            continue
        if ticks:
            fence, indented = ticks[1], False
            is_code += [True] * len(line)
            continue
        if line.strip():
            deep = line.startswith(("    ", "\t"))
            indented = deep and not item and (indented or blank)
            item = bool(LIST_ITEM.match(line)) or (item and (deep or not blank))
            is_code += [indented] * len(line) if indented else _code_spans(line)
        else:
            is_code += [indented] * len(line)
        blank = not line.strip()
    return [*is_code, False]


def _code_spans(line: str) -> list[bool]:
    """Return for each character of a line of running text whether it is in a code span."""
    is_code = [False] * len(line)
    for match in re.finditer(r"(`+)(?!`).+?(?<!`)\1(?!`)", line):
        is_code[match.start() : match.end()] = [True] * len(match[0])
    return is_code


def _block_above(text: str, code: list[bool], start: int) -> str:
    """Return the nearest code block above a position."""
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
    """Yield the marks of a LaTeX text; comments and ``\\verb`` are skipped."""
    bare = re.sub(r"(?<!\\)%.*|\\verb\*?(\W).*?\1", lambda match: " " * len(match[0]), text)
    for match in re.finditer(r"\\claim\s*\{([^{}]*)\}\s*\{", bare):
        depth, end = 1, match.end()
        while depth and end < len(bare):
            depth += {"{": 1, "}": -1}.get(bare[end], 0) if bare[end - 1] != "\\" else 0
            end += 1
        yield Claim(bare.count("\n", 0, match.start()) + 1, match[1].strip(), _plain(bare[match.end() : end - 1]))


def _plain(latex: str) -> str:
    """Return the visible text of a LaTeX argument."""
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
