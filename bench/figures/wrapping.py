"""Breaks texts into lines by their width in the font of the figures."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right

from matplotlib.font_manager import FontProperties

from bench.figures.canvas import extent

FAMILY = "DejaVu Sans"
DPI = 200
BREAKS = re.compile(r"(?=[+@])|(?<=[:-])")  # where a strategy's name may be broken


@functools.lru_cache(maxsize=4096)
def wrap(text: str, width_in: float, size_pt: float, bold: bool = False) -> str:
    """Break a text into lines no wider than ``width_in``.

    Lines break between words. A word that is too long breaks between its parts (``complete+pairwise``,
    ``@cadical195``), or anywhere if a part is too long.
    """

    def fits(line: str) -> bool:
        return _width_in(line, size_pt, bold) <= width_in

    one_line = " ".join(text.split())
    if fits(one_line):
        return one_line
    lines = [""]
    for word in one_line.split():
        joined = f"{lines[-1]} {word}".strip()
        if fits(joined):
            lines[-1] = joined
            continue
        lines.append("")
        for part in BREAKS.split(word):
            if fits(lines[-1] + part):
                lines[-1] += part
                continue
            rest = part
            while rest:  # a long name without any break
                number = max(1, bisect_right(range(1, len(rest) + 1), False, key=lambda n: not fits(rest[:n])))
                lines.append(rest[:number])
                rest = rest[number:]
    return "\n".join(line for line in lines if line)


def _width_in(line: str, size_pt: float, bold: bool) -> float:
    """Return the width of a line in inches: its words and spaces one by one, as no font moves letters across a space.

    Measuring takes time for each letter, and a paragraph is wrapped by trying each line with one word more.
    """
    words = line.split(" ")
    space = _word_width_in("n n", size_pt, bold) - 2 * _word_width_in("n", size_pt, bold)
    return sum(_word_width_in(word, size_pt, bold) for word in words if word) + space * (len(words) - 1)


@functools.lru_cache(maxsize=4096)
def _word_width_in(word: str, size_pt: float, bold: bool) -> float:
    font = FontProperties(family=FAMILY, size=size_pt, weight="bold" if bold else "normal")
    return extent(word, font, DPI)[0] / DPI
