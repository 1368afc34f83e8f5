"""The blocks of the guide: they name strategies that exist, and their tables follow from the times of phases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from studies.grid import BASE, BEST, BLOCKS, CLOCKS, COMPILED, SEARCH, SOLVE, Block, analyse, place, store
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.solvers import registry
from tests.bench.verdicts.simulated_runs import a_run

WAY, OTHER = "@glucose4", "@minisat22"
SMALL = Block("9x9-easy", {WAY: (BASE, "log", "augmented"), OTHER: (BASE, "log")}, "size4")


def measured(block: Block = SMALL) -> Run:
    """Return a run in which `log` takes twice as long as the others to load, and half as long to search."""
    is_log = np.array(["log" in name for name in block.strategies])[:, None, None]
    noise = np.exp(0.02 * np.random.default_rng(1).standard_normal((len(block.strategies), 20, 3)))
    load_s, search_s = np.where(is_log, 2.0, 1.0) * noise, np.where(is_log, 0.05, 0.1) * noise
    phases = {CLOCKS[SEARCH]: search_s.ravel(), CLOCKS["load"]: load_s.ravel()}
    run = a_run(load_s + search_s, block.strategies, np.ones(20), **phases)
    run.manifest.update(planned_rows=len(run.measurements), started="2026-11-29T03:10:00", packages={})
    run.puzzles["group"] = range(20)
    return run


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_compares_strategies_that_exist_on_known_puzzles(block: Block) -> None:
    registry.load_builtin()
    for name in block.strategies:
        assert registry.get(registry.canonical(name)).name == name
    assert all(BASE in encodings and len(set(encodings)) == len(encodings) for encodings in block.ways.values())
    assert block.dataset in catalogue.entries() or place(block.dataset).endswith(f"{block.dataset}.txt")


def test_ratios_of_each_phase_are_to_the_base_and_to_the_best_of_the_same_way() -> None:
    tables = analyse(SMALL, measured())
    rows = tables["ratios"].set_index(["way", "encoding", "clock"])
    assert len(rows) == 5 * len(CLOCKS)
    for way in SMALL.ways:
        log = {clock: rows.loc[(way, "log", clock)] for clock in CLOCKS}
        assert [log[clock]["ratio"] for clock in CLOCKS] == pytest.approx([2.05 / 1.1, 2.0, 0.5], rel=0.03)
        assert [log[clock]["ratio_verdict"] for clock in CLOCKS] == ["b_faster", "b_faster", "a_faster"]
        assert log[SEARCH]["behind_verdict"] == BEST
        assert log[SOLVE]["behind_lo"] < log[SOLVE]["behind"] < log[SOLVE]["behind_hi"]
        assert rows.loc[(way, BASE, SOLVE), "ratio"] == 1.0
        assert rows.loc[(way, BASE, SEARCH), "median_s"] == pytest.approx(0.1, rel=0.03)
    assert tables["blocks"].iloc[0][["dataset", "puzzles", "independent"]].tolist() == ["size4", 20, 20]


def test_an_encoding_that_could_not_run_has_no_ratio() -> None:
    run = measured()
    run.measurements.loc[run.measurements["strategy"] == f"sat:log{OTHER}", ["status", "cpu_s"]] = "unsupported", np.nan
    rows = analyse(SMALL, run)["ratios"].set_index(["way", "encoding", "clock"])
    assert rows.loc[(OTHER, "log", SEARCH), ["ratio", "behind", "behind_verdict"]].isna().all()
    assert rows.loc[(WAY, "log", SEARCH), "behind_verdict"] == BEST


def test_a_block_replaces_its_own_rows_of_the_same_seed_only(tmp_path: Path) -> None:
    first, second, *_ = [name for name in BLOCKS if name != COMPILED]
    for block, seed, wrong in ((second, 1, 1), (first, 1, 2), (second, 2, 3), (second, 1, 4)):
        store({"blocks": pd.DataFrame([{"wrong": wrong, "block": block, "seed": seed}])}, tmp_path)
    table = pd.read_csv(tmp_path / "blocks.csv")
    assert table.to_dict("list") == {"seed": [1, 1, 2], "block": [first, second, second], "wrong": [2, 4, 3]}
