"""Figures as files of all formats."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from bench.figures.style import DPI, RC, settle

METADATA: Mapping[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
KINDS = ("svg", "png", "pdf")
PNG_LEVEL = 3  # of compression: half the time of the usual 6, and smaller files for lines and letters


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as the bytes of a file of one of ``KINDS``, without a time stamp."""
    data = io.BytesIO()
    with mpl.rc_context(RC):
        settle(figure)
        if kind == "png":
            canvas: Any = FigureCanvasAgg(figure)
            canvas.draw()
            # Without transparency, which no figure has: a quarter less to compress.
            image = Image.frombytes("RGB", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBX")
            image.save(data, "png", dpi=(DPI, DPI), compress_level=PNG_LEVEL)
        else:
            figure.savefig(data, format=kind, metadata=METADATA[kind])
    return data.getvalue()
