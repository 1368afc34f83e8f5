r"""Figures as PGF: drawing commands that a LaTeX document reads with ``\input``, with text in the document's font.

A matplotlib backend (``savefig(..., format="pgf", backend=BACKEND)``). Unlike matplotlib's own, it takes all text
literally, and it draws no images, which a single file cannot contain: very large clouds of points are thinned instead,
and a comment in the file says so.
"""

from __future__ import annotations

import io
import math
import shutil
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_pgf import FigureCanvasPgf, LatexError, RendererPgf
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, TransformedPath

from bench.say.markup import literal
from datasets.errors import InputError

BACKEND = f"module://{__name__}"
PROGRAMS = ("pdflatex", "xelatex", "lualatex")  # any can measure text; pdflatex is the most common
MOST = 6000  # marks of a figure: two figures with more exceed the default memory of TeX
PART = 60  # strokes of a hatch per path
FEW = 100  # smaller sets of marks are never thinned


def escaped(text: str) -> str:
    """Return a line of text for LaTeX, keeping leading spaces, which LaTeX would drop."""
    stripped = text.replace("\n", " ").lstrip(" ")
    return "~" * (len(text) - len(stripped)) + literal(stripped)


def program() -> str | None:
    """Return the TeX program that measures text; None if there is none."""
    return next((name for name in PROGRAMS if shutil.which(name)), None)


def settings() -> Any:
    """Return matplotlib's settings for PGF: the document's fonts, measured by the installed program."""
    return {"pgf.texsystem": program() or PROGRAMS[0], "pgf.rcfonts": False, "pgf.preamble": ""}


def must_work() -> None:
    """Check that text can be measured.

    Raises:
        InputError: there is no TeX program, or it lacks packages.
    """
    remedy = "install LaTeX (on Debian: apt-get install texlive-latex-recommended texlive-latex-extra texlive-pictures)"
    if program() is None:
        raise InputError(f"--format pgf: needs {' or '.join(PROGRAMS)} to measure text, none is installed; {remedy}")
    try:
        with mpl.rc_context(settings()):
            Renderer(Figure(), None).get_text_width_height_descent("word", FontProperties(), False)
    except (LatexError, OSError, RuntimeError, ValueError):  # a program that exits at once leaves a broken pipe
        raise InputError(f"--format pgf: {program()} cannot measure text, packages are missing; {remedy}") from None


class Renderer(RendererPgf):
    """Draws text literally, and one in ``step`` points of a cloud.

    Attributes:
        step: 1 draws all points.
        marks: number of points before thinning.
    """

    step = 1
    marks = 0

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False, mtext: Any = None
    ) -> None:
        super().draw_text(gc, x, y, escaped(s), prop, angle, ismath, mtext)

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
        width, height, descent = super().get_text_width_height_descent(escaped(s), prop, ismath)
        return float(width), float(height), float(descent)

    def draw_path(self, gc: Any, path: Any, transform: Any, *face: Any) -> None:
        hatch = gc.get_hatch_path()
        plain = self.new_gc()
        plain.copy_properties(gc)
        plain.set_hatch(None)
        super().draw_path(plain, path, transform, *face)
        if hatch is not None:
            plain.set_clip_path(TransformedPath(path, transform))
            plain.set_foreground(gc.get_hatch_color())
            plain.set_linewidth(gc.get_hatch_linewidth())
            self._draw_hatch(plain, hatch, path.get_extents(transform))

    def _draw_hatch(self, gc: Any, hatch: Any, box: Any) -> None:
        """Fill a box with a hatch of one-inch tiles, in short paths: TeX takes minutes for a path of thousands."""
        starts = np.flatnonzero(hatch.codes == Path.MOVETO)[1:]
        strokes = list(zip(np.split(hatch.vertices, starts), np.split(hatch.codes, starts), strict=True))
        for first in range(0, len(strokes), PART):
            vertices, codes = (np.concatenate(parts) for parts in zip(*strokes[first : first + PART], strict=True))
            for right in range(math.ceil(box.width / self.dpi)):
                for up in range(math.ceil(box.height / self.dpi)):
                    place = Affine2D().scale(self.dpi).translate(box.x0 + right * self.dpi, box.y0 + up * self.dpi)
                    super().draw_path(gc, Path(vertices, codes), place)

    def draw_markers(self, gc: Any, marker_path: Any, marker_trans: Any, path: Any, trans: Any, *face: Any) -> None:
        marks = len(path.vertices)
        self.marks += marks
        if self.step > 1 and marks > FEW:
            path = Path(path.vertices[:: self.step])
        super().draw_markers(gc, marker_path, marker_trans, path, trans, *face)


class FigureCanvas(FigureCanvasPgf):
    """The class that matplotlib expects in a backend."""

    def get_renderer(self) -> Renderer:
        return Renderer(self.figure, None)

    def print_pgf(self, fname_or_fh: Any, **_: Any) -> None:
        """Write the figure to a binary file. Arguments of other formats, such as the background, are ignored."""
        drawing, marks = self._drawn(1)
        step = -(-marks // MOST)
        notes = ""
        if step > 1:
            drawing = self._drawn(step)[0]
            notes = f"% In large clouds of points, one in {step} is drawn.\n"
        width_in, height_in = self.figure.get_size_inches()
        fname_or_fh.write(
            (
                "% A figure of sudoku-bench. The document needs \\usepackage{pgf}; then \\input this file.\n"
                f"{notes}"
                "\\begingroup%\n\\makeatletter%\n\\begin{pgfpicture}%\n"
                f"\\pgfpathrectangle{{\\pgfpointorigin}}{{\\pgfqpoint{{{width_in:f}in}}{{{height_in:f}in}}}}%\n"
                "\\pgfusepath{use as bounding box, clip}%\n"
                f"{drawing}"
                "\\end{pgfpicture}%\n\\makeatother%\n\\endgroup%\n"
            ).encode()
        )

    def _drawn(self, step: int) -> tuple[str, int]:
        """Return the commands that draw the figure, and its number of marks."""
        drawing = io.StringIO()
        renderer = Renderer(self.figure, drawing)
        renderer.step = step
        self.figure.draw(renderer)
        return drawing.getvalue(), renderer.marks
