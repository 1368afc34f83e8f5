"""Figure files: exact widths, embedded fonts, literal text, same bytes for the same run."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

import matplotlib as mpl
import pytest
from PIL import Image

from sudoku_bench.bench.figures import catalogue, rendering, sheet, style, time_vs_difficulty
from tests.bench.figures.cases import OWN_CASES, case, picture
from tests.conftest import TOP

KINDS = [kind for kind in rendering.KINDS if kind != "pgf" or shutil.which("pdflatex")]


def digests(step: int = 1) -> dict[str, str]:
    """Return the digests of every figure as SVG, and of one figure in every available format, drawn in this order."""
    made = {}
    for figure in catalogue.FIGURES[::step]:
        name = catalogue.name(figure)
        kinds = KINDS if figure is catalogue.FIGURES[0] else ("svg",)
        drawn = picture(figure, case(OWN_CASES.get(name, "odd names")))
        made |= {f"{name}.{kind}": rendering.render(drawn, kind) for kind in kinds}
    return {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}


def test_a_format_is_the_same_whatever_was_drawn_before_it() -> None:
    alone = rendering.render(picture(time_vs_difficulty, case("usual")), "svg")
    figure = picture(time_vs_difficulty, case("usual"))
    for kind in KINDS:
        rendering.render(figure, kind)
        assert rendering.render(figure, "svg") == alone, kind


def test_settings_of_a_user_change_nothing() -> None:
    alone = rendering.render(picture(time_vs_difficulty, case("usual")), "svg")
    with mpl.rc_context(
        {"text.usetex": True, "figure.facecolor": "black", "lines.linewidth": 9, "axes.labelcolor": "w"}
    ):
        assert rendering.render(picture(time_vs_difficulty, case("usual")), "svg") == alone


@pytest.mark.parametrize("width", sheet.WIDTHS_PT)
def test_files_are_as_wide_as_the_column(width: Literal["single", "double"]) -> None:
    wanted_in = {"single": 3.487, "double": 7.14}[width]  # of IEEEtran
    figure = picture(time_vs_difficulty, case("one strategy"), sheet.column(width))
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ", rendering.render(figure, "pdf"))
    assert box
    assert float(box[1]) == pytest.approx(wanted_in * 72, abs=0.05)
    match = re.search(r'<svg [^>]*width="([\d.]+)pt"', rendering.render(figure, "svg").decode())
    assert match
    assert float(match[1]) == pytest.approx(float(box[1]), abs=1e-3)
    with Image.open(io.BytesIO(rendering.render(figure, "png"))) as image:
        assert abs(image.width - wanted_in * style.DPI) <= 1


def test_fonts_are_in_the_pdf(tmp_path: Path) -> None:
    data = rendering.render(picture(time_vs_difficulty, case("odd names")), "pdf")
    assert b"/FontFile2" in data
    assert b"/Type3" not in data
    if shutil.which("pdffonts"):
        path = tmp_path / "figure.pdf"
        path.write_bytes(data)
        listing = subprocess.run(["pdffonts", str(path)], capture_output=True, text=True, check=True).stdout
        fonts = listing.splitlines()[2:]
        assert fonts
        assert all(re.search(r"TrueType .* yes +(yes|no) +(yes|no) ", line) for line in fonts), listing


@pytest.mark.thorough
def test_the_same_run_makes_the_same_bytes() -> None:
    """In another process with other hashes, and after other figures."""
    other = "import json; from tests.bench.figures.test_style_formats import digests; print(json.dumps(digests(-1)))"
    output = subprocess.run(
        [sys.executable, "-c", other],
        cwd=TOP, env=os.environ | {"PYTHONHASHSEED": "12345"}, capture_output=True, text=True, check=True, timeout=300,
    ).stdout  # fmt: skip
    assert json.loads(output) == digests()
