"""The grid: its blocks name strategies that exist, its puzzles can be made again, and its tables follow from times."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench.studies import grid_puzzles
from bench.studies.encoding_grid import (
    FASTEST,
    SLOWER,
    TIED,
    behind,
    effect_rows,
    finishing,
    map_rows,
    share_rows,
    store,
    telling,
)
from bench.studies.grid_blocks import BLOCKS, PUZZLES, Block, place
from datasets.collections import catalogue
from datasets.reading.reader import load_file
from datasets.search import solve
from datasets.shape import Shape
from solvers import registry

SMALL = Block("small", {"encoding": ("complete+pairwise", "log"), "engine": ("@glucose4", "@minisat22")}, ("size4",))
THREE = Block(
    "three", {"encoding": ("complete", "minimal"), "scheme": ("+pairwise", "+heule"), "engine": ("@a", "@b")}, ()
)  # fmt: skip


def pair(a: str, b: str, verdict: str, ratio: float) -> dict[str, object]:
    facts = {"collection": "size4", "clock": "cpu", "a": a, "b": b, "verdict": verdict, "ratio": ratio}
    return {
        **facts, "ratio_lo": ratio / 1.1, "ratio_hi": ratio * 1.1, "at_least": np.nan, "at_most": np.nan,
        "n_puzzles": 5, "estimator": "geometric mean", "n_censored": 0, "p_holm": 0.01, "family": 6, "margin": 0.05,
        "decided_lo": ratio / 1.2, "decided_hi": ratio * 1.2, "beyond_margin": "", "n_independent": 5,
        "wins": 5, "ties": 0, "losses": 0,
    }  # fmt: skip


BEST, NEAR, HALF, LAST = SMALL.strategies
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
    assert len(set(block.strategies)) == np.prod(block.sizes)
    for name in block.strategies:
        assert registry.get(registry.canonical(name)).name == name
    for name in block.datasets:
        assert name in catalogue.entries() or place(name).endswith(f"{name}.txt")
    assert block.suite.strategies == tuple(block.strategies)


@pytest.mark.parametrize("name", grid_puzzles.NAMES)
def test_the_puzzles_of_the_grid_are_of_their_kind(name: str) -> None:
    items = load_file(PUZZLES / f"{name}.txt")
    if name == grid_puzzles.SEVERAL:
        assert len(items) == grid_puzzles.NUMBER_SEVERAL
        assert all(len(solve(item.puzzle, limit=2).solutions) == 2 for item in items)
        return
    filling = grid_puzzles.FILLINGS[name]
    assert len(items) == grid_puzzles.NUMBER
    assert {(item.puzzle.shape, item.puzzle.clues) for item in items} == {(filling.shape, filling.clues)}


def test_boards_are_made_again_as_they_are() -> None:
    stored = load_file(PUZZLES / "16x16-105.txt")
    [first] = grid_puzzles.boards(grid_puzzles.FILLINGS["16x16-105"], 1)
    assert first == stored[0].puzzle


def test_every_clue_that_was_removed_was_implied() -> None:
    puzzles = grid_puzzles.boards(grid_puzzles.Filling(Shape(2, 2), 6), 3)
    assert all(puzzle.clues == 6 and len(solve(puzzle, limit=2).solutions) == 1 for puzzle in puzzles)


def test_the_map_names_the_fastest_and_what_the_run_could_not_tell_from_it() -> None:
    log_s = np.log(np.array([[1.0, 1.01], [4.0, 2.0]]))[:, :, None, None] + np.zeros((2, 2, 5, 3))
    censored = np.zeros(log_s.shape, dtype=bool)
    censored[1, 0, 0] = True
    table = pd.DataFrame(map_rows(SMALL, log_s, censored, PAIRS))
    assert list(table["standing"]) == [FASTEST, TIED, SLOWER, SLOWER]
    assert table["behind"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert table["unfinished"].tolist() == [0, 0, 3, 0]
    assert table["median_s"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert list(table["encoding"]) == ["complete+pairwise", "complete+pairwise", "log", "log"]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_bound_stays_a_bound_whichever_of_the_two_comes_first(swapped: bool) -> None:
    row = pair(BEST, LAST, "a_faster", 0.5) | {"at_least": np.nan, "at_most": 0.6}
    if swapped:
        row = pair(LAST, BEST, "b_faster", 2.0) | {"at_least": 1 / 0.6, "at_most": np.nan}
    found = behind(row, BEST)
    assert found["behind"] == pytest.approx(2)
    assert found["behind_lo"] < 2 < found["behind_hi"]
    assert found["behind_at_least"] == pytest.approx(1 / 0.6)


def test_kept_pairs_differ_in_one_factor_or_involve_the_fastest() -> None:
    kept = telling(SMALL, PAIRS, HALF)
    assert len(kept) == 5  # not NEAR and LAST's opposite corner
    assert {frozenset(names) for names in zip(kept["a"], kept["b"], strict=True)} == {
        frozenset(names) for names in ((BEST, NEAR), (BEST, HALF), (NEAR, HALF), (NEAR, LAST), (LAST, HALF))
    }


def test_the_effects_of_a_block_carry_the_names_of_its_levels() -> None:
    rng = np.random.default_rng(1)
    log_s = rng.standard_normal((2, 2, 20, 3)) * 0.1
    log_s[1] += 1
    table = pd.DataFrame(effect_rows(SMALL, log_s, np.zeros(log_s.shape, dtype=bool)))
    levels = table.set_index(["encoding", "engine"])
    assert levels.loc[("log", ""), "ratio_lo"] > 1.5
    assert levels.loc[("", "glucose4"), "ratio_lo"] < 1 < levels.loc[("", "glucose4"), "ratio_hi"]
    assert len(table) == 2 + 2 + 4


def test_three_factors_have_three_kinds_of_levels_and_of_pairs() -> None:
    log_s = np.zeros((2, 2, 2, 6, 3))
    log_s[1] += 1
    log_s[:, 1, 1] += 1
    censored = np.zeros(log_s.shape, dtype=bool)
    rows = pd.DataFrame(effect_rows(THREE, log_s, censored))
    named = (rows[["encoding", "scheme", "engine"]] != "").sum(axis=1)
    assert named.value_counts().to_dict() == {1: 6, 2: 12}
    shares = {row["factors"]: row["share"] for row in share_rows(THREE, log_s, censored)}
    assert shares["encoding"] == pytest.approx(0.25 / (0.25 + 3 / 16))
    assert shares["scheme x engine"] == pytest.approx((1 / 16) / (0.25 + 3 / 16))
    assert shares["encoding x scheme"] == pytest.approx(0)


def test_an_encoding_that_hardly_finishes_is_left_out_of_the_effects() -> None:
    log_s = np.zeros((2, 2, 6, 3))
    censored = np.zeros(log_s.shape, dtype=bool)
    assert finishing(SMALL, log_s, censored)[0] == SMALL
    censored[1, 0, :4, 0] = True
    kept, log_s, censored = finishing(SMALL, log_s, censored)
    assert kept.factors == {"encoding": ("complete+pairwise",), "engine": SMALL.factors["engine"]}
    assert log_s.shape == censored.shape == (1, 2, 6, 3)


def test_a_block_replaces_its_own_rows_only(tmp_path) -> None:
    def rows(block: str, share: float) -> pd.DataFrame:
        return pd.DataFrame([{"share": share, "collection": "easy", "block": block}])

    for block, share in (("12x12", 0.1), ("9x9", 0.2), ("12x12", 0.3)):
        store({"shares": rows(block, share)}, tmp_path)
    table = pd.read_csv(tmp_path / "grid-shares.csv")
    assert table.to_dict("list") == {"block": ["9x9", "12x12"], "collection": ["easy", "easy"], "share": [0.2, 0.3]}
