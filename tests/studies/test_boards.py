"""Other boards: blocks name strategies that exist, and the page follows from the rows of a run."""

from __future__ import annotations

import lzma
import random
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from studies import boards, grid
from studies.boards import BLOCKS, PAGE, Block
from studies.document import region
from sudoku_bench.bench.verdicts.difficulty.fields import Field
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import Unsupported, prepared

FAST = ("bitboard:cells", "sat:complete+pairwise@glucose4")


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_names_a_collection_and_strategies_that_take_its_boards(block: Block) -> None:
    shape = Shape.of_size(5, "latin")  # formulas of order 30 take seconds
    if not block.holes:
        shape = load(block.collection).items[0].puzzle.shape
    elif block.collection != "latin30":
        shape = Shape(2, 2)
    registry.load_builtin()
    for pattern in block.strategies:
        for name in registry.expanded(pattern):
            try:
                prepared(registry.get(registry.canonical(name)), shape)
            except Unsupported as reason:
                pytest.fail(f"{name}: {reason}")


@pytest.mark.parametrize("name", ["latin30", "random25"])
def test_points_have_the_holes_that_they_say_and_a_completion(name: str) -> None:
    holes = BLOCKS[name].holes
    assert holes
    for point in holes.points:
        full, holed = holes.make(point, random.Random(1))
        assert not list(full.clashes())
        assert full.clues == full.shape.n_cells
        assert all(clue in (0, value) for clue, value in zip(holed.cells, full.cells, strict=True))
        n, number = full.shape.size, full.clues - holed.clues
        assert number == round(point * n**1.55 if name == "latin30" else point / 100 * n**2)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "boards.md"
    shutil.copy(PAGE, path)
    for name, value in {"PAGE": path, "STORE": tmp_path, "RUNS": tmp_path / "RUNS", "ROWS": tmp_path / "ROWS"}.items():
        monkeypatch.setattr(boards, name, value)
    return path


@pytest.mark.thorough
def test_the_page_follows_from_the_rows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BLOCKS", {"x": Block("x", "Diagonals", FAST)})
    monkeypatch.setattr(boards, "FAR", np.inf)
    monkeypatch.setattr(grid, "TOP", tmp_path)
    boards.measure_blocks("x")
    stored = tmp_path / "ROWS" / "x"
    assert str(tmp_path) not in lzma.decompress((stored / "manifest.json.xz").read_bytes()).decode()
    assert grid.unpacked(stored).edited == ()
    text = region(page, "blocks")
    assert "60 puzzles of `x`." in text
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows] == [f"`{name}`" for name in FAST]
    assert rows[0][2:] == ["–", "–"]
    assert rows[1][3] == "slower"
    before = page.read_text(encoding="utf-8")
    boards.write()
    assert page.read_text(encoding="utf-8") == before
    monkeypatch.setattr(boards, "FAR", 0)
    boards.write()
    assert "\n\n- 1 more strategy takes over 0 times as long as the best.\n- " in region(page, "blocks")


@pytest.mark.thorough
def test_points_rank_by_solved_puzzles_and_are_drawn(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "ORDER", 9)
    monkeypatch.setattr(boards, "EACH", 16)
    easy = boards.Holes(boards.latin, (0.8, 1.2), "holes / n^1.55")
    monkeypatch.setattr(boards, "BLOCKS", {"latin9": Block("latin9", "Squares", FAST, (boards.RATIO,), easy)})
    boards.measure_blocks()
    text = region(page, "blocks")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith(("| 0.8", "| 1.2"))]
    assert [row[0] for row in rows] == ["0.8", "1.2"]
    assert {row[1].partition(" ")[0] for row in rows} <= {f"`{name}`" for name in FAST}
    assert all(" to " in row[1] for row in rows)
    assert (tmp_path / "latin9.png").read_bytes().startswith(b"\x89PNG")


def test_holes_count_up_to_the_peak_and_clues_from_there_on() -> None:
    items = load("latin30").items
    puzzles = pd.DataFrame({"puzzle": [item.name for item in items], "clues": [item.puzzle.clues for item in items]})
    none = np.zeros((0, len(items), 1))
    field = Field(30, (), puzzles, none, none > 0, np.arange(len(items)), np.zeros(len(items), bool), frozenset())
    placed = BLOCKS["latin30"].placed(field).puzzles
    ratio = np.array([900 - item.puzzle.clues for item in items]) / 30**1.55
    assert placed["ratio"].notna().tolist() == (ratio < 1.71).tolist()
    assert placed["filled"].notna().tolist() == (ratio > 1.69).tolist()
    assert placed["ratio"].max() == pytest.approx(1.7, abs=0.003)
