"""Figure files: exact widths, embedded fonts, literal text, same bytes for the same run."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from PIL import Image

from bench.cli import main
from bench.figures import catalogue, pgf, rendering, sheet, style, time_vs_difficulty
from bench.figures.style import NothingToDrawError
from tests.bench.figures.cases import OWN_CASES, case, picture
from tests.conftest import TOP

pytestmark = pytest.mark.slow

needs_tex = pytest.mark.skipif(not shutil.which("pdflatex"), reason="there is no pdflatex")


def digests(step: int = 1) -> dict[str, str]:
    """Return the digests of every figure as SVG, and of one figure in every available format, drawn in this order."""
    made = {}
    for figure in catalogue.FIGURES[::step]:
        name = catalogue.name(figure)
        kinds = rendering.KINDS if figure is catalogue.FIGURES[0] else ("svg",)
        drawn = picture(figure, case(OWN_CASES.get(name, "odd names")))
        made |= {f"{name}.{kind}": rendering.render(drawn, kind) for kind in kinds if kind != "pgf" or pgf.program()}
    return {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}


def test_a_format_is_the_same_whatever_was_drawn_before_it() -> None:
    alone = rendering.render(picture(time_vs_difficulty, case("usual")), "svg")
    figure = picture(time_vs_difficulty, case("usual"))
    for kind in rendering.KINDS:
        if kind != "pgf" or pgf.program():
            rendering.render(figure, kind)
            assert rendering.render(figure, "svg") == alone, kind


def compiled(source: str, folder: Path) -> str:
    """Compile a document with pdflatex and return its log."""
    (folder / "document.tex").write_text(source, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "document.tex"],
        cwd=folder, capture_output=True, text=True, errors="replace", check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-1500:]
    return done.stdout


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
@needs_tex
def test_a_document_includes_every_figure_whatever_the_names(tmp_path: Path) -> None:
    inputs = []
    for figure in catalogue.FIGURES:
        for number, within in enumerate((None, sheet.column("single"))):
            try:
                drawn = picture(figure, case("odd names"), within)
            except NothingToDrawError:
                continue
            path = tmp_path / f"{catalogue.name(figure)}{number}.pgf"
            path.write_bytes(rendering.render(drawn, "pgf"))
            inputs.append(rf"\begin{{figure}}\input{{{path.name}}}\end{{figure}}\clearpage")
    assert inputs
    body = "\n".join(inputs)
    log = compiled(
        rf"\documentclass[journal]{{IEEEtran}}\usepackage{{pgf}}\begin{{document}}{body}.\end{{document}}", tmp_path
    )
    assert "Missing character" not in log
    assert "undefined" not in log


def width_of(text: str) -> float:
    """Return the width of a text in LaTeX, in points."""
    with mpl.rc_context(pgf.settings()):
        renderer = pgf.Renderer(Figure(dpi=72), None)
        return renderer.get_text_width_height_descent(text, FontProperties(size=10), False)[0]


@needs_tex
def test_every_character_can_be_typeset() -> None:
    for text in (string.printable, "éèêëàñçøÅőčż", "×µμ≤≥−·±∞→²³°ρτσ", "–—‘’“”…", "数独ß\u202e😀"):
        for letter in text:
            assert width_of(f"a{letter}b") > width_of("ab") or not letter.isprintable() or letter in "'`,.-|"
    assert width_of("a--b") > width_of("a\u2013b")  # two hyphens stay two


def test_what_latex_would_read_as_commands_is_text() -> None:
    assert pgf.escaped("  a_b ") == r"~~a\_b "


@needs_tex
def test_clouds_are_thinned_evenly_and_only_where_there_are_very_many_points() -> None:
    drawn: dict[int, str] = {}
    for number in (pgf.MOST // 4, 4 * pgf.MOST):
        figure = Figure(figsize=(2, 2))
        axes = figure.subplots()
        axes.plot(range(number), "o", rasterized=True)
        axes.plot(range(pgf.FEW), "s")
        axes.plot(range(number), "^", rasterized=True)
        drawn[number] = rendering.render(figure, "pgf").decode()
        assert "includegraphics" not in drawn[number]
    marks = {number: text.count("useobject{currentmarker}") for number, text in drawn.items()}
    few, many = drawn
    assert 2 * few + pgf.FEW <= marks[few] <= 2 * few + pgf.FEW + 50  # and those of scales
    assert 0.3 * pgf.MOST < marks[many] < pgf.MOST
    assert len(drawn[many]) < 2 * len(drawn[few])
    assert "is drawn" not in drawn[few]
    assert "one in 9 is drawn" in drawn[many]


def test_without_tex_there_is_one_clear_line_and_nothing_is_written(tmp_path: Path, monkeypatch: Any, capsys) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    folder = tmp_path / "run"
    shutil.copytree(TOP / "results" / "reference", folder, ignore=shutil.ignore_patterns("plots"))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert main(["report", str(folder), "--format", "svg,pgf"]) == 2
    message = capsys.readouterr().err.strip()
    assert "\n" not in message
    assert "--format pgf" in message
    assert "texlive" in message
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_an_incomplete_tex_is_one_clear_line(tmp_path: Path) -> None:
    broken = tmp_path / "pdflatex"
    broken.write_text("#!/bin/sh\necho '! LaTeX Error: File x.sty not found.'\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "bench", "report", str(tmp_path), "--format", "pgf"],
        cwd=TOP, env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "packages are missing" in done.stderr


@pytest.mark.thorough
def test_the_same_run_makes_the_same_bytes() -> None:
    """In another process with other hashes, and after other figures."""
    other = "import json; from tests.bench.figures.test_style_formats import digests; print(json.dumps(digests(-1)))"
    output = subprocess.run(
        [sys.executable, "-c", other],
        cwd=TOP, env=os.environ | {"PYTHONHASHSEED": "12345"}, capture_output=True, text=True, check=True, timeout=300,
    ).stdout  # fmt: skip
    assert json.loads(output) == digests()
