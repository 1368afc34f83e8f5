"""The grid: its blocks name strategies that exist, and its tables follow from times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from studies.grid import (
    BLOCKS,
    FASTEST,
    PAIR_COLUMNS,
    SLOWER,
    TIED,
    Block,
    map_rows,
    place,
    store,
    telling,
)
from sudoku_bench.bench.verdicts.pairs.evidence import turned
from sudoku_bench.bench.verdicts.times import Times
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.solvers import registry

SMALL = Block("small", {"encoding": ("complete+pairwise", "log"), "engine": ("@glucose4", "@minisat22")}, ("size4",))
BEST, NEAR, HALF, LAST = SMALL.cells


def pair(a: str, b: str, verdict: str, ratio: float) -> dict[str, object]:
    interval = {"ratio": ratio, "ratio_lo": ratio / 1.1, "ratio_hi": ratio * 1.1, "at_least": np.nan, "at_most": np.nan}
    decided = {"ratio_lo": ratio / 1.2, "ratio_hi": ratio * 1.2, "p_holm": 0.01, "margin": 0.05, "family": 6}
    counts = {"n_puzzles": 5, "n_censored": 0, "wins": 5, "ties": 0, "losses": 0}
    facts = {"collection": "size4", "clock": "cpu", "estimator": "geometric mean"}
    return {**facts, "a": a, "b": b, "verdict": verdict, **interval, **counts, **decided}


PAIRS = pd.DataFrame(
    [
        pair(BEST, NEAR, "indistinguishable", 1 / 1.01),
        pair(BEST, HALF, "a_faster", 1 / 4),
        pair(LAST, BEST, "b_faster", 2.0),
        pair(NEAR, HALF, "a_faster", 1 / 4),
        pair(NEAR, LAST, "a_faster", 1 / 2),
        pair(LAST, HALF, "a_faster", 1 / 2),
    ]
)


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_is_a_product_of_strategies_on_known_puzzles(block: Block) -> None:
    registry.load_builtin()
    assert len(block.cells) == np.prod([len(levels) for levels in block.factors.values()])
    for name in block.cells:
        assert registry.get(registry.canonical(name)).name == name
    for name in block.datasets:
        assert name in catalogue.entries() or place(name).endswith(f"{name}.txt")


def test_the_map_names_the_fastest_and_what_the_run_could_not_tell_from_it() -> None:
    log_s = np.log([1.0, 1.01, 4.0, 2.0])[:, None, None] + np.zeros((4, 5, 3))
    censored = np.zeros(log_s.shape, dtype=bool)
    censored[2, 0] = True
    times = Times(tuple(SMALL.cells), tuple("abcde"), tuple((1, number) for number in range(3)), log_s, censored)
    rows = [row if row["b"] == BEST else turned(row) for row in PAIRS.to_dict("records")]
    against = pd.DataFrame([row for row in rows if row["b"] == BEST])
    table = pd.DataFrame(map_rows(SMALL, times, against, BEST))
    assert list(table["standing"]) == [FASTEST, TIED, SLOWER, SLOWER]
    assert table["behind"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert table["unfinished"].tolist() == [0, 0, 3, 0]
    assert table["median_s"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert list(table["encoding"]) == ["complete+pairwise", "complete+pairwise", "log", "log"]


def test_kept_pairs_differ_in_one_factor_or_involve_the_fastest() -> None:
    kept = telling(SMALL, PAIRS, HALF)
    assert list(kept) == list(PAIR_COLUMNS)
    left_out = {*zip(PAIRS["a"], PAIRS["b"], strict=True)} - {*zip(kept["a"], kept["b"], strict=True)}
    assert left_out == {(LAST, BEST)}  # opposite corners


def test_a_block_replaces_its_own_rows_only(tmp_path: Path) -> None:
    for block, share in (("12x12", 0.1), ("9x9", 0.2), ("12x12", 0.3)):
        store({"map": pd.DataFrame([{"solves": share, "collection": "easy", "block": block}])}, tmp_path)
    table = pd.read_csv(tmp_path / "grid-map.csv")
    assert table.to_dict("list") == {"block": ["9x9", "12x12"], "collection": ["easy", "easy"], "solves": [0.2, 0.3]}
