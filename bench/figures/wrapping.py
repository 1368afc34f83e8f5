"""Widths of texts in the font of the figures, and texts broken into lines by them."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterable

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

FAMILY = "DejaVu Sans"
BREAKS = re.compile(r"(?=[+@])|(?<=[:-])")  # where a strategy's name may be broken


def width_of(text: str, size_pt: float, bold: bool = False) -> float:
    """Return the width of a line of text in inches: its words and spaces one by one, as no font moves letters across a
    space.

    Measuring takes time for each letter, and a paragraph is wrapped by trying each line with one word more.
    """
    words = text.split(" ")
    space = _word_width("n n", bold) - 2 * _word_width("n", bold)
    return (sum(_word_width(word, bold) for word in words) + space * (len(words) - 1)) * size_pt / 72


@functools.lru_cache(maxsize=4096)
def _word_width(word: str, bold: bool) -> float:
    """Return the width of a word in font sizes."""
    font = FontProperties(family=FAMILY, size=100, weight="bold" if bold else "normal")
    return float(TextToPath().get_text_width_height_descent(word, font, False)[0]) / 100 if word else 0.0


def widest(texts: Iterable[str], size_pt: float) -> float:
    """Return the width of the widest line of several texts, in inches."""
    return max((width_of(line, size_pt) for text in texts for line in text.splitlines()), default=0.0)


@functools.lru_cache(maxsize=4096)
def wrap(text: str, width_in: float, size_pt: float, bold: bool = False) -> str:
    """Break a text into lines no wider than ``width_in``.

    Lines break between words. A word that is too long breaks between its parts (``complete+pairwise``,
    ``@cadical195``), or anywhere if a part is too long.
    """

    def fits(line: str) -> bool:
        return width_of(line, size_pt, bold) <= width_in

    lines = [""]
    for word in text.split():
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
