"""The study of decision rules: its benchmarks have the truth that they claim, and its results are those committed."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bench.studies import decision_rules
from bench.studies.decision_rules import CELLS, CHOSEN, Cell, Source, claims, count, drawn, pooled
from bench.verdicts.pairs import decision
from tests.conftest import TOP

RESULT = TOP / "results" / "validation" / "decision_rules.csv"
BEFORE = "until version 2: floor of the placebos"


def source(strategies: int = 8, puzzles: int = 20, seed: int = 1) -> Source:
    rng = np.random.default_rng(seed)
    taste = rng.exponential(0.2, (strategies, puzzles))
    deviation = 0.02 * rng.standard_normal((strategies, puzzles, 3))
    return Source(
        tuple("abcdefgh"[:strategies]),
        taste - taste.mean(axis=1, keepdims=True),
        deviation - deviation.mean(axis=2, keepdims=True),
        np.full(strategies, 0.01),
        ((0.01 * rng.standard_normal((15, 3)), 0.01),),
    )


def test_benchmarks_have_the_true_means_of_their_cell() -> None:
    cell = Cell("groups", math.log(1.2), 3, 1)
    rng = np.random.default_rng(2)
    parts = [drawn(source(), cell, rng) for _ in range(400)]
    means = np.mean([part.log_s.mean(axis=(1, 2)) for part in parts], axis=0)
    assert means == pytest.approx(parts[0].truth, abs=0.01)
    assert parts[0].equal.sum() == 4  # eight strategies in four groups
    assert np.mean([part.floor for part in parts]) > 0.005


def test_processes_are_shared_by_all_puzzles_of_a_replicate() -> None:
    quiet = dataclasses.replace(source(), deviation=np.zeros((8, 20, 3)), process=np.full(8, 0.1))
    log_s = drawn(quiet, Cell("equal", 0.0, 5, 1), np.random.default_rng(3)).log_s
    differences = log_s - log_s.mean(axis=2, keepdims=True)
    assert np.allclose(differences, differences[:, :1])
    assert differences.std() == pytest.approx(0.1, rel=0.3)


def test_a_rule_claims_the_differences_between_groups_and_few_others() -> None:
    rows = {row["rule"]: row for row in count([source()], Cell("groups", math.log(1.3), 3, 40), 0)}
    assert rows[CHOSEN]["true_claims"] > rows[BEFORE]["true_claims"] > 0
    assert rows[CHOSEN]["with_a_false_claim"] <= stats.binom.ppf(0.999, 40, 0.05)
    assert rows[CHOSEN]["different"] == 24


def test_the_pooled_variance_is_that_of_processes_if_all_vary_alike() -> None:
    rng = np.random.default_rng(4)
    found = [
        np.median(pooled(0.02 * rng.standard_normal((8, 1, 5)) + 0.01 * rng.standard_normal((8, 30, 5))).variance)
        for _ in range(50)
    ]
    assert np.mean(found) == pytest.approx(2 * 0.02**2 / 5, rel=0.15)


def test_claims_are_corrected_over_all_collections() -> None:
    cell = Cell("equal", 0.0, 3, 1)
    parts = [drawn(source(seed=seed), cell, np.random.default_rng(seed)) for seed in (5, 6)]
    estimates = decision_rules.of_means(parts, decision_rules.own_variances(parts))
    result = claims(estimates, [20, 20], decision.holm)
    alone = [claims([part], [20], decision.holm)[0] for part in estimates]
    assert [len(part) for part in result] == [28, 28]
    assert all((one <= other).all() for one, other in zip(result, alone, strict=True))


def test_the_committed_study_is_complete_and_the_rule_in_use_holds() -> None:
    table = pd.read_csv(RESULT)
    assert list(table["cell"].unique()) == [cell.name for cell in CELLS]
    assert table.groupby("cell")["rule"].nunique().eq(10).all()
    chosen = table[table["rule"] == CHOSEN].set_index("cell")
    allowed = stats.binom.ppf(0.975, chosen["benchmarks"], decision.ALPHA)
    assert (chosen["with_a_false_claim"] <= allowed).all()
    before = table[table["rule"] == BEFORE].set_index("cell")
    groups = chosen["different"] > 0
    assert (chosen["true_claims"][groups] >= 1.85 * before["true_claims"][groups]).all()
    page = (TOP / "docs" / "methodology.md").read_text(encoding="utf-8")
    for (cell, rule), row in table.groupby(["cell", "rule"]):
        if cell != "groups of equals, 20% apart":
            continue
        line = row.iloc[0]
        share, benchmarks = line["with_a_false_claim"] / line["benchmarks"], line["benchmarks"]
        assert benchmarks >= 100
        assert f"| {rule} | {share:.1%} |" in page
        assert f"| {line['true_claims']:.0f} of {line['different']} |" in page
