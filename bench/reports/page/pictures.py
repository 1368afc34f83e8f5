"""The figures of the page: drawn as those beside it, without title and caption, as SVG with text that can be read."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Collection
from dataclasses import replace
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import catalogue, sheet, time_vs_difficulty
from sudoku_bench.bench.figures.style import RC, SCREEN_PT, Column, NothingToDrawError, Sheet, settle
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.run_tables import Run

WIDE = Column(width_in=7.6, height_in=math.inf, font_pt=SCREEN_PT)
MOST_MARKS = 6000  # of a figure; of more, every k-th puzzle is drawn
FONTS = "'DejaVu Sans', Verdana, sans-serif"  # wide first: texts have the room that they have in DejaVu Sans
ROOT = re.compile(r'^.*?<svg [^>]*?(viewBox="[^"]*")[^>]*>', re.DOTALL)
NOISE = re.compile(r"<metadata>.*?</metadata>|<!--.*?-->|\n *", re.DOTALL)
MARKS = re.compile(r'(<g clip-path="[^"]*")>((?:<use [^>]*style="([^"]*)"/>)+)</g>')
PLACE = re.compile(r"(?<=[ \"MLCQ])(-?\d+\.\d)\d+(?=[ \"])")
PART = re.compile(r'id="(curve|band|name|points)-(\d+)-?(\d*)[-a-z]*"')


@once
def of_page(run: Run) -> Sheet:
    """Return the sheet of the page's figures, without the facts in its head."""
    return replace(sheet.of_run(run, WIDE), facts="")


def picture(module: catalogue.FigureModule, data: Any, run: Run, board: str = "") -> str:
    """Return a figure of the catalogue with its caption; a board is the one that it is about."""
    shared = of_page(run)
    drawn = svg(catalogue.picture(module, data, shared), catalogue.name(module) + board)
    return _figure(drawn, shared.about(data).titled(module.TITLE), board, module.caption(data, shared))


def curves(run: Run) -> str:
    """Return the curves of each board size whose puzzles differ in difficulty, with the marks of all strategies."""
    shared, figures = of_page(run), []
    for size in sorted(set(run.per_puzzle["size"])):
        try:
            lines = replace(time_vs_difficulty.data(run, int(size)), omitted=0)
        except NothingToDrawError:
            continue
        if lines.curves.empty:
            continue
        every = math.ceil(len(lines.points) / MOST_MARKS)
        some = lines.points[lines.points.groupby("strategy", observed=True).cumcount() % every == 0]
        with mpl.rc_context(shared.rc):
            figure = time_vs_difficulty.draw(replace(lines, points=some), shared, whole=True)
        named = {place for place, name in enumerate(shared.looks) if shared.is_named(name)}
        drawn = svg(figure, f"curves{size}", named)
        caption = time_vs_difficulty.caption(lines, shared)
        caption += f" Of every {every} puzzles one is drawn." if every > 1 else ""
        figures.append(_figure(drawn, time_vs_difficulty.TITLE, f"{size}×{size}", caption))
    return "".join(figures)


def svg(figure: Figure, name: str, named: Collection[int] = ()) -> str:
    """Return a figure as SVG: marks share the style of their group and places have one decimal, which halves the size.

    Args:
        name: what its ids begin with, as all ids of a page differ.
        named: the strategies that are in colour as long as the reader has chosen none.
    """
    data = io.StringIO()
    with mpl.rc_context({**RC, "svg.fonttype": "none"}):
        settle(figure)
        figure.savefig(data, format="svg", transparent=True, metadata={"Date": None})
    text = NOISE.sub("", ROOT.sub(r"<svg \1>", data.getvalue()))
    text = MARKS.sub(lambda own: f'{own[1]} style="{own[3]}">{re.sub(" style=.*?/>", "/>", own[2])}</g>', text)
    text = PLACE.sub(r"\1", text).replace("'DejaVu Sans'", FONTS)
    text = PART.sub(r'class="\1 off" data-strategy="\2" data-collection="\3"', text)
    for number in named:
        text = text.replace(f' off" data-strategy="{number}"', f'" data-named="yes" data-strategy="{number}"')
    return re.sub(r'( id="|href="#|url\(#)', rf"\1{name}-", text)


def _figure(drawn: str, title: str, board: str, caption: str) -> str:
    label, below = escape(f"{title}, {board}" if board else title), escape(caption)
    box = f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">{drawn}</div>'
    return f'<figure data-board="{board}">{box}<figcaption>{label}. {below}</figcaption></figure>'
