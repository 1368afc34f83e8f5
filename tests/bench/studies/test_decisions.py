"""Rules of decision: benchmarks have the truth that they claim, and the methodology shows the committed results."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bench.studies import decisions
from bench.studies.decisions import CHOSEN, MODELS, Model, Placebo, Source, claims, count, drawn, pooled
from bench.studies.simulation import PAGE, RESULTS, within_level
from bench.verdicts.pairs import decision

BEFORE = "until version 2: floor of the placebos"


def source(seed: int = 1) -> Source:
    rng = np.random.default_rng(seed)
    taste = rng.exponential(0.2, (8, 20))
    deviation = 0.02 * rng.standard_normal((8, 20, 3))
    placebo = Placebo(0.01 * rng.standard_normal((15, 3)), 0.01)
    own = taste - taste.mean(axis=1, keepdims=True), deviation - deviation.mean(axis=2, keepdims=True)
    return Source(*own, np.full(8, 0.01), (placebo,))


def test_benchmarks_have_the_true_means_of_their_model() -> None:
    rng = np.random.default_rng(2)
    parts = [drawn(source(), Model(math.log(1.2), 3), rng) for _ in range(400)]
    means = np.mean([part.log_s.mean(axis=(1, 2)) for part in parts], axis=0)
    assert means == pytest.approx(parts[0].truth, abs=0.01)
    assert parts[0].equal.sum() == 4  # eight strategies in four groups
    assert np.mean([part.floor for part in parts]) > 0.005
    quiet = dataclasses.replace(source(), deviation=np.zeros((8, 20, 3)), process=np.full(8, 0.1))
    log_s = drawn(quiet, Model(0.0, 5), rng).log_s
    processes = log_s - log_s.mean(axis=2, keepdims=True)
    assert np.allclose(processes, processes[:, :1])  # shared by all puzzles
    assert processes.std() == pytest.approx(0.1, rel=0.3)


def test_a_rule_claims_the_differences_between_groups_and_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "sources", lambda: [source()])
    monkeypatch.setitem(MODELS, "groups", Model(math.log(1.3), 3))
    rows = {row["rule"]: row for row in count(np.random.default_rng(0), 40, "groups")}
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
    parts = [drawn(source(seed), Model(0.0, 3), np.random.default_rng(seed)) for seed in (5, 6)]
    estimates = decisions.of_means(parts, decisions.own_variances(parts))
    together = claims(estimates, [20, 20], decision.holm)
    alone = [claims([part], [20], decision.holm)[0] for part in estimates]
    assert [len(part) for part in together] == [28, 28]
    assert all((one <= other).all() for one, other in zip(together, alone, strict=True))


def test_the_rule_in_use_holds_and_the_methodology_shows_it() -> None:
    table = pd.read_csv(RESULTS / "decision_rules.csv")
    assert table.groupby("cell")["rule"].nunique().eq(10).all()
    chosen, before = (table[table["rule"] == rule].set_index("cell") for rule in (CHOSEN, BEFORE))
    assert within_level(chosen["with_a_false_claim"], chosen["benchmarks"], decision.ALPHA)
    groups = chosen["different"] > 0
    assert (chosen["true_claims"][groups] >= 1.85 * before["true_claims"][groups]).all()
    page = PAGE.read_text(encoding="utf-8")
    for line in table[table["cell"] == "groups of equals, 20% apart"].to_dict("records"):
        assert f"| {line['rule']} | {line['with_a_false_claim'] / line['benchmarks']:.1%} |" in page
        assert f"| {line['true_claims']:.0f} of {line['different']} |" in page
