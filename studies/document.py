"""Documents with regions that studies write, each between two marks, and tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from sudoku_bench.datasets.errors import InputError

TOP = Path(__file__).resolve().parents[1]  # of the checkout
DOCS = TOP / "docs"
MAKER = "made by studies"


def fill(page: Path, name: str, text: str) -> None:
    """Replace the text of a region of a page; errors as for ``parts``."""
    before, _, after = parts(page, name)
    begin, end = marks(name)
    page.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")


def region(page: Path, name: str) -> str:
    """Return the text of a region of a page; errors as for ``parts``."""
    return parts(page, name)[1].strip()


def parts(page: Path, name: str) -> tuple[str, str, str]:
    """Return what stands before, between and after the marks of a region.

    Raises:
        InputError: the page does not contain both marks in order.
        OSError: the page cannot be read.
    """
    begin, end = marks(name)
    before, begin_mark, rest = page.read_text(encoding="utf-8").partition(begin)
    text, end_mark, after = rest.partition(end)
    if not begin_mark or not end_mark:
        raise InputError(f"{page}: has no line {begin} followed by {end}; add both where the text belongs")
    return before, text, after


def marks(name: str) -> tuple[str, str]:
    """Return the lines between which a region stands."""
    return f"<!-- {name}: {MAKER} -->", f"<!-- end of {name} -->"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, ["---"] * len(headings), *rows))
