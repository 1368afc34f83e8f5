"""False claims of a report on simulated runs: a few cells again, and the committed results."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from studies.document import region
from studies.reports import FORMS, REPORTS, count, drawn, is_held
from studies.simulation import PAGE, RESULTS


def test_all_strategies_have_their_true_means_whatever_their_forms() -> None:
    truth = np.array([0.0, 0.1, 0.2, 0.0])
    for forms in FORMS:
        log_s = drawn(np.random.default_rng(1), truth, 20_000, 3, 0.3, forms, shared=True)
        means = log_s.mean(axis=(1, 2))
        assert means - means.mean() == pytest.approx(truth - truth.mean(), abs=0.02)


def test_few_reports_on_equal_strategies_have_a_false_claim() -> None:
    """Ten of a hundred at most where five are promised (99% of such counts)."""
    cells = [cell for cell in REPORTS.cells if cell["puzzles"] == 20 and cell["forms"] == "1 in 10 x7.4"]
    assert len(cells) == 6
    for number, cell in enumerate(cells[::3]):
        [row] = count(np.random.default_rng(number), 100, **cell)
        assert row["with_a_false_claim"] <= 10, cell


def test_a_slower_copy_is_found_among_copies() -> None:
    [cell] = [cell for cell in REPORTS.cells if cell["slower"] == 0.1 and cell["strategies"] == 15]
    [row] = count(np.random.default_rng(1), 20, **cell)
    assert row["found"] >= 15
    assert 1.02 < row["findable"] < 1.1


def test_the_committed_results_hold_and_the_methodology_shows_them() -> None:
    table = pd.read_csv(RESULTS / REPORTS.file)
    assert len(table) == len(REPORTS.cells)
    assert is_held(table)
    assert not math.isnan(table["bias"].abs().max())
    assert REPORTS.markdown is not None
    assert region(PAGE, "reports") == REPORTS.markdown(table).strip()
