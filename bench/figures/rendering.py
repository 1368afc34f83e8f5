"""Figures as files of all formats."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from PIL import Image

from bench.figures.canvas import Canvas
from bench.figures.style import RC, Layout
from bench.figures.wrapping import DPI

METADATA: Mapping[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
KINDS = ("svg", "png", "pdf", "pgf")
PNG_LEVEL = 3  # of compression: half the time of the usual 6, and smaller files for lines and letters


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as the bytes of a file of one of ``KINDS``, without a time stamp.

    PGF needs a TeX program; ``pgf.must_work`` checks for one.
    """
    layout, data = figure.get_layout_engine(), io.BytesIO()
    if kind == "pgf":
        from bench.figures import pgf  # imports the backend of PDF, which few reports need

        with mpl.rc_context(RC | pgf.settings()):
            _settle(figure)
            figure.savefig(data, format=kind, backend=pgf.BACKEND)
        return data.getvalue()
    with mpl.rc_context(RC):
        _settle(figure)
        figure.set_layout_engine(None)  # with one, even one without effect, matplotlib draws a figure twice
        try:
            if kind == "png":
                _write_png(figure, data)
            else:
                figure.savefig(data, format=kind, metadata=METADATA[kind])
        finally:
            figure.set_layout_engine(layout)
    return data.getvalue()


def _settle(figure: Figure) -> None:
    layout = figure.get_layout_engine()
    if isinstance(layout, Layout):
        layout.settle(figure)


def _write_png(figure: Figure, data: io.BytesIO) -> None:
    """Write without transparency, which no figure has: a quarter less to compress."""
    size, pixels = Canvas(figure).pixels()
    image = Image.frombytes("RGB", size, pixels, "raw", "RGBX")
    image.save(data, "png", dpi=(DPI, DPI), compress_level=PNG_LEVEL)
