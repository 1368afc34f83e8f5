"""Find the marked numbers of a document: each mark names the number of a run that the text states.

In Markdown a mark is a comment right after the number, ``1.66<!-- ratio/easy/A/B -->``; code has no marks. In LaTeX a
mark is ``\\claim{ratio/easy/A/B}{1.66}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markdown_it import MarkdownIt

from sudoku_bench.bench.reports.numbers import Number

BOUNDS = {"more than": ">", "less than": "<", "at least": "≥", "at most": "≤"}
QUANTITY = re.compile(
    rf"(?P<bound>[<>≤≥]|{'|'.join(BOUNDS)})?\s*"
    r"[×≈~]?(?<![\w.,])(?P<sign>[-−+]?)(?P<digits>\d[\d,]*(?:\.\d+)?)(?:e(?P<power>[-+]?\d{1,3}))?"
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
    bound = match["bound"] or ""
    return Quantity(
        match[0].strip(), BOUNDS.get(bound, bound), value, len(digits.partition(".")[2]) - power, match["unit"] or ""
    )


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


def in_markdown(text: str, numbers: Mapping[str, Number]) -> Iterator[Claim]:
    """Yield the marks of a Markdown text; code is skipped.

    Args:
        numbers: the numbers of the run.
    """
    for token in MarkdownIt("commonmark").parse(text):
        line, before = (token.map or [0])[0] + 1, ""
        if token.type == "html_block":
            for part in re.split(r"(<!--.*?-->)", token.content, flags=re.DOTALL):
                yield from _of_comment(part, before, numbers, line)
                before, line = part, line + part.count("\n")
        elif token.type == "inline":
            for part in token.children or ():
                if part.type == "html_inline" and part.content.startswith("<!--"):
                    yield from _of_comment(part.content, before, numbers, line)
                    before = ""
                else:
                    before += "\n" if part.type in ("softbreak", "hardbreak") else part.content
                line += part.content.count("\n") + (part.type in ("softbreak", "hardbreak"))


def _of_comment(part: str, before: str, numbers: Mapping[str, Number], line: int) -> Iterator[Claim]:
    """Yield the claim of a comment, if it is a mark.

    Args:
        part: the comment with its delimiters; any other text is no mark.
        before: the text before it in its paragraph, since the last mark.
    """
    content = part[4:-3].strip() if part.startswith("<!--") else ""
    if content and not re.search(r"\s", content) and ("/" in content or content in numbers or quantity_of(before)):
        yield Claim(line, content, before)


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
