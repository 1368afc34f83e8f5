"""Figures as files of all formats."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from bench.figures import pgf
from bench.figures.style import RC, Layout

METADATA: Mapping[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
KINDS = ("svg", "png", "pdf", "pgf")


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as the bytes of a file of one of ``KINDS``, without a time stamp.

    PGF needs a TeX program; ``pgf.must_work`` checks for one.
    """
    data = io.BytesIO()
    layout = figure.get_layout_engine()
    with mpl.rc_context(RC | pgf.settings()):
        if isinstance(layout, Layout):
            layout.settle(figure)
        if kind == "pgf":
            figure.savefig(data, format=kind, backend=pgf.BACKEND)
            return data.getvalue()
        figure.set_layout_engine("none")  # a layout takes as long as drawing the figure
        try:
            figure.savefig(data, format=kind, metadata=METADATA.get(kind))
        finally:
            figure.set_layout_engine(layout)
    return data.getvalue()
