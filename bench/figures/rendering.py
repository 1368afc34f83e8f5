"""Figures as files of all formats."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping
from typing import Any
from unittest import mock

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pgf import LatexError, RendererPgf
from matplotlib.figure import Figure
from PIL import Image

from sudoku_bench.bench.figures.style import DPI, RC, settle
from sudoku_bench.bench.say.markup import literal
from sudoku_bench.datasets.errors import InputError

PGF: Any = {"pgf.texsystem": "pdflatex", "pgf.rcfonts": False}  # the fonts of the paper
FONTS = b"'DejaVu Sans', Verdana, sans-serif"  # of text in SVG: wide first, as there is room for DejaVu Sans
METADATA: Mapping[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
KINDS = ("svg", "png", "pdf", "pgf")
PNG_LEVEL = 3  # of compression: half the time of the usual 6, and smaller files for lines and letters


class LiteralText(RendererPgf):
    """Sets texts as they are: a dollar sign, an underscore or a backslash in a name is text."""

    def draw_text(self, gc: Any, x: float, y: float, s: str, *how: Any, **more: Any) -> None:
        super().draw_text(gc, x, y, literal(s), *how, **more)  # type: ignore[no-untyped-call]

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        return super().get_text_width_height_descent(literal(s), prop, ismath)  # type: ignore[no-untyped-call]


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as a file of one of ``KINDS`` without a time stamp.

    Raises:
        InputError: LaTeX, which measures the text of PGF, is missing or cannot read a text.
    """
    data = io.BytesIO()
    with mpl.rc_context(RC):
        settle(figure)
        if kind == "png":
            canvas: Any = FigureCanvasAgg(figure)
            canvas.draw()
            # Without transparency, which no figure has: a quarter less to compress.
            image = Image.frombytes("RGB", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBX")
            image.save(data, "png", dpi=(DPI, DPI), compress_level=PNG_LEVEL)
        elif kind == "pgf":
            return _pgf(figure, data)
        else:
            figure.savefig(data, format=kind, metadata=METADATA[kind])
    return data.getvalue().replace(b"'DejaVu Sans'", FONTS) if kind == "svg" else data.getvalue()


def _pgf(figure: Figure, data: io.BytesIO) -> bytes:
    """Return a figure as commands of PGF, in the fonts of the paper that reads them."""
    if not shutil.which("pdflatex"):
        raise InputError("pgf: needs LaTeX to measure texts; install pdflatex with pgf (TeX Live), or choose pdf")
    for axes in figure.axes:
        axes.set_rasterization_zorder(None)  # there are no pixels in PGF
    # The canvas makes its renderer itself.
    with mpl.rc_context(PGF), mock.patch("matplotlib.backends.backend_pgf.RendererPgf", LiteralText):
        try:
            figure.savefig(data, format="pgf")
        except (LatexError, RuntimeError) as error:
            raise InputError(f"pgf: LaTeX cannot set a text of the figure: {str(error).splitlines()[0]}") from None
    return data.getvalue()
