"""The grid: its blocks name strategies that exist, its puzzles can be made again, and its tables follow from times."""

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
    Crossed,
    behind,
    effect_rows,
    finishing,
    map_rows,
    place,
    share_rows,
    store,
    telling,
)
from sudoku_bench.bench.verdicts.pairs.evidence import turned
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.solvers import registry

SMALL = Block("small", {"encoding": ("complete+pairwise", "log"), "engine": ("@glucose4", "@minisat22")}, ("size4",))
LEVELS = {"encoding": ("complete", "minimal"), "scheme": ("+pairwise", "+heule"), "engine": ("@a", "@b")}
THREE = Block("three", LEVELS, ())
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
    log_s = np.log(np.array([[1.0, 1.01], [4.0, 2.0]]))[:, :, None, None] + np.zeros((2, 2, 5, 3))
    censored = np.zeros(log_s.shape, dtype=bool)
    censored[1, 0, 0] = True
    crossed = Crossed(SMALL, log_s, censored)
    rows = [row if row["b"] == BEST else turned(row) for row in PAIRS.to_dict("records")]
    against = pd.DataFrame([row for row in rows if row["b"] == BEST])
    table = pd.DataFrame(map_rows(crossed, against, BEST))
    assert list(table["standing"]) == [FASTEST, TIED, SLOWER, SLOWER]
    assert table["behind"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert table["unfinished"].tolist() == [0, 0, 3, 0]
    assert table["median_s"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert list(table["encoding"]) == ["complete+pairwise", "complete+pairwise", "log", "log"]


def test_a_bound_stays_a_bound() -> None:
    found = behind(pair(LAST, BEST, "b_faster", 2.0) | {"at_least": 1 / 0.6})
    assert found["behind"] == pytest.approx(2)
    assert found["behind_lo"] < 2 < found["behind_hi"]
    assert found["behind_at_least"] == pytest.approx(1 / 0.6)


def test_kept_pairs_differ_in_one_factor_or_involve_the_fastest() -> None:
    kept = telling(SMALL, PAIRS, HALF)
    assert list(kept) == list(PAIR_COLUMNS)
    left_out = {*zip(PAIRS["a"], PAIRS["b"], strict=True)} - {*zip(kept["a"], kept["b"], strict=True)}
    assert left_out == {(LAST, BEST)}  # opposite corners


def test_the_effects_of_a_block_carry_the_names_of_its_levels() -> None:
    log_s = np.random.default_rng(1).standard_normal((2, 2, 20, 3)) * 0.1
    log_s[1] += 1
    rows = effect_rows(Crossed(SMALL, log_s, np.zeros(log_s.shape, dtype=bool)))
    lows = {(row["encoding"], row["engine"]): row["ratio_lo"] for row in rows}
    assert len(lows) == 2 + 2 + 4
    assert lows["", "glucose4"] < 1 < 1.5 < lows["log", ""]


def test_three_factors_have_three_kinds_of_levels_and_of_pairs() -> None:
    log_s = np.zeros((2, 2, 2, 6, 3))
    log_s[1] += 1
    log_s[:, 1, 1] += 1
    crossed = Crossed(THREE, log_s, np.zeros(log_s.shape, dtype=bool))
    rows = pd.DataFrame(effect_rows(crossed))
    named = (rows[["encoding", "scheme", "engine"]] != "").sum(axis=1)
    assert named.value_counts().to_dict() == {1: 6, 2: 12}
    shares = {row["factors"]: row["share"] for row in share_rows(crossed)}
    assert shares["encoding"] == pytest.approx(0.25 / (0.25 + 3 / 16))
    assert shares["scheme x engine"] == pytest.approx((1 / 16) / (0.25 + 3 / 16))
    assert shares["encoding x scheme"] == pytest.approx(0)


def test_an_encoding_that_hardly_finishes_is_left_out_of_the_effects() -> None:
    log_s = np.zeros((2, 2, 6, 3))
    censored = np.zeros(log_s.shape, dtype=bool)
    assert finishing(Crossed(SMALL, log_s, censored)).block == SMALL
    censored[1, 0, :4, 0] = True
    kept, log_s, censored = finishing(Crossed(SMALL, log_s, censored))
    assert kept.factors == {"encoding": ("complete+pairwise",), "engine": SMALL.factors["engine"]}
    assert log_s.shape == censored.shape == (1, 2, 6, 3)


def test_a_block_replaces_its_own_rows_only(tmp_path: Path) -> None:
    for block, share in (("12x12", 0.1), ("9x9", 0.2), ("12x12", 0.3)):
        store({"shares": pd.DataFrame([{"share": share, "collection": "easy", "block": block}])}, tmp_path)
    table = pd.read_csv(tmp_path / "grid-shares.csv")
    assert table.to_dict("list") == {"block": ["9x9", "12x12"], "collection": ["easy", "easy"], "share": [0.2, 0.3]}
