"""Other boards: blocks name strategies that exist, and the page follows from the rows of a run."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from studies import boards
from studies.boards import BLOCKS, ORDERS, PAGE, Block
from studies.document import region
from sudoku_bench.bench.verdicts.difficulty.fields import Field
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import Unsupported, prepared

SMALL = Block("x", "Diagonals", ("bitboard:cells", "sat:complete+pairwise@glucose4"), sample=12)


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_names_a_collection_with_rungs_and_strategies_that_take_its_boards(block: Block) -> None:
    shape = Shape.of_size(5, "latin")  # formulas of order 40 take seconds
    if block.collection != ORDERS:
        first = load(block.collection).items[0].puzzle.shape
        shape = shape if first.layout == "latin" else first
        assert len(boards.ladder(block.collection, pd.DataFrame())["rung"].unique()) >= 4
    registry.load_builtin()
    for pattern in block.strategies:
        for name in registry.expanded(pattern):
            try:
                prepared(registry.get(registry.canonical(name)), shape)
            except Unsupported as reason:
                pytest.fail(f"{name}: {reason}")


@pytest.mark.thorough
def test_the_page_follows_from_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "boards.md"
    shutil.copy(PAGE, page)
    for name, value in {"PAGE": page, "BLOCKS": {"x": SMALL}}.items():
        monkeypatch.setattr(boards, name, value)
    for name in ("RUNS", "ROWS"):
        monkeypatch.setattr(boards, name, tmp_path / name)
    monkeypatch.setattr(boards, "FAR", np.inf)
    boards.measure_blocks("x")
    answer = region(page, "answers").splitlines()
    assert len(answer) == 3
    assert "`bitboard:cells`" in answer[-1]
    text = region(page, "blocks")
    assert "12 puzzles of `x`." in text
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows] == ["`bitboard:cells`", "`sat:complete+pairwise@glucose4`"]
    assert rows[0][2:] == ["–", "–"]
    assert rows[1][3] == "too few puzzles"
    before = page.read_text(encoding="utf-8")
    boards.write()
    assert page.read_text(encoding="utf-8") == before
    monkeypatch.setattr(boards, "FAR", 0)
    boards.write()
    assert "\n\n- 1 more strategy takes over 0 times as long as the best.\n- " in region(page, "blocks")


def test_holes_count_up_to_the_peak_and_cells_from_there_on() -> None:
    items = load("latin30").items
    puzzles = pd.DataFrame({"puzzle": [item.name for item in items], "clues": [item.puzzle.clues for item in items]})
    none = np.zeros((0, len(items), 1))
    field = Field(30, (), puzzles, none, none > 0, np.arange(len(items)), np.zeros(len(items), bool), frozenset())
    placed = BLOCKS["latin30"].placed(field).puzzles
    ratio = np.array([900 - item.puzzle.clues for item in items]) / 30**1.55
    assert placed["holes"].notna().tolist() == (ratio < 1.71).tolist()
    assert placed["filled"].notna().tolist() == (ratio > 1.69).tolist()
    both = placed.dropna(subset=["holes", "filled"])
    assert (both["holes"] + both["filled"]).tolist() == pytest.approx([100] * 8)
    assert placed["conflicts"].max() <= 20_000
