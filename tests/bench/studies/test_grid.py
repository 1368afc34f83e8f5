"""The grid: its blocks name strategies that exist, its puzzles can be made again, and its tables follow from times."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench.studies import grid_puzzles
from bench.studies.grid import (
    BLOCKS,
    FASTEST,
    PAIR_COLUMNS,
    PUZZLES,
    SLOWER,
    TIED,
    Block,
    Crossed,
    behind,
    effect_rows,
    fastest,
    finishing,
    map_rows,
    place,
    share_rows,
    store,
    telling,
)
from datasets.collections import catalogue
from datasets.reading.reader import load_file
from datasets.search import solve
from datasets.shape import Shape
from solvers import registry

SMALL = Block("small", {"encoding": ("complete+pairwise", "log"), "engine": ("@glucose4", "@minisat22")}, ("size4",))
LEVELS = {"encoding": ("complete", "minimal"), "scheme": ("+pairwise", "+heule"), "engine": ("@a", "@b")}
THREE = Block("three", LEVELS, ())
BEST, NEAR, HALF, LAST = SMALL.cells


def pair(a: str, b: str, verdict: str, ratio: float) -> dict[str, object]:
    interval = {"ratio": ratio, "ratio_lo": ratio / 1.1, "ratio_hi": ratio * 1.1, "at_least": np.nan, "at_most": np.nan}
    decided = {"decided_lo": ratio / 1.2, "decided_hi": ratio * 1.2, "p_holm": 0.01, "margin": 0.05, "family": 6}
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


@pytest.mark.parametrize("name", grid_puzzles.NAMES)
def test_the_puzzles_of_the_grid_are_of_their_kind(name: str) -> None:
    puzzles = [item.puzzle for item in load_file(PUZZLES / f"{name}.txt")]
    if name == grid_puzzles.SEVERAL:
        assert len(puzzles) == grid_puzzles.NUMBER_SEVERAL
        assert all(len(solve(puzzle, limit=2).solutions) == 2 for puzzle in puzzles)
    else:
        assert len(puzzles) == grid_puzzles.NUMBER
        assert {(puzzle.shape, puzzle.clues) for puzzle in puzzles} == {grid_puzzles.FILLINGS[name]}


def test_boards_are_made_again_as_they_are_and_every_removed_clue_was_implied() -> None:
    stored = load_file(PUZZLES / "16x16-105.txt")
    assert next(grid_puzzles.boards(*grid_puzzles.FILLINGS["16x16-105"])) == stored[0].puzzle
    for puzzle in islice(grid_puzzles.boards(Shape(2, 2), 6), 3):
        assert puzzle.clues == 6
        assert len(solve(puzzle, limit=2).solutions) == 1


def test_the_map_names_the_fastest_and_what_the_run_could_not_tell_from_it() -> None:
    log_s = np.log(np.array([[1.0, 1.01], [4.0, 2.0]]))[:, :, None, None] + np.zeros((2, 2, 5, 3))
    censored = np.zeros(log_s.shape, dtype=bool)
    censored[1, 0, 0] = True
    crossed = Crossed(SMALL, log_s, censored)
    best = fastest(crossed, PAIRS)
    table = pd.DataFrame(map_rows(crossed, PAIRS, best))
    assert best == BEST
    assert list(table["standing"]) == [FASTEST, TIED, SLOWER, SLOWER]
    assert table["behind"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert table["unfinished"].tolist() == [0, 0, 3, 0]
    assert table["median_s"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert list(table["encoding"]) == ["complete+pairwise", "complete+pairwise", "log", "log"]


def test_a_bound_stays_a_bound_whichever_of_the_two_comes_first() -> None:
    row = pair(BEST, LAST, "a_faster", 0.5) | {"at_most": 0.6}
    found = behind(row, BEST)
    assert found["behind"] == pytest.approx(2)
    assert found["behind_lo"] < 2 < found["behind_hi"]
    assert found["behind_at_least"] == pytest.approx(1 / 0.6)
    assert behind(pair(LAST, BEST, "b_faster", 2.0) | {"at_least": 1 / 0.6}, BEST) == pytest.approx(found)


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
