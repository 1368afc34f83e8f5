"""Figures as files of all formats."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from PIL import Image

from sudoku_bench.bench.figures.style import DPI, RC, settle

METADATA: Mapping[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
KINDS = ("svg", "png", "pdf")
PNG_LEVEL = 3  # of compression: half the time of the usual 6, and smaller files for lines and letters


def render(figure: Figure, kind: str, pages: int = 1) -> bytes:
    """Return a figure as a file of one of ``KINDS`` without a time stamp; a PDF is cut into pages of equal height."""
    data = io.BytesIO()
    with mpl.rc_context(RC):
        settle(figure)
        if kind == "png":
            canvas: Any = FigureCanvasAgg(figure)
            canvas.draw()
            # Without transparency, which no figure has: a quarter less to compress.
            image = Image.frombytes("RGB", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBX")
            image.save(data, "png", dpi=(DPI, DPI), compress_level=PNG_LEVEL)
        elif kind == "pdf" and pages > 1:
            width, height = (float(side) for side in figure.get_size_inches())
            with PdfPages(data, metadata=METADATA[kind]) as file:
                for page in reversed(range(pages)):
                    for axes in figure.axes:  # what is cut off would be drawn and stored, too
                        place = axes.get_position()
                        axes.set_visible(place.y0 * pages < page + 1 and place.y1 * pages > page)
                    of_page = Bbox.from_bounds(0, page * height / pages, width, height / pages)
                    file.savefig(figure, bbox_inches=of_page)
        else:
            figure.savefig(data, format=kind, metadata=METADATA[kind])
    return data.getvalue()
