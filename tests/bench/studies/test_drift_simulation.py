"""Runs on a drifting machine: with the default anchors few false changes, as measured many."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
from scipy import stats

from bench.plan.suite import MARGIN
from bench.studies import drift_simulation
from bench.studies.drift_simulation import DEFAULT, NONE, Cell, cells, measured
from tests.conftest import TOP

CELL = Cell(DEFAULT, 4, 0.06, 0.05, 0.0, False)
DRAWS = 60


def test_drift_is_no_change_with_the_default_anchors() -> None:
    most = stats.binom.ppf(0.995, DRAWS, drift_simulation.MOST_FALSE) / DRAWS
    for strategies in (1, 4):
        cell = replace(CELL, strategies=strategies)
        shares = measured(cell, 0, DRAWS), measured(replace(cell, anchors=NONE), 0, DRAWS)
        assert shares[0]["false"] <= most
        assert shares[1]["false"] > 0.1
        assert math.isnan(shares[0]["found"])


def test_a_change_of_twenty_percent_is_found_also_if_it_is_hidden() -> None:
    for hidden in (False, True):
        share = measured(replace(CELL, drift=0.02, change=0.2, hidden=hidden), 0, DRAWS)
        assert share["found"] > 0.9
        assert share["false"] <= 0.1


def test_every_cell_is_drawn_once() -> None:
    every = list(cells())
    assert len(every) == len(set(every))
    assert {cell.drift for cell in every} == {0.0, 0.02, 0.04, 0.06}


def test_the_committed_study_is_complete_and_its_table_stands_in_the_methodology() -> None:
    table = pd.read_csv(TOP / "results" / "validation" / "compare_drift.csv")
    factors = list(Cell.__annotations__)
    pd.testing.assert_frame_equal(table[factors], pd.DataFrame(list(cells()))[factors])
    at_default = table[(table["anchors"] == DEFAULT) & (table["margin"] == MARGIN)]
    assert (at_default["false"] <= drift_simulation.MOST_FALSE).all()
    assert drift_simulation.markdown(table) in (TOP / "docs" / "methodology.md").read_text(encoding="utf-8")
