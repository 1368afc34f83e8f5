"""A canvas that measures each text once: figures are laid out and drawn by several renderers, which share no widths."""

from __future__ import annotations

import functools
from typing import Any, cast

from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg, get_hinting_flag
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

Extent = tuple[float, float, float]  # width, height and descent of a line of text, in pixels


class Renderer(RendererAgg):
    """A renderer that knows the extents of texts that another one has measured."""

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> Extent:
        if ismath:
            return cast(Extent, super().get_text_width_height_descent(s, prop, ismath))
        return extent(s, prop.copy(), self.dpi)


class Canvas(FigureCanvasAgg):
    """A canvas with such a renderer."""

    def get_renderer(self) -> Renderer:
        width, height = self.get_width_height(physical=True)
        key = width, height, self.figure.dpi
        if self._lastKey != key:
            self.renderer, self._lastKey = Renderer(*key), key
        return cast(Renderer, self.renderer)

    def pixels(self) -> tuple[tuple[int, int], Any]:
        """Draw the figure; return its width and height and a buffer with four bytes for each pixel."""
        self.draw()
        return self.get_width_height(physical=True), self.buffer_rgba()


def extent(line: str, font: FontProperties, dpi: float) -> Extent:
    """Return the extent of a line of text.

    Args:
        font: must not be changed later.
    """
    return _extent(line, font, dpi, get_hinting_flag())


@functools.lru_cache(maxsize=1 << 14)
def _extent(line: str, font: FontProperties, dpi: float, _hinting: Any) -> Extent:
    return cast(Extent, _measuring(dpi).get_text_width_height_descent(line, font, False))


@functools.cache
def _measuring(dpi: float) -> RendererAgg:
    """Return a renderer for measuring text: creating one takes longer than measuring a hundred lines."""
    return RendererAgg(1, 1, dpi)


def renderer_of(figure: Figure) -> Renderer:
    """Return a new renderer for a figure."""
    return Canvas(figure).get_renderer()
