"""The pairing of strategies that are timed on equal and on different numbers of forms, on a subset of the study."""

from __future__ import annotations

import pandas as pd
import pytest

from bench.studies.sample_bias import DESIGNS, Cell, cells, is_unbiased, result
from tests.conftest import TOP

RESULTS = TOP / "results" / "validation" / "sample_bias.csv"


def test_one_form_each_is_unbiased_and_a_mean_against_one_form_is_not() -> None:
    table = pd.DataFrame([result(Cell(design, 0.5, 0.05), 0, 300) for design in DESIGNS]).set_index("design")
    assert table.loc["one form each", "ratio"] == pytest.approx(1, abs=0.02)
    assert table.loc["one form each", "coverage"] > 0.9
    assert table.loc["16 forms and one", "ratio"] == pytest.approx(1.124, abs=0.02)  # exp(0.25 / 2 * 15 / 16)
    assert table.loc["16 forms and one", "coverage"] < 0.8


def test_the_recorded_study_is_complete_and_accepts_equal_numbers_of_forms() -> None:
    recorded = pd.read_csv(RESULTS)
    assert [Cell(*row) for row in recorded[["design", "form", "clock"]].itertuples(index=False)] == list(cells())
    pd.testing.assert_series_equal(recorded["unbiased"], is_unbiased(recorded), check_names=False)
    alike = recorded["design"].isin(["one form each", "16 forms each"])
    assert recorded.loc[alike, "unbiased"].all()
    assert not recorded.loc[~alike & (recorded["form"] >= 0.3), "unbiased"].any()
