"""``show`` writes a page or a sheet of one puzzle; ``solve --steps`` prints the same steps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from sudoku_bench.bench.commands.solve import read_one
from sudoku_bench.bench.figures import worksheet
from sudoku_bench.bench.say.explained import explained
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.steps.walkthrough import walkthrough
from sudoku_bench.datasets.steps.words import line, summary

SMALL = load("size4").items[0].puzzle.text


def test_a_page_holds_its_puzzle_and_asks_for_nothing(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "own.html"
    assert command("show", "hardest-010", "--out", str(out)) == (0, f"{out}\n", "")
    text = out.read_text(encoding="utf-8")
    assert load("hardest").items[9].puzzle.text in text
    assert "<title>hardest-010</title>" in text
    assert not re.search(r"(src|href)=\"(?!data:)", text)
    assert "connect-src 'none'" in text


@pytest.mark.parametrize(
    "name",
    [
        "hardest-010",
        pytest.param("hardest-001", marks=pytest.mark.thorough),
        pytest.param("size16-001", marks=pytest.mark.thorough),
    ],
)
def test_a_sheet_has_all_steps_and_the_solution_on_its_pages(name: str) -> None:
    puzzle = read_one(name)
    shape, found = puzzle.shape, explained(puzzle)
    figure = worksheet.draw(puzzle, name, found)
    texts = [text for text in figure.texts if text.get_text()]
    written = "".join("".join(text.get_text().split()) for text in texts)
    lines = [f"{number}. {line(shape, step)}" for number, step in enumerate(found.steps, 1)]
    assert "".join("".join(lines).split()) in written
    assert "".join(puzzle.text) in written
    values = [text.get_text() for text in figure.axes[2].texts]
    assert values == [shape.symbols[value - 1] for value in found.solution]
    pages = len(re.findall(rb"/Type /Page\b", worksheet.render(puzzle, name, "pdf")))
    canvas = FigureCanvasAgg(figure)
    width, height = (72 * side for side in (worksheet.WIDTH_IN, worksheet.HEIGHT_IN))
    assert figure.get_figheight() * 72 == pytest.approx(pages * height)
    for part in (*texts, *figure.axes):
        box = part.get_window_extent(canvas.get_renderer()).transformed(figure.dpi_scale_trans.inverted())
        left, bottom, right, top = (72 * side for side in box.extents)
        assert 30 <= left <= right <= width - 20
        assert bottom // height == top // height  # no page ends within it
    places = [(axes.get_window_extent(), number) for number, axes in enumerate(figure.axes)]
    assert not any(one.overlaps(other) for one, a in places for other, b in places if a < b)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hardest-9999",), "hardest has "),
        ((SMALL, "--out", "page.txt"), "must end in .html"),
        ((SMALL, "--print", "--out", "page.html"), "must end in .pdf or .svg or .png"),
        (("." * 81, "--print"), "nothing to print: This board has no clues"),
    ],
)
def test_what_cannot_be_shown_is_one_line(command: Any, tmp_path: Path, monkeypatch: Any, arguments, message) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, error = command("show", *arguments)
    assert (code, out) == (2, "")
    assert message in error
    assert len(error.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_solve_prints_the_steps(command: Any) -> None:
    puzzle = load("easy").items[1].puzzle
    code, out, _ = command("solve", puzzle.text, "--steps")
    [solution] = solve(puzzle, limit=2).solutions
    steps = walkthrough(puzzle, solution)
    assert code == 0
    printed = [text.strip() for text in out.splitlines() if re.match(r" *\d+\. ", text)]
    assert printed == [f"{number}. {line(puzzle.shape, step)}" for number, step in enumerate(steps, 1)]
    assert out.rstrip().endswith(f"{summary(steps)}.")
