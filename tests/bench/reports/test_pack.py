"""Every run has all files of a write-up, and LaTeX compiles them."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from pathlib import Path

import pytest

from sudoku_bench.bench.reports import pack
from sudoku_bench.bench.reports.pack import Caption, caption
from tests.bench.figures.cases import CASES, case

CAPTIONS = {"cactus": Caption("Cactus. How many (Holm 1979) of $x_0$.", "90 puzzles, 10% of 3 µs.")}


def files(name: str) -> dict[str, str]:
    return dict(pack.files(case(name), CAPTIONS))


@pytest.mark.parametrize("name", CASES)
def test_every_run_has_a_pack(name: str) -> None:
    made = files(name)
    for file in (
        "numbers.tex",
        "numbers.csv",
        "methods.md",
        "methods.tex",
        "medians.tex",
        "summary.md",
        "references.bib",
    ):
        assert made[f"writeup/{file}"].strip() or file == "references.bib"
    assert ("writeup/pairs.tex" in made) == (case(name).summary["strategy"].nunique() > 1)


def test_captions_are_full_and_short_and_cited() -> None:
    made = files("usual")
    full, short = made["writeup/captions.tex"].splitlines()[-2:]
    assert r"many~\cite{holm1979} of \$x\_0\$. 90 puzzles, 10\%" in full
    assert "benchcaption:short:cactus" in short
    assert "90 puzzles" not in short
    assert "@article{holm1979," in made["writeup/references.bib"]


def test_a_caption_says_what_its_bands_are() -> None:
    assert "weighted sign test" in caption("time_vs_difficulty", "T", "Lines with 95% bands.", "Facts.").short
    assert caption("time_vs_difficulty", "T", "Points.", "Facts.").full == "T. Points. Facts."


PAGE = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage{booktabs,longtable,url}
\input{writeup/numbers.tex}\input{writeup/captions.tex}
\begin{document}
\input{writeup/methods.tex}
TABLES
\section{\bench{puzzles} puzzles} \benchraw{limit} \benchcaption{cactus} \benchcaptionshort{cactus}
\benchif{puzzles}{yes}{no} \benchif{no/such}{yes}{no} \claim{puzzles}{60} EXTRA
\nocite{*}\bibliographystyle{plain}\bibliography{writeup/references}
\end{document}
"""


def typeset(folder: Path, name: str, extra: str = "") -> tuple[int, str]:
    """LaTeX's exit code and log."""
    made = files(name)
    for file, text in made.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    tables = [
        rf"\input{{{file}}}\clearpage"
        for file in made
        if Path(file).stem in ("medians", "summary", "pairs", "nearest") and file.endswith(".tex")
    ]
    page = PAGE.replace("TABLES", "\n".join(tables)).replace("EXTRA", extra)
    (folder / "page.tex").write_text(page, encoding="utf-8")
    arguments = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False, errors="replace")
    return done.returncode, done.stdout


needs_latex = pytest.mark.skipif(not shutil.which("pdflatex"), reason="no LaTeX here")


@needs_latex
@pytest.mark.parametrize("name", ["odd names", "sixty strategies"])
def test_latex_compiles_the_pack(tmp_path: Path, name: str) -> None:
    code, log = typeset(tmp_path, name)
    assert code == 0, log[-2000:]
    assert "Missing character" not in (tmp_path / "page.log").read_text(encoding="utf-8", errors="replace")


@needs_latex
def test_an_unknown_name_is_an_error_of_latex(tmp_path: Path) -> None:
    code, log = typeset(tmp_path, "one of both", r"\bench{median/nowhere/nobody}")
    assert code != 0
    assert "The run has no number `median/nowhere/nobody'" in log.replace("\n", "")


@pytest.mark.parametrize("status", ["unsupported", "wrong", "error", "gave_up", "memout"])
def test_a_run_in_which_nothing_was_solved_has_a_pack(status: str) -> None:
    run = case("one puzzle")
    rows = run.measurements.assign(status=status, cpu_s=float("nan"), wall_s=float("nan"))
    made = dict(pack.files(dataclasses.replace(run, measurements=rows), {}))
    assert "solved,0,,0\n" in made["writeup/numbers.csv"]
    assert not [file for file, text in made.items() if "nan" in text]


def test_a_run_that_has_just_begun_has_a_pack() -> None:
    run = case("one puzzle")
    made = dict(pack.files(dataclasses.replace(run, measurements=run.measurements.iloc[:0]), {}))
    assert "No strategy was measured." in made["writeup/methods.md"]
