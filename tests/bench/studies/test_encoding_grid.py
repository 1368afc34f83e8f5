"""The grid: its blocks name strategies that exist, and its tables follow from times."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench.studies.encoding_grid import BLOCKS, Block, effects_table, map_table
from datasets.collections import catalogue
from solvers import registry

SMALL = Block("small", ("complete+pairwise", "log"), ("glucose4", "minisat22"), ("size4",), 20)


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_is_a_product_of_strategies_on_known_collections(block: Block) -> None:
    registry.load_builtin()
    assert len(set(block.strategies)) == len(block.models) * len(block.engines)
    for name in block.strategies:
        assert registry.get(registry.canonical(name)).name == name
    assert set(block.datasets) <= set(catalogue.entries())
    assert block.suite.strategies == tuple(block.strategies)


def test_the_map_names_the_fastest_and_what_the_run_could_not_tell_from_it() -> None:
    log_s = np.log(np.array([[1.0, 1.01], [4.0, 2.0]]))[:, :, None, None] + np.zeros((2, 2, 5, 3))
    censored = np.zeros(log_s.shape, dtype=bool)
    censored[1, 0, 0] = True
    best, *others = SMALL.strategies
    verdicts = dict(zip(others, ["indistinguishable", "a_faster", "a_faster"], strict=True))
    pairs = pd.DataFrame([{"a": best, "b": name, "verdict": verdict} for name, verdict in verdicts.items()])
    table = map_table(SMALL, log_s, censored, pairs)
    assert list(table["standing"]) == ["best", "tied", "slower", "slower"]
    assert table["behind"].tolist() == pytest.approx([1, 1.01, 4, 2])
    assert table["unfinished"].tolist() == [0, 0, 3, 0]


def test_the_effects_of_a_block_carry_the_names_of_its_levels() -> None:
    rng = np.random.default_rng(1)
    log_s = rng.standard_normal((2, 2, 20, 3)) * 0.1
    log_s[1] += 1
    table = effects_table(SMALL, log_s, np.zeros(log_s.shape, dtype=bool))
    levels = table.set_index(["model", "engine"])
    assert levels.loc[("log", ""), "ratio_lo"] > 1.5
    assert levels.loc[("", "glucose4"), "ratio_lo"] < 1 < levels.loc[("", "glucose4"), "ratio_hi"]
    assert len(table) == 2 + 2 + 4
