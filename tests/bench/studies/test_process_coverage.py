"""Coverage where processes vary unequally, on a few cells, and the committed results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench.studies.process_coverage import KINDS, PROCESS, Cell, cells, coverage, drawn
from tests.conftest import TOP

RESULT = TOP / "results" / "validation" / "process_coverage.csv"


def test_wild_strategies_have_the_stated_ratio_of_variances() -> None:
    log_s, process = drawn(Cell(4, 2, 4, 5, 10, 0.0, 0.0), 3000, np.random.default_rng(1))
    spread = log_s[:, :, 0].std(axis=(0, 2))
    assert spread == pytest.approx(process, rel=0.05)
    assert process / PROCESS == pytest.approx([2, 2, 1, 1])


@pytest.mark.slow
@pytest.mark.parametrize("cell", [Cell(12, 2, 4, 5, 15, 0.02, 0.05), Cell(2, 1, 4, 5, 15, 0.02, 0.05)], ids=str)
def test_intervals_of_every_kind_of_pair_hold_the_truth(cell: Cell) -> None:
    for row in coverage(cell, 0, 1000):
        assert 0.925 <= row["held"] <= 0.975, row


def test_the_committed_study_is_complete() -> None:
    table = pd.read_csv(RESULT)
    expected = pd.DataFrame(list(cells()))
    factors = list(expected.columns)
    assert len(table[factors].drop_duplicates()) == len(expected)
    assert set(table["pair"]) == set(KINDS)
    assert table["held"].min() > 0.85
    page = (TOP / "docs" / "methodology.md").read_text(encoding="utf-8")
    for (times, pair), group in table.groupby(["times", "pair"]):
        held = f"{group['held'].min():.1%} to {group['held'].max():.1%}"
        assert f"| 1:{times}, {pair} | {held} | {group['width'].median():.2f} |" in page
